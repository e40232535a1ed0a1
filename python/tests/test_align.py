"""align, align_pairs and identity_range: counts, scores and coordinates of a pair agree with its aligned letters."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from inputs import AMINO_ACIDS, family, mutated, random_letters, reverse_complement
from support import FULL, rescored

import alnus

DENOMINATORS: list[Any] = ["alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"]
COUNT = 2000 if FULL else 60
SCORINGS: list[dict[str, Any]] = [
    {},
    {"matrix": "BLOSUM50", "gaps": (10, 2)},
    {"gaps": (10.5, 0.5)},
    {"matrix": "PAM30"},
    {"gaps": (0, 1)},
    {"gaps": (5, 0)},
    {"matrix": "GONNET"},
    {"preset": "emboss-needle"},
    {"gaps": (12, 1), "gap_convention": "emboss"},
]


def pairs_to_align(seed: int, alphabet: str = AMINO_ACIDS) -> tuple[list[str], list[str]]:
    chooser = random.Random(seed)
    a = [random_letters(chooser, alphabet, chooser.randint(1, 60)) for _ in range(COUNT)]
    return a, [mutated(chooser, one, alphabet, 0.3, 0.15) for one in a]


def check_counts(pair: alnus.Pair, query: str, subject: str) -> None:
    """Counts columns, coordinates and identities of a row again from its aligned letters, and compares them."""
    one, other = pair.aligned
    assert len(one) == len(other) == pair.length
    assert one.replace("-", "") == query[pair.query_begin : pair.query_end]
    assert other.replace("-", "") == subject[pair.subject_begin : pair.subject_end]
    columns = list(zip(one.upper(), other.upper(), strict=True))
    gaps = [x == "-" or y == "-" for x, y in columns]
    assert not any(x == y == "-" for x, y in columns)
    assert pair.gap_residues == sum(gaps)
    assert pair.identical == sum(x == y for x, y in columns)
    assert pair.mismatches == pair.length - pair.identical - pair.gap_residues
    opens = sum(
        1
        for k, (x, y) in enumerate(columns)
        if (x == "-" and (k == 0 or columns[k - 1][0] != "-")) or (y == "-" and (k == 0 or columns[k - 1][1] != "-"))
    )
    assert pair.gap_opens == opens
    m, n = len(query), len(subject)
    outside = m - (pair.query_end - pair.query_begin) + n - (pair.subject_end - pair.subject_begin)
    below = {
        "alignment": pair.length,
        "ungapped": pair.length - pair.gap_residues,
        "shorter": min(m, n),
        "longer": max(m, n),
        "mean": (m + n) / 2,
        "end_gaps": pair.length + outside,
    }
    for denominator in DENOMINATORS:
        expected = pair.identical / below[denominator] if below[denominator] else 0
        assert math.isclose(pair.identity(denominator), expected, abs_tol=1e-12), denominator


@pytest.mark.parametrize("words", SCORINGS, ids=str)
@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
def test_aligned_letters_have_the_score_and_the_counts(mode: Any, words: dict[str, Any]) -> None:
    a, b = pairs_to_align(41)
    rows = alnus.align(a, b, mode=mode, alphabet="protein", **words)
    assert len(rows) == COUNT
    for k, pair in enumerate(rows):
        assert (pair.query, pair.subject) == (k, k)
        one, other = pair.aligned
        assert math.isclose(rescored(one, other, rows.scoring), pair.score, abs_tol=1e-9)
        check_counts(pair, a[k], b[k])
        if mode == "global" and "preset" not in words:
            assert (pair.query_begin, pair.query_end) == (0, len(a[k]))
            assert (pair.subject_begin, pair.subject_end) == (0, len(b[k]))


@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
def test_no_other_alignment_of_short_pairs_scores_higher(mode: Any) -> None:
    scoring = alnus.Scoring(mode=mode, gaps=(3, 1))
    place = {letter: k for k, letter in enumerate(scoring.letters)}
    a, b = pairs_to_align(42)
    for query, subject in list(zip(a, b, strict=True))[: COUNT // 3]:
        pair = alnus.align(query, subject, scoring=scoring, alphabet="protein")
        values = [[float(scoring.values[place[x], place[y]]) for y in subject] for x in query]
        assert pair.score == best_score(values, len(query), len(subject), mode, *scoring.gaps)


def best_score(values: list[list[float]], m: int, n: int, mode: str, opening: float, extending: float) -> float:
    """The best score, by a plain form of Gotoh's recurrence."""
    low, free = -math.inf, mode != "global"
    h = [[low] * (n + 1) for _ in range(m + 1)]
    e = [[low] * (n + 1) for _ in range(m + 1)]
    f = [[low] * (n + 1) for _ in range(m + 1)]
    for i in range(m + 1):
        for j in range(n + 1):
            if i == 0 or j == 0:
                h[i][j] = 0 if free or i == j else -opening - extending * (i + j)
                continue
            e[i][j] = max(e[i][j - 1] - extending, h[i][j - 1] - opening - extending)
            f[i][j] = max(f[i - 1][j] - extending, h[i - 1][j] - opening - extending)
            h[i][j] = max(h[i - 1][j - 1] + values[i - 1][j - 1], e[i][j], f[i][j])
            if mode == "local":
                h[i][j] = max(h[i][j], 0)
    if mode == "local":
        return max(max(row) for row in h)
    if mode == "semiglobal":
        return max([row[n] for row in h] + h[m])
    return h[m][n]


