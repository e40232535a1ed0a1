#!/usr/bin/env bash
# deb.sh SUITE PACKAGE: installs the package in a bare Debian of this suite, searches, reads a manual page, compiles a
# program with the library, and removes the package again. To be run as root. Installs debootstrap.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/common.sh

suite=$1 package=$2
install_packages debootstrap
work=$(mktemp -d "${TMPDIR:-/tmp}/alnus-deb.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
# Runs a command in the bare system, with the network of this machine: apt-get installs the package's dependencies.
inside() {
  unshare --mount --pid --fork --mount-proc="$root/proc" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

debootstrap --variant=minbase "$suite" "$root" "$(debian_mirror)"
# In the bare system apt-get uses the same proxy or mirror and the same certificates as here.
cp -r /etc/apt/apt.conf.d "$root/etc/apt"
mkdir -p "$root/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs"
cp /etc/resolv.conf "$root/etc" || true
cp "$package" "$root/tmp/alnus.deb"
cp -r examples data/queries "$root/tmp"

inside apt-get update -q
inside apt-get install -q -y --no-install-recommends /tmp/alnus.deb
inside alnus --version
inside alnus search /tmp/queries/queries_farrar.fasta /tmp/queries/queries_farrar.fasta --evalue 1e-3 -o /tmp/hits.tsv
test "$(cut -f 1 "$root/tmp/hits.tsv" | sort -u | wc -l)" = "$(grep -c '^>' data/queries/queries_farrar.fasta)"
inside apt-get install -q -y --no-install-recommends man-db bash-completion zsh \
  g++ pkg-config libdeflate-dev libfmt-dev libminizip-dev libsodium-dev libxxhash-dev libzstd-dev zlib1g-dev
inside man alnus-search | grep -q -- '--max-target-seqs'
inside bash -c 'source /usr/share/bash-completion/bash_completion; _comp_load alnus 2>/dev/null || _completion_loader alnus
                complete -p alnus' | grep -q alnus
# shellcheck disable=SC2016 # the inner shell expands $(...)
inside bash -c 'cd /tmp && g++ -std=c++20 examples/align_pair.cpp -o align_pair $(pkg-config --cflags --libs alnus) &&
                ./align_pair HEAGAWGHEE PAWHEAE local' | grep .
inside apt-get remove -q -y alnus
if inside bash -c 'compgen -G "/usr/bin/alnus*" || compgen -G "/usr/share/man/man1/alnus*" || ls -d /usr/include/alnus 2>/dev/null'; then
  echo 'The package left files behind.' >&2
  exit 1
fi
