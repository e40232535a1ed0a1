"""Rows and alignments as text: where lines and tables end, and what chosen rows keep."""

from __future__ import annotations

import html
import random
import re
import warnings
from typing import Any

import numpy as np
import pytest
from inputs import AMINO_ACIDS, family, random_letters, reverse_complement

import alnus


@pytest.mark.parametrize("length", [1, 59, 60, 61, 119, 120, 121])
@pytest.mark.parametrize("strand", ["plus", "minus"])
def test_lines_of_alignments_have_60_columns(length: int, strand: Any, session: alnus.Session) -> None:
    chooser = random.Random(length)
    subject = "T" + random_letters(chooser, "ACG", length - 1) + "A"  # one T, so that one alignment is the best
    query = subject[:-1] if strand == "plus" else reverse_complement(subject[:-1])
    pair = session.align(query, subject, alphabet="dna", strand=strand, match=5, mismatch=-4, gaps=(10, 6))
    assert pair.aligned == (subject[:-1], subject[:-1])
    head, *lines = str(pair).split("\n")
    assert f"identity {length}/{length} (100.0%)" in head
    assert head.endswith("minus strand") == (strand == "minus")
    assert len(lines) == 4 * -(-length // 60)
    for first in range(0, length, 60):
        last = min(first + 60, length)
        places = (first + 1, last) if strand == "plus" else (length - first, length - last + 1)
        letters = subject[first:last]
        blank, of_query, marks, of_subject = lines[first // 15 : first // 15 + 4]
        assert blank == ""
        assert of_query.split() == ["query", str(places[0]), letters, str(places[1])]
        assert marks.split() == ["|" * len(letters)]
        assert of_subject.split() == ["subject", str(first + 1), letters, str(last)]
        assert of_query.index(letters) == of_subject.index(letters) == marks.index("|"), "columns are below each other"
    text = html.unescape(re.sub("<[^>]*>", "", pair._repr_html_()))
    for line in lines:
        assert "|" in line or re.sub(" +", " ", line) in re.sub(" +", " ", text)


@pytest.mark.parametrize("length", [1, 59, 60, 61, 120, 121])
def test_lines_of_fasta_have_60_letters(length: int, session: alnus.Session) -> None:
    letters = random_letters(random.Random(length), AMINO_ACIDS, length)
    rows = session.align([letters], {"s": letters}, mode="global", alphabet="protein")
    for part, header in (("subjects", "s"), ("regions", f"s/1-{length}")):
        head, *lines, last = rows.to_fasta(part).split("\n")  # type: ignore[arg-type]
        assert (head, last) == (f">{header}", "")
        assert "".join(lines) == letters
        assert [len(line) for line in lines[:-1]] == [60] * (len(lines) - 1)
        assert 1 <= len(lines[-1]) <= 60


@pytest.mark.parametrize("count", [0, 1, 2, 9, 10, 11, 25])
def test_tables_show_ten_rows(count: int, session: alnus.Session) -> None:
    texts = [random_letters(random.Random(k), AMINO_ACIDS, 20) for k in range(25)]
    rows = session.align(texts, texts, mode="global")[:count]
    name = f"{count} row{'' if count == 1 else 's'}: Scoring("
    head, *lines = repr(rows).split("\n")
    assert head.startswith(f"<{name}")
    page = rows._repr_html_()
    assert name in html.unescape(page)
    assert page.count("<tr>") == 1 + min(count, 10)
    assert ("more</p>" in page) == (count > 10)
    if count == 0:
        assert lines == []
        return
    assert len(lines) == 1 + min(count, 10) + (count > 10)
    assert (lines[-1] == "...") == (count > 10)
    if count > 10:
        assert f"<p>and {count - 10} more</p>" in page
        del lines[-1]
    assert lines[0].split()[:3] == ["query", "subject", "score"]
    assert lines[0].split()[-1] == "identity"
    for k, line in enumerate(lines[1:]):
        cells = line.split()
        assert cells[:3] == [str(k), str(k), str(int(rows.score[k]))]
        assert cells[-1] == "100.0%"
        assert len(cells) == len(lines[0].split())


def test_chosen_rows_keep_the_first_row_of_each_query(session: alnus.Session) -> None:
    texts = family(3, 12, shortest=30, longest=40)
    rows = session.search(texts, texts, stats="none")
    first = rows.first_row
    assert first is not None and len(first) == 13
    assert first.tolist() == np.searchsorted(rows.query, np.arange(13)).tolist()
    draw = random.Random(4)
    for size in (0, 1, 2, 5, len(rows) // 2, len(rows)):
        numbers = sorted(draw.sample(range(len(rows)), size))
        chosen = rows[numbers]
        assert chosen.query.tolist() == rows.query[numbers].tolist()
        assert chosen.cigars == [rows[k].cigar for k in numbers]
        of_chosen = chosen.first_row
        assert of_chosen is not None
        assert of_chosen.tolist() == np.searchsorted(chosen.query, np.arange(13)).tolist()
    assert rows[::-1].first_row is None
    same = rows[rows.query == rows.query[0]][::-1].first_row
    assert same is not None and same[0] == 0, "the rows of one query are in the order of the queries"


def test_rows_and_sequences_count_from_both_ends(session: alnus.Session) -> None:
    texts = ["MKVLAW", "MKHLAWQ", "WWQRYT"]
    rows, database = session.align(texts, texts), alnus.Database(texts)
    for k in range(3):
        assert rows[k].query == rows[k - 3].query == k
        assert database[k] == database[k - 3] == texts[k]
    for k in (3, -4, 2**31, -(2**40)):
        with pytest.raises(IndexError):
            rows[k]
        with pytest.raises(IndexError):
            database[k]


def test_headers_have_no_control_characters_but_tabs() -> None:
    for code in [*range(128), 0x80, 0xE9, 0x20AC]:
        for argument in ("ids", "titles"):
            labels: Any = {argument: [f"a{chr(code)}b"]}
            if code == 9 or (code >= 32 and code != 127):
                assert getattr(alnus.Database(["MKV"], **labels), argument) == labels[argument]
            else:
                with pytest.raises(alnus.InputError, match=rf"^{argument}\[0\] has the byte 0x{code:02x}, which"):
                    alnus.Database(["MKV"], **labels)


def test_a_short_text_of_nucleotides_may_be_a_peptide(session: alnus.Session) -> None:
    gene, protein = "ACGTTGCAAC" * 3, "MKVLAWQRYTHEW" * 30
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session.align(gene[:29], protein)
        session.align(protein, gene[:29])
    with pytest.raises(alnus.InputError, match=r"^a looks like dna, but b holds a protein"):
        session.align(gene, protein)
    with pytest.warns(alnus.AlnusWarning, match=r"^b looks like dna and is aligned as protein"):
        session.align(protein, gene)