@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
def test_one_pair_is_the_same_as_in_a_batch(mode: Any) -> None:
    a, b = pairs_to_align(43)
    rows = alnus.align(a, b, mode=mode, alphabet="protein")
    for k in range(len(a)):
        pair = alnus.align(a[k], b[k], mode=mode, alphabet="protein")
        assert isinstance(pair, alnus.Pair)
        for name in (
            "score",
            "query_begin",
            "query_end",
            "subject_begin",
            "subject_end",
            "cigar",
            "positive",
        ):
            assert getattr(pair, name) == getattr(rows[k], name)


def test_the_minus_strand_aligns_the_reverse_complement() -> None:
    chooser = random.Random(44)
    subject = random_letters(chooser, "ACGT", 200)
    query = reverse_complement(mutated(chooser, subject[50:120], "ACGT", 0.1, 0.05)) + "ACGTTTA"
    for strand in ("minus", "both"):
        pair = alnus.align(query, subject, alphabet="dna", strand=strand)
        assert pair.strand == -1
        one, other = pair.aligned
        assert one.replace("-", "") == reverse_complement(query[pair.query_begin : pair.query_end])
        assert other.replace("-", "") == subject[pair.subject_begin : pair.subject_end]
        assert rescored(one, other, pair._rows.scoring) == pair.score
        plus = alnus.align(reverse_complement(query), subject, alphabet="dna")
        assert plus.strand is None and plus.score == pair.score and plus.cigar == pair.cigar
        assert (plus.query_begin, plus.query_end) == (
            len(query) - pair.query_end,
            len(query) - pair.query_begin,
        )
    assert alnus.align(query, subject, alphabet="dna", strand="plus").strand is None
    assert alnus.align(query, subject, alphabet="dna").score < pair.score
    assert "minus strand" in str(pair)


def test_pairs_are_in_the_order_that_was_asked_for() -> None:
    a, b = family(45, 9), family(46, 5)
    wanted = [[8, 4], [0, 0], [0, 0], [3, 1], [0, 4]]
    rows = alnus.align_pairs(a, b, wanted)
    assert np.column_stack((rows.query, rows.subject)).tolist() == wanted
    for (i, j), score in zip(wanted, rows.score, strict=True):
        assert alnus.align(a[i], b[j]).score == score
    for kind in (np.uint8, np.int16, np.uint32, np.int64, np.uint64):
        assert alnus.align_pairs(a, b, np.array(wanted, dtype=kind)).score.tolist() == rows.score.tolist()
    assert alnus.align_pairs(a, b, np.array(wanted)[::-1]).score.tolist() == rows.score.tolist()[::-1]
    assert len(alnus.align_pairs(a, b, [])) == len(alnus.align_pairs(a, b, np.empty((0, 2)))) == 0


