"""Reports of made values: large ones for bench/report_page.py, and small ones of each kind for the tests."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

from report_fixture import (
    Record,
    Report,
    Table,
    read_fasta,
    table_from_tsv,
    write_report,
)

LETTERS = "ARNDCQEGHILKMFPSTWYV"
# The columns that a report needs, and those that the page can compute from them.
NEEDED = "qaccver saccver score bitscore evalue qstart qend sstart send nident positive gaps gapopen cigar"
DEFAULT_TABLE = "qaccver saccver pident length mismatch gapopen qstart qend sstart send evalue bitscore"


def run_alnus(program: Path | str, *words: object) -> None:
    done = subprocess.run([str(program), *map(str, words), "--quiet"], capture_output=True, text=True)
    assert done.returncode in (0, 10), done.stderr


def search_report(program: Path | str, queries: Path, subjects: Path, folder: Path, *options: str) -> Report:
    """A report of a search that the program makes now. `options` are those of the search."""
    table = folder / "needed.tsv"
    columns = f"6 {NEEDED} adjscore sstrand hsp"
    run_alnus(program, "search", queries, subjects, *options, "--detail", "alignment", "--header", "--outfmt", columns,
              "-o", table)  # fmt: skip
    records = read_fasta(queries)
    rows, named = table_from_tsv(table, records, read_fasta(subjects), by_query=True)
    facts = [
        ("Command", f"alnus search {queries.name} {subjects.name} {' '.join(options)}"),
        ("Version", "alnus 0.1.0"),
    ]
    return Report("search", f"Search: {queries.name} in {subjects.name}", records, named, [rows], facts=facts)


def random_letters(source: random.Random, length: int, letters: str = LETTERS) -> str:
    return "".join(source.choices(letters, k=length))


def mutant(source: random.Random, letters: str, share: float, alphabet: str = LETTERS) -> str:
    """Letters of which about this share is kept."""
    changed = random_letters(source, len(letters), alphabet)
    return "".join(old if source.random() < share else new for old, new in zip(letters, changed, strict=True))


def made_search(queries: int, mutants: int, seed: int = 1) -> Report:
    """File B: queries of 300 residues, each with mutants of 250 columns and 25 to 60% identity. Half of the alignments
    have a gap of three residues."""
    source = random.Random(seed)
    asked, found = [], []
    columns: dict[str, list] = {name: [] for name in ("query", "subject", "score", "bitscore", "evalue", "qstart")}
    columns |= {name: [] for name in ("qend", "sstart", "send", "nident", "positive", "gaps", "gapopen")}
    cigars = []
    for query in range(queries):
        letters = random_letters(source, 300)
        asked.append(Record(f"query{query + 1}", "made at random", letters))
        shares = sorted((source.uniform(0.25, 0.6) for _ in range(mutants)), reverse=True)
        for number, share in enumerate(shares):
            gap = 3 * source.randrange(2)
            place = source.randrange(50, 200)
            changed = mutant(source, letters[25:275], (share - 0.05) / 0.95)
            same = sum(a == b for a, b in zip(letters[25:275], changed, strict=True))
            score = 6 * same - 250 + source.randrange(20)
            values = (query, len(found), score, f"{score * 0.39:.1f}", f"{10 ** (5 - score * 0.12):.2e}", 26)
            values += (275, 1, 250 + gap, same, same + source.randrange(30), gap, gap // 3)
            for name, value in zip(columns, values, strict=True):
                columns[name].append(value)
            cigars.append(f"{place}M{gap}D{250 - place}M" if gap else "250M")
            inserted = random_letters(source, gap)
            found.append(Record(f"mutant{query + 1}_{number + 1}", "", changed[:place] + inserted + changed[place:]))
    table = Table("hits", "Hits", columns, cigars, by_query=True)
    facts = [("Command", "alnus search made.fasta mutants.fasta"), ("Version", "alnus 0.1.0")]
    return Report("search", "Search: made.fasta in mutants.fasta", asked, found, [table], facts=facts)


def made_matrix(sequences: int, seed: int = 1) -> Report:
    """A heat map of identities: clusters of alike sequences, which stand together."""
    source = random.Random(seed)
    cells = bytearray()
    cluster = [k // 20 for k in range(sequences)]
    noise = source.randbytes(sequences)
    for i in range(sequences):
        row = bytearray(24 + (a + noise[(i * 7 + 3) % sequences]) % 28 for a in noise[i:])
        row[0] = 200
        for j in range(i + 1, min(i + 20, sequences)):
            if cluster[i] == cluster[j]:
                row[j - i] = source.randrange(80, 200)
        cells += row
    pairs = sequences * (sequences - 1) // 2
    counts = [[f"{5 * k} to {5 * k + 5}%", source.randrange(pairs // 10 + 1)] for k in range(20)]
    order = list(range(sequences))
    source.shuffle(order)
    matrix = {
        "title": f"Identities of {sequences:,} sequences", "unit": "% identity", "low": 0, "high": 100,
        "alike": "high", "sequences": sequences, "rows": sequences, "columns": sequences, "triangle": True,
        "group": 1, "column_group": 1, "order": order,
        "histogram": {"label": "identity", "unit": "pairs", "rows": counts},
    }  # fmt: skip
    records = [Record(f"sequence{k + 1}", "", "") for k in range(sequences)]
    facts = [("Command", "alnus allpairs made.fasta --identity"), ("Version", "alnus 0.1.0")]
    return Report("allpairs", matrix["title"], records, None, [], facts=facts, matrix=matrix,
                  cells={"cells": bytes(cells)})  # fmt: skip


def made_tiles(sequences: int, group: int, seed: int = 1) -> Report:
    """A heat map whose cells stand for groups of sequences."""
    report = made_matrix(-(-sequences // group), seed)
    report.matrix |= {
        "sequences": sequences, "group": group, "column_group": group,
        "title": f"Identities of {sequences:,} sequences",
    }  # fmt: skip
    del report.matrix["order"]
    report.cells["mean"] = bytes(value // 2 for value in report.cells["cells"])
    report.title = report.matrix["title"]
    report.queries = [Record(f"sequence{k + 1}", "", "") for k in range(sequences)]
    return report


def pair_rows(names: list[str], source: random.Random, rows: int, **texts: list[str]) -> tuple[list[Record], Table]:
    """Rows of pairs of one set, as allpairs and audit have them, with ungapped alignments of mutants."""
    letters = random_letters(source, 60)
    records = [Record(name, f"title of {name}", mutant(source, letters, 0.6)) for name in names]
    columns: dict[str, list] = {"query": [], "subject": []} | {name: [] for name in texts}
    columns |= {
        name: [] for name in ("score", "qstart", "qend", "sstart", "send", "nident", "positive", "gaps", "gapopen")
    }
    for k in range(rows):
        query, subject = k % len(names), (k // len(names) + 1 + k) % len(names)
        same = sum(a == b for a, b in zip(records[query].letters, records[subject].letters, strict=True))
        values = [query, subject, *(one[k % len(one)] for one in texts.values()), 5 * same - 60, 1, 60, 1, 60]
        for name, value in zip(columns, [*values, same, same, 0, 0], strict=True):
            columns[name].append(value)
    return records, Table("pairs", "Pairs", columns, ["60M"] * rows)


def made_pairs(rows: int = 300) -> Report:
    records, table = pair_rows([f"s{k + 1}" for k in range(40)], random.Random(5), rows)
    return Report(
        "allpairs", "All pairs of made.fasta", records, None, [table], facts=[("Command", "alnus allpairs made.fasta")]
    )


LEAKS = "LEAKS: 148 of 400 records of test.fasta (37.00%) are similar to a record of train.fasta."


def made_audit() -> Report:
    source = random.Random(3)
    names = [f"record{k + 1}" for k in range(30)]
    values = {"relation": ["whole:30", "part:30"], "value": ["67.218", "41.5", "100"]}
    records, leaks = pair_rows(names, source, 45, qset=["test.fasta"], sset=["train.fasta"], **values)
    _, nearest = pair_rows(names, source, 30, qset=["test.fasta"], sset=["train.fasta"],
                           evalue=["1.5e-20", "0.003", "3.1"], bitscore=["90.1", "40.2", "22.0"])  # fmt: skip
    leaks.name, leaks.title = "leaks", "Similar pairs"
    nearest.name, nearest.title = "nearest", "Nearest records"
    sections = [
        {"kind": "text", "title": "Result", "lines": [LEAKS]},
        {"kind": "table", "title": "Compared", "columns": ["set", "records", "residues", "pairs with earlier records"],
         "rows": [["train.fasta", "1,600", "691,153", "-"], ["test.fasta", "400", "172,309", "640,000"]]},
        {"kind": "bars", "title": "The nearest earlier record: E-value", "label": "E-value", "unit": "records",
         "rows": [["none significant", 187, "46.75%"], ["0.001 to 1e-10", 22, "5.50%"], ["less", 153, "38.25%"]]},
    ]  # fmt: skip
    facts = [("Command", "alnus audit train.fasta test.fasta"), ("Version", "alnus 0.1.0")]
    return Report("audit", "Audit of test.fasta", records, None, [leaks, nearest], facts=facts, sections=sections)


def made_split() -> Report:
    report = made_audit()
    certificate = json.dumps({"_type": "https://in-toto.io/Statement/v1", "predicate": {"alnus": "0.1.0"}}, indent=2)
    parts = {"kind": "bars", "title": "Records by subset", "label": "subset", "unit": "records",
             "rows": [["train", 1600, "80.0%"], ["test", 400, "20.0%"]]}  # fmt: skip
    document = {"kind": "document", "title": "Certificate", "name": "split.json", "text": certificate}
    report.kind, report.title = "split", "Split of proteins.fasta"
    report.tables = report.tables[1:]
    report.sections = [parts, *report.sections[2:], document]
    return report


def write_made(folder: Path, name: str, report: Report, **options: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return write_report(report, folder / f"{name}.html", **options)
