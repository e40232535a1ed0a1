"""Scores, ends and identities equal those of ssearch36 for every pair, unless several alignments are best."""

import re

from common import Comparison, identities, main, read_matrix, run, score_of

# A line of a hit in the format -m 9C. Its words are: subject, length, score; identity, similarity, score again,
# columns; begin, end, first and last residue of the query, and of the subject; residues opposite gaps; frame shifts;
# operations.
HIT = re.compile(r"(\S+) +\( *\d+\) +(\d+)\s+([\d.]+) [\d.]+ +\d+ +(\d+)"
                 r" +(\d+) +(\d+) +\d+ +\d+ +(\d+) +(\d+) +\d+ +\d+ +\d+ +\d+ +\d+\s+(\S+)$")


def aligned_rows(query, subject, begins, operations):
    """Returns the two rows of an alignment. As in SAM, I is a residue of the query opposite a gap."""
    rows, (i, j) = ["", ""], (begin - 1 for begin in begins)
    for count, operation in re.findall(r"(\d+)([MDI=X])", operations):
        count = int(count)
        rows[0] += "-" * count if operation == "D" else query[i:i + count]
        rows[1] += "-" * count if operation == "I" else subject[j:j + count]
        i += count if operation != "D" else 0
        j += count if operation != "I" else 0
    return rows


class Ssearch(Comparison):
    unrelated = 60

    def ssearch(self, matrix, open_, extend):
        output = run(["ssearch36", "-q", "-T", 1, "-s", matrix, "-f", -open_, "-g", -extend, "-m", "9C", "-z", -1,
                      "-E", "1e9", "-b", self.pairs, "-d", 0, "q.fasta", "s.fasta"], self.folder)
        query, hits = None, {}
        for line in output.splitlines():
            if head := re.match(r"\s*\d+>>>(\S+)", line):
                query = head[1]
            elif hit := HIT.match(line):
                hits[query, hit[1]] = hit.groups()[1:]
        return hits

    def compare(self, name, matrix, open_, extend):
        expected = self.ssearch(name, open_, extend)
        found = self.align_all("score nident length qstart qend sstart send cigar", "--matrix", matrix,
                               "--gap-open", open_, "--gap-extend", extend)
        self.assertEqual(len(expected), self.pairs)
        scores = read_matrix(matrix)
        different_paths = 0
        for pair, hit in expected.items():
            score, identity, length, query_begin, query_end, subject_begin, subject_end, operations = hit
            ours = found.pop(pair)
            self.assertEqual(ours[0], score, pair)
            self.assertEqual((ours[4], ours[6]), (query_end, subject_end), pair)
            query, subject = self.q[pair[0]], self.s[pair[1]]
            operations = operations.translate(str.maketrans("ID", "DI"))  # ssearch36's are the subject's
            theirs = aligned_rows(query, subject, (int(query_begin), int(subject_begin)), operations)
            rows = aligned_rows(query, subject, (int(ours[3]), int(ours[5])), ours[7])
            self.assertEqual(score_of(rows, scores, open_ + extend, extend), int(score), pair)
            self.assertEqual(identities(rows), int(ours[1]), pair)
            if rows == theirs:
                self.assertAlmostEqual(int(ours[1]) / int(length), float(identity), delta=0.00051, msg=pair)
                self.assertEqual(ours[2], length, pair)
            else:  # another of several best alignments
                different_paths += 1
                self.assertEqual(score_of(theirs, scores, open_ + extend, extend), int(score), pair)
        self.assertEqual(found, {})
        self.assertLess(different_paths, self.pairs / 4)

    def test_blosum50(self):
        self.compare("BL50", "BLOSUM50", 10, 2)

    def test_blosum62(self):
        self.compare("BL62", "BLOSUM62", 11, 1)


if __name__ == "__main__":
    main(("ssearch36", "fasta3"))
