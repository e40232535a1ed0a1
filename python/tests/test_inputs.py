"""Sequences of every supported kind are read, and anything else is an error that names it."""

from __future__ import annotations

import gzip
import pathlib
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from inputs import write_fasta

import alnus

LETTERS = ["MKVLAW", "MKHLAWQ", "", "WWQRYT"]
IDS = ["a", "b", "c", "d"]


def generated() -> Iterator[str]:
    yield from LETTERS


WITHOUT_IDS: dict[str, Any] = {
    "list of str": list(LETTERS),
    "list of bytes": [one.encode() for one in LETTERS],
    "both": [LETTERS[0], LETTERS[1].encode(), LETTERS[2], LETTERS[3]],
    "tuple": tuple(LETTERS),
    "map": map(str, LETTERS),
    "iterator": iter(LETTERS),
    "values of a dict": dict(zip(IDS, LETTERS, strict=True)).values(),
    "array of str": np.array(LETTERS),
    "array of bytes": np.array(LETTERS, dtype="S"),
    "array of objects": np.array(LETTERS, dtype=object),
    "every second of an array": np.repeat(np.array(LETTERS), 2)[::2],
    "buffer": (np.frombuffer("".join(LETTERS).encode(), dtype=np.uint8), np.array([0, 6, 13, 13, 19])),
}


@pytest.mark.parametrize("kind", WITHOUT_IDS)
def test_sequences_without_ids_are_numbered(kind: str) -> None:
    database = alnus.Database(WITHOUT_IDS[kind])
    assert list(database) == LETTERS and database.ids == ["0", "1", "2", "3"]
    assert database.lengths.tolist() == [6, 7, 0, 6] and database.residues == 19


def test_generators_are_read_once() -> None:
    assert list(alnus.Database(generated())) == LETTERS
    hits = alnus.search(generated(), generated(), stats="none")
    assert len(hits) > 3


def test_one_str_or_bytes_is_one_sequence() -> None:
    assert list(alnus.Database("MKVLAW")) == list(alnus.Database(b"MKVLAW")) == ["MKVLAW"]
    assert alnus.search("MKVLAW", b"MKVLAW").score.tolist() == [33]


@pytest.mark.parametrize("kind", ["dict", "pairs", "ids", "dict of bytes", "tuple of pairs"])
def test_ids_come_with_the_sequences(kind: str) -> None:
    pairs = list(zip(IDS, LETTERS, strict=True))
    values: dict[str, Any] = {
        "dict": dict(pairs),
        "pairs": pairs,
        "ids": LETTERS,
        "dict of bytes": {name: one.encode() for name, one in pairs},
        "tuple of pairs": tuple(pairs),
    }
    database = alnus.Database(values[kind], ids=IDS if kind == "ids" else None)
    assert list(database) == LETTERS and database.ids == IDS


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint32, np.int64, np.uint64])
def test_offsets_may_have_any_whole_type(kind: type) -> None:
    letters = np.frombuffer(b"MKVLAWMKH", dtype=np.uint8)
    database = alnus.Database.from_buffer(letters, np.array([0, 6, 9], dtype=kind), ids=["x", "y"])
    assert list(database) == ["MKVLAW", "MKH"] and database.ids == ["x", "y"]


def test_buffers_may_be_strided_read_only_and_longer_than_used() -> None:
    letters = np.frombuffer(b"M-K-V-L-A-W-", dtype=np.uint8)[::2]
    assert not letters.flags.c_contiguous and not letters.flags.writeable
    assert list(alnus.Database.from_buffer(letters, [0, 3, 6])) == ["MKV", "LAW"]
    assert list(alnus.Database.from_buffer(letters, np.array([0, 9, 3, 9, 6])[::2])) == ["MKV", "LAW"]
    assert list(alnus.Database.from_buffer(np.empty(0, dtype=np.uint8), [0, 0])) == [""]
    own = np.frombuffer(b"MKVLAW", dtype=np.uint8).copy()
    database = alnus.Database.from_buffer(own, [0, 6])
    own[:] = ord("W")
    assert database[0] == "MKVLAW"
    buffer, offsets = database.to_buffer()
    assert buffer.dtype == np.uint8 and offsets.dtype == np.int64 and offsets.tolist() == [0, 6]


