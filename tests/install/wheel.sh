#!/usr/bin/env bash
# wheel.sh SUITE WHEEL: installs the wheel in a bare Debian of this suite, which has Python, but no compiler and none of
# the libraries that alnus uses. Then uses the wheel, and runs the tutorial. To be run as root. Installs debootstrap.
# Other packages come from PyPI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/common.sh

suite=$1 wheel=$2
install_packages debootstrap iproute2 python3-venv
work=$(mktemp -d "${TMPDIR:-/tmp}/alnus-wheel.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
# Runs a command in the bare system, with namespaces of its own: when it ends, its /proc and all its processes are gone.
# Its only network is the loopback interface, which a notebook and its kernel need.
inside() {
  unshare --mount --pid --net --fork --mount-proc="$root/proc" \
    bash -c 'ip link set lo up && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$@"' \
    bash "$root" "$@"
}

debootstrap --variant=minbase --include=python3,python3-venv,mmseqs2-examples "$suite" "$root" "$(debian_mirror)"
if compgen -G "$root/usr/bin/*g++*" || compgen -G "$root/usr/lib/x86_64-linux-gnu/libfmt*"; then
  echo 'This system is not bare: the test would prove nothing.' >&2
  exit 1
fi

mkdir "$root/wheels"
cp "$wheel" "$root/wheels"
python3 -m venv "$work/venv"
of_tutorial=(biopython matplotlib numpy pandas scikit-bio) runs_it=(ipykernel nbclient nbformat pytest)
"$work/venv/bin/pip" download --quiet --disable-pip-version-check --only-binary :all: --dest "$root/wheels" \
  --python-version "$(inside python3 -c 'import platform; print(platform.python_version())')" \
  --constraint tests/requirements.txt --constraint tests/requirements_second_tier.txt \
  "${of_tutorial[@]}" "${runs_it[@]}"
cp tests/install/wheel_test.py "$root"
mkdir -p "$root"/alnus/{docs,data}
cp docs/{tutorial.ipynb,python.md,cookbook.md} "$root/alnus/docs"
cp -r data/queries "$root/alnus/data"
cp --parents python/tests/{documents,test_documents}.py "$root/alnus"

pip=(/venv/bin/pip install --quiet --disable-pip-version-check --no-index --find-links /wheels)
inside python3 -m venv /venv
inside "${pip[@]}" "/wheels/${wheel##*/}"
inside /venv/bin/python /wheel_test.py
inside "${pip[@]}" "${of_tutorial[@]}" "${runs_it[@]}"
inside /venv/bin/python -m pytest -q --noconftest /alnus/python/tests/test_documents.py -k tutorial
