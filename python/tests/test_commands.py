"""Documents say what is true: their commands run, and print what stands below them."""

from __future__ import annotations

from pathlib import Path

import documents
import pytest
from support import Program

pytestmark = pytest.mark.skipif(
    not documents.PROTEINS.exists(), reason="Debian's package mmseqs2-examples is not installed"
)


def test_first_search(tmp_path: Path, program: Program) -> None:
    documents.write_data(tmp_path)
    document = documents.ROOT / "docs/first-search.md"
    assert len(documents.commands(document)) >= 9
    documents.run_commands(document, tmp_path, program.path)
