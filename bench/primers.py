#!/usr/bin/env python3
"""Compare the places that alnus lists for primers (--max-differences) with all places that there are, and time it.

    bench/primers.py ALNUS FOLDER [--primers 200] [--bases 5000000] [--runs 3]

Prints a Markdown table. The reference is one random sequence. Each primer, 20 random bases, is planted at 40 places on
random strands, with up to 3 substitutions.

- Substitutions only: the rows must be exactly the windows of both strands that differ in at most 3 places, which are
  counted here for every window. The search is timed with all places, and with one alignment of each primer
  (--max-hsps 1), in turn.
- With edits, in the first 20,000 bases: every row has at most 3 differences, no two rows of a strand align the same two
  bases, and a dynamic program of this file, which bars what the rows align, finds no alignment with at most 3
  differences that is left.
"""
import argparse
import random
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BASES, LENGTH, PLACES, MOST = "ACGT", 20, 40, 3
SHORT = 20_000  # bases of the reference for edits
SEED = 1
COMPLEMENT = str.maketrans(BASES, BASES[::-1])
FAR = 1_000  # more differences than any alignment may have

Window = tuple[int, str, int]  # number of the primer, strand, first base of the window on the plus strand
Cells = dict[tuple[int, str], set[tuple[int, int]]]


def reverse_complement(sequence: str) -> str:
    return sequence.translate(COMPLEMENT)[::-1]


def substituted(sequence: str, count: int, draw: random.Random) -> str:
    letters = list(sequence)
    for place in draw.sample(range(len(letters)), count):
        letters[place] = draw.choice([base for base in BASES if base != letters[place]])
    return "".join(letters)


