"""Ids that are given in Python are kept as they are, and formats that cannot hold them refuse them."""

from __future__ import annotations

import datetime
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from inputs import write_fasta

import alnus

LETTERS = ["MKVLAW", "MKHLAWQ", "MKVLAWRR", "WWQRYT"]
BLANKS = ["sample 1", "sample 2", " leading", "two  blanks "]

Chosen = Callable[[Any], Any]


def frame() -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"seq": LETTERS, "name": list("abcd")})


INDEXES: dict[str, tuple[Chosen, list[str]]] = {
    "list": (lambda frame: frame.seq.loc[[1, 2, 3]], ["1", "2", "3"]),
    "slice": (lambda frame: frame.seq[1:], ["1", "2", "3"]),
    "end": (lambda frame: frame.seq[:2], ["0", "1"]),
    "step": (lambda frame: frame.seq[::2], ["0", "2"]),
    "reversed": (lambda frame: frame.seq[::-1], ["3", "2", "1", "0"]),
    "mask": (lambda frame: frame.seq[frame.seq.str.len() > 6], ["1", "2"]),
    "head of a mask": (lambda frame: frame[frame.seq.str.len() == 6].seq, ["0", "3"]),
    "iloc": (lambda frame: frame.seq.iloc[[2, 0]], ["2", "0"]),
    "sample": (lambda frame: frame.seq.sample(4, random_state=1).sort_values(), ["1", "0", "2", "3"]),
    "strings": (lambda frame: frame.set_index("name").seq.astype("string"), ["a", "b", "c", "d"]),
    "labels of dtype string": (lambda frame: frame.set_index(frame.name.astype("string")).seq[1:], ["b", "c", "d"]),
    "whole": (lambda frame: frame.seq, ["0", "1", "2", "3"]),
    "whole numbers": (lambda frame: frame.seq.set_axis([0, 1, 2, 3]), ["0", "1", "2", "3"]),
    "floats": (lambda frame: frame.seq.set_axis([0.5, 1.0, 1.5, 2.0]), ["0.5", "1.0", "1.5", "2.0"]),
    "levels": (
        lambda frame: frame.set_index([["x y", "x y", "z", "z"], [1, 2, 1, 2]]).seq,
        ["('x y', 1)", "('x y', 2)", "('z', 1)", "('z', 2)"],
    ),
    "dates": (
        lambda frame: frame.seq.set_axis([datetime.date(2026, 1, day) for day in (1, 2, 3, 4)])[2:],
        ["2026-01-03", "2026-01-04"],
    ),
    "categories": (lambda frame: frame.set_index(frame.name.astype("category")).seq[2:], ["c", "d"]),
}


@pytest.mark.parametrize("kind", INDEXES)
def test_labels_of_an_index_are_ids(kind: str) -> None:
    choose, ids = INDEXES[kind]
    series = choose(frame())
    database = alnus.Database(series)
    assert database.ids == ids and list(database) == series.to_list()
    assert alnus.search(series, LETTERS, stats="none").queries.ids == ids
    assert alnus.search(LETTERS, series, stats="none").subjects.ids == ids
    assert alnus.align(series, series).query_id.tolist() == ids


def test_every_call_keeps_labels(tmp_path: pathlib.Path) -> None:
    series = frame().seq.loc[[1, 2, 3]]
    rows = [
        alnus.align_pairs(series, series, [[0, 1], [1, 2]]),
        *alnus.all_pairs(series, mode="global", significance=False),
        *alnus.all_pairs(series, LETTERS[:1], mode="global", significance=False),
    ]
    for some in rows:
        assert set(some.query_id) <= {"1", "2", "3"}
    alnus.write_all_pairs(
        series,
        mode="global",
        stats="none",
        output=tmp_path / "rows.tsv",
        matrices={"score": tmp_path / "m.npy"},
        phylip=tmp_path / "m.phy",
        edges=tmp_path / "edges.tsv",
        edge_threshold=0,
    )
    assert (tmp_path / "m.npy.ids").read_text() == "1\n2\n3\n"
    assert [line.split()[0] for line in (tmp_path / "m.phy").read_text().splitlines()[1:]] == ["1", "2", "3"]
    for name in ("rows.tsv", "edges.tsv"):
        pairs = [tuple(line.split("\t")[:2]) for line in (tmp_path / name).read_text().splitlines()]
        assert sorted(pairs) == [("1", "2"), ("1", "3"), ("2", "3")]


