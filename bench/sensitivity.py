#!/usr/bin/env python3
"""Measure how many related pairs alnus and other programs find before they list chance hits.

sensitivity.py ALNUS FOLDER [--queries N] [--alnus OPTIONS]... [--truth FILE]... [--unrelated] [--processes N]

Queries are sampled from the 20,000 proteins of mmseqs2-examples. Every program searches these proteins and their
reversals as one database. A pair of a query and a protein is true if jackhmmer finds it in the proteins alone, so
that the reversals do not change the truth. A hit in a reversal is false. A query's hit in itself is left out, and
so is every other hit that jackhmmer does not find, because nobody knows whether it is a relative. A sequence often
resembles its own reversal more than chance would have it, since a match of two of its parts, read backwards, is the
same match again; with --unrelated, hits in reversals of the query and of its true subjects are left out, too.

The hits of all queries are ranked together by E-value; hits with an E-value of 0 are ranked by bit score. The
coverage at F false hits a query is the share of the true pairs that are found before the number of false hits passes
F times the number of queries. Hits of the same rank have no order among them: if the limit falls there, the true
hits of this rank count in proportion to the false hits that the limit still allows. Coverage by pairs is the share
of all true pairs, so that large families count more. Coverage by queries is the mean, over the queries that have
relatives, of the share of them that is found. Intervals are of 95%, from queries drawn with replacement. All
programs have the same draws, so that differences have intervals, too.

FOLDER keeps the results that take long, hits/PROGRAM.tsv (query, subject, ..., E-value, bit score) and truth.tsv
(query, subject, E-value), and results that are there are not computed again. In truth.tsv the last row of a query is
the one with itself as subject; it says that jackhmmer is done with this query. --truth reads further files of this
kind, plain or .gz. The protein at position N of its file, from 0, is called sN, and its reversal rN.

Needs numpy, and Debian's packages mmseqs2-examples, hmmer, ncbi-blast+, fasta3, mmseqs2 and diamond-aligner.
"""
import argparse
import gzip
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PROTEINS = Path("/usr/share/doc/mmseqs2/example-data/DB.fasta.gz")
RATES = (0.01, 0.1, 1.0)  # the numbers F of false hits a query
RESAMPLES = 500
SEED = 1
ALNUS_OPTIONS = ["--composition adjust --low-complexity statistics", "--composition none --low-complexity none"]

# jackhmmer runs three rounds at most, and its table is that of the last round. A sequence or a domain with a larger
# E-value than 1e-5 is neither listed nor part of the next round's profile. Each process has one thread.
JACKHMMER = "jackhmmer -N 3 -E 1e-5 --incE 1e-5 --incdomE 1e-5 --cpu 0 --noali -o /dev/null --tblout /dev/stdout"

# The commands of each program, which run in FOLDER. The last command prints a table that has query and subject in its
# first two columns, and E-value and bit score in its last two. The number of hits is not limited (40,000 is the number
# of subjects). With the limit E <= 10 programs list several false hits a query; MMseqs2 and DIAMOND, which list fewer,
# have the limit 1,000. All other options are the program's defaults, with two exceptions: MMseqs2 and DIAMOND search as
# sensitively as they can, and ssearch36 has the scoring of the other programs.
ALNUS = [
    "{alnus} search queries.fasta database.fasta {options} --evalue 10 --max-target-seqs 40000 -t {threads} --quiet"
    " --outfmt '6 qaccver saccver evalue bitscore'"]
OTHERS = {
    "blastp": [
        "makeblastdb -in database.fasta -dbtype prot -out work/blast -logfile work/blast.log",
        "blastp -query queries.fasta -db work/blast -comp_based_stats 2 -evalue 10 -max_target_seqs 40000 -max_hsps 1"
        " -num_threads {threads} -outfmt '6 qaccver saccver evalue bitscore'"],
    "ssearch36": [
        "ssearch36 -q -s BL62 -f -11 -g -1 -z 1 -E 10 -m 8 -T {threads} queries.fasta database.fasta"],
    "MMseqs2": [
        "mmseqs easy-search queries.fasta database.fasta work/mmseqs.tsv work/mmseqs -s 7.5 -e 1000 --max-seqs 40000"
        " --threads {threads} -v 1 --format-output query,target,evalue,bits",
        "cat work/mmseqs.tsv"],
    "DIAMOND": [
        "diamond makedb --in database.fasta --db work/diamond --quiet",
        "diamond blastp --query queries.fasta --db work/diamond --ultra-sensitive --evalue 1000 --max-target-seqs 0"
        " --threads {threads} --quiet --outfmt 6 qseqid sseqid evalue bitscore"],
}

Floats = NDArray[np.float64]
Relatives = dict[str, set[str]]  # the names of the relatives of each query, without the query itself


