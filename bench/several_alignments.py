#!/usr/bin/env python3
"""Compare the several alignments of a pair that alnus lists (--max-hsps) with those of lalign36 and blastp.

    bench/several_alignments.py lalign ALNUS FOLDER [--pairs 500] [--alignments 20] [--longest 2000]
    bench/several_alignments.py repeats ALNUS FOLDER [--proteins 50] [--score 50] [--longest 1500]
    bench/several_alignments.py blastp ALNUS FOLDER [--queries 500] [--evalue 0.001]

Each command prints Markdown: a table of counts, and every difference with its reason. The proteins are the 20,000 of
mmseqs2-examples; the protein at position N of their file, from 0, is called sN. Queries are a random sample of them,
and a smaller sample is part of a larger one. Gaps cost 11/1 in the convention of NCBI, which is that of lalign36, too.

lalign: pairs of a query and a protein for which a search with --max-hsps 5 lists more than one row, drawn at random.
  Both programs list their first alignments of each pair, and the lists of scores are compared. lalign36 lists no score
  below 12, the cost of a gap of one residue, so alnus need not have its counterpart there. Both lists are then
  replayed by a plain dynamic program of this file, which bars what the alignments before have aligned: each alignment
  has to have the best score that is left. If all alignments of both lists have, and two alignments at the same place of
  the lists have the same score and align different residues before the first scores that differ, the difference is one
  of ties: each program goes on from its own choice. (This file's program needs more time than the programs that it
  judges, and is so plain that one can see what it does.)

repeats: the proteins whose second alignment with themselves, the best one off the main diagonal, has the highest score.
  Every alignment that lalign36 lists for a protein with itself, with the score or more, should share aligned pairs with
  a row of alnus. lalign36 looks for alignments on one side of the main diagonal, and lists their mirror images, too.
  Those of alnus may be on both sides, and cross the diagonal by a gap. All rows of alnus are replayed as above.

blastp: every HSP of blastp up to the E-value should share aligned pairs with a row of alnus search --max-hsps all
  --evalue 10. Both programs have their default options of scoring and statistics. For an HSP without such a row, alnus
  aligns the pair again with no limit, and the row that shares most with the HSP says why it was left out.

Tables are kept in FOLDER, and a table that is there is not made again. Needs numpy, and Debian's packages
mmseqs2-examples, fasta3 and ncbi-blast+.
"""
import argparse
import collections
import gzip
import itertools
import math
import random
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
PROTEINS = Path("/usr/share/doc/mmseqs2/example-data/DB.fasta.gz")
MATRIX = ROOT / "data" / "matrices" / "BLOSUM62.txt"
AMINO_ACIDS = set("ARNDCQEGHILKMFPSTWYV")
OPEN, EXTEND = 11, 1
KARLIN_LAMBDA, KARLIN_K = 0.267, 0.041  # of BLOSUM62 with these gaps
LALIGN_LOWEST = OPEN + EXTEND  # lalign36 keeps no alignment of a lower score
SEED = 1
COLUMNS = "6 qseqid sseqid score evalue hsp qstart qend sstart send cigar"
BARRED = -1_000_000

Pair = tuple[str, str]


@dataclass(frozen=True)
class Alignment:
    """An alignment by its blocks, which are gapless: first residue of the query, of the subject (from 0), length."""

    score: int
    blocks: tuple[tuple[int, int, int], ...]
    evalue: float = math.nan
    number: int = 0

    @cached_property
    def cells(self) -> frozenset[tuple[int, int]]:
        return frozenset((i + k, j + k) for i, j, length in self.blocks for k in range(length))

    @property
    def mirrored(self) -> "Alignment":
        return Alignment(self.score, tuple((j, i, length) for i, j, length in self.blocks))

    def rescored(self, query: str, subject: str, matrix: dict[str, dict[str, int]]) -> int:
        total = sum(matrix[query[i]][subject[j]] for i, j in self.cells)
        for (i, j, length), (next_i, next_j, _) in itertools.pairwise(self.blocks):
            total -= sum(OPEN + EXTEND * gap for gap in (next_i - i - length, next_j - j - length) if gap)
        return total

    def __str__(self) -> str:
        (i, j, _), (last_i, last_j, length) = self.blocks[0], self.blocks[-1]
        return f"{self.score} ({i + 1}-{last_i + length} : {j + 1}-{last_j + length})"


