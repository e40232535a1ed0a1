"""Alignments with at most so many differences: brute force finds the same places of primers and peptides."""

from __future__ import annotations

import functools
import pathlib
import pickle
import random
from typing import Any, Literal

import pytest
from inputs import AMINO_ACIDS, mutated, random_letters, write_fasta
from support import Cells, Program, cells

import alnus

Kind = Literal["dna", "protein"]
Place = tuple[int, int, int]  # differences, 0 for plus or 1 for minus, begin in the subject
Found = dict[tuple[int, int], list[Place]]  # by query and subject

# What letters stand for that stand for several letters.
OF_DNA = {
    "R": "AG",
    "Y": "CT",
    "K": "GT",
    "M": "AC",
    "S": "CG",
    "W": "AT",
    "B": "CGT",
    "D": "AGT",
    "H": "ACT",
    "V": "ACG",
    "N": "ACGT",
}
OF_PROTEINS = {"B": "DN", "Z": "EQ", "J": "IL", "X": AMINO_ACIDS + "UO"}
PRIMER = "GTGYCAGCMGCCGCGGTAA"  # 515F, with two IUPAC codes


@functools.cache
def differ(query: str, subject: str, kind: Kind) -> bool:
    """Says whether a letter of the subject is a difference from a letter of the query."""
    letters = OF_DNA if kind == "dna" else OF_PROTEINS
    return not set(letters.get(subject, subject)) <= set(letters.get(query, query))


def other_strand(letters: str) -> str:
    return letters.translate(str.maketrans("ACGTRYKMSWBDHVN", "TGCAYRMKSWVHDBN"))[::-1]


def strands(query: str, kind: Kind) -> dict[int, str]:
    """The strands of a query that a search aligns."""
    return {1: query, -1: other_strand(query)} if kind == "dna" else {1: query}


def windows(query: str, subject: str, kind: Kind, most: int) -> list[Place]:
    """All places of a query with at most so many substitutions, in the order of rows."""
    found = []
    for strand, letters in strands(query, kind).items():
        for begin in range(len(subject) - len(letters) + 1):
            pairs = zip(letters, subject[begin : begin + len(letters)], strict=True)
            differences = sum(differ(*pair, kind) for pair in pairs)
            if differences <= most:
                found.append((differences, int(strand == -1), begin))
    return sorted(found)


def all_windows(queries: list[str], subjects: list[str], kind: Kind, most: int) -> Found:
    found = {
        (i, j): windows(query, subject, kind, most)
        for i, query in enumerate(queries)
        for j, subject in enumerate(subjects)
    }
    return {pair: places for pair, places in found.items() if places}


def places(rows: alnus.Rows) -> Found:
    found: Found = {}
    for row in rows:
        place = (-int(row.score), int(row.strand == -1), row.subject_begin)
        found.setdefault((row.query, row.subject), []).append(place)
    return found


def fewest_edits(query: str, subject: str, kind: Kind, barred: Cells) -> int:
    """The fewest edits of alignments of the whole query that align no two residues at the barred places."""
    none = len(query) + len(subject)  # more than any alignment has
    row = [0] * (len(subject) + 1)
    for i, q in enumerate(query):
        above, row = row, [i + 1]
        for j, s in enumerate(subject):
            aligned = none if (i, j) in barred else above[j] + differ(q, s, kind)
            row.append(min(aligned, above[j + 1] + 1, row[j] + 1))
    return min(row)


def edits(pair: alnus.Pair, kind: Kind) -> int:
    return sum("-" in both or differ(*both, kind) for both in zip(*pair.aligned, strict=True))


