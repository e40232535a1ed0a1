"""Inputs that several files of tests share."""

from __future__ import annotations

import os
import pathlib
import random
import shutil

import pytest
from support import AMINO_ACIDS, FULL, Program, mutated, random_letters, reverse_complement, write_fasta

import alnus

try:
    import hypothesis
except ImportError:
    collect_ignore = ["test_hypothesis.py"]
else:
    checks = [hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large]
    hypothesis.settings.register_profile(
        "sample",
        max_examples=25,
        deadline=None,
        suppress_health_check=checks,
        derandomize=True,
        database=None,
    )
    hypothesis.settings.register_profile(
        "full", max_examples=5000, deadline=None, suppress_health_check=checks, database=None
    )
    hypothesis.settings.load_profile("full" if FULL else "sample")


@pytest.fixture(scope="session")
def program() -> Program:
    path = os.environ.get("ALNUS_PROGRAM", "")
    if not path:
        pytest.skip("ALNUS_PROGRAM does not name the program")
    if not os.access(path, os.X_OK) and shutil.which(path) is None:
        pytest.skip(f"there is no program {path}")
    return Program(path)


@pytest.fixture(scope="session")
def session() -> alnus.Session:
    """A session of the CPU alone, for tests that need one of their own kind."""
    return alnus.Session(devices="cpu", threads=2, memory="1G")


@pytest.fixture(scope="session")
def proteins(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    """Files of queries and subjects: q2 has no relatives, the others have four each."""
    folder = tmp_path_factory.mktemp("proteins")
    chooser = random.Random(13)
    queries = {name: random_letters(chooser, AMINO_ACIDS, 120) for name in ("q1 the first, with a title", "q2", "q3")}
    subjects = {f"s{k}": random_letters(chooser, AMINO_ACIDS, 150) for k in range(20)}
    for number, letters in (1, queries["q1 the first, with a title"]), (3, queries["q3"]):
        for k in range(4):
            header = f'relative{number}.{k} of query {number}, <"{k}"> & more'
            subjects[header] = "MKV" + mutated(chooser, letters, AMINO_ACIDS, 0.1 * (k + 1), 0.05)
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


@pytest.fixture(scope="session")
def nucleotides(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    """Files of four reads and two references; the last lies on the minus strand. Parts are in lower case."""
    folder = tmp_path_factory.mktemp("nucleotides")
    chooser = random.Random(14)
    references = {f"chr{k}": random_letters(chooser, "ACGT", 2000) for k in (1, 2)}
    reads = {}
    for number, (name, begin) in enumerate((("chr1", 100), ("chr2", 700), ("chr1", 1500), ("chr2", 300))):
        read = mutated(chooser, references[name][begin : begin + 150], "ACGT", 0.03, 0.03)
        if number == 3:
            read = reverse_complement(read)
        reads[f"read{number}"] = read[:70] + read[70:].lower()
    return write_fasta(folder / "reads.fasta", reads), write_fasta(folder / "references.fasta", references)
