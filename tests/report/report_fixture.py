"""Reference writer of alnus' HTML report, as docs/report-format.md describes the file.

The tests of the page make their reports by it: from tables that alnus wrote, or from values that are made up.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "src" / "io" / "report_page"
# The order in which the scripts are joined.
SCRIPT_NAMES = "dom data values table graphic alignment downloads heatmap tableview panel queries summary page"
SCRIPTS = tuple(f"{name}.js" for name in SCRIPT_NAMES.split())
BLOCK_TYPE = "application/vnd.alnus.report"
ROWS_PER_BLOCK = 2000
SUBJECTS_PER_BLOCK = 2000
LETTERS_PER_BLOCK = 1 << 18
PLAIN_LINES = 1000
PLAIN_COLUMNS = ("relation", "value", "score", "bitscore", "evalue", "qstart", "qend", "sstart", "send")
# Columns of tables that the program prints with decimals: they are stored as the printed text.
TEXT_COLUMNS = ("bitscore", "evalue", "adjscore", "zscore", "zscore_se", "zfit", "relation", "value", "qset", "sset")


@dataclass
class Record:
    """A sequence: its id and title are texts in which U+FFFD stands for bytes that are no UTF-8."""

    id: str
    title: str
    letters: str


@dataclass
class Table:
    """Rows in columns. `cigars` has M, I and D, and is None if rows have no alignments."""

    name: str
    title: str
    columns: dict[str, list[Any]]
    cigars: list[str] | None = None
    by_query: bool = False

    def __len__(self) -> int:
        return len(self.columns["subject"])


@dataclass
class Report:
    """All that a report shows. `subjects` is None if the subjects of rows are numbers of queries."""

    kind: str
    title: str
    queries: list[Record]
    subjects: list[Record] | None
    tables: list[Table]
    alphabet: str = "protein"
    facts: list[tuple[str, str]] = field(default_factory=list)
    inputs: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    output: dict[str, Any] = field(
        default_factory=lambda: {"columns": STANDARD.split(), "header": False, "left_out": []}
    )
    shown: dict[str, Any] | None = None
    sections: list[dict[str, Any]] = field(default_factory=list)
    score_plot: dict[str, Any] | None = None
    matrix: dict[str, Any] | None = None
    cells: dict[str, bytes] = field(default_factory=dict)


STANDARD = "qaccver saccver pident length mismatch gapopen qstart qend sstart send evalue bitscore"


def standard_output() -> dict[str, Any]:
    return {"columns": STANDARD.split(), "header": False, "left_out": []}


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def block(name: str, data: bytes) -> str:
    text = base64.b64encode(zlib.compress(data, 6)).decode()
    return f'<script type="{BLOCK_TYPE}" id="{name}">{text}</script>\n'


# Sequences


def read_fasta(path: Path | str) -> list[Record]:
    records = []
    for entry in Path(path).read_bytes().decode("utf-8", "replace").split("\n>"):
        head, _, letters = entry.removeprefix(">").partition("\n")
        name, _, title = head.partition(" ")
        records.append(Record(name, title, "".join(letters.split())))
    return records


def aligned_segments(report: Report) -> list[tuple[int, int, str]]:
    """The subjects' letters that rows align, as (subject, start, letters): sorted, disjoint, not touching."""
    ranges: dict[int, list[tuple[int, int]]] = {}
    for table in report.tables:
        if table.cigars is None:
            continue
        places = (table.columns[name] for name in ("subject", "sstart", "send"))
        for subject, start, end, cigar in zip(*places, table.cigars, strict=True):
            if cigar != "*":
                ranges.setdefault(subject, []).append((min(start, end) - 1, max(start, end)))
    found = []
    for subject in sorted(ranges):
        merged: list[list[int]] = []
        for begin, end in sorted(ranges[subject]):
            if merged and begin <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            elif begin < end:
                merged.append([begin, end])
        found += [(subject, begin, report.subjects[subject].letters[begin:end]) for begin, end in merged]
    return found