def test_letters_and_offsets_have_all_letters() -> None:
    letters = np.frombuffer(b"MKVLAWMKH", dtype=np.uint8)
    assert list(alnus.Database((letters, [0, 6, 9]))) == ["MKVLAW", "MKH"]
    assert list(alnus.Database((letters[:0], [0]))) == [] and alnus.pdist((letters, [0, 6, 9])).size == 1
    for offsets in ([0, 6], [6, 9], [3, 6], [0, 6, 10]):
        says = rf"sequences is \(letters, offsets\).* from {offsets[0]} to {offsets[-1]}\..*n \+ 1 .*from 0 to .*, 9\."
        with pytest.raises(alnus.InputError, match=says):
            alnus.Database((letters, offsets))
        with pytest.raises(alnus.InputError, match=says):
            alnus.pdist((letters, offsets))
    # from_buffer() may take a part of the letters.
    assert list(alnus.Database.from_buffer(letters, [3, 6])) == ["LAW"]
    arrow = pytest.importorskip("pyarrow").array(["MKV", "LAW", "MKH"])
    assert list(alnus.Database(arrow[1:2])) == ["LAW"]


@pytest.mark.parametrize("text", ["MKVLAW\nMKHLAW\nMKVLLW\n", b"MKVLAW\r\n\r\nMKHLAW\r\nMKVLLW", "1 mk\n2 h\n3 w"])
def test_a_text_of_several_lines_is_told_of(text: Any) -> None:
    says = r"^sequences is read as one sequence of 3 lines; .*give a list, such as text\.split\(\)"
    with pytest.warns(alnus.AlnusWarning, match=says):
        assert len(alnus.Database(text)) == 1
    with pytest.warns(alnus.AlnusWarning, match=says):
        alnus.pdist(text)
    with pytest.warns(alnus.AlnusWarning, match="^b is read as one sequence of 3 lines"):
        alnus.align("MKV", text)


