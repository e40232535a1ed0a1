#!/usr/bin/env python3
"""Compare alnus with the programs that people use, on the same data in one run.

Times are wall times of whole processes, with reading and writing. The programs take turns, so that a
machine that slows down slows all of them. Writes docs/results/cpu.md. Needs Debian's packages
mmseqs2-examples, fasta3, parasail, ncbi-blast+ and emboss (scripts/test installs them).
"""

import argparse
import collections
import dataclasses
import datetime
import gzip
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = pathlib.Path("/usr/share/doc/mmseqs2/example-data")
PACKAGES = {"ssearch36": "fasta3", "parasail_aligner": "parasail", "blastp": "ncbi-blast+", "needleall": "emboss"}

# A program that runs a command and writes its seconds, its peak memory in kB and its exit status to a file.
# It is a small process of its own, because the peak memory of a child begins with the memory that its parent
# has. parasail_aligner takes a standard input that is at its end for a third input, so every command gets a
# pipe that stays open as its standard input.
STOPWATCH = """
import os, sys, time
os.dup2(os.pipe()[0], 0)
start = time.perf_counter()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w") as file:
    print(time.perf_counter() - start, usage.ru_maxrss, os.waitstatus_to_exitcode(status), file=file)
"""


@dataclasses.dataclass
class Program:
    """One line of a table: a command that runs in the folder with the data, and its measurements."""

    name: str
    command: list
    output: str = ""  # the file that the command writes; empty: its standard output
    seconds: list = dataclasses.field(default_factory=list)
    peak_mb: float = 0

    def result(self, folder):
        return folder / (self.output or f"{self.name}.out")

    def run(self, folder):
        with open(folder / f"{self.name}.out", "wb") as out, open(folder / "log", "wb") as log:
            subprocess.run([sys.executable, "-I", "-S", "-c", STOPWATCH, folder / "usage", *self.command], cwd=folder,
                           stdout=out, stderr=log, check=True)
        seconds, peak_kb, status = (folder / "usage").read_text().split()
        if status != "0":
            sys.exit(f"{' '.join(map(str, self.command))}: exit status {status}\n" +
                     (folder / "log").read_text(errors="replace"))
        self.seconds.append(float(seconds))
        self.peak_mb = max(self.peak_mb, int(peak_kb) / 1000)
        return float(seconds)


@dataclasses.dataclass
class Table:
    title: str
    cells: int
    programs: list
    notes: list = dataclasses.field(default_factory=list)

    def measure(self, runs, folder):
        for turn in range(runs):
            for program in self.programs:
                seconds = program.run(folder)
                print(f"{self.title}, run {turn + 1}: {program.name} {seconds:.2f} s", file=sys.stderr)

    def rows(self):
        alnus = statistics.median(self.programs[0].seconds)
        for program in self.programs:
            median = statistics.median(program.seconds)
            yield {"program": program.name, "median_s": median, "min_s": min(program.seconds),
                   "max_s": max(program.seconds), "gcups": self.cells / median / 1e9,
                   "times_as_long_as_alnus": median / alnus, "peak_mb": program.peak_mb,
                   "command": " ".join(f'"{word}"' if " " in word else word for word in shown(program.command))}


def shown(command):
    return [pathlib.Path(str(command[0])).name] + [str(word) for word in command[1:]]


def read_fasta(path):
    with open(path) as lines:
        text = lines.read()
    records = re.split("^>", text, flags=re.MULTILINE)[1:]  # headers may contain > themselves
    return [(record.split(None, 1)[0], "".join(record.split("\n")[1:])) for record in records]


def write_fasta(path, records):
    path.write_text("".join(f">{name}\n{residues}\n" for name, residues in records))


def residues(records):
    return sum(len(letters) for _, letters in records)


def search_programs(alnus, queries, threads, matrix, open_, extend, blast):
    """Return the programs of a search. `open_` and `extend` are gap costs in NCBI's convention.

    The option -f of ssearch36 has the same meaning as `open_`. The option -o of parasail_aligner includes the cost of
    the gap's first residue.
    """
    scoring = [] if matrix == 62 else ["--matrix", f"BLOSUM{matrix}", "--gap-open", str(open_), "--gap-extend", str(extend)]
    search = [alnus, "search", queries, "DB.fasta", "-t", str(threads), *scoring]
    programs = [Program("alnus", search)]
    if "avx512vbmi" in pathlib.Path("/proc/cpuinfo").read_text():
        programs.append(Program("alnus, AVX2", [*search, "--isa", "avx2"]))
    programs.append(Program("ssearch36", ["ssearch36", "-q", "-T", str(threads), "-s", f"BL{matrix}", "-f", f"-{open_}",
                                          "-g", f"-{extend}", "-E", "1e9", "-b", "10", "-d", "0", queries, "DB.fasta"]))
    programs.append(Program("parasail", ["parasail_aligner", "-x", "-t", str(threads), "-a", "sw_striped_profile_avx2_256_sat",
                                         "-m", f"blosum{matrix}", "-o", str(open_ + extend), "-e", str(extend),
                                         "-f", "DB.fasta", "-q", queries, "-g", "parasail.csv"], "parasail.csv"))
    if blast:
        programs.append(Program("blastp", ["blastp", "-query", queries, "-db", "DB", "-num_threads", str(threads),
                                           "-outfmt", "6"]))
    return programs


