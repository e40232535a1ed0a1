"""The Python blocks in documents run, and print what the documents say; the version is the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import documents
import pytest

_DOCUMENTS = [documents.ROOT / "docs/python.md", documents.ROOT / "docs/cookbook.md"]
_RECIPES = [(document, head) for document in _DOCUMENTS for head in documents.recipes(document)]
_PACKAGES = ("Bio", "duckdb", "matplotlib", "pandas", "polars", "pyarrow", "scipy", "skbio", "tqdm")


@documents.needs_proteins
@pytest.mark.parametrize(
    ("document", "head"), _RECIPES, ids=[f"{document.stem}: {head or 'all'}" for document, head in _RECIPES]
)
def test_blocks(
    document: Path, head: str, document_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in _PACKAGES:
        pytest.importorskip(package)
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    for file in document_data.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    documents.run(document, documents.recipes(document)[head])
    plt.close("all")


def test_there_are_recipes() -> None:
    assert len(documents.recipes(_DOCUMENTS[1])) >= 12


@documents.needs_proteins
def test_tutorial() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    path = documents.ROOT / "docs/tutorial.ipynb"
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=where).execute()
    stored = nbformat.read(path, as_version=4)
    for cell, before in zip(notebook.cells, stored.cells, strict=True):
        if cell.cell_type == "code":
            assert _texts(cell) == _texts(before), cell.source


def _texts(cell: Any) -> str:
    """What a cell prints, without pictures: these differ between versions of matplotlib."""
    streams = [one for one in cell.outputs if one.output_type == "stream" and one.name == "stdout"]
    return "".join(one["text"] for one in streams)


def test_the_version_is_the_same_everywhere() -> None:
    version = _found(r"project\(alnus VERSION ([0-9.]+)", "CMakeLists.txt")
    assert _found(r"^version: (\S+)", "CITATION.cff") == version
    assert _found(r'set version = "(\S+)"', "packaging/bioconda/meta.yaml") == version
    assert _found(r"^## ([0-9.]+)", "CHANGELOG.md") == version
    assert _found(r"alnus, version ([0-9.]+[0-9])", "docs/faq.md") == version


def _found(pattern: str, file: str) -> str:
    match = re.search(pattern, (documents.ROOT / file).read_text(), re.MULTILINE)
    assert match, f"{file} does not tell the version"
    return match[1]
