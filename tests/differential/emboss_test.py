"""Scores equal those of EMBOSS' needle and water. So does the identity, unless several alignments are best."""

import random
import re

from common import ALNUS, Comparison, alnus, identities, main, read_matrix, run, score_of, write_fasta


def read_srspair(text):
    """Returns {(query, subject): (score, identities, columns, rows)} of a report by EMBOSS or alnus."""
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


def without_free_ends(rows):
    """Returns the two rows from the first to the last column without a gap: gaps at the ends cost nothing."""
    paired = [column for column, letters in enumerate(zip(*rows)) if "-" not in letters]
    return [row[paired[0]:paired[-1] + 1] for row in rows] if paired else ["", ""]


def has_adjacent_gaps(rows):
    """Returns True if a gap in one row directly follows one in the other. needle does not look for such alignments."""
    gapped = "".join("a" if a == "-" else "b" if b == "-" else "." for a, b in zip(*rows))
    return "ab" in gapped or "ba" in gapped


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


class ManyPairs(Comparison):
    """Compares with needle on a thousand pairs: ten subjects for each query, most of them its best hits."""

    queries = 100
    relatives = 6
    unrelated = 400

    def setUp(self):
        chooser = random.Random(1000)
        hits = alnus("search", self.folder / "q.fasta", self.folder / "s.fasta", "--evalue", "1e9",
                     "--max-target-seqs", self.relatives, "--outfmt", "6 qseqid sseqid")
        self.subjects = {query: {hit for name, hit in hits if name == query} for query in self.q}
        for chosen in self.subjects.values():
            chosen.update(chooser.sample(sorted(set(self.s) - chosen), 10 - len(chosen)))

    def needle(self):
        results = {}
        for query, subjects in self.subjects.items():
            write_fasta(self.folder / "one.fasta", {query: self.q[query]})
            write_fasta(self.folder / "ten.fasta", {name: self.s[name] for name in subjects})
            results |= read_srspair(run(["needle", "-asequence", "one.fasta", "-bsequence", "ten.fasta", "-stdout",
                                         "-auto", "-gapopen", 10, "-gapextend", 0.5, "-aformat", "srspair"],
                                        self.folder))
        return results

    def align(self, *report):
        pairs = "".join(f"{query}\t{name}\n" for query, subjects in self.subjects.items() for name in subjects)
        (self.folder / "pairs.tsv").write_text(pairs)
        return ["align", "--pairs", self.folder / "pairs.tsv", self.folder / "q.fasta", self.folder / "s.fasta",
                "--preset", "emboss-needle", *report]

    def test_identity(self):
        expected = self.needle()
        self.assertEqual(len(expected), 1000)
        reports = read_srspair(run([ALNUS, *self.align("--outfmt", "srspair", "--quiet")]))
        self.assertEqual(reports.keys(), expected.keys())
        ranges, end_gaps = {}, {}
        for query, subject, *values in alnus(*self.align(
                "--outfmt", "6 qseqid sseqid pident_min pident_max pident_end_gaps pident_end_gaps_min "
                "pident_end_gaps_max")):
            ranges[query, subject], end_gaps[query, subject] = map(float, values[:2]), tuple(map(float, values[2:]))
        matrix = read_matrix("BLOSUM62")
        better, other_identities = [], 0
        for pair, (score, identity, columns, rows) in expected.items():
            our_score, our_identity, our_columns, our_rows = reports[pair]
            self.assertEqual(score_of(our_rows, matrix, 10, 0.5, end_gaps_free=True), float(our_score), pair)
            self.assertEqual(score_of(rows, matrix, 10, 0.5, end_gaps_free=True), float(score), pair)
            needles = 100 * identity / columns
            ours, lowest, highest = end_gaps[pair]
            if our_score == score:
                self.assertTrue(lowest - 0.0006 < needles < highest + 0.0006, (pair, lowest, needles, highest))
            if our_rows == rows:
                self.assertEqual((our_score, our_identity, our_columns), (score, identity, columns), pair)
                self.assertAlmostEqual(ours, needles, delta=0.0006)
                continue
            if our_score != score:
                self.assertGreater(float(our_score), float(score), pair)
                self.assertTrue(has_adjacent_gaps(our_rows), (pair, our_rows))
                better.append(pair)
                continue
            # Another of several best alignments.
            other_identities += our_identity * columns != identity * our_columns
            aligned = without_free_ends(rows)
            percent = 100 * identities(aligned) / max(len(aligned[0]), 1)
            lowest, highest = ranges[pair]
            self.assertTrue(lowest - 0.0006 < percent < highest + 0.0006, (pair, lowest, percent, highest))
        print(f"of {len(expected)} pairs {other_identities} have the identity of another best alignment, and "
              f"{len(better)} a higher score than needle found")
        self.assertLess(other_identities, len(expected) / 4)
        self.assertLess(len(better), len(expected) / 50)


if __name__ == "__main__":
    main(("needle", "emboss"), ("water", "emboss"))
