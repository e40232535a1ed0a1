"""The lines by which the documents read tables in pandas and polars keep every id, and numbers are numbers."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import documents
import pytest
from support import Program

IDS = ["HA", "NA", "NP", "nan", "NaN", "null", "None", "n/a", "007", "1e5", "inf", "true"]
FASTA = documents.ROOT / "tests/data/outsiders/id_na.fasta"
FORMATS = documents.ROOT / "docs/formats.md"
HOW_TO = documents.ROOT / "docs/how-to/biopython-pandas.md"

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")


@pytest.fixture
def folder(program: Program, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder with the files that the documented lines name, of sequences with odd ids."""
    text = FASTA.read_text()
    assert text.count(">NA\n") == 1
    letters = text.split("\n")[1]
    text += "".join(f">{name}\n{letters}\n" for name in IDS[3:])
    (tmp_path / "x.fasta").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def search(program: Program, *words: object) -> None:
    program.run("search", "x.fasta", "x.fasta", *words)


def block(document: pathlib.Path, word: str) -> str:
    """The first block of Python in a document that has a word."""
    found = re.findall(r"^```python\n(.*?)^```\n", document.read_text(), re.DOTALL | re.MULTILINE)
    return next(code for code in found if word in code)


def names_after(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"pandas": pandas, "polars": polars}
    exec(code, names)
    return names


def check(table: Any, ids: tuple[str, str], numbers: list[str], missing: bool) -> None:
    for name in ids:
        assert set(table[name].to_list() if hasattr(table, "schema") else table[name].tolist()) == set(IDS)
    for name in numbers:
        if isinstance(table, polars.DataFrame):
            assert table[name].dtype == polars.Float64 and (table[name].null_count() == len(table)) == missing
        else:
            assert table[name].dtype == float and table[name].isna().all() == missing


@pytest.mark.parametrize("stats", ["spouge", "none"])
def test_a_table_by_the_lines_of_formats(program: Program, folder: pathlib.Path, stats: str) -> None:
    search(program, "--stats", stats, "--header", "-o", "hits.tsv")
    code = block(FORMATS, "hits.tsv")
    by_pandas, by_polars = code.split("types = ")
    for part in (by_pandas, by_pandas + "types = " + by_polars):
        check(names_after(part)["table"], ("qaccver", "saccver"), ["evalue", "bitscore"], stats == "none")


@pytest.mark.parametrize("stats", ["spouge", "none"])
def test_a_table_by_the_lines_of_the_how_to(program: Program, folder: pathlib.Path, stats: str) -> None:
    search(program, "--stats", stats, "--outfmt", "6 std qcovs", "--header", "-o", "hits.tsv.gz")
    code = block(HOW_TO, "hits.tsv.gz")
    for part in (code.split("best = ")[0], re.sub(r"(?m)^(best = .*|print.*)$", "", code)):
        check(names_after(part)["hits"], ("qaccver", "saccver"), ["evalue", "bitscore"], stats == "none")


def test_json_lines_by_the_line_of_the_how_to(program: Program, folder: pathlib.Path) -> None:
    search(program, "--outfmt", "jsonl", "-o", "hits.jsonl")
    code = re.sub(r"(?m)^print.*$", "", block(HOW_TO, "hits.jsonl"))
    check(names_after(code)["hits"], ("qseqid", "sseqid"), ["evalue", "bitscore"], False)


def test_edges_by_the_lines_of_the_documents(program: Program, folder: pathlib.Path) -> None:
    program.run("allpairs", "x.fasta", "--edges", "edges.csv", "--edge-threshold", 1, "--mode", "global", "-o", "rows")
    lines = re.findall(r"`(?:pandas\.)?(read_csv\(\"edges\.csv\".*?\))`", FORMATS.read_text() + HOW_TO.read_text())
    assert len(lines) == 3
    for line in lines:
        package = polars if "polars" in line else pandas
        table = eval(f"{package.__name__}.{line}", {"pandas": pandas, "polars": polars})
        pairs = list(zip(table["a"], table["b"], strict=True))
        assert pairs == [(IDS[i], IDS[j]) for j in range(len(IDS)) for i in range(j)]
        assert float(table["identity"].min()) == 100
