"""Several alignments of a pair: each is the best one that aligns no two residues which one before it aligns."""

from __future__ import annotations

import math
import pathlib
import pickle
import random
from typing import Any

import numpy as np
import pytest
from inputs import AMINO_ACIDS, mutated, random_letters, reverse_complement, write_fasta
from support import FULL, Cells, Program, cells, rescored

import alnus

Sets = tuple[dict[str, str], dict[str, str]]


def with_copies(chooser: random.Random, units: list[str], alphabet: str, copies: int) -> str:
    """Some of the units, a little changed, with random letters between them; of DNA some of them reversed."""
    text = ""
    for _ in range(copies):
        one = mutated(chooser, chooser.choice(units), alphabet, 0.15, 0.03)
        one = reverse_complement(one) if alphabet == "ACGT" and chooser.random() < 0.4 else one
        text += one + random_letters(chooser, alphabet, chooser.randint(0, 6))
    return text


def sets(seed: int, alphabet: str = AMINO_ACIDS, queries: int = 4, subjects: int = 9) -> Sets:
    """Queries and subjects with copies of the same three units, and three subjects without."""
    chooser = random.Random(seed)
    units = [random_letters(chooser, alphabet, length) for length in (9, 12, 16)]
    return (
        {f"q{k}": with_copies(chooser, units, alphabet, 3) for k in range(queries)},
        {f"s{k}": with_copies(chooser, units, alphabet, 4) for k in range(subjects)}
        | {f"other{k}": random_letters(chooser, alphabet, 40) for k in range(3)},
    )


def best_without(barred: Cells, query: str, subject: str, scoring: alnus.Scoring) -> float:
    """The best score of alignments that align no two residues at these places, by a plain form of Gotoh's recurrence.

    In semiglobal mode all four ends are free.
    """
    place = {letter: k for k, letter in enumerate(scoring.letters)}
    values = np.asarray(scoring.values)[np.ix_([place[one] for one in query], [place[one] for one in subject])].tolist()
    opening, extending = scoring.gaps
    m, n, local = len(query), len(subject), scoring.mode == "local"
    h = [[0.0] * (n + 1) for _ in range(m + 1)]
    up = [-math.inf] * (n + 1)
    for i in range(1, m + 1):
        left = -math.inf
        for j in range(1, n + 1):
            left = max(left - extending, h[i][j - 1] - opening - extending)
            up[j] = max(up[j] - extending, h[i - 1][j] - opening - extending)
            diagonal = -math.inf if (i - 1, j - 1) in barred else h[i - 1][j - 1] + values[i - 1][j - 1]
            h[i][j] = max(diagonal, left, up[j], 0 if local else -math.inf)
    return max(map(max, h)) if local else max([row[n] for row in h] + h[m])


def check_pair(rows: alnus.Rows, query: str, subject: str, most: int) -> None:
    """Checks the rows of a pair of which no limit has left out any."""
    stranded = rows.strand is not None
    strands = {1: query, -1: reverse_complement(query)} if stranded else {1: query}
    barred: dict[int, Cells] = {strand: set() for strand in strands}

    def best() -> tuple[float, int]:
        found = [(best_without(barred[one], letters, subject, rows.scoring), one) for one, letters in strands.items()]
        return max(found)  # plus where scores are equal

    for number, pair in enumerate(rows, 1):
        assert pair.hsp == number
        score, strand = best()
        assert (pair.score, pair.strand if stranded else 1) == (score, strand)
        assert rescored(*pair.aligned, rows.scoring) == pair.score
        aligned = cells(pair, query)
        assert not aligned & barred[strand]
        barred[strand] |= aligned
    assert 1 <= len(rows) <= most
    assert len(rows) == most or best()[0] <= 0


@pytest.mark.parametrize("mode", ["local", "semiglobal"])
def test_each_alignment_is_the_best_that_is_left(mode: Any) -> None:
    for seed in range(40 if FULL else 3):
        queries, subjects = ([*one.values()] for one in sets(seed))
        subjects = subjects[: len(queries)]
        rows = alnus.align(queries, subjects, mode=mode, gaps=(7, 1), alphabet="protein", max_hsps=5)
        assert len(rows) > len(queries)
        for k, (query, subject) in enumerate(zip(queries, subjects, strict=True)):
            check_pair(rows[rows.query == k], query, subject, 5)