def with_sites(chooser: random.Random, queries: list[str], kind: Kind, length: int, gaps: float) -> str:
    """Random letters, some of them unknown, with a copy of each query, of which letters are changed."""
    alphabet = "ACGT" if kind == "dna" else AMINO_ACIDS
    text = random_letters(chooser, alphabet, length)
    for query in queries:
        letters = OF_DNA if kind == "dna" else OF_PROTEINS
        site = "".join(chooser.choice(letters.get(letter, letter)) for letter in query)
        if kind == "dna" and chooser.random() < 0.5:
            site = other_strand(site)
        site = mutated(chooser, site, alphabet, 0.1, gaps)
        begin = chooser.randrange(len(text))
        text = text[:begin] + site + text[begin:]
    unknown = "N" if kind == "dna" else "X"
    return "".join(unknown if chooser.random() < 0.01 else letter for letter in text)


# ---- Substitutions only ----


@pytest.mark.parametrize("most", [0, 1, 3])
def test_all_windows_of_primers_are_listed(most: int) -> None:
    chooser = random.Random(most)
    queries = [PRIMER, random_letters(chooser, "ACGT", 20), "ACGTACGT", "ACNRT", "GAATTC"]  # the last is a palindrome
    subjects = [with_sites(chooser, queries * 2, "dna", 200, 0) for _ in range(5)] + ["ACG", "N" * 25, ""]
    rows = alnus.search(queries, subjects, alphabet="dna", max_differences=most, substitutions_only=True)
    assert places(rows) == all_windows(queries, subjects, "dna", most)
    assert {row.query for row in rows} == set(range(len(queries)))
    assert set(rows.strand.tolist()) == {1, -1}
    assert (rows.gap_residues == 0).all() and (rows.length == rows.queries.lengths[rows.query]).all()
    for (query, subject), listed in places(rows).items():
        part = rows[(rows.query == query) & (rows.subject == subject)]
        assert part.hsp.tolist() == list(range(1, len(listed) + 1))


@pytest.mark.parametrize("strand", ["plus", "minus"])
def test_one_strand_may_be_chosen(strand: Any) -> None:
    chooser = random.Random(5)
    subjects = [with_sites(chooser, [PRIMER] * 4, "dna", 200, 0) for _ in range(3)]
    rows = alnus.search([PRIMER], subjects, alphabet="dna", max_differences=3, substitutions_only=True, strand=strand)
    expected = {
        pair: [place for place in listed if place[1] == (strand == "minus")]
        for pair, listed in all_windows([PRIMER], subjects, "dna", 3).items()
    }
    assert places(rows) == {pair: listed for pair, listed in expected.items() if listed} != {}


@pytest.mark.parametrize("most", [0, 2])
def test_all_windows_of_peptides_are_listed(most: int) -> None:
    chooser = random.Random(10 + most)
    queries = ["SIINFEKL", "GILGFVFTL", "KXZLB", "NJTD", "RGD"]
    subjects = [with_sites(chooser, queries * 2, "protein", 150, 0) for _ in range(5)] + ["BJZUO*X", "RG", "GRGDSP"]
    rows = alnus.search(queries, subjects, max_differences=most, substitutions_only=True)
    assert places(rows) == all_windows(queries, subjects, "protein", most)
    assert {row.query for row in rows} == set(range(len(queries))) and rows.strand is None


def test_letters_that_stand_for_several_are_no_differences() -> None:
    kinds: list[tuple[Kind, list[str]]] = [
        ("dna", [*OF_DNA, *"ACGT"]),
        ("protein", [*OF_PROTEINS, *AMINO_ACIDS, *"UO*"]),
    ]
    for kind, letters in kinds:
        queries, subjects = letters * len(letters), [letter for letter in letters for _ in letters]
        rows = alnus.align(queries, subjects, alphabet=kind, max_differences=1, substitutions_only=True)
        assert rows.query.tolist() == list(range(len(queries)))
        expected = [-int(differ(q, s, kind)) for q, s in zip(queries, subjects, strict=True)]
        assert rows.score.tolist() == expected and 0 in expected
    assert alnus.align("nRa", "AgA", alphabet="dna", max_differences=0).score.tolist() == [0]  # the case does not count
    [row] = alnus.align("ARA", "AGA", alphabet="dna", max_differences=0)
    assert (row.score, row.cigar, row.mismatches, row.identical) == (0, "1=1X1=", 1, 2)


