"""The documentation site is built without a warning, from the pages, the docstrings and the headers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documents import ROOT

pytest.importorskip("sphinx")
pytestmark = pytest.mark.skipif(shutil.which("doxygen") is None, reason="Debian's package doxygen is not installed")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", ROOT / "docs", folder / "html"],
        env={**os.environ, "ALNUS_DOCS_BUILD": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_references_have_what_users_call(site: Path) -> None:
    python = (site / "reference/python.html").read_text()
    for name in ("alnus.search", "alnus.pdist", "alnus.Session", "alnus.distributed.all_pairs", "alnus.plot"):
        assert f'id="{name}"' in python or f"module-{name}" in python, name
    cpp = re.sub("<[^>]*>", "", (site / "reference/cpp.html").read_text())
    for words in ("class Session", "Throws Error(input)", "struct SearchOptions"):
        assert words in cpp, words


def test_references_have_every_header_and_example() -> None:
    reference = ROOT / "docs/reference"
    for header in (ROOT / "include/alnus").glob("*.h"):
        assert header.name == "alnus.h" or f":: {header.name}" in (reference / "cpp.md").read_text(), header.name
    for example in (ROOT / "examples").glob("*.cpp"):
        assert f"examples/{example.name}" in (reference / "examples.md").read_text(), example.name


def test_every_page_can_be_reached(site: Path) -> None:
    """The side bar of the first page has a link to every page."""
    bar = (site / "index.html").read_text().split("sidebar-tree")[1]
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        assert name == "index.html" or f'href="{name}"' in bar, name


def test_links_lead_to_pages(site: Path) -> None:
    for page in site.rglob("*.html"):
        for target in re.findall(r'href="([^"#?:]+\.html)', page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
