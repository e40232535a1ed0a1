"""Reports of audits, splits and matrices that the program writes: against its tables, and as the page shows them."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from program import blocks_of, run, without_command_line

LETTERS = "ARNDCQEGHILKMFPSTWYV"


def write_fasta(path: Path, records: dict[str, str]) -> Path:
    path.write_text("".join(f">{name}\n{letters}\n" for name, letters in records.items()))
    return path


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with train.fa and test.fa, of which test.fa has relatives of every other record of train.fa."""
    folder = tmp_path_factory.mktemp("families")
    chooser = random.Random(48)
    train = {f"a{k} title of a{k}": "".join(chooser.choices(LETTERS, k=chooser.randint(60, 140))) for k in range(24)}
    test = {}
    for k, letters in enumerate(list(train.values())[::2]):
        rate = 0.1 + 0.6 * k / 12
        test[f"b{k}"] = "".join(chooser.choice(LETTERS) if chooser.random() < rate else one for one in letters)
    test["same"] = train["a3 title of a3"]
    write_fasta(folder / "train.fa", train)
    write_fasta(folder / "test.fa", test)
    write_fasta(folder / "all.fa", train | test)
    return folder


def rows_of(blocks: dict[str, Any], table: str) -> list[dict[str, Any]]:
    columns: dict[str, list[Any]] = {}
    for number in range(1000):
        for kind in ("rows", "gaps"):
            for name, values in blocks.get(f"{table}-{kind}-{number}", {}).items():
                columns.setdefault(name, []).extend(values)
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def tsv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_an_audit_has_its_tables(alnus: Path, families: Path) -> None:
    words = ["audit", "train.fa", "test.fa", "-o", "audit.txt", "--pairs", "pairs.tsv", "--nearest", "nearest.tsv"]
    run(alnus, *words, "--report", "audit.html", "-t", 1, folder=families, code=10)
    blocks = blocks_of(families / "audit.html")
    index = blocks["index"]
    assert index["kind"] == "audit"
    ids = index["queries"]["id"]
    leaks = rows_of(blocks, "leaks")
    assert [(ids[row["query"]], row["qset"], ids[row["subject"]], row["sset"], row["relation"], row["value"])
            for row in leaks] == [tuple(line.values()) for line in tsv(families / "pairs.tsv")]  # fmt: skip
    assert len(leaks) > 5
    nearest = {ids[row["query"]]: row for row in rows_of(blocks, "nearest")}
    for line in tsv(families / "nearest.tsv"):
        if line["nearest_id"] == "NA":
            assert line["id"] not in nearest
            continue
        row = nearest.pop(line["id"])
        assert ids[row["subject"]] == line["nearest_id"]
        found = [row["qstart"], row["qend"], row["sstart"], row["send"]]
        assert found == [int(line[name]) for name in ("begin", "end", "nearest_begin", "nearest_end")]
        columns = sum(int(length) for length in re.findall(r"\d+", line["cigar"]))
        spans = row["qend"] - row["qstart"] + 1 + row["send"] - row["sstart"] + 1
        assert columns == (spans + row["gaps"]) // 2
    assert not nearest
    by_pair = {(row["query"], row["subject"]): row for row in rows_of(blocks, "nearest")}
    for row in leaks:
        pair = by_pair.get((row["query"], row["subject"]))
        assert row["cigar"] == (pair["cigar"] if pair else None)
    # The sections are the lines of the text report.
    text = (families / "audit.txt").read_text()
    for section in index["sections"]:
        assert section["title"] == "Result" or section["title"] in text
        assert all(line in text for line in section.get("lines", []))
    bars = [section for section in index["sections"] if section["kind"] == "bars"]
    assert [sum(row[1] for row in section["rows"]) for section in bars] == [13, 13]
    run(alnus, *words, "--report", "two.html", "-t", 2, folder=families, code=10)
    assert without_command_line(families / "audit.html") == without_command_line(families / "two.html")


