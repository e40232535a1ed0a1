# shellcheck shell=bash disable=SC2034
# Shared by the scripts in scripts/ and tests/install/ and by .ci/run: Debian packages, build, tests. Sourced, from the
# root of the tree.

build_packages=(
  ca-certificates g++ cmake ninja-build pkg-config
  libfmt-dev nlohmann-json3-dev libcli11-dev zlib1g-dev libdeflate-dev libminizip-dev libzstd-dev libxxhash-dev
  libsodium-dev
  libgtest-dev libgmock-dev libboost-context-dev
  mmseqs2-examples # real proteins for the quick start, the tests and the benchmarks
)
# What the tests call, and with --all the programs that they compare alnus with.
test_packages=(
  samtools gzip zstd python3 python3-numpy
  python3-venv python3-dev       # the Python package
  mandoc bsdextrautils zsh fish  # manual pages and completions
  chromium                       # the page of HTML reports
)
second_tier_packages=(
  parasail fasta3 emboss ncbi-blast+ librsvg2-bin python3-scipy
  quicktree phylip mcl jq libxml2-utils libbio-perl-perl # tests/clients
  doxygen                                             # the documentation site
  slurmctld slurmd slurm-client munge                 # python/tests/slurm.sh
)
# Sanitizers, fuzzers and style checks of .ci/run.
ci_packages=(clang libclang-rt-14-dev clang-tidy clang-format)

# Installs those of the named packages that are missing; touches no network when none is.
install_packages() {
  local missing=() package status
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  local as_root=(env)
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages: ${missing[*]}. Run this as root, or install sudo." >&2
      return 1
    fi
    as_root=(sudo env)
  fi
  echo "Installing from Debian: ${missing[*]}"
  "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# Prints the address of the mirror that apt-get takes Debian's packages from.
debian_mirror() {
  # shellcheck disable=SC2016 # $(...) is apt-get's
  apt-get indextargets --format '$(REPO_URI)' "Codename: $(. /etc/os-release && echo "$VERSION_CODENAME")" |
    head -n 1
}

python_packages=(tests/requirements.txt) # lists of packages from PyPI: with --all the second tier's, too
with_all_python_packages() { python_packages=(tests/requirements.txt tests/requirements_second_tier.txt); }

# has_python_packages LIST...: succeeds if build/python has the packages of these lists. It keeps the lists that it was
# made of, the first tier's first.
has_python_packages() {
  local begin
  begin=$(cat "$@" | wc -c)
  cat "$@" | cmp -s -n "$begin" - build/python/requirements.txt && build/python/bin/python -c ''
}
has_test_venv() { has_python_packages "${python_packages[@]}"; }

# Makes build/python, with the packages from PyPI that the Python tests and the Python package's build need. Makes it
# again only if a list of these packages has changed. To one of the first tier it adds the packages of the second.
make_test_venv() {
  local venv=build/python anew=--clear
  has_test_venv && return
  ! cmp -s tests/requirements.txt "$venv/requirements.txt" || anew=
  echo "Installing from PyPI into $venv: ${python_packages[*]}"
  /usr/bin/python3 -m venv ${anew:+"$anew"} "$venv" &&
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
      "${python_packages[@]/#/--requirement=}" &&
    cat "${python_packages[@]}" >"$venv/requirements.txt"
}

# differs_from_upstream PATH...: succeeds if one of these differs from where this branch left its upstream. For a branch
# without one it is where the last change was based on (.ci/landing), and without that commit everything differs.
differs_from_upstream() {
  local base
  base=$(git merge-base HEAD '@{upstream}' 2>/dev/null) || base=$(awk '$1 == "base" { print $2 }' .ci/landing)
  ! git diff --quiet "$base" -- "$@" 2>/dev/null
}

# Succeeds if what GPUs run, or how it is tested, has changed.
concerns_gpus() {
  differs_from_upstream src/cuda src/papers src/core/device.h tests/device tests/cuda tests/cuda_plan tests/cuda_emulation
}

# Succeeds if code for GPUs may no longer compile: it or headers that it may include have changed.
concerns_gpu_code() {
  differs_from_upstream src/cuda src/papers src/engine/registry.cpp include 'src/core/*.h' 'src/stats/*.h' CMakeLists.txt src/CMakeLists.txt
}

# Prints how many compilers may run at once: one per core, and no more than one per GB of free memory.
build_jobs() {
  local cores free_gb
  cores=$(nproc)
  free_gb=$(awk '/^MemAvailable/ { print int($2 / 1e6) }' /proc/meminfo 2>/dev/null || true)
  ((${free_gb:=2} > 0)) || free_gb=1
  echo $((cores < free_gb ? cores : free_gb))
}

cmake_options=() # of every build

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  if command -v ccache >/dev/null; then # which wants these for precompiled headers
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros
  fi
  cmake --preset "$preset" "${cmake_options[@]}" &&
    cmake --build --preset "$preset" --parallel "$(build_jobs)" ${1:+--target "$@"}
}

# logged_stage LOG WHAT COMMAND...: runs the command and prints a line with the time that it takes. The output
# of the command goes to LOG. If the command fails, its errors are shown and the script ends.
logged_stage() {
  local log=$1 what=$2 start=$SECONDS status=0 from
  shift 2
  from=$(($(wc -l <"$log") + 1))
  printf '%-62s' "$what ..."
  "$@" >>"$log" 2>&1 || status=$?
  if ((status != 0)); then
    printf 'failed\n\n'
    {
      tail -n "+$from" "$log" | grep -E -m 5 -A 5 '(error|FAILED|Missing packages)' || tail -n 40 "$log"
      printf '\n%s: failed. All that it said: %s\n' "$what" "$log"
    } >&2
    exit "$status"
  fi
  printf '%d:%02d\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60))
}

passed=0 failed=0 skipped=0
reports=() # the files in which ctest reports the tests that ran

# run_tests PRESET [CTEST OPTION...]: runs tests, and adds to passed, failed and skipped. A test that hangs
# fails after a quarter of an hour, so that the other tests still count.
run_tests() {
  local preset=$1 report
  shift
  report=build/$preset/tests.xml
  rm -f "$report"
  reports+=("$report")
  ctest --preset "$preset" --timeout 900 --parallel "$(nproc)" --output-junit "$PWD/$report" "$@" || true
  if [[ ! -s $report ]]; then
    failed=$((failed + 1))
    return
  fi
  local all run skips off
  all=$(grep -c '<testcase ' "$report" || true)
  run=$(grep -c '<testcase .*status="run"' "$report" || true)
  skips=$(grep -c '<skipped message="SKIP_' "$report" || true)
  off=$(grep -c '<testcase .*status="disabled"' "$report" || true)
  passed=$((passed + run)) skipped=$((skipped + skips + off)) failed=$((failed + all - run - skips - off))
  ((all > 0)) || failed=$((failed + 1)) # a suite without tests proves nothing
}

# Prints the names of the tests that failed, each with the last 25 lines of its output.
show_failures() {
  awk '/<testcase / { name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name); fails = /status="fail"/; lines = 0 }
       fails { line[lines++] = $0 }
       fails && /<\/testcase>/ {
         print "FAILED: " name
         for (k = lines > 25 ? lines - 25 : 0; k < lines; ++k) print "  " substr(line[k], 1, 300)
       }' "$@"
}

# Prints the failures and the totals. The exit status is that of an error if a test failed.
print_totals() {
  if ((failed > 0 && ${#reports[@]} > 0)); then show_failures "${reports[@]}" || true; fi
  echo "$passed passed, $failed failed$( ((skipped)) && echo ", $skipped skipped")"
  ((failed == 0))
}
