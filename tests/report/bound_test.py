"""--report-size: what the report leaves out, and what it says of it."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from made_files import mutant, random_letters, run_alnus
from program import blocks_of, index_of, run, text_of, without_command_line
from saved_test import assert_same_table, write_fasta

SIZE = 1 << 20  # --report-size 1M
COLUMNS = "6 std cigar qseq sseq hsp"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """40 queries, of which the last has few hits, and 800 subjects: their hits take more than SIZE."""
    source = random.Random(41)
    folder = tmp_path_factory.mktemp("bound")
    queries = [(f"query{k}", random_letters(source, 100)) for k in range(39)]
    # An insertion makes CIGARs that do not compress to nothing.
    subjects = [(f"subject{k} number {k}", mutant(source, queries[k % 39][1], 0.5)) for k in range(800)]
    subjects = [(name, text[: 20 + k % 60] + random_letters(source, k % 5) + text[20 + k % 60 :])
                for k, (name, text) in enumerate(subjects)]  # fmt: skip
    queries.append(("short", "WCWC"))
    write_fasta(folder / "q.fasta", queries)
    write_fasta(folder / "s.fasta", subjects)
    write_fasta(folder / "some.fasta", subjects[:350])
    return folder


SEARCH = ["search", "q.fasta", "s.fasta", "--max-target-seqs", "800", "--evalue", "1e9", "--min-score", "22",
          "--outfmt", COLUMNS, "--max-hsps", "2"]  # fmt: skip


def bounded(alnus: Path, folder: Path, name: str, *more: str) -> tuple[Path, str]:
    log = run(alnus, *SEARCH, *more, "-o", f"{name}.tsv", "--report", f"{name}.html", "--report-size", "1M",
              folder=folder)  # fmt: skip
    return folder / f"{name}.html", log


def hits_of_queries(table: bytes) -> dict[str, list[str]]:
    """The subjects of each query in the order of the table."""
    found: dict[str, dict[str, None]] = {}
    for line in table.decode().splitlines():
        query, subject, _ = line.split("\t", 2)
        found.setdefault(query, {})[subject] = None
    return {query: list(subjects) for query, subjects in found.items()}


def rows_of_best(table: bytes, hits: int) -> bytes:
    """The lines of the best hits of each query."""
    best = {query: set(subjects[:hits]) for query, subjects in hits_of_queries(table).items()}
    lines = table.decode().splitlines(keepends=True)
    return "".join(line for line in lines if line.split("\t")[1] in best[line.split("\t")[0]]).encode()


def test_each_query_keeps_its_best_hits(alnus, folder, reader, opened):
    report, log = bounded(alnus, folder, "bounded")
    table = (folder / "bounded.tsv").read_bytes()
    index = index_of(report)
    shown, queries = index["shown"], index["queries"]
    assert 0.8 * SIZE < report.stat().st_size <= SIZE
    assert shown["rows"] == sum(queries["rows"]) == index["tables"][0]["rows"] < shown["of"]
    assert shown["of"] == table.count(b"\n")
    most = max(queries["hits"])
    assert 1 < most < 800
    found = hits_of_queries(table)
    assert queries["found"] == [len(found.get(name, [])) for name in queries["id"]]
    assert queries["hits"] == [min(most, count) for count in queries["found"]]
    assert min(queries["hits"]) < most  # the short query has all of its hits
    sentence = f"This report has the best {most} hits of each query: {shown['rows']:,} of {shown['of']:,} rows."
    assert shown["sentence"] == sentence
    assert f"alnus: {sentence}\n" in log
    assert f"<p>{sentence}</p>" in text_of(report)
    assert_same_table(reader(report), rows_of_best(table, most), index["output"]["columns"])
    page = opened(report, "#run")
    page.locator("main dl").wait_for()
    assert sentence in page.locator("body").inner_text()


def test_nothing_is_left_out_without_need(alnus, folder):
    run(alnus, *SEARCH, "-o", "all.tsv", "--report", "all.html", folder=folder)
    index = index_of(folder / "all.html")
    assert index["shown"]["sentence"] == ""
    assert index["shown"]["rows"] == index["shown"]["of"]
    assert "found" not in index["queries"]
    assert (folder / "all.html").stat().st_size > SIZE


@pytest.mark.full
def test_the_same_bytes(alnus, folder):
    wanted = without_command_line(bounded(alnus, folder, "one", "-t", "1")[0])
    assert without_command_line(bounded(alnus, folder, "two", "-t", "2")[0]) == wanted
    assert without_command_line(bounded(alnus, folder, "little", "--memory", "8M")[0]) == wanted
    parts = ["1.part", "2.part", "3.part"]
    for k, part in enumerate(parts):
        run(alnus, *SEARCH, "--part", f"{k + 1}/3", "-o", part, "--report", "part.html", folder=folder)
    log = run(alnus, "merge", *parts, "-o", "merged.tsv", "--report", "merged.html", "--report-size", "1M",
              folder=folder)  # fmt: skip
    assert without_command_line(folder / "merged.html") == wanted
    assert wanted[1]["shown"]["sentence"] in log


def pair_report(alnus: Path, folder: Path, name: str, *more: str) -> tuple[dict[str, Any], str]:
    log = run(alnus, "allpairs", "some.fasta", "--outfmt", "6 std cigar", "-o", f"{name}.tsv", *more, folder=folder)
    return blocks_of(folder / f"{name}.html"), log


@pytest.mark.full
def test_all_pairs_keep_their_first_rows(alnus, folder, reader):
    words = ["--report", "pairs.html", "--report-size", "1M"]
    blocks, log = pair_report(alnus, folder, "pairs", *words)
    shown = blocks["index"]["shown"]
    assert 0.8 * SIZE < (folder / "pairs.html").stat().st_size <= SIZE
    assert shown["sentence"] == f"This report has the first {shown['rows']:,} of {shown['of']:,} rows."
    assert f"alnus: {shown['sentence']}\n" in log
    table = (folder / "pairs.tsv").read_bytes()
    assert shown["of"] == table.count(b"\n") == 350 * 349 // 2
    assert reader(folder / "pairs.html") == b"".join(table.splitlines(keepends=True)[: shown["rows"]])
    other, _ = pair_report(alnus, folder, "again", "--report", "again.html", "--report-size", "1M", "-t", "1")
    assert other.pop("index")["shown"] == blocks.pop("index")["shown"]
    assert other == blocks


@pytest.mark.parametrize("size", ["1000000", "10", "1K", "0.9M"])
def test_a_size_below_that_of_the_page_is_refused(size, alnus, folder):
    log = run(alnus, *SEARCH, "--report", "refused.html", "--report-size", size, folder=folder, code=1)
    assert re.fullmatch(r"alnus: error: --report-size [^\n]*\n", log)
    assert not (folder / "refused.html").exists()


def test_one_hit_of_each_query_stays_even_above_the_bound(alnus, tmp_path):
    """Titles that take more than the bound."""
    source = random.Random(42)
    title = "".join(source.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=1_500_000))
    letters = random_letters(source, 50)
    write_fasta(tmp_path / "q.fasta", [("q", letters)])
    write_fasta(tmp_path / "s.fasta", [(f"s{k} {title[k:]}", letters[k:]) for k in range(3)])
    words = ["--report", tmp_path / "report.html", "--report-size", "1M", "--stats", "none"]
    run_alnus(alnus, "search", tmp_path / "q.fasta", tmp_path / "s.fasta", *words, "-o", tmp_path / "rows.tsv")
    index = index_of(tmp_path / "report.html")
    assert index["shown"] == {
        "rows": 1,
        "of": 3,
        "sentence": "This report has the best 1 hit of each query: 1 of 3 rows.",
    }
