"""Open files, FASTA as text, and lines of FASTA are read as a path to the same file is."""

from __future__ import annotations

import contextlib
import gzip
import io
import pathlib
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from inputs import write_fasta

import alnus

TEXT = ">a the first\nMKVL\nAW\n>b\nMKHLAWQ\n\n>c x/y.z\nWWQRYT\n"
FASTQ = "@r1\nACGTACGTAA\n+\nIIIIIIIIII\n@r2 a read\nACGTCC\n+\nIIIII!\n"
IDS, TITLES, LETTERS = ["a", "b", "c"], ["the first", "", "x/y.z"], ["MKVLAW", "MKHLAWQ", "WWQRYT"]


class Reading:
    """What has read() and no more."""

    def __init__(self, text: Any) -> None:
        self.read = lambda: text


SOURCES: dict[str, Callable[[pathlib.Path], Any]] = {
    "open file": lambda path: path.open(),
    "binary file": lambda path: path.open("rb"),
    "unbuffered file": lambda path: path.open("rb", buffering=0),
    "gzip": lambda path: gzip.open(path.with_suffix(".gz")),  # noqa: SIM115
    "gzip as text": lambda path: gzip.open(path.with_suffix(".gz"), "rt"),  # noqa: SIM115
    "compressed bytes of a file": lambda path: path.with_suffix(".gz").open("rb"),
    "compressed bytes": lambda path: path.with_suffix(".gz").read_bytes(),
    "StringIO": lambda path: io.StringIO(TEXT),
    "BytesIO": lambda path: io.BytesIO(TEXT.encode()),
    "temporary file": lambda path: _temporary(),
    "object with read()": lambda path: Reading(TEXT),
    "object that reads a bytearray": lambda path: Reading(bytearray(TEXT.encode())),
    "str": lambda path: TEXT,
    "bytes": lambda path: TEXT.encode(),
    "str with blank lines before": lambda path: "\n  \n" + TEXT,
    "str with a byte order mark": lambda path: "\ufeff" + TEXT,
    "str with comments": lambda path: "; a comment\n" + TEXT,
    "str with line ends of Windows": lambda path: TEXT.replace("\n", "\r\n"),
    "lines": lambda path: TEXT.splitlines(),
    "lines with their ends": lambda path: TEXT.splitlines(keepends=True),
    "lines of bytes": lambda path: TEXT.encode().splitlines(),
    "generator of lines": lambda path: (line for line in TEXT.splitlines(keepends=True)),
    "iterator of an open file": lambda path: iter(path.open()),
    "records": lambda path: [">" + record for record in TEXT.split(">")[1:]],
}


def _temporary() -> Any:
    file = tempfile.TemporaryFile("w+")  # noqa: SIM115
    file.write(TEXT)
    file.seek(0)
    return file


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "x.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "x.fasta").write_text(TEXT)
    return tmp_path / "x.fasta"


@contextlib.contextmanager
def opened(kind: str, path: pathlib.Path) -> Iterator[Any]:
    value = SOURCES[kind](path)
    yield value
    if hasattr(value, "close") and not isinstance(value, Iterator):
        value.close()


@pytest.mark.filterwarnings("ignore:unclosed file")
@pytest.mark.parametrize("kind", SOURCES)
def test_fasta_is_read_wherever_it_is(kind: str, path: pathlib.Path) -> None:
    with opened(kind, path) as value:
        database = alnus.Database(value)
    assert list(database) == LETTERS and database.ids == IDS and database.titles == TITLES
    with opened(kind, path) as value:
        assert alnus.search(value, path, stats="none").queries.ids == IDS
    with opened(kind, path) as value:
        assert alnus.search(["MKVLAW"], value, stats="none").subjects.ids == IDS


def test_every_call_reads_open_files(path: pathlib.Path) -> None:
    def fresh() -> io.StringIO:
        return io.StringIO(TEXT)

    expected = alnus.pdist(path, mode="global", value="score").tolist()
    assert alnus.pdist(fresh(), mode="global", value="score").tolist() == expected
    assert alnus.cdist(fresh(), path, value="score").shape == (3, 3)
    assert alnus.align(TEXT, TEXT).query_id.tolist() == IDS
    assert alnus.align(TEXT, fresh()).query_id.tolist() == IDS
    assert len(alnus.align(TEXT, ">only\nMKV\n" * 3)) == 3
    assert alnus.align_pairs(fresh(), TEXT, [[0, 2]]).subject_id.tolist() == ["c"]
    assert sum(len(rows) for rows in alnus.all_pairs(fresh(), mode="global", significance=False)) == 3
    assert len(alnus.z_values(fresh(), TEXT, shuffles=10).z) == 3
    assert len(alnus.identity_range(fresh(), TEXT)) == 3


def test_fastq_is_read_with_its_qualities(tmp_path: pathlib.Path) -> None:
    for value in (FASTQ, FASTQ.encode(), io.StringIO(FASTQ), FASTQ.splitlines()):
        reads = alnus.Database(value, alphabet="dna")
        assert reads.ids == ["r1", "r2"] and reads.titles == ["", "a read"]
        alnus.search(reads, {"s": "ACGTACGTAA"}, stats="none").write(tmp_path / "x.sam", "sam")
        assert "\tACGTACGTAA\tIIIIIIIIII\t" in (tmp_path / "x.sam").read_text()


