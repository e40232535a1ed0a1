"""Heat maps of the identities of all pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt

from alnus._errors import InputError
from alnus._sequences import database_of
from alnus.plot._axes import BLACK, axes_or_new, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ORDERED = 400  # most sequences for which SciPy orders the leaves optimally, which takes long for more
_MOST_NUMBERED = 12  # most sequences for which cells have their number written in them by default
_TREE = 0.16  # width of the dendrogram, as a fraction of the heat map's


def heat_map(
    values: Any,
    labels: Iterable[str] | None = None,
    *,
    value: Literal["identity", "distance"] = "identity",
    cluster: bool = True,
    method: str = "average",
    dendrogram: bool = True,
    numbers: bool | None = None,
    cmap: str = "viridis",
    ax: Axes | None = None,
    **arguments: Any,
) -> Axes:
    """Draw the identity of every pair of a set, with similar sequences beside each other.

    Parameters
    ----------
    values : sequences, or a float array
        Sequences as :func:`alnus.pdist` takes them, which are aligned, by default in global mode. Or the values that
        ``pdist`` gave, as a condensed or a square array.
    labels : list of str, optional
        The names of the sequences. Default: their ids; for an array "0", "1" and so on.
    value : {"identity", "distance"}, default "identity"
        The kind of values in a float array, which are from 0 to 1.
    cluster : bool, default True
        True: the sequences are in the order of a hierarchical clustering of 1 - identity. False: they are in the given
        order.
    method : str, default "average"
        The method of the clustering, as :func:`scipy.cluster.hierarchy.linkage` takes it.
    dendrogram : bool, default True
        True: the tree of the clustering is drawn at the left.
    numbers : bool, optional
        True: the identity of each cell is written in it, in percent. Default: True for up to 12 sequences.
    cmap : str, default "viridis"
        The name of a colour map of matplotlib.
    ax : Axes, optional
        The Axes to draw into. Default: those of a new figure.
    **arguments
        Arguments of :func:`alnus.pdist`, such as ``mode``, ``denominator``, ``matrix`` and ``gaps``, and ``session``,
        the session that computes.

    Returns
    -------
    Axes
        The Axes, with the image of identities in percent. If names would overlap, the number of sequences takes their
        place.

    Raises
    ------
    InputError
        If an array is no matrix of values from 0 to 1, there is no sequence, or an argument is wrong.

    Examples
    --------
    >>> ax = heat_map({"a": "MKVLAW", "b": "MKVQAW", "c": "PPGPPG"})
    >>> [label.get_text() for label in ax.get_yticklabels()]  # the order of the clusters
    ['c', 'b', 'a']
    """
    identities, names = _identities(values, value, arguments)
    names = names if labels is None else [str(label) for label in labels]
    count = len(identities)
    if len(names) != count:
        raise InputError(f"There are {len(names)} labels for {count} sequences.")
    tree = _linkage(identities, method) if cluster and count > 1 else None
    order = np.arange(count) if tree is None else _leaves(tree)
    shown = 100 * identities[np.ix_(order, order)]

    sorted_names = [short(names[k]) for k in order]
    side: float | None = None  # side of the heat map in inches if this function makes the figure; else None
    if ax is None:
        side = float(np.clip(0.24 * count, 1.8, 9.0))
        beside = 0.075 * max(map(len, sorted_names)) if _font(side, count) else 0.2
        left = _TREE * side if tree is not None and dendrogram else 0.0
        ax = axes_or_new(None, left + side + beside + 0.4, side + beside + 0.7)
    smooth = "nearest" if count <= 300 else "antialiased"
    image = ax.imshow(shown, cmap=cmap, vmin=0, vmax=100, interpolation=smooth)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if tree is not None and dendrogram:
        _draw_tree(ax, tree, order)
    _draw_bar(ax, image, _side(ax) if side is None else side)
    _name(ax, sorted_names, side)
    if numbers or (numbers is None and count <= _MOST_NUMBERED):
        _write(ax, shown, _side(ax) if side is None else side)
    return ax


def _side(ax: Axes) -> float:
    """Return the height, in inches, that the figure's layout gives the Axes."""
    ax.figure.figure.draw_without_rendering()
    return float(ax.get_window_extent().height) / float(ax.figure.dpi)