@pytest.mark.parametrize("text", ["MKVLAW\n", "\n\n  MKV\n", "1 MKV LAW\n7\n", ">a\nMKV\nLAW\n", b"MKV\n"])
def test_other_texts_are_not_told_of(text: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(alnus.Database(text)) == 1
        alnus.align("MKV", text)


@pytest.mark.parametrize(
    "letters, offsets",
    [
        (np.zeros(3), [0, 3]),
        (np.zeros((3, 1), dtype=np.uint8), [0, 3]),
        ([77, 75], [0, 2]),
        (np.full(3, 77, dtype=np.uint8), [0, 4]),
        (np.full(3, 77, dtype=np.uint8), [-1, 3]),
        (np.full(3, 77, dtype=np.uint8), [0, 2, 1]),
        (np.full(3, 77, dtype=np.uint8), []),
        (np.full(3, 77, dtype=np.uint8), [0.0, 3.0]),
        (np.full(3, 77, dtype=np.uint8), [[0, 3]]),
        (np.full(3, 77, dtype=np.uint8), np.array([0, 2**64 - 1], dtype=np.uint64)),
        (np.full(3, 77, dtype=np.uint8), None),
        (np.full(3, 77, dtype=np.uint8), [[0], [1, 2]]),
        (None, [0, 3]),
    ],
)
def test_wrong_buffers_are_errors(letters: Any, offsets: Any) -> None:
    with pytest.raises(alnus.InputError):
        alnus.Database.from_buffer(letters, offsets)


def test_columns_of_pandas_polars_and_arrow_are_read() -> None:
    import pandas
    import polars
    import pyarrow

    assert list(alnus.Database(pandas.Series(LETTERS))) == LETTERS
    assert alnus.Database(pandas.Series(LETTERS)).ids == ["0", "1", "2", "3"]
    named = pandas.Series(LETTERS, index=IDS)
    assert alnus.Database(named).ids == IDS and list(alnus.Database(named)) == LETTERS
    assert alnus.Database(named[1:3]).ids == ["b", "c"]
    assert alnus.Database(pandas.Series(LETTERS, index=[5, 6, 7, 8])[[7, 5]]).ids == ["7", "5"]
    assert list(alnus.Database(pandas.Series(LETTERS, dtype="string"))) == LETTERS
    assert list(alnus.Database(pandas.Series(LETTERS, dtype="category"))) == LETTERS
    assert list(alnus.Database(pandas.Index(LETTERS))) == LETTERS
    assert list(alnus.Database(polars.Series(LETTERS))) == LETTERS
    assert list(alnus.Database(pyarrow.array(LETTERS))) == LETTERS
    assert list(alnus.Database(pyarrow.array(LETTERS, pyarrow.large_string())[1:])) == LETTERS[1:]
    assert list(alnus.Database(pyarrow.chunked_array([LETTERS[:2], LETTERS[2:]]))) == LETTERS
    frame = pandas.DataFrame({"letters": LETTERS})
    assert list(alnus.Database(frame["letters"])) == LETTERS
    for table in (frame, polars.DataFrame({"letters": LETTERS}), pyarrow.table({"letters": LETTERS})):
        with pytest.raises(alnus.InputError):
            alnus.Database(table)
    for column in (
        pandas.Series(["MKV", None]),
        polars.Series(["MKV", None]),
        pyarrow.array(["MKV", None]),
        pandas.Series(["MKV", None], dtype="string"),
    ):
        with pytest.raises(alnus.InputError, match=r"\b1\b"):
            alnus.search(column, ["MKV"])


def test_records_of_biopython_are_read(tmp_path: pathlib.Path) -> None:
    from Bio import SeqIO
    from Bio.Seq import MutableSeq, Seq
    from Bio.SeqRecord import SeqRecord

    file = write_fasta(tmp_path / "x.fasta", {"a1 the first": "MKVLAW", "b": "MKHLAWQ"})
    database = alnus.Database(SeqIO.parse(file, "fasta"))
    assert list(database) == ["MKVLAW", "MKHLAWQ"] and database.headers == ["a1 the first", "b"]
    assert database.ids == ["a1", "b"]
    assert alnus.Database(list(SeqIO.parse(file, "fasta"))).ids == ["a1", "b"]
    assert alnus.Database(SeqIO.to_dict(SeqIO.parse(file, "fasta"))).ids == ["a1", "b"]
    record = SeqRecord(Seq("MKVLAW"), id="one")
    assert alnus.Database(record).ids == ["one"]
    assert list(alnus.Database([Seq("MKV"), MutableSeq("MKW")])) == ["MKV", "MKW"]
    assert list(alnus.Database(Seq("MKV"))) == ["MKV"]
    assert alnus.align(Seq("MKVLAW"), Seq("MKVLAW"))[0].score == 33
    assert alnus.search(record, [record]).query_id.tolist() == ["one"]


def test_sequences_of_scikit_bio_are_read() -> None:
    skbio = pytest.importorskip("skbio")
    protein = skbio.Protein("MKVLAW", metadata={"id": "p1", "description": "a protein"})
    assert alnus.Database([protein]).headers == ["p1 a protein"] and alnus.Database([protein]).ids == ["p1"]
    assert list(alnus.Database(protein)) == ["MKVLAW"]
    assert list(alnus.Database([skbio.DNA("ACGT")], alphabet="dna")) == ["ACGT"]
    assert alnus.search([protein], [protein]).score.tolist() == [33]


def test_paths_are_read(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_fasta(tmp_path / "x.fasta", {"a": "MKVLAW", "b": "MKHLAWQ"})
    (tmp_path / "x.fasta.gz").write_bytes(gzip.compress(file.read_bytes()))
    for path in (file, str(file), tmp_path / "x.fasta.gz"):
        assert alnus.search(path, file).query_id.tolist() == ["a", "a", "b", "b"]
        assert alnus.Database.open(path).ids == alnus.Database.read(path).ids == ["a", "b"]
    monkeypatch.chdir(tmp_path)
    assert len(alnus.search("x.fasta", "./x.fasta")) == 4
    (tmp_path / "ü ñ.fasta").write_bytes(file.read_bytes())
    assert len(alnus.search(tmp_path / "ü ñ.fasta", ["MKVLAW"])) == 2


def test_parts_of_a_database_are_databases() -> None:
    database = alnus.Database(LETTERS, ids=IDS)
    assert database[1:3].ids == ["b", "c"] and list(database[-1:]) == ["WWQRYT"] and database[-1] == "WWQRYT"
    assert len(database[2:2]) == len(database[3:1]) == 0 and len(database[:99]) == 4
    assert database[1:][1:].ids == ["c", "d"]
    assert alnus.search(database[:2], database).query_id.tolist()[0] == "a"
    for wrong in (4, -5, 10**30):
        with pytest.raises(IndexError):
            database[wrong]


def test_case_is_kept_and_does_not_score() -> None:
    database = alnus.Database(["mkvLAW"])
    assert database[0] == "mkvLAW"
    pair = alnus.align("mkvlaw", "MKVLAW")
    assert pair.score == 33 and pair.cigar == "6=" and pair.aligned == ("mkvlaw", "MKVLAW")


def test_gaps_and_blanks_are_removed_and_gaps_are_told() -> None:
    with pytest.warns(alnus.AlnusWarning, match="3 gap letters"):
        assert list(alnus.Database(["MK-VL.A-W"])) == ["MKVLAW"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(alnus.Database(["MKV LAW\n", "MK\tV\r\n"])) == ["MKVLAW", "MKV"]


def test_digits_beside_letters_are_told(tmp_path: pathlib.Path) -> None:
    with pytest.warns(alnus.AlnusWarning, match=r"in 2 of the sequences; the digits are left out.*is record 2, '1'\."):
        assert list(alnus.Database(["1 MKV 4 LAW", "MKV1L0G", "MKV4"])) == ["MKVLAW", "MKVLG", "MKV"]
    with pytest.warns(alnus.AlnusWarning, match=r"1 of the sequences.*The first is record 2, 'b'\."):
        alnus.Database({"a": "MKV", "b": "MKV1L0G"})
    with pytest.warns(alnus.AlnusWarning, match="digits beside letters: the digits are left out"):
        alnus.align("MKV1L0G", "MKVLG")
    (tmp_path / "x.fasta").write_text(">a\nMKV\n>b\nMKV1L0G\n")
    with pytest.warns(alnus.AlnusWarning, match=r"\(record 2, 'b'\) has digits beside letters"):
        alnus.Database.open(tmp_path / "x.fasta")


def test_three_letter_code_is_told() -> None:
    with pytest.warns(alnus.AlnusWarning, match=r"\(record 2, 'b'\) looks spelt in three-letter code"):
        alnus.pdist({"a": "MKVLAW", "b": "MetLysValLeuAlaHisGluAlaGlyTrp"})


def test_a_header_that_has_lost_its_mark_is_an_error(tmp_path: pathlib.Path) -> None:
    protein = "MKVLAHEAGAWGHEE\n" * 20
    (tmp_path / "x.fasta").write_text(f">a\n{protein}sp|P12345|NAME_HUMAN Protein kinase\n{protein}")
    for call in (alnus.Database.open, alnus.pdist):
        with pytest.raises(alnus.InputError, match=r"record 1 \('a'\), line 22.*lost its '>'"):
            call(tmp_path / "x.fasta")


def test_a_file_of_headers_alone_is_an_error(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.fasta").write_text(">a MKV\n>b MKV\n")
    with pytest.raises(alnus.InputError, match="all 2 records have a header and no letters"):
        alnus.Database.open(tmp_path / "x.fasta")
    assert list(alnus.Database({"a": "", "b": ""})) == ["", ""]


def test_unknown_letters_are_told_and_read_as_unknown_residues() -> None:
    with pytest.warns(alnus.AlnusWarning, match=r"2 letters.*first is in record 2, '1'\."):
        database = alnus.Database(["MKV", "M?KV!"], alphabet="protein")
    assert list(database) == ["MKV", "MXKVX"]
    with pytest.warns(alnus.AlnusWarning, match=r"2 letters of queries \(in record 1, '0'\) outside"):
        alnus.search(["M?KV!"], ["MKV"])
    with pytest.warns(alnus.AlnusWarning):
        assert alnus.align("MK?V", "MKAV", mode="global").length == 4
    with pytest.warns(alnus.AlnusWarning, match="N"):
        assert list(alnus.Database(["ACGTE"], alphabet="dna")) == ["ACGTN"]


OUTSIDERS = pathlib.Path(__file__).parents[2] / "tests" / "data" / "outsiders"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("glued.fasta", r"record 1 \('a'\), line 2, byte 31"),
        ("form_feed.fasta", r"record 1 \('a'\), line 3, byte 15"),
        ("mixed.fa", r"record 1 \('a'\), line 3.*'@'"),
    ],
)
def test_a_record_that_would_be_swallowed_is_an_error(name: str, says: str, tmp_path: pathlib.Path) -> None:
    file = OUTSIDERS / name
    for call in (
        lambda: alnus.Database.open(file),
        lambda: alnus.pdist(file),
        lambda: alnus.cdist(["MKV"], file),
    ):
        with pytest.raises(alnus.InputError, match=says):
            call()
    (tmp_path / "x.gz").write_bytes(gzip.compress(file.read_bytes()))
    with pytest.raises(alnus.InputError, match=says):
        alnus.Database.open(tmp_path / "x.gz")


def test_blanks_before_headers_are_ignored() -> None:
    database = alnus.Database.open(OUTSIDERS / "indented.fasta")
    assert database.ids == ["a", "b"] and list(database) == ["MKVLAWQRYT", "MKHLAWERYT"]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("MKV>b", "has a '>'"),
        (b"MKV@b", "has a '@'"),
        ("PEPT(ph)IDEM(ox)R", "4 characters that no sequence has"),
        ("T0120301230", "1 letter and 10 digits"),
    ],
)
def test_texts_that_are_no_sequences_are_named(bad: Any, says: str) -> None:
    with pytest.raises(alnus.InputError, match=rf"queries\[1\].*{says}"):
        alnus.search(["MKV", bad], ["MKV"])
    with pytest.raises(alnus.InputError, match=says):
        alnus.align(bad, "MKV")
    with pytest.raises(alnus.InputError, match=says):
        letters = np.frombuffer(bad if isinstance(bad, bytes) else bad.encode(), np.uint8)
        alnus.Database.from_buffer(letters, [0, len(letters)])


