"""E-values and bit scores of `--stats spouge` are those of blastp without composition-based statistics.

blastp's search is a heuristic: of the hits that it finds, those are compared whose score is the best of the pair.
ALNUS_ALL_SUBJECTS in the environment: with all of the example database.
"""

import itertools
import os
import tempfile
import unittest
from pathlib import Path

from common import EXAMPLES, ROOT, alnus, main, read_fasta, run, write_fasta

SUBJECTS = None if "ALNUS_ALL_SUBJECTS" in os.environ else 5000
AMINO_ACIDS = set("ARNDCQEGHILKMFPSTWYV")  # blastp scores others differently
COLUMNS = "qseqid sseqid score evalue bitscore"


class Blastp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        queries = [letters for _, letters in read_fasta(ROOT / "data" / "queries" / "queries_cudasw.fasta")]
        subjects = [letters for _, letters in itertools.islice(read_fasta(EXAMPLES / "DB.fasta.gz"), SUBJECTS)
                    if set(letters) <= AMINO_ACIDS]
        write_fasta(cls.folder / "q.fasta", {f"q{k}": letters for k, letters in enumerate(queries)})
        write_fasta(cls.folder / "s.fasta", {f"s{k}": letters for k, letters in enumerate(subjects)})
        run(["makeblastdb", "-in", "s.fasta", "-dbtype", "prot", "-out", "s", "-logfile", "makeblastdb.log"], cls.folder)
        cls.limits = ["--evalue", 10, "--max-target-seqs", len(subjects)]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def compare(self, matrix, open_, extend, at_least):
        blastp = run(["blastp", "-query", "q.fasta", "-db", "s", "-comp_based_stats", 0, "-seg", "no", "-matrix", matrix,
                      "-gapopen", open_, "-gapextend", extend, "-evalue", 10, "-max_target_seqs", 20_000,
                      "-max_hsps", 1, "-num_threads", 2, "-outfmt", f"6 {COLUMNS}"], self.folder)
        table = alnus("search", self.folder / "q.fasta", self.folder / "s.fasta", "--stats", "spouge", "--matrix", matrix,
                      "--gap-open", open_, "--gap-extend", extend, *self.limits, "--outfmt", f"6 {COLUMNS}")
        ours = {(query, subject): values for query, subject, *values in table}
        compared = 0
        for line in blastp.splitlines():
            query, subject, score, *statistics = line.split()
            self.assertIn((query, subject), ours)
            best, *expected = ours[query, subject]
            self.assertGreaterEqual(int(best), int(score))
            if best == score:
                self.assertEqual(expected, statistics, f"{query} {subject} {score}")
                compared += 1
        self.assertGreater(compared, at_least)

    def test_blosum62(self):
        self.compare("BLOSUM62", 11, 1, 500)

    def test_cheaper_gaps(self):
        self.compare("BLOSUM62", 9, 2, 500)

    def test_blosum80(self):
        self.compare("BLOSUM80", 10, 1, 500)

    def test_blosum45(self):
        self.compare("BLOSUM45", 14, 2, 500)


if __name__ == "__main__":
    main(("blastp", "ncbi-blast+"))