@pytest.mark.parametrize("missing", [None, float("nan"), "NA", "NaT"])
def test_a_missing_label_is_no_id(missing: Any) -> None:
    pandas = pytest.importorskip("pandas")
    if isinstance(missing, str):
        missing = getattr(pandas, missing)
    series = pandas.Series(LETTERS[:2], index=pandas.Index(["a", missing], dtype=object))
    for value in (series, {"a": LETTERS[0], missing: LETTERS[1]}):
        with pytest.raises(alnus.InputError, match="no id for sequence 1"):
            alnus.Database(value)


@pytest.mark.parametrize("argument", ["ids", "titles"])
def test_a_series_of_another_index_does_not_name_sequences(argument: str) -> None:
    whole = frame()
    chosen = [whole.iloc[[2, 0, 1, 3]], whole.sort_values("seq"), whole.set_axis([3, 2, 1, 0])]
    for other in chosen:
        for sequences, labels in ((other.seq, whole.name), (whole.seq, other.name)):
            with pytest.raises(alnus.InputError, match=rf"^{argument} has an index of its own.*\.to_numpy\(\)"):
                alnus.Database(sequences, **{argument: labels})
        names = other.name.to_list()
        right: list[tuple[Any, Any]] = [(other.seq, other.name), (other.seq, names), (other.seq.to_list(), whole.name)]
        right += [(other.seq, other.name.to_numpy()), (other.seq, other.set_index("name").index)]
        right += [(other.seq, other.name.loc[other.seq.index].astype("category"))]
        for sequences, labels in right:
            database = alnus.Database(sequences, **{argument: labels})
            assert getattr(database, argument) == list(labels) and list(database) == list(sequences)
    with pytest.raises(alnus.InputError, match=f"There are 4 sequences and 2 {argument}"):
        alnus.Database(whole.seq, **{argument: whole.name[:2]})


@pytest.mark.parametrize("argument", ["ids", "titles"])
def test_ids_and_titles_that_are_no_str_are_named(argument: str) -> None:
    pandas = pytest.importorskip("pandas")
    for missing in (None, float("nan"), pandas.NA, np.nan):
        with pytest.raises(alnus.InputError, match=rf"^{argument}\[2\] is missing \("):
            alnus.Database(LETTERS, **{argument: ["a", 1, missing, "d"]})
    numbers = pandas.Series([10, 11, 12, 13])
    for wrong in (numbers, numbers.to_numpy(), numbers.to_list()):
        with pytest.raises(alnus.InputError, match=rf"^{argument}\[0\] is int.*, not str\..*\.astype\(str\)"):
            alnus.Database(LETTERS, **{argument: wrong})
    for right in (numbers.astype(str), numbers.to_numpy().astype(str)):
        assert getattr(alnus.Database(LETTERS, **{argument: right}), argument) == ["10", "11", "12", "13"]


def given(kind: str) -> Any:
    pairs = list(zip(BLANKS, LETTERS, strict=True))
    if kind == "dict":
        return dict(pairs)
    if kind == "tuples":
        return pairs
    return pytest.importorskip("pandas").Series(LETTERS, index=BLANKS)


@pytest.mark.parametrize("kind", ["dict", "tuples", "index"])
def test_ids_have_blanks_as_they_were_given(kind: str) -> None:
    for database in (alnus.Database(given(kind)), alnus.Database(LETTERS, ids=BLANKS)):
        assert database.ids == database.headers == BLANKS and database.titles == [""] * 4
        assert database[1:3].ids == BLANKS[1:3] and database[[2, 0]].ids == [BLANKS[2], BLANKS[0]]
        assert database.in_file_order().ids == BLANKS
        again = pickle.loads(pickle.dumps(database))
        assert again.ids == BLANKS and again.digest() == database.digest()
        assert pickle.loads(pickle.dumps(database[1:])).ids == BLANKS[1:]
    hits = alnus.search(given(kind), given(kind), stats="none")
    assert set(hits.query_id) == set(hits.subject_id) == set(BLANKS)
    assert pickle.loads(pickle.dumps(hits)).query_id.tolist() == hits.query_id.tolist()
    assert pickle.loads(pickle.dumps(hits[0])).query_id == BLANKS[0]
    buffer = alnus.Database(LETTERS).to_buffer()
    assert alnus.Database.from_buffer(*buffer, ids=BLANKS).ids == BLANKS
    assert alnus.Database(LETTERS, ids=BLANKS, mask=["seg"]).ids == BLANKS