# ---- Edits ----


@pytest.mark.parametrize(("kind", "most"), [("dna", 0), ("dna", 1), ("dna", 2), ("protein", 1), ("protein", 3)])
def test_no_alignment_with_few_edits_is_left(kind: Kind, most: int) -> None:
    chooser = random.Random(20 + most)
    queries = ["ACRTTGCANC", "CACACAC", "GGATCCAAGT"] if kind == "dna" else ["SIINFEKL", "QXQPQXQP", "MKBVL"]
    subjects = [with_sites(chooser, queries * 2, kind, 30, 0.05) for _ in range(6)] + ["CA" * 12]
    rows = alnus.search(queries, subjects, alphabet=kind, max_differences=most)
    assert len(rows) > 0 and (rows.gap_residues > 0).any() == (most > 0)
    for i, query in enumerate(queries):
        for j, subject in enumerate(subjects):
            check_edits(rows[(rows.query == i) & (rows.subject == j)], query, subject, kind, most)


def check_edits(rows: alnus.Rows, query: str, subject: str, kind: Kind, most: int) -> None:
    """Checks that each row of a pair is the best that is left, and that nothing with few edits is left behind them."""
    barred: dict[int, Cells] = {strand: set() for strand in strands(query, kind)}

    def best() -> tuple[int, int]:
        """The fewest edits of what is left, and minus the strand: plus comes first where both have as few."""
        both = strands(query, kind).items()
        return min((fewest_edits(letters, subject, kind, barred[strand]), -strand) for strand, letters in both)

    for number, row in enumerate(rows, 1):
        strand = row.strand or 1
        assert row.hsp == number and (row.query_begin, row.query_end) == (0, len(query))
        assert edits(row, kind) == -row.score <= most
        assert best() == (-row.score, -strand)
        aligned = cells(row, query)
        assert not aligned & barred[strand]
        barred[strand] |= aligned
    assert best()[0] > most


def test_without_edits_both_ways_find_the_same() -> None:
    chooser = random.Random(30)
    subjects = [with_sites(chooser, [PRIMER] * 3, "dna", 100, 0) for _ in range(5)] + [PRIMER]
    found = [
        alnus.search([PRIMER], subjects, alphabet="dna", max_differences=0, substitutions_only=only)
        for only in (False, True)
    ]
    assert places(found[0]) == places(found[1]) == all_windows([PRIMER], subjects, "dna", 0) != {}


def test_a_query_of_as_many_letters_as_differences() -> None:
    # An alignment of nothing has two edits, too: no alignment with two edits is listed beyond the first.
    rows = alnus.align("AC", "GGTT", alphabet="dna", max_differences=2)
    assert rows.score.tolist() == [-2]
    three, two = (alnus.align("ACG", "ACGTACTTTCG", alphabet="dna", max_differences=most) for most in (3, 2))
    assert places(three) == places(two) and len(two) > 1
    rows = alnus.align("AC", "GGTT", alphabet="dna", max_differences=2, substitutions_only=True)
    assert rows.subject_begin.tolist() == [0, 1, 2]
    assert len(alnus.align("AC", "GGTT", alphabet="dna", max_differences=1)) == 0
    assert len(alnus.align("ACG", "AC", alphabet="dna", max_differences=3, substitutions_only=True)) == 0
    [row] = alnus.align("ACG", "AC", alphabet="dna", max_differences=1)
    assert row.cigar == "2=1I"


# ---- What calls have in common ----