def test_proteins_that_are_read_as_dna_are_an_error(tmp_path: pathlib.Path) -> None:
    protein, gene = "MKVLAHEAGAWGHEE", "ATGAAAGTTCTGGCTCATGAAGCTGGTGCTTGGGGTCATGAAGAA"
    file = write_fasta(tmp_path / "x.fasta", {"a": protein})
    calls: list[Any] = [
        lambda: alnus.Database([protein], alphabet="dna"),
        lambda: alnus.Database.open(file, alphabet="dna"),
        lambda: alnus.search([gene], [protein], alphabet="dna"),
        lambda: alnus.search([gene], file, alphabet="dna"),
        lambda: alnus.search(alnus.Database([gene], alphabet="dna"), [protein]),
        lambda: alnus.align(gene, protein, alphabet="dna"),
        lambda: alnus.cdist([gene], [protein], alphabet="dna"),
        lambda: alnus.pdist([protein, protein], alphabet="dna"),
    ]
    for call in calls:
        with pytest.raises((alnus.InputError, alnus.DatabaseError), match=r"no nucleotides.*does not translate"):
            call()
    for call in (lambda: alnus.search([gene], [protein]), lambda: alnus.align(gene, protein)):
        with pytest.raises(alnus.InputError, match=r"looks like dna.*alnus does not translate"):
            call()
    with pytest.warns(alnus.AlnusWarning, match="b looks like dna"):
        alnus.align(protein, gene)
    with pytest.warns(alnus.AlnusWarning, match="outside the dna alphabet"):
        assert list(alnus.Database(["ACGTXXXXIF"], alphabet="dna")) == ["ACGTNNNNNN"]


