#!/usr/bin/env python3
"""Compare alnus with the programs that people choose between, on one job in one run: time, memory and what they find.

The job is a search with 500 queries in 20,000 proteins (Debian's mmseqs2-examples), and all pairs of 100 proteins.
Whole processes are timed as in bench/peers.py, and the programs take turns. The databases of blastp and DIAMOND are
made beforehand; the report has the time that this took. Of the pairs that alnus lists with E <= 0.001 by its default
scoring, *found* is the share that the program lists with E <= 0.001, too. *Alone* is the number of pairs that the
program lists and alnus does not. Writes docs/results/choosing.md. Needs Debian's packages mmseqs2-examples, fasta3,
ncbi-blast+, emboss, diamond-aligner and mmseqs2.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import peers
from peers import Program, Table

PACKAGES = {"ssearch36": "fasta3", "blastp": "ncbi-blast+", "diamond": "diamond-aligner", "mmseqs": "mmseqs2",
            "needleall": "emboss"}
LIMIT = 1e-3


def search_programs(alnus, threads):
    """Return the programs, which write a table of hits with E <= 0.001.

    Columns are separated by tabs: query, subject and E-value; ssearch36 writes BLAST's twelve columns. Some programs
    list 500 subjects of a query at most.
    """
    count, limit = str(threads), str(LIMIT)
    diamond = ["diamond", "blastp", "--query", "QUERY.fasta", "--db", "diamond", "--evalue", limit, "--max-target-seqs",
               "500", "--threads", count, "--quiet", "--outfmt", "6", "qseqid", "sseqid", "evalue"]
    return [
        Program("alnus", [alnus, "search", "QUERY.fasta", "DB.fasta", "-t", count, "--devices", "cpu", "--quiet",
                          "--evalue", limit, "--outfmt", "6 qseqid sseqid evalue"]),
        Program("blastp", ["blastp", "-query", "QUERY.fasta", "-db", "DB", "-num_threads", count, "-evalue", limit,
                           "-outfmt", "6 qseqid sseqid evalue"]),
        Program("ssearch36", ["ssearch36", "-q", "-T", count, "-s", "BL62", "-f", "-11", "-g", "-1", "-E", limit, "-m",
                              "8", "QUERY.fasta", "DB.fasta"]),
        Program("MMseqs2 -s 7.5", ["mmseqs", "easy-search", "QUERY.fasta", "DB.fasta", "mmseqs.tsv", "mmseqs", "-s",
                                   "7.5", "-e", limit, "--max-seqs", "500", "--threads", count, "-v", "1",
                                   "--format-output", "query,target,evalue"], "mmseqs.tsv"),
        Program("DIAMOND", diamond),
        Program("DIAMOND --ultra-sensitive", [*diamond, "--ultra-sensitive"]),
    ]


def accession(name):
    """Return P12345 for sp|P12345|NAME, which MMseqs2 shortens to P12345; other names stay as they are."""
    return name.split("|")[1] if name.count("|") == 2 else name


def pairs_of(path):
    found = set()
    for line in path.read_text().splitlines():
        words = line.split("\t")
        if float(words[10 if len(words) == 12 else 2]) <= LIMIT:
            found.add((accession(words[0]), accession(words[1])))
    return found


def seconds_of(command, folder):
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def searches(alnus, threads, runs, folder):
    made = {"blastp": seconds_of(["makeblastdb", "-in", "DB.fasta", "-dbtype", "prot", "-out", "DB"], folder),
            "DIAMOND": seconds_of(["diamond", "makedb", "--in", "DB.fasta", "--db", "diamond", "--quiet"], folder)}
    table = Table("search", 0, search_programs(alnus, threads))
    table.measure(runs, folder)
    ours = pairs_of(table.programs[0].result(folder))
    lines = ["| program | seconds | times alnus | peak memory MB | pairs with E <= 0.001 | found | alone |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    for program, row in zip(table.programs, table.rows()):
        theirs = pairs_of(program.result(folder))
        lines.append(f"| {program.name} | {row['median_s']:.1f} | {row['times_as_long_as_alnus']:.2f} | {row['peak_mb']:.0f} | "
                     f"{len(theirs):,} | {100 * len(ours & theirs) / len(ours):.1f}% | {len(theirs - ours):,} |")
    notes = ("Making the databases is not in these times: " +
             ", ".join(f"{name} {seconds:.1f} s" for name, seconds in made.items()) + ".")
    return [*lines, "", notes, "", "```", *(row["command"] for row in table.rows()), "```"]


def pairs(alnus, runs, folder):
    table = Table("pairs", 1, peers.pair_programs(alnus))
    table.measure(runs, folder)
    peers.compare_pairs(table, folder)
    lines = ["| program | seconds | times alnus |", "|---|--:|--:|"]
    lines += [f"| {program.name} | {statistics.median(program.seconds):.2f} | {row['times_as_long_as_alnus']:.0f} |"
              for program, row in zip(table.programs, table.rows())]
    return [*lines, "", *table.notes, "", "```", *(row["command"] for row in table.rows()), "```"]


ABOUT = """\
This page compares alnus with other programs that find similar proteins or align pairs: their time, their memory, and
what they find. blastp, MMseqs2 and DIAMOND choose by heuristics which pairs they align; alnus and ssearch36 align
every pair of a query and a subject.
"""
COLUMNS = """\
- *Seconds* are those of the search alone, and *times alnus* are they divided by those of alnus.
- *Pairs* are pairs of a query and a subject that the program lists with E <= 0.001.
- *Found* is the share of the pairs of alnus that the program lists, too.
- *Alone* counts the pairs that the program lists and alnus does not. Programs compute E-values differently, and most
  of these pairs are near the limit.
"""
PAIRS = """\
Both programs align the first 100 of the queries globally, each with each, and write the alignments in the format of
EMBOSS.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="runs of every program (default: 3)")
    parser.add_argument("--alnus", type=pathlib.Path, default=peers.ROOT / "build/release/src/alnus")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=peers.ROOT / "docs/results/choosing.md")
    asked = parser.parse_args()
    missing = [name for name in (asked.alnus, *PACKAGES) if not shutil.which(name)]
    if missing:
        sys.exit(f"Not found: {', '.join(map(str, missing))}.")
    alnus, threads = str(asked.alnus.resolve()), os.cpu_count()
    peers.PACKAGES = PACKAGES
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        peers.prepare(folder, quick=False)
        found = searches(alnus, threads, asked.runs, folder)
        aligned = pairs(alnus, asked.runs, folder)
    host = peers.machine(asked.alnus)
    versions = ", ".join(f"{name} {version}" for name, version in host["versions"].items())
    asked.output.write_text("\n".join([
        "# alnus beside the programs that people choose between", "", ABOUT,
        "- written by `bench/choosing.py`",
        f"- times: wall time of whole processes, files in the page cache; "
        f"{'one run of each, one after the other' if asked.runs == 1 else f'medians of {asked.runs} runs in turn'}",
        f"- machine: {host['cpu']}, {host['cores']} cores", f"- date: {host['date']}, commit: {host['commit']}",
        f"- versions: {versions}",
        "- data: the 500 queries and 20,000 proteins of Debian's mmseqs2-examples", "",
        f"## 500 queries against 20,000 proteins, {threads} threads", "",
        COLUMNS,
        *found, "", "## All pairs of 100 proteins with alignments, one thread", "", PAIRS, *aligned, ""]))
    print(asked.output.read_text())


if __name__ == "__main__":
    main()