def test_alphabet_mask_and_name_count_as_for_a_path(path: pathlib.Path) -> None:
    dna = ">a\nACGTACGTacgt\n"
    with pytest.raises(alnus.InputError, match="looks like dna"):
        alnus.pdist(io.StringIO(dna * 2))
    assert alnus.Database(dna, alphabet="auto").alphabet == "dna"
    assert alnus.search(dna, alnus.Database(["ACGTACGT"], alphabet="dna"), stats="none").score.tolist() == [40]
    assert list(alnus.Database(dna, alphabet="dna", mask=["lower"])) == ["ACGTACGTNNNN"]
    with path.open() as file:
        assert alnus.Database(file).name == str(path)
    with path.open() as file:
        assert alnus.Database(file, name="mine").name == "mine"
    assert alnus.Database(TEXT).name == "sequences"


def test_errors_name_the_record() -> None:
    for value in (">a\nMKV\n>b\nM\x02K\n", io.StringIO(">a\nMKV\n>b\nM\x02K\n"), [">a", "MKV", ">b", "M\x02K"]):
        with pytest.raises(alnus.InputError, match=r"queries.*record 2.*0x02"):
            alnus.search(value, ["MKV"])
    with pytest.raises(alnus.InputError, match="sequences"):
        alnus.Database(io.StringIO(""))


def test_files_that_cannot_be_read_are_errors(path: pathlib.Path) -> None:
    file = path.open()
    file.close()
    with pytest.raises(alnus.InputError, match=r"x\.fasta.*closed"):
        alnus.Database(file)
    with (path.parent / "y").open("w") as written, pytest.raises(alnus.InputError, match=r"y: not readable"):
        alnus.Database(written)
    with path.with_suffix(".gz").open() as text, pytest.raises(alnus.InputError, match=r"x\.gz is no text.*'rb'"):
        alnus.Database(text)
    with pytest.raises(alnus.InputError, match=r"read.*NoneType"):
        alnus.Database(Reading(None))
    (path.parent / "cut.gz").write_bytes(gzip.compress(TEXT.encode() * 50)[:-20])
    with gzip.open(path.parent / "cut.gz") as cut, pytest.raises(alnus.InputError, match=r"cut\.gz"):
        alnus.Database(cut)
    alnus.make_database(path, path.with_suffix(".alnus"))
    with path.with_suffix(".alnus").open("rb") as binary, pytest.raises(alnus.InputError, match="database file"):
        alnus.Database(binary)


@pytest.mark.parametrize(
    "value",
    [
        ["MKV", ">b", "MKW"],
        ["MKV", ">b\nMKW"],
        ["MKV\n>b\nMKW"],
        ["MKV", "@r1\nACGT\n+\nIIII"],
        {"a": "MKV", "b": ">b\nMKW"},
        [("a", "MKV"), ("b", ">b\nMKW")],
        np.array(["MKV", ">b"]),
    ],
    ids=str,
)
def test_headers_among_sequences_are_errors(value: Any) -> None:
    has_ids = isinstance(value, dict) or isinstance(value[0], tuple)
    place = r"queries\[1\] \('b'\)" if has_ids else r"queries\[[01]\]"
    with pytest.raises(alnus.InputError, match=rf"{place} has a.*header of FAST[AQ].*path, an open file or one"):
        alnus.search(value, ["MKV"])


def test_a_pair_of_texts_has_no_headers() -> None:
    with pytest.raises(alnus.InputError, match="header of FASTA"):
        alnus.align("MKV", "MK\n>b\nV")
    assert alnus.align("MKV", ">b\nMKV").subject_id.tolist() == ["b"]


def test_lines_of_two_types_are_errors() -> None:
    with pytest.raises(alnus.InputError, match=r"sequences\[1\] is bytes"):
        alnus.Database([">a", b"MKV"])
    with pytest.raises(alnus.InputError, match=r"sequences\[2\] is NoneType"):
        alnus.Database([">a", "MKV", None])


def test_fasta_has_its_own_ids() -> None:
    for words in ({"ids": IDS}, {"titles": TITLES}):
        with pytest.raises(alnus.InputError, match="headers"):
            alnus.Database(TEXT, **words)  # type: ignore[arg-type]


def test_a_database_of_a_path_says_what_to_call(path: pathlib.Path) -> None:
    for value in (path, str(path), "x.fasta"):
        with pytest.raises(alnus.InputError, match=r"Database\.open"):
            alnus.Database(value)
    for value in ([path], [path.open()]):
        with pytest.raises(alnus.InputError, match=r"sequences\[0\].*a file is given alone"):
            alnus.Database(value)


def test_a_database_file_is_made_of_paths(path: pathlib.Path) -> None:
    with path.open() as file, pytest.raises(alnus.InputError, match="inputs is an open file"):
        alnus.make_database(file, path.with_suffix(".alnus"))  # type: ignore[arg-type]


def test_paths_are_still_paths(path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    write_fasta(path.parent / "@x.fasta", {"only": "MKV"})
    assert alnus.search("@x.fasta", path, stats="none").queries.ids == ["only"]