def test_detail_says_what_is_computed() -> None:
    a, b = pairs_to_align(47)
    full = alnus.align(a, b)
    score, ends = alnus.align(a, b, detail="score"), alnus.align(a, b, detail="ends")
    assert score.score.tolist() == ends.score.tolist() == full.score.tolist()
    assert ends.query_end.tolist() == full.query_end.tolist()
    assert ends.subject_end.tolist() == full.subject_end.tolist()
    assert score.query_end is None and score.identical is None and ends.identical is None
    with pytest.raises(alnus.InputError, match="alignment"):
        score.identity()
    with pytest.raises(alnus.InputError, match="alignment"):
        score[0].identity()
    with pytest.raises(alnus.InputError, match="alignment"):
        _ = score.cigars
    with pytest.raises(alnus.InputError, match="alignment"):
        _ = score[0].aligned
    assert str(score[0]).startswith("0 x 0: score")


def test_empty_sequences_align_with_nothing() -> None:
    assert alnus.align("", "", mode="global").score == 0
    gap = alnus.align("", "MKV", mode="global")
    assert gap.score == -14 and gap.cigar == "3D" and gap.aligned == ("---", "MKV")
    for mode in ("local", "semiglobal"):
        pair = alnus.align("", "MKV", mode=mode)
        assert pair.score == 0 and pair.aligned == ("", "") and pair.identity() == 0 and pair.length == 0


def test_free_ends_cost_nothing() -> None:
    assert alnus.align("MKVLAW", "PPMKVLAW", mode="global", free_ends=["sbegin"]).score == 33
    assert alnus.align("MKVLAW", "PPMKVLAW", mode="global", free_ends=["qbegin"]).score == 33 - 13
    assert alnus.align("MKVLAW", "PPMKVLAW", mode="global").score == 33 - 13
    assert alnus.align("MKVLAW", "PPMKVLAWPP", mode="global", free_ends=["sbegin", "send"]).score == 33


def test_a_long_pair_is_aligned_in_bounded_memory() -> None:
    chooser = random.Random(48)
    length = 60_000 if FULL else 8_000
    a = random_letters(chooser, AMINO_ACIDS, length)
    b = mutated(chooser, a, AMINO_ACIDS, 0.2, 0.02)
    session = alnus.Session(devices="cpu", memory="4M")
    pair = session.align(a, b, mode="global")
    assert rescored(*pair.aligned, alnus.Scoring()) == pair.score
    check_counts(pair, a, b)


@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
@pytest.mark.parametrize("denominator", DENOMINATORS)
def test_identity_ranges_hold_the_identity(mode: Any, denominator: Any) -> None:
    a, b = pairs_to_align(49)
    rows = alnus.align(a, b, mode=mode, alphabet="protein", identity_ranges=[denominator], stats="none")
    ranges = alnus.identity_range(a, b, mode=mode, denominator=denominator, alphabet="protein")
    assert ranges.shape == (COUNT, 2) and (ranges == rows.identity_range(denominator)).all()
    identity = rows.identity(denominator)
    assert (ranges[:, 0] <= identity + 1e-12).all() and (identity <= ranges[:, 1] + 1e-12).all()
    assert (ranges >= 0).all() and (ranges <= 1).all()
    some = alnus.identity_range(a, b, [[5, 5], [2, 2]], mode=mode, denominator=denominator, alphabet="protein")
    assert (some == ranges[[5, 2]]).all()


def test_a_range_that_was_not_asked_for_is_an_error() -> None:
    with pytest.raises(alnus.InputError, match="identity_ranges"):
        alnus.align(["MKV"], ["MKV"]).identity_range()


def test_printing_shows_letters_and_places() -> None:
    pair = alnus.align("Q" * 70 + "MKVW", "Q" * 70 + "MKVW", mode="global")
    lines = str(pair).splitlines()
    assert lines[0].startswith("query x subject: score")
    assert lines[2] == f"query        1 {'Q' * 60} 60" and lines[6] == f"query       61 {'Q' * 10}MKVW 74"
    assert "<pre" in pair._repr_html_() and "query x subject" in repr(pair)
    assert "&lt;" in alnus.align(["MKV"], {"<b>": "MKV"})[0]._repr_html_()
    assert "<b>" not in alnus.align(["MKV"], {"<b>": "MKV"})._repr_html_()
