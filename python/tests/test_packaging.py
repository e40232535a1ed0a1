"""The recipe of the Apptainer image names the packages and files that alnus needs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from documents import ROOT
from support import Program

_RECIPE = ROOT / "packaging/apptainer/alnus.def"
# Packages of the build in scripts/common.sh that are for the tests, or in the image already.
_NOT_IN_IMAGE = {"ca-certificates", "libgtest-dev", "libgmock-dev", "libboost-context-dev", "mmseqs2-examples"}


def stage(number: int) -> dict[str, str]:
    """The sections of the recipe's first (0) or second (1) stage, by their names."""
    text = _RECIPE.read_text().split("Bootstrap:")[number + 1]
    sections = re.findall(r"^%(\w+)(.*?)(?=^%|\Z)", text, re.MULTILINE | re.DOTALL)
    return dict(sections)


def installed(section: str) -> set[str]:
    command = re.search(r"apt-get install (.*?)(?<!\\)\n", section, re.DOTALL)
    assert command
    return {word for word in command[1].replace("\\\n", " ").split() if not word.startswith("-")}


def test_the_build_has_the_packages_of_the_scripts() -> None:
    listed = re.search(r"build_packages=\((.*?)\n\)", (ROOT / "scripts/common.sh").read_text(), re.DOTALL)
    assert listed
    wanted = set(re.sub("#.*", "", listed[1]).split()) - _NOT_IN_IMAGE
    assert installed(stage(0)["post"]) == wanted | {"git"}  # which tells the commit of the build


def test_the_image_has_the_libraries_of_the_program(program: Program) -> None:
    told = subprocess.run(["readelf", "-d", program.path], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"NEEDED.*\[(.*)\]", told)
    of_every_image = ("libc.", "libm.", "libstdc++.", "libgcc_s.", "libpthread.", "ld-linux")
    wanted = {name.replace(".so.", "") for name in needed if not name.startswith(of_every_image)}
    packages = {package.removesuffix("t64").replace("zlib1g", "libz1") for package in installed(stage(1)["post"])}
    assert wanted <= packages
    assert packages == {"libdeflate0", "libfmt9", "libminizip1", "libsodium23", "libxxhash0", "libzstd1", "libz1"}


def test_the_files_of_the_recipe_suffice_for_a_build(tmp_path: Path) -> None:
    if shutil.which("cmake") is None or shutil.which("ninja") is None:
        pytest.skip("there is no cmake, or no ninja")
    for line in stage(0)["files"].strip().splitlines():
        name, place = line.split()  # Apptainer takes one source and one place of each line
        assert place == f"/alnus/{name}"
        if name != ".git":  # a released archive has none
            assert (ROOT / name).exists(), name
            (tmp_path / name).symlink_to(ROOT / name)
    configure = re.search(r"cmake --preset release -B /build (.*?)(?<!\\)\n", stage(0)["post"], re.DOTALL)
    assert configure
    options = configure[1].replace("\\\n", " ").split()
    build = tmp_path / "build"
    for words in (
        ["cmake", "--preset", "release", "-B", build, *options, "-DALNUS_CUDA=OFF"],
        ["ninja", "-C", build, "-n", "all"],  # fails if a source is missing
    ):
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_paths_in_the_image_fit_together() -> None:
    assert "-DCMAKE_INSTALL_PREFIX=/opt/alnus" in stage(0)["post"]
    assert stage(1)["files"].split() == ["from", "build", "/opt/alnus", "/opt/alnus"]
    for section in ("runscript", "test"):
        assert "/opt/alnus/bin/alnus" in stage(1)[section]
    assert "/opt/alnus/bin" in stage(1)["environment"]


def test_the_documentation_has_links_to_the_recipe() -> None:
    for page in ("pipeline", "install-for-all"):
        assert "(../../packaging/apptainer/alnus.def)" in (ROOT / f"docs/how-to/{page}.md").read_text()
