"""Elements that are probably no sequences are warned of or refused, by number and id, whatever they came in."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import alnus

LETTERS = ["CASSL", "CASSV", "CASSF"]


@pytest.mark.parametrize("letters", ["12", "7", " 7\n", "#", "1-2", b"12"])
def test_texts_without_letters_are_refused(letters: Any) -> None:
    for call in (
        lambda: alnus.Database(["MKV", letters]),
        lambda: alnus.search(["MKV"], ["MKV", letters]),
        lambda: alnus.Database.from_buffer(np.frombuffer(b"MKV12", dtype=np.uint8), [0, 3, 5]),
    ):
        with pytest.raises(alnus.InputError, match=r"\[1\] has no letter.*ids and sequences"):
            call()
    with pytest.raises(alnus.InputError, match=r"sequences\[0\] \('MKVL'\) has no letter"):
        alnus.Database({"MKVL": "12", "MKV": "3"})
    with pytest.raises(alnus.InputError, match=r"b\[0\].*has no letter"):
        alnus.align("MKV", letters)


def test_rows_of_gaps_and_stops_are_sequences() -> None:
    assert list(alnus.Database(["", "*", "M1"])) == ["", "*", "M"]
    assert list(alnus.Database(["MKV", " ", "\n", b" \r\n\t"])) == ["MKV", "", "", ""]
    with pytest.warns(alnus.AlnusWarning, match=r"1 record without a sequence|record 2.* without a sequence"):
        alnus.pdist(["MKV", " ", "MKW"])
    assert alnus.align("MKV", "\n").score == alnus.align("MKV", "").score == 0
    with pytest.warns(alnus.AlnusWarning, match="gap letters"):
        assert list(alnus.Database(["--", "- -", "M-"])) == ["", "", "M"]


def test_iterators_that_have_nothing_left_are_refused() -> None:
    makers: list[Callable[[], Any]] = [
        lambda: (one for one in LETTERS),
        lambda: map(str, LETTERS),
        lambda: zip("abc", LETTERS, strict=True),
    ]
    for make in makers:
        used = make()
        assert len(alnus.Database(itertools.islice(used, 3))) == 3
        with pytest.raises(alnus.InputError, match=r"queries is a \w+ that gives no sequences.*once; give a list"):
            alnus.search(used, ["MKV"])
    assert len(alnus.Database([])) == 0


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_of_python_are_refused(kind: Any) -> None:
    for call in (
        lambda: alnus.Database(kind(["MKV", "MKW"])),
        lambda: alnus.pdist(kind([("a", "MKV"), ("b", "MKW")])),
        lambda: alnus.Database(["MKV", "MKW"], ids=kind(["a", "b"])),
    ):
        with pytest.raises(alnus.InputError, match=rf"is a {kind.__name__}, which has no order.*sorted"):
            call()
    assert alnus.Database(dict.fromkeys(["MKW", "MKV"]).keys())[0] == "MKW"


def test_errors_name_the_number_and_the_label() -> None:
    pandas = pytest.importorskip("pandas")
    for bad, says in (
        ("MK\x01", "has the byte 0x01"),
        ("MK\u00a0V", "has a no-break space"),
        ("'MKV'", "has a quo"),
        (None, "is missing"),
        ("nan", "is the text"),
        (7, "is int"),
    ):
        column = pandas.Series(["MKV", bad, "MKW"], index=[11, 17, 30], dtype=object)
        with pytest.raises(alnus.InputError, match=rf"^queries\[1\] \('17'\) {says}"):
            alnus.search(column, ["MKV"])
        with pytest.raises(alnus.InputError, match=rf"^queries\[1\] {says}"):
            alnus.search(column.reset_index(drop=True), ["MKV"])
    with pytest.raises(alnus.InputError, match=r"^sequences\[0\] \('a'\) is missing"):
        alnus.Database({"a": None})


def test_ids_come_from_arrow_too() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    for ids in pyarrow.array(["a", "b"]), pyarrow.chunked_array([["a"], ["b"]]):
        assert alnus.Database(["MKV", "MKW"], ids=ids, titles=ids).headers == ["a a", "b b"]
    with pytest.raises(alnus.InputError, match=r"ids\[1\] is missing \(None\)"):
        alnus.Database(["MKV", "MKW"], ids=pyarrow.array(["a", None]))


def test_tables_are_refused_without_a_warning() -> None:
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    columns = {"s": ["MKV", "MKW"]}
    for table in (
        pandas.DataFrame(columns),
        polars.DataFrame(columns),
        polars.LazyFrame(columns),
        pyarrow.table(columns),
        pyarrow.record_batch(columns),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(alnus.InputError, match=r"^sequences is a table; choose its column"):
                alnus.Database(table)
            with pytest.raises(alnus.InputError, match=r"^ids is a table; choose one of its columns"):
                alnus.Database(["MKV", "MKW"], ids=table)
