"""Histograms of the scores of a search, beside the scores that chance gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from alnus._arguments import number
from alnus._errors import InputError
from alnus._rows import Rows
from alnus.plot._axes import BLACK, BLUE, GREY, ORANGE, fit, new_axes, short, size_of, width_of, with_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The bars and the axis are those of the program's --score-plot (src/io/score_plot.cpp).
_MOST_BARS = 364  # side by side, in the whole width
_FEWEST = 20  # scores in a picture: fewer do not fill it
_MAIN_PART = 0.7  # the part of the width before the break, if the axis is broken
_BREAK = 26 / 820  # the part of the width that the break takes
_SEEN = 0.5  # from this number of expected pairs on, chance gives a score
_LOWEST = 0.6  # number of pairs at the lower end of the logarithmic axis


class _Panel(NamedTuple):
    """A stretch of the axis with one scale: scores [first, end), in units of 1 / scale, and its part of the width."""

    first: int
    end: int
    left: float
    right: float
    bar: int  # scores in a bar


def score_histogram(rows: Rows, *, scores: tuple[float, float] | None = None, ax: Axes | None = None) -> Axes:
    """Draw how many pairs of a search have each score, beside how many would have it by chance.

    Where the curve of chance meets the bars, the statistics fit the scores. Hits have higher scores, to the right of
    the curve. The grey bars count every pair. The orange bars count hits, of which a query has no more than
    ``max_target_seqs``; if a query has as many as that, the legend says so, because its further pairs are in the grey
    bars alone. Scores are those before adjustment, so that a pair with a higher score than some hits may be no hit.

    If hits lie so far from the other scores that these would be squeezed into less than a third of the width, the axis
    is broken, and the bars behind the break are wider.

    Parameters
    ----------
    rows : Rows
        The rows of ``search(..., score_histogram=True)``, or some of these rows. They are shown as hits, except those
        with ``hsp`` above 1, since the histogram counts each pair by its best score.
    scores : (lowest, highest), optional
        The range of scores that is shown, both included, in the matrix' units, on an axis without a break. Default: all
        scores. A narrower range gives narrower bars.
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
    if rows.hsp is not None:
        rows = rows[rows.hsp == 1]
    lowest = round(counted.lowest * counted.scale)
    hits = np.rint(np.asarray(rows.score, dtype=np.float64) * counted.scale).astype(np.int64) - lowest
    # If only every stride-th subject was counted, hits may be missing: each score has at least its hits.
    of_hits = np.bincount(hits[hits >= 0], minlength=len(counted.pairs)).astype(np.float64)
    pairs = np.pad(counted.pairs.astype(np.float64), (0, len(of_hits) - len(counted.pairs)))
    if scores is None:
        panels = _panels(lowest, np.maximum(pairs, of_hits), of_hits, counted.expected)
    else:
        panels = [_whole(*_range(scores, counted.scale))]
    pairs = np.maximum(pairs * counted.stride, of_hits)
    heights, hit_heights = _in_bars(panels, lowest, pairs), _in_bars(panels, lowest, of_hits)
    shown = _edges(panels, counted.scale)

    ax = new_axes(7.0, 4.0) if ax is None else with_layout(ax)
    most = max(5.0, float(np.nanmax(heights)))
    of_what = "pairs" if counted.stride == 1 else f"pairs, counted for one subject in {counted.stride:,}"
    words = _hits(rows, int(np.nansum(hit_heights)))
    for bars, color, label in ((heights, GREY, of_what), (hit_heights, ORANGE, words)):
        ax.stairs(np.maximum(bars, _LOWEST), shown, baseline=_LOWEST, fill=True, color=color, label=label)
    if len(counted.expected) > 0:
        middles, curve = _chance(panels, lowest, counted.expected * counted.stride)
        ax.plot(middles / counted.scale, curve, color=BLUE, linewidth=1.6, label="expected by chance")
        most = max(most, float(np.nanmax(curve, initial=0)))
    ax.set_yscale("log")
    ax.set_ylim(_LOWEST, 2 * most)
    ax.set_xlim(shown[0], shown[-1])
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else "")
    widths = ", then of ".join(f"{one.bar / counted.scale:g}" for one in panels)
    ax.set_xlabel(f"score ({short(rows.scoring.matrix_name)}, bars of {widths})", parse_math=False)
    ax.set_ylabel("pairs")
    queries = int(rows.summary.get("queries", len(rows.queries)))
    asked = f"{queries:,} {'query' if queries == 1 else 'queries'}"
    ax.set_title(f"{asked} and {len(rows.subjects):,} subjects", fontsize="medium")
    ax.legend(frameon=False, loc="upper right")
    if len(panels) > 1:
        _break_axis(ax, panels, counted.scale)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    fit([ax.title, ax.xaxis.label])
    return ax


