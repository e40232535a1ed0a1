"""Runs of `alnus allpairs --checkpoint` that are killed at a chosen write, sync or rename, runs with edited ledgers,
and two runs in one directory. A run that resumes ends with the same bytes, and one that does not resume says why.

ALNUS_AIM_LIBRARY is the library of aim.cpp, which kills runs. The tests take a random sample of the calls; with
ALNUS_FULL_TESTS=1 they take every call, and 1,000 edits of ledgers."""

import copy
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from common import ALNUS, main, write_fasta

FULL = os.environ.get("ALNUS_FULL_TESTS") == "1"
AIM_LIBRARY = os.environ["ALNUS_AIM_LIBRARY"]
EDITS = 1000 if FULL else 60
LIMIT = 60  # seconds; a run takes some hundredths of one
ROWS = ("--outfmt", "6 qseqid sseqid score cigar")  # where rows are written
COMMON = ("--matrix-out", "m.npy", "--edges", "e.tsv", "--edge-threshold", 25, "--mode", "global",
          "--checkpoint", "ledger", "--memory", "256K", "--threads", 2, "--quiet")
ACTIONS = {"write": ("before", "half", "after", "full"), "sync": ("before", "after", "full"),
           "rename": ("before", "after", "full")}


def start(folder, arguments, **environment):
    words = [*arguments, *(ROWS if "-o" in arguments else ()), *COMMON]
    return subprocess.Popen([ALNUS, "allpairs", *map(str, words)], cwd=folder, text=True, stderr=subprocess.PIPE,
                            env={**os.environ, **environment})


def aimed(folder, arguments, **environment):
    return start(folder, arguments, LD_PRELOAD=AIM_LIBRARY, **environment)


