"""Inputs whose pairs have several alignments: proteins with repeats, and DNA with repeats on both strands."""

import random

import pytest

from inputs import AMINO_ACIDS, mutated, random_letters, reverse_complement, write_fasta


def with_copies(chooser, copies, rate, gaps):
    """Changed copies of sequences of amino acids, with random letters between them."""
    text = random_letters(chooser, AMINO_ACIDS, 30)
    for one in copies:
        text += mutated(chooser, one, AMINO_ACIDS, rate, gaps) + random_letters(chooser, AMINO_ACIDS, 45)
    return text


def proteins_with_copies(folder, gaps):
    """Files of three queries and six subjects. Subject K has K copies of repeats, in turns of a first and a second one.
    One query has the first repeat, one has both, and one has none. Copies differ by substitutions and, where `gaps` is
    above 0, by gaps."""
    chooser = random.Random(23)
    units = [random_letters(chooser, AMINO_ACIDS, length) for length in (60, 50)]
    queries = {
        "one": with_copies(chooser, units[:1], 0, 0),
        "both two repeats": with_copies(chooser, units, 0, 0),
        "none": random_letters(chooser, AMINO_ACIDS, 60),
    }
    subjects = {
        f"s{count} has {count}": with_copies(chooser, [units[k % 2] for k in range(count)], 0.25, gaps)
        for count in range(6)
    }
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


def reads_with_copies(folder, gaps):
    """Files of reads with qualities and of three references. In chr1 stand exact copies of four units, two of them as
    reverse complements. Other copies, on both strands, are changed: by substitutions and, where `gaps` is above 0, by
    gaps. Most reads are of several units, so that they span joints that no reference has."""
    chooser = random.Random(22)
    a, b, c, d = (random_letters(chooser, "ACGT", length) for length in (110, 90, 80, 70))

    def reference(*pieces):
        return random_letters(chooser, "ACGT", 200) + "".join(p + random_letters(chooser, "ACGT", 200) for p in pieces)

    def changed(piece):
        return mutated(chooser, piece, "ACGT", 0.08, gaps)

    references = {
        "chr1 has all units": reference(a, reverse_complement(b), changed(a), c, reverse_complement(d),
                                        reverse_complement(changed(a)), changed(b)),
        "chr2 has changed copies": reference(changed(b), reverse_complement(changed(b)), changed(c)),
        "chr3": reference(),
    }
    reads = {
        "one_part": a,
        "one_part_reversed": reverse_complement(changed(c)) + random_letters(chooser, "ACGT", 12),
        "over_a_deletion": random_letters(chooser, "ACGT", 9) + a + c,
        "over_an_inversion": a + b + random_letters(chooser, "ACGT", 15),
        "over_an_inversion_reversed": reverse_complement(a + b),
        "three_parts": changed(a)[:100] + random_letters(chooser, "ACGT", 20) + reverse_complement(c) + d,
        "doubled": c + c,
        "stranger": random_letters(chooser, "ACGT", 80),
    }
    path = folder / "reads.fastq"
    qualities = [chr(code) for code in range(ord("!"), ord("~") + 1)]
    records = (f"@{name}\n{read}\n+\n{''.join(chooser.choices(qualities, k=len(read)))}\n"
               for name, read in reads.items())
    path.write_text("".join(records))
    return path, write_fasta(folder / "references.fasta", references)


def read_fastq(path):
    """The letters and the qualities of each read."""
    lines = path.read_text().splitlines()
    return {name[1:]: fields for name, *fields in zip(lines[::4], lines[1::4], lines[3::4], strict=True)}


@pytest.fixture(scope="session")
def repeats_of_proteins(tmp_path_factory):
    return proteins_with_copies(tmp_path_factory.mktemp("repeats"), gaps=0.04)


@pytest.fixture(scope="session")
def repeats_of_reads(tmp_path_factory):
    return reads_with_copies(tmp_path_factory.mktemp("reads"), gaps=0.03)
