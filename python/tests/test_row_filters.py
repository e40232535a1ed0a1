"""Filters of rows: those of search, align and align_pairs leave out what is left out by hand."""

from __future__ import annotations

import math
import pathlib
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from inputs import AMINO_ACIDS, mutated, random_letters, reverse_complement, write_fasta
from support import Program

import alnus

pytestmark = pytest.mark.filterwarnings("ignore::alnus.AlnusWarning")  # of identities of own columns

Words = dict[str, Any]

FILTERS: list[Words] = [
    {"min_identity": 60},
    {"min_identity": 40, "denominator": "shorter"},
    {"min_identity": 30, "denominator": "end_gaps"},
    {"min_coverage": 50},
    {"min_coverage": 70, "coverage_of": "query"},
    {"min_coverage": 30, "coverage_of": "longer", "min_length": 12},
    {"min_length": 20},
    {"min_identity": 55, "min_coverage": 60, "coverage_of": "shorter"},
]
UNIT = "MKVLAWQRYT"


def sets(seed: int, alphabet: str = AMINO_ACIDS) -> tuple[list[str], list[str]]:
    """Queries, and subjects that have one to three copies of queries, some of them changed."""
    chooser = random.Random(seed)
    queries = [random_letters(chooser, alphabet, length) for length in (14, 25, 40)]
    subjects = []
    for number in range(12):
        spacer = random_letters(chooser, alphabet, 5)
        chosen = [chooser.choice(queries) for _ in range(1 + number % 3)]
        subjects.append(spacer.join(mutated(chooser, one, alphabet, 0.2 * (number % 4), 0.05) for one in chosen))
    return queries, subjects


def passing(rows: alnus.Rows, words: Words) -> npt.NDArray[np.bool_]:
    """Says of each row whether it passes the filters."""
    passes = np.ones(len(rows), dtype=np.bool_)
    if "min_identity" in words:
        passes &= 100 * rows.identity(words.get("denominator", "alignment")) > words["min_identity"] - 1e-9
    if "min_coverage" in words:
        passes &= 100 * rows.coverage(words.get("coverage_of", "both")) > words["min_coverage"] - 1e-9
    if "min_length" in words:
        passes &= rows.length >= words["min_length"]
    return passes


def judged(rows: alnus.Rows, index: int) -> tuple[float, float, float]:
    """What hits are ordered by: E-value, adjusted score and score; less is better."""
    score = float(rows.score[index])
    evalue = math.inf if rows.evalue is None else float(rows.evalue[index])
    adjusted = math.nan if rows.adjusted_score is None else float(rows.adjusted_score[index])
    return (
        math.inf if math.isnan(evalue) else evalue,
        -score if math.isnan(adjusted) else -adjusted,
        -score,
    )


def selected(rows: alnus.Rows, words: Words, most: int = 500) -> list[int]:
    """The rows of a search that pass, of ``most`` subjects of each query, subjects in the order of their best rows."""
    hits: dict[tuple[int, int], list[int]] = {}
    for index in np.flatnonzero(passing(rows, words)).tolist():
        hits.setdefault((int(rows.query[index]), int(rows.subject[index])), []).append(index)
    best = {pair: min(judged(rows, index) for index in of_hit) for pair, of_hit in hits.items()}
    order = []
    for query in sorted({pair[0] for pair in hits}):
        subjects = sorted((best[pair], pair) for pair in hits if pair[0] == query)
        order += [index for _, pair in subjects[:most] for index in hits[pair]]
    return order


def check_same(found: alnus.Rows, expected: alnus.Rows) -> None:
    ours, theirs = found.to_dict(cigars=True), expected.to_dict(cigars=True)
    assert list(ours) == list(theirs)
    for name, column in theirs.items():
        np.testing.assert_array_equal(ours[name], column, err_msg=name)


@pytest.mark.parametrize("words", FILTERS, ids=repr)
def test_a_search_lists_the_rows_that_pass(words: Words) -> None:
    for seed, most in ((1, 1), (2, 3)):
        queries, subjects = sets(seed)
        every = alnus.search(queries, subjects, max_hsps=most, evalue=1000)
        found = alnus.search(queries, subjects, max_hsps=most, evalue=1000, **words)
        check_same(found, every[selected(every, words)])
        assert 0 < len(found) < len(every)
        pairs = set(zip(found.query.tolist(), found.subject.tolist(), strict=True))
        assert found.summary["hits"] == len(pairs)


