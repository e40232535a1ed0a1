"""Scores equal those of EMBOSS' needle and water; so does identity, unless several alignments are best."""

import re

from common import ALNUS, Comparison, identities, main, read_matrix, run, score_of, write_fasta


def read_srspair(text):
    """{(query, subject): (score, identities, columns, rows)} of a report by EMBOSS or alnus."""
    results = {}
    for part in text.split("# Aligned_sequences: 2\n")[1:]:
        def field(name, pattern=r"(\S+)"):
            return re.search(rf"^# {name}: *{pattern}", part, re.MULTILINE)
        names = field("1")[1], field("2")[1]
        rows = ["", ""]
        lines = re.findall(r"^(\S+) +\d+ ([A-Za-z*-]+) +\d+$", part, re.MULTILINE)
        for k, (name, letters) in enumerate(lines):
            rows[k % 2] += letters
        identity, columns = field("Identity", r"(\d+)/(\d+)").groups()
        results[names] = (field("Score")[1], int(identity), int(columns), rows)
    return results


class Emboss(Comparison):
    queries = 6
    unrelated = 40

    def emboss(self, program, *options):
        results = {}
        for name, letters in self.q.items():
            write_fasta(self.folder / "one.fasta", {name: letters})
            results |= read_srspair(run([program, "-asequence", "one.fasta", "-bsequence", "s.fasta", "-stdout", "-auto",
                                         "-aformat", "srspair", *options], self.folder))
        self.assertEqual(len(results), self.pairs)
        return results

    def alnus(self, *options):
        return read_srspair(run([ALNUS, "align", "--all", "q.fasta", "s.fasta", "--outfmt", "srspair", "--quiet",
                                 *options], self.folder))

    def compare(self, expected, found, first, extend, end_gaps_free=False):
        matrix = read_matrix("BLOSUM62")
        different_paths = 0
        for pair, (score, identity, columns, rows) in expected.items():
            if pair not in found:  # a local alignment of score 0
                self.assertEqual(float(score), 0, pair)
                continue
            our_score, our_identity, our_columns, our_rows = found[pair]
            self.assertEqual(float(our_score), float(score), pair)
            self.assertEqual(score_of(our_rows, matrix, first, extend, end_gaps_free), float(score), pair)
            self.assertEqual((identities(our_rows), len(our_rows[0])), (our_identity, our_columns), pair)
            if our_rows == rows:
                self.assertEqual((our_identity, our_columns), (identity, columns), pair)
            else:  # another of several best alignments
                different_paths += 1
                self.assertEqual(score_of(rows, matrix, first, extend, end_gaps_free), float(score), pair)
        self.assertLess(different_paths, len(expected) / 2)

    def test_water(self):
        gaps = ["-gapopen", 10, "-gapextend", 0.5]
        self.compare(self.emboss("water", *gaps), self.alnus("--preset", "emboss-water"), 10, 0.5)

    def test_needle(self):
        gaps = ["-gapopen", 10, "-gapextend", 0.5]
        self.compare(self.emboss("needle", *gaps), self.alnus("--preset", "emboss-needle"), 10, 0.5,
                     end_gaps_free=True)

    def test_needle_with_other_gap_costs(self):
        gaps = ["--gap-open", 12, "--gap-extend", 2, "--gap-convention", "emboss"]
        self.compare(self.emboss("needle", "-gapopen", 12, "-gapextend", 2),
                     self.alnus("--mode", "semiglobal", *gaps), 12, 2, end_gaps_free=True)

    def test_needle_with_end_gaps_that_cost(self):
        ends = ["-endweight", "Y", "-endopen", 10, "-endextend", 0.5]
        gaps = ["--gap-open", 10, "--gap-extend", 0.5, "--gap-convention", "emboss"]
        self.compare(self.emboss("needle", "-gapopen", 10, "-gapextend", 0.5, *ends),
                     self.alnus("--mode", "global", *gaps), 10, 0.5)


if __name__ == "__main__":
    main(("needle", "emboss"), ("water", "emboss"))
