#!/usr/bin/env python3
"""Check that two builds of alnus give the same bytes: all commands, modes, formats and parts, on small inputs.

compare_builds.py OLD NEW [--devices LIST] [--cases NAME...]: runs each case with both programs, in a folder of the
same name, and compares standard output, the exit code, what the program says of an error, and every file that the case
leaves. Prints a line for each case, and exits with 1 if any differ. Files of parts are not compared, since their
version may rise; what a merge makes of them is.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = 3
SECONDS = re.compile(rb"in [0-9.]+ s")  # what a calibration took

FORMATS = ["0", "5", "6", "7", "10", "jsonl", "sam", "srspair", "6 std cigar adjscore", "6 qseqid sseqid qseqid"]
MODES = {
    "local": "local",
    "global": "global",
    "semiglobal": "semiglobal",
    "query": "global --free-ends sbegin,send",
    "overlap": "semiglobal --free-ends qend,sbegin",
}
STATISTICS = ["spouge", "karlin", "regression", "none", "zvalue --shuffles 20"]
FILTERS = [
    "--min-score 40",
    "--evalue 1e-3",
    "--min-identity 30 --min-length 20",
    "--min-coverage 50 --coverage-of query",
]


@dataclass(frozen=True)
class PairOutput:
    """Options of outputs of all pairs, and which runs can have them."""

    options: str
    against: bool = True  # of two sets
    parts: bool = True
    checkpoint: bool = True


PAIR_OUTPUTS = {
    "npy": PairOutput("--matrix-out m.npy"),
    "square": PairOutput("--matrix-out m.npy --square", against=False),
    "table": PairOutput("--matrix-out m.csv"),
    "tables": PairOutput("--matrix-out score:s.tsv.gz --matrix-out distance:d.npy"),
    "phylip": PairOutput("--phylip d.phy", against=False),
    "strict": PairOutput("--phylip d.phy --phylip-names strict", against=False),
    "edges": PairOutput("--edges e.tsv --edge-threshold 25"),
    "edges.csv": PairOutput("--edges e.csv --edge-threshold 40 --matrix-value score"),
    "sparse": PairOutput("--edges e.npz --edge-threshold 25", checkpoint=False),
    "all": PairOutput(
        "-o r.tsv --matrix-out score:s.npy --phylip d.phy --edges e.tsv --edge-threshold 0.9 --matrix-value distance",
        against=False,
    ),
    "nearest": PairOutput("--top-k 3 -o r.tsv --edges e.npz", parts=False, checkpoint=False),
}


def cases() -> dict[str, list[str]]:
    """Return the commands of each case. Standard output of all commands counts."""
    found: dict[str, list[str]] = {}
    for number, how in enumerate(FORMATS):
        found[f"search.format{number}"] = [f"search q.fasta p.fasta --outfmt '{how}'"]
        found[f"allpairs.format{number}"] = [f"allpairs few.fasta --outfmt '{how}' -o r.out"]
    for name, mode in MODES.items():
        found[f"search.{name}"] = [f"search q.fasta p.fasta --mode {mode} --outfmt '6 std cigar' -o hits.tsv"]
        found[f"align.{name}"] = [f"align q.fasta few.fasta --all --mode {mode} --outfmt jsonl"]
        found[f"allpairs.{name}"] = [f"allpairs few.fasta --mode {mode} -o r.tsv --matrix-out m.npy"]
    for number, how in enumerate(STATISTICS):
        found[f"search.stats{number}"] = [f"search q.fasta p.fasta --stats {how} --outfmt '6 std zscore'"]
    for number, how in enumerate(FILTERS):
        found[f"allpairs.filter{number}"] = [f"allpairs p.fasta {how} -o r.tsv.gz"]
    for detail in ("score", "ends"):
        columns = "6 qseqid sseqid score" + (" qend send" if detail == "ends" else "")
        found[f"search.{detail}"] = [f"search q.fasta p.fasta --detail {detail} --outfmt '{columns}'"]
    for name, output in PAIR_OUTPUTS.items():
        found[f"allpairs.{name}"] = [f"allpairs few.fasta {output.options}"]
        if output.against:
            found[f"against.{name}"] = [f"allpairs few.fasta --against q.fasta {output.options}"]
        if output.parts:
            found[f"parts.{name}"] = in_parts("allpairs few.fasta", output.options)
        if output.checkpoint:
            found[f"checkpoint.{name}"] = [f"allpairs few.fasta {output.options} --checkpoint c", "rm -r c"]
    for number, how in enumerate(["0", "6 std cigar", "sam", "jsonl"]):
        found[f"parts.search{number}"] = in_parts("search q.fasta p.fasta", f"-o hits.out --outfmt '{how}'")
    found["extended"] = [
        "allpairs few.fasta -o r.tsv --outfmt '6 qseqid sseqid score' --checkpoint c --matrix-out m.npy",
        "allpairs few.fasta --add q.fasta -o r.tsv --outfmt '6 qseqid sseqid score' --checkpoint c --matrix-out m.npy",
        "rm -r c",
    ]
    found["plot"] = ["search q.fasta p.fasta --score-plot p.svg -o hits.tsv"]
    found["ends"] = ["search q.fasta p.fasta --max-target-seqs 2 --evalue 1e-5 --min-score 50 --outfmt 7"]
    for strand in ("plus", "minus", "both"):
        found[f"dna.{strand}"] = [
            f"search reads.fastq genes.fasta --alphabet dna --strand {strand} --outfmt '6 std sstrand'"
        ]
    found["dna.sam"] = ["search reads.fastq genes.fasta --alphabet dna --outfmt sam -o reads.sam"]
    found["dna.allpairs"] = ["allpairs genes.fasta --alphabet dna --strand both --edges e.tsv --edge-threshold 50"]
    found["masked"] = ["search q.fasta low.fasta --mask seg --outfmt '6 std'"]
    found["database"] = [
        "makedb p.fasta -o p.alnus",
        "dbinfo p.alnus --json",
        "search q.fasta p.alnus --outfmt '6 std'",
        "rm p.alnus",
    ]
    found["pairs"] = ["align q.fasta p.fasta --pairs pairs.tsv --outfmt 0"]
    found["calibrate"] = ["calibrate --matrix BLOSUM62 --gap-open 9 --gap-extend 3 --precision 0.1 --no-cache"]
    found["wrong"] = [
        "search q.fasta missing.fasta",
        "search q.fasta p.fasta --outfmt 99",
        "allpairs few.fasta --edges e.tsv",
        "allpairs few.fasta --matrix-out m.xlsx",
        "allpairs few.fasta --phylip d.phy --against q.fasta",
        "merge p.fasta",
        "frobnicate",
    ]
    found["help"] = [f"{command} --help" for command in ("", "search", "allpairs", "align", "merge", "makedb")]
    return found


def in_parts(command: str, outputs: str) -> list[str]:
    """Return the commands that compute a job in parts and merge them: -o then names the part, and later the rows."""
    words = shlex.split(outputs)
    named: list[str] = []  # for the merge, which has the names of outputs
    chosen: list[str] = []  # for the parts
    while words:
        word = words.pop(0)
        value = [words.pop(0)] if words and not words[0].startswith("-") else []
        if value and re.search(r"\.[a-z]", value[0]):  # the name of a file
            named += [word, *value]
        if word != "-o":
            chosen += [word, *value]
    if "-o" in named and "--outfmt" not in chosen:
        chosen += ["--outfmt", "6"]
    numbers = range(1, PARTS + 1)
    parts = [f"{command} {shlex.join(chosen)} --part {k}/{PARTS} -o part{k}" for k in numbers]
    merge = f"merge {' '.join(f'part{k}' for k in reversed(numbers))} {shlex.join(named)}"
    return [*parts, merge, *(f"rm part{k}" for k in numbers)]


def write_inputs(folder: Path) -> None:
    """Write small inputs: proteins with relatives among them, genes, and reads of genes."""
    rng = random.Random(45)

    def changed(text: str, letters: str, rate: float) -> str:
        made = []
        for letter in text:
            if rng.random() < rate:
                made.append(rng.choice(["", rng.choice(letters), letter + rng.choice(letters)]))
            else:
                made.append(letter)
        return "".join(made)

    def fasta(records: list[tuple[str, str]]) -> str:
        return "".join(f">{name}\n{letters}\n" for name, letters in records)

    amino = "ARNDCQEGHILKMFPSTWYV"
    parents = ["".join(rng.choices(amino, k=rng.randint(40, 400))) for _ in range(12)]
    family = [
        (f"p{k}x{n} a protein", changed(p, amino, 0.1 + 0.1 * n)) for k, p in enumerate(parents) for n in range(5)
    ]
    others = [(f"u{k}", "".join(rng.choices(amino, k=rng.randint(10, 300)))) for k in range(40)]
    (folder / "p.fasta").write_text(fasta(family + others))
    (folder / "few.fasta").write_text(fasta(family[:18] + others[:4]))
    (folder / "q.fasta").write_text(fasta([(f"q{k}", p) for k, p in enumerate(parents[:6])]))
    (folder / "low.fasta").write_text(fasta([*family[:20], ("low", "QQQQQQQQQQQQPQPQPQPQQQQ" * 4)]))
    genes = ["".join(rng.choices("ACGT", k=rng.randint(200, 600))) for _ in range(8)]
    (folder / "genes.fasta").write_text(fasta([(f"g{k}", g) for k, g in enumerate(genes)]))
    complement = str.maketrans("ACGT", "TGCA")
    reads = []
    for k in range(30):
        gene = rng.choice(genes)
        begin = rng.randrange(len(gene) - 100)
        read = changed(gene[begin : begin + 100], "ACGT", 0.03)
        reads.append(read if k % 2 else read.translate(complement)[::-1])
    (folder / "reads.fastq").write_text("".join(f"@r{k}\n{r}\n+\n{'I' * len(r)}\n" for k, r in enumerate(reads)))
    pairs = [(f"q{k % 6}", f"p{k % 12}x{k % 5}") for k in range(20)]
    (folder / "pairs.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))


def run(program: Path, commands: list[str], folder: Path, inputs: Path, devices: str) -> dict[str, bytes]:
    """Return what a case leaves, by the names of files; what the program prints has the command as its name."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(inputs, folder)
    (folder / "alnus").symlink_to(program)
    cache = {**os.environ, "XDG_CACHE_HOME": str(folder.parent / "cache")}
    left: dict[str, bytes] = {}
    for number, command in enumerate(commands):
        words = shlex.split(command)
        if words and words[0] == "rm":
            subprocess.run(words, cwd=folder, check=True)
            continue
        if words and words[0] in ("search", "allpairs", "align"):
            words += ["--devices", devices]
        done = subprocess.run(["./alnus", *words], cwd=folder, env=cache, capture_output=True)
        left[f"{number}: output"] = SECONDS.sub(b"", done.stdout)
        left[f"{number}: exit"] = str(done.returncode).encode()
        if done.returncode != 0:
            left[f"{number}: error"] = done.stderr
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and not (inputs / path.relative_to(folder)).exists():
            left[str(path.relative_to(folder))] = path.read_bytes()
    return left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("old", "new"):
        parser.add_argument(name, type=lambda path: Path(path).resolve())
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--cases", nargs="+", choices=cases())
    asked = parser.parse_args()
    differing = files = wrong = 0
    with tempfile.TemporaryDirectory() as name:
        inputs = Path(name) / "inputs"
        inputs.mkdir()
        write_inputs(inputs)
        for case, commands in cases().items():
            if asked.cases and case not in asked.cases:
                continue
            old, new = (run(p, commands, Path(name) / "run", inputs, asked.devices) for p in (asked.old, asked.new))
            differ = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
            files += len(old)
            differing += bool(differ)
            failed = [key for key, value in old.items() if key.endswith(": exit") and value != b"0"]
            wrong += bool(failed) and case != "wrong"
            note = " (the old build fails)" if failed and case != "wrong" else ""
            print(
                f"{case:24} {len(old):3} {'same' if not differ else 'DIFFERENT: ' + ', '.join(differ)}{note}",
                flush=True,
            )
            if note:
                print(old[failed[0].replace("exit", "error")].decode(errors="replace")[-300:])
    print(f"{files} outputs, {differing} cases differ.")
    return 1 if differing or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
