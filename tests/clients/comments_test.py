"""Format 7, BLAST's tables with comments: Biopython reads it, and its comments are those of blastp."""

import pytest
from Bio import Align, SearchIO

from clients import alnus, run


def search(path, files, *options, columns="std", evalue="1e-5"):
    alnus("search", *files, "--outfmt", f"7 {columns}", "--evalue", evalue, "-o", path, *options)
    return path


def test_search_io_parses_every_query(proteins, tmp_path):
    table = search(tmp_path / "hits.tsv", proteins)
    results = list(SearchIO.parse(table, "blast-tab", comments=True))
    assert [(result.id, len(result)) for result in results] == [("q1", 4), ("q2", 0), ("q3", 4)]
    first = results[0]
    assert first.description == "the first, with a title"
    assert (first.program, first.version.startswith("alnus-"), first.target) == ("blastp", True, str(proteins[1]))
    columns = "qaccver saccver pident qstart qend sstart send evalue bitscore"
    rows = alnus("search", *proteins, "--evalue", "1e-5", "--outfmt", f"6 {columns}").splitlines()
    read = [(result.id, hit.id, hsp.ident_pct, hsp.query_start + 1, hsp.query_end, hsp.hit_start + 1, hsp.hit_end,
             hsp.evalue, hsp.bitscore) for result in results for hit in result for hsp in hit]
    expected = [row.split("\t") for row in rows]
    assert read == [(q, s, *map(float, values)) for q, s, *values in expected]


def test_search_io_indexes_every_query(proteins, tmp_path):
    table = search(tmp_path / "hits.tsv", proteins)
    index = SearchIO.index(str(table), "blast-tab", comments=True)
    assert sorted(index) == ["q1", "q2", "q3"]
    assert [hit.id for hit in index["q3"]] == [f"relative3.{k}" for k in range(4)]
    assert index.get_raw("q3").decode().startswith("# BLASTP alnus-")
    assert index.get_raw("q2").decode().endswith("# 0 hits found\n")


def test_search_io_indexes_a_table_without_comments(proteins, tmp_path):
    table = tmp_path / "hits.tsv"
    alnus("search", *proteins, "--evalue", "1e-5", "-o", table)
    index = SearchIO.index(str(table), "blast-tab")
    assert sorted(index) == ["q1", "q3"]
    assert [hit.id for hit in index["q1"]] == [hit.id for hit in next(SearchIO.parse(table, "blast-tab"))]


@pytest.mark.parametrize("method", ["spouge", "karlin", "zvalue"])
def test_lines_of_statistics_are_skipped(proteins, tmp_path, method):
    columns = "qaccver saccver score qstart qend sstart send btop"
    shuffles = ["--shuffles", 20] if method == "zvalue" else []
    table = search(tmp_path / "hits.tsv", proteins, "--stats", method, *shuffles, columns=columns)
    assert f"\n# Statistics: {method}, " in table.read_text()
    assert [result.id for result in SearchIO.parse(table, "blast-tab", comments=True)] == ["q1", "q2", "q3"]
    assert len(list(Align.parse(table, "tabular"))) >= 8


def test_align_reads_coordinates_and_btop(proteins, tmp_path):
    table = search(tmp_path / "hits.tsv", proteins, columns="std qlen slen btop score")
    alignments = Align.parse(table, "tabular")
    assert alignments.metadata["Program"] == "BLASTP"
    assert alignments.metadata["Version"].startswith("alnus-")
    alignments = list(alignments)
    rows = alnus("search", *proteins, "--evalue", "1e-5", "--outfmt",
                 "6 qaccver saccver qstart qend sstart send gaps").splitlines()
    assert len(alignments) == len(rows) == 8
    for alignment, row in zip(alignments, rows):
        query, subject, *numbers = row.split("\t")
        qstart, qend, sstart, send, gaps = map(int, numbers)
        assert (alignment.query.id, alignment.target.id) == (query, subject)
        target, read = alignment.coordinates
        assert (read[0] + 1, read[-1], target[0] + 1, target[-1]) == (qstart, qend, sstart, send)
        assert alignment.counts().gaps == gaps


def test_letters_of_btop_are_upper_case(nucleotides, tmp_path):
    """Bio.Align would leave out letters of btop in lower case."""
    table = search(tmp_path / "hits.tsv", nucleotides, "--alphabet", "dna", "--strand", "plus",
                   columns="qseqid sseqid qstart qend sstart send btop")
    alignments = list(Align.parse(table, "tabular"))
    assert len(alignments) == 3
    for alignment, row in zip(alignments, [line.split("\t") for line in table.read_text().splitlines()
                                           if not line.startswith("#")]):
        target, read = alignment.coordinates
        assert [read[0] + 1, read[-1], target[0] + 1, target[-1]] == [int(number) for number in row[2:6]]


def test_search_io_knows_the_strand(nucleotides, tmp_path):
    table = search(tmp_path / "hits.tsv", nucleotides, "--alphabet", "dna", columns="std sstrand")
    results = list(SearchIO.parse(table, "blast-tab", comments=True))
    assert [(result[0].id, result[0].strand, result[0][0].hit_strand) for result in results] == [
        ("chr1", "plus", 1), ("chr2", "plus", 1), ("chr1", "plus", 1), ("chr2", "minus", -1)]
    hsp = results[3][0][0]
    assert abs(hsp.hit_start - 300) < 10 and abs(hsp.hit_end - 450) < 10


def test_all_pairs_and_given_pairs_are_read(proteins, tmp_path):
    table = tmp_path / "pairs.tsv"
    columns = "7 qseqid sseqid qstart qend sstart send score btop"
    alnus("align", "--all", *proteins, "--outfmt", columns, "-o", table)
    assert [result.id for result in SearchIO.parse(table, "blast-tab", comments=True)] == ["q1", "q2", "q3"]
    alnus("allpairs", proteins[1], "--outfmt", columns, "--min-score", 200, "-o", table)
    alignments = list(Align.parse(table, "tabular"))
    assert {(alignment.query.id, alignment.target.id) for alignment in alignments} >= {("relative3.0", "relative3.1")}


def test_comments_are_those_of_blastp(proteins, tmp_path):
    """Comments equal blastp's line by line, except the version, the database and the line of statistics."""
    database = tmp_path / "s"
    run("makeblastdb", "-in", proteins[1], "-dbtype", "prot", "-parse_seqids", "-out", database)
    blastp = run("blastp", "-query", proteins[0], "-db", database, "-outfmt", 7, "-evalue", "1e-5",
                 "-comp_based_stats", 0, "-seg", "no", "-max_hsps", 1)

    def comments(text):
        lines = [line for line in text.splitlines() if line.startswith("#") and not line.startswith("# Statistics: ")]
        return ["# BLASTP" if line.startswith("# BLASTP") else "# Database" if line.startswith("# Database") else line
                for line in lines]

    path = search(tmp_path / "hits.tsv", proteins, "--composition", "none", "--low-complexity", "none")
    assert comments(path.read_text()) == comments(blastp)
