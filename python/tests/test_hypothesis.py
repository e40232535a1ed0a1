"""Any arguments: calls return or raise a documented exception, and what is written can be read again."""

from __future__ import annotations

import math
import os
import pathlib
import pickle
import tempfile
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inputs import AMINO_ACIDS
from support import rescored

import alnus

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
DOCUMENTED = (alnus.Error, TypeError, IndexError)
SESSION = alnus.Session(devices="cpu", threads=1, memory="64M")

proteins = st.text(AMINO_ACIDS, max_size=40)
dna = st.text("ACGT", max_size=40)
modes = st.sampled_from(["local", "global", "semiglobal"])
gaps = st.tuples(st.integers(0, 20), st.integers(0, 5))
# Ids that a sequence file can hold: without spaces and control characters.
ids = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)


class Odd:
    """An object whose special methods raise, or return values that no argument may have."""

    def __repr__(self) -> str:
        return "Odd()"

    def __len__(self) -> int:
        return 3

    def __getitem__(self, key: object) -> object:
        raise IndexError(key)

    def __float__(self) -> float:
        return math.nan

    def __index__(self) -> int:
        return -(2**70)

    def __bool__(self) -> bool:
        return False


simple = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=8),
    st.binary(max_size=8),
    st.sampled_from(
        ["", "protein", "dna", "global", "score", "plus", "both", "none", "6", "\ud800", "\0", "cpu", "16G"]
    ),
    st.builds(Odd),
    st.builds(object),
    st.builds(bytearray, st.binary(max_size=8)),
    st.builds(memoryview, st.binary(max_size=8)),
    st.just(int),
    st.just(print),
    st.decimals(),
    st.fractions(),
    st.sampled_from([np.float32(1.5), np.int8(-3), np.bool_(True), np.datetime64("2020-01-01"), np.str_("MKV")]),
)
arrays = st.builds(
    lambda shape, kind: np.zeros(shape, dtype=kind),
    st.lists(st.integers(0, 3), max_size=3),
    st.sampled_from(["u1", "i8", "f8", "U3", "S3", "O", "?", "c16", "M8[s]", "u8"]),
)
hostile = st.recursive(
    simple | arrays,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.one_of(st.text(max_size=3), st.integers(), st.none()), inner, max_size=3)
        | st.lists(inner, max_size=3).map(iter)
    ),
    max_leaves=5,
)