def letter_blocks(name: str, segments: list[tuple[int, int, str]]) -> tuple[list[str], dict[str, list[int]]]:
    """Blocks of segments, and where each block begins. A block has LETTERS_PER_BLOCK letters or the rest: a segment
    that does not fit goes on in the next block."""
    texts, where = [], {"sequence": [], "start": []}
    columns: dict[str, list[Any]] = {"sequence": [], "start": [], "letters": []}
    room = LETTERS_PER_BLOCK

    def end_block() -> None:
        nonlocal room
        where["sequence"].append(columns["sequence"][0])
        where["start"].append(columns["start"][0])
        texts.append(block(f"{name}-letters-{len(texts)}", as_json(columns)))
        for values in columns.values():
            values.clear()
        room = LETTERS_PER_BLOCK

    for sequence, start, letters in segments:
        done = 0
        while done < len(letters):
            piece = letters[done : done + room]
            for column, value in zip(columns.values(), (sequence, start + done, piece), strict=True):
                column.append(value)
            done += len(piece)
            room -= len(piece)
            if room == 0:
                end_block()
    if columns["sequence"]:
        end_block()
    return texts, where


# Rows


def gaps_only(cigar: str) -> str:
    """The CIGAR with M in place of `=` and `X`."""
    runs: list[list[Any]] = []
    for length, letter in re.findall(r"(\d+)(.)", cigar):
        letter = "M" if letter in "=X" else letter
        if runs and runs[-1][1] == letter:
            runs[-1][0] += int(length)
        else:
            runs.append([int(length), letter])
    return "".join(f"{length}{letter}" for length, letter in runs) or "*"


def cell(column: str, text: str) -> Any:
    if text == "NA":
        return None
    if column in TEXT_COLUMNS or not re.fullmatch(r"-?\d+", text):
        return text
    return int(text)


# Columns of tables that follow from others.
SKIPPED = """qaccver saccver qseqid sseqid qtitle stitle qseq sseq cigar btop sstrand pident length mismatch qlen slen
qcovhsp scovhsp qcovs qcov tcov fident ppos"""


def table_from_tsv(
    path: Path,
    queries: list[Record],
    subjects: list[Record],
    *,
    by_query: bool,
    name: str = "hits",
    title: str = "Hits",
) -> tuple[Table, list[Record]]:
    """The rows of a table that alnus wrote with --header, and its subjects in the order in which rows name them. The
    table needs the columns qaccver, saccver and cigar, and those that docs/report-format.md names."""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    names = lines[0].split("\t")
    at = {column: k for k, column in enumerate(names)}
    query_number = {record.id: k for k, record in enumerate(queries)}
    subject_number = {record.id: k for k, record in enumerate(subjects)}
    order: dict[int, int] = {}
    columns: dict[str, list[Any]] = {"query": [], "subject": []}
    kept = [column for column in names if column not in SKIPPED.split()]
    columns |= {column: [] for column in kept}
    if "sstrand" in at:
        columns["strand"] = []
    cigars = []
    for line in lines[1:-1]:
        values = line.split("\t")
        columns["query"].append(query_number[values[at["qaccver"]]])
        columns["subject"].append(order.setdefault(subject_number[values[at["saccver"]]], len(order)))
        for column in kept:
            columns[column].append(cell(column, values[at[column]]))
        if "sstrand" in at:
            columns["strand"].append({"plus": 0, "minus": 1}.get(values[at["sstrand"]]))
        cigars.append(gaps_only(values[at["cigar"]]))
    if any(isinstance(score, str) for score in columns.get("score", [])):  # a scoring with decimals
        columns["score"] = [str(score) for score in columns["score"]]
    columns = {column: values for column, values in columns.items() if any(value is not None for value in values)}
    columns = {"query": [], "subject": []} | columns
    return Table(name, title, columns, cigars or None, by_query), [subjects[k] for k in order]


def query_columns(report: Report) -> dict[str, list[Any]]:
    """The index of queries. Hits are counted in the first table, whose best row of a query comes first."""
    columns: dict[str, list[Any]] = {
        "id": [record.id for record in report.queries],
        "title": [record.title for record in report.queries],
        "length": [len(record.letters) for record in report.queries],
    }
    if not (report.tables and report.tables[0].by_query):
        return columns
    table = report.tables[0]
    hits: list[set[int]] = [set() for _ in report.queries]
    rows = [0] * len(report.queries)
    best: dict[str, list[Any]] = {name: [None] * len(rows) for name in ("evalue", "bitscore") if name in table.columns}
    for k, query in enumerate(table.columns["query"]):
        if rows[query] == 0:
            for name, values in best.items():
                values[query] = table.columns[name][k]
        hits[query].add(table.columns["subject"][k])
        rows[query] += 1
    return columns | {"hits": [len(found) for found in hits], "rows": rows} | best


