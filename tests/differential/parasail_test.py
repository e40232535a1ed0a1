"""Scores and ends equal those of parasail_aligner, in the modes local and global and with all sets of free ends that it
has.

parasail charges `-o` for a gap's first residue. Gaps are affine here, because with linear ones parasail's vectorised
functions forbid a gap directly after a gap in the other sequence.
"""

from common import Comparison, main, run

# The name of a method in parasail, and the options of alnus for the same method.
METHODS = {
    "sw": ["--mode", "local"],
    "nw": ["--mode", "global"],
    "sg": ["--mode", "semiglobal"],
    **{f"sg_{name}": ["--mode", "semiglobal", "--free-ends", ends] for name, ends in {
        "qb": "qbegin", "qe": "qend", "qx": "qbegin,qend",
        "db": "sbegin", "de": "send", "dx": "sbegin,send",
        "qb_de": "qbegin,send", "qe_db": "qend,sbegin",
        "qb_db": "qbegin,sbegin", "qe_de": "qend,send",
    }.items()},
}


class Parasail(Comparison):
    unrelated = 60

    def parasail(self, function, matrix, first, extend):
        """Returns {(query, subject): [score, query end, subject end]} with 1-based ends."""
        run(["parasail_aligner", "-x", "-a", function, "-m", matrix, "-o", first, "-e", extend, "-q", "q.fasta",
             "-f", "s.fasta", "-g", "out.csv"], self.folder)
        results = {}
        for line in (self.folder / "out.csv").read_text().splitlines():
            query, subject, _, _, score, query_end, subject_end = map(int, line.split(","))
            results[f"q{query}", f"s{subject}"] = [score, query_end + 1, subject_end + 1]
        self.assertEqual(len(results), self.pairs)
        return results

    def ends_on_the_border(self, method, query, subject, open_, extend):
        """Yields the ends of alignments without aligned residues. They may be the best, but parasail does not consider
        them."""
        free = METHODS[method][-1] if method.startswith("sg_") else "qbegin,qend,sbegin,send" if method == "sg" else ""
        if "qend" in free:
            yield [0 if "sbegin" in free else -open_ - extend * len(subject), 0, len(subject)]
        if "send" in free:
            yield [0 if "qbegin" in free else -open_ - extend * len(query), len(query), 0]

    def compare(self, method, matrix, open_, extend):
        expected = self.parasail(f"{method}_striped_32", matrix.lower(), open_ + extend, extend)
        found = self.align_all("score qend send", *METHODS[method], "--matrix", matrix, "--gap-open", open_,
                               "--gap-extend", extend, "--detail", "ends")
        for (query, subject), values in expected.items():
            if method == "sw" and values[0] == 0:
                continue  # alnus prints no row for an empty alignment
            ends = [values, *self.ends_on_the_border(method, self.q[query], self.s[subject], open_, extend)]
            best = max(ends, key=lambda end: (end[0], -end[2], -end[1]))
            ours = [int(value) for value in found.pop((query, subject))]
            self.assertEqual(ours, best, f"{method} {matrix} {query} {subject}")
        self.assertEqual(found, {})

    def test_every_mode(self):
        for method in METHODS:
            with self.subTest(method=method):
                self.compare(method, "BLOSUM62", 11, 1)

    def test_matrices_and_gap_costs(self):
        for matrix, open_, extend in [("BLOSUM50", 10, 2), ("PAM30", 9, 1), ("PAM250", 14, 2), ("BLOSUM90", 10, 1)]:
            for method in ("sw", "nw", "sg"):
                with self.subTest(method=method, matrix=matrix):
                    self.compare(method, matrix, open_, extend)


if __name__ == "__main__":
    main(("parasail_aligner", "parasail"))