def test_given_pairs_have_the_rows_of_searches() -> None:
    chooser = random.Random(40)
    queries = [PRIMER, "ACGTACGTAC"]
    subjects = [with_sites(chooser, queries * 2, "dna", 60, 0.03) for _ in range(4)]
    words: dict[str, Any] = {"alphabet": "dna", "max_differences": 3}
    expected = places(alnus.search(queries, subjects, **words))
    pairs = [[i, j] for i in range(len(queries)) for j in range(len(subjects))]
    assert places(alnus.align_pairs(queries, subjects, pairs, strand="both", **words)) == expected
    plus = alnus.align(queries, subjects[:2], **words)
    assert plus.strand is None and len(plus) > 2
    with alnus.Session(devices="cpu", threads=1) as session:
        assert places(session.search(queries, subjects, **words)) == expected
        assert places(session.align(queries, subjects[:2], **words)) == places(plus)
        assert places(session.align_pairs(queries, subjects, [[0, 0], [1, 1]], **words)) == places(plus)


def test_two_texts_have_rows() -> None:
    rows = alnus.align("SIINFEKL", "GSIINFEKLGSIINYEKLG", max_differences=1)
    assert isinstance(rows, alnus.Rows)
    assert (rows.score.tolist(), rows.subject_begin.tolist(), rows.hsp.tolist()) == ([0, -1], [1, 10], [1, 2])
    one = alnus.align("SIINFEKL", "SIINFEKL", max_differences=0, max_hsps=1)
    assert isinstance(one, alnus.Rows) and len(one) == 1
    assert isinstance(alnus.align("MKV", "MKV", max_differences=None, substitutions_only=False), alnus.Pair)


def test_fewer_alignments_may_be_asked_for() -> None:
    chooser = random.Random(50)
    subjects = [with_sites(chooser, ["ACGTAC"] * 3, "dna", 60, 0) for _ in range(4)]
    words: dict[str, Any] = {"alphabet": "dna", "max_differences": 2}
    for only in (False, True):
        every = alnus.search(["ACGTAC"], subjects, substitutions_only=only, **words)
        assert every.hsp.max() > 2
        for most in (1, 2):
            few = alnus.search(["ACGTAC"], subjects, substitutions_only=only, max_hsps=most, **words)
            assert places(few) == places(every[every.hsp <= most])
            assert (few.hsp is None) == (most == 1)
        best = alnus.search(["ACGTAC"], subjects, substitutions_only=only, max_target_seqs=1, **words)
        assert len(set(best.subject.tolist())) == 1


def test_one_place_of_each_pair_needs_no_alignment() -> None:
    rows = alnus.search(["SIINFEKL"], ["GSIINFEKLG", "RGD"], max_differences=1, max_hsps=1, detail="score")
    assert (rows.subject.tolist(), rows.score.tolist()) == ([0], [0])


def test_masked_queries_are_told() -> None:
    queries = alnus.Database({"q": "ACGTaaaaaaa"}, alphabet="dna", mask=["lower"])
    with pytest.warns(alnus.AlnusWarning, match="More than half of the letters of q are N.*If mask made these N"):
        alnus.search(queries, ["ACGTACGTACGTACGT"], max_differences=0)


def test_rows_have_the_scoring() -> None:
    rows = alnus.align("ACRT", "ACGTACAT", alphabet="dna", max_differences=1)
    scoring = rows.scoring
    assert (scoring.mode, scoring.free_ends, scoring.gaps) == ("semiglobal", ("sbegin", "send"), (0, 1))
    assert (scoring.alphabet, scoring.matrix_name, scoring.preset) == ("dna", "differences", "")
    values = {
        (q, s): float(scoring.values[i, j])
        for i, q in enumerate(scoring.letters)
        for j, s in enumerate(scoring.letters)
    }
    assert values == {(q, s): -float(differ(q, s, "dna")) for q, s in values}
    again = alnus.align("ACRT", "ACGTACAT", alphabet="dna", scoring=scoring, min_score=-1, max_hsps="all")
    assert places(again) == places(rows) == {(0, 0): [(0, 0, 0), (0, 0, 4)]}
    assert pickle.loads(pickle.dumps(scoring)) == scoring
    same = pickle.loads(pickle.dumps(rows))
    assert places(same) == places(rows) and same.scoring == scoring
    only = alnus.align("ACRT", "ACGTACAT", alphabet="dna", max_differences=3, substitutions_only=True)
    assert only.scoring.gaps == (3, 1) and pickle.loads(pickle.dumps(only.scoring)) == only.scoring != scoring


