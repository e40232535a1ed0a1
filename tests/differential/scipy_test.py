"""NumPy reads the matrices of all pairs, SciPy takes their order, and the values are those of the table."""

import sys

from common import SKIPPED, Comparison, alnus, main, write_fasta

try:
    import numpy
    from scipy.spatial.distance import squareform
except ImportError as error:
    print(f"skipped: {error} (Debian's packages python3-numpy and python3-scipy)")
    sys.exit(SKIPPED)


class Scipy(Comparison):
    def setUp(self):
        self.fasta = self.folder / "all.fasta"
        write_fasta(self.fasta, self.s)

    def matrix(self, value, *options):
        path = self.folder / "matrix.npy"
        alnus("allpairs", self.fasta, "--matrix-out", path, "--matrix-value", value, *options)
        return numpy.load(path)

    def expected(self, value_of):
        """Returns the symmetric matrix, made from the table of all pairs."""
        names = list(self.s)
        rows = alnus("allpairs", self.fasta, "--self", "--outfmt", "6 qseqid sseqid score nident length")
        of_pair = {(query, subject): [int(count) for count in counts] for query, subject, *counts in rows}
        matrix = numpy.zeros((len(names), len(names)))
        for i, first in enumerate(names):
            for j, second in enumerate(names[i:], i):
                # Pairs with an empty alignment have no row.
                matrix[i, j] = matrix[j, i] = value_of(*of_pair.get((first, second), (0, 0, 1)))
        return matrix

    def compare(self, value, dtype, value_of):
        expected = self.expected(value_of)
        condensed, square = self.matrix(value), self.matrix(value, "--square")
        self.assertEqual((condensed.dtype, square.dtype), (dtype, dtype))
        numpy.testing.assert_allclose(square, expected, rtol=1e-6, atol=1e-7)
        numpy.testing.assert_array_equal(condensed, squareform(square, checks=False))
        numpy.fill_diagonal(square, 0)
        numpy.testing.assert_array_equal(squareform(condensed), square)

    def test_scores(self):
        self.compare("score", "<i4", lambda score, identical, length: score)

    def test_identities(self):
        self.compare("identity", "<f4", lambda score, identical, length: 100 * identical / length)

    def test_distances(self):
        self.compare("distance", "<f4", lambda score, identical, length: 1 - identical / length)


if __name__ == "__main__":
    main()