def planted(primers: list[str], bases: int, draw: random.Random) -> tuple[str, set[Window]]:
    """Return a reference, and the windows in which primers were planted. The windows do not overlap."""
    reference = draw.choices(BASES, k=bases)
    slots = draw.sample(range(bases // LENGTH), len(primers) * PLACES)
    windows = set()
    for number, slot in enumerate(slots):
        primer, begin, strand = number // PLACES, slot * LENGTH, draw.choice("+-")
        copy = substituted(primers[primer], draw.randrange(MOST + 1), draw)
        reference[begin:begin + LENGTH] = copy if strand == "+" else reverse_complement(copy)
        windows.add((primer, strand, begin))
    return "".join(reference), windows


def write_fasta(path: Path, records: dict[str, str]) -> Path:
    path.write_text("".join(f">{name}\n{sequence}\n" for name, sequence in records.items()))
    return path


def search(alnus: str, primers: Path, reference: Path, table: Path, *options: str) -> float:
    """Search, write a table, and return the seconds."""
    table.unlink(missing_ok=True)
    start = time.perf_counter()
    subprocess.run([alnus, "search", primers, reference, "--alphabet", "dna", "--max-differences", str(MOST), *options,
                    "--outfmt", "6 qseqid qstart sstart send cigar", "--quiet", "-o", table], check=True)
    return time.perf_counter() - start


def rows_of(table: Path) -> list[tuple[int, int, int, int, str]]:
    lines = [line.split("\t") for line in table.read_text().splitlines()]
    return [(int(name), int(i), int(j), int(end), cigar) for name, i, j, end, cigar in lines]


def all_windows(primers: list[str], reference: str) -> set[Window]:
    """Count the differences of every window."""
    letters = np.frombuffer(reference.encode(), np.uint8)
    differs = {base: (letters != ord(base)).view(np.uint8) for base in BASES}
    count = len(reference) - LENGTH + 1
    found = set()
    for number, primer in enumerate(primers):
        for strand, sequence in (("+", primer), ("-", reverse_complement(primer))):
            differences: NDArray[np.uint8] = np.zeros(count, np.uint8)
            for place, base in enumerate(sequence):
                differences += differs[base][place:place + count]
            found |= {(number, strand, int(begin)) for begin in np.flatnonzero(differences <= MOST)}
    return found


def aligned_bases(rows: list[tuple[int, int, int, int, str]], length: int) -> Cells:
    """Return what the rows align, by primer and strand: bases of the primer and of the reference's strand, from 0."""
    cells: Cells = {}
    for number, query_begin, begin, end, cigar in rows:
        strand = "+" if begin <= end else "-"
        i, j = query_begin - 1, begin - 1 if strand == "+" else length - begin
        # What the query has before and behind its aligned bases would be differences, too.
        runs = [(int(count), letter) for count, letter in re.findall(r"(\d+)([=XID])", cigar)]
        if sum(count for count, letter in runs if letter != "=") > MOST:
            sys.exit(f"A row of primer {number} has more than {MOST} differences: {cigar}")
        if query_begin != 1 or sum(count for count, letter in runs if letter in "=XI") != LENGTH:
            sys.exit(f"A row of primer {number} leaves out bases of the primer: {cigar}")
        taken = cells.setdefault((number, strand), set())
        for count, letter in runs:
            if letter in "=X":
                for k in range(count):
                    if (i + k, j + k) in taken:
                        sys.exit(f"Two rows of primer {number} align the same bases.")
                    taken.add((i + k, j + k))
            i += count if letter in "=XI" else 0
            j += count if letter in "=XD" else 0
    return cells


def fewest_left(primer: str, reference: str, taken: set[tuple[int, int]]) -> int:
    """Return the fewest differences of the whole primer with a part of the reference that aligns nothing taken."""
    letters = np.frombuffer(reference.encode(), np.uint8)
    columns = np.arange(len(reference) + 1)
    barred: NDArray[np.bool_] = np.zeros((LENGTH, len(reference)), np.bool_)
    for i, j in taken:
        barred[i, j] = True
    above: NDArray[np.int64] = np.zeros(len(reference) + 1, np.int64)
    for i, base in enumerate(primer):
        row = above + 1
        diagonal = above[:-1] + np.where(barred[i], FAR, letters != ord(base))
        row[1:] = np.minimum(row[1:], diagonal)
        above = np.minimum.accumulate(row - columns) + columns
    return int(above.min())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alnus")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--primers", type=int, default=200)
    parser.add_argument("--bases", type=int, default=5_000_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(SEED)
    primers = ["".join(draw.choices(BASES, k=LENGTH)) for _ in range(arguments.primers)]
    reference, windows = planted(primers, arguments.bases, draw)
    queries = write_fasta(folder / "primers.fasta", {str(number): primer for number, primer in enumerate(primers)})
    subject = write_fasta(folder / "reference.fasta", {"reference": reference})
    one, every = folder / "one.tsv", folder / "all.tsv"
    seconds: dict[str, list[float]] = {"all": [], "one": []}
    for _ in range(arguments.runs):
        seconds["all"].append(search(arguments.alnus, queries, subject, every, "--substitutions-only"))
        seconds["one"].append(search(arguments.alnus, queries, subject, one, "--substitutions-only", "--max-hsps", "1"))
    rows = rows_of(every)
    listed = {(number, "+", begin - 1) if begin < end else (number, "-", end - 1) for number, _, begin, end, _ in rows}
    there = all_windows(primers, reference)

    # The edits are counted in the first bases alone, because a plain dynamic program takes its time.
    short = reference[:SHORT]
    edits = folder / "edits.tsv"
    search(arguments.alnus, queries, write_fasta(folder / "short.fasta", {"short": short}), edits)
    cells = aligned_bases(rows_of(edits), len(short))
    left = [fewest_left(primer, sequence, cells.get((number, strand), set()))
            for number, primer in enumerate(primers)
            for strand, sequence in (("+", short), ("-", reverse_complement(short)))]

    medians = {name: statistics.median(times) for name, times in seconds.items()}
    print("| | |\n|---|--:|")
    for name, value in (
            ("primers", f"{len(primers):,}"), ("bases of the reference", f"{len(reference):,}"),
            ("planted places", f"{len(windows):,}"), ("windows with at most 3 substitutions", f"{len(there):,}"),
            ("rows", f"{len(rows):,}"), ("windows without a row", f"{len(there - listed):,}"),
            ("rows that are no such window", f"{len(listed - there):,}"),
            ("planted places without a row", f"{len(windows - listed):,}"),
            ("seconds, all places", f"{medians['all']:.1f}"),
            ("seconds, one alignment of each primer", f"{medians['one']:.1f}"),
            ("ratio", f"{medians['all'] / medians['one']:.2f}"),
            (f"with edits, rows in {SHORT:,} bases", f"{len(rows_of(edits)):,}"),
            (f"- primers and strands with an alignment of at most {MOST} differences that is left",
             str(sum(fewest <= MOST for fewest in left)))):
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