def test_an_alignment_is_told_of(tmp_path: pathlib.Path) -> None:
    says = r"looks like an alignment, because all its 2 records have 6 columns\. alnus takes them as 2 sequences"
    with pytest.warns(alnus.AlnusWarning, match=f"rows {says}"):
        assert list(alnus.Database({"a": "MK-VLA", "b": "MKHVLA"}, name="rows")) == ["MKVLA", "MKHVLA"]
    file = write_fasta(tmp_path / "x.fasta", {"a": "MK-VLA", "b": "MKHVLA"})
    with pytest.warns(alnus.AlnusWarning, match=says):
        alnus.Database.open(file)
    (tmp_path / "x.sto").write_text("# STOCKHOLM 1.0\n\na MK-VLA\n//\n")
    with pytest.raises(alnus.InputError, match="alignment in Stockholm format"):
        alnus.Database.open(tmp_path / "x.sto")


def test_nucleotides_are_not_taken_for_proteins() -> None:
    unstated = alnus.Database(["ACGTACGT", "ACGTACGA"])
    calls: list[Any] = [
        lambda: alnus.search(["ACGTACGT"], ["MKVLAW"]),
        lambda: alnus.align("ACGTACGT", "ACGTACGT"),
        lambda: alnus.align(["ACGTACGT"], ["ACGTACGT"]),
        lambda: alnus.pdist(["ACGTACGT", "ACGTACGA"]),
        lambda: alnus.cdist(["ACGTACGT", "ACGTACGA"], ["ACGTACGT"]),
        lambda: list(alnus.all_pairs(["ACGTACGT", "ACGTACGA"])),
        lambda: alnus.z_values(["ACGTACGT"], ["ACGTACGT"], shuffles=10),
        lambda: alnus.identity_range(["ACGTACGT"], ["ACGTACGT"]),
        lambda: alnus.search(unstated, ["MKVLAW"]),
        lambda: alnus.pdist(unstated),
        lambda: alnus.pdist(unstated[:1]),
        lambda: alnus.pdist(unstated, alphabet="auto"),  # type: ignore[arg-type]  # "auto" states nothing
    ]
    for call in calls:
        with pytest.raises(alnus.InputError, match=r"looks? like dna.*alphabet"):
            call()
    with pytest.warns(alnus.AlnusWarning, match="dna"):
        alnus.cdist(["MKVLAW"], ["ACGTACGT"])
    assert alnus.Database(["ACGTACGT"], alphabet="protein").alphabet == "protein"
    assert alnus.Database(["ACGTACGT"], alphabet="auto").alphabet == "dna"
    assert alnus.Database(["MKVLAW"], alphabet="auto").alphabet == "protein"
    assert alnus.align("ACGTACGT", "ACGTACGT", alphabet="dna").score == 40
    dna = alnus.Database(["ACGTACGT"], alphabet="dna")
    assert alnus.search(["ACGTACGT"], dna, stats="none").score.tolist() == [40]
    assert alnus.search(dna, ["ACGTACGT"], stats="none").score.tolist() == [40]
    with pytest.raises(alnus.InputError, match="dna"):
        alnus.search(alnus.Database(["MKVLAW"]), dna)


