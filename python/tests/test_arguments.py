"""The limits of arguments: the last value that is taken and the first that is refused, on both sides."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import alnus
from alnus._arguments import (
    chosen_numbers,
    flag,
    index_pairs,
    memory_size,
    number,
    path,
    shown,
    whole,
    word,
    words,
)
from alnus._fasta import begins_fasta
from alnus._options import nearest
from alnus._pair import runs
from alnus._scoring import decimal
from alnus._values import ValuesWanted, checked_format


def refused(function: Any, *arguments: Any) -> bool:
    try:
        function(*arguments)
    except alnus.InputError:
        return True
    return False


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ("0.5k", 512),
        ("1K", 1 << 10),
        (" 3 M ", 3 << 20),
        ("4GB", 4 << 30),
        ("1.5t", 3 << 39),
        (1 << 20, 1 << 20),
        ("1048576", 1 << 20),
        ((1 << 20) - 1, None),
        ("1048575", None),
        (1, None),
        (0, None),
        (-1, None),
        ("-1G", None),
        ("0.0009K", None),
        ("0.001K", 1),
        ("8388607T", 8388607 << 40),
        ("8388608T", None),
        ("inf", None),
        ("nan", None),
        ("G", None),
        ("", None),
        ("4X", None),
        (None, None),
    ],
)
def test_sizes_of_memory(given: Any, size: int | None) -> None:
    if size is None:
        assert refused(memory_size, "memory", given)
    else:
        assert memory_size("memory", given) == size


def test_whole_numbers_have_limits() -> None:
    for value in (3, 4, 7, np.int8(3), np.uint64(7)):
        assert whole("n", value, 3, 7) == int(value)
        assert type(whole("n", value, 3, 7)) is int
    for wrong in (2, 8, -3, True, np.True_, 5.0, "5", None, 2**70):
        assert refused(whole, "n", wrong, 3, 7)
    assert [nearest(k) for k in (None, 1, 2**32 - 1)] == [0, 1, 2**32 - 1]
    assert refused(nearest, 0)
    assert refused(nearest, 2**32)


def test_numbers_flags_words_and_paths() -> None:
    assert number("x", None) is None
    for value in (3, -2.5, np.float32(0.5), np.inf, np.True_):
        assert number("x", value) == float(value)
    for wrong in (np.nan, "3", b"3", True, [1], 10**400, 1j):
        assert refused(number, "x", wrong)
    for value in (True, False, 1, 0, np.True_):
        assert flag("f", value) is bool(value)
    for wrong in (None, "yes", 1.0, []):
        assert refused(flag, "f", wrong)
    assert [word("w", None), word("w", ""), word("w", "a")] == [None, "", "a"]
    assert refused(word, "w", b"a")
    assert refused(word, "w", "\ud800")
    assert words("w", "ab") == ["ab"]
    assert words("w", ("a", "b")) == ["a", "b"]
    for wrong in (5, ["a", 1], ["\ud800"]):
        assert refused(words, "w", wrong)
    assert [path("p", "a/b"), path("p", b"a"), path("p", "")] == ["a/b", "a", ""]
    for wrong in (5, None, "a\0b"):
        assert refused(path, "p", wrong)
    assert shown("x" * 78) == repr("x" * 78)
    assert shown("x" * 79) == "a value of type str"


def test_pairs_of_indices_are_below_both_sizes() -> None:
    good = index_pairs([[0, 0], [4, 6], [4, 0]], 5, 7)
    assert good.tolist() == [[0, 0], [4, 6], [4, 0]]
    assert good.dtype == np.uint32 and good.flags.c_contiguous
    assert index_pairs([], 5, 7).shape == index_pairs(np.empty((0, 2)), 5, 7).shape == (0, 2)
    for wrong, place in [([5, 0], "1, 0"), ([0, 7], "1, 1"), ([-1, 0], "1, 0"), ([0, -1], "1, 1")]:
        with pytest.raises(alnus.InputError, match=rf"^pairs\[{place}\] is {max(wrong, key=abs)}; there are [57] seq"):
            index_pairs([[0, 0], wrong], 5, 7)
    for shape in ([[0, 0, 0]], [0, 0], [[0.0, 1.0]], [[[0, 0]]], [[0], [1, 2]], [[True, False]]):
        assert refused(index_pairs, shape, 5, 7)


@pytest.mark.parametrize("size", [0, 1, 2, 7])
def test_numbers_are_chosen_as_numpy_chooses(size: int) -> None:
    draw = random.Random(size)
    every = np.arange(size)
    limits = [None, *range(-size - 2, size + 3)]
    for _ in range(100):
        which: Any = slice(draw.choice(limits), draw.choice(limits), draw.choice([None, 1, 2, -1, -3]))
        assert chosen_numbers("row", which, size).tolist() == every[which].tolist()
        mask = np.array([draw.random() < 0.5 for _ in range(size)], dtype=bool)
        assert chosen_numbers("row", mask, size).tolist() == every[mask].tolist()
        which = [draw.randrange(-size, size) for _ in range(draw.randrange(5))] if size else []
        found = chosen_numbers("row", which, size)
        assert found.dtype == np.int64
        assert found.tolist() == every[np.array(which, dtype=int)].tolist()
    for wrong in (size, -size - 1, 2**62):
        with pytest.raises(IndexError, match=f"^There is no row {wrong} among {size}"):
            chosen_numbers("row", [*range(size), wrong], size)
    with pytest.raises(IndexError, match=f"^There is no row {size} among {size}"):
        chosen_numbers("row", np.array([size], dtype=np.uint64), size)
    for length in (size - 1, size + 1):
        if length > 0:
            assert refused(chosen_numbers, "row", np.ones(length, dtype=bool), size)


def test_runs_of_a_cigar() -> None:
    assert list(runs("12=1X103I")) == [(12, "="), (1, "X"), (103, "I")]
    assert list(runs("0=5D")) == [(5, "D")]
    assert list(runs("")) == []


def test_decimals_are_exact() -> None:
    for value, text in [(1, "1"), (-0.5, "-0.5"), (1e16, "10000000000000000"), (1e-7, "0.0000001"), ("2.5", "2.5")]:
        assert decimal("x", value) == text
    for wrong in (np.inf, np.nan, None, "x", [1]):
        assert refused(decimal, "x", wrong)


@pytest.mark.parametrize(
    ("value", "cutoff", "expected"),
    [
        ("identity", 0, 0),
        ("identity", 0.25, 25),
        ("identity", 1, 100),
        ("identity", 1.001, None),
        ("identity", -0.001, None),
        ("distance", 0, 0),
        ("distance", 0.25, 0.25),
        ("distance", 1, 1),
        ("distance", 1.001, None),
        ("distance", -0.001, None),
        ("score", -7, -7),
        ("score_distance", 0, 0),
        ("score_distance", 2.5, 2.5),
        ("score_distance", -0.5, None),
    ],
)
def test_cutoffs_have_limits(value: Any, cutoff: float, expected: float | None) -> None:
    wanted = ValuesWanted(value, "alignment", cutoff, 0, None, None)
    if expected is None:
        assert refused(lambda: checked_format(wanted, one_set=True))
    else:
        assert checked_format(wanted, one_set=True) == (pytest.approx(expected), "csr")


def test_the_cutoff_in_percent_is_the_lowest_that_passes_the_fraction() -> None:
    for below in range(1, 130):
        for share in (k / below for k in range(below + 1)):
            wanted = ValuesWanted("identity", "alignment", share, 0, None, None)
            percent, _ = checked_format(wanted, one_set=True)
            assert percent is not None
            assert np.nextafter(percent, -1) / 100 < share <= percent / 100


@pytest.mark.parametrize(("cutoff", "advice"), [(1.5, "be from 0 to 1."), (2, "0.02 for 2%"), (100, "1 for 100%")])
def test_cutoffs_in_percent_are_told(cutoff: float, advice: str) -> None:
    for value in ("identity", "distance"):
        with pytest.raises(alnus.InputError, match=advice):
            checked_format(ValuesWanted(value, "alignment", cutoff, 0, None, None), one_set=True)  # type: ignore[arg-type]
    with pytest.raises(alnus.InputError, match="it must be from 0 to 1"):
        checked_format(ValuesWanted("identity", "alignment", 100.5, 0, None, None), one_set=True)


@pytest.mark.parametrize("one_set", [True, False])
def test_formats_of_all_values_and_of_some(one_set: bool) -> None:
    dense, other = ("condensed", "rectangle") if one_set else ("rectangle", "condensed")

    def kind(cutoff: float | None, top_k: int, format: Any) -> str:
        return checked_format(ValuesWanted("score", "alignment", cutoff, top_k, format, None), one_set=one_set)[1]

    assert kind(None, 0, None) == kind(None, 0, dense) == dense
    for cutoff, top_k in [(0.0, 0), (None, 1), (5.0, 2)]:
        assert kind(cutoff, top_k, None) == "csr"
        for format in ("csr", "coo", "pairs"):
            assert kind(cutoff, top_k, format) == format
        for format in (dense, other, "dok"):
            assert refused(kind, cutoff, top_k, format)
    for format in ("csr", "coo", "pairs", other):
        assert refused(kind, None, 0, format)


def test_what_begins_as_fasta() -> None:
    for text in (">a", "\n >a", "\ufeff>a", "@r\nACGT", ";c\n>a"):
        assert begins_fasta(text)
        assert begins_fasta(text.encode())
    for begin in (b"\x1f\x8b", b"(\xb5/\xfd", b"\x89ALNUS"):
        assert begins_fasta(begin + b"x")
    for no in ("MKV", "", "@r", ";c", "-MK", " MKV>", "A>"):
        assert not begins_fasta(no)
        assert not begins_fasta(no.encode())
    for line in ("@r", b"@r", ";c", ">a", b">"):
        assert begins_fasta(line, line=True)
    for other in ("M", b"M", "-", ""):
        assert not begins_fasta(other, line=True)  # type: ignore[arg-type]
