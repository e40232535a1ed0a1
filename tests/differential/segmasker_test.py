"""--mask seg masks the same letters as segmasker, in all 20,500 example proteins."""

import pathlib
import re
import tempfile
import unittest

from common import ALNUS, EXAMPLES, main, read_fasta, run, write_fasta


class Segmasker(unittest.TestCase):
    def compare(self, name):
        records = enumerate(read_fasta(EXAMPLES / name))
        proteins = {f"p{k}": letters for k, (_, letters) in records if letters}  # read_fasta splits a title at ">"
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            write_fasta(folder / "in.fasta", proteins)
            run([ALNUS, "makedb", "in.fasta", "-o", "masked.alnus", "--mask", "seg", "--quiet"], folder)
            run([ALNUS, "bench", "search", "in.fasta", "masked.alnus", "--write-database", "masked.fasta.gz",
                 "--quiet"], folder)
            found = dict(read_fasta(folder / "masked.fasta.gz"))
            intervals = run(["segmasker", "-in", "in.fasta", "-outfmt", "interval"], folder)
        self.assertEqual(found.keys(), proteins.keys())
        regions = 0
        for record in intervals.split(">")[1:]:
            name, *lines = record.split("\n")
            letters = list(proteins[name.strip()])
            for begin, end in (re.fullmatch(r"(\d+) - (\d+)", line).groups() for line in lines if line):
                letters[int(begin):int(end) + 1] = "X" * (int(end) + 1 - int(begin))
                regions += 1
            self.assertEqual(found.pop(name.strip()), "".join(letters), name)
        self.assertEqual(found, {})
        self.assertGreater(regions, len(proteins))

    def test_queries(self):
        self.compare("QUERY.fasta.gz")

    def test_database(self):
        self.compare("DB.fasta.gz")


if __name__ == "__main__":
    main(("segmasker", "ncbi-blast+"))