def test_a_call_can_say_that_a_database_is_of_proteins() -> None:
    assert alnus.pdist(alnus.Database(["ACGTACGT", "ACGT"]), alphabet="protein").shape == (1,)


def test_a_call_can_say_that_a_file_is_of_proteins(tmp_path: pathlib.Path) -> None:
    opened = alnus.Database.open(write_fasta(tmp_path / "x.fasta", {"a": "ACGTACGT", "b": "ACGT"}))
    with pytest.raises(alnus.InputError, match="dna"):
        alnus.pdist(opened)
    assert alnus.pdist(opened, alphabet="protein").shape == (1,)
    rows = alnus.search(opened, opened, alphabet="protein", stats="none")
    assert alnus.pdist(pickle.loads(pickle.dumps(rows)).queries).shape == (1,)
    with pytest.raises(alnus.InputError, match="dna"):
        alnus.pdist(pickle.loads(pickle.dumps(opened)))


@pytest.mark.parametrize("mask", [[], ["seg"]], ids=str)
def test_unknown_letters_are_told_once_whatever_is_made_of_a_set(mask: Any) -> None:
    makers: list[Callable[[alnus.Database], alnus.Database]] = [
        lambda database: database,
        lambda database: database[1:],
        lambda database: database[:2][:1],
        lambda database: database.in_file_order(),
    ]
    for make in makers:
        for words in ({}, {"alphabet": "protein"}):
            database = alnus.Database(["MKVLAW", "MK1LA?W", "MKV"], name="mine", mask=mask)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                for _ in range(2):
                    alnus.pdist(make(database), value="score", **words)
                alnus.pdist(database, value="score")
            texts = [str(one.message) for one in said]
            assert texts == ["1 letter of mine (in record 2, '1') outside the protein alphabet, read as X."]


def test_an_alphabet_that_nobody_stated_is_doubted_after_pickle_too() -> None:
    with pytest.raises(alnus.InputError, match="dna"):
        alnus.pdist(pickle.loads(pickle.dumps(alnus.Database(["ACGTACGT", "ACGT"]))))


@pytest.mark.parametrize("bad", [None, 3, 1.5, float("nan"), object(), ["M"], ("M",), {"a": "M"}, np.array([77])])
def test_an_element_that_is_no_sequence_is_named(bad: Any) -> None:
    calls: dict[str, Any] = {
        "queries": lambda: alnus.search(["MKV", "MKW", bad], ["MKV"]),
        "database": lambda: alnus.search(["MKV"], ["MKV", "MKW", bad]),
        "a": lambda: alnus.align(["MKV", "MKV", bad], ["MKV"] * 3),
        "b": lambda: alnus.cdist(["MKV"], ["MKV", "MKV", bad]),
        "sequences": lambda: alnus.pdist(["MKV", "MKV", bad]),
    }
    for name, call in calls.items():
        with pytest.raises(alnus.InputError, match=rf"\b{name}\b.*\b2\b"):
            call()


