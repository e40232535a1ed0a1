"""Audits of sets, splits and clusters: their tables are those of an oracle, and become frames and parquet."""

from __future__ import annotations

import json
import pathlib
import pickle
import subprocess
from typing import Any

import numpy as np
import pytest
from support import Program
from test_splits import FAMILIES, families, similar_pairs

import alnus

TRAIN = {f"t{i}": one for i, one in enumerate(FAMILIES[:24])}
TEST = {f"e{i}": one for i, one in enumerate(FAMILIES[22:])}  # two of them are in TRAIN, and two are their relatives
RELATION = "whole:60,part:90"


def leaking_pairs(percent: float) -> set[tuple[str, str]]:
    """The similar pairs of a test and a training sequence by an oracle, by their ids."""
    names = [*TRAIN, *TEST]
    pairs = similar_pairs([*TRAIN.values(), *TEST.values()], percent)
    return {(names[b], names[a]) for a, b in pairs if a < len(TRAIN) <= b}


def test_leaks_are_those_of_an_oracle() -> None:
    found = alnus.audit(TRAIN, TEST, relation="whole:60")
    expected = leaking_pairs(60)
    assert set(zip(found.leaks["id"], found.leaks["earlier_id"], strict=True)) == expected
    assert len(found.leaks) == len(expected) == 8 and not found
    leaking = {later for later, _ in expected}
    assert found.sets[1]["leaking"] == len(leaking) == 2 and found.sets[1]["leaking_earlier"] == 4
    assert found.sets[1]["equal"] == found.sets[1]["equal_earlier"] == len(found.equal) == 2
    assert found.pairs == 24 * 18 and found.relations == ["whole:60"]
    assert set(found.leaks["relation"]) == {"whole:60"} and found.leaks["value"].max() == 100
    assert [list(TEST)[k] for k in found.leaks["record"]] == found.leaks["id"].tolist()
    assert [list(TRAIN)[k] for k in found.leaks["earlier_record"]] == found.leaks["earlier_id"].tolist()
    assert repr(found) == "<Audit: set 2: 2 of 18 leak>"
    assert alnus.audit(FAMILIES[:24], FAMILIES[24:], relation="whole:60")


def test_nearest_records_are_the_first_hits_of_a_search() -> None:
    found = alnus.audit(TRAIN, TEST, evalue=1e9, relation=RELATION)
    hits = alnus.search(TEST, TRAIN, evalue=1e9, max_target_seqs=1)
    first = dict(zip(hits.query_id, hits.subject_id, strict=True))
    assert found.nearest["id"].tolist() == list(TEST)
    assert found.nearest["nearest_id"].tolist() == [first[one] for one in TEST]
    best = {pair.query_id: pair for pair in hits}
    for row in found.nearest:
        pair = best[row["id"]]
        assert row["identity"] == pytest.approx(pair.identical / pair.length)
        assert (row["begin"], row["end"]) == (pair.query_begin, pair.query_end)
        assert (row["nearest_begin"], row["nearest_end"]) == (pair.subject_begin, pair.subject_end)
        assert row["cigar"] == pair.cigar and row["strand"] == "plus" and 0 < row["coverage"] <= 1
    none = alnus.audit(TRAIN, TEST, evalue=0.0, relation=RELATION).nearest
    assert none["nearest_id"].tolist() == [None] * 18 and np.isnan(none["evalue"]).all()
    assert (none["nearest_record"] == -1).all() and (none["begin"] == -1).all()


def test_strata_and_counts_add_up() -> None:
    found = alnus.audit(TRAIN, TEST, relation=RELATION)
    strata = found.strata
    assert len(strata) == 4 and strata["records"].sum() == 18 and strata["evalue_above"].tolist()[-1] == 0
    for row in strata:
        within = (found.nearest["evalue"] <= row["evalue_to"]) & (found.nearest["evalue"] > row["evalue_above"])
        none = np.isnan(found.nearest["evalue"]) if row["evalue_to"] == np.inf else np.zeros(18, bool)
        assert row["records"] == (within | none).sum()
    assert found.counts["pairs"].sum() == len(found.leaks)
    for row in found.counts:
        assert row["pairs"] == (found.leaks["relation"] == row["relation"]).sum()
    assert sum(found.sets[1]["identities"]) == np.isfinite(found.nearest["evalue"]).sum()


def test_pieces_are_found() -> None:
    found = alnus.audit({"long": FAMILIES[0]}, {"piece": FAMILIES[0][5:40]}, {"all": FAMILIES[0]}, relation="whole:90")
    assert [(row["id"], row["other_id"]) for row in found.contained] == [("piece", "long"), ("piece", "all")]
    assert [(row["id"], row["set"], row["other_id"], row["other_set"]) for row in found.equal] == [
        ("all", "set 3", "long", "set 1")
    ]


