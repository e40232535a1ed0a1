"""Format 5, BLAST's XML: it is valid by NCBI's document type, Biopython reads it, and it equals that of BLAST."""

import math
import pathlib

import pytest
from Bio import Blast, Entrez, SearchIO

from clients import ALNUS, alnus, run
from inputs import write_fasta

# NCBI's document type, which comes with Biopython.
DTD = pathlib.Path(Entrez.__file__).parent / "DTDs" / "NCBI_BlastOutput.dtd"


def search(path, files, *options, evalue="1e-5"):
    alnus("search", *files, "--outfmt", 5, "--evalue", evalue, "-o", path, *options)
    run("xmllint", "--noout", "--nonet", "--dtdvalid", DTD, path)
    return path


def test_bio_blast_reads_proteins(proteins, tmp_path):
    with Blast.parse(search(tmp_path / "hits.xml", proteins)) as records:
        assert (records.program, records.version.startswith("BLASTP alnus-")) == ("blastp", True)
        assert records.db == str(proteins[1])
        assert records.param == {"matrix": "BLOSUM62", "expect": 1e-5, "gap-open": 11, "gap-extend": 1}
        records = list(records)
    assert [(record.query.description, len(record)) for record in records] == [
        ("q1 the first, with a title", 4), ("q2", 0), ("q3", 4)]
    assert [getattr(record, "message", None) for record in records] == [None, "No hits found", None]
    assert [len(record.query.seq) for record in records] == [120, 120, 120]
    assert records[2][0].target.id == "relative3.0"
    assert records[2][0].target.description == 'of query 3, <"0"> & more'
    columns = "qseqid sseqid slen score length nident positive gaps qstart qend sstart send qseq sseq"
    rows = alnus("search", *proteins, "--evalue", "1e-5", "--outfmt", f"6 {columns}").splitlines()
    hits = [hit for record in records for hit in record]
    assert len(hits) == len(rows) == 8
    for hit, row in zip(hits, rows):
        (hsp,) = hit
        _, sseqid, *numbers, qseq, sseq = row.split("\t")
        slen, score, length, nident, positive, gaps, qstart, qend, sstart, send = map(int, numbers)
        assert (hit.target.id, len(hit.target.seq), hsp.score, hsp.length) == (sseqid, slen, score, length)
        assert [hsp.annotations[name] for name in ("identity", "positive", "gaps")] == [nident, positive, gaps]
        target, query = hsp.coordinates
        assert (query[0] + 1, query[-1], target[0] + 1, target[-1]) == (qstart, qend, sstart, send)
        assert (hsp[1], hsp[0]) == (qseq, sseq)


def test_search_io_parses_and_indexes(proteins, tmp_path):
    path = search(tmp_path / "hits.xml", proteins)
    results = list(SearchIO.parse(path, "blast-xml"))
    assert [(result.id, result.description, len(result)) for result in results] == [
        ("q1", "the first, with a title", 4), ("q2", "", 0), ("q3", "", 4)]
    assert run(ALNUS, "--version").split()[:2] == ["alnus", results[0].version]  # the commit may follow
    index = SearchIO.index(str(path), "blast-xml")
    assert sorted(index) == ["q1", "q2", "q3"]
    assert [hit.id for hit in index["q3"]] == [f"relative3.{k}" for k in range(4)]
    hsp = index["q1"][0][0]
    columns = list(zip(hsp.query.seq, hsp.aln_annotation["similarity"], hsp.hit.seq))
    assert [a == b for a, _, b in columns] == [a == middle for a, middle, _ in columns]


def compare(ours, theirs):
    """Demands that both files have the same queries and hits, up to BLAST's rounding. Where gaps may stand at several
    places, BLAST may choose others: alignments must be the same only if their gaps are. Returns how many are."""
    with Blast.parse(ours) as records, Blast.parse(theirs) as expected:
        equal = 0
        for record, other in zip(records, expected, strict=True):
            for one in record, other:
                one.facts = one.num, one.query.description, len(one.query.seq), getattr(one, "message", None), one.stat
            assert record.facts == other.facts
            for hit, other_hit in zip(record, other, strict=True):
                equal += compare_hits(hit, other_hit)
    return equal


