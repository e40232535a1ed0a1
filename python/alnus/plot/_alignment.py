"""A picture of an alignment with coloured residues."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from alnus._arguments import whole, word
from alnus._errors import InputError
from alnus._pair import Pair
from alnus._views import _head, _middle
from alnus.plot._axes import new_axes, short, size_of, width_of, with_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_COLUMNS = 2000  # the most columns that are drawn, because each takes two or three texts of matplotlib
_ROWS = 4  # rows of a block: query, marks, subject, and an empty one
_LEAST_COLUMNS = 34  # least width of the picture in columns, with names and places, so that the title fits
_POINTS = 8.0  # largest size of letters in points
_INCH = 0.125  # width of a column in inches
_HEIGHT = 0.185  # height of a row in inches

# Paul Tol's light colours, which colour-blind people can tell apart and on which black letters are readable.
_PROTEIN = (
    ("hydrophobic", "AILMVC", "#77AADD"),
    ("aromatic", "FWY", "#99DDFF"),
    ("polar", "STNQ", "#BBCC33"),
    ("positive", "KRH", "#FFAABB"),
    ("negative", "DE", "#EE8866"),
    ("glycine, proline", "GP", "#EEDD88"),
)
_DNA = (("A", "A", "#BBCC33"), ("C", "C", "#77AADD"), ("G", "G", "#EEDD88"), ("T", "TU", "#EE8866"))
_ALIKE = (("equal", "", "#77AADD"), ("similar", "", "#CFE3F5"))


class _Block(NamedTuple):
    """One line of the alignment: three texts of equal length, and the places of its first and last residues, from 1."""

    query: str
    marks: str
    subject: str
    query_places: tuple[int, int]
    subject_places: tuple[int, int]


def alignment(
    pair: Pair,
    *,
    width: int = 60,
    colors: Literal["property", "similarity"] = "property",
    columns: tuple[int, int] | None = None,
    legend: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the alignment of a pair in lines, with coloured residues.

    Parameters
    ----------
    pair : Pair
        A row ``rows[k]`` with its alignment, or what ``align`` gave for two sequences.
    width : int, default 60
        The number of columns of the alignment in a line.
    colors : {"property", "similarity"}, default "property"
        ``"property"``: the colour of a residue is that of its chemical properties, the colour of a nucleotide that of
        its letter. ``"similarity"``: the colour of a column says whether its residues are equal or similar.
    columns : (begin, end), optional
        The columns of the alignment that are shown, [begin, end), counted from 0. Default: all. At most 2,000 columns
        can be shown.
    legend : bool, default True
        True: a legend below the alignment explains the colours.
    ax : Axes, optional
        The Axes to draw into. Default: those of a new figure.

    Returns
    -------
    Axes
        The Axes, with its axis lines and ticks switched off. The numbers at both ends of a line are the places of its
        residues in the sequence, counted from 1.

    Raises
    ------
    InputError
        If the pair has no alignment, there are too many columns, or an argument is wrong.
    """
    if not isinstance(pair, Pair):
        raise InputError(f"An alignment is drawn of a Pair, not of {type(pair).__name__}; rows[0] is one.")
    if not pair._rows._core.has_cigars:
        raise InputError("This pair has no alignment; choose detail='alignment'.")
    if word("colors", colors) not in ("property", "similarity"):
        raise InputError(f"There are no colors {colors!r}; choose property or similarity.")
    in_line = whole("width", width, 1, 1000)
    blocks = _blocks(pair, in_line, columns)
    kind = pair._rows.scoring.alphabet
    groups = _ALIKE if colors == "similarity" else _DNA if kind == "dna" else _PROTEIN
    query_name, subject_name = short(pair.query_id, 24), short(pair.subject_id, 24)
    # Columns that names and places take at the left.
    margin = max(width_of(name, _POINTS) for name in (query_name, subject_name, "subject")) / _INCH + 7
    shown = min(in_line, max((len(block.query) for block in blocks), default=1))
    rows = _ROWS * max(len(blocks), 1) - 1
    left, right = -margin, max(shown + 5, _LEAST_COLUMNS - margin)
    wide, points = (right - left) * _INCH, _POINTS
    if ax is not None:
        wide, high = size_of(with_layout(ax))
        # Letters that fill the cells.
        points = float(np.clip(min(64 * wide / (right - left), 43 * high / rows), 1, _POINTS))
    entries = max(1, int(wide / 1.1))  # how many entries of the legend fit in a line
    heads = textwrap.wrap(_title(pair), max(20, int(wide * 13.6)))
    if ax is None:
        below = 0.2 * -(-len(groups) // entries) if legend else 0.0
        ax = new_axes(wide, rows * _HEIGHT + 0.25 * len(heads) + below + 0.3)

    image = np.ones((rows, shown, 4))
    image[..., 3] = 0
    for number, block in enumerate(blocks):
        _draw_block(ax, image, block, _ROWS * number, colors, groups, points)
        for name, row, places in (
            (query_name, 0, block.query_places),
            (subject_name, 2, block.subject_places),
        ):
            y = _ROWS * number + row
            style: dict[str, Any] = {"va": "center", "fontsize": points}
            ax.text(-6, y, name, ha="right", parse_math=False, **style)
            ax.text(-1, y, str(places[0]), ha="right", color="#666666", **style)
            ax.text(len(block.query), y, str(places[1]), ha="left", color="#666666", **style)
    ax.imshow(image, aspect="auto", interpolation="nearest", zorder=0)
    ax.set_xlim(left, right)
    ax.set_ylim(rows - 0.4, -0.6)
    ax.set_axis_off()
    ax.set_title("\n".join(heads), fontsize=9, loc="left")
    if legend:
        _explain(ax, groups, min(entries, len(groups)))
    return ax


def _title(pair: Pair) -> str:
    names, _, numbers = _head(pair).rpartition(": ")
    return numbers if names else ""


def _blocks(pair: Pair, width: int, columns: tuple[int, int] | None) -> list[_Block]:
    query, subject = pair.aligned
    begin, end = _columns(columns, len(query))
    marks = _middle(pair, query, subject)
    along = -1 if pair.strand == -1 else 1
    blocks = []
    for first in range(begin, end, width):
        part = slice(first, min(first + width, end))
        before, inside = _residues(query[: part.start]), _residues(query[part])
        start = pair.query_end - before if along < 0 else pair.query_begin + 1 + before
        of_subject = pair.subject_begin + 1 + _residues(subject[: part.start])
        blocks.append(
            _Block(
                query[part],
                marks[part],
                subject[part],
                (start, start + along * max(inside - 1, 0)),
                (of_subject, of_subject + max(_residues(subject[part]) - 1, 0)),
            )
        )
    return blocks


def _columns(columns: tuple[int, int] | None, length: int) -> tuple[int, int]:
    begin, end = 0, length
    if columns is not None:
        try:
            first, last = columns
        except (TypeError, ValueError):
            raise InputError(f"columns is {columns!r}; it takes two whole numbers, (begin, end).") from None
        begin = whole("columns[0]", first, 0, length)
        end = whole("columns[1]", last, begin, 2**63 - 1)
    end = min(end, length)
    if end - begin > _MOST_COLUMNS:
        raise InputError(
            f"The alignment has {length:,} columns; choose {_MOST_COLUMNS:,} of them or fewer by columns=(begin, end)."
        )
    return begin, end


def _residues(aligned: str) -> int:
    return len(aligned) - aligned.count("-")


def _draw_block(
    ax: Axes,
    image: np.ndarray,
    block: _Block,
    top: int,
    colors: str,
    groups: tuple[tuple[str, str, str], ...],
    points: float,
) -> None:
    from matplotlib.colors import to_rgba

    of_letter = {letter: color for _, letters, color in groups for letter in letters}
    of_mark = {"|": _ALIKE[0][2], "+": _ALIKE[1][2]}
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": points, "family": "monospace"}
    for column, (q, mark, s) in enumerate(zip(block.query, block.marks, block.subject, strict=True)):
        for row, letter in ((0, q), (2, s)):
            color = of_mark.get(mark) if colors == "similarity" else of_letter.get(letter.upper())
            if color is not None and letter != "-":
                image[top + row, column] = to_rgba(color)
            ax.text(column, top + row, letter, **style)
        if mark != " ":
            ax.text(column, top + 1, mark, color="#666666", **style)


def _explain(ax: Axes, groups: tuple[tuple[str, str, str], ...], entries: int) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(facecolor=color, label=name) for name, _, color in groups]
    ax.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        ncols=entries,
        frameon=False,
        fontsize=7,
        handlelength=1,
        handleheight=1,
        columnspacing=1.2,
        handletextpad=0.4,
    )