def test_the_tables_are_those_of_the_program(tmp_path: pathlib.Path, program: Program) -> None:
    files = []
    for name, records in (("train.fasta", TRAIN), ("test.fasta", TEST)):
        files.append(tmp_path / name)
        files[-1].write_text("".join(f">{one}\n{letters}\n" for one, letters in records.items()))
    found = alnus.audit(*files, relation=RELATION)
    command = [program.path, "audit", *map(str, files), "--relation", RELATION, "--json", "--quiet"]
    tables = {"--pairs": tmp_path / "pairs.tsv", "--nearest": tmp_path / "nearest.tsv"}
    words = [str(word) for pair in tables.items() for word in pair]
    done = subprocess.run([*command, *words], capture_output=True, text=True)
    assert done.returncode == 10
    said: dict[str, Any] = json.loads(done.stdout)
    for one, other in zip(said["sets"], found.sets, strict=True):
        assert {name: other[name] for name in ("name", "records", "residues")} == {
            name: one[name] for name in ("name", "records", "residues")
        }
    assert said["sets"][1]["leaking"] == found.sets[1]["leaking"]
    assert said["sets"][1]["nearest_by_evalue"] == found.strata["records"].tolist()
    pairs = [line.split("\t") for line in tables["--pairs"].read_text().splitlines()]
    assert pairs[0] == found.leaks.names[:6]
    for line, row in zip(pairs[1:], found.leaks, strict=True):
        assert line[:5] == [row[name] for name in pairs[0][:5]] and float(line[5]) == pytest.approx(
            row["value"], abs=1e-3
        )
    nearest = [line.split("\t") for line in tables["--nearest"].read_text().splitlines()]
    assert set(nearest[0]) <= set(found.nearest.names)
    for line, row in zip(nearest[1:], found.nearest, strict=True):
        said_row = dict(zip(nearest[0], line, strict=True))
        assert said_row["nearest_id"] == (row["nearest_id"] or "NA") and said_row["cigar"] == (row["cigar"] or "NA")
        if row["nearest_id"]:
            assert float(said_row["identity"]) == pytest.approx(100 * row["identity"], abs=1e-3)
            assert int(said_row["begin"]) == row["begin"] + 1