def test_titles_follow_ids() -> None:
    database = alnus.Database(LETTERS[:3], ids=["a b", "c", ""], titles=["the first", "", "the last"])
    assert database.ids == ["a b", "c", ""] and database.titles == ["the first", "", "the last"]
    assert database.headers == ["a b the first", "c", " the last"]
    again = alnus.Database.from_buffer(*database.to_buffer(), ids=database.ids, titles=database.titles)
    assert (again.ids, again.titles, again.headers) == (database.ids, database.titles, database.headers)
    assert alnus.Database(LETTERS[:1], titles=["of no id"]).headers == ["0 of no id"]
    for wrong in (["x"], "x", ["a\nb", "", ""], [None] * 3, 5):
        with pytest.raises(alnus.InputError, match="titles"):
            alnus.Database(LETTERS[:3], titles=wrong)  # type: ignore[arg-type]


def test_digests_tell_ids_from_titles() -> None:
    whole = alnus.Database(LETTERS[:1], ids=["a b"])
    divided = alnus.Database(LETTERS[:1], ids=["a"], titles=["b"])
    assert whole.headers == divided.headers and whole.ids != divided.ids and whole.digest() != divided.digest()


def test_damaged_ids_of_pickles_are_errors() -> None:
    function, state = alnus.Database(LETTERS[:2], ids=["a b", "c"]).__reduce__()
    assert isinstance(state, tuple) and state[-1].tolist()[0] == 3
    assert function(*state).ids == ["a b", "c"]
    for wrong in (np.array([4, 1]), np.array([3]), np.array([3, 2**32 - 2])):
        with pytest.raises(alnus.InputError):
            function(*state[:-1], wrong.astype(np.uint32))


@pytest.mark.parametrize("format", ["0", "5", "sam", "srspair"])
def test_formats_that_end_an_id_at_a_blank_refuse_it(tmp_path: pathlib.Path, format: str) -> None:
    plain = {"plain": LETTERS[0]}
    for queries, subjects in ((dict(zip(BLANKS, LETTERS, strict=True)), plain), (plain, {"sample 1": LETTERS[0]})):
        hits = alnus.search(queries, subjects, stats="none")
        with pytest.raises(alnus.InputError, match=r"'sample 1'.* has a blank.*6, 10"):
            hits.write(tmp_path / "x", format)
        assert not (tmp_path / "x").exists()
        with pytest.raises(alnus.InputError, match="'sample 1'"):
            alnus.write_all_pairs(queries, subjects, output=tmp_path / "x", format=format, stats="none")


def test_tables_and_json_lines_hold_blanks(tmp_path: pathlib.Path) -> None:
    queries = dict(zip(BLANKS, LETTERS, strict=True))
    hits = alnus.search(queries, queries, stats="none")
    for format, separator in (("6", "\t"), ("10", ",")):
        hits.write(tmp_path / "x", format + " qaccver saccver score")
        lines = [line.split(separator) for line in (tmp_path / "x").read_text().splitlines()]
        assert [line[0] for line in lines] == hits.query_id.tolist()
        assert [line[1] for line in lines] == hits.subject_id.tolist()
    hits.write(tmp_path / "x", "jsonl")
    assert all(f'"qseqid":"{name}"' in (tmp_path / "x").read_text() for name in BLANKS)
    tab = alnus.search({"a\tb": LETTERS[0]}, LETTERS, stats="none")
    with pytest.raises(alnus.InputError, match="has a tab"):
        tab.write(tmp_path / "y")
    tab.write(tmp_path / "y", "10")