def read_sequences(fasta: Path) -> list[str]:
    with gzip.open(fasta, "rt") as file:
        records = file.read().split("\n>")  # headers may contain > themselves
    return ["".join(record.splitlines()[1:]) for record in records]


def write_fasta(path: Path, records: Iterable[tuple[str, str]]) -> None:
    text = "".join(f">{name}\n{sequence}\n" for name, sequence in records)
    if not path.exists():
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit(f"{path} holds other sequences; use a new folder.")


def write_inputs(folder: Path, count: int) -> dict[str, str]:
    """Write the FASTA files and return the queries, by name. A smaller sample is part of a larger one."""
    proteins = {f"s{position}": sequence for position, sequence in enumerate(read_sequences(PROTEINS))}
    shuffled = list(proteins)
    random.Random(SEED).shuffle(shuffled)
    sample = set(shuffled[:count])
    queries = {name: sequence for name, sequence in proteins.items() if name in sample}
    reversals = {"r" + name[1:]: sequence[::-1] for name, sequence in proteins.items()}
    for name in ("work", "hits"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    write_fasta(folder / "queries.fasta", queries.items())
    write_fasta(folder / "proteins.fasta", proteins.items())
    write_fasta(folder / "database.fasta", (proteins | reversals).items())
    return queries


def rows_of(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        for line in file:
            yield line.split()


def read_truth(paths: Iterable[Path]) -> Relatives:
    """Return the relatives of the queries that jackhmmer is done with."""
    subjects: dict[str, set[str]] = {}
    for path in paths:
        for query, subject, _ in rows_of(path):
            subjects.setdefault(query, set()).add(subject)
    return {query: found - {query} for query, found in subjects.items() if query in found}


def jackhmmer(folder: Path, name: str, sequence: str) -> str:
    """Search with jackhmmer and return the query's rows of truth.tsv."""
    table = subprocess.run([*shlex.split(JACKHMMER), "-", "proteins.fasta"], input=f">{name}\n{sequence}\n", text=True,
                           cwd=folder, stdout=subprocess.PIPE, check=True).stdout
    found = {row[0]: row[4] for row in map(str.split, table.splitlines()) if row[0][0] != "#"}
    own = found.pop(name, "-")  # a query may be too short to find itself
    return "".join(f"{name}\t{subject}\t{evalue}\n" for subject, evalue in [*found.items(), (name, own)])


def find_relatives(folder: Path, queries: dict[str, str], truth: list[Path], processes: int) -> Relatives:
    cache = folder / "truth.tsv"
    cache.touch()
    done = read_truth([cache, *truth])
    missing = sorted((name for name in queries if name not in done), key=lambda name: -len(queries[name]))
    with cache.open("a") as file, ThreadPoolExecutor(processes) as pool:
        waiting = [pool.submit(jackhmmer, folder, name, queries[name]) for name in missing]
        try:
            for number, result in enumerate(as_completed(waiting), 1):
                file.write(result.result())
                file.flush()
                print(f"\rjackhmmer: {number} of {len(missing)}", end="", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
    relatives = read_truth([cache, *truth])
    return {name: relatives[name] for name in queries}


def search(folder: Path, program: str, commands: list[str], values: dict[str, str]) -> Path:
    """Return the file with the program's hits. If it is not there, run the program's commands to make it."""
    hits = folder / "hits" / f"{re.sub(r'[^A-Za-z0-9]+', '-', program)}.tsv"
    if not hits.exists():
        print(f"\n{program}", file=sys.stderr, flush=True)
        unfinished = hits.with_suffix(".part")
        with unfinished.open("w") as file:
            for command in commands:
                subprocess.run(shlex.split(command.format(**values)), cwd=folder, stdout=file, check=True)
        unfinished.rename(hits)
    return hits


@dataclass
class Ranking:
    """The true and the false hits of all queries, the best ones first."""

    query: NDArray[np.int64]  # the number of each hit's query among the sampled queries
    true: NDArray[np.bool_]  # True for true hits, False for false hits
    last: NDArray[np.int64]  # the position of the last hit of each rank

    def curve(self, weights: Floats, shares: Floats) -> tuple[Floats, Floats]:
        """Return the numbers of false hits and of true hits down to each rank; both begin with 0.

        Hits of query q count ``weights[q]`` times, and true hits ``shares[q]`` times as much as that.
        """
        hits = weights[self.query]
        false, true = (np.cumsum(counted)[self.last] for counted in
                       (np.where(self.true, 0, hits), np.where(self.true, hits * shares[self.query], 0)))
        return np.append(0.0, false), np.append(0.0, true)


def read_ranking(path: Path, relatives: Relatives, unrelated: bool) -> Ranking:
    number = {name: position for position, name in enumerate(relatives)}
    best: dict[tuple[str, str], tuple[float, float]] = {}
    for query, subject, *_, evalue, bits in rows_of(path):
        related = "s" + subject[1:] in relatives[query] | {query}
        if subject in relatives[query] or (subject[0] == "r" and not (unrelated and related)):
            rank = (float(evalue), -float(bits) if float(evalue) == 0 else 0.0)
            best[query, subject] = min(rank, best.get((query, subject), rank))
    ordered = sorted((rank, number[query], subject[0] == "s") for (query, subject), rank in best.items())
    ranks = np.array([rank for rank, _, _ in ordered])
    return Ranking(np.array([query for _, query, _ in ordered]), np.array([true for _, _, true in ordered]),
                   np.append(np.flatnonzero((ranks[1:] != ranks[:-1]).any(axis=1)), len(ranks) - 1))


def found_at(limit: float, false: Floats, true: Floats) -> float:
    """Return the number of true hits that are found before there are more than ``limit`` false hits.

    ``false`` and ``true`` are the curve of a Ranking. Within a rank the result is interpolated.
    """
    after = int(np.searchsorted(false, limit, side="right"))
    if after == len(false):
        return float(true[-1])
    part = (limit - false[after - 1]) / (false[after] - false[after - 1])
    return float(true[after - 1] + part * (true[after] - true[after - 1]))


def coverages(ranking: Ranking, related: Floats, weights: Floats) -> Floats:
    """Return coverages in percent: a row by pairs and a row by queries, with a column for each of RATES.

    ``related`` has the number of relatives of each query, ``weights`` how often each query was drawn.
    """
    rows = []
    for shares in (np.ones_like(related), 1 / np.maximum(related, 1)):
        false, true = ranking.curve(weights, shares)
        everything = (weights * related * shares).sum()
        rows.append([100 * found_at(rate * weights.sum(), false, true) / everything for rate in RATES])
    return np.array(rows)


def table(title: str, rows: dict[str, Floats], digits: str, few: dict[str, list[bool]]) -> str:
    """Return a Markdown table with the estimates and their intervals.

    ``rows`` has the coverages of each program: first the estimates, then those of the resamples. ``digits`` is the
    format of the numbers. ``few`` says for each program and rate whether too few false hits were listed.
    """
    lines = [f"\n| {title} | " + " | ".join(f"{by}, {rate:g}" for by in ("pairs", "queries") for rate in RATES) + " |",
             "|---" + "|--:" * 2 * len(RATES) + "|"]
    for program, values in rows.items():
        low, high = np.percentile(values[1:], [2.5, 97.5], axis=0)
        marks = ["*" if too_few else "" for too_few in few[program] * 2]
        cells = [f"{estimate:{digits}}{mark} ({least:{digits}} to {most:{digits}})" for estimate, mark, least, most
                 in zip(values[0].flat, marks, low.flat, high.flat, strict=True)]
        lines.append(f"| {program} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def report(hits: dict[str, Path], relatives: Relatives, unrelated: bool) -> None:
    related = np.array([float(len(subjects)) for subjects in relatives.values()])
    generator = np.random.default_rng(SEED)
    draws = generator.multinomial(len(related), np.full(len(related), 1 / len(related)), RESAMPLES).astype(float)
    weights = [np.ones_like(related), *draws]
    values, few = {}, {}
    for program, path in hits.items():
        ranking = read_ranking(path, relatives, unrelated)
        values[program] = np.array([coverages(ranking, related, weight) for weight in weights])
        few[program] = [bool((~ranking.true).sum() < rate * len(related)) for rate in RATES]
    print(f"{len(related):,} queries, {(related > 0).sum():,} with relatives, {related.sum():,.0f} true pairs. "
          "Coverage in percent, by pairs and by queries, at so many false hits a query:")
    print(table("coverage", values, ".1f", few))
    first, *others = values
    either = {name: [any(pair) for pair in zip(few[first], few[name], strict=True)] for name in others}
    print(table(f"{first} minus", {name: values[first] - values[name] for name in others}, "+.1f", either))
    if any(map(any, few.values())):
        print("\n\\* Fewer false hits were listed: the coverage of all hits.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alnus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--alnus", dest="options", action="append", help="options of alnus search, for a row each")
    parser.add_argument("--truth", type=Path, action="append", default=[])
    parser.add_argument("--unrelated", action="store_true", help="leaves out reversals of the query and its relatives")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="threads of the searches")
    arguments = parser.parse_args()
    queries = write_inputs(arguments.folder, arguments.queries)
    relatives = find_relatives(arguments.folder, queries, arguments.truth, arguments.processes)
    alnus = {f"alnus {options}": [command.replace("{options}", options) for command in ALNUS]
             for options in arguments.options or ALNUS_OPTIONS}
    values = {"alnus": shlex.quote(str(arguments.alnus.resolve())), "threads": str(arguments.processes)}
    hits = {program: search(arguments.folder, program, commands, values)
            for program, commands in (alnus | OTHERS).items()}
    report(hits, relatives, arguments.unrelated)


if __name__ == "__main__":
    main()