def test_subsets_of_one_set(tmp_path: pathlib.Path) -> None:
    made = alnus.split(FAMILIES, fractions=[7, 3], names=["train", "test"], relation=RELATION, csv=tmp_path / "s.csv")
    subsets: list[str | None] = [made.names[one] for one in made.subset_of]
    assert alnus.audit(FAMILIES, splits=subsets, relation=RELATION)
    assert alnus.audit(FAMILIES, splits=tmp_path / "s.csv", relation=RELATION).sets[0]["name"] == "train"
    moved = int(made.indices("test")[0])
    subsets[moved] = "train"
    subsets[int(made.indices("train")[0])] = None  # left out
    found = alnus.audit(FAMILIES, splits=subsets, relation=RELATION)
    assert not found and [one["records"] for one in found.sets] == [28, 11]
    relatives = {i for i in range(40) if i // 4 == moved // 4 and i != moved}
    assert set(found.leaks["record"].tolist()) == relatives and set(found.leaks["earlier_record"].tolist()) == {moved}
    assert set(found.leaks["set"]) == {"test"} and found.leaks["id"].tolist() == [str(i) for i in sorted(relatives)]


def test_clusters_keep_their_promise_or_not(tmp_path: pathlib.Path) -> None:
    made = alnus.cluster(FAMILIES, relation=RELATION, tsv=tmp_path / "c.tsv")
    for clusters in (made, made.labels, tmp_path / "c.tsv", [f"c{one}" for one in made.labels]):
        found = alnus.audit(FAMILIES, clusters=clusters, relation=RELATION)
        assert found and found.holds and found.clusters == 10 and len(found.across) == 0 and found.records == 40
    chosen = alnus.cluster(FAMILIES, relation=RELATION, promise="representatives")
    assert alnus.audit(FAMILIES, clusters=chosen, promise="representatives", relation=RELATION)
    labels: list[int | None] = made.labels.tolist()
    labels[0], labels[39] = 99, None
    broken = alnus.audit(FAMILIES, clusters=labels, relation=RELATION)
    assert not broken and broken.left_out == 1 and broken.clusters == 11 and broken.records_across == 4
    assert [(row["id"], row["other_id"], row["cluster"]) for row in broken.across] == [
        ("0", str(k), "99") for k in (1, 2, 3)
    ]
    assert repr(broken) == "<ClusterAudit: 3 similar pairs of different clusters; the promise does not hold>"


def test_tables_become_frames_and_parquet(tmp_path: pathlib.Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    found = alnus.audit(TRAIN, TEST, evalue=1e-3, relation=RELATION)
    labels = ["a" if k % 2 else None for k in range(40)]
    made = alnus.split(FAMILIES, 5, relation=RELATION, labels=labels)
    clusters = alnus.cluster(FAMILIES, relation=RELATION, promise="representatives", identities=True)
    tables = [found.leaks, found.nearest, found.equal, found.contained, found.counts, found.strata, made, clusters]
    for number, table in enumerate(tables):
        columns = table.to_dict()  # type: ignore[attr-defined]
        texts = [name for name, one in columns.items() if one.dtype == object]
        file = tmp_path / f"{number}.parquet"
        parquet.write_table(table.to_arrow(), file)  # type: ignore[attr-defined]
        pandas_of_file, polars_of_file = pandas.read_parquet(file), polars.read_parquet(file)
        assert pandas_of_file.columns.tolist() == polars_of_file.columns == list(columns)
        for name, column in columns.items():
            said = [polars_of_file[name].to_list(), table.to_polars()[name].to_list()]  # type: ignore[attr-defined]
            assert said[0] == said[1] or name not in texts, name
            for listed in said:
                assert all(a == b or (a != a and b != b) for a, b in zip(listed, column.tolist(), strict=True)), name
            frame = table.to_pandas()[name]  # type: ignore[attr-defined]
            assert frame.isna().tolist() == [one is None or one != one for one in column.tolist()], name
        assert pyarrow.table(table).num_rows == len(polars_of_file)
    assert made.to_dict()["label"].tolist() == labels and set(made.to_dict()["subset"]) == {"1", "2", "3", "4", "5"}
    assert clusters.to_dict()["identity"].min() >= 60


def test_tables_without_rows_have_the_types_of_others() -> None:
    for package in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(package)
    some = alnus.audit(TRAIN, TEST, relation=RELATION)
    none = alnus.audit(FAMILIES[:4], families(1, 3, seed=9), evalue=0, relation=RELATION)
    for name in ("leaks", "equal", "counts", "nearest"):
        one, other = getattr(some, name), getattr(none, name)
        assert one.to_pandas().dtypes.to_dict() == other.to_pandas().dtypes.to_dict()
        assert one.to_polars().schema == other.to_polars().schema and one.to_arrow().schema == other.to_arrow().schema


def test_results_are_pickled() -> None:
    found = alnus.audit(TRAIN, TEST, relation=RELATION)
    again = pickle.loads(pickle.dumps(found))
    assert again.leaks["id"].tolist() == found.leaks["id"].tolist() and again.sets == found.sets
    made = alnus.split(FAMILIES, 5, relation=RELATION)
    assert pickle.loads(pickle.dumps(made)).to_dict()["id"].tolist() == made.to_dict()["id"].tolist()


def test_a_database_file_is_numbered_as_its_fasta(tmp_path: pathlib.Path) -> None:
    sequences = {f"s{k}": FAMILIES[4 * (k // 2) + k % 2][: 60 - k] for k in range(12)}
    fasta, file = tmp_path / "s.fasta", tmp_path / "s.alnus"
    fasta.write_text("".join(f">{one}\n{letters}\n" for one, letters in reversed(sequences.items())))
    alnus.make_database(fasta, file)
    for given in (fasta, file):
        found = alnus.audit(sequences, given, relation="whole:60")
        assert found.nearest["id"].tolist() == found.nearest["nearest_id"].tolist() == list(sequences)[::-1]
        assert alnus.split(given, 3, relation="whole:60").to_dict()["id"].tolist() == list(sequences)[::-1]
        assert alnus.cluster(given, relation="whole:60").to_dict()["id"].tolist() == list(sequences)[::-1]


@pytest.mark.parametrize(
    ("sets", "arguments", "message"),
    [
        ([FAMILIES], {}, "needs splits or clusters"),
        ([FAMILIES, FAMILIES], {"splits": ["a"] * 40}, "one set, and 2 are given"),
        ([FAMILIES], {"splits": ["a"] * 40}, "has 1 subset"),
        ([FAMILIES], {"splits": ["a"]}, "1 values for 40"),
        ([FAMILIES], {"splits": ["a"] * 40, "clusters": ["a"] * 40}, "either splits or clusters"),
        ([FAMILIES, FAMILIES], {"promise": "components"}, "needs clusters"),
        ([FAMILIES], {"clusters": ["a"] * 40, "promise": "representatives"}, "representative"),
        ([FAMILIES, FAMILIES], {"relation": "whole:0.3"}, "write whole:30"),
        ([FAMILIES, FAMILIES], {"evalue": -1}, "evalue"),
        ([FAMILIES, FAMILIES], {"matrix": "PAM30"}, "matrix is for the relations"),
    ],
)
def test_mistakes_are_named(sets: list[Any], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(alnus.InputError, match=message):
        alnus.audit(*sets, **arguments)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(KeyError, match="There is no column 'idd'; there are id, set"):
        alnus.audit(TRAIN, TEST, relation=RELATION).leaks["idd"]
