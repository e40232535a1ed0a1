"""Functions for the comparisons with other programs: read real proteins, run programs, and score alignments."""

import gzip
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = pathlib.Path("/usr/share/doc/mmseqs2/example-data")
SKIPPED = 77  # CTest's SKIP_RETURN_CODE


def read_fasta(path):
    """Yields (id, letters) of every record."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
        for record in file.read().split(">")[1:]:
            header, _, letters = record.partition("\n")
            yield header.split()[0], "".join(letters.split()).upper()


def write_fasta(path, sequences):
    path.write_text("".join(f">{name}\n{letters}\n" for name, letters in sequences.items()))


def read_matrix(name):
    """Returns {(query letter, subject letter): score}."""
    lines = [line.split() for line in (ROOT / "data" / "matrices" / f"{name}.txt").read_text().splitlines()
             if line and not line.startswith("#")]
    letters = lines[0]
    return {(row[0], letter): int(score) for row in lines[1:] for letter, score in zip(letters, row[1:])}


def identities(rows):
    return sum(a == b for a, b in zip(*rows))


def score_of(rows, matrix, first, extend, end_gaps_free=False):
    """Returns the score of two aligned rows. A gap costs `first`, and `extend` for each residue after the first."""
    total = sum(Fraction(matrix[pair]) for pair in zip(*rows) if "-" not in pair)
    for row in rows:
        for gap in re.finditer("-+", row):
            at_an_end = gap.start() == 0 or gap.end() == len(row)
            if not (at_an_end and end_gaps_free):
                total -= Fraction(first) + (len(gap[0]) - 1) * Fraction(extend)
    return total


class Comparison(unittest.TestCase):
    """Tests with a folder that has q.fasta, a few real queries, and s.fasta, their relatives and other subjects."""

    queries = 8
    unrelated = 30
    relatives = 3  # of each query
    longest = 500

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        chooser = random.Random(62)
        usable = [{name: letters for name, letters in read_fasta(EXAMPLES / file)
                   if len(letters) <= cls.longest and not set(letters) & set("UOJ")}
                  for file in ("QUERY.fasta.gz", "DB.fasta.gz")]
        queries = chooser.sample(sorted(usable[0].items()), cls.queries)
        cls.q = {f"q{k}": letters for k, (_, letters) in enumerate(queries)}
        write_fasta(cls.folder / "q.fasta", cls.q)
        write_fasta(cls.folder / "database.fasta", usable[1])
        hits = alnus("search", cls.folder / "q.fasta", cls.folder / "database.fasta", "--max-target-seqs",
                     cls.relatives, "--outfmt", "6 sseqid")
        chosen = chooser.sample(sorted(usable[1]), cls.unrelated) + [hit for (hit,) in hits]
        cls.s = {f"s{k}": usable[1][name] for k, name in enumerate(dict.fromkeys(chosen))}
        write_fasta(cls.folder / "s.fasta", cls.s)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @property
    def pairs(self):
        return len(self.q) * len(self.s)

    def align_all(self, columns, *options):
        """Returns {(query, subject): values of the columns} from alnus align --all."""
        table = alnus("align", "--all", self.folder / "q.fasta", self.folder / "s.fasta", "--outfmt",
                      f"6 qseqid sseqid {columns}", *options)
        return {(query, subject): values for query, subject, *values in table}


class Search(unittest.TestCase):
    """Tests with a folder that has q.fasta, twenty queries of 144 to 5478 residues, and s.fasta, those of the first
    5,000 database sequences, or of all 20,000 with ALNUS_ALL_SUBJECTS in the environment, that have only the twenty
    amino acids."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        number = None if "ALNUS_ALL_SUBJECTS" in os.environ else 5000
        for name, file, most in [("q", ROOT / "data" / "queries" / "queries_cudasw.fasta", None),
                                 ("s", EXAMPLES / "DB.fasta.gz", number)]:
            usable = [letters for _, letters in itertools.islice(read_fasta(file), most)
                      if set(letters) <= set("ARNDCQEGHILKMFPSTWYV")]
            write_fasta(cls.folder / f"{name}.fasta", {f"{name}{k}": letters for k, letters in enumerate(usable)})
        cls.subjects = len(usable)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def search(self, columns, *options):
        """Returns {(query, subject): values of the columns} from alnus search, which may report all subjects."""
        table = alnus("search", self.folder / "q.fasta", self.folder / "s.fasta", "--max-target-seqs", self.subjects,
                      "--outfmt", f"6 qseqid sseqid {columns}", *options)
        return {(query, subject): values for query, subject, *values in table}


def run(command, folder=None):
    """Runs a program and returns its standard output. Its standard input is a pipe that stays open, because
    parasail_aligner would take a standard input at its end for a sequence file."""
    reading_end, writing_end = os.pipe()
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, stdin=reading_end, capture_output=True,
                              text=True)
    finally:
        os.close(reading_end)
        os.close(writing_end)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(done.args)} failed:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def alnus(*arguments):
    """Runs alnus and returns the rows of the table that it prints, as lists of words."""
    return [line.split("\t") for line in run([ALNUS, *arguments, "--quiet"]).splitlines()]


def main(*needed):
    """Runs the tests of the calling file. `needed` are pairs of a program and its Debian package."""
    missing = [f"{program} (Debian's package {package})" for program, package in needed if not shutil.which(program)]
    if not EXAMPLES.is_dir():
        missing.append(f"{EXAMPLES} (Debian's package mmseqs2-examples)")
    if missing:
        print(f"skipped: without {', '.join(missing)} there is nothing to compare with")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1], verbosity=2)


if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} ALNUS")
ALNUS = sys.argv[1]
