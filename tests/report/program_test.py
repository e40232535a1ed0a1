"""The program's own reports: they are read back into the table of the same run, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import FULL, saved
from made_files import LETTERS, mutant, random_letters
from program import blocks_of, index_of, is_complete, run
from saved_test import ALL, assert_same_table, nucleotides, proteins, write_fasta

WIDE = "6 std qlen slen qcovs nident positive cigar btop qseq sseq stitle"
EVERY = f"6 {' '.join(ALL)}"
OF_ALL = ["--outfmt", EVERY]
GONNET = ["--matrix", "GONNET", "--gap-open", "10.5", "--gap-extend", "0.5"]
DNA = ["--alphabet", "dna"]


def edges(folder: Path) -> tuple[Path, Path]:
    """Queries without hits, an empty one, one without a title or an id; lower-case and unusual letters."""
    source = random.Random(21)
    letters = random_letters(source, 80)
    half = letters[:40] + letters[40:].lower()
    queries = [("none of them", "W" * 12), ("q1", letters), ("empty", ""), ("q2 títle", half), ("", letters[:50])]
    subjects = [(f"s{k} 蛋白質", mutant(source, letters, 0.8)) for k in range(4)]
    subjects += [("", half), ("s5", half.swapcase()), ("empty one", ""), ("s6", letters.replace("A", "X") + "BZJUO*")]
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


def unusual_nucleotides(folder: Path) -> tuple[Path, Path]:
    """Both strands of sequences with lower-case letters and with letters for several nucleotides."""
    source = random.Random(22)
    long = random_letters(source, 600, "ACGT") + random_letters(source, 200, "ACGTRYSWKMBVDHN").lower()
    long += random_letters(source, 400, "ACGTacgtn")
    other = str.maketrans("ACGTRYKMBVDHacgtrykmbvdh", "TGCAYRMKVBHDtgcayrmkvbhd")
    reads = []
    for k in range(30):
        read = long[k * 35 : k * 35 + 120]
        reads.append((f"r{k}", read[::-1].translate(other) if k % 2 else read))
    subjects = [("long", long), ("same", long[300:])]
    return write_fasta(folder / "q.fasta", reads), write_fasta(folder / "s.fasta", subjects)


def pairs(folder: Path) -> tuple[Path, Path]:
    source = random.Random(23)
    letters = [random_letters(source, source.randrange(30, 90)) for _ in range(20)]
    queries = [(f"a{k} títle {k}", text) for k, text in enumerate(letters)]
    subjects = [(f"b{k}", mutant(source, text, 0.7)[: 60 - k] + "WW") for k, text in enumerate(letters)]
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


def list_of_pairs(folder: Path) -> tuple[Path, Path]:
    files = pairs(folder)
    (folder / "list.tsv").write_text("".join(f"a{k * 7 % 20}\tb{k * 3 % 20}\n" for k in range(40)))
    return files


def list_of_one_set(folder: Path) -> tuple[Path, Path]:
    files = pairs(folder)
    (folder / "list.tsv").write_text("".join(f"a{k * 7 % 20}\ta{k * 3 % 20}\n" for k in range(40)))
    return files


def many(folder: Path) -> tuple[Path, Path]:
    """Pairs with more rows, sequences and letters than blocks have."""
    source = random.Random(24)
    queries = [(f"a{k}", random_letters(source, 130)) for k in range(2300)]
    subjects = [(f"b{k} of {k}", mutant(source, text, 0.9)) for k, (_, text) in enumerate(queries)]
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


def many_subjects(folder: Path) -> tuple[Path, Path]:
    source = random.Random(25)
    queries = [(f"a{k}", random_letters(source, 130)) for k in range(4)]
    subjects = [(f"b{k} of {k}", mutant(source, queries[k % 4][1], 0.9)) for k in range(2300)]
    return write_fasta(folder / "q.fasta", queries), write_fasta(folder / "s.fasta", subjects)


# What makes the files, and the words of the command line.
Case = tuple[Callable[[Path], tuple[Path, Path]], list[str]]
SEARCH = ["search", "q.fasta", "s.fasta"]
ALIGN = ["align", "q.fasta", "s.fasta"]
CASES: dict[str, Case] = {
    "standard columns": (proteins, SEARCH),
    "wide": (proteins, [*SEARCH, "--outfmt", WIDE, "--evalue", "1000"]),
    "all columns with a header": (proteins, [*SEARCH, *OF_ALL, "--header"]),
    "three alignments": (proteins, [*SEARCH, *OF_ALL, "--max-hsps", "3", "--evalue", "1e6"]),
    "no statistics": (proteins, [*SEARCH, *OF_ALL, "--stats", "none"]),
    "Karlin": (proteins, [*SEARCH, *OF_ALL, "--stats", "karlin", "--composition", "scale"]),
    "Z-scores": (proteins, [*SEARCH, *OF_ALL, "--stats", "zvalue", "--shuffles", "50"]),
    "decimal scores": (proteins, [*SEARCH, *OF_ALL, *GONNET, "--stats", "none"]),
    "scores alone": (proteins, [*SEARCH, *OF_ALL, "--detail", "score"]),
    "ends alone": (proteins, [*SEARCH, *OF_ALL, "--detail", "ends"]),
    "few columns": (proteins, [*SEARCH, "--outfmt", "6 saccver evalue qaccver"]),
    "global": (proteins, [*SEARCH, *OF_ALL, "--mode", "global", "--stats", "none"]),
    "semiglobal, of nothing": (proteins, [*SEARCH, *OF_ALL, "--mode", "semiglobal", "--gap-open", "60",
                                          "--stats", "none"]),
    "edges": (edges, [*SEARCH, *OF_ALL, "--header"]),
    "masked letters": (edges, [*SEARCH, "--outfmt", WIDE, "--mask", "lower", "--evalue", "1000"]),
    "nothing": (proteins, [*SEARCH, "--outfmt", WIDE, "--header", "--min-score", "100000"]),
    "both strands": (nucleotides, [*SEARCH, *DNA, *OF_ALL]),
    "both strands, five alignments": (nucleotides, [*SEARCH, *DNA, *OF_ALL, "--max-hsps", "5"]),
    "minus strand": (nucleotides, [*SEARCH, *DNA, *OF_ALL, "--strand", "minus"]),
    "unusual letters": (unusual_nucleotides, [*SEARCH, *DNA, *OF_ALL, "--max-hsps", "3", "--stats", "none"]),
    "places": (unusual_nucleotides, [*SEARCH, *DNA, *OF_ALL, "--max-differences", "6"]),
    "pairs": (pairs, [*ALIGN, *OF_ALL, "--header"]),
    "pairs with ranges": (pairs, [*ALIGN, "--outfmt", "6 std pident_min pident_shorter_max", "--identity-range"]),
    "pairs of a list": (list_of_pairs, [*ALIGN, "--pairs", "list.tsv", *OF_ALL]),
    "pairs of one set": (list_of_one_set, ["align", "q.fasta", "--pairs", "list.tsv", *OF_ALL]),
    "all pairs of two files": (pairs, [*ALIGN, "--all", *OF_ALL]),
    "empty pairs": (edges, [*ALIGN, "--all", "--mode", "global", *OF_ALL]),
    "empty local pairs": (edges, [*ALIGN, "--all", *OF_ALL]),
    "pairs on both strands": (nucleotides, [*ALIGN, "--all", *DNA, "--max-hsps", "3", *OF_ALL]),
    "pairs with E-values": (pairs, [*ALIGN, "--dbsize", "100000,100", *OF_ALL]),
    "all pairs": (proteins, ["allpairs", "s.fasta", *OF_ALL, "--header"]),
    "all pairs with identities": (proteins, ["allpairs", "s.fasta", "--min-identity", "40", "--min-coverage", "50"]),
    "all pairs with themselves": (pairs, ["allpairs", "q.fasta", "--self", "--outfmt", WIDE]),
    "nearest pairs": (proteins, ["allpairs", "s.fasta", "--top-k", "3", "--outfmt", WIDE]),
    "all pairs of scores": (proteins, ["allpairs", "s.fasta", "--detail", "score", "--outfmt", "6 std score"]),
    "all pairs of DNA": (nucleotides, ["allpairs", "q.fasta", *DNA, *OF_ALL]),
    "all pairs of decimals": (proteins, ["allpairs", "s.fasta", *GONNET, "--stats", "none", *OF_ALL]),
    "all pairs of two sets": (proteins, ["allpairs", "q.fasta", "--against", "s.fasta", *OF_ALL]),
    "some pairs of two sets": (proteins, ["allpairs", "q.fasta", "--against", "s.fasta", "--min-score", "200",
                                          *OF_ALL]),
    "many pairs": (many, [*ALIGN, "--outfmt", WIDE]),
    "many hits": (many_subjects, [*SEARCH, "--max-target-seqs", "2300", "--min-score", "100", "--outfmt", WIDE]),
}  # fmt: skip
QUICK = ("wide", "three alignments", "decimal scores", "edges", "nothing", "both strands, five alignments",
         "unusual letters", "pairs with ranges", "pairs of one set", "some pairs of two sets")  # fmt: skip
IN_BROWSER = ("all columns with a header", "three alignments", "decimal scores", "no statistics", "edges",
              "both strands, five alignments", "unusual letters", "pairs of one set", "all pairs of two sets",
              "pairs with ranges", "many hits")  # fmt: skip
QUICK_IN_BROWSER = ("edges", "unusual letters")


def report_and_table(alnus: Path, folder: Path, case: Case, *more: str) -> tuple[Path, bytes]:
    make, words = case
    make(folder)
    run(alnus, *words, *more, "-o", "rows.tsv", "--report", "report.html", folder=folder)
    return folder / "report.html", (folder / "rows.tsv").read_bytes()


@pytest.mark.parametrize("name", CASES if FULL else QUICK)
def test_the_documents_script_reads_the_table(name, alnus, tmp_path, reader):
    report, table = report_and_table(alnus, tmp_path, CASES[name])
    assert is_complete(report)
    assert_same_table(reader(report), table, index_of(report)["output"]["columns"])
    assert (table.count(b"\n") > 10) == (name not in ("nothing",))


@pytest.mark.parametrize("name", IN_BROWSER if FULL else QUICK_IN_BROWSER)
def test_the_page_saves_the_table(name, alnus, tmp_path, opened):
    report, table = report_and_table(alnus, tmp_path, CASES[name])
    index = index_of(report)
    page = opened(report, f"#{index['tables'][0]['name']}")
    found = saved(page, "TSV", header=index["output"]["header"])
    assert_same_table(found, table, index["output"]["columns"])


def test_the_page_saves_csv(alnus, tmp_path, opened):
    columns = ALL if FULL else WIDE.replace("std ", "").split()[1:]
    words = [*SEARCH, "--outfmt", f"10 {' '.join(columns)}", "--header"]
    proteins(tmp_path)
    run(alnus, *words, "-o", "rows.csv", "--report", "report.html", folder=tmp_path)
    found = saved(opened(tmp_path / "report.html", "#hits"), "CSV", header=True)
    assert found == (tmp_path / "rows.csv").read_bytes()


@pytest.mark.parametrize("name", ["many hits", "many pairs"])
def test_blocks_are_as_large_as_the_format_says(name, alnus, tmp_path):
    report, _ = report_and_table(alnus, tmp_path, CASES[name])
    blocks = blocks_of(report)
    index = blocks["index"]
    for block_name in (f"{index['tables'][0]['name']}-rows", "subjects"):
        sizes = [len(columns["subject" if block_name != "subjects" else "id"])
                 for block, columns in blocks.items() if block.removeprefix(f"{block_name}-").isdigit()]  # fmt: skip
        assert len(sizes) > 1
        assert all(size == 2000 for size in sizes[:-1])
        assert 0 < sizes[-1] <= 2000
    for kind, where in index["letters"].items():
        pieces = [columns for block, columns in blocks.items() if block.startswith(f"{kind}-letters-")]
        sizes = [sum(map(len, columns["letters"])) for columns in pieces]
        assert len(sizes) > (name == "many pairs" or kind == "subjects")
        assert all(size == 262_144 for size in sizes[:-1])
        assert where == {key: [columns[key][0] for columns in pieces] for key in ("sequence", "start")}


def test_subjects_have_letters_only_where_rows_align_them(alnus, tmp_path):
    report, _ = report_and_table(alnus, tmp_path, CASES["both strands, five alignments"])
    blocks = blocks_of(report)
    aligned: dict[int, set[int]] = {}
    rows = blocks["hits-rows-0"]
    for subject, one, other in zip(rows["subject"], rows["sstart"], rows["send"], strict=True):
        aligned.setdefault(subject, set()).update(range(min(one, other) - 1, max(one, other)))
    stored: dict[int, set[int]] = {}
    pieces = blocks["subjects-letters-0"]
    for subject, start, letters in zip(pieces["sequence"], pieces["start"], pieces["letters"], strict=True):
        places = range(start, start + len(letters))
        assert stored.setdefault(subject, set()).isdisjoint(places)
        assert start - 1 not in stored[subject]  # touching segments are one
        stored[subject].update(places)
    assert stored == aligned


def test_the_order_of_blocks(alnus, tmp_path):
    report, _ = report_and_table(alnus, tmp_path, CASES["many hits"])
    names = list(blocks_of(report))
    last = {kind: max(int(name.rsplit("-", 1)[1]) for name in names if name.startswith(f"{kind}-"))
            for kind in ("queries-letters", "hits-rows", "subjects-letters")}  # fmt: skip
    last["subjects"] = max(int(name[9:]) for name in names if name[9:].isdigit() and name.startswith("subjects-"))
    rows = [f"hits-{what}-{k}" for k in range(last["hits-rows"] + 1) for what in ("rows", "gaps")]
    assert names == [
        "index", "subjects-0", "hits-rows-0",
        *(f"queries-letters-{k}" for k in range(last["queries-letters"] + 1)),
        *(f"subjects-{k}" for k in range(1, last["subjects"] + 1)),
        *rows[1:],
        *(f"subjects-letters-{k}" for k in range(last["subjects-letters"] + 1)),
    ]  # fmt: skip


@pytest.mark.parametrize("outfmt", ["7 qaccver saccver evalue", "jsonl", "sam", "0"])
def test_columns_are_those_of_the_run(outfmt, alnus, tmp_path):
    proteins(tmp_path)
    words = [*SEARCH, "--outfmt", outfmt, "-o", "rows", "--report", "report.html"]
    run(alnus, *words, folder=tmp_path)
    columns = index_of(tmp_path / "report.html")["output"]["columns"]
    standard = "qaccver saccver pident length mismatch gapopen qstart qend sstart send evalue bitscore"
    assert " ".join(columns) == (outfmt[2:] if outfmt[0] == "7" else standard)


def test_whole_sequences_are_left_out(alnus, tmp_path, reader):
    proteins(tmp_path)
    for name, columns in (("with", "qaccver full_qseq qseq full_sseq score"), ("without", "qaccver qseq score")):
        words = [*SEARCH, "--outfmt", f"6 {columns}", "-o", f"{name}.tsv", "--report", f"{name}.html"]
        run(alnus, *words, folder=tmp_path)
    output = index_of(tmp_path / "with.html")["output"]
    assert output == {"columns": ["qaccver", "qseq", "score"], "header": False, "left_out": ["full_qseq", "full_sseq"]}
    assert reader(tmp_path / "with.html") == (tmp_path / "without.tsv").read_bytes()


def test_letters_are_those_of_the_input(alnus, tmp_path):
    edges(tmp_path)
    run(alnus, *SEARCH, "-o", "rows.tsv", "--report", "report.html", folder=tmp_path)
    blocks = blocks_of(tmp_path / "report.html")
    given = [entry.split("\n")[1] for entry in (tmp_path / "q.fasta").read_text().split(">")[1:]]
    pieces = blocks["queries-letters-0"]
    assert [given[k] for k in pieces["sequence"]] == pieces["letters"]
    assert any(letters != letters.upper() for letters in pieces["letters"])
    assert all(set(letters.upper()) <= {*LETTERS, *"BZJUOX*"} for letters in pieces["letters"])


def test_without_scripts_the_best_rows_are_there(alnus, tmp_path, opened):
    report, table = report_and_table(alnus, tmp_path, CASES["standard columns"], "--stats", "none")
    page = opened(report, ready=False, java_script_enabled=False)
    text = page.locator("#plain").inner_text()
    assert "Scripts are off here" in text
    assert " search q.fasta s.fasta" in text
    lines = page.locator("#plain table").last.locator("tr").all_inner_texts()
    shown = [line.split("\t") for line in lines]
    rows = [line.split("\t") for line in table.decode().splitlines()]
    assert shown[0] == ["query", "subject", "score", "qstart", "qend", "sstart", "send"]
    assert [[row[0], row[1], *row[3:]] for row in shown[1:]] == [[row[0], row[1], *row[6:10]] for row in rows]
    assert len(rows) == 8 * 48
