"""Rows and alignments as text, as HTML and as FASTA."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from alnus._errors import InputError
from alnus._making import check_ids_of_fasta

if TYPE_CHECKING:
    from alnus._pair import Pair
    from alnus._rows import Rows

_WIDTH = 60  # columns of an alignment, or letters of FASTA, in a line
_SHOWN = 10  # the most rows that a table shows
_COLORS = {"|": "#d7f0d0", "+": "#eef7c8"}  # background colours of equal and of similar residues


class _Line(NamedTuple):
    query: str
    middle: str
    subject: str
    query_ends: tuple[int, int]  # the places of the line's first and last residue in the sequence, from 1
    subject_ends: tuple[int, int]


def _escape(text: str) -> str:
    from html import escape

    return escape(text)


def _number(value: float) -> str:
    return f"{value:.3g}" if value != int(value) or abs(value) >= 1e6 else f"{value:.0f}"


def _head(pair: Pair) -> str:
    words = [f"score {_number(pair.score)}"]
    if pair.bits is not None and np.isfinite(pair.bits):
        words.append(f"{pair.bits:.1f} bits")
    if pair.evalue is not None and np.isfinite(pair.evalue):
        words.append(f"E-value {pair.evalue:.3g}")
    if pair.zscore is not None and np.isfinite(pair.zscore):
        words.append(f"Z-value {pair.zscore:.3g}")
    if pair.length is not None and pair.length > 0:
        words.append(f"identity {pair.identical}/{pair.length} ({100 * pair.identical / pair.length:.1f}%)")
    if pair.strand == -1:
        words.append("minus strand")
    if pair.hsp is not None:
        words.append(f"alignment {pair.hsp}")
    return f"{pair.query_id} x {pair.subject_id}: {', '.join(words)}"


def _middle(pair: Pair, query: str, subject: str) -> str:
    scoring = pair._rows.scoring
    place = {letter: k for k, letter in enumerate(scoring.letters)}
    values = scoring.values
    marks = []
    for q, s in zip(query.upper(), subject.upper(), strict=True):
        if q == s:
            marks.append("|")
        elif q in place and s in place and values[place[q], place[s]] > 0:
            marks.append("+")
        else:
            marks.append(" ")
    return "".join(marks)


def _lines(pair: Pair) -> list[_Line]:
    query, subject = pair.aligned
    middle = _middle(pair, query, subject)
    step = -1 if pair.strand == -1 else 1
    at_query = pair.query_end if step < 0 else pair.query_begin + 1
    at_subject = pair.subject_begin + 1
    lines = []
    for begin in range(0, len(query), _WIDTH):
        part = slice(begin, begin + _WIDTH)
        residues = len(query[part]) - query[part].count("-")
        columns = len(subject[part]) - subject[part].count("-")
        lines.append(
            _Line(
                query[part],
                middle[part],
                subject[part],
                (at_query, at_query + step * max(residues - 1, 0)),
                (at_subject, at_subject + max(columns - 1, 0)),
            )
        )
        at_query += step * residues
        at_subject += columns
    return lines


def alignment(pair: Pair) -> str:
    """Return a pair as text: a head, and the alignment if there is one. Places count from 1."""
    if not pair._rows._core.has_cigars:
        return _head(pair)
    lines = [_head(pair)]
    for line in _lines(pair):
        lines += [
            "",
            f"query   {line.query_ends[0]:>6} {line.query} {line.query_ends[1]}",
            f"               {line.middle}".rstrip(),
            f"subject {line.subject_ends[0]:>6} {line.subject} {line.subject_ends[1]}",
        ]
    return "\n".join(lines)


def alignment_html(pair: Pair) -> str:
    """Return the text of :func:`alignment` as HTML, with equal and similar residues coloured."""
    head = f"<b>{_escape(_head(pair))}</b>"
    if not pair._rows._core.has_cigars:
        return head
    blocks = []
    for line in _lines(pair):
        rows = []
        for name, letters, (first, last) in (
            ("query", line.query, line.query_ends),
            ("subject", line.subject, line.subject_ends),
        ):
            marked = "".join(
                f'<span style="background:{_COLORS[mark]}">{_escape(letter)}</span>'
                if mark in _COLORS
                else _escape(letter)
                for letter, mark in zip(letters, line.middle, strict=True)
            )
            rows.append(f"{name:<7} {first:>6} {marked} {last}")
        blocks.append("\n".join(rows))
    return f'{head}<pre style="line-height:1.3">' + "\n\n".join(blocks) + "</pre>"


def _shown_columns(rows: Rows) -> list[str]:
    wanted = [
        "score",
        "bits",
        "evalue",
        "zscore",
        "strand",
        "hsp",
        "query_begin",
        "query_end",
        "subject_begin",
        "subject_end",
    ]
    columns = {name: rows._core.column(name) for name in wanted}
    return [name for name, column in columns.items() if column is not None and not np.isnan(column).all()]


def _cells(rows: Rows) -> tuple[list[str], list[list[str]]]:
    names = _shown_columns(rows)
    has_identity = rows.identical is not None
    heads = ["query", "subject", *names, *(["identity"] if has_identity else [])]
    shown = rows[: min(_SHOWN, len(rows))]
    identities = shown.identity() if has_identity else None
    body = []
    for k in range(len(shown)):
        pair = shown[k]
        cells = [pair.query_id, pair.subject_id]
        for name in names:
            value = getattr(pair, name)
            cells.append("" if isinstance(value, float) and np.isnan(value) else _number(value))
        if identities is not None:
            cells.append(f"{100 * identities[k]:.1f}%")
        body.append(cells)
    return heads, body


def _title(rows: Rows) -> str:
    count = len(rows)
    return f"{count} row{'' if count == 1 else 's'}: {rows.scoring!r}"


def table(rows: Rows) -> str:
    """Return the first rows as a table in plain text."""
    if len(rows) == 0:
        return f"<{_title(rows)}>"
    heads, body = _cells(rows)
    widths = [max(len(row[k]) for row in [heads, *body]) for k in range(len(heads))]
    lines = [f"<{_title(rows)}>"]
    for row in [heads, *body]:
        cells = [
            cell.ljust(width) if k < 2 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    if len(rows) > _SHOWN:
        lines.append("...")
    return "\n".join(lines)


def table_html(rows: Rows) -> str:
    """Return the first rows as a table in HTML."""
    heads, body = _cells(rows)
    head = "".join(f"<th>{_escape(name)}</th>" for name in heads)
    lines = "".join("<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in row) + "</tr>" for row in body)
    more = f"<p>and {len(rows) - _SHOWN} more</p>" if len(rows) > _SHOWN else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    return f"<p>{_escape(_title(rows))}</p>{table}{more}"


def fasta(rows: Rows, part: str) -> str:
    """Return FASTA of what ``part`` says; :meth:`Rows.to_fasta` explains the parts."""
    queries, subjects = rows._core.queries, rows._core.subjects
    if part in ("subjects", "regions", "alignments"):
        for database in (subjects, queries) if part == "alignments" else (subjects,):
            check_ids_of_fasta(database, "the text")
    if part == "subjects":
        listed = dict.fromkeys(rows.subject.tolist())
        records = [(subjects.header(index), subjects.letters(index)) for index in listed]
    elif part == "regions":
        if rows.subject_begin is None:
            raise InputError("There are no regions without alignments; choose detail='alignment'.")
        records = [
            (
                f"{pair.subject_id}/{pair.subject_begin + 1}-{pair.subject_end}",
                subjects.letters(pair.subject)[pair.subject_begin : pair.subject_end],
            )
            for pair in rows
        ]
    elif part == "alignments":
        records = []
        for pair in rows:
            query, subject = pair.aligned
            records += [(queries.header(pair.query), query), (subjects.header(pair.subject), subject)]
    else:
        raise InputError(f"There is no part {part!r}; choose subjects, regions or alignments.")
    return "".join(f">{header}\n{_wrapped(letters)}" for header, letters in records)


def _wrapped(letters: str) -> str:
    return "".join(letters[begin : begin + _WIDTH] + "\n" for begin in range(0, len(letters), _WIDTH))
