"""Sequences and files of them, for tests of the package and of programs that read what alnus writes."""

from __future__ import annotations

import pathlib
import random
from collections.abc import Mapping

import pytest

AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"


def random_letters(chooser: random.Random, alphabet: str, length: int) -> str:
    return "".join(chooser.choices(alphabet, k=length))


def mutated(chooser: random.Random, letters: str, alphabet: str, substitutions: float, gaps: float) -> str:
    """A relative of ``letters``: at each letter, ``gaps`` is the chance of an insertion or a deletion, and
    ``substitutions`` the chance that a random letter takes its place."""
    result = []
    for letter in letters:
        chance = chooser.random()
        if chance < gaps / 2:
            continue
        if chance < gaps:
            result.append(chooser.choice(alphabet))
        result.append(chooser.choice(alphabet) if chooser.random() < substitutions else letter)
    return "".join(result)


def family(seed: int, count: int, alphabet: str = AMINO_ACIDS, shortest: int = 20, longest: int = 70) -> list[str]:
    """Sequences of different lengths; every other one is a relative of the one before it."""
    chooser = random.Random(seed)
    result: list[str] = []
    for number in range(count):
        if number % 2 == 1:
            result.append(mutated(chooser, result[-1], alphabet, 0.3, 0.1))
        else:
            result.append(random_letters(chooser, alphabet, chooser.randint(shortest, longest)))
    return result


def write_fasta(path: pathlib.Path, sequences: Mapping[str, str]) -> pathlib.Path:
    path.write_text("".join(f">{header}\n{letters}\n" for header, letters in sequences.items()))
    return path


def reverse_complement(letters: str) -> str:
    return letters.translate(str.maketrans("ACGTNacgtn", "TGCANtgcan"))[::-1]


@pytest.fixture(scope="session")
def proteins(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    """Files of three queries and 28 subjects: q1 and q3 have four relatives each among the subjects, q2 has none."""
    folder = tmp_path_factory.mktemp("proteins")
    chooser = random.Random(13)
    queries = {name: random_letters(chooser, AMINO_ACIDS, 120) for name in ("q1 the first, with a title  ", "q2", "q3")}
    subjects = {f"s{k}": random_letters(chooser, AMINO_ACIDS, 150) for k in range(20)}
    for number, letters in (1, queries["q1 the first, with a title  "]), (3, queries["q3"]):
        for k in range(4):
            header = f'relative{number}.{k} of query {number}, <"{k}"> & more'
            subjects[header] = "MKV" + mutated(chooser, letters, AMINO_ACIDS, 0.1 * (k + 1), 0.05)
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


@pytest.fixture(scope="session")
def nucleotides(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    """Files of four reads and two references. The last read is on the minus strand. Ends of reads are lower case."""
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