GOOD = ["MKVLAW", "MKHLAWQ"]
# Each function with arguments that are right. A test replaces one of them by a value of any kind.
CALLS: dict[str, tuple[Any, dict[str, Any]]] = {
    "search": (
        SESSION.search,
        {
            "queries": GOOD,
            "database": GOOD,
            "scoring": None,
            "alphabet": None,
            "max_target_seqs": 5,
            "evalue": 10,
            "min_score": 0,
            "detail": "score",
            "strand": None,
            "identity_ranges": (),
            "score_histogram": False,
            "stats": "none",
            "composition": "none",
            "low_complexity": "none",
            "count_strands": "one",
            "dbsize": 5,
            "searchsp": 5,
            "shuffles": 10,
            "shuffled": "query",
            "seed": 1,
            "matrix": "BLOSUM62",
            "gaps": (11, 1),
            "gap_convention": "ncbi",
            "mode": "local",
            "match": 2,
            "mismatch": -3,
            "free_ends": [],
            "preset": "blastp",
        },
    ),
    "align two": (
        SESSION.align,
        {
            "a": "MKVLAW",
            "b": "MKHLAW",
            "scoring": None,
            "alphabet": None,
            "detail": "alignment",
            "strand": None,
            "identity_ranges": (),
            "significance": False,
            "progress": False,
            "matrix": "BLOSUM62",
            "gaps": (11, 1),
            "mode": "global",
            "free_ends": None,
        },
    ),
    "align": (
        SESSION.align,
        {
            "a": GOOD,
            "b": GOOD,
            "scoring": None,
            "alphabet": None,
            "detail": "alignment",
            "strand": None,
            "identity_ranges": (),
            "significance": True,
            "stats": "none",
            "dbsize": None,
        },
    ),
    "align_pairs": (SESSION.align_pairs, {"a": GOOD, "b": GOOD, "pairs": [[0, 1]], "detail": "ends"}),
    "pdist": (
        SESSION.pdist,
        {"sequences": GOOD, "value": "score", "denominator": "mean", "strand": None, "mode": "local"},
    ),
    "cdist": (
        SESSION.cdist,
        {"a": GOOD, "b": GOOD, "value": "identity", "denominator": "shorter", "alphabet": None},
    ),
    "all_pairs": (
        lambda **words: list(SESSION.all_pairs(**words)),
        {
            "sequences": GOOD,
            "against": None,
            "with_self": True,
            "detail": "score",
            "strand": None,
            "stats": "none",
            "significance": False,
            "min_score": None,
            "min_identity": None,
            "denominator": "alignment",
            "evalue": None,
            "min_coverage": None,
            "coverage_of": "both",
            "min_length": None,
        },
    ),
    "z_values": (
        SESSION.z_values,
        {
            "a": GOOD,
            "b": GOOD,
            "pairs": [[0, 0]],
            "shuffles": 10,
            "shuffled": "query",
            "seed": 5,
            "mode": "global",
        },
    ),
    "identity_range": (SESSION.identity_range, {"a": GOOD, "b": GOOD, "pairs": None, "denominator": "longer"}),
    "Database": (
        alnus.Database,
        {"sequences": GOOD, "ids": ["a", "b"], "alphabet": None, "mask": (), "name": "x"},
    ),
    "from_buffer": (
        alnus.Database.from_buffer,
        {"letters": np.full(6, 77, dtype=np.uint8), "offsets": [0, 3, 6], "ids": None, "alphabet": "protein"},
    ),
    "open": (alnus.Database.open, {"file": "/nowhere/x.fasta", "alphabet": None, "mask": ()}),
    "Scoring": (
        alnus.Scoring,
        {
            "alphabet": "protein",
            "matrix": None,
            "gaps": None,
            "gap_convention": None,
            "mode": None,
            "match": None,
            "mismatch": None,
            "free_ends": None,
            "preset": None,
        },
    ),
    "Matrix": (alnus.Matrix, {"name": "BLOSUM62", "alphabet": "protein"}),
    "from_array": (
        alnus.Matrix.from_array,
        {"values": 2 * np.eye(4) - 1, "letters": "ACGT", "alphabet": "dna", "name": "mine"},
    ),
    "Session": (
        alnus.Session,
        {"devices": "cpu", "threads": 1, "memory": "1M", "device_memory": None, "isa": "auto", "method": "auto"},
    ),
}


NAMES = list(CALLS)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_any_argument_is_taken_or_refused_as_documented(name: str, data: st.DataObject) -> None:
    call, good = CALLS[name]
    argument = data.draw(st.sampled_from(list(good)))
    value = data.draw(hostile)
    if isinstance(value, str) and value == "-":
        return  # "-" would read standard input
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(**{**good, argument: value})
        except DOCUMENTED as error:
            assert str(error)


@given(value=hostile, which=hostile)
def test_any_index_is_taken_or_refused_as_documented(value: Any, which: Any) -> None:
    rows = SESSION.align(GOOD, GOOD)
    database = alnus.Database(GOOD)
    for call in (
        lambda: rows[which],
        lambda: database[which],
        lambda: rows.identity(which),
        lambda: rows[0].identity(which),
        lambda: rows.to_fasta(which),
        lambda: rows == value,
        lambda: alnus.Scoring() == value,
        lambda: alnus.Matrix("PAM30") == value,
    ):
        try:
            call()
        except DOCUMENTED as error:
            assert str(error)


@given(data=st.data())
def test_any_output_is_written_or_refused_as_documented(data: st.DataObject) -> None:
    rows = SESSION.align(GOOD, GOOD)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x")
        good: dict[str, Any] = {"format": "6", "header": False, "command_line": ""}
        argument = data.draw(st.sampled_from(list(good)))
        try:
            rows.write(file, **{**good, argument: data.draw(hostile)})
        except DOCUMENTED as error:
            assert str(error) and not os.path.exists(file)
        pairs: dict[str, Any] = {
            "matrices": None,
            "square": False,
            "edges": None,
            "edge_value": "score",
            "edge_threshold": None,
            "with_self": False,
            "output": file,
            "format": "6",
        }
        argument = data.draw(st.sampled_from([name for name in pairs if name not in ("edges", "output", "matrices")]))
        try:
            SESSION.write_all_pairs(GOOD, **{**pairs, argument: data.draw(hostile)})
        except DOCUMENTED as error:
            assert str(error)