@pytest.mark.parametrize("format", ["6 qseqid sseqid sstart send sstrand score mismatch gaps hsp", "7", "sam", "jsonl"])
@pytest.mark.parametrize("only", [False, True], ids=["edits", "substitutions"])
def test_files_are_those_of_the_program(program: Program, tmp_path: pathlib.Path, format: str, only: bool) -> None:
    chooser = random.Random(60)
    queries = {"q0": PRIMER, "q1": "ACGTACGTAC"}
    subjects = {f"s{k}": with_sites(chooser, [*queries.values()] * 2, "dna", 60, 0.03) for k in range(4)}
    files = write_fasta(tmp_path / "q.fasta", queries), write_fasta(tmp_path / "s.fasta", subjects)
    options = ["--alphabet", "dna", "--max-differences", 3, *["--substitutions-only"] * only, "--outfmt", format]
    words = ("search", *files, *options)
    rows = alnus.search(*files, alphabet="dna", max_differences=3, substitutions_only=only)
    assert (rows.hsp > 1).any()
    rows.write(tmp_path / "rows", format, command_line=program.command_line(*words))
    assert (tmp_path / "rows").read_bytes() == program.text(*words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"mode": "semiglobal"}, "Give either max_differences or mode, not both"),
        ({"matrix": "BLOSUM62", "gaps": (11, 1)}, "Give either max_differences or matrix, gaps, not both"),
        ({"match": 1, "mismatch": -1}, "max_differences or match, mismatch"),
        ({"gap_convention": "ncbi"}, "max_differences or gap_convention"),
        ({"free_ends": ["sbegin", "send"]}, "max_differences or free_ends"),
        ({"preset": "blastp"}, "max_differences or preset"),
        ({"scoring": alnus.Scoring()}, "max_differences or scoring"),
        ({"min_score": -2}, "max_differences or min_score"),
        ({"evalue": 10}, "max_differences or evalue"),
        ({"stats": "none"}, "max_differences or stats"),
        ({"detail": "ends"}, "max_differences lists all places of a query, which needs alignments"),
        ({"detail": "ends", "max_hsps": 2}, "max_hsps 2 needs alignments"),
        ({"max_differences": -1}, "max_differences is -1; it must be from 0 to 1000"),
        ({"max_differences": 1001}, "max_differences is 1001; it must be from 0 to 1000"),
        ({"max_differences": 1.5}, "max_differences is 1.5; it must be a whole number"),
        ({"max_differences": None, "substitutions_only": True}, "substitutions_only needs max_differences"),
        ({"substitutions_only": "no"}, "substitutions_only is 'no'; it must be True or False"),
    ],
)
def test_what_differences_replace_is_refused(words: dict[str, Any], message: str) -> None:
    words = {"max_differences": 2, **words}
    sets = ["SIINFEKL"], ["GSIINFEKLG"]
    for call in (
        lambda: alnus.search(*sets, **words),
        lambda: alnus.align(*sets, **words),
        lambda: alnus.align("SIINFEKL", "GSIINFEKLG", **words),
        lambda: alnus.align_pairs(*sets, [[0, 0]], **words),
        lambda: alnus.cost_of_search(*sets, **words),
        lambda: alnus.cost_of_align(*sets, **words),
    ):
        with pytest.raises(alnus.InputError, match=message):
            call()


def test_costs_take_differences() -> None:
    sets = ["SIINFEKL"], ["GSIINFEKLG", "SIINFEK"]
    for only in (False, True):
        words: dict[str, Any] = {"max_differences": 1, "substitutions_only": only}
        assert alnus.cost_of_search(*sets, **words).pairs == 2
        assert alnus.cost_of_align(*sets, [[0, 0]], **words).pairs == 1