@pytest.mark.parametrize("stats", ["spouge", "none"])
def test_the_best_subjects_of_all_that_pass_are_listed(stats: Any) -> None:
    queries, subjects = sets(3)
    filters: Words = {"min_coverage": 60, "coverage_of": "subject"}
    words: Words = {"stats": stats, "max_hsps": 3, "min_score": 12, "evalue": 1e9 if stats == "spouge" else None}
    every = alnus.search(queries, subjects, **words)
    for most in (1, 2):
        found = alnus.search(queries, subjects, max_target_seqs=most, **words, **filters)
        check_same(found, every[selected(every, filters, most)])


@pytest.mark.parametrize("stats", ["spouge", "none"])
def test_subjects_that_do_not_pass_take_no_place(stats: Any) -> None:
    chooser = random.Random(11)
    query = "MKVLAWQRYTHEWFDNCPGIS"
    better = [query + random_letters(chooser, AMINO_ACIDS, 100) for _ in range(5)]
    subjects = [*better, query[:-1] + "A"]
    rows = alnus.search([query], subjects, max_target_seqs=1, stats=stats, min_coverage=60, coverage_of="subject")
    assert rows.subject.tolist() == [5]
    assert rows.summary["hits"] == rows.summary["full_queries"] == 1


def test_both_strands_are_filtered() -> None:
    queries, subjects = sets(4, "ACGT")
    subjects = [*subjects[:8], *map(reverse_complement, subjects[8:])]
    words: Words = {"alphabet": "dna", "match": 2, "mismatch": -3, "gaps": (5, 2), "evalue": 1e9, "max_hsps": 4}
    filters: Words = {"min_identity": 80, "min_length": 9}
    every = alnus.search(queries, subjects, **words)
    found = alnus.search(queries, subjects, **words, **filters)
    check_same(found, every[selected(every, filters)])
    assert set(found.strand.tolist()) == {1, -1} and len(found) < len(every)


@pytest.mark.parametrize("mode", ["local", "semiglobal", "global"])
def test_given_pairs_keep_the_rows_that_pass(mode: Any) -> None:
    queries, subjects = sets(5)
    most = 1 if mode == "global" else 4
    pairs = [[i, j] for i in range(len(queries)) for j in range(len(subjects))] + [[0, 0]]
    every = alnus.align_pairs(queries, subjects, pairs, mode=mode, max_hsps=most)
    element_wise = alnus.align(queries, subjects[:3], mode=mode, max_hsps=most)
    fewer = 0
    for words in FILTERS:
        found = alnus.align_pairs(queries, subjects, pairs, mode=mode, max_hsps=most, **words)
        check_same(found, every[passing(every, words)])
        few = alnus.align(queries, subjects[:3], mode=mode, max_hsps=most, **words)
        check_same(few, element_wise[passing(element_wise, words)])
        fewer += len(found) < len(every)
    assert fewer > 0


def test_scores_and_evalues_filter_given_pairs() -> None:
    queries, subjects = sets(6)
    subjects = subjects[: len(queries)]
    every = alnus.align(queries, subjects, max_hsps=5, significance=True, dbsize=(100_000, 300))
    score, evalue = float(np.median(every.score)), float(np.median(every.evalue))
    words: Words = {"max_hsps": 5, "dbsize": (100_000, 300)}
    found = alnus.align(queries, subjects, min_score=score, significance=True, **words)
    check_same(found, every[every.score >= score])
    found = alnus.align(queries, subjects, evalue=evalue, significance=True, **words)
    check_same(found, every[every.evalue <= evalue])
    assert 0 < len(found) < len(every)
    silent = alnus.align(queries, subjects, evalue=evalue, **words)
    assert silent.evalue is None and silent.hsp.tolist() == found.hsp.tolist()
    space = alnus.align(queries, subjects, evalue=1e-3, searchsp=1e9, significance=True)
    assert (space.evalue <= 1e-3).all()


def test_all_is_as_many_as_there_are() -> None:
    queries, subjects = sets(7)
    every, many = (alnus.search(queries, subjects, max_hsps=most, evalue=100) for most in ("all", 1000))
    check_same(every, many)
    assert (every.hsp > 2).any()
    query, listed = queries[2], ({"max_hsps": 1000}, {"max_hsps": "all"})
    for words in (
        {"min_score": 15},
        {"min_score": 10, "min_identity": 50},
        {"mode": "semiglobal", "free_ends": ["sbegin", "send"], "min_score": 5},
    ):
        many, every = (alnus.align([query], ["GGSGG".join([query] * 3)], **words, **most) for most in listed)
        check_same(every, many)
        assert (every.hsp > 2).any() and every.score.min() >= words["min_score"]
    many, every = (alnus.align(UNIT, UNIT + "GG" + UNIT, **most) for most in listed)
    check_same(every, many)
    assert every.score.min() > 0


