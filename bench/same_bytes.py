#!/usr/bin/env python3
"""Check that jobs at real size have outputs with the same bytes, in whatever way they are computed.

The ways are one process (one), parts that are merged in random order (parts), 4 workers of Dask (workers), 8 workers
that are slowed differently (slowed), and two workers with one GPU each (cards).

same_bytes.py ALNUS FOLDER --query FASTA --database FASTA --set FASTA [--ways WAY...] [--jobs JOB...] [--devices LIST]:
prints a line for each job and way, with the seconds, the bytes of the outputs, and whether the outputs are the same as
those of the first way. Exits with 1 if any are not. Needs the Python package (PYTHONPATH) with its extra `distributed`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "tests"))

from distributed_support import slow_program

PARTS = 7
SEARCH = ["--outfmt", "6 std cigar adjscore"]
JOBS = {
    "spouge": [*SEARCH, "-o", "hits.tsv"],
    "karlin": [*SEARCH, "--stats", "karlin", "-o", "hits.tsv.gz"],
    "regression": ["--outfmt", "0", "--stats", "regression", "-o", "hits.txt"],
    "none": ["--outfmt", "jsonl", "--stats", "none", "--max-target-seqs", "100", "-o", "hits.jsonl"],
    "zvalue": ["--outfmt", "6 std zscore", "--stats", "zvalue", "--shuffles", "100", "-o", "hits.tsv"],
    "pairs": ["--evalue", "1e-3", "--outfmt", "6", "-o", "rows.tsv.gz", "--matrix-out", "m.npy", "--edges", "edges.tsv",
              "--edge-threshold", "100"],
}  # fmt: skip
WAYS = ("one", "parts", "workers", "slowed", "cards")


def first_queries(query: Path, count: int, folder: Path) -> Path:
    """Write the first ``count`` queries to a file of their own, and return its path."""
    path = folder / f"first{count}.fasta"
    path.write_text(">" + ">".join(query.read_text().split(">")[1 : count + 1]))
    return path


def digests(folder: Path, outputs: list[str]) -> dict[str, str]:
    """Return the digest of each of a job's outputs, by name. The digest of a compressed file is of its contents."""
    found = {}
    for path in sorted(folder / name for name in outputs if (folder / name).is_file()):
        digest = hashlib.sha256()
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while data := file.read(1 << 22):
                digest.update(data)
        found[path.name] = digest.hexdigest()
    return found


def in_parts(alnus: str, words: list[str], outputs: list[str], machine: list[str], folder: Path) -> None:
    for number in range(1, PARTS + 1):
        part = ["--part", f"{number}/{PARTS}"]
        # A part only notes which outputs the job has. The merge is given their names.
        ours = [word if word != outputs[outputs.index("-o") + 1] else f"part{number}" for word in outputs]
        subprocess.run([alnus, *words, *ours, *machine, *part, "--quiet"], cwd=folder, check=True)
    parts = [f"part{number}" for number in range(1, PARTS + 1)]
    random.Random(1).shuffle(parts)
    said = ("--outfmt", "--stats", "--shuffles", "--max-target-seqs", "--evalue", "--edge-threshold")
    names = []
    for option, value in zip(outputs[::2], outputs[1::2], strict=True):
        if option not in said:
            names += [option, value]
    subprocess.run([alnus, "merge", *parts, *names, "--quiet"], cwd=folder, check=True)
    for part in parts:
        (folder / part).unlink()


def on_workers(alnus: str, words: list[str], machine: list[str], folder: Path, workers: int) -> None:
    command = [sys.executable, "-m", "alnus.distributed", *words, *machine, "--outdir", str(folder)]
    subprocess.run([*command, "--local", str(workers)], env={**os.environ, "ALNUS_PROGRAM": alnus}, check=True)
    shutil.rmtree(folder / "parts")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alnus", type=os.path.realpath)
    parser.add_argument("folder", type=Path)
    for name in ("query", "database", "set"):
        parser.add_argument("--" + name, type=Path, required=True)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS[:4])
    parser.add_argument("--jobs", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--shuffled-queries", type=int, default=20, help="queries of the job zvalue")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    slow = slow_program(asked.folder.resolve() / "slow", asked.alnus, 0, 3)
    all_same = True
    for job in asked.jobs:
        expected = None
        query = first_queries(asked.query, asked.shuffled_queries, asked.folder) if job == "zvalue" else asked.query
        inputs = ["allpairs", asked.set.resolve()] if job == "pairs" else ["search", query, asked.database]
        words = [inputs[0], *(str(path.resolve()) for path in inputs[1:])]
        for way in asked.ways:
            folder = asked.folder.resolve() / f"{job}-{way}"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            machine = ["--devices", "cuda" if way == "cards" else asked.devices]
            begin = time.perf_counter()
            if way == "one":
                subprocess.run([asked.alnus, *words, *JOBS[job], *machine, "--quiet"], cwd=folder, check=True)
            elif way == "parts":
                in_parts(asked.alnus, words, JOBS[job], machine, folder)
            else:
                program, workers = (slow, 8) if way == "slowed" else (asked.alnus, 2 if way == "cards" else 4)
                on_workers(program, [*words, *JOBS[job]], [*machine, "--threads", "1"], folder, workers)
            seconds = time.perf_counter() - begin
            found = digests(folder, JOBS[job])
            expected = expected or found
            same = bool(found) and found == expected
            all_same &= same
            size = sum((folder / name).stat().st_size for name in found)
            print(f"{job:12}{way:9}{seconds:8.1f} s {size:13,} bytes  {'same' if same else 'DIFFERENT'}", flush=True)
            if same:
                shutil.rmtree(folder)
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