def test_both_strands_make_one_list() -> None:
    words: dict[str, Any] = {"match": 2, "mismatch": -3, "gaps": (5, 2), "alphabet": "dna", "strand": "both"}
    both = set()
    for seed in range(40 if FULL else 3):
        queries, subjects = ([*one.values()] for one in sets(seed, "ACGT"))
        pairs = [[i, j] for i in range(len(queries)) for j in (0, 5)]
        rows = alnus.align_pairs(queries, subjects, pairs, max_hsps=6, **words)
        for i, j in pairs:
            part = rows[(rows.query == i) & (rows.subject == j)]
            check_pair(part, queries[i], subjects[j], 6)
            both.add(frozenset(part.strand.tolist()))
    assert frozenset((1, -1)) in both


def test_the_first_alignments_are_those_of_a_search_without_others() -> None:
    queries, subjects = sets(60)
    one, several = (alnus.search(queries, subjects, max_hsps=most) for most in (1, 4))
    assert one.hsp is None and several.hsp.dtype == np.int32
    first = several[several.hsp == 1]
    assert len(several) > len(first) == len(one) == several.summary["hits"] == one.summary["hits"]
    expected, found = one.to_dict(cigars=True), first.to_dict(cigars=True)
    assert found.pop("hsp").tolist() == [1] * len(one)
    assert list(found) == list(expected)
    for name, column in expected.items():
        np.testing.assert_array_equal(found[name], column)
    same = (several.query[1:] == several.query[:-1]) & (several.subject[1:] == several.subject[:-1])
    assert (same == (several.hsp[1:] > 1)).all() and (np.diff(several.hsp)[same] > 0).all()
    few = alnus.search(queries, subjects, max_hsps=4, max_target_seqs=2)
    assert np.bincount(few.query[few.hsp == 1]).tolist() == [2] * len(queries)


def test_limits_leave_out_alignments_and_keep_the_numbers() -> None:
    queries, subjects = sets(61)
    every = alnus.search(queries, subjects, max_hsps=6, evalue=1e9)
    limit = float(np.median(every.evalue))
    few = alnus.search(queries, subjects, max_hsps=6, evalue=limit)
    listed = {pair for pair, hsp, evalue in _named(every) if hsp == 1 and evalue <= limit}
    assert _named(few) == [row for row in _named(every) if row[0] in listed and row[2] <= limit]
    assert 0 < len(few) < len(every)


def _named(rows: alnus.Rows) -> list[tuple[tuple[int, int], int, float]]:
    pairs = zip(rows.query.tolist(), rows.subject.tolist(), strict=True)
    return list(zip(pairs, rows.hsp.tolist(), rows.evalue.tolist(), strict=True))


def test_two_texts_have_a_pair_or_rows() -> None:
    unit = "MKVLAWQRYT"
    pair = alnus.align(unit, unit + "GG" + unit)
    assert isinstance(pair, alnus.Pair) and pair.hsp is None
    assert isinstance(alnus.align(unit, unit + "GG" + unit, max_hsps=1), alnus.Pair)
    rows = alnus.align(unit, unit + "GG" + unit, max_hsps=2)
    assert isinstance(rows, alnus.Rows)
    assert (rows.hsp.tolist(), rows.score.tolist(), rows.subject_begin.tolist()) == ([1, 2], [55, 55], [0, 12])
    assert str(rows[1]).startswith("query x subject: score 55, identity 10/10 (100.0%), alignment 2\n")
    assert " hsp " in repr(rows).splitlines()[1]
    assert alnus.align("WWW", "PPP", max_hsps=3).hsp.tolist() == [1]
    assert len(alnus.align_pairs([unit], [unit], [], max_hsps=3).hsp) == 0


