"""Inputs that several files of tests share."""

import random

import pytest
from Bio.Seq import Seq

from clients import AMINO_ACIDS, mutated, random_letters, write_fasta


@pytest.fixture(scope="session")
def proteins(tmp_path_factory):
    """Files of queries and subjects: q2 has no hit, the others have four each."""
    folder = tmp_path_factory.mktemp("proteins")
    chooser = random.Random(13)
    queries = {name: random_letters(chooser, AMINO_ACIDS, 120) for name in ("q1 the first, with a title  ", "q2", "q3")}
    subjects = {f"s{k}": random_letters(chooser, AMINO_ACIDS, 150) for k in range(20)}
    for number, letters in (1, queries["q1 the first, with a title  "]), (3, queries["q3"]):
        for k in range(4):
            header = f"relative{number}.{k} of query {number}, <\"{k}\"> & more"
            subjects[header] = "MKV" + mutated(chooser, letters, AMINO_ACIDS, 0.1 * (k + 1), 0.05)
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


@pytest.fixture(scope="session")
def nucleotides(tmp_path_factory):
    """Files of four reads and two references; each read, partly in lower case, lies on one of these, and the last on
    its minus strand."""
    folder = tmp_path_factory.mktemp("nucleotides")
    chooser = random.Random(14)
    references = {f"chr{k}": random_letters(chooser, "ACGT", 2000) for k in (1, 2)}
    reads = {}
    for number, (name, begin) in enumerate((("chr1", 100), ("chr2", 700), ("chr1", 1500), ("chr2", 300))):
        read = mutated(chooser, references[name][begin:begin + 150], "ACGT", 0.03, 0.03)
        if number == 3:
            read = str(Seq(read).reverse_complement())
        reads[f"read{number}"] = read[:70] + read[70:].lower()
    return write_fasta(folder / "reads.fasta", reads), write_fasta(folder / "references.fasta", references)
