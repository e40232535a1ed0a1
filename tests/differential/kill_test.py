"""A run of `alnus allpairs --checkpoint` that is ended and resumed many times has the outputs of one that is not."""

import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from common import ALNUS, EXAMPLES, main, read_fasta, write_fasta

# The second: with added sequences.
KILLS, KILLS_WITH_MORE = (50, 20) if os.environ.get("ALNUS_FULL_TESTS") == "1" else (20, 8)
OUTPUTS = ("matrix.npy", "matrix.npy.ids", "edges.tsv")
STRIPES = ("--memory", "4M")  # so small that there are dozens of stripes


def options(rows, *more):
    return ["-o", rows, "--outfmt", "6 qseqid sseqid score nident length cigar", "--matrix-out", "matrix.npy",
            "--edges", "edges.tsv", "--edge-threshold", 25, "--mode", "global", "--checkpoint", "ledger", *STRIPES,
            *more]


class Kill(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        chooser = random.Random(50)
        usable = [(name, letters) for name, letters in read_fasta(EXAMPLES / "DB.fasta.gz") if len(letters) < 400]
        chosen = chooser.sample(usable, 150)
        for name, part in {"all": chosen, "first": chosen[:100], "rest": chosen[100:]}.items():
            write_fasta(cls.folder / f"{name}.fasta", dict(part))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.chooser = random.Random(self.id())
        self.runs = 0

    def fresh_folder(self):
        self.runs += 1
        folder = self.folder / f"{self.id()}-{self.runs}"
        folder.mkdir()
        return folder

    def start(self, folder, arguments, most_bytes=resource.RLIM_INFINITY):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))
        return subprocess.Popen([ALNUS, "allpairs", *map(str, arguments), "--quiet"], cwd=folder, preexec_fn=limit,
                                stderr=subprocess.PIPE, text=True)

    def finish(self, folder, arguments):
        """Runs to the end and returns the seconds that it took."""
        begin = time.monotonic()
        running = self.start(folder, arguments)
        _, errors = running.communicate()
        self.assertEqual(running.returncode, 0, errors)
        return time.monotonic() - begin

    def end_early(self, folder, arguments, seconds, file_bytes):
        """Starts a run and ends it at a random moment. Returns False if it had finished before."""
        how = self.chooser.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, "full disk"])
        if how == "full disk":
            running = self.start(folder, arguments, self.chooser.randrange(file_bytes))
            _, errors = running.communicate()
            if running.returncode != 0:
                self.assertRegex(errors, "File too large")
            return running.returncode != 0
        running = self.start(folder, arguments)
        try:
            _, errors = running.communicate(timeout=self.chooser.uniform(0, seconds))
            self.assertEqual(running.returncode, 0, errors)
            return False
        except subprocess.TimeoutExpired:
            running.send_signal(how)
            _, errors = running.communicate()
            # SIGINT kills a process that has not installed its handler yet.
            self.assertIn(running.returncode, (0, -signal.SIGKILL, -signal.SIGINT, 130), errors)
            return running.returncode != 0

    def compare(self, prepare, arguments, expected, rows, wanted):
        """Repeats runs that begin with prepare() and are ended and resumed until they finish, until `wanted` runs were
        ended early. The outputs must be those of a run that was not ended."""
        folder = prepare()
        seconds = self.finish(folder, arguments)
        self.expect_same(folder, expected or folder, rows)
        expected = expected or folder
        largest = max((expected / name).stat().st_size for name in (rows, *OUTPUTS))
        kills = 0
        while kills < wanted:
            folder = prepare()
            while self.end_early(folder, arguments, seconds, 2 * largest):
                kills += 1
            self.expect_same(folder, expected, rows)
            shutil.rmtree(folder)

    def expect_same(self, folder, expected, rows):
        self.assertEqual({path.name for path in folder.iterdir()}, {rows, *OUTPUTS, "ledger"})
        for name in (rows, *OUTPUTS):
            self.assertTrue((folder / name).read_bytes() == (expected / name).read_bytes(), name)

    def test_checkpoint(self):
        self.compare(self.fresh_folder, ["../all.fasta", *options("rows.tsv.gz")], None, "rows.tsv.gz", KILLS)

    def added(self, *more):
        whole = self.fresh_folder()
        self.finish(whole, ["../all.fasta", *options("rows.tsv", *more)])
        first = self.fresh_folder()
        self.finish(first, ["../first.fasta", *options("rows.tsv", *more)])

        def prepare():
            folder = self.fresh_folder()
            shutil.copytree(first, folder, dirs_exist_ok=True)
            return folder
        self.compare(prepare, ["../first.fasta", "--add", "../rest.fasta", *options("rows.tsv", *more)], whole,
                     "rows.tsv", KILLS_WITH_MORE)

    def test_added_sequences(self):
        self.added()

    def test_added_sequences_in_a_square_matrix(self):
        self.added("--square")


if __name__ == "__main__":
    main()
