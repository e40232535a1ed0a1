"""Helpers of the tests of the Python package: the program, and scripts in processes of their own."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np

import alnus

FULL = os.environ.get("ALNUS_FULL_TESTS") == "1"

Cells = set[tuple[int, int]]  # residues of a query and of a subject, from 0, that are aligned


def rescored(query: str, subject: str, scoring: alnus.Scoring, *, free_ends: tuple[bool, bool] = (True, True)) -> float:
    """The score of two aligned texts, counted column by column.

    Every gap is charged, also at the ends; ``free_ends`` has no effect.
    """
    place = {letter: k for k, letter in enumerate(scoring.letters)}
    opening, extending = scoring.gaps
    total, gap = 0.0, ""
    for q, s in zip(query.upper(), subject.upper(), strict=True):
        kind = "I" if s == "-" else "D" if q == "-" else ""
        if kind:
            total -= extending + (opening if kind != gap else 0)
        else:
            total += float(scoring.values[place[q], place[s]])
        gap = kind
    return total


def cells(pair: alnus.Pair, query: str) -> Cells:
    """The places of the residues that are aligned, along the strand of the query that was aligned."""
    i = len(query) - pair.query_end if pair.strand == -1 else pair.query_begin
    j = pair.subject_begin
    aligned = set()
    for one, other in zip(*pair.aligned, strict=True):
        if "-" not in (one, other):
            aligned.add((i, j))
        i, j = i + (one != "-"), j + (other != "-")
    return aligned


def run_script(
    script: str, *words: object, timeout: float = 600, check: bool = True, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs Python code in a process of its own, which imports the same package."""
    folders = [str(pathlib.Path(alnus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *(str(word) for word in words)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders)), **environment},
    )
    if check:
        assert done.returncode == 0, f"ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


class Program:
    """The command line program, whose output the package must equal."""

    def __init__(self, path: str) -> None:
        self.path = path

    def text(self, *words: object) -> bytes:
        """What the program writes to standard output."""
        return self.run(*words).stdout

    def run(self, *words: object) -> subprocess.CompletedProcess[bytes]:
        command = [self.path, *(str(word) for word in words), "--quiet"]
        done = subprocess.run(command, capture_output=True, timeout=300)
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stderr.decode()}"
        return done

    def command_line(self, *words: object) -> str:
        """The command line that the program writes into the heads of SAM and srspair."""
        return " ".join([self.path, *(str(word) for word in words), "--quiet"])


def condensed(matrix: np.ndarray) -> np.ndarray:
    """The matrix' upper triangle, row by row: SciPy's condensed form."""
    return matrix[np.triu_indices(len(matrix), 1)]
