#!/usr/bin/env bash
# wheel.sh SUITE WHEEL: installs the wheel in a bare Debian of that name, with Python and nothing that compiles, nor any
# library of alnus, and uses it. As root; needs debootstrap. NumPy comes from PyPI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/common.sh

suite=$1 wheel=$2
install_packages debootstrap python3-venv
work=$(mktemp -d "${TMPDIR:-/tmp}/alnus-wheel.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
# Namespaces of its own: /proc and whatever still runs are gone when the command ends, and there is no network.
inside() {
  unshare --mount --pid --net --fork --mount-proc="$root/proc" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$root" "$@"
}

debootstrap --variant=minbase --include=python3,python3-venv "$suite" "$root" "$(debian_mirror)"
if compgen -G "$root/usr/bin/*g++*" || compgen -G "$root/usr/lib/x86_64-linux-gnu/libfmt*"; then
  echo 'This system is not bare: the test would prove nothing.' >&2
  exit 1
fi

mkdir "$root/wheels"
cp "$wheel" "$root/wheels"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" download --quiet --disable-pip-version-check --only-binary :all: --dest "$root/wheels" \
  --python-version "$(inside python3 -c 'import platform; print(platform.python_version())')" numpy
cp tests/install/wheel_test.py "$root"

inside python3 -m venv /venv
inside /venv/bin/pip install --disable-pip-version-check --no-index --find-links /wheels "/wheels/${wheel##*/}"
inside /venv/bin/python /wheel_test.py
