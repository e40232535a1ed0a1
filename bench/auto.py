#!/usr/bin/env python3
"""Measure how well --devices auto chooses.

Whole processes are timed: searches with one query and the default output, with files in the page cache.

auto.py ALNUS FOLDER [RUNS]: writes random proteins into FOLDER. For each of twelve pairs of query length and database
size it prints the median seconds with cpu, cuda and auto, and by how many seconds auto is slower than the better one of
cpu and cuda.
"""
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

SUBJECTS = (1_000, 20_000, 100_000, 500_000)
QUERIES = (50, 500, 5_000)
LETTERS = "ARNDCQEGHILKMFPSTWYV"


def random_protein(generator: random.Random, length: int) -> str:
    return "".join(generator.choices(LETTERS, k=length))


def write_database(alnus: str, folder: Path, count: int) -> Path:
    """Write a database of random proteins, if it is not there, and return its path.

    Lengths are as in real protein databases: the median is 290, and some proteins have thousands of residues.
    """
    generator = random.Random(count)
    database = folder / f"{count}.alnus"
    if database.exists():
        return database
    pool = random_protein(generator, 2_000_000)
    fasta = folder / f"{count}.fasta"
    with fasta.open("w") as out:
        for number in range(count):
            length = min(10_000, max(20, int(generator.lognormvariate(5.67, 0.68))))
            first = generator.randrange(len(pool) - length)
            out.write(f">s{number}\n{pool[first:first + length]}\n")
    subprocess.run([alnus, "makedb", fasta, "-o", database, "--quiet"], check=True)
    fasta.unlink()
    return database


def seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> None:
    alnus, folder = sys.argv[1], Path(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    folder.mkdir(parents=True, exist_ok=True)
    generator = random.Random(1)
    print("residues subjects     cpu    cuda    auto  behind", flush=True)
    for subjects in SUBJECTS:
        database = write_database(alnus, folder, subjects)
        for residues in QUERIES:
            query = folder / f"q{residues}.fasta"
            query.write_text(f">q\n{random_protein(generator, residues)}\n")
            command = [alnus, "search", str(query), str(database), "--quiet", "--devices"]
            times: dict[str, list[float]] = {"cpu": [], "cuda": [], "auto": []}
            for turn in range(runs + 1):
                for devices, of_devices in times.items():
                    taken = seconds([*command, devices])
                    if turn > 0:
                        of_devices.append(taken)
            cpu, cuda, auto = (statistics.median(times[devices]) for devices in times)
            better = min(cpu, cuda)
            fine = auto <= max(1.1 * better, better + 0.05)
            print(f"{residues:8} {subjects:8} {cpu:7.3f} {cuda:7.3f} {auto:7.3f} {auto - better:+7.3f}"
                  f"{'' if fine else '  too far'}", flush=True)


if __name__ == "__main__":
    main()
