"""Unadjusted E-values and bit scores of `--stats spouge` are those of blastp without composition-based statistics.

blastp's search is a heuristic. Only those of its hits are compared that have the pair's best score.
"""

from common import Search, main, run


class Blastp(Search):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run(["makeblastdb", "-in", "s.fasta", "-dbtype", "prot", "-out", "s", "-logfile", "makeblastdb.log"], cls.folder)

    def compare(self, matrix, open_, extend):
        blastp = run(["blastp", "-query", "q.fasta", "-db", "s", "-comp_based_stats", 0, "-seg", "no", "-matrix", matrix,
                      "-gapopen", open_, "-gapextend", extend, "-evalue", 10, "-max_target_seqs", self.subjects,
                      "-max_hsps", 1, "-num_threads", 2, "-outfmt", "6 qseqid sseqid score evalue bitscore"],
                     self.folder)
        found = self.search("score evalue bitscore", "--stats", "spouge", "--matrix", matrix, "--gap-open", open_,
                            "--gap-extend", extend, "--evalue", 10, "--composition", "none", "--low-complexity", "none")
        compared = 0
        for line in blastp.splitlines():
            query, subject, score, *expected = line.split()
            best, *ours = found[query, subject]
            self.assertGreaterEqual(int(best), int(score))
            if best == score:
                self.assertEqual(ours, expected, f"{query} {subject} {score}")
                compared += 1
        self.assertGreater(compared, 300)

    def test_blosum62(self):
        self.compare("BLOSUM62", 11, 1)

    def test_blosum62_with_other_gap_costs(self):
        self.compare("BLOSUM62", 9, 2)

    def test_blosum80(self):
        self.compare("BLOSUM80", 10, 1)

    def test_blosum45(self):
        self.compare("BLOSUM45", 14, 2)


if __name__ == "__main__":
    main(("blastp", "ncbi-blast+"))