def parasail_scores(path, queries, database):
    for line in path.read_text().splitlines():
        query, subject, _, _, score = line.split(",")[:5]
        if score != "0":
            yield queries[int(query)][0], database[int(subject)][0], int(score)


def ssearch_scores(path):
    query = None
    for line in path.read_text().splitlines():
        if head := re.match(r"\s*\d+>>>(\S+)", line):
            query = head[1]
        elif hit := re.match(r"(\S+) .*\(\s*\d+\)\s+(\d+)\s+[\d.]+\s+\S+$", line):
            yield query, hit[1], int(hit[2])


def alnus_scores(path):
    for line in path.read_text().splitlines():
        query, subject, score = line.split("\t")
        yield query, subject, int(score)


def compare_search(table, queries, database, folder):
    """Note in the table how many scores differ between alnus and the exact programs.

    Compares all scores of parasail, and the scores that ssearch36 lists.
    """
    programs = {program.name: program for program in table.programs}
    check = Program("check", [*programs["alnus"].command, "--detail", "score", "--evalue", "1e300",
                              "--composition", "none", "--low-complexity", "none", "--max-target-seqs", str(len(database)), "--outfmt", "6 qseqid sseqid score"])
    check.run(folder)
    ours = collections.Counter(alnus_scores(check.result(folder)))
    parasail = collections.Counter(parasail_scores(programs["parasail"].result(folder), queries, database))
    ssearch = collections.Counter(ssearch_scores(programs["ssearch36"].result(folder)))
    different = max((ours - parasail).total(), (parasail - ours).total())
    table.notes = [f"Scores that differ from those of alnus: {different:,} of {parasail.total():,} of parasail, and "
                   f"{(ssearch - ours).total():,} of {ssearch.total():,} of ssearch36."]


def srspair_scores(path):
    text = path.read_text()
    return {(first, second): float(score) for first, second, score in
            re.findall(r"^# 1: (\S+)\n# 2: (\S+)\n(?:#.*\n)*?# Score:\s+(\S+)", text, re.M)}


def compare_pairs(table, folder):
    ours, theirs = (srspair_scores(program.result(folder)) for program in table.programs)
    different = sum(ours.get(pair) != score for pair, score in theirs.items())
    table.notes.append(f"Scores that differ from those of alnus: {different} of {len(theirs)} of needleall.")


def pair_programs(alnus):
    return [Program("alnus", [alnus, "align", "--all", "hundred.fasta", "hundred.fasta", "--preset", "emboss-needle",
                              "--outfmt", "srspair", "-t", "1", "-o", "alnus.srspair"], "alnus.srspair"),
            Program("needleall", ["needleall", "-auto", "-asequence", "hundred.fasta", "-bsequence", "hundred.fasta",
                                  "-gapopen", "10", "-gapextend", "0.5", "-minscore", "-10", "-aformat3", "srspair",
                                  "-outfile", "needleall.srspair", "-errfile", "needleall.log"], "needleall.srspair")]