def test_rows_keep_their_numbers() -> None:
    queries, subjects = sets(62)
    rows = alnus.search(queries, subjects, max_hsps=3, identity_ranges=["alignment"])
    assert (rows[::-1].hsp == rows.hsp[::-1]).all()
    for other in (pickle.loads(pickle.dumps(rows)), rows[:]):
        assert (other.hsp == rows.hsp).all() and (other.first_row == rows.first_row).all()
        np.testing.assert_array_equal(other.identity_range(), rows.identity_range())
    second = int(np.flatnonzero(rows.hsp == 2)[0])
    pair = pickle.loads(pickle.dumps(rows[second]))
    assert pair.hsp == 2 and str(pair) == str(rows[second])
    assert (np.isnan(rows.identity_range()).all(axis=1) == (rows.hsp > 1)).all()
    assert rows.to_dict()["hsp"].tolist() == rows.hsp.tolist()
    assert rows[:0].hsp.tolist() == []
    with pytest.raises(AttributeError, match=r"Use rows\.hsp\.$"):
        _ = rows.hsp_num


def test_z_values_judge_the_first_alignments() -> None:
    queries, subjects = sets(63)
    rows = alnus.search(queries, subjects, max_hsps=3, stats="zvalue", shuffles=20, max_target_seqs=2)
    assert (np.isnan(rows.zscore) == (rows.hsp > 1)).all() and (rows.hsp > 1).any()


def test_an_evalue_of_shuffles_leaves_out_all_rows_of_a_pair() -> None:
    queries, subjects = sets(63)
    words: dict[str, Any] = {"max_hsps": 3, "min_score": 12, "stats": "zvalue", "shuffles": 20, "dbsize": (1e5, 1000)}
    every = alnus.search(queries, subjects, **words, evalue=1e9)
    limit = float(np.median(every.evalue[every.hsp == 1]))
    passing = {(row.query, row.subject) for row in every if row.hsp == 1 and row.evalue <= limit}
    found = alnus.search(queries, subjects, **words, evalue=limit)
    pairs = [[i, j] for i in range(len(queries)) for j in range(len(subjects))]
    aligned = alnus.align_pairs(queries, subjects, pairs, **words, evalue=limit)
    assert 0 < len(found) < len(every) and (found.hsp > 1).any()
    for rows in (found, aligned):
        assert {(row.query, row.subject) for row in rows} == passing
    assert len(aligned) == len(found)


@pytest.mark.parametrize("format", ["0", "6 std hsp qcovs", "7", "sam", "jsonl"])
def test_files_are_those_of_the_program(program: Program, tmp_path: pathlib.Path, format: str) -> None:
    queries, subjects = sets(64)
    files = write_fasta(tmp_path / "q.fasta", queries), write_fasta(tmp_path / "s.fasta", subjects)
    words = ("search", *files, "--max-hsps", 3, "--outfmt", format)
    rows = alnus.search(*files, max_hsps=3)
    assert (rows.hsp > 1).any()
    rows.write(tmp_path / "rows", format, command_line=program.command_line(*words))
    assert (tmp_path / "rows").read_bytes() == program.text(*words)


def test_histograms_show_each_hit_once() -> None:
    pytest.importorskip("matplotlib").use("agg")
    queries, subjects = sets(65)
    rows = alnus.search(queries, subjects, max_hsps=4, score_histogram=True)
    assert len(rows) > rows.summary["hits"]
    labels = alnus.plot.score_histogram(rows).get_legend_handles_labels()[1]
    assert any(label.startswith(f"{rows.summary['hits']} hits") for label in labels)


def test_costs_take_the_number() -> None:
    queries, subjects = sets(66)
    for most in (1, 3):
        assert alnus.cost_of_search(queries, subjects, max_hsps=most).pairs == len(queries) * len(subjects)
        assert alnus.cost_of_align(queries, queries, max_hsps=most).pairs == len(queries)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"max_hsps": 0}, "max_hsps is 0; it must be from 1"),
        ({"max_hsps": None}, "max_hsps is None; it must be a whole number"),
        ({"max_hsps": 2, "mode": "global"}, "max_hsps"),
        ({"max_hsps": 2, "detail": "ends"}, "max_hsps"),
    ],
)
def test_what_has_no_further_alignments_is_refused(words: dict[str, Any], message: str) -> None:
    queries, subjects = sets(67)
    for call in (
        lambda: alnus.search(queries, subjects, **words),
        lambda: alnus.align(queries, queries, **words),
        lambda: alnus.align("MKVLAW", "MKVLAW", **words),
        lambda: alnus.align_pairs(queries, subjects, [[0, 1]], **words),
    ):
        with pytest.raises(alnus.InputError, match=message):
            call()
