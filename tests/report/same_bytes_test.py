"""Reports of the same result have the same bytes, but for the command line."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest
from made_files import random_letters, search_report
from program import BLOCK, blocks_of, run, text_of, without_command_line
from report_fixture import Report, write_report
from saved_test import nucleotides, proteins, write_fasta

JOBS = {
    "proteins": (proteins, ["search", "q.fasta", "s.fasta", "--evalue", "1000", "--max-hsps", "3"]),
    "a picture": (proteins, ["search", "q.fasta", "s.fasta", "--score-plot", "plot.svg"]),
    "DNA": (nucleotides, ["search", "q.fasta", "s.fasta", "--alphabet", "dna"]),
    "scores": (proteins, ["search", "q.fasta", "s.fasta", "--detail", "score"]),
    "all pairs": (proteins, ["allpairs", "s.fasta", "--outfmt", "6 std cigar"]),
    "two sets": (proteins, ["allpairs", "q.fasta", "--against", "s.fasta", "--min-identity", "30", "--header"]),
    "matrix": (proteins, ["allpairs", "s.fasta", "--matrix-out", "m.npy", "--matrix-value", "identity"]),
}


OUTPUTS = ("--score-plot", "--matrix-out")


def report_of(alnus: Path, folder: Path, words: list[str], name: str, *more: str) -> tuple[str, dict[str, Any]]:
    rows = [] if "--matrix-out" in words else ["-o", f"{name}.tsv"]
    run(alnus, *words, *more, *rows, "--report", f"{name}.html", folder=folder)
    return without_command_line(folder / f"{name}.html")


@pytest.mark.parametrize("job", JOBS)
def test_threads_memory_and_instruction_sets(job, alnus, tmp_path):
    make, words = JOBS[job]
    make(tmp_path)
    wanted = report_of(alnus, tmp_path, words, "one", "-t", "1")
    assert report_of(alnus, tmp_path, words, "two", "-t", "2") == wanted
    assert report_of(alnus, tmp_path, words, "little", "--memory", "4M") == wanted
    assert report_of(alnus, tmp_path, words, "portable", "--isa", "portable") == wanted


@pytest.mark.parametrize("parts", [3, pytest.param(7, marks=pytest.mark.full)])
@pytest.mark.parametrize("job", JOBS)
def test_merged_parts(job, parts, alnus, tmp_path):
    make, words = JOBS[job]
    make(tmp_path)
    wanted = report_of(alnus, tmp_path, words, "whole")
    made = [f"{k}.part" for k in range(1, parts + 1)]
    for k, part in enumerate(made):
        run(alnus, *words, "--part", f"{k + 1}/{parts}", "-o", part, "--report", "part.html", folder=tmp_path)
    outputs = [word for pair in itertools.pairwise(words) if pair[0] in OUTPUTS for word in pair]
    rows = [] if "--matrix-out" in words else ["-o", "merged.tsv"]
    run(alnus, "merge", *reversed(made), *outputs, *rows, "--report", "merged.html", folder=tmp_path)
    assert without_command_line(tmp_path / "merged.html") == wanted
    assert not (tmp_path / "part.html").exists()


def test_a_database_file_of_the_same_sequences(alnus, tmp_path):
    proteins(tmp_path)
    run(alnus, "makedb", "s.fasta", "-o", "s.alnus", folder=tmp_path)
    found = {}
    for name in ("s.fasta", "s.alnus"):
        text, index = report_of(alnus, tmp_path, ["search", "q.fasta", name], name)
        # A database file has a digest of its own (docs/database-format.md).
        database = index["run"]["inputs"][1]
        text = text.replace(name, "NAME").replace(database.pop("digest"), "DIGEST")
        found[name] = (text, json.dumps(index).replace(name, "NAME"))
    assert found["s.fasta"] == found["s.alnus"]


# The program's blocks and those of the tests' reference writer


REFERENCE = {
    "proteins": (proteins, ["--max-hsps", "3", "--evalue", "1000"]),
    "both strands": (nucleotides, ["--alphabet", "dna", "--max-hsps", "5"]),
    "decimal scores": (proteins, ["--matrix", "GONNET", "--gap-open", "10.5", "--stats", "none", "--max-hsps", "2"]),
    "nothing": (proteins, ["--min-score", "100000", "--max-hsps", "2"]),
    "many": (lambda folder: many_letters(folder), ["--max-target-seqs", "2500", "--stats", "none", "--max-hsps", "2"]),
}


def many_letters(folder: Path) -> tuple[Path, Path]:
    source = random.Random(31)
    query = random_letters(source, 120)
    subjects = [(f"s{k}", query[k % 50 :] + random_letters(source, k % 7)) for k in range(2500)]
    return write_fasta(folder / "q.fasta", [("q", query), ("r", query[::-1])]), write_fasta(
        folder / "s.fasta", subjects
    )


def as_reference(report: Report, index: dict[str, Any]) -> Report:
    """Texts of the run, which the reference writer does not know."""
    report.title, report.alphabet, report.output = index["title"], index["alphabet"], index["output"]
    report.facts, report.inputs, report.notes = (index["run"][name] for name in ("facts", "inputs", "notes"))
    return report


def check_and_sort(index: dict[str, Any], blocks: dict[str, Any]) -> None:
    """Sorts what the format has in any order."""
    for table in index["tables"]:
        if table["rows"] and index is blocks["index"]:
            assert table["columns"] == list(blocks[f"{table['name']}-rows-0"])
        table["columns"].sort()
    for letter, others in index["positive"].items():
        index["positive"][letter] = sorted(others)


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_writer_agrees(name, alnus, tmp_path):
    make, options = REFERENCE[name]
    queries, subjects = make(tmp_path)
    report = search_report(alnus, queries, subjects, tmp_path, *options)
    run(alnus, "search", queries, subjects, *options, "-o", "rows.tsv", "--report", "program.html", folder=tmp_path)
    blocks = blocks_of(tmp_path / "program.html")
    reference = write_report(as_reference(report, blocks["index"]), tmp_path / "reference.html")
    wanted = blocks_of(reference)
    assert list(blocks) == list(wanted)
    for index in (blocks["index"], wanted["index"]):
        check_and_sort(index, blocks)
    if "GONNET" in options:  # the reference writer knows the letters of BLOSUM62 alone
        blocks["index"].pop("positive")
        wanted["index"].pop("positive")
    for block, value in wanted.items():
        assert blocks[block].keys() == value.keys(), block
        for key in value:
            assert blocks[block][key] == value[key], (block, key)
    texts = [BLOCK.sub(r"\1\n", text_of(path)) for path in (tmp_path / "program.html", reference)]
    assert texts[0] == texts[1]
