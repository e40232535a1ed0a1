"""Helpers of the tests of alnus.distributed: sequences, a slow program, clusters of processes."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence

import alnus

LETTERS = "ARNDCQEGHILKMFPSTWYV"


def fasta(path: pathlib.Path, count: int, seed: int, lengths: tuple[int, int] = (60, 400)) -> str:
    """Writes proteins in families of about eight, so that there are hits; returns the path of the file."""
    draw = random.Random(seed)
    families = [[draw.choice(LETTERS) for _ in range(draw.randint(*lengths))] for _ in range(max(1, count // 8))]
    with open(path, "w") as file:
        for k in range(count):
            letters = [draw.choice(LETTERS) if draw.random() < 0.4 else letter for letter in draw.choice(families)]
            cut = draw.randrange(len(letters) // 3 + 1)
            file.write(f">{path.stem}{k} protein {k}\n{''.join(letters[cut:])}\n")
    return str(path)


# A script that stands in for the program. It passes requests on, and delays each answer by a multiple of the seconds
# that the program took. Each process of the script draws its multiple between {lowest} and {highest}.
SLOW_PROGRAM = """#!{python}
import json, os, random, subprocess, sys, time
if "--part" not in sys.argv:
    os.execv({program!r}, [{program!r}, *sys.argv[1:]])
slowness = random.uniform({lowest}, {highest})
process = subprocess.Popen([{program!r}, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(process.stdout.readline().decode(), end="", flush=True)
for line in iter(sys.stdin.buffer.readline, b""):
    process.stdin.write(line); process.stdin.flush()
    if line.startswith(b"stop"): continue
    answer = process.stdout.readline()
    if not answer: break
    time.sleep(slowness * json.loads(answer)["seconds"])
    print(answer.decode(), end="", flush=True)
process.stdin.close()
sys.exit(process.wait())
"""


def slow_program(path: pathlib.Path, program: str, lowest: float, highest: float) -> str:
    """Writes a program that delays the answer for each part by ``lowest`` to ``highest`` times the part's seconds."""
    path.write_text(SLOW_PROGRAM.format(python=sys.executable, program=program, lowest=lowest, highest=highest))
    path.chmod(0o755)
    return str(path)


class Processes:
    """A scheduler and workers, each in a process group of its own, as a cluster starts them."""

    def __init__(self, program: str, workers: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        folders = [str(pathlib.Path(alnus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, folders)),
            "ALNUS_PROGRAM": program,
        }
        self.scheduler = self._start_scheduler()
        self.workers = [self._start_worker() for _ in range(workers)]

    def _start(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", *words],
            env=self.environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        return self._start(["distributed.cli.dask_scheduler", "--port", str(self._port), "--no-dashboard", "--no-show"])

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return self._start(
            ["distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-dashboard", "--death-timeout", "60"]
        )

    def kill_scheduler(self) -> None:
        """Kills the scheduler and starts another one at the same address, where restarted workers find it."""
        _kill(self.scheduler)
        time.sleep(0.5)
        self.scheduler = self._start_scheduler()

    def kill_worker(self, number: int) -> None:
        """Kills a worker with its nanny and its program, as if its machine failed, and starts another worker."""
        _kill(self.workers[number])
        self.workers[number] = self._start_worker()

    def restart_the_ended(self) -> None:
        """Starts another worker for each that has ended; workers end when their scheduler is killed."""
        for number, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[number] = self._start_worker()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self.scheduler]:
            _kill(process)


def is_alive(process: int) -> bool:
    """Whether a process runs: True neither if there is none nor if it has ended and waits for its parent."""
    with contextlib.suppress(OSError):
        return "State:\tZ" not in pathlib.Path(f"/proc/{process}/status").read_text()
    return False


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