def table_blocks(table: Table) -> list[str]:
    texts = []
    stored = {name: values for name, values in table.columns.items() if name != "query" or not table.by_query}
    for number, begin in enumerate(range(0, len(table), ROWS_PER_BLOCK)):
        rows = slice(begin, begin + ROWS_PER_BLOCK)
        columns = {name: values[rows] for name, values in stored.items()}
        texts.append(block(f"{table.name}-rows-{number}", as_json(columns)))
        if table.cigars is not None:
            texts.append(block(f"{table.name}-gaps-{number}", as_json({"cigar": table.cigars[rows]})))
    return texts


def subject_blocks(subjects: list[Record]) -> list[str]:
    texts = []
    for number, begin in enumerate(range(0, len(subjects), SUBJECTS_PER_BLOCK)):
        some = subjects[begin : begin + SUBJECTS_PER_BLOCK]
        columns = {
            "id": [record.id for record in some],
            "title": [record.title for record in some],
            "length": [len(record.letters) for record in some],
        }
        texts.append(block(f"subjects-{number}", as_json(columns)))
    return texts


def positive_letters(alphabet: str) -> dict[str, str]:
    """For each letter the other letters with which it scores above 0 (BLOSUM62; none for DNA). U scores as C, O as K,
    and J as L."""
    if alphabet == "dna":
        return {}
    text = (ROOT / "data" / "matrices" / "BLOSUM62.txt").read_text()
    rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    scores = {row[0]: dict(zip(rows[0], map(int, row[1:]), strict=True)) for row in rows[1:]}
    like = {letter: letter for letter in scores if letter.isalpha()} | {"U": "C", "O": "K", "J": "L"}
    found = {a: "".join(b for b in like if b != a and scores[like[a]][like[b]] > 0) for a in like}
    return {letter: others for letter, others in found.items() if others}


# The file


def policy_hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def plain_text(text: Any) -> str:
    """Text for markup: control characters but tab and line feed, which HTML does not allow, become U+FFFD."""
    shown = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f]", "�", "NA" if text in (None, "") else str(text))
    return html.escape(shown, quote=True).replace("'", "&#39;").replace("&#x27;", "&#39;")


def plain_row(tag: str, values: list[Any]) -> str:
    return "<tr>" + "".join(f"<{tag}>{plain_text(value)}</{tag}>" for value in values) + "</tr>\n"


