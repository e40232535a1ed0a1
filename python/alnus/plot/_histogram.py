"""Histograms of the scores of a search, beside the scores that chance gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from alnus._arguments import number
from alnus._errors import InputError
from alnus._rows import Rows
from alnus.plot._axes import BLUE, GREY, ORANGE, fit, new_axes, short, with_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BARS = 140
_LOWEST = 0.6  # number of pairs at the lower end of the logarithmic axis


def score_histogram(rows: Rows, *, scores: tuple[float, float] | None = None, ax: Axes | None = None) -> Axes:
    """Draw how many pairs of a search have each score, beside how many would have it by chance.

    Where the curve of chance meets the bars, the statistics fit the scores. Hits have higher scores, to the right of
    the curve. The grey bars count every pair. The orange bars count hits, of which a query has no more than
    ``max_target_seqs``; if a query has as many as that, the legend says so, because its further pairs are in the grey
    bars alone.

    Parameters
    ----------
    rows : Rows
        The rows of ``search(..., score_histogram=True)``, or some of these rows. They are shown as hits.
    scores : (lowest, highest), optional
        The range of scores that is shown, in the matrix' units. Default: all scores. A narrower range gives narrower
        bars.
    ax : Axes, optional
        The Axes to draw into. Default: those of a new figure.

    Returns
    -------
    Axes
        The Axes, with bars of all pairs in grey, bars of the hits in orange, and, if the statistics give one, the curve
        of chance in blue. At each score the curve is the number of pairs expected in a bar around this score.

    Raises
    ------
    InputError
        If the rows have no histogram, or ``scores`` is no range.
    """
    counted = rows.histogram
    if counted is None:
        raise InputError("These rows have no histogram; call search with score_histogram=True.")
    pairs = counted.pairs.astype(np.float64) * counted.stride
    expected = counted.expected * counted.stride
    units = counted.lowest * counted.scale + np.arange(len(pairs), dtype=np.float64)
    lowest, highest = _range(scores, units, counted.scale)
    bar = _bar((highest - lowest) / _MOST_BARS)
    first = np.floor(lowest / bar) * bar
    edges = np.arange(first, highest + bar, bar)
    shown = edges / counted.scale - 0.5 / counted.scale  # bars begin and end between scores
    heights = np.histogram(units, edges, weights=pairs)[0]
    of_hits = np.histogram(np.rint(np.asarray(rows.score, dtype=np.float64) * counted.scale), edges)[0]

    ax = new_axes(7.0, 4.0) if ax is None else with_layout(ax)
    most = max(5.0, float(heights.max(initial=0)))
    of_what = "pairs" if counted.stride == 1 else f"pairs, counted for one subject in {counted.stride:,}"
    words = _hits(rows, int(of_hits.sum()))
    for bars, color, label in ((heights, GREY, of_what), (of_hits, ORANGE, words)):
        ax.stairs(np.maximum(bars, _LOWEST), shown, baseline=_LOWEST, fill=True, color=color, label=label)
    if len(expected) > 0:
        middles, curve = _in_a_bar(units, expected, int(bar))
        seen = (curve >= _LOWEST / 10) & (middles >= edges[0] - 0.5) & (middles <= edges[-1] - 0.5)
        ax.plot(middles[seen] / counted.scale, curve[seen], color=BLUE, linewidth=1.6, label="expected by chance")
        most = max(most, float(curve[seen].max(initial=0)))
    ax.set_yscale("log")
    ax.set_ylim(_LOWEST, 2 * most)
    ax.set_xlim(shown[0], shown[-1])
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else "")
    width = bar / counted.scale
    ax.set_xlabel(f"score ({short(rows.scoring.matrix_name)}, bars of {width:g})", parse_math=False)
    ax.set_ylabel("pairs")
    queries = int(rows.summary.get("queries", len(rows.queries)))
    asked = f"{queries:,} {'query' if queries == 1 else 'queries'}"
    ax.set_title(f"{asked} and {len(rows.subjects):,} subjects", fontsize="medium")
    ax.legend(frameon=False, loc="upper right")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    fit([ax.title, ax.xaxis.label])
    return ax


def _in_a_bar(
    units: npt.NDArray[np.float64], expected: npt.NDArray[np.float64], bar: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the number of pairs expected in a bar of ``bar`` units around each score, and the middles of these bars.

    The bars begin at every score, and before the lowest one, so that they overlap: the result is a smooth curve even
    where all of the expected pairs are in two or three of the bars that are drawn.
    """
    sums = np.cumsum(np.concatenate((np.zeros(bar), expected, np.zeros(bar - 1))))
    begins = units[0] - (bar - 1) + np.arange(len(expected) + bar - 1)
    return begins + (bar - 1) / 2, sums[bar:] - sums[:-bar]


def _hits(rows: Rows, shown: int) -> str:
    count = len(rows)
    words = f"{count:,} hit{'' if count == 1 else 's'}"
    words = words if shown == count else f"{shown:,} of {words}"
    if rows.summary.get("full_queries", 0) == 0:
        return words
    return f"{words},\nat most {rows.summary['max_target_seqs']:,} of a query"


def _range(scores: tuple[float, float] | None, units: np.ndarray, scale: int) -> tuple[float, float]:
    """Return the lowest and the highest score that are shown, in units of 1 / ``scale``."""
    if scores is None:
        return (float(units[0]), float(units[-1])) if len(units) else (0.0, 1.0)
    try:
        low, high = scores
    except (TypeError, ValueError):
        raise InputError(f"scores is {scores!r}; it takes two numbers, (lowest, highest).") from None
    lowest, highest = number("scores[0]", low), number("scores[1]", high)
    if lowest is None or highest is None or lowest >= highest:
        raise InputError(f"scores is {scores!r}; the first must be lower than the second.")
    return lowest * scale, highest * scale


def _bar(least: float) -> float:
    """Return the width of a bar, at least ``least``: 1, 2 or 5, times a power of ten."""
    width = 1.0
    while width < least:
        for factor in (2, 5, 10):
            if width * factor >= least or factor == 10:
                width *= factor
                break
    return width