@given(a=proteins, b=proteins, mode=modes, gaps=gaps)
def test_an_alignment_has_its_score(a: str, b: str, mode: Any, gaps: tuple[int, int]) -> None:
    pair = SESSION.align(a, b, mode=mode, gaps=gaps, alphabet="protein")
    one, other = pair.aligned
    assert rescored(one, other, alnus.Scoring(mode=mode, gaps=gaps)) == pair.score
    assert one.replace("-", "") == a[pair.query_begin : pair.query_end]
    assert other.replace("-", "") == b[pair.subject_begin : pair.subject_end]
    assert 0 <= pair.identity() <= 1
    if mode == "local":
        assert pair.score >= 0
    assert pair.score == SESSION.align(b, a, mode=mode, gaps=gaps, alphabet="protein").score
    str(pair), repr(pair), pair._repr_html_()


@given(a=dna, b=dna, mode=modes)
def test_both_strands_have_the_better_score(a: str, b: str, mode: Any) -> None:
    words: dict[str, Any] = {"alphabet": "dna", "mode": mode, "match": 2, "mismatch": -3, "gaps": (5, 2)}
    both, plus, minus = (SESSION.align(a, b, strand=strand, **words) for strand in ("both", "plus", "minus"))
    assert both.score == max(plus.score, minus.score)
    assert rescored(*both.aligned, alnus.Scoring(**words)) == both.score


@given(sequences=st.lists(proteins, max_size=12), mode=modes)
def test_all_ways_to_a_score_agree(sequences: list[str], mode: Any) -> None:
    values = SESSION.pdist(sequences, value="score", mode=mode, alphabet="protein")
    square = SESSION.cdist(sequences, sequences, value="score", mode=mode, alphabet="protein")
    count = len(sequences)
    assert square.shape == (count, count)
    assert values.tolist() == square[np.triu_indices(count, 1)].tolist()
    for i in range(count):
        assert square[i, i] == SESSION.align(sequences[i], sequences[i], mode=mode, alphabet="protein").score


@given(records=st.dictionaries(ids, proteins, min_size=1, max_size=8))
def test_what_is_written_comes_back(records: dict[str, str]) -> None:
    database = alnus.Database(records, alphabet="protein")
    assert list(database) == list(records.values()) and database.ids == list(records)
    other = pickle.loads(pickle.dumps(database))
    assert list(other) == list(database) and other.ids == database.ids and other.digest() == database.digest()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("x.fasta", "x.alnus", "x.fa.gz"):
            file = pathlib.Path(folder) / name
            database.write(file, session=SESSION)
            opened = alnus.Database.open(file, alphabet="protein" if name != "x.alnus" else None).in_file_order()
            assert list(opened) == list(database) and opened.ids == database.ids
            again = pickle.loads(pickle.dumps(opened))
            assert list(again) == list(opened) and again.ids == opened.ids


@given(records=st.dictionaries(ids, proteins, min_size=1, max_size=6), mode=modes)
def test_rows_come_back(records: dict[str, str], mode: Any) -> None:
    database = alnus.Database(records, alphabet="protein")
    rows = SESSION.search(database, database, mode=mode, stats="none")
    other = pickle.loads(pickle.dumps(rows))
    assert repr(other) == repr(rows) and other.cigars == rows.cigars
    assert other.query_id.tolist() == rows.query_id.tolist() and other.aligned == rows.aligned
    for pair in rows[:3]:
        assert str(pickle.loads(pickle.dumps(pair))) == str(pair)


@given(
    mode=modes,
    gaps=st.tuples(st.integers(0, 400).map(lambda n: n / 4), st.integers(0, 40).map(lambda n: n / 4)),
    matrix=st.sampled_from(alnus.Matrix.names()),
)
def test_scorings_come_back(mode: Any, gaps: tuple[float, float], matrix: str) -> None:
    alphabet: Any = alnus.Matrix(matrix).alphabet
    scoring = alnus.Scoring(mode=mode, gaps=gaps, matrix=matrix, alphabet=alphabet)
    other = pickle.loads(pickle.dumps(scoring))
    assert other == scoring and other.gaps == gaps and repr(other) == repr(scoring)


@given(letters=st.binary(max_size=30), cuts=st.lists(st.integers(-3, 40), max_size=6))
def test_any_buffer_is_read_or_refused(letters: bytes, cuts: list[int]) -> None:
    array = np.frombuffer(letters, dtype=np.uint8)
    try:
        database = alnus.Database.from_buffer(array, np.array(cuts, dtype=np.int64), alphabet="protein")
    except alnus.InputError as error:
        assert str(error)
    else:
        assert len(database) == len(cuts) - 1 and cuts == sorted(cuts) and 0 <= cuts[0] <= cuts[-1] <= len(letters)
        SESSION.pdist(database, value="score")
