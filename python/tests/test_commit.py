"""The build finds the commit of a clone, and none in released sources."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from documents import ROOT

import alnus
from alnus import _alnus

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or shutil.which("cmake") is None, reason="there is no git, or no cmake"
)


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def commit_of(sources: Path, output: Path) -> str:
    words = ["cmake", f"-DSOURCE={sources}", f"-DOUTPUT={output}", "-P", ROOT / "cmake/commit.cmake"]
    subprocess.run(words, check=True)
    found = re.search(r'commit\(\) { return "(.*)"; }', output.read_text())
    assert found
    return found[1]


def test_the_commit_is_that_of_the_clone(tmp_path: Path) -> None:
    clone, output = tmp_path / "clone", tmp_path / "commit.cpp"
    released = clone / "alnus-0.1.0"
    released.mkdir(parents=True)
    assert commit_of(clone, output) == ""
    git(clone, "init", "-q")
    assert commit_of(clone, output) == "", "there is no commit yet"
    (clone / "file").write_text("1")
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "first")
    git(clone, "tag", "v0.1.0")
    head = git(clone, "rev-parse", "HEAD")
    assert commit_of(clone, output) == head[:12]
    written = output.stat().st_mtime_ns
    assert commit_of(clone, output) == head[:12]
    assert output.stat().st_mtime_ns == written, "nothing is compiled again for the same commit"
    (clone / "file").write_text("2")
    assert commit_of(clone, output) == f"{head[:12]}-dirty"
    assert commit_of(released, output) == "", "released sources within a clone of something else"


def test_versions_show_the_commit(capsys: pytest.CaptureFixture[str]) -> None:
    alnus.show_versions()
    of = f" (commit {_alnus.commit()})" if _alnus.commit() else ""
    assert capsys.readouterr().out.splitlines()[0] == f"alnus      {alnus.__version__}{of}"