def plain_lines(report: Report) -> tuple[list[int], int]:
    """Which rows of the first table the plain table has, and how many each query has at most."""
    table = report.tables[0]
    if not table.by_query:
        return list(range(min(len(table), PLAIN_LINES))), 0
    starts: dict[int, int] = {}
    for k, query in enumerate(table.columns["query"]):
        starts.setdefault(query, k)
    each = max(1, PLAIN_LINES // max(1, len(starts)))
    rows = [k for k, query in enumerate(table.columns["query"]) if k < starts[query] + each]
    return rows[:PLAIN_LINES], each


def plain_part(report: Report) -> str:
    """What is shown where scripts do not run: the run, and the best rows of each query."""
    parts = ["<p>Scripts are off here, so this is only a summary. Save this file and open it in a browser to see ",
             "all of it.</p>\n<h2>The run</h2>\n<table>\n"]  # fmt: skip
    parts += [plain_row("td", [name, text]) for name, text in run_facts(report)]
    parts.append("</table>\n")
    sentence = [report.shown["sentence"]] if report.shown and report.shown["sentence"] else []
    parts += [f"<p>{plain_text(note)}</p>\n" for note in report.notes + sentence]
    for section in report.sections:
        parts += plain_section(section)
    if report.tables:
        table = report.tables[0]
        rows, each = plain_lines(report)
        what = f"the best {each:,} of each query, " if table.by_query else ""
        parts.append(
            f"<h2>{plain_text(table.title)}</h2>\n<p>{what}{len(rows):,} of {len(table):,} rows</p>\n<table>\n"
        )
        names = [name for name in PLAIN_COLUMNS if name in table.columns]
        parts.append(plain_row("th", ["query", "subject", *names]))
        subjects = report.queries if report.subjects is None else report.subjects
        for k in rows:
            pair = [report.queries[table.columns["query"][k]].id, subjects[table.columns["subject"][k]].id]
            parts.append(plain_row("td", pair + [table.columns[name][k] for name in names]))
        parts.append("</table>\n")
    return "".join(parts)


def plain_section(section: dict[str, Any]) -> list[str]:
    parts = [f"<h2>{plain_text(section['title'])}</h2>\n"]
    if section["kind"] == "text":
        return parts + [f"<p>{plain_text(line)}</p>\n" for line in section["lines"]]
    if section["kind"] == "document":
        return []
    names = section["columns"] if section["kind"] == "table" else [section["label"], section["unit"]]
    parts += ["<table>\n", plain_row("th", names)]
    parts += [plain_row("td", row[: len(names)]) for row in section["rows"]]
    return [*parts, "</table>\n"]


def run_facts(report: Report) -> list[tuple[str, str]]:
    facts = list(report.facts)
    for one in report.inputs:
        counts = f"{one['records']:,} records, {one['residues']:,} residues"
        facts.append((one["role"], f"{one['name']}: {counts}, digest {one['digest']}"))
    return facts


def index_of(report: Report, letters: dict[str, dict[str, list[int]]]) -> dict[str, Any]:
    rows = sum(len(table) for table in report.tables[:1])
    index: dict[str, Any] = {
        "format": "alnus-report",
        "version": 1,
        "kind": report.kind,
        "title": report.title,
        "alphabet": report.alphabet,
        "run": {"facts": report.facts, "inputs": report.inputs, "notes": report.notes},
        "shown": report.shown or {"rows": rows, "of": rows, "sentence": ""},
        "output": report.output,
        "positive": positive_letters(report.alphabet),
        "queries": query_columns(report),
        "subjects": None
        if report.subjects is None
        else {"count": len(report.subjects), "per_block": SUBJECTS_PER_BLOCK},
        "letters": letters,
        "tables": [table_entry(table) for table in report.tables],
        "sections": report.sections,
    }
    if report.score_plot:
        index["score_plot"] = report.score_plot
    if report.matrix:
        index["matrix"] = report.matrix
    return index


def table_entry(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.title,
        "by_query": table.by_query,
        "rows": len(table),
        "rows_per_block": ROWS_PER_BLOCK,
        "columns": [name for name in table.columns if name != "query" or not table.by_query],
        "gaps": table.cigars is not None,
    }


def all_blocks(report: Report) -> tuple[list[str], list[str]]:
    """The blocks before the page's script, and those after it."""
    with_letters = any(table.cigars is not None for table in report.tables)
    used = set() if not with_letters else {k for table in report.tables for k in table.columns["query"]}
    if with_letters and report.subjects is None:
        used |= {k for table in report.tables for k in table.columns["subject"]}
    of_queries = [(k, 0, report.queries[k].letters) for k in sorted(used)]
    query_letters, where_queries = letter_blocks("queries", of_queries)
    letters = {"queries": where_queries}
    subject_letters: list[str] = []
    subjects: list[str] = []
    if report.subjects is not None:
        subject_letters, letters["subjects"] = letter_blocks("subjects", aligned_segments(report))
        subjects = subject_blocks(report.subjects)
    rows = [text for table in report.tables for text in table_blocks(table)]
    cells = [block(f"matrix-{name}", data) for name, data in report.cells.items()]
    index = block("index", as_json(index_of(report, letters)))
    return [index, *subjects[:1], *rows[:1]], [*query_letters, *subjects[1:], *rows[1:], *subject_letters, *cells]


def page_script() -> str:
    return "".join((PAGE / name).read_text() for name in SCRIPTS)


def write_report(report: Report, path: Path | str, *, policy: bool = True, inject: str = "") -> Path:
    """Writes the file. Tests leave the policy out, or put markup of their own (`inject`) into it."""
    style, script = (PAGE / "page.css").read_text(), page_script()
    first, others = all_blocks(report)
    allowed = f"default-src 'none'; script-src {policy_hash(script)}; style-src {policy_hash(style)}"
    values = {
        "policy": allowed if policy else "img-src *",
        "title": plain_text(report.title),
        "style": style,
        "first_blocks": "".join(first),
        "script": script,
        "plain": plain_part(report) + inject,
        "blocks": "".join(others),
    }
    template = (PAGE / "page.html").read_text()
    pieces = re.split(r"\{\{(\w+)\}\}", template)
    text = "".join(values[piece] if k % 2 else piece for k, piece in enumerate(pieces))
    Path(path).write_bytes(text.encode())
    return Path(path)
