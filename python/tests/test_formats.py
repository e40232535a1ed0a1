"""Rows.write() writes the bytes that the program writes, in every format."""

from __future__ import annotations

import gzip
import pathlib
import random
from typing import Any

import pytest
from inputs import AMINO_ACIDS, family, mutated, random_letters, write_fasta
from support import Program, run_script

import alnus

COLUMNS = (
    "6 qaccver saccver qtitle stitle qheader theader qlen slen sstrand score bitscore evalue "
    "adjscore zscore zscore_se zfit qend send qstart sstart length nident positive mismatch gapopen "
    "gaps pident pident_ungapped pident_shorter pident_longer pident_mean pident_end_gaps fident "
    "ppos qcovhsp qcovs scovhsp qcov tcov cigar btop qseq sseq full_qseq full_sseq"
)
FORMATS = [
    "0",
    "5",
    "6",
    COLUMNS,
    "6 qseqid,sseqid,score",
    "7",
    "7 qseqid score btop",
    "10",
    "10 std qtitle stitle",
]
FORMATS += ["sam", "srspair", "jsonl"]
Files = tuple[pathlib.Path, pathlib.Path]


@pytest.fixture(scope="session")
def relatives(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Two files of ten proteins: record i of one is a relative of record i of the other."""
    folder = tmp_path_factory.mktemp("relatives")
    chooser = random.Random(15)
    first = {f"a{k} of ten, the {k}": random_letters(chooser, AMINO_ACIDS, chooser.randint(30, 90)) for k in range(10)}
    second = {f"b{k}": mutated(chooser, one, AMINO_ACIDS, 0.4, 0.1) for k, one in enumerate(first.values())}
    return write_fasta(folder / "a.fasta", first), write_fasta(folder / "b.fasta", second)


def written(rows: alnus.Rows, folder: pathlib.Path, outfmt: str, **arguments: Any) -> bytes:
    file = folder / "rows"
    rows.write(file, outfmt, **arguments)
    return file.read_bytes()


def equal_in_all_formats(program: Program, rows: alnus.Rows, folder: pathlib.Path, *command: object) -> None:
    for outfmt in FORMATS:
        words = (*command, "--outfmt", outfmt)
        line = program.command_line(*words)
        assert written(rows, folder, outfmt, command_line=line) == program.text(*words), outfmt


def test_a_search_of_proteins_is_written_as_the_program_writes_it(
    program: Program, proteins: Files, tmp_path: pathlib.Path
) -> None:
    rows = alnus.search(*proteins)
    assert len(rows) > 30
    equal_in_all_formats(program, rows, tmp_path, "search", *proteins)


def test_a_search_of_both_strands_is_written_as_the_program_writes_it(
    program: Program, nucleotides: Files, tmp_path: pathlib.Path
) -> None:
    rows = alnus.search(*nucleotides, alphabet="dna", match=2, mismatch=-3, gaps=(5, 2))
    assert set(rows.strand) == {1, -1}
    options = ("--alphabet", "dna", "--match", 2, "--mismatch", -3, "--gap-open", 5, "--gap-extend", 2)
    equal_in_all_formats(program, rows, tmp_path, "search", *nucleotides, *options)


@pytest.mark.parametrize(
    "mode",
    [
        "local",
        "global",
        "semiglobal",
    ],
)
def test_aligned_pairs_are_written_as_the_program_writes_them(
    program: Program, relatives: Files, tmp_path: pathlib.Path, mode: Any
) -> None:
    rows = alnus.align(*relatives, mode=mode, significance=True)
    assert len(rows) == 10
    equal_in_all_formats(program, rows, tmp_path, "align", *relatives, "--mode", mode)


@pytest.mark.parametrize("strand", ["plus", "minus", "both"])
def test_aligned_pairs_of_dna_are_written_as_the_program_writes_them(
    program: Program, tmp_path: pathlib.Path, strand: Any
) -> None:
    a = write_fasta(tmp_path / "a.fa", {f"a{k}": one for k, one in enumerate(family(3, 6, "ACGT"))})
    b = write_fasta(tmp_path / "b.fa", {f"b{k}": one for k, one in enumerate(family(4, 6, "ACGT"))})
    rows = alnus.align(a, b, alphabet="dna", mode="semiglobal", strand=strand, significance=True)
    options = ("--alphabet", "dna", "--mode", "semiglobal", "--strand", strand)
    equal_in_all_formats(program, rows, tmp_path, "align", a, b, *options)


@pytest.mark.parametrize("outfmt", ["6", "10", "6 qseqid evalue bitscore adjscore"])
def test_a_header_names_the_columns(program: Program, proteins: Files, tmp_path: pathlib.Path, outfmt: str) -> None:
    rows = alnus.search(*proteins)
    expected = program.text("search", *proteins, "--outfmt", outfmt, "--header")
    assert written(rows, tmp_path, outfmt, header=True) == expected


@pytest.mark.parametrize(
    "words, options",
    [
        ({"matrix": "BLOSUM50", "gaps": (13, 2)}, ("--matrix", "BLOSUM50", "--gap-open", 13, "--gap-extend", 2)),
        ({"gaps": (10.5, 0.5), "stats": "none"}, ("--gap-open", 10.5, "--gap-extend", 0.5, "--stats", "none")),
        ({"gaps": (12, 1), "gap_convention": "emboss"}, ("--gap-open", 12, "--gap-convention", "emboss")),
        ({"preset": "ssearch", "stats": "none"}, ("--preset", "ssearch", "--stats", "none")),
        ({"preset": "blastp", "composition": "none"}, ("--preset", "blastp", "--composition", "none")),
        ({"max_target_seqs": 2, "evalue": 1e-5}, ("--max-target-seqs", 2, "--evalue", 1e-5)),
        ({"min_score": 40}, ("--min-score", 40)),
        ({"detail": "score"}, ("--detail", "score")),
        ({"detail": "ends"}, ("--detail", "ends")),
        ({"stats": "karlin"}, ("--stats", "karlin")),
        ({"dbsize": 1e9}, ("--dbsize", 1000000000)),
        ({"dbsize": (1e9, 1e6)}, ("--dbsize", "1000000000,1000000")),
        ({"searchsp": 1e12}, ("--searchsp", 1000000000000)),
        (
            {"stats": "zvalue", "shuffles": 50, "shuffled": "subject"},
            ("--stats", "zvalue", "--shuffles", 50, "--shuffle", "subject"),
        ),
        ({"low_complexity": "none"}, ("--low-complexity", "none")),
        (
            {"mode": "global", "free_ends": ["qbegin", "qend"], "stats": "none"},
            ("--mode", "global", "--free-ends", "qbegin,qend", "--stats", "none"),
        ),
    ],
    ids=str,
)
def test_options_of_a_search_mean_what_they_mean_to_the_program(
    program: Program, proteins: Files, tmp_path: pathlib.Path, words: Any, options: tuple[object, ...]
) -> None:
    rows = alnus.search(*proteins, **words)
    columns = "6 qseqid sseqid score adjscore bitscore evalue zscore zscore_se zfit qend send qstart sstart cigar"
    assert len(rows) > 0
    assert written(rows, tmp_path, columns) == program.text("search", *proteins, *options, "--outfmt", columns)
    assert written(rows, tmp_path, "jsonl") == program.text("search", *proteins, *options, "--outfmt", "jsonl")


def test_identity_ranges_are_the_programs(program: Program, proteins: Files, tmp_path: pathlib.Path) -> None:
    columns = "6 qseqid sseqid pident_min pident_max pident_shorter_min pident_shorter_max"
    rows = alnus.search(*proteins, identity_ranges=["alignment", "shorter"])
    assert written(rows, tmp_path, columns) == program.text("search", *proteins, "--outfmt", columns)
    lowest, highest = rows.identity_range().T
    assert (lowest <= rows.identity() + 1e-12).all() and (rows.identity() <= highest + 1e-12).all()


def test_qualities_of_fastq_queries_come_back_in_sam(
    program: Program, nucleotides: Files, tmp_path: pathlib.Path
) -> None:
    reads = alnus.Database.open(nucleotides[0], alphabet="dna")
    fastq = tmp_path / "reads.fq"
    fastq.write_text(
        "".join(
            f"@{name}\n{one}\n+\n{'I#5' * (len(one) // 3)}{'!' * (len(one) % 3)}\n"
            for name, one in zip(reads.ids, reads, strict=True)
        )
    )
    words = ("search", fastq, nucleotides[1], "--alphabet", "dna", "--outfmt", "sam")
    rows = alnus.search(fastq, nucleotides[1], alphabet="dna")
    assert written(rows, tmp_path, "sam", command_line=program.command_line(*words)) == program.text(*words)


def test_a_database_file_is_searched_as_by_the_program(
    program: Program, proteins: Files, tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "s.alnus"
    program.text("makedb", proteins[1], "-o", file)
    rows = alnus.search(proteins[0], file)
    for outfmt in ("0", "6", "sam"):
        words = ("search", proteins[0], file, "--outfmt", outfmt)
        assert written(rows, tmp_path, outfmt, command_line=program.command_line(*words)) == program.text(*words)
    assert (tmp_path / "s.alnus").read_bytes() == made_by_the_package(proteins[1], tmp_path).read_bytes()


def made_by_the_package(fasta: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    alnus.make_database(fasta, folder / "made.alnus")
    return folder / "made.alnus"


def test_no_rows_are_written_as_the_program_writes_them(
    program: Program, proteins: Files, tmp_path: pathlib.Path
) -> None:
    rows = alnus.search(*proteins, min_score=10000)
    assert len(rows) == 0
    equal_in_all_formats(program, rows, tmp_path, "search", *proteins, "--min-score", 10000)


def test_compressed_files_hold_the_same_text(proteins: Files, tmp_path: pathlib.Path) -> None:
    rows = alnus.search(*proteins)
    rows.write(tmp_path / "rows.tsv")
    rows.write(tmp_path / "rows.tsv.gz")
    rows.write(str(tmp_path / "rows.tsv.zst"))
    assert gzip.decompress((tmp_path / "rows.tsv.gz").read_bytes()) == (tmp_path / "rows.tsv").read_bytes()
    assert (tmp_path / "rows.tsv.zst").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"


def test_a_dash_is_standard_output() -> None:
    done = run_script(
        """
        import alnus
        alnus.search({"q": "MKVLAWQRYT"}, {"s": "MKVLAWQRYT"}).write("-", "6 qseqid sseqid score")
        """
    )
    assert done.stdout == "q\ts\t55\n"


def test_formats_that_need_alignments_are_refused_without_them(proteins: Files, tmp_path: pathlib.Path) -> None:
    rows = alnus.search(*proteins, detail="score")
    for outfmt in ("0", "5", "sam", "srspair"):
        with pytest.raises(alnus.InputError, match="alignment"):
            rows.write(tmp_path / "rows", outfmt)
        assert not (tmp_path / "rows").exists()


def test_unknown_formats_and_columns_propose_known_ones(tmp_path: pathlib.Path) -> None:
    rows = alnus.search({"q": "MKVLAWQRYT"}, {"s": "MKVLAWQRYT"})
    with pytest.raises(alnus.InputError, match="srspair"):
        rows.write(tmp_path / "rows", "srspir")
    with pytest.raises(alnus.InputError, match="qseqid"):
        rows.write(tmp_path / "rows", "6 qseqidd")
    with pytest.raises(alnus.InputError, match=r"format is 3\.5"):
        rows.write(tmp_path / "rows", 3.5)  # type: ignore[arg-type]
    with pytest.raises(alnus.InputError, match="format is True"):
        rows.write(tmp_path / "rows", True)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_selected_and_unpickled_rows_are_written_alike(proteins: Files, tmp_path: pathlib.Path) -> None:
    import pickle

    rows = alnus.search(*proteins)
    lines = written(rows, tmp_path, "6").splitlines()
    assert written(rows[3:9], tmp_path, "6").splitlines() == lines[3:9]
    assert written(rows[[5, 1]], tmp_path, "6").splitlines() == [lines[5], lines[1]]
    again = pickle.loads(pickle.dumps(rows))
    for outfmt in FORMATS:
        assert written(again, tmp_path, outfmt) == written(rows, tmp_path, outfmt), outfmt


def test_a_format_may_be_a_number(tmp_path: pathlib.Path) -> None:
    rows = alnus.search({"q": "MKVLAWQRYT"}, {"s": "MKVLAWQRYT"})
    assert written(rows, tmp_path, 7) == written(rows, tmp_path, "7")  # type: ignore[arg-type]


def test_a_column_may_come_several_times(program: Program, tmp_path: pathlib.Path) -> None:
    file = pathlib.Path(__file__).parents[2] / "tests" / "data" / "outsiders" / "repeated_column.fasta"
    rows = alnus.search(file, file)
    for outfmt, fields in (
        ("6 qseqid sseqid qseqid", 3),
        ("6 std qacc", 13),
        ("7 score score", 2),
        ("10 qseqid query", 2),
    ):
        separator = b"," if outfmt.startswith("10") else b"\t"
        text = written(rows, tmp_path, outfmt)
        lines = [line for line in text.splitlines() if not line.startswith(b"#")]
        assert lines and {len(line.split(separator)) for line in lines} == {fields}
        assert text == program.text("search", file, file, "--outfmt", outfmt)
    assert written(rows, tmp_path, "6 qseqid score query", header=True).splitlines()[0] == b"qseqid\tscore\tqseqid"


@pytest.mark.parametrize(
    ("name", "outfmt", "message"),
    [
        ("hits.xlsx", "6", "alnus writes no spreadsheets"),
        ("hits.PDF", "10", "alnus writes no pages"),
        ("hits.HTML", "10", "promises an HTML report"),
        ("hits.CSV", "6", "Choose format 10, or name the file .tsv"),
        ("hits.csv.GZ", "7", "this output is a table with tabs"),
        ("hits.tsv", "10", "this output is a table with commas"),
        ("hits.fasta", "sam", "this output is SAM"),
        ("hits.npy", "6", "this output is a table with tabs"),
        ("hits.tsv.bz2", "6", "compressed as .gz or .zst"),
    ],
)
def test_names_that_promise_another_format_are_refused(
    tmp_path: pathlib.Path, name: str, outfmt: str, message: str
) -> None:
    rows = alnus.search({"q": "MKVLAWQRYT"}, {"s": "MKVLAWQRYT"})
    with pytest.raises(alnus.InputError, match=message):
        rows.write(tmp_path / name, outfmt)
    assert list(tmp_path.iterdir()) == []


def test_names_in_upper_case_are_known(tmp_path: pathlib.Path) -> None:
    rows = alnus.search({"q": "MKVLAWQRYT"}, {"s": "MKVLAWQRYT"})
    rows.write(tmp_path / "hits.TSV.GZ", "6 qseqid score")
    assert gzip.decompress((tmp_path / "hits.TSV.GZ").read_bytes()) == b"q\t55\n"
    rows.queries.write(tmp_path / "q.FASTA.GZ")
    assert gzip.decompress((tmp_path / "q.FASTA.GZ").read_bytes()) == b">q\nMKVLAWQRYT\n"
    rows.queries.write(tmp_path / "q.ALNUS")
    assert list(alnus.Database.open(tmp_path / "q.ALNUS").ids) == ["q"]


@pytest.mark.parametrize("name", ["q.csv", "q.xlsx", "q.fastq", "q.TSV", "q.npy", "q.alnus.gz"])
def test_sequences_have_names_of_sequences(tmp_path: pathlib.Path, name: str) -> None:
    with pytest.raises(alnus.InputError, match=name):
        alnus.Database({"q": "MKVLAWQRYT"}).write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_reads_that_become_one_read_of_sam_are_refused(tmp_path: pathlib.Path) -> None:
    folder = pathlib.Path(__file__).parents[2] / "tests" / "data" / "outsiders"
    rows = alnus.search(folder / "long_names.fastq", folder / "long_names_reference.fasta", alphabet="dna", evalue=1000)
    with pytest.raises(alnus.InputError, match=r"record 1 \('rrr.* and record 2 \('rrr.*would both be the read"):
        rows.write(tmp_path / "hits.sam", "sam")
    pair = alnus.search({"r@1": "ACGTTGCAACGT", "r_1": "ACGTTGCAACGT"}, {"s": "ACGTTGCAACGT"}, alphabet="dna")
    with pytest.raises(alnus.InputError, match=r"\('r@1'\) and record 2 \('r_1'\) would both be the read 'r_1'"):
        pair.write(tmp_path / "hits.sam", "sam")
    assert list(tmp_path.iterdir()) == []
    pair.write(tmp_path / "hits.tsv")
