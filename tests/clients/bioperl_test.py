"""Format 0, BLAST's report: BioPerl reads every query, hit and alignment of it, and the parameters that blastp prints."""

import json
import pathlib

import pytest

from clients import alnus, run

READER = pathlib.Path(__file__).with_name("bioperl.pl")
COLUMNS = "qseqid sseqid slen score bitscore evalue length nident positive gaps qstart qend sstart send qseq sseq"
DNA = "--alphabet dna --match 2 --mismatch -3 --gap-open 5 --gap-extend 2".split()
PARAMETERS = ["lambda", "kappa", "entropy", "lambda_gapped", "kappa_gapped", "entropy_gapped"]


def read(path):
    return [json.loads(line) for line in run("perl", READER, path).splitlines()]


def report(path, *command):
    alnus(*command, "--outfmt", 0, "-o", path)
    return read(path)


def require_rows_of_the_table(results, *command):
    """Demands that the alignments that BioPerl has read are those of the table, in its order."""
    rows = alnus(*command, "--outfmt", f"6 {COLUMNS}").splitlines()
    alignments = [(result, hit, one) for result in results for hit in result["hits"] for one in hit["alignments"]]
    assert len(alignments) == len(rows) > 0
    for (result, hit, one), row in zip(alignments, rows, strict=True):
        qseqid, sseqid, slen, score, bits, evalue, *counts, qseq, sseq = row.split("\t")
        length, identical, positive, gaps, qstart, qend, sstart, send = map(int, counts)
        assert (result["query"], hit["name"], hit["length"], float(one["score"])) == (
            qseqid, sseqid, int(slen), float(score))
        assert (one["length"], one["identical"], one["gaps"]) == (length, identical, gaps)
        assert one["positive"] == (identical if result["algorithm"] == "BLASTN" else positive)
        assert (one["query"], one["hit"]) == ([qstart, qend], sorted([sstart, send]))
        assert (one["query_row"], one["hit_row"]) == (qseq, sseq)
        assert len(one["middle"]) == length
        if bits != "NA":
            assert float(one["bits"]) == pytest.approx(float(bits), abs=0.51, rel=0.01)
        if evalue != "NA":
            assert float(one["evalue"]) == pytest.approx(float(evalue), rel=0.34)  # reports have one digit
            assert float(hit["evalue"]) == float(hit["alignments"][0]["evalue"])


def test_a_search_of_proteins(proteins, tmp_path):
    command = ["search", *proteins, "--evalue", "1e-5"]
    results = report(tmp_path / "hits.txt", *command)
    assert [(r["algorithm"], r["query"], r["description"], r["length"], len(r["hits"])) for r in results] == [
        ("BLASTP", "q1", "the first, with a title", 120, 4), ("BLASTP", "q2", "", 120, 0), ("BLASTP", "q3", "", 120, 4)]
    assert {r["database"] for r in results} == {str(proteins[1])}
    assert results[2]["hits"][0]["description"] == 'of query 3, <"0"> & more'
    assert {key: results[-1]["parameters"][key] for key in ("matrix", "gapopen", "gapext")} == {
        "matrix": "BLOSUM62", "gapopen": "11", "gapext": "1"}
    require_rows_of_the_table(results, *command)


def test_parameters_are_those_that_blastp_prints(proteins, tmp_path):
    database, theirs = tmp_path / "s", tmp_path / "blastp.txt"
    run("makeblastdb", "-in", proteins[1], "-dbtype", "prot", "-out", database)
    queries = tmp_path / "queries.fasta"
    queries.write_text(proteins[0].read_text() + ">rich\nMKKKKKEEEEKKKKKEEEEKKKKEEEKKKRRRKKKEEEKKKKAAKLKEKKELLKEK\n"
                       ">tryptophan\nWWWWWWWWWWWWWWWWWWWW\n>lower\nmktayiakqrqisfvkshfsrqleerlgliev\n")
    run("blastp", "-query", queries, "-db", database, "-evalue", "1e-5", "-seg", "no", "-out", theirs)
    ours = report(tmp_path / "alnus.txt", "search", queries, proteins[1], "--evalue", "1e-5")
    expected = read(theirs)
    assert [result["query"] for result in ours] == [result["query"] for result in expected]
    for result, other in zip(ours, expected, strict=True):
        for name in PARAMETERS:
            assert float(result["statistics"][name]) == pytest.approx(float(other["statistics"][name]), abs=0.0011)
        assert result["statistics"]["effectivespaceused"] == other["statistics"]["effectivespaceused"]


def test_parameters_are_those_that_blastn_prints(nucleotides, tmp_path):
    database, theirs = tmp_path / "s", tmp_path / "blastn.txt"
    run("makeblastdb", "-in", nucleotides[1], "-dbtype", "nucl", "-out", database)
    run("blastn", "-task", "blastn", "-query", nucleotides[0], "-db", database, "-evalue", "1e-5", "-dust", "no",
        "-out", theirs)
    ours = report(tmp_path / "alnus.txt", "search", *nucleotides, "--alphabet", "dna", "--preset", "blastn",
                  "--evalue", "1e-5", "--low-complexity", "none")
    for result, other in zip(ours, read(theirs), strict=True):
        assert [float(result["statistics"][name]) for name in PARAMETERS] == pytest.approx(
            [float(other["statistics"][name]) for name in PARAMETERS], rel=0.006)


def test_a_search_of_both_strands(nucleotides, tmp_path):
    command = ["search", *nucleotides, *DNA, "--evalue", "1e-5"]
    results = report(tmp_path / "hits.txt", *command)
    assert {one["strand"] for r in results for hit in r["hits"] for one in hit["alignments"]} == {1, -1}
    require_rows_of_the_table(results, *command)


@pytest.mark.parametrize("options", [
    ["--stats", "karlin"], ["--stats", "none"], ["--stats", "zvalue", "--shuffles", "20"],
    ["--mode", "semiglobal", "--stats", "none"], ["--mode", "semiglobal", "--stats", "zvalue", "--shuffles", "20"],
    ["--mode", "global", "--min-score", "1", "--stats", "zvalue", "--shuffles", "20"]])
def test_every_kind_of_statistics(proteins, tmp_path, options):
    command = ["search", *proteins, "--max-target-seqs", 3, *options]
    results = report(tmp_path / "hits.txt", *command)
    assert [result["query"] for result in results] == ["q1", "q2", "q3"]
    require_rows_of_the_table(results, *command)


def test_all_pairs_and_given_pairs(proteins, tmp_path):
    for command in ["align", "--all", *proteins], ["allpairs", proteins[1], "--min-score", 200]:
        require_rows_of_the_table(report(tmp_path / "pairs.txt", *command), *command)