def test_two_texts_with_a_filter_have_rows() -> None:
    text = UNIT + "GG" + UNIT
    rows = alnus.align(UNIT, text, min_identity=100, denominator="shorter")
    assert isinstance(rows, alnus.Rows) and rows.score.tolist() == [55] and rows.hsp is None
    for words in ({"min_score": 56}, {"min_coverage": 90}, {"min_length": 11}, {"evalue": 1e-30, "dbsize": 1000}):
        none = alnus.align(UNIT, text, **words)
        assert isinstance(none, alnus.Rows) and len(none) == 0
    several = alnus.align(UNIT, text, max_hsps=3, min_length=10)
    assert several.hsp.tolist() == [1, 2]
    for words in ({}, {"max_hsps": 1}, {"min_score": None, "min_length": None}, {"denominator": "shorter"}):
        assert isinstance(alnus.align(UNIT, text, **words), alnus.Pair)


def test_files_are_those_of_the_program(program: Program, tmp_path: pathlib.Path) -> None:
    queries, subjects = ({f"s{k}": letters for k, letters in enumerate(one)} for one in sets(8))
    files = write_fasta(tmp_path / "q.fasta", queries), write_fasta(tmp_path / "s.fasta", subjects)
    limits = "--evalue 1e9 --min-score 9 --max-hsps all --min-length 4"
    options = f"{limits} --min-identity 20 --identity shorter --min-coverage 20 --coverage-of shorter"
    filters: Words = {"min_identity": 20, "denominator": "shorter", "min_coverage": 20, "coverage_of": "shorter"}
    rows = alnus.search(*files, max_hsps="all", evalue=1e9, min_score=9, min_length=4, **filters)
    assert (rows.hsp > 1).any()
    for format in ("6 std hsp qcovs", "0"):
        rows.write(tmp_path / "rows", format)
        text = program.text("search", *files, *options.split(), "--outfmt", format)
        assert (tmp_path / "rows").read_bytes() == text


def test_costs_take_the_arguments_of_the_calls() -> None:
    queries, subjects = sets(9)
    words: Words = {"max_hsps": "all", "mode": "semiglobal", "free_ends": ["sbegin", "send"], "min_score": 5}
    filters: Words = {"min_identity": 50, "denominator": "shorter", "min_coverage": 50, "min_length": 5}
    assert alnus.cost_of_search(queries, subjects, **words, **filters).pairs == len(queries) * len(subjects)
    assert alnus.cost_of_align(queries, subjects[:3], **words, **filters).pairs == 3
    with pytest.raises(alnus.InputError, match="min_score"):
        alnus.cost_of_search(queries, subjects, **{**words, "min_score": None})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"min_identity": 101}, "min_identity"),
        ({"min_coverage": -1}, "min_coverage"),
        ({"min_length": 0}, "min_length is 0; it must be from 1"),
        ({"min_length": 2.5}, "min_length is 2.5; it must be a whole number"),
        ({"max_hsps": "some"}, "max_hsps is 'some'; it must be a whole number, or \"all\""),
        ({"max_hsps": "all", "mode": "semiglobal"}, "max_hsps all needs min_score"),
        ({"max_hsps": "all", "mode": "global", "min_score": 5}, "max_hsps"),
        ({"min_identity": 50, "detail": "ends"}, "need alignments"),
        ({"min_length": 5, "detail": "score"}, "need alignments"),
    ],
)
def test_filters_that_make_no_sense_are_refused(words: Words, message: str) -> None:
    queries, subjects = sets(10)
    for call in (
        lambda: alnus.search(queries, subjects, **words),
        lambda: alnus.align(queries, queries, **words),
        lambda: alnus.align(UNIT, UNIT, **words),
        lambda: alnus.align_pairs(queries, subjects, [[0, 1]], **words),
        lambda: alnus.cost_of_search(queries, subjects, **words),
        lambda: alnus.cost_of_align(queries, queries, **words),
    ):
        with pytest.raises(alnus.InputError, match=message):
            call()


def test_evalues_of_given_pairs_need_a_size() -> None:
    for call in (alnus.align, alnus.cost_of_align):
        with pytest.raises(alnus.InputError, match="evalue needs the size of a search, which dbsize gives"):
            call([UNIT], [UNIT], evalue=1)
        with pytest.raises(alnus.InputError, match="evalue needs E-values, and stats none gives none"):
            call([UNIT], [UNIT], evalue=1, stats="none", mode="global")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"min_identity": 30}, "min_identity is relative to the aligned columns"),
        ({"min_coverage": 0.5}, "min_coverage 0.5 means 0.5 percent"),
        ({"min_coverage": 50, "mode": "global"}, "A global alignment covers both sequences completely"),
    ],
)
def test_filters_that_say_little_are_told(words: Words, message: str) -> None:
    for call in (alnus.search, alnus.align):
        with pytest.warns(alnus.AlnusWarning, match=message):
            call([UNIT], [UNIT], **words)
