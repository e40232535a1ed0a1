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


@documents.needs_proteins
def test_the_notebook_of_splits_with_few_proteins() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for package in ("ipykernel", "scipy"):
        pytest.importorskip(package)
    path = documents.ROOT / "docs/split.ipynb"
    notebook = nbformat.read(path, as_version=4)
    parameters = next(cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", []))
    assert "every = 1 " in parameters.source
    parameters.source = parameters.source.replace("every = 1 ", "every = 8 ")
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    few, all_of_them = ({}, {})  # type: tuple[dict[str, int], dict[str, int]]
    for cells, shares in ((notebook.cells, few), (nbformat.read(path, as_version=4).cells, all_of_them)):
        table = next(text for text in map(_texts, reversed(cells)) if "random parts  " in text)
        for line in table.splitlines():
            name, share = line.rsplit(maxsplit=1)
            shares[name.strip()] = int(share.rstrip("%"))
    assert few["certified split"] < few["random parts"]
    assert all_of_them["certified split"] < all_of_them["clusters of MMseqs2"] < all_of_them["random parts"]
    assert all_of_them["always the commonest kind"] == 18


def _texts(cell: Any) -> str:
    """What a cell prints, without pictures: these differ between versions of matplotlib."""
    streams = [one for one in cell.get("outputs", []) if one.output_type == "stream" and one.name == "stdout"]
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