def test_surrogates_are_no_letters() -> None:
    with pytest.raises(alnus.InputError, match=r"queries.*\b1\b"):
        alnus.search(["MKV", "MK\ud800V"], ["MKV"])
    with pytest.raises(alnus.InputError):
        alnus.align("MK\ud800V", "MKV")


@pytest.mark.parametrize("bad", ["MK\0V", "MKÅV", b"MK\xffV", b"MK\0V", "MK\x7fV", "MK\u2028V"])
def test_bytes_that_are_no_letters_are_named(bad: Any) -> None:
    with pytest.raises(alnus.InputError, match=r"queries.*\b1\b"):
        alnus.search(["MKV", bad], ["MKV"])
    with pytest.raises(alnus.InputError):
        alnus.align(bad, "MKV")
    with pytest.raises(alnus.InputError):
        alnus.align("MKV", bad)
    with pytest.raises(alnus.InputError):
        alnus.Database.from_buffer(np.frombuffer(bad if isinstance(bad, bytes) else bad.encode(), np.uint8), [0, 4])


@pytest.mark.parametrize("bad", [5, 1.5, object(), None, True])
def test_what_is_no_set_is_named(bad: Any) -> None:
    for name, call in (
        ("queries", lambda: alnus.search(bad, ["MKV"])),
        ("database", lambda: alnus.search(["MKV"], bad)),
        ("sequences", lambda: alnus.pdist(bad)),
    ):
        with pytest.raises(alnus.InputError, match=name):
            call()


def test_odd_ids_are_kept_or_refused() -> None:
    long = "x" * 1_000_000
    database = alnus.Database({long: "MKV", "ü\u4e00": "MKW", "tab\there": "MK"})
    assert database.ids[0] == long and database.headers[1] == "ü\u4e00"
    hits = alnus.search(database, database, stats="none")
    assert hits.query_id[0] == long
    for bad in ("\ud800", "a\nb", "a\rb"):
        with pytest.raises(alnus.InputError):
            alnus.Database({bad: "MKV"})
    for ids in ("abcd", ["a"], ["a"] * 5, 5, [1, 2, 3, 4], [None] * 4):
        with pytest.raises(alnus.InputError):
            alnus.Database(LETTERS, ids=ids)  # type: ignore[arg-type]
    assert alnus.Database(LETTERS, ids=["same"] * 4).ids == ["same"] * 4


def test_an_iterator_that_fails_fails_the_call() -> None:
    def failing() -> Iterator[str]:
        yield "MKV"
        raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        alnus.search(failing(), ["MKV"])


def test_databases_say_what_they_are() -> None:
    database = alnus.Database(LETTERS, ids=IDS, name="mine")
    assert repr(database) == "<Database mine: 4 protein sequences, 19 residues>" and database.name == "mine"
    assert len(database.digest()) == 32 and database.digest() == alnus.Database(LETTERS, ids=IDS).digest()
    assert database.digest() != alnus.Database(LETTERS).digest()


@pytest.mark.parametrize("bad", ["a\0b", "a\x02b"])
def test_ids_have_no_control_characters(bad: str) -> None:
    with pytest.raises(alnus.InputError, match=r"ids\[0\] has the byte 0x0"):
        alnus.Database({bad: "MKV"})


def test_either_database_file_tells_the_others_alphabet(tmp_path: pathlib.Path) -> None:
    alnus.Database(["ACGTACGTAC", "ACGTTT"], alphabet="dna").write(tmp_path / "nt.alnus")
    for a, b in ((tmp_path / "nt.alnus", ["ACGTACGTAC"]), (["ACGTACGTAC"], tmp_path / "nt.alnus")):
        assert alnus.cdist(a, b, value="score").size == 2


def test_a_row_number_is_not_wrapped() -> None:
    rows = alnus.align(["MKV"] * 2, ["MKV"] * 2)
    with pytest.raises(IndexError):
        rows[np.array([2**64 - 1], dtype=np.uint64)]
