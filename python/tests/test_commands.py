"""The commands in documents run, and print what the documents say."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import documents
import pytest
from support import Program

_DOCS = documents.ROOT / "docs"
_PAGES = {page.relative_to(_DOCS).as_posix(): page for page in sorted(_DOCS.rglob("*.md")) if documents.commands(page)}


@documents.needs_proteins
@pytest.mark.parametrize("name", _PAGES)
def test_commands(name: str, document_data: Path, tmp_path: Path, program: Program) -> None:
    for package in ("Bio", "distributed", "networkx", "pandas", "polars", "scipy"):
        pytest.importorskip(package)
    shutil.copytree(document_data, tmp_path, dirs_exist_ok=True)
    documents.run_commands(_PAGES[name], tmp_path, program.path)


def test_there_are_commands() -> None:
    assert len(documents.commands(_PAGES["first-search.md"])) >= 9
    for page in (_DOCS / "how-to").glob("*.md"):
        assert page.name == "index.md" or documents.commands(page), page.name


def test_blocks_that_are_not_run_say_why() -> None:
    pages = sorted((_DOCS / "how-to").glob("*.md"))
    reasons = Counter(reason for page in pages for reason in documents.reasons_not_to_run(page))
    for reason, count in sorted(reasons.items()):
        print(f"{count} not run: {reason}")
    run = sum(len(documents.commands(page)) for page in pages)
    print(f"{run} commands run, {reasons.total()} blocks not run")
    assert 10 <= reasons.total() <= run / 3