def compare_hits(hit, other):
    (hsp,), (other_hsp,) = hit, other
    for one, alignment in (hit, hsp), (other, other_hsp):
        one.facts = one.target.id, one.target.description, len(one.target.seq), alignment.score, \
            alignment.coordinates[:, 0].tolist(), alignment.coordinates[:, -1].tolist()
    assert hit.facts == other.facts
    for name in "evalue", "bit score":
        assert hsp.annotations.pop(name) == pytest.approx(other_hsp.annotations.pop(name), rel=1e-5)
    if hsp.coordinates.tolist() != other_hsp.coordinates.tolist():
        return False
    assert hsp.annotations == other_hsp.annotations
    assert [row.upper() for row in hsp] == [row.upper() for row in other_hsp]
    return True


def test_it_says_what_blastp_says(proteins, tmp_path):
    database = tmp_path / "s"
    run("makeblastdb", "-in", proteins[1], "-dbtype", "prot", "-parse_seqids", "-out", database)
    theirs = tmp_path / "blastp.xml"
    run("blastp", "-query", proteins[0], "-db", database, "-outfmt", 5, "-evalue", "1e-5", "-comp_based_stats", 0,
        "-seg", "no", "-max_hsps", 1, "-out", theirs)
    path = search(tmp_path / "hits.xml", proteins, "--composition", "none", "--low-complexity", "none")
    assert compare(path, theirs) >= 4


def test_it_says_what_blastn_says(nucleotides, tmp_path):
    database = tmp_path / "s"
    run("makeblastdb", "-in", nucleotides[1], "-dbtype", "nucl", "-parse_seqids", "-out", database)
    theirs = tmp_path / "blastn.xml"
    run("blastn", "-task", "blastn", "-query", nucleotides[0], "-db", database, "-outfmt", 5, "-evalue", "1e-5",
        "-dust", "no", "-max_hsps", 1, "-out", theirs)
    path = search(tmp_path / "hits.xml", nucleotides, "--alphabet", "dna", "--preset", "blastn",
                  "--low-complexity", "none")
    with Blast.parse(path) as records:
        assert records.program == "blastn"
        assert records.param == {"expect": 1e-5, "sc-match": 2, "sc-mismatch": -3, "gap-open": 5, "gap-extend": 2}
        strands = [hit[0].coordinates[0, 0] < hit[0].coordinates[0, -1] for record in records for hit in record]
    assert strands == [True, True, True, False]
    assert compare(path, theirs) >= 1


def test_headers_with_what_xml_cannot_hold(tmp_path):
    letters = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ"
    subjects = tmp_path / "s.fasta"
    subjects.write_bytes(b">bad\xff\xfe <&> one\x01gi|2 two\nMKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ\n"
                         b">caf\xc3\xa9 \xef\xbf\xbf\tend\nMKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ\n"
                         b">\nMKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ\n")
    queries = write_fasta(tmp_path / "q.fasta", {"": letters, "a ]]> b": letters})
    path = search(tmp_path / "hits.xml", (queries, subjects), evalue="10")
    with Blast.parse(path) as records:
        first, second = records
    assert (first.query.description, second.query.description) == ("NA", "a ]]> b")
    targets = [(hit.target.id, hit.target.description) for hit in first]
    assert targets == [("bad\ufffd\ufffd", "<&> one >gi|2 two"), ("caf\xe9", "\ufffd\tend"),
                       ("NA", "No definition line")]
    assert [hit.id for hit in next(SearchIO.parse(path, "blast-xml"))][1:] == ["caf\xe9", "NA"]


def test_scores_without_statistics(proteins, tmp_path):
    path = search(tmp_path / "hits.xml", proteins, "--mode", "global", "--max-target-seqs", 2)
    with Blast.parse(path) as records:
        hsp = next(iter(records))[0][0]
    assert math.isnan(hsp.annotations["evalue"]) and math.isnan(hsp.annotations["bit score"])
    assert next(SearchIO.parse(path, "blast-xml"))[0][0].bitscore_raw == hsp.score


def test_alignments_of_nothing(tmp_path):
    queries = write_fasta(tmp_path / "q.fasta", {"q": "WWWWW"})
    subjects = write_fasta(tmp_path / "s.fasta", {"s": "PPPP"})
    path = search(tmp_path / "hits.xml", (queries, subjects), "--mode", "semiglobal")
    with Blast.parse(path) as records:
        assert next(iter(records))[0][0].length == 0


def test_all_pairs_and_given_pairs(proteins, tmp_path):
    path = tmp_path / "pairs.xml"
    for command in ("align", "--all", *proteins), ("allpairs", proteins[1], "--min-score", 200):
        alnus(*command, "--outfmt", 5, "-o", path)
        run("xmllint", "--noout", "--nonet", "--dtdvalid", DTD, path)
        with Blast.parse(path) as records:
            assert records.param["expect"] == math.inf
            assert sum(len(record) for record in records) >= 8
