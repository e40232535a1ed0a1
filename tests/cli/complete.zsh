# complete.zsh FOLDER LINE WANTED: succeeds if a tab after LINE completes it to WANTED, in a zsh with the completions in
# FOLDER. Otherwise prints what zsh has shown.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; print READY"
zpty -r -m shell answer '*READY*READY*'
zpty -w -n shell "$2"$'\t'
answer=
for try in {1..200}; do
  while zpty -r -t shell part; do answer+=$part; done
  [[ $answer == *"$3"* ]] && exit 0
  sleep 0.1
done
print -r -- "$answer"
exit 1