def read_matrix() -> dict[str, dict[str, int]]:
    rows = [line.split() for line in MATRIX.read_text().splitlines() if line and not line.startswith("#")]
    return {row[0]: dict(zip(rows[0], map(int, row[1:]), strict=True)) for row in rows[1:]}


def read_proteins() -> dict[str, str]:
    with gzip.open(PROTEINS, "rt") as file:
        records = file.read().split("\n>")  # headers may contain > themselves
    return {f"s{position}": "".join(record.splitlines()[1:]).upper() for position, record in enumerate(records)}


def sample(names: Iterable[str], count: int) -> list[str]:
    """A smaller sample is part of a larger one."""
    shuffled = list(names)
    random.Random(SEED).shuffle(shuffled)
    return shuffled[:count]


def write_fasta(path: Path, names: Iterable[str], proteins: dict[str, str]) -> Path:
    text = "".join(f">{name}\n{proteins[name]}\n" for name in names)
    if not path.exists():
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit(f"{path} holds other sequences; use a new folder.")
    return path


def write_each(folder: Path, names: Iterable[str], proteins: dict[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        write_fasta(folder / f"{name}.fasta", [name], proteins)


def run(command: list[str | Path], output: Path, announced: bool = True) -> Path:
    """Run the command, which writes to standard output, unless there is its output."""
    if not output.exists():
        if announced:
            print(f"{output.name}: {' '.join(map(str, command))}", file=sys.stderr, flush=True)
        part = output.with_name(output.name + ".part")
        with part.open("wb") as file:
            subprocess.run(command, stdout=file, check=True)
        part.rename(output)
    return output


def blocks_of_cigar(cigar: str, i: int, j: int) -> Iterator[tuple[int, int, int]]:
    length = 0
    for count, letter in re.findall(r"(\d+)([=XMID])", cigar):
        if letter in "=XM":
            length += int(count)
            continue
        if length:
            yield i, j, length
        i, j, length = i + length, j + length, 0
        if letter == "I":
            i += int(count)
        else:
            j += int(count)
    if length:
        yield i, j, length


def blocks_of_btop(btop: str, i: int, j: int) -> Iterator[tuple[int, int, int]]:
    """Matches are numbers; letters come in twos, that of the query first."""
    cigar = (word + "=" if word.isdigit() else "1I" if word[1] == "-" else "1D" if word[0] == "-" else "1X"
             for word in re.findall(r"\d+|\D\D", btop))
    return blocks_of_cigar("".join(cigar), i, j)


def rows_of(table: Path, pairs: set[Pair] | None = None) -> dict[Pair, list[Alignment]]:
    """Read a table of alnus with COLUMNS."""
    found: dict[Pair, list[Alignment]] = collections.defaultdict(list)
    with table.open() as file:
        for line in file:
            query, subject, score, evalue, number, i, _, j, _, cigar = line.rstrip("\n").split("\t")
            if pairs is not None and (query, subject) not in pairs:
                continue
            found[query, subject].append(Alignment(
                int(score), tuple(blocks_of_cigar(cigar, int(i) - 1, int(j) - 1)),
                math.nan if evalue == "NA" else float(evalue), int(number)))
    return found


def lalign(query: Path, subject: Path, most: int, lowest: int = 0) -> list[Alignment]:
    """The list of lalign36, which in the format lav has raw scores, and the blocks of each alignment.

    Alignments with a score below the lowest may be left out.
    """
    # With -z 3 the E-value of an alignment follows from its score and the lengths alone. Without statistics (-z -1)
    # lalign36 has no limit, and needs much more time.
    lengths = [len(path.read_text().split("\n")[1]) for path in (query, subject)]
    evalue = KARLIN_K * math.prod(lengths) * math.exp(-KARLIN_LAMBDA * (lowest - 3)) if lowest else 1e9
    output = query.with_name(f"{query.stem}-{subject.stem}-{most}-{lowest}.lav")
    run(["lalign36", "-q", "-m", "11", "-s", MATRIX, "-f", f"-{OPEN}", "-g", f"-{EXTEND}", "-z", "3", "-E",
         f"{evalue:.3g}", "-K", str(most), query, subject], output, announced=False)
    found = []
    for stanza in re.findall(r"^a \{\n(.*?)^\}", output.read_text(), re.MULTILINE | re.DOTALL):
        numbers = [line.split() for line in stanza.splitlines()]
        score = next(int(words[1]) for words in numbers if words[0] == "s")
        blocks = [tuple(map(int, words[1:5])) for words in numbers if words[0] == "l"]
        found.append(Alignment(score, tuple((i - 1, j - 1, last - i + 1) for i, j, last, _ in blocks)))
    return found


def best_left(query: str, subject: str, alignments: list[Alignment], matrix: dict[str, dict[str, int]]) -> list[int]:
    """Return, for each number K from 0 to that of the alignments, the best score that is left after the first K."""
    count, width = len(alignments) + 1, len(subject)
    taken = np.full((len(query), width), count, np.int32)  # the number of the alignment that aligns the two residues
    for number, alignment in enumerate(alignments):
        for i, j, length in alignment.blocks:
            one = range(i, i + length), range(j, j + length)
            taken[one] = np.minimum(taken[one], number)
    steps = np.arange(count, dtype=np.int32)[:, None]
    columns = np.arange(width, dtype=np.int32) * EXTEND
    letters = {letter: np.array([matrix[letter][other] for other in subject], np.int32) for letter in set(query)}
    above: NDArray[np.int32] = np.zeros((count, width + 1), np.int32)  # best scores, with a column of zeros before
    vertical = np.full((count, width), BARRED, np.int32)
    best = np.zeros(count, np.int32)
    for i, letter in enumerate(query):
        diagonal = above[:, :-1] + np.where(taken[i] < steps, BARRED, letters[letter])
        vertical = np.maximum(vertical - EXTEND, above[:, 1:] - (OPEN + EXTEND))
        scores = np.maximum(np.maximum(diagonal, vertical), 0)
        horizontal = np.maximum.accumulate(scores + columns, axis=1)[:, :-1] - OPEN - columns[1:]
        scores[:, 1:] = np.maximum(scores[:, 1:], horizontal)
        above[:, 1:] = scores
        best = np.maximum(best, scores.max(axis=1))
    return [int(score) for score in best]


def faults(alignments: list[Alignment], query: str, subject: str, matrix: dict[str, dict[str, int]]) -> list[str]:
    """What is wrong with a list of alignments in itself."""
    found = []
    taken: set[tuple[int, int]] = set()
    for number, alignment in enumerate(alignments, 1):
        if alignment.score != (score := alignment.rescored(query, subject, matrix)):
            found.append(f"alignment {number} says score {alignment.score}, and has {score}")
        if taken & alignment.cells:
            found.append(f"alignment {number} aligns residues again")
        taken |= alignment.cells
    return found


def not_best(alignments: list[Alignment], left: list[int]) -> list[str]:
    return [f"alignment {number} has {alignment.score}, and {best} was left"
            for number, (alignment, best) in enumerate(zip(alignments, left, strict=False), 1)
            if alignment.score != best]


def table(rows: Iterable[tuple[str, object]]) -> None:
    print("\n| | |\n|---|--:|")
    for name, value in rows:
        print(f"| {name} | {value if isinstance(value, str) else f'{value:,}'} |")
    print()


def several_in_search(arguments: argparse.Namespace, proteins: dict[str, str]) -> list[Pair]:
    """The pairs to compare with lalign36."""
    folder: Path = arguments.folder
    usable = [name for name, letters in proteins.items()
              if set(letters) <= AMINO_ACIDS and len(letters) <= arguments.longest]
    queries = write_fasta(folder / "lalign-queries.fasta", sample(usable, 500), proteins)
    subjects = write_fasta(folder / "lalign-proteins.fasta", usable, proteins)
    hits = run([arguments.alnus, "search", queries, subjects, "--max-hsps", "5", "--quiet", "--outfmt", COLUMNS],
               folder / "lalign-search.tsv")
    several = [pair for pair, rows in rows_of(hits).items() if len(rows) > 1 and proteins[pair[0]] != proteins[pair[1]]]
    print(f"Of {len(several):,} pairs with several rows in the search of 500 queries, {arguments.pairs} are compared.")
    return sorted(random.Random(SEED).sample(several, arguments.pairs))


def compare_lalign(arguments: argparse.Namespace) -> None:
    proteins, matrix = read_proteins(), read_matrix()
    folder: Path = arguments.folder
    pairs = several_in_search(arguments, proteins)
    for side, name in ((0, "q"), (1, "s")):
        write_fasta(folder / f"lalign-{name}.fasta", dict.fromkeys(pair[side] for pair in pairs), proteins)
    listed = folder / "lalign-pairs.tsv"
    listed.write_text("".join("\t".join(pair) + "\n" for pair in pairs))
    most = arguments.alignments
    ours = rows_of(run([arguments.alnus, "align", "--pairs", listed, folder / "lalign-q.fasta",
                        folder / "lalign-s.fasta", "--max-hsps", str(most), "--quiet", "--outfmt", COLUMNS],
                       folder / "lalign-alnus.tsv"))
    write_each(folder / "lalign-one", itertools.chain.from_iterable(pairs), proteins)

    def compare(pair: Pair) -> tuple[str, str, int, int]:
        """Return the kind of the result, its reason, how many scores were compared, and how many cells are the same."""
        query, subject = (proteins[name] for name in pair)
        first, second = (folder / "lalign-one" / f"{name}.fasta" for name in pair)
        mine, theirs = ours[pair], lalign(first, second, most)
        mine_replayed, theirs_replayed = (best_left(query, subject, one, matrix) for one in (mine, theirs))
        wrong = faults(mine, query, subject, matrix) + not_best(mine, mine_replayed)
        if len(mine) < most and mine_replayed[len(mine)] > 0:
            wrong.append(f"{mine_replayed[len(mine)]} is left after the last alignment")
        if [one.number for one in mine] != list(range(1, len(mine) + 1)):
            wrong.append("the numbers of the alignments are not 1, 2, 3, ...")
        if wrong:
            return "alnus is wrong", "; ".join(wrong), 0, 0
        compared = [one for one in mine if one.score >= LALIGN_LOWEST]
        same = sum(one.cells == other.cells for one, other in zip(compared, theirs, strict=False))
        scores, their_scores = [one.score for one in compared], [one.score for one in theirs]
        if scores == their_scores:
            kind = "same alignments" if same == len(compared) else "same scores, other alignments"
            return kind, "", len(compared), same
        place = next(k for k, (one, other) in enumerate(itertools.zip_longest(scores, their_scores)) if one != other)
        tie = next((k for k, (one, other) in enumerate(zip(compared, theirs, strict=False))
                    if one.cells != other.cells), None)
        shown = [str(one[place]) if place < len(one) else "none" for one in (compared, theirs)]
        reason = f"alignment {place + 1}: alnus {shown[0]}, lalign36 {shown[1]}"
        wrong = faults(theirs, query, subject, matrix)
        missed = not_best(theirs, theirs_replayed)
        if len(theirs) < most and theirs_replayed[len(theirs)] >= LALIGN_LOWEST:
            missed.append(f"{theirs_replayed[len(theirs)]} is left after the last alignment")
        if wrong:
            return "lalign36's list is wrong", f"{reason}; lalign36's {'; '.join(wrong[:3])}", len(compared), same
        if missed:
            return ("lalign36 misses the best that is left", f"{reason}; lalign36's {'; '.join(missed[:3])}",
                    len(compared), same)
        if tie is None or tie >= place:
            return "unexplained", reason, len(compared), same
        return "ties, replayed", (f"{reason}; both have {scores[tie]} at alignment {tie + 1}: alnus {compared[tie]}, "
                                  f"lalign36 {theirs[tie]}"), len(compared), same

    results = []
    with ThreadPoolExecutor(arguments.processes) as pool:
        for number, result in enumerate(pool.map(compare, pairs), 1):
            results.append(result)
            print(f"\r{number} of {len(pairs)}", end="", file=sys.stderr, flush=True)
    counts = collections.Counter(kind for kind, *_ in results)
    agreeing = counts["same alignments"] + counts["same scores, other alignments"]
    table([("pairs", len(pairs)), ("pairs whose scores agree fully", agreeing),
           *[(f"- {kind}", count) for kind, count in counts.most_common() if kind.startswith("same")],
           *[(kind, count) for kind, count in counts.most_common() if not kind.startswith("same")],
           ("alignments compared", sum(result[2] for result in results)),
           ("of these the same in both lists", sum(result[3] for result in results))])
    for pair, (kind, reason, *_) in zip(pairs, results, strict=True):
        if reason:
            print(f"- {pair[0]} {pair[1]}: {kind}; {reason}")


def compare_repeats(arguments: argparse.Namespace) -> None:
    proteins, matrix = read_proteins(), read_matrix()
    folder: Path = arguments.folder
    usable = [name for name, letters in proteins.items()
              if set(letters) <= AMINO_ACIDS and len(letters) <= arguments.longest]
    fasta = write_fasta(folder / "repeats-proteins.fasta", usable, proteins)
    selves = rows_of(run([arguments.alnus, "align", fasta, fasta, "--max-hsps", "3", "--quiet", "--outfmt", COLUMNS],
                         folder / "repeats-selves.tsv"))
    second = {name: next((row.score for row in rows if row.number == 2), 0) for (name, _), rows in selves.items()}
    chosen = sorted(second, key=lambda name: (-second[name], name))[:arguments.proteins]
    fasta = write_fasta(folder / "repeats-chosen.fasta", chosen, proteins)
    ours = rows_of(run([arguments.alnus, "align", fasta, fasta, "--max-hsps", "all", "--min-score",
                        str(arguments.score), "--quiet", "--outfmt", COLUMNS], folder / "repeats-alnus.tsv"))
    write_each(folder / "lalign-one", chosen, proteins)

    def compare(name: str) -> tuple[int, collections.Counter[str], list[float], list[str]]:
        file = folder / "lalign-one" / f"{name}.fasta"
        mine = ours[name, name]
        theirs = lalign(file, file, len(mine) + 10, arguments.score)
        complete = len(theirs) < len(mine) + 10 or theirs[-1].score < arguments.score
        theirs = [one for one in theirs if one.score >= arguments.score]
        owner = {cell: row for row in mine for cell in row.cells}
        whole = {row.cells for row in mine}
        counts: collections.Counter[str] = collections.Counter()
        shares, exceptions = [], []
        if not complete:
            exceptions.append(f"{name}: lalign36 may have more than these {len(theirs)} alignments")
        left = best_left(proteins[name], proteins[name], mine, matrix)
        wrong = faults(mine, proteins[name], proteins[name], matrix) + not_best(mine, left)
        if left[-1] >= arguments.score:
            wrong.append(f"{left[-1]} is left after the last alignment")
        exceptions += [f"{name}: alnus is wrong: {one}" for one in wrong]
        counts["replayed"] = len(mine) if not wrong else 0
        for one in theirs:
            counts["other score"] += one.score != one.rescored(proteins[name], proteins[name], matrix)
            both = [collections.Counter(owner[cell].number for cell in sided.cells if cell in owner)
                    for sided in (one, one.mirrored)]
            shares.append(max((count for shared in both for count in shared.values()), default=0) / len(one.cells))
            if one.cells in whole or one.mirrored.cells in whole:
                counts["the same alignment"] += 1
            elif both[0]:
                counts["shares aligned pairs"] += 1
            else:
                counts["no counterpart"] += 1
                score = one.rescored(proteins[name], proteins[name], matrix)
                exceptions.append(f"{name}: {one} has no counterpart; its score is {score}")
        return len(mine), counts, shares, exceptions

    results = []
    with ThreadPoolExecutor(arguments.processes) as pool:
        for number, result in enumerate(pool.map(compare, chosen), 1):
            results.append(result)
            print(f"\r{number} of {len(chosen)}", end="", file=sys.stderr, flush=True)
    counts = sum((result[1] for result in results), collections.Counter())
    shares = [share for result in results for share in result[2]]
    table([("proteins", len(chosen)),
           ("second alignment's score", f"{second[chosen[-1]]:,} to {second[chosen[0]]:,}"),
           (f"rows of alnus with score {arguments.score} or more, on both sides", sum(result[0] for result in results)),
           ("- of proteins of which every row has the best score that is left, and none is left", counts["replayed"]),
           (f"alignments of lalign36 with score {arguments.score} or more", len(shares)),
           ("- whose residues have another score than lalign36 says", counts["other score"]),
           *[(f"- {kind}", counts[kind]) for kind in ("the same alignment", "shares aligned pairs", "no counterpart")],
           ("share of an alignment's pairs that one row has: median", f"{statistics.median(shares):.1%}"),
           ("- half or more", f"{sum(share >= 0.5 for share in shares) / len(shares):.1%} of the alignments")])
    for exception in itertools.chain.from_iterable(result[3] for result in results):
        print(f"- {exception}")


def compare_blastp(arguments: argparse.Namespace) -> None:
    proteins = read_proteins()
    matrix = read_matrix()
    folder: Path = arguments.folder
    chosen = sample(proteins, arguments.queries)
    queries = write_fasta(folder / f"blastp-queries-{arguments.queries}.fasta", chosen, proteins)
    subjects = write_fasta(folder / "proteins.fasta", proteins, proteins)
    if not (folder / "blast.pin").exists():
        subprocess.run(["makeblastdb", "-dbtype", "prot", "-in", subjects, "-out", folder / "blast"], check=True,
                       capture_output=True)
    hsps: dict[Pair, list[Alignment]] = collections.defaultdict(list)
    lines = run(["blastp", "-query", queries, "-db", folder / "blast", "-evalue", f"{arguments.evalue:g}",
                 "-max_target_seqs", "20000", "-num_threads", str(arguments.processes), "-outfmt",
                 "6 qseqid sseqid score evalue qstart sstart btop"], folder / f"blastp-{arguments.queries}.tsv")
    for line in lines.read_text().splitlines():
        query, subject, points, evalue, i, j, btop = line.split("\t")
        hsps[query, subject].append(Alignment(
            int(points), tuple(blocks_of_btop(btop, int(i) - 1, int(j) - 1)), float(evalue)))
    ours = rows_of(run([arguments.alnus, "search", queries, subjects, "--max-hsps", "all", "--evalue", "10",
                        "--max-target-seqs", "20000", "--quiet", "--outfmt", COLUMNS],
                       folder / f"blastp-alnus-{arguments.queries}.tsv"), set(hsps))

    def most_shared(hsp: Alignment, rows: list[Alignment]) -> tuple[int, Alignment | None]:
        return max(((len(hsp.cells & row.cells), row) for row in rows), key=lambda one: one[0], default=(0, None))

    shares, evalues, first = [], [], 0
    exceptions: list[tuple[Pair, Alignment]] = []
    for pair, found in hsps.items():
        for hsp in found:
            shared, row = most_shared(hsp, ours.get(pair, []))
            first += any(hsp.cells & one.cells for one in ours.get(pair, []) if one.number == 1)
            if not shared or row is None:
                exceptions.append((pair, hsp))
                continue
            shares.append(shared / len(hsp.cells))
            evalues.append(row.evalue)
    total = len(shares) + len(exceptions)
    table([("queries", len(chosen)), ("pairs with HSPs", len(hsps)),
           ("- with several", sum(len(found) > 1 for found in hsps.values())),
           (f"HSPs of blastp at E <= {arguments.evalue:g}", total), ("rows of alnus for these pairs, E <= 10",
                                                                      sum(len(rows) for rows in ours.values())),
           ("HSPs that share aligned pairs with a row", len(shares)),
           ("- with the first row of the pair", first),
           ("- half of their pairs or more", sum(share >= 0.5 for share in shares)),
           ("- all of their pairs", sum(share == 1 for share in shares)),
           (f"- and the row has E <= {arguments.evalue:g}", sum(evalue <= arguments.evalue for evalue in evalues)),
           ("HSPs that share none", len(exceptions))])
    if not exceptions:
        return

    pairs = list(dict.fromkeys(pair for pair, _ in exceptions))
    listed = folder / f"blastp-exceptions-{arguments.queries}.txt"
    listed.write_text("".join("\t".join(pair) + "\n" for pair in pairs))
    residues = sum(map(len, proteins.values()))
    # An alignment of a score above 0 shares aligned pairs with a row of at least this score.
    scores = [hsp.rescored(proteins[query], proteins[subject], matrix) for (query, subject), hsp in exceptions]
    again = rows_of(run([arguments.alnus, "align", "--pairs", listed, queries, subjects, "--max-hsps", "all",
                         "--min-score", str(max(1, min(scores))), "--dbsize", f"{residues},{len(proteins)}", "--quiet",
                         "--outfmt", COLUMNS],
                        folder / f"blastp-exceptions-{arguments.queries}.tsv"))
    reasons: collections.Counter[str] = collections.Counter()
    lines_shown = []
    for (pair, hsp), score in zip(exceptions, scores, strict=True):
        shared, row = most_shared(hsp, again[pair])
        if not shared or row is None:
            reason = "no row shares pairs, even without limits" if score > 0 else "its score with BLOSUM62 is below 1"
            detail = ""
        else:
            reason = "the row's E-value is above 10" if row.evalue > 10 else "the row should have been listed"
            detail = (f": row {row.number} of alnus, {row}, E {row.evalue:.2g}, shares {shared} of its "
                      f"{len(hsp.cells)} pairs")
        reasons[reason] += 1
        lines_shown.append(f"- {pair[0]} {pair[1]}: blastp {hsp}, E {hsp.evalue:.2g}, {score} with BLOSUM62; "
                           f"{reason}{detail}")
    table([("HSPs that share none", len(exceptions)), *[(f"- {reason}", count) for reason, count in reasons.items()]])
    print("\n".join(lines_shown))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    options: dict[str, list[tuple[str, type, float, str]]] = {
        "lalign": [("--pairs", int, 500, "pairs to compare"), ("--alignments", int, 20, "alignments of each pair"),
                   ("--longest", int, 2000, "longest protein")],
        "repeats": [("--proteins", int, 50, "proteins to compare"), ("--score", int, 50, "lowest score"),
                    ("--longest", int, 1500, "longest protein")],
        "blastp": [("--queries", int, 500, "queries"), ("--evalue", float, 0.001, "largest E-value of an HSP")],
    }
    functions = {"lalign": compare_lalign, "repeats": compare_repeats, "blastp": compare_blastp}
    for name, own in options.items():
        command = commands.add_parser(name)
        command.add_argument("alnus", type=lambda path: Path(path).resolve())
        command.add_argument("folder", type=Path)
        for option, kind, default, text in own:
            command.add_argument(option, type=kind, default=default, help=f"{text} [{default:g}]")
        command.add_argument("--processes", type=int, default=2, help="processes of the other program [2]")
        command.set_defaults(function=functions[name])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    arguments.function(arguments)


if __name__ == "__main__":
    main()