def test_files_of_all_pairs_hold_blanks_or_refuse_them(tmp_path: pathlib.Path) -> None:
    sequences = dict(zip(BLANKS, LETTERS, strict=True))
    matrix = tmp_path / "m.npy"
    files: dict[str, Any] = {"matrices": {"score": matrix}, "edges": tmp_path / "e.tsv"}
    alnus.write_all_pairs(sequences, mode="global", edge_threshold=0, **files)
    assert (tmp_path / "m.npy.ids").read_text() == "".join(name + "\n" for name in BLANKS)
    ids = [line.split("\t")[:2] for line in (tmp_path / "e.tsv").read_text().splitlines()]
    assert ids == [[BLANKS[i], BLANKS[j]] for j in range(4) for i in range(j)]
    with pytest.warns(alnus.AlnusWarning, match="sample_1 for 'sample 1'"):
        alnus.write_all_pairs(sequences, mode="global", phylip=tmp_path / "m.phy")
    with pytest.raises(alnus.InputError, match="sample_1"):
        alnus.write_all_pairs({"sample 1": "MKV", "sample_1": "MKW"}, mode="global", phylip=tmp_path / "n.phy")
    tabs = {"a\tb": "MKVLAW", "c": "MKVLAW"}
    with pytest.raises(alnus.InputError, match=r"has a tab.*\.csv"):
        alnus.write_all_pairs(tabs, mode="global", edges=tmp_path / "t.tsv", edge_threshold=0)
    alnus.write_all_pairs(tabs, mode="global", edges=tmp_path / "t.csv", edge_threshold=0)
    with pytest.raises(alnus.InputError, match=r"tab.*name the file \.csv"):
        alnus.write_all_pairs(tabs, mode="global", matrices={"score": tmp_path / "m.tsv"})
    alnus.write_all_pairs(tabs, mode="global", matrices={"score": tmp_path / "m.csv"})
    assert (tmp_path / "t.csv").read_text().startswith("a\tb,c,")


@pytest.mark.parametrize("name", ["x.fasta", "x.alnus", "x.fasta.gz"])
def test_fasta_and_database_files_refuse_blanks(tmp_path: pathlib.Path, name: str) -> None:
    database = alnus.Database(dict(zip(BLANKS, LETTERS, strict=True)))
    with pytest.raises(alnus.InputError, match=rf"'sample 1'.*blank.*{name}"):
        database.write(tmp_path / name)
    assert not list(tmp_path.iterdir())
    titled = alnus.Database(LETTERS, ids=list("abcd"), titles=BLANKS)
    titled.write(tmp_path / name)
    read = alnus.Database.open(tmp_path / name).in_file_order()
    assert read.ids == list("abcd") and read.titles == ["sample 1", "sample 2", "leading", "two  blanks"]


def test_fasta_of_rows_refuses_blanks() -> None:
    rows = alnus.align({"sample 1": LETTERS[0]}, {"s": LETTERS[0]})
    assert rows.to_fasta("subjects") == ">s\nMKVLAW\n" and rows.to_fasta("regions") == ">s/1-6\nMKVLAW\n"
    with pytest.raises(alnus.InputError, match="'sample 1'"):
        rows.to_fasta("alignments")


def test_a_record_of_biopython_has_its_own_id() -> None:
    pytest.importorskip("Bio")
    from Bio.Seq import Seq
    from Bio.SeqRecord import SeqRecord

    def record(letters: str, **words: str) -> SeqRecord:
        return SeqRecord(Seq(letters), **words)

    made = [record("MKV", id="sample 1", description="sample 1 the first"), record("MKW", id="b", description="of b")]
    database = alnus.Database(made)
    assert database.ids == ["sample 1", "b"] and database.titles == ["the first", ""]
    assert alnus.Database([record("MKV"), record("MKW")]).ids == ["0", "1"]  # "<unknown id>" is none
    assert alnus.Database([record("MKV"), record("MKW", id="b")]).ids == ["0", "b"]


def test_ids_of_files_still_end_at_the_first_blank(tmp_path: pathlib.Path) -> None:
    file = write_fasta(tmp_path / "x.fasta", {"a the first": "MKVLAW", "b\tthe second": "MKHLAW"})
    database = alnus.Database.open(file)
    assert database.ids == ["a", "b"] and database.titles == ["the first", "the second"]
    assert database._core.id_bytes() is None and alnus.Database(LETTERS, ids=list("abcd"))._core.id_bytes() is None
    database[[1, 0]].write(tmp_path / "y.fasta")
    assert alnus.Database.open(tmp_path / "y.fasta").headers == database.headers[::-1]