def prepare(folder, quick):
    with gzip.open(EXAMPLES / "DB.fasta.gz", "rt") as packed, open(folder / "DB.fasta", "w") as out:
        shutil.copyfileobj(packed, out)
    with gzip.open(EXAMPLES / "QUERY.fasta.gz", "rt") as packed, open(folder / "QUERY.fasta", "w") as out:
        shutil.copyfileobj(packed, out)
    # EMBOSS shortens names such as sp|P12345|NAME to NAME, so alnus gets the short names, too.
    hundred = read_fasta(folder / "QUERY.fasta")[:20 if quick else 100]
    write_fasta(folder / "hundred.fasta", [(name.split("|")[-1], letters) for name, letters in hundred])
    for name in ("queries_cudasw.fasta", "queries_manavski.fasta"):
        records = read_fasta(ROOT / "data/queries" / name)
        write_fasta(folder / name, records[:3] if quick else records)
    if quick:
        write_fasta(folder / "DB.fasta", read_fasta(folder / "DB.fasta")[:4000])
    subprocess.run(["makeblastdb", "-in", "DB.fasta", "-dbtype", "prot", "-out", "DB"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)


def measure(arguments, folder):
    prepare(folder, arguments.quick)
    alnus = str(arguments.alnus.resolve())
    database = read_fasta(folder / "DB.fasta")
    cores = os.cpu_count()
    tables = []
    for queries, matrix, open_, extend in (("queries_cudasw.fasta", 62, 11, 1), ("queries_manavski.fasta", 50, 10, 2)):
        records = read_fasta(folder / queries)
        for threads in sorted({1, cores}):
            table = Table(f"{queries} ({len(records)} queries, {residues(records):,} residues), BLOSUM{matrix} {open_}/{extend}, "
                          f"{threads} thread{'s' if threads > 1 else ''}", residues(records) * residues(database),
                          search_programs(alnus, queries, threads, matrix, open_, extend, blast=matrix == 62))
            table.measure(arguments.runs, folder)
            compare_search(table, records, database, folder)
            tables.append(table)
    hundred = read_fasta(folder / "hundred.fasta")
    table = Table(f"All pairs of {len(hundred)} x {len(hundred)} proteins of QUERY.fasta ({residues(hundred):,} residues) with "
                  "alignments, BLOSUM62 10/0.5 (EMBOSS), one thread", residues(hundred) ** 2, pair_programs(alnus))
    table.measure(arguments.runs, folder)
    compare_pairs(table, folder)
    return [*tables, table], len(database), residues(database)


def first_line(command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip().split("\n")[0]


def machine(alnus):
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    git = ["git", "-C", str(ROOT)]
    commit = first_line([*git, "rev-parse", "--short=12", "HEAD"])
    if first_line([*git, "status", "--porcelain", "--untracked-files=no", "--", "src", "include", "cmake", "CMakeLists.txt"]):
        commit += " with changes that are not committed"
    versions = {name: first_line(["dpkg-query", "-W", "-f", "${Version}", package]) for name, package in PACKAGES.items()}
    return {"cpu": cpu[1] if cpu else platform.machine(), "cores": os.cpu_count(), "system": platform.platform(),
            "date": datetime.date.today().isoformat(), "commit": commit,
            "versions": {"alnus": first_line([str(alnus), "--version"]).removeprefix("alnus "), **versions}}


ABOUT = """\
This page compares the speed of alnus on the CPU with that of other programs. Of these parasail and ssearch36 align
every pair of a query and a subject, as alnus does, and needleall aligns given pairs; the scores of the three are
compared with those of alnus. blastp aligns only the pairs that its heuristics choose.
"""
COLUMNS = """\
Columns of the tables:

- *median s* and *min - max s* are seconds of the runs.
- *GCUPS* are 10^9 cells a second: residues of the queries times residues of the subjects, divided by the median.
  blastp computes fewer cells than that, so that its figure only says how fast an exact program with the same time
  would be.
- *ratio* is the program's median divided by that of alnus.
- *peak memory* is the largest of the runs.

alnus lists up to 500 hits of each query with alignments and E-values. ssearch36 lists ten hits of each query, and
parasail writes scores only. "alnus, AVX2" is alnus with `--isa avx2`; in the other rows alnus chose the instruction
set."""


def markdown(host, tables, sequences, letters, runs):
    lines = ["# alnus and its peers on the CPU", "", ABOUT,
             "- written by `bench/peers.py`",
             f"- times: wall time of whole processes, files in the page cache; {runs} runs in turn",
             f"- machine: {host['cpu']}, {host['cores']} cores, {host['system']}",
             f"- date: {host['date']}, commit: {host['commit']}",
             "- versions: " + ", ".join(f"{name} {version}" for name, version in host["versions"].items()),
             f"- database: DB.fasta of Debian's mmseqs2-examples, {sequences:,} sequences, {letters:,} residues", "", COLUMNS]
    for table in tables:
        lines += ["", f"## {table.title}", "", f"{table.cells / 1e9:,.1f} billion cells.", "",
                  "| program | median s | min - max s | GCUPS | ratio | peak memory MB |", "|---|--:|--:|--:|--:|--:|"]
        rows = list(table.rows())
        lines += [f"| {row['program']} | {row['median_s']:.2f} | {row['min_s']:.2f} - {row['max_s']:.2f} | {row['gcups']:.2f} | "
                  f"{row['times_as_long_as_alnus']:.2f} | {row['peak_mb']:.0f} |" for row in rows]
        lines += ["", *(f"{note}" for note in table.notes), "", "```", *(row["command"] for row in rows), "```"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="runs of every program (default: 3)")
    parser.add_argument("--quick", action="store_true", help="a small part of the data, one run: does it work at all?")
    parser.add_argument("--alnus", type=pathlib.Path, default=ROOT / "build/release/src/alnus", help="the program to measure")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="default: docs/results/cpu.md; --quick: standard output")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file too")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.runs = 1
    elif not arguments.output:
        arguments.output = ROOT / "docs/results/cpu.md"
    missing = [name for name in (arguments.alnus, *PACKAGES, "makeblastdb") if not shutil.which(name)]
    if missing:
        sys.exit(f"Not found: {', '.join(map(str, missing))}. scripts/test builds alnus and installs the peers.")

    with tempfile.TemporaryDirectory() as folder:
        tables, sequences, letters = measure(arguments, pathlib.Path(folder))
    host = machine(arguments.alnus)
    text = markdown(host, tables, sequences, letters, arguments.runs)
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(text)
    print(text)
    if arguments.json:
        figures = [{"title": table.title, "cells": table.cells, "notes": table.notes, "rows": list(table.rows())} for table in tables]
        arguments.json.write_text(json.dumps({"machine": host, "tables": figures}, indent=2) + "\n")


if __name__ == "__main__":
    main()
