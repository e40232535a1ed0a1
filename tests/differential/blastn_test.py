"""Reads of both strands against a reference: alnus finds the place of every read, and its scores, strands,
coordinates and E-values are those of blastn.

blastn's search is a heuristic, so alnus' score of a read may be higher, but never lower. The test is small, unless
ALNUS_FULL_TESTS=1 is set in the environment: then it has 1,000 reads and a reference of 5 million bases with 20 copies
of a repeat.
"""

import collections
import os
import pathlib
import random
import tempfile
import unittest

from common import alnus, main, run, write_fasta

FULL = os.environ.get("ALNUS_FULL_TESTS") == "1"
READS, REFERENCE, COPIES, REPEAT = (1000, 5_000_000, 20, 600) if FULL else (150, 80_000, 20, 300)
READ, ERRORS = 150, 0.04
# blastn masks queries only when it looks for seeds, not when it scores alignments.
SCORING = ["--alphabet", "dna", "--preset", "blastn", "--low-complexity", "none"]
BLASTN = ["-task", "blastn", "-dust", "no", "-max_hsps", 1]
COLUMNS = ("score sstrand qstart qend sstart send evalue bitscore length nident mismatch gapopen gaps pident btop qseq"
           " sseq").split()

Read = collections.namedtuple("Read", "letters strand begin end in_repeat")
Hit = collections.namedtuple("Hit", COLUMNS)


def reverse_complement(letters):
    return letters[::-1].translate(str.maketrans("ACGT", "TGCA"))


def with_errors(chooser, letters):
    """Returns a copy with errors: some bases are substituted, some deleted, and some have another one before them."""
    copy = ""
    for letter in letters:
        error = chooser.random() / ERRORS
        if error >= 1:
            copy += letter
        elif error < 0.6:
            copy += chooser.choice([other for other in "ACGT" if other != letter])
        elif error < 0.8:
            copy += chooser.choice("ACGT") + letter
    return copy


class Blastn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        chooser = random.Random(20)
        reference = bytearray(chooser.choices(b"ACGT", k=REFERENCE))
        repeat = "".join(chooser.choices("ACGT", k=REPEAT))
        cls.repeats = []
        for k in range(COPIES):
            begin = (REFERENCE // COPIES) * k + chooser.randrange(REFERENCE // COPIES - REPEAT)
            copy = repeat if k % 2 == 0 else reverse_complement(repeat)
            reference[begin:begin + REPEAT] = copy.encode()
            cls.repeats.append((begin, begin + REPEAT))
        cls.reference = reference.decode()
        cls.reads = {}
        for k in range(READS):
            begin = chooser.randrange(REFERENCE - READ)
            end = begin + READ
            letters = with_errors(chooser, cls.reference[begin:end])
            strand = chooser.choice(["plus", "minus"])
            if strand == "minus":
                letters = reverse_complement(letters)
            in_repeat = any(begin < last and first < end for first, last in cls.repeats)
            cls.reads[f"r{k}"] = Read(letters, strand, begin, end, in_repeat)
        write_fasta(cls.folder / "reads.fasta", {name: read.letters for name, read in cls.reads.items()})
        write_fasta(cls.folder / "reference.fasta", {"reference": cls.reference})
        cls.local = cls.search("--mode", "local")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def search(cls, *options):
        """Returns {read: its hit}."""
        rows = alnus("search", cls.folder / "reads.fasta", cls.folder / "reference.fasta", *SCORING, *options,
                     "--outfmt", f"6 qseqid {' '.join(COLUMNS)}")
        return {name: Hit(*values) for name, *values in rows}

    def assert_placed(self, hits):
        """Asserts that every read from outside the repeats was found where it came from. Errors at its ends may shift
        the ends of the hit by less than 30 bases."""
        for name, read in self.reads.items():
            if read.in_repeat:
                continue
            hit = hits[name]
            self.assertEqual(hit.sstrand, read.strand, name)
            start, end = (int(hit.sstart), int(hit.send)) if read.strand == "plus" else (int(hit.send), int(hit.sstart))
            self.assertLess(abs(start - 1 - read.begin), 30, name)
            self.assertLess(abs(end - read.end), 30, name)

    def test_every_local_hit_is_at_its_reads_place(self):
        self.assert_placed(self.local)

    def test_every_read_as_a_whole_is_at_its_place(self):
        hits = self.search("--mode", "semiglobal", "--free-ends", "sbegin,send")
        self.assert_placed(hits)
        for name, hit in hits.items():
            self.assertEqual((hit.qstart, hit.qend), ("1", str(len(self.reads[name].letters))))

    def test_without_the_preset_evalues_count_both_strands(self):
        both = self.search("--count-strands", "aligned")
        for name, hit in self.local.items():
            if name in both:  # the E-values of the others exceed the limit
                self.assertAlmostEqual(float(both[name].evalue) / float(hit.evalue), 2, delta=0.02)
        self.assertGreater(len(both), 0.9 * READS)

    def test_a_search_space_in_cells_is_blastns(self):
        space = 12_345_678
        self.compare_evalues(self.search("--searchsp", space), self.blastn("-searchsp", space))
        self.compare_evalues(self.search("--searchsp", space, "--count-strands", "aligned"),
                             self.blastn("-searchsp", space))

    def compare_evalues(self, ours, theirs):
        equal = 0
        for name, their in theirs.items():
            if ours[name].score == their.score:
                self.assertEqual((ours[name].evalue, ours[name].bitscore), (their.evalue, their.bitscore), name)
                equal += 1
        self.assertGreater(equal, 0.7 * READS)

    def blastn(self, *options):
        table = run(["blastn", "-query", "reads.fasta", "-subject", "reference.fasta", *BLASTN, "-evalue", 10,
                     *options, "-outfmt", f"6 qseqid {' '.join(COLUMNS)}"], self.folder)
        return {name: Hit(*values) for name, *values in (line.split("\t") for line in table.splitlines())}

    def test_hits_are_blastns_or_better(self):
        equal = numbers = whole = 0
        for name, their in self.blastn().items():
            our = self.local[name]
            self.assertGreaterEqual(int(our.score), int(their.score), name)
            if our.score != their.score:
                continue
            self.assertEqual((our.evalue, our.bitscore), (their.evalue, their.bitscore), name)
            if self.reads[name].in_repeat:  # it may be found in any of the copies
                continue
            self.assertEqual(our[1:6], their[1:6], name)  # strand and coordinates
            equal += 1
            # Gaps among equal letters can be at several places with the same score, and the programs choose
            # differently.
            numbers += our[:14] == their[:14]
            whole += our == their
            if our.gaps == their.gaps == "0":
                self.assertEqual(our, their, name)
        self.assertGreater(equal, 0.7 * READS)
        self.assertGreater(numbers, 0.95 * equal)
        self.assertGreater(whole, 0.3 * equal)


if __name__ == "__main__":
    main(("blastn", "ncbi-blast+"))