def test_an_audit_of_clusters(alnus: Path, families: Path) -> None:
    names = [line.split()[0][1:] for line in (families / "all.fa").read_text().splitlines() if line[0] == ">"]
    (families / "wrong.tsv").write_text("".join(f"{names[k % 7]}\t{name}\n" for k, name in enumerate(names)))
    words = ["audit", "all.fa", "--clusters", "wrong.tsv", "--promise", "components", "--pairs", "across.tsv"]
    run(alnus, *words, "--report", "clusters.html", folder=families, code=10)
    blocks = blocks_of(families / "clusters.html")
    ids = blocks["index"]["queries"]["id"]
    assert [
        (ids[row["query"]], row["qset"], ids[row["subject"]], row["sset"], row["relation"], row["value"])
        for row in rows_of(blocks, "leaks")
    ] == [tuple(line.values()) for line in tsv(families / "across.tsv")]
    assert blocks["index"]["sections"][0]["lines"][0].startswith("BROKEN: ")


def test_a_split_has_its_certificate(alnus: Path, families: Path) -> None:
    labels = "".join(f"a{k},{'odd' if k % 2 else 'even'}\n" for k in range(24))
    (families / "labels.csv").write_text("id,kind\n" + labels)
    words = ["split", "train.fa", "-k", 3, "-o", "split.csv", "--certificate", "cert.json", "--labels", "labels.csv"]
    run(alnus, *words, "--report", "split.html", folder=families)
    index = blocks_of(families / "split.html")["index"]
    assert index["kind"] == "split"
    assert index["tables"] == []
    sections = {section["title"]: section for section in index["sections"]}
    with (families / "split.csv").open(newline="") as file:
        subsets = [row["subset"] for row in csv.DictReader(file)]
    assert {row[0]: row[1] for row in sections["Records of each subset"]["rows"]} == {
        name: subsets.count(name) for name in sorted(set(subsets))
    }
    assert [row[0] for row in sections["Labels"]["rows"]] == ["kind even", "kind odd"]
    assert [sum(int(cell) for cell in row[1:]) for row in sections["Labels"]["rows"]] == [12, 12]
    assert sections["Certificate"]["text"] == (families / "cert.json").read_text()
    json.loads(sections["Certificate"]["text"])
    run(alnus, "split", "train.fa", "-k", 3, "-o", "s2.csv", "--report", "none.html", folder=families)
    titles = [section["title"] for section in blocks_of(families / "none.html")["index"]["sections"]]
    assert titles == ["Result", "Records of each subset", "Subsets"]


def test_a_matrix_is_a_heat_map(alnus: Path, families: Path) -> None:
    numpy = pytest.importorskip("numpy")
    words = ["allpairs", "all.fa", "--mode", "global", "--matrix-out", "identity.npy", "--square"]
    run(alnus, *words, "--report", "matrix.html", folder=families)
    blocks = blocks_of(families / "matrix.html")
    matrix = blocks["index"]["matrix"]
    values = numpy.load(families / "identity.npy")
    order = matrix["order"]
    assert sorted(order) == list(range(len(values)))
    expected = [int(numpy.floor(2 * values[order[i], order[j]] + 0.5)) for i in range(len(order))
                for j in range(i, len(order))]  # fmt: skip
    assert list(blocks["matrix-cells"]) == expected
    # Relatives stand side by side: record 2k of train.fa and record k of test.fa, as long as they are alike.
    ids = blocks["index"]["queries"]["id"]
    places = {ids[number]: place for place, number in enumerate(order)}
    assert abs(places["a3"] - places["same"]) == 1
    assert abs(places["a0"] - places["b0"]) == 1


@pytest.mark.parametrize("name", ["audit", "clusters", "split", "matrix"])
def test_the_page_shows_them(name: str, opened: Callable[..., Any], families: Path, alnus: Path) -> None:
    path = families / f"{name}.html"
    if not path.exists():
        pytest.skip("the test that writes this report did not run")
    page = opened(path)
    text = page.inner_text("body")
    assert {"audit": "LEAKS: ", "clusters": "BROKEN: ", "split": "Records of each subset", "matrix": "% identity"}[
        name
    ] in text
