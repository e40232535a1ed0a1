"""--mask dust masks the same letters as dustmasker, in random, repetitive and ambiguous sequences of 0 to 1,000,000
bases. With ALNUS_FULL_TESTS=1 in the environment there are 40,000 sequences instead of 2,500."""

import os
import pathlib
import random
import re
import tempfile
import unittest

from common import ALNUS, main, read_fasta, run, write_fasta

FULL = os.environ.get("ALNUS_FULL_TESTS") == "1"
NUMBER = 40_000 if FULL else 2_500
LONG = 20 if FULL else 2
UNKNOWN = [1, 2, 3, 20, 62, 63, 64, 65, 66, 200]  # lengths of runs of N; a window of DUST has 64 bases


class Chooser(random.Random):
    def letters(self, length, letters="ACGT", weights=None):
        return "".join(self.choices(letters, weights, k=length))

    def mutated(self, letters, rate):
        """Returns the letters with substitutions at this rate, and insertions and deletions of single bases at half of
        it."""
        words = ["", *"ACGT", *(a + b for a in "ACGT" for b in "ACGT")]
        changed = [self.choices(words, [4] + [4] * 4 + [0.25] * 16)[0] if self.random() < 2 * rate else letter
                   for letter in letters]
        return "".join(changed)

    def repeat(self, length, longest_unit):
        unit = self.letters(self.randint(1, longest_unit))
        return (unit * (length // len(unit) + 1))[:length]

    def piece(self, length):
        return self.choice([
            lambda: self.letters(length),
            lambda: self.letters(length, weights=[self.random() ** 3 + 0.01 for _ in "ACGT"]),
            lambda: self.choice("ACGT") * length,
            lambda: self.repeat(length, 6),
            lambda: self.mutated(self.repeat(length, 70), self.choice([0.01, 0.05, 0.1])),
            lambda: "N" * self.choice(UNKNOWN),
            lambda: self.letters(length, "ACGTN", [8, 8, 8, 8, self.randint(1, 40)]),
            lambda: self.letters(length, "AN", [self.randint(1, 20), 1]),
            lambda: self.letters(length, "ACGTURYKMSWBDHVN", [8] * 4 + [1] * 12)])()

    def sequence(self, pieces, longest):
        letters = "".join(self.piece(self.randrange(longest)) for _ in range(pieces))
        return "".join(map(self.choice, zip(letters, letters.lower()))) if self.random() < 0.2 else letters


def sequences():
    chooser = Chooser(64)
    found = [chooser.letters(length, letters) for length in range(12) for letters in ("A", "ACGT", "N", "AN")]
    found += [before + "N" * length + after for length in UNKNOWN for before in ("", "A", "ACGTT", "A" * 90)
              for after in ("", "C", "GTACCAT", "A" * 90)]
    found += [chooser.sequence(chooser.randint(1, 8), chooser.choice([12, 40, 150, 400])) for _ in range(NUMBER)]
    found += [(chooser.sequence(4000, 600) + chooser.letters(1_000_000))[:1_000_000] for _ in range(LONG)]
    found += [chooser.letters(1_000_000), chooser.letters(1_000_000, weights=[35, 15, 15, 35])]
    return {f"s{k}": letters for k, letters in enumerate(found)}


class Dustmasker(unittest.TestCase):
    def test_masked_letters(self):
        dna = sequences()
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            write_fasta(folder / "in.fasta", dna)
            run([ALNUS, "makedb", "in.fasta", "-o", "masked.alnus", "--alphabet", "dna", "--mask", "dust", "--quiet"],
                folder)
            run([ALNUS, "bench", "search", "in.fasta", "masked.alnus", "--write-database", "masked.fasta.gz",
                 "--quiet"], folder)
            found = dict(read_fasta(folder / "masked.fasta.gz"))
            write_fasta(folder / "not_empty.fasta", {name: letters for name, letters in dna.items() if letters})
            intervals = run(["dustmasker", "-in", "not_empty.fasta", "-outfmt", "interval"], folder)
        self.assertEqual(found.keys(), dna.keys())
        self.assertEqual({name for name, letters in found.items() if not letters},
                         {name for name, letters in dna.items() if not letters})
        regions = 0
        for record in intervals.split(">")[1:]:
            name, *lines = record.split("\n")
            name = name.strip()
            letters = list(dna[name].upper().replace("U", "T"))
            for begin, end in (re.fullmatch(r"(\d+) - (\d+)", line).groups() for line in lines if line):
                letters[int(begin):int(end) + 1] = "N" * (int(end) + 1 - int(begin))
                regions += 1
            self.assertEqual(found.pop(name), "".join(letters), name)
        self.assertEqual(set(found.values()), {""})
        self.assertGreater(regions, len(dna))


if __name__ == "__main__":
    main(("dustmasker", "ncbi-blast+"))
