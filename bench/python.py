#!/usr/bin/env python3
"""Measure the Python package beside the program alnus and beside other packages, and print Markdown.

    bench/python.py program ALNUS [--runs 10] [--data FOLDER]
                                                processor time of the program's processes, of the calls in Python that
                                                do the same, and of the Python processes around them
    bench/python.py peers [--runs 5]            pairs a second on one core, for several lengths and numbers of pairs:
                                                alnus and those of parasail, pyopal, Biopython and rapidfuzz (an edit
                                                distance) that are installed
    bench/python.py traced [--runs 10]          processor time of aligning one pair of 300 residues with its CIGAR:
                                                alnus and parasail
    bench/python.py gpu [--runs 5]              scores of all pairs of two sets on a GPU: alnus, gpusw and
                                                stringzillas-cuda
    bench/python.py resident ALNUS [--runs 5] [--data FOLDER]
                                                a search with alignments on a GPU: processes of the program, which write
                                                a file, and calls in Python, which make a table in memory
    bench/python.py start                       processor time of import alnus and of import numpy

Needs the package `alnus` (pip install .), and for `program` and `resident` Debian's mmseqs2-examples.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

EXAMPLES = "/usr/share/doc/mmseqs2/example-data"
QUERIES = os.path.join(os.path.dirname(__file__), "..", "data", "queries", "queries_cudasw.fasta")
LETTERS = "ARNDCQEGHILKMFPSTWYV"

# Both programs print the seconds of processor time from making the session to the result, with reading the files.
SEARCH = """
import sys, time, alnus
begin = time.process_time()
session = alnus.Session(devices="cpu", threads=1)
rows = session.search(sys.argv[1], sys.argv[2])
print(time.process_time() - begin)
"""
PDIST = """
import sys, time, alnus
begin = time.process_time()
session = alnus.Session(devices="cpu", threads=1)
values = session.pdist(sys.argv[1], value="score")
print(time.process_time() - begin)
"""

# This program prints the seconds from making the session to the table with its CIGARs, the seconds of a second call,
# the bytes that the second call uploads to the GPU, and the number of hits.
RESIDENT = """
import sys, time, alnus
begin = time.perf_counter()
session = alnus.Session(devices="cuda")
database = session.open(sys.argv[2])
table = session.search(sys.argv[1], database).to_dict(cigars=True)
first, before = time.perf_counter() - begin, session.counters()["uploaded_bytes"]
begin = time.perf_counter()
table = session.search(sys.argv[1], database).to_dict(cigars=True)
second = time.perf_counter() - begin
print(first, second, session.counters()["uploaded_bytes"] - before, len(table["cigar"]))
"""


def sequences(count: int, length: int, seed: int = 1) -> list[str]:
    """Return ``count`` random proteins of ``length`` residues."""
    chosen = random.Random(seed)
    return ["".join(chosen.choices(LETTERS, k=length)) for _ in range(count)]


class Times(NamedTuple):
    """Seconds of processor time: of a whole process, and of the part of it whose time it printed (else the same)."""

    whole: float
    part: float


def processor_times(command: list[str]) -> Times:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Times(whole, float(done.stdout or whole))


def in_turn(commands: list[list[str]], runs: int) -> list[Times]:
    """Run the commands in turn, each ``runs`` times, and return the medians of the times of each command."""
    times: list[list[Times]] = [[] for _ in commands]
    for _ in range(runs):
        for k, command in enumerate(commands):
            times[k].append(processor_times(command))
    return [Times(*map(statistics.median, zip(*some, strict=True))) for some in times]


def program(arguments: argparse.Namespace) -> None:
    print("| work | program, s | call, s | program / call | Python process, s |\n|---|--:|--:|--:|--:|")
    one_core = ["--threads", "1", "--devices", "cpu"]
    with tempfile.TemporaryDirectory() as folder:
        short = os.path.join(folder, "short.fasta")
        with open(short, "w") as file:
            file.writelines(f">{k}\n{letters}\n" for k, letters in enumerate(sequences(5000, 15)))
        database, matrix = f"{arguments.data}/DB.fasta.gz", os.path.join(folder, "short.npy")
        for what, ours, theirs in (
            (
                "search of queries_cudasw.fasta in 20,000 proteins",
                [sys.executable, "-c", SEARCH, QUERIES, database],
                [arguments.alnus, "search", QUERIES, database, *one_core, "-o", os.path.join(folder, "hits.tsv")],
            ),
            (
                "scores of all pairs of 5,000 sequences of 15 residues",
                [sys.executable, "-c", PDIST, short],
                [arguments.alnus, "allpairs", short, *one_core, "--matrix-value", "score", "--matrix-out", matrix],
            ),
        ):
            (of_program, _), (whole, call) = in_turn([theirs, ours], arguments.runs)
            ratio = of_program / call
            print(f"| {what} | {of_program:.2f} | {call:.2f} | {ratio:.3f} | {whole:.2f} |", flush=True)


def aligners() -> dict[str, Callable[[list[str], list[str]], object]]:
    """Return functions that compute local scores of pairs: for each installed package, by its quickest way."""
    import alnus

    session = alnus.Session(devices="cpu", threads=1)
    found: dict[str, Callable[[list[str], list[str]], object]] = {
        "alnus, one call": lambda a, b: session.align(a, b, detail="score"),
        "alnus, a call for each pair": lambda a, b: [
            session.align(x, y, detail="score").score for x, y in zip(a, b, strict=True)
        ],
    }
    if parasail := installed("parasail"):
        found["parasail sw_striped_16"] = lambda a, b: [
            parasail.sw_striped_16(x, y, 12, 1, parasail.blosum62).score for x, y in zip(a, b, strict=True)
        ]
    if pyopal := installed("pyopal"):

        def by_pyopal(a: list[str], b: list[str]) -> object:
            aligner = pyopal.Aligner("BLOSUM62", gap_open=12, gap_extend=1)
            return [aligner.align(x, pyopal.Database([y]), mode="score")[0].score for x, y in zip(a, b, strict=True)]

        found["pyopal"] = by_pyopal
    if bio := installed("Bio.Align"):

        def by_biopython(a: list[str], b: list[str]) -> object:
            matrix = importlib.import_module("Bio.Align.substitution_matrices").load("BLOSUM62")
            aligner = bio.PairwiseAligner(
                mode="local", substitution_matrix=matrix, open_gap_score=-12, extend_gap_score=-1
            )
            return [aligner.score(x, y) for x, y in zip(a, b, strict=True)]

        found["Biopython PairwiseAligner"] = by_biopython
    if rapidfuzz := installed("rapidfuzz.distance"):
        found["rapidfuzz Levenshtein (an edit distance)"] = lambda a, b: [
            rapidfuzz.Levenshtein.distance(x, y) for x, y in zip(a, b, strict=True)
        ]
    return found


def installed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def table(found: dict[str, Callable[[list[str], list[str]], object]], sizes: list[tuple[int, int]], runs: int) -> None:
    """Print a table of pairs a second, medians of ``runs`` runs in which the packages take turns.

    ``sizes`` has (number of pairs, residues of each sequence) for each column.
    """
    print("| package | " + " | ".join(f"{count:,} of {length}" for count, length in sizes) + " |")
    print("|---|" + "--:|" * len(sizes))
    speeds: dict[str, list[str]] = {name: [] for name in found}
    for count, length in sizes:
        a, b = sequences(count, length, 1), sequences(count, length, 2)
        times: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(runs):
            for name, align in found.items():
                start = time.perf_counter()
                align(a, b)
                times[name].append(time.perf_counter() - start)
        for name, some in times.items():
            speeds[name].append(f"{count / statistics.median(some):,.0f}")
    for name, some in speeds.items():
        print(f"| {name} | " + " | ".join(some) + " |", flush=True)


def peers(arguments: argparse.Namespace) -> None:
    print(f"Pairs a second, {platform.processor() or platform.machine()}, one core.\n")
    table(aligners(), [(1, 300), (10_000, 15), (10_000, 100), (3_000, 300), (300, 1_000)], arguments.runs)


def traced(arguments: argparse.Namespace) -> None:
    """Print the microseconds of processor time of a call that aligns one pair of 300 residues and makes its CIGAR."""
    import alnus

    session = alnus.Session(devices="cpu", threads=1)
    a, b = sequences(1, 300, 1)[0], sequences(1, 300, 2)[0]
    found: dict[str, Callable[[], object]] = {
        "alnus.align": lambda: session.align(a, b).cigar,
        "alnus.align, matrix and gaps named": lambda: session.align(a, b, matrix="BLOSUM62", gaps=(11, 1)).cigar,
    }
    if parasail := installed("parasail"):
        for name in ("striped_16", "striped_sat", "scan_16", "diag_16"):
            call = getattr(parasail, f"sw_trace_{name}")
            found[f"parasail sw_trace_{name}"] = lambda call=call: call(a, b, 12, 1, parasail.blosum62).cigar.decode
    times: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(arguments.runs):
        for name, align in found.items():
            begin = time.process_time()
            for _ in range(1000):
                align()
            times[name].append(1000 * (time.process_time() - begin))
    print("| call | microseconds |\n|---|--:|")
    for name, some in times.items():
        print(f"| {name} | {statistics.median(some):.1f} |", flush=True)


def cross_scores() -> dict[str, Callable[[list[str], list[str]], Any]]:
    """Return functions that compute the local scores of all pairs of two lists on a GPU, for each installed package."""
    import numpy

    import alnus

    session = alnus.Session(devices="cuda")
    found: dict[str, Callable[[list[str], list[str]], Any]] = {
        "alnus.cdist": lambda a, b: session.cdist(a, b, value="score")
    }
    if gpusw := installed("gpusw"):
        scheme = gpusw.Scheme.preset("blosum62").replace(gap_open=-12, gap_extend=-1)
        found["gpusw.align_score"] = lambda a, b: gpusw.align_score(a, b, scheme=scheme, return_ids=False)
    if (stringzillas := installed("stringzillas")) and (stringzilla := installed("stringzilla")):
        codes = numpy.full(256, 31, dtype=numpy.uint8)
        scores = numpy.zeros((32, 32), dtype=numpy.int8)
        for row, x in enumerate(LETTERS):
            codes[ord(x)] = row
            for column, y in enumerate(LETTERS):
                scores[row, column] = alnus.align(x, y, mode="global", alphabet="protein").score
        scope = stringzillas.DeviceScope(gpu_device=0)
        engine = stringzillas.SmithWatermanScores(codes, scores, -12, -1, scope)
        found["stringzillas.SmithWatermanScores"] = lambda a, b: engine(
            stringzilla.Strs(a), stringzilla.Strs(b), device=scope
        )
    return found


def gpu(arguments: argparse.Namespace) -> None:
    found = cross_scores()
    sizes = [(10_000, 15), (5_000, 51), (2_000, 257), (600, 1_000)]
    print("| call | " + " | ".join(f"{count:,} x {count:,} of {length}" for count, length in sizes) + " |")
    print("|---|" + "--:|" * len(sizes))
    cells: dict[str, list[str]] = {name: [] for name in found}
    for count, length in sizes:
        a, b = sequences(count, length, 1), sequences(count, length, 2)
        times: dict[str, list[float]] = {name: [] for name in found}
        sums = {name: int(align(a, b).sum()) for name, align in found.items()}  # the first call also warms up
        for _ in range(arguments.runs):
            for name, align in found.items():
                begin = time.perf_counter()
                align(a, b)
                times[name].append(time.perf_counter() - begin)
        for name, some in times.items():
            seconds = statistics.median(some)
            same = "" if sums[name] == sums["alnus.cdist"] else " (other scores)"
            pairs, tcups = count * count / seconds / 1e6, count * count * length * length / seconds / 1e12
            cells[name].append(f"{pairs:,.1f} M/s, {tcups:.3f} TCUPS{same}")
    for name, some in cells.items():
        print(f"| {name} | " + " | ".join(some) + " |", flush=True)


def resident(arguments: argparse.Namespace) -> None:
    """Print the seconds of a search of 500 queries in 20,000 proteins with alignments.

    ``program``: a process of the program, which writes a file. ``first call``: from making the session to the table in
    memory. ``second call``: another call of the same session. ``process``: the Python process less the second call.
    """
    queries, database = f"{arguments.data}/QUERY.fasta.gz", f"{arguments.data}/DB.fasta.gz"
    times: dict[str, list[float]] = {"program": [], "first call": [], "second call": [], "process": []}
    uploaded = set()
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.alnus, "search", queries, database, "--devices", "cuda", "--outfmt", "6 std cigar"]
        for _ in range(arguments.runs):
            begin = time.perf_counter()
            subprocess.run([*command, "-o", f"{folder}/hits.tsv"], check=True, stderr=subprocess.DEVNULL)
            times["program"].append(time.perf_counter() - begin)
            begin = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", RESIDENT, queries, database], check=True, stdout=subprocess.PIPE
            )
            times["process"].append(time.perf_counter() - begin)
            first, second, bytes_of_second, hits = done.stdout.split()
            times["first call"].append(float(first))
            times["second call"].append(float(second))
            times["process"][-1] -= float(second)
            uploaded.add(int(bytes_of_second))
            with open(f"{folder}/hits.tsv") as file:
                assert int(hits) == sum(1 for _ in file)
    print("| | seconds |\n|---|--:|")
    for name, some in times.items():
        print(f"| {name} | {statistics.median(some):.3f} |")
    print(f"\nThe second call uploads {sorted(uploaded)} bytes.", flush=True)


def start(_: argparse.Namespace) -> None:
    import numpy  # noqa: F401  # brings NumPy's files into the page cache

    of_numpy, of_alnus = in_turn([[sys.executable, "-c", f"import {name}"] for name in ("numpy", "alnus")], 25)
    print(f"import numpy {1000 * of_numpy.whole:.0f} ms, import alnus {1000 * of_alnus.whole:.0f} ms of processor time")


COMMANDS = {"program": program, "peers": peers, "traced": traced, "gpu": gpu, "resident": resident, "start": start}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run in COMMANDS.items():
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--runs", type=int, default=10 if name in ("program", "traced") else 5)
        if name in ("program", "resident"):
            command.add_argument("alnus", help="the program")
            command.add_argument(
                "--data", default=EXAMPLES, help="where mmseqs2-examples' DB.fasta.gz and QUERY.fasta.gz are"
            )
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
