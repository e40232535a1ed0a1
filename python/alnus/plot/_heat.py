"""Heat maps of the values of all pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np
import numpy.typing as npt

from alnus._arguments import check_index
from alnus._errors import InputError
from alnus._following import ProgressArgument
from alnus._options import Strand, Value
from alnus._rows import Denominator
from alnus._scoring import Alphabet, Scoring, ScoringWords
from alnus._session import Session
from alnus._signatures import spelled_out
from alnus.plot._axes import BLACK, fit, make_room, narrow, new_axes, short, size_of, width_of, with_layout
from alnus.plot._values import Kind, Values, array_of, values_of_array, values_of_sequences

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

_MOST_ORDERED = 400  # most sequences for which SciPy orders the leaves optimally, which takes long for more
_MOST_NUMBERED = 12  # most sequences for which cells have their number written in them by default
_LEAST_SIZE = 4.0  # least size of names and numbers, in points, at which they can be read
_TREE = 0.16  # width of the dendrogram, as a fraction of the heat map's
_UNKNOWN = "#E4E7EA"  # colour of the diagonal where the value of a sequence with itself is not known


@spelled_out
def heat_map(
    values: Any,
    labels: Iterable[str] | None = None,
    *,
    value: Value | None = None,
    cluster: bool = True,
    method: str = "average",
    dendrogram: bool = True,
    numbers: bool | None = None,
    cmap: str | Colormap | None = None,
    ax: Axes | None = None,
    denominator: Denominator | None = None,
    scoring: Scoring | None = None,
    alphabet: Alphabet | None = None,
    strand: Strand | None = None,
    progress: ProgressArgument = False,
    session: Session | None = None,
    **more: Unpack[ScoringWords],
) -> Axes:
    """Draw a value of every pair of a set, with similar sequences beside each other.

    Parameters
    ----------
    values : sequences, or an array of numbers
        Sequences as :func:`alnus.pdist` takes them, which are aligned, by default in global mode. Or values of all
        pairs as a condensed or a square array, such as ``pdist`` gives; ``value`` must then say what they are.
    labels : list of str, optional
        The names of the sequences. Default: their ids; for an array "0", "1" and so on; for a DataFrame its columns.
    value : {"identity", "distance", "score", "score_distance"}, default "identity" for sequences
        The kind of value that is shown, as :func:`alnus.pdist` explains it. An array has no default: what ``pdist``
        gives by default is a ``"distance"``. Identities are fractions, from 0 to 1, and are shown in percent.
        Distances of other programs may be above 1, but not above 10.
    cluster : bool, default True
        True: the sequences are in the order of a hierarchical clustering by distance. For identities the distance is
        1 - identity, for scores it is the highest score - score. False: they are in the given order.
    method : str, default "average"
        The method of the clustering, as :func:`scipy.cluster.hierarchy.linkage` takes it.
    dendrogram : bool, default True
        True: the tree of the clustering is drawn at the left.
    numbers : bool, optional
        True: the value of each cell is written in it. Default: True for up to 12 sequences, if the numbers fit.
    cmap : str or Colormap, default "viridis", or "viridis_r" for distances
        The colour map of matplotlib. With the default, similar sequences are yellow.
    ax : Axes, optional
        The Axes to draw into. Default: those of a new figure.
    denominator, scoring, alphabet, strand, progress
        How sequences are aligned, as for :func:`alnus.pdist`.
    session : Session, optional
        The session that aligns. Default: the session of the module's functions.
    matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
        The arguments of :class:`alnus.Scoring`, in place of ``scoring``.

    Returns
    -------
    Axes
        The Axes, with the image of the values. Values that are not known are grey, and so are score distances of a
        sequence that nothing can be aligned with. If names would overlap, the number of sequences takes their place.

    Raises
    ------
    InputError
        If an array comes without ``value``, is not condensed, square and symmetric, or does not have the values that
        ``value`` says; if there is no sequence, or an argument is wrong.

    Examples
    --------
    >>> ax = heat_map({"a": "MKVLAW", "b": "MKVQAW", "c": "PPGPPG"})
    >>> [label.get_text() for label in ax.get_yticklabels()]  # the order of the clusters
    ['c', 'b', 'a']
    >>> ax = heat_map(alnus.pdist(["MKVLAW", "MKVQAW"], mode="global"), ["a", "b"], value="distance")
    """
    arguments: dict[str, Any] = {
        "denominator": denominator,
        "scoring": scoring,
        "alphabet": alphabet,
        "strand": strand,
        "progress": progress or None,
        **more,
    }
    given = {name: one for name, one in arguments.items() if one is not None}
    array = array_of(values)
    if array is None:
        check_index("labels", labels, values)
        shown = values_of_sequences(values, value, session, given)
    elif given or session is not None:
        raise InputError(f"{next(iter(given), 'session')} is for sequences; these are numbers.")
    else:
        columns = getattr(values, "columns", None)
        shown = values_of_array(array, value, None if columns is None else [str(name) for name in columns])
    return _draw(shown, labels, cluster, method, dendrogram, numbers, cmap, ax)


def _draw(
    values: Values,
    labels: Iterable[str] | None,
    cluster: bool,
    method: str,
    dendrogram: bool,
    numbers: bool | None,
    cmap: str | Colormap | None,
    ax: Axes | None,
) -> Axes:
    names = values.names if labels is None else [str(label) for label in labels]
    count = len(values.square)
    if len(names) != count:
        raise InputError(f"There are {len(names)} labels for {count} sequences.")
    tree = _linkage(values, method) if cluster and count > 1 else None
    order = np.arange(count) if tree is None else _leaves(tree)
    shown = values.square[np.ix_(order, order)]
    shown = np.where(shown < values.kind.unaligned, values.kind.factor * shown, np.nan)
    lowest, highest = _limits(shown, values.kind)
    colors = _colors(cmap, values.kind)

    sorted_names = [short(names[k]) for k in order]
    side: float | None = None  # side of the heat map in inches if this function makes the figure; else None
    is_new = ax is None
    if ax is None:
        side = float(np.clip(0.24 * count, 1.8, 9.0))
        size = _font(side, count)
        beside = 0.1 + max(width_of(name, size) for name in sorted_names) if size else 0.2
        left = _TREE * side if tree is not None and dendrogram else 0.0
        ax = new_axes(left + side + beside + 0.4, side + beside + 0.9)
    else:
        room = 0.4 * min(size_of(with_layout(ax)))
        sorted_names = [narrow(name, room, 9) for name in sorted_names]
    smooth = "nearest" if count <= 300 else "antialiased"
    image = ax.imshow(np.ma.masked_invalid(shown), cmap=colors, vmin=lowest, vmax=highest, interpolation=smooth)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if tree is not None and dendrogram:
        _draw_tree(ax, tree, order)
    _name(ax, sorted_names, side)
    side = min(size_of(ax)) if side is None else side
    _draw_bar(ax, image, side, values.kind.title)
    if numbers or (numbers is None and count <= _MOST_NUMBERED):
        _write(ax, image, side, always=numbers is True)
    if is_new:
        make_room(ax)
    return ax


def _limits(shown: npt.NDArray[np.float64], kind: Kind) -> tuple[float, float]:
    """Return the values at the ends of the colours: what is possible for the kind, or else what there is."""
    known = shown[np.isfinite(shown)]
    lowest, highest = float(known.min(initial=np.inf)), float(known.max(initial=-np.inf))
    if kind.with_self is not None:
        lowest = min(0.0, lowest)  # score distances of sequences that are half unknown may be negative
    if kind.highest is not None:
        highest = max(kind.highest, highest)
    if lowest > highest:  # one sequence, whose value with itself is not known
        return 0.0, 1.0
    return (lowest, highest) if lowest < highest else (lowest, lowest + 1)


def _colors(cmap: str | Colormap | None, kind: Kind) -> Colormap:
    import matplotlib

    try:
        chosen = matplotlib.colormaps.get_cmap(cmap or ("viridis_r" if kind.is_distance else "viridis"))
    except (TypeError, ValueError) as error:
        raise InputError(f"There is no such colour map: {error}") from None
    return chosen.with_extremes(bad=_UNKNOWN)


def _draw_bar(ax: Axes, image: Any, side: float, title: str) -> None:
    """Draw a bar that explains the colours, above the left part of the heat map."""
    bar = ax.inset_axes((0.0, 1 + 0.06 / side, min(1.0, 2.0 / side), 0.1 / side), label="colours")
    made = ax.figure.colorbar(image, cax=bar, orientation="horizontal")
    ticks = [float(tick) for tick in np.linspace(image.norm.vmin, image.norm.vmax, 3)]
    made.set_ticks(ticks, labels=[f"{tick:.4g}" for tick in ticks])
    bar.xaxis.set_ticks_position("top")
    bar.tick_params(labelsize=7, length=2, pad=1)
    bar.set_title(title, fontsize=7, loc="left", pad=3)
    cast("Any", made).outline.set_visible(False)


def _linkage(values: Values, method: str) -> npt.NDArray[np.float64]:
    from scipy.cluster.hierarchy import linkage

    try:
        tree = linkage(values.distances(), method=method, optimal_ordering=len(values.square) <= _MOST_ORDERED)
    except ValueError as error:
        raise InputError(str(error)) from None
    return np.asarray(tree)


def _leaves(tree: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    from scipy.cluster.hierarchy import leaves_list

    return np.asarray(leaves_list(tree), dtype=np.intp)


def _draw_tree(ax: Axes, tree: npt.NDArray[np.float64], order: npt.NDArray[np.intp]) -> None:
    """Draw the dendrogram, with its leaves at the rows of the heat map."""
    from matplotlib.collections import LineCollection

    count = len(order)
    place = np.empty(2 * count - 1)
    place[order] = np.arange(count)
    height = np.zeros(2 * count - 1)
    lines = np.empty((count - 1, 4, 2))
    for k, (one, other, distance, _) in enumerate(tree):
        left, right, node = int(one), int(other), count + k
        lines[k] = (
            (height[left], place[left]),
            (distance, place[left]),
            (distance, place[right]),
            (height[right], place[right]),
        )
        place[node], height[node] = (place[left] + place[right]) / 2, distance
    beside = ax.inset_axes((-_TREE - 0.01, 0, _TREE, 1), label="dendrogram")
    beside.add_collection(LineCollection(list(lines), colors=BLACK, linewidths=0.8 if count <= 150 else 0.4))
    beside.set_xlim(max(float(tree[:, 2].max()), 0.01) * 1.1, 0)
    beside.set_ylim(count - 0.5, -0.5)
    beside.set_xticks([])
    beside.set_yticks([])
    beside.set_frame_on(False)


def _font(side: float, count: int) -> float:
    """Return the font size, in points, at which names do not overlap; 0 if they would be too small to read."""
    size = min(9.0, 0.85 * 72 * side / count)
    return size if size >= _LEAST_SIZE else 0.0


def _name(ax: Axes, names: list[str], side: float | None) -> None:
    """Write the names at the right and below, or the number of sequences if names would overlap."""
    count = len(names)
    places = np.arange(count)
    ax.yaxis.tick_right()
    ax.tick_params(length=0)
    ax.set_xticks([])
    ax.set_yticks([])
    for _ in range(2 if side is None else 1):  # in a figure of the caller, names make the Axes smaller
        size = _font(min(size_of(ax)) if side is None else side, count)
        if size > 0:
            ax.set_yticks(places, names, fontsize=size, parse_math=False)
            ax.set_xticks(places, names, fontsize=size, rotation=90, parse_math=False)
        else:
            ax.set_xticks([])
            ax.set_yticks([])
            ax.yaxis.set_label_position("right")
            ax.set_ylabel(f"{count:,} sequences")
            fit([ax.yaxis.label])


def _write(ax: Axes, image: Any, side: float, *, always: bool) -> None:
    """Write the value of each cell into it, unless the numbers would be too small to read and ``always`` is False."""
    shown = image.get_array().filled(np.nan)
    cell = side / len(shown)
    whole = np.array_equal(shown, shown.round(), equal_nan=True)
    digits = 0 if whole or image.norm.vmax - image.norm.vmin >= 20 else 2
    texts = {place: f"{number:.{digits}f}" for place, number in np.ndenumerate(shown) if not np.isnan(number)}
    widest = max((width_of(text, 9) for text in texts.values()), default=cell)
    size = min(9.0, 9 * 0.8 * cell / widest, 0.6 * 72 * cell)
    if size < _LEAST_SIZE and not always:
        return
    for (row, column), text in texts.items():
        red, green, blue, _ = image.cmap(image.norm(shown[row, column]))
        color = "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"
        ax.text(column, row, text, ha="center", va="center", color=color, fontsize=size)