def _draw_bar(ax: Axes, image: Any, side: float) -> None:
    """Draw a bar that explains the colours, above the left part of the heat map."""
    bar = ax.inset_axes((0.0, 1 + 0.06 / side, min(1.0, 2.0 / side), 0.1 / side), label="colours")
    made = ax.figure.colorbar(image, cax=bar, orientation="horizontal", ticks=[0, 50, 100])
    made.set_ticks([0, 50, 100], labels=["0", "50", "100% identity"])
    bar.xaxis.set_ticks_position("top")
    bar.tick_params(labelsize=7, length=2, pad=1)
    cast("Any", made).outline.set_visible(False)


def _identities(values: Any, value: str, arguments: dict[str, Any]) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return the square matrix of identities, from 0 to 1, and the names of the sequences."""
    if value not in ("identity", "distance"):
        raise InputError(f"There is no value {value!r} here; choose identity or distance.")
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        if arguments:
            raise InputError(f"{next(iter(arguments))} is for sequences; these are numbers.")
        square = _square(values, 1.0 if value == "identity" else 0.0)
        square = square if value == "identity" else 1 - square
        return square, [str(k) for k in range(len(square))]
    from alnus import default_session

    session = arguments.pop("session", None) or default_session()
    database = database_of(values, session, alphabet=arguments.get("alphabet"), name="values").in_file_order()
    if len(database) == 0:
        raise InputError("There is no sequence.")
    if arguments.get("scoring") is None:
        arguments.setdefault("mode", "global")
    condensed = session.pdist(database, value="identity", **arguments)
    return _square(condensed, 1.0), database.ids


def _square(values: npt.NDArray[Any], diagonal: float) -> npt.NDArray[np.float64]:
    numbers = np.asarray(values, dtype=np.float64)
    if not np.isfinite(numbers).all() or numbers.min(initial=0) < 0 or numbers.max(initial=0) > 1.000001:
        raise InputError("Identities and distances are from 0 to 1; those in percent must be divided by 100.")
    if numbers.ndim == 2 and numbers.shape[0] == numbers.shape[1] and len(numbers) > 0:
        if not np.allclose(numbers, numbers.T):
            raise InputError("The square matrix is not symmetric.")
        return numbers
    count = round((1 + (1 + 8 * numbers.size) ** 0.5) / 2)
    if numbers.ndim != 1 or count * (count - 1) // 2 != numbers.size:
        raise InputError(f"An array of shape {numbers.shape} is neither condensed nor square.")
    square = np.full((count, count), diagonal)
    upper = np.triu_indices(count, 1)
    square[upper] = numbers
    square.T[upper] = numbers
    return square


def _linkage(identities: npt.NDArray[np.float64], method: str) -> npt.NDArray[np.float64]:
    from scipy.cluster.hierarchy import linkage

    distances = np.maximum(1 - identities[np.triu_indices(len(identities), 1)], 0)
    try:
        tree = linkage(distances, method=method, optimal_ordering=len(identities) <= _MOST_ORDERED)
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
    return size if size >= 4 else 0.0


def _name(ax: Axes, names: list[str], side: float | None) -> None:
    """Write the names at the right and below, or the number of sequences if names would overlap."""
    count = len(names)
    places = np.arange(count)
    ax.yaxis.tick_right()
    ax.tick_params(length=0)
    ax.set_xticks([])
    ax.set_yticks([])
    for _ in range(2 if side is None else 1):  # in a figure of the caller, names make the Axes smaller
        size = _font(_side(ax) if side is None else side, count)
        if size > 0:
            ax.set_yticks(places, names, fontsize=size)
            ax.set_xticks(places, names, fontsize=size, rotation=90)
        else:
            ax.set_xticks([])
            ax.set_yticks([])
            ax.yaxis.set_label_position("right")
            ax.set_ylabel(f"{count:,} sequences")


def _write(ax: Axes, percent: npt.NDArray[np.float64], side: float) -> None:
    size = min(9.0, 0.38 * 72 * side / len(percent))
    for (row, column), identity in np.ndenumerate(percent):
        color = "white" if identity < 60 else "black"
        ax.text(column, row, f"{identity:.0f}", ha="center", va="center", color=color, fontsize=size)