def contents(folder):
    """Returns {name: bytes} of all files except the directory of the ledger."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "ledger"}


class Checkpoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        memory = Path("/dev/shm")  # syncs take no time there
        cls.temporary = tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)
        cls.folder = Path(cls.temporary.name)
        chooser = random.Random(20)
        sequences = {f"s{k}": "".join(chooser.choices("ACDEFGHIKLMNPQRSTVWY", k=chooser.randrange(30, 90)))
                     for k in range(20)}
        write_fasta(cls.folder / "all.fa", sequences)
        for name, part in {"first": (0, 12), "rest": (12, 20)}.items():
            write_fasta(cls.folder / f"{name}.fa", dict(list(sequences.items())[slice(*part)]))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.chooser = random.Random(self.id())
        self.folders = 0

    def fresh(self, like=None):
        self.folders += 1
        folder = self.folder / f"{self.id()}-{self.folders}"
        if like:
            shutil.copytree(like, folder)
        else:
            folder.mkdir()
        return folder

    def finish(self, folder, arguments):
        running = start(folder, arguments)
        _, errors = running.communicate(timeout=LIMIT)
        self.assertEqual(running.returncode, 0, errors)

    def finished(self, arguments, like=None):
        folder = self.fresh(like)
        self.finish(folder, arguments)
        return folder

    def expect_same(self, folder, expected, what):
        found = contents(folder)
        self.assertEqual(set(found), set(expected), what)
        for name, expected_bytes in expected.items():
            self.assertTrue(found[name] == expected_bytes, f"{name}, {what}")

    def calls(self, arguments, like):
        """Returns {call: how often a whole run makes it}."""
        folder = self.fresh(like)
        running = aimed(folder, arguments, ALNUS_CALLS=str(folder / "calls"))
        self.assertEqual(running.wait(LIMIT), 0, running.stderr.read())
        running.stderr.close()
        return {name: int(count) for name, count in map(str.split, (folder / "calls").read_text().splitlines())}

    def end_at(self, folder, arguments, aim):
        """Starts a run that is to end early: it is killed, or its call fails as on a full disk. Returns whether it did.

        Threads decide how many compressed blocks one write takes. A run that makes fewer writes than the aim says ends
        as usual, and its count of calls must show that.
        """
        counts = folder.with_name(folder.name + "-calls")
        running = aimed(folder, arguments, ALNUS_AIM=aim, ALNUS_CALLS=str(counts))
        _, errors = running.communicate(timeout=LIMIT)
        if running.returncode == 0:
            call, number, _ = aim.split()
            made = dict(map(str.split, counts.read_text().splitlines()))
            self.assertLess(int(made[call]), int(number), aim)
            return False
        if aim.endswith("full"):
            self.assertEqual(running.returncode, 255, f"{aim}: {errors}")
            self.assertIn("No space left on device", errors)
        else:
            self.assertEqual(running.returncode, -signal.SIGKILL, f"{aim}: {errors}")
        return True

    # ---- Aimed kills ----

    def end_everywhere(self, arguments, expected, like=None, least=1.0):
        """Ends a run at each possible call, or at a sample of them. Resumes it then, and expects the same outputs.

        At least this share of the runs must have been ended.
        """
        aims = [f"{call} {number + 1} {action}" for call, count in self.calls(arguments, like).items()
                for number in range(count) for action in ACTIONS[call]]
        self.assertGreater(len(aims), 100)
        if not FULL:
            aims = self.chooser.sample(aims, 25)
        ended = 0
        for aim in aims:
            folder = self.fresh(like)
            ended += self.end_at(folder, arguments, aim)
            if self.chooser.random() < 0.3:  # the resumed run is killed early
                running = aimed(folder, arguments, ALNUS_AIM=f"{self.chooser.choice(['write', 'sync'])} 2 before")
                running.communicate(timeout=LIMIT)
                self.assertIn(running.returncode, (0, -signal.SIGKILL), aim)
            self.finish(folder, arguments)
            self.expect_same(folder, expected, aim)
            shutil.rmtree(folder)
        self.assertGreaterEqual(ended, least * len(aims))

    def test_kills(self):
        arguments = ["../all.fa", "-o", "rows.tsv"]
        self.end_everywhere(arguments, contents(self.finished(arguments)))

    def test_kills_of_tables(self):
        arguments = ["../all.fa", "--matrix-out", "score:t.csv", "--matrix-out", "distance:t.tsv.gz"]
        self.end_everywhere(arguments, contents(self.finished(arguments)), least=0.9)

    def test_kills_of_added_sequences_in_a_table(self):
        more = ["--matrix-out", "score:t.csv"]
        first = self.finished(["../first.fa", *more])
        whole = contents(self.finished(["../all.fa", *more]))
        self.end_everywhere(["../first.fa", "--add", "../rest.fa", *more], whole, like=first)

    def test_kills_of_a_square_and_compressed_rows(self):
        arguments = ["../all.fa", "-o", "rows.tsv.gz", "--square"]
        self.end_everywhere(arguments, contents(self.finished(arguments)), least=0.9)

    def test_kills_while_sequences_are_added(self):
        first = self.finished(["../first.fa", "-o", "rows.tsv"])
        whole = contents(self.finished(["../all.fa", "-o", "rows.tsv"]))
        self.end_everywhere(["../first.fa", "--add", "../rest.fa", "-o", "rows.tsv"], whole, first)

    # ---- Edited ledgers ----

    def random_value(self, value):
        if isinstance(value, bool):
            return not value
        if isinstance(value, (int, float)):
            return self.chooser.choice([-1, 0, 1, 1.5, value - 1, value + 1, value * 2, 69, 10**6, 2**32, 2**64, 1e300,
                                        None, "1", self.chooser.randrange(max(2, int(value) + 2))])
        if isinstance(value, str):
            at = self.chooser.randrange(len(value) + 1)
            return self.chooser.choice([value[:at] + "x" + value[at + 1:], value[:at], "", None, 7])
        return self.chooser.choice([None, [], {}, 0])

    def edit_value(self, ledger):
        """Changes or removes one value of the ledger, or swaps it with another one."""
        places = []

        def walk(inside):
            for key in inside if isinstance(inside, dict) else range(len(inside)):
                places.append((inside, key))
                if isinstance(inside[key], (dict, list)):
                    walk(inside[key])
        walk(ledger)
        # Half of the edits are of numbers: there are few of them, but many values that describe the run.
        numbers = [(inside, key) for inside, key in places if isinstance(inside[key], (int, float))]
        inside, key = self.chooser.choice(self.chooser.choice([places, numbers]))
        how = self.chooser.random()
        if how < 0.7:
            inside[key] = self.random_value(inside[key])
        elif how < 0.8:
            del inside[key]
        else:
            other, other_key = self.chooser.choice(numbers)
            values = copy.deepcopy((other[other_key], inside[key]))
            inside[key], other[other_key] = values
        return json.dumps(ledger, indent=1).encode()

    def edit(self, text, others):
        kind = self.chooser.choice(["value", "value", "value", "byte", "cut", "swap", "other"])
        if kind == "value":
            return self.edit_value(json.loads(text))
        at, to = sorted(self.chooser.sample(range(len(text)), 2))
        if kind == "byte":
            return text[:at] + self.chooser.choice([b"", self.chooser.randbytes(1), text[at:at + 2]]) + text[at + 1:]
        if kind == "cut":
            return text[:at] + self.chooser.choice([b"", text[to:]])
        if kind == "swap":
            return text[:at] + text[to:to + 1] + text[at + 1:to] + text[at:at + 1] + text[to + 1:]
        return self.chooser.choice(others)

    def test_edited_ledgers(self):
        arguments = ["../all.fa", "-o", "rows.tsv"]
        expected = contents(self.finished(arguments))
        renames = self.calls(arguments, None)["rename"]
        states = []  # after the first and a middle stripe, before and between the renames of the outputs, finished
        for number in (2, renames // 2, renames - 3, renames - 2, renames):
            states.append(self.fresh())
            aim = f"rename {number} {'after' if number == renames else 'before'}"
            self.assertTrue(self.end_at(states[-1], arguments, aim), aim)
        ledgers = [(state / "ledger" / "ledger.json").read_bytes() for state in states]
        ledgers.append((self.finished(["../first.fa", "-o", "rows.tsv"]) / "ledger" / "ledger.json").read_bytes())
        refused = 0
        for _ in range(EDITS):
            folder = self.fresh(self.chooser.choice(states))
            ledger = folder / "ledger" / "ledger.json"
            before, edited = ledger.read_bytes(), self.edit(ledger.read_bytes(), ledgers)
            ledger.write_bytes(edited)
            running = start(folder, arguments)
            _, errors = running.communicate(timeout=LIMIT)
            what = f"exit code {running.returncode}, {errors}, {edited}"
            self.assertIn(running.returncode, (0, 1, 255), what)
            if running.returncode != 0:
                refused += 1
                self.assertRegex(errors, "ledger|is not as the run left it|Cannot resume the output file", what)
                self.assertNotIn("nternal error", errors, what)
                ledger.write_bytes(before)  # with the old ledger, the run can be resumed
                self.finish(folder, arguments)
            self.expect_same(folder, expected, what)
            shutil.rmtree(folder)
        self.assertGreater(refused, EDITS * 0.8)

    # ---- Two runs ----

    def test_two_runs_in_one_directory(self):
        arguments = ["../all.fa", "-o", "rows.tsv"]
        expected = contents(self.finished(arguments))
        folder = self.fresh()
        first = aimed(folder, arguments, ALNUS_AIM="rename 2 stop")
        os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WNOWAIT)
        for name in ("rows.tsv", "other.tsv"):
            second = start(folder, ["../all.fa", "-o", name])
            _, errors = second.communicate(timeout=LIMIT)
            self.assertEqual(second.returncode, 255)
            self.assertIn("Another run works in the directory ledger (it holds ledger/lock)", errors)
        first.send_signal(signal.SIGCONT)
        _, errors = first.communicate(timeout=LIMIT)
        self.assertEqual(first.returncode, 0, errors)
        self.expect_same(folder, expected, "the first run")

    def test_a_killed_run_leaves_no_lock(self):
        arguments = ["../all.fa", "-o", "rows.tsv"]
        folder = self.fresh()
        first = aimed(folder, arguments, ALNUS_AIM="rename 2 stop")
        os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WNOWAIT)
        first.kill()
        first.communicate(timeout=LIMIT)
        self.finish(folder, arguments)
        self.expect_same(folder, contents(self.finished(arguments)), "the second run")


if __name__ == "__main__":
    main()