def _panels(
    lowest: int,
    pairs: npt.NDArray[np.float64],
    hits: npt.NDArray[np.float64],
    expected: npt.NDArray[np.float64],
) -> list[_Panel]:
    """Return the panels of all scores; index k of the arrays is the score ``lowest + k``."""
    likely = np.zeros(len(pairs), dtype=bool)
    likely[: len(expected)] = expected >= _SEEN
    used = np.flatnonzero((pairs > 0) | likely)
    first, end = (int(used[0]), int(used[-1]) + 1) if len(used) else (0, 0)
    end = max(end, first + _FEWEST)
    # Behind the bulk lie at most a tenth of the pairs, at most a thousandth of them no hits, and no pairs are expected.
    behind, others = (np.cumsum(counts[::-1])[::-1] for counts in (pairs, pairs - hits))
    all_pairs = pairs.sum()
    in_bulk = np.flatnonzero((behind > all_pairs // 10) | (others > all_pairs // 1000) | likely)
    bulk = max(int(in_bulk[-1]) + 1 if len(in_bulk) else 0, first + _FEWEST) - first
    main = bulk + bulk // 4
    if end - first <= 3 * main:
        return [_whole(lowest + first, lowest + end)]
    before = _panel(lowest + first, lowest + first + main, 0, _MAIN_PART)
    return [before, _panel(before.end, lowest + end, _MAIN_PART + _BREAK, 1)]


def _whole(first: int, end: int) -> _Panel:
    return _panel(first, end, 0, 1)


def _panel(first: int, end: int, left: float, right: float) -> _Panel:
    bar = _bar((end - first) / (_MOST_BARS * (right - left)))
    return _Panel(first, first - (first - end) // bar * bar, left, right, bar)


def _edges(panels: list[_Panel], scale: int) -> npt.NDArray[np.float64]:
    """Return the edges of the bars of all panels, in the matrix' units, with a tiny bar for the break between two."""
    parts = [_edges_in(one) / scale for one in panels]
    for part in parts[1:]:
        part[0] = np.nextafter(part[0], np.inf)
    return np.concatenate(parts)


def _edges_in(panel: _Panel) -> npt.NDArray[np.float64]:
    """Return the edges of the panel's bars, which begin and end between scores."""
    return np.arange(panel.first, panel.end + 1, panel.bar, dtype=np.float64) - 0.5


def _in_bars(panels: list[_Panel], lowest: int, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the sum of the counts in each bar, and NaN for the break between two panels."""
    units = lowest + np.arange(len(counts))
    parts: list[npt.NDArray[np.float64]] = []
    for one in panels:
        parts += [np.full(1, np.nan), np.histogram(units, _edges_in(one), weights=counts)[0]]
    return np.concatenate(parts[1:])


def _chance(
    panels: list[_Panel], lowest: int, expected: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the points of the curve of chance, in the panels where it is seen, with NaN between two panels."""
    points: list[npt.NDArray[np.float64]] = []
    for one in panels:
        middles, curve = _in_a_bar(lowest, expected, one.bar)
        seen = (curve >= _LOWEST / 10) & (middles >= one.first - 0.5) & (middles <= one.end - 0.5)
        if seen.any():
            points += [np.full((2, 1), np.nan), np.stack((middles[seen], curve[seen]))]
    x, y = np.concatenate(points[1:], axis=1) if points else np.empty((2, 0))
    return x, y


def _in_a_bar(
    lowest: int, expected: npt.NDArray[np.float64], bar: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the number of pairs expected in a bar of ``bar`` units around each score, and the middles of these bars.

    The bars begin at every score, and before the lowest one, so that they overlap: the result is a smooth curve even
    where all of the expected pairs are in two or three of the bars that are drawn.
    """
    sums = np.cumsum(np.concatenate((np.zeros(bar), expected, np.zeros(bar - 1))))
    begins = lowest - (bar - 1) + np.arange(len(expected) + bar - 1, dtype=np.float64)
    return begins + (bar - 1) / 2, sums[bar:] - sums[:-bar]


def _break_axis(ax: Axes, panels: list[_Panel], scale: int) -> None:
    """Give each panel its scale and ticks, and mark the break between them."""
    import matplotlib.pyplot as plt
    from matplotlib.path import Path
    from matplotlib.ticker import FixedLocator, MaxNLocator

    main, tail = panels
    at = (main.end - 0.5) / scale
    begin, end = (main.first - 0.5) / scale, (tail.end - 0.5) / scale
    behind = np.nextafter(at, np.inf)
    # Both scales go on beyond the picture, so that it can be moved.
    room = 100 * (end - begin)
    slopes = main.right / (at - begin), (1 - tail.left) / (end - at)
    x = np.array([begin - room, begin, at, behind, end, end + room])
    parts = np.array([-room * slopes[0], 0, main.right, tail.left, 1, 1 + room * slopes[1]])
    ax.set_xscale(
        "function", functions=(lambda values: np.interp(values, x, parts), lambda values: np.interp(values, parts, x))
    )
    ax.set_xlim(begin, end)
    size = float(plt.rcParams["font.size"])
    inches, _ = size_of(ax)
    ticks: list[float] = []
    free = -np.inf  # the part of the width where the next label may begin
    for first, last, most in ((begin, at, 7), (behind, end, 3)):
        for tick in MaxNLocator(most, steps=[1, 2, 5, 10], integer=scale == 1).tick_values(first, last):
            place, half = np.interp(tick, x, parts), width_of(_text(tick), size) / 2 / inches
            if first <= tick <= last and place - half >= free:
                ticks.append(float(tick))
                free = place + half + 0.1 / inches
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(FixedLocator([]))
    ax.xaxis.set_major_formatter(lambda value, _: _text(value))
    over = ax.get_xaxis_transform()
    hidden = ax.hlines(0, at, behind, colors=[ax.get_facecolor()], linewidth=3, transform=over, clip_on=False, zorder=3)
    hidden.set_capstyle("butt")
    strokes = Path([(-0.5, -1), (0.5, 1)])
    ax.scatter([at, behind], [0, 0], 60, BLACK, marker=strokes, transform=over, clip_on=False, zorder=3, linewidth=1)


def _text(score: float) -> str:
    return f"{score:,.10g}"


def _hits(rows: Rows, shown: int) -> str:
    count = len(rows)
    words = f"{count:,} hit{'' if count == 1 else 's'}"
    words = words if shown == count else f"{shown:,} of {words}"
    if rows.summary.get("full_queries", 0) == 0:
        return words
    return f"{words},\nat most {rows.summary['max_target_seqs']:,} of a query"


def _range(scores: tuple[float, float], scale: int) -> tuple[int, int]:
    """Return the first score that is shown and the one behind the last, in units of 1 / ``scale``."""
    try:
        low, high = scores
    except (TypeError, ValueError):
        raise InputError(f"scores is {scores!r}; it takes two numbers, (lowest, highest).") from None
    lowest, highest = number("scores[0]", low), number("scores[1]", high)
    if lowest is None or highest is None or lowest >= highest:
        raise InputError(f"scores is {scores!r}; the first must be lower than the second.")
    return math.floor(lowest * scale), math.ceil(highest * scale) + 1


def _bar(least: float) -> int:
    """Return the width of a bar, at least ``least``: 1, 2 or 5, times a power of ten."""
    width = 1
    while width < least:
        for factor in (2, 5, 10):
            if width * factor >= least or factor == 10:
                width *= factor
                break
    return width
