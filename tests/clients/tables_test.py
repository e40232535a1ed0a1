"""Tables and JSON lines, read by pandas, polars and jq."""

import io
import json
import random

import pandas
import polars
import pytest

from clients import AMINO_ACIDS, alnus, mutated, random_letters, run, write_fasta

STANDARD = ("qaccver saccver pident length mismatch gapopen qstart qend sstart send evalue bitscore").split()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three queries, the second of which has no hit, and a database with relatives of the others."""
    folder = tmp_path_factory.mktemp("tables")
    chooser = random.Random(13)
    queries = {name: random_letters(chooser, AMINO_ACIDS, 120) for name in ("q1 the first, with a title", "q2", "q3")}
    subjects = {f"s{k}": random_letters(chooser, AMINO_ACIDS, 150) for k in range(20)}
    for number, letters in ((1, queries["q1 the first, with a title"]), (3, queries["q3"])):
        for k in range(4):
            header = f"relative{number}.{k} of query {number}, \"number\" {k}"
            subjects[header] = "MKV" + mutated(chooser, letters, AMINO_ACIDS, 0.1 * (k + 1), 0.05)
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


def search(files, outfmt, *options):
    return alnus("search", *files, "--outfmt", outfmt, "--evalue", "1e-5", *options)


def test_pandas_and_polars_read_the_table(files):
    text = search(files, "6")
    by_pandas = pandas.read_csv(io.StringIO(text), sep="\t", names=STANDARD)
    by_polars = polars.read_csv(io.StringIO(text), separator="\t", has_header=False, new_columns=STANDARD)
    assert len(by_pandas) == len(by_polars) == 8
    assert by_pandas["bitscore"].tolist() == by_polars["bitscore"].to_list()
    assert set(by_pandas["qaccver"]) == {"q1", "q3"}


def test_jq_reads_json_lines(files):
    chosen = run("jq", "-c", "select(.qseqid == \"q3\") | [.sseqid, .qstart, .pident]", text=search(files, "jsonl"))
    rows = [json.loads(line) for line in chosen.splitlines()]
    assert [row[0] for row in rows] == [f"relative3.{k}" for k in range(4)]
