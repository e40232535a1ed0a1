"""Dot plots, which show the windows in which two sequences are alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from alnus._arguments import number, whole, word
from alnus._errors import InputError
from alnus._fasta import begins_fasta
from alnus._making import is_path, two_texts_alphabet
from alnus._pair import Pair, runs
from alnus._scoring import Alphabet, Scoring
from alnus._sequences import database_of, databases_of
from alnus.plot._axes import GREY, fit, new_axes, short, with_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_DOTS = 400  # most dots in each direction; in longer sequences a dot stands for several windows
_CHANCE = 1 / 3000  # fraction of dots that chance may give, from which the default threshold follows
_COLORS = {"plus": "Blues", "minus": "Oranges"}


class _Sequence(NamedTuple):
    letters: str
    name: str


def dot_plot(
    a: Any,
    b: Any = None,
    *,
    window: int = 11,
    threshold: float | None = None,
    strand: Literal["plus", "minus", "both"] | None = None,
    scoring: Scoring | None = None,
    alphabet: Alphabet | None = None,
    path: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw where windows of two sequences are alike, which shows repeats, rearrangements and common domains.

    Parameters
    ----------
    a, b : sequences of any kind, one in each
        The sequence that runs to the right, and the one that runs downwards. A str with a dot or a slash is a path, as
        in every other function. Without ``b``, a sequence is compared with itself, and the first of two with the
        second. ``a`` may also be a :class:`alnus.Pair`: its query runs to the right and its subject downwards, and its
        alignment is drawn as a grey band.
    window : int, default 11
        The number of residues in a window. A dot shows the sum of the matrix' scores of the residues of two windows,
        compared place by place.
    threshold : float, optional
        The lowest sum that has a dot, in the matrix' units. Default: the sum that about 1 in 3,000 dots of unrelated
        sequences with the same letters reaches.
    strand : {"plus", "minus", "both"}, default "both" for DNA, "plus" for proteins
        The strands of ``b`` that are compared with ``a``. Dots of the plus strand are blue. Dots of the minus strand,
        where ``a`` is like the reverse complement of ``b``, are orange.
    scoring : Scoring, optional
        The scoring whose matrix is used. Default: that of the pair, else BLOSUM62, or NUC44 for DNA.
    alphabet : {"protein", "dna", "auto"}, optional
        The alphabet of ``a`` and ``b``, if they do not know theirs. Default: that of ``scoring``, else "protein";
        sequences that look like nucleotides are then an error.
    path : bool, default True
        True: the alignment of a :class:`alnus.Pair` is drawn.
    ax : Axes, optional
        The Axes to draw into. Default: those of a new figure.

    Returns
    -------
    Axes
        The Axes, with one image for each strand. An image has at most 400 by 400 dots. In longer sequences a dot stands
        for several windows and shows the best of their sums.

    Raises
    ------
    InputError
        If a sequence is shorter than the window, there are not one or two sequences, the sequences look like
        nucleotides and nothing says what they are, or an argument is wrong.
    """
    pair = a if isinstance(a, Pair) else None
    if pair is not None:
        if b is not None:
            raise InputError("A pair has both sequences; leave b out.")
        rows = pair._rows
        first = _Sequence(rows.queries[pair.query], pair.query_id)
        second = _Sequence(rows.subjects[pair.subject], pair.subject_id)
        scoring = rows.scoring if scoring is None else scoring
        kind: str = rows.scoring.alphabet
    else:
        stated = word("alphabet", alphabet) or (None if scoring is None else scoring.alphabet)
        first, second, kind = _sequences(a, b, stated)
    used = Scoring(alphabet="dna" if kind == "dna" else "protein") if scoring is None else scoring
    width = whole("window", window, 1, 2**31 - 1)
    if min(len(first.letters), len(second.letters)) < width:
        raise InputError(f"A sequence is shorter than a window of {width} residues; choose a smaller window.")
    strands = _strands(strand, kind)
    steps = (_step(len(first.letters) - width + 1), _step(len(second.letters) - width + 1))
    lowest = number("threshold", threshold)
    if lowest is None:
        lowest = _threshold(used, first.letters, second.letters, width, _CHANCE / (steps[0] * steps[1]))
    from matplotlib.ticker import MaxNLocator

    height, size = _shape(len(first.letters), len(second.letters))
    ax = new_axes(size, height) if ax is None else with_layout(ax)
    for name in strands:
        _draw(ax, used, first.letters, second.letters, width, steps, lowest, name)
    if pair is not None and path:
        _draw_path(ax, pair)
    ax.set_xlim(0.5, len(first.letters) + 0.5)
    ax.set_ylim(len(second.letters) + 0.5, 0.5)
    ax.set_aspect("equal", adjustable="box")
    for axis, length in ((ax.xaxis, len(first.letters)), (ax.yaxis, len(second.letters))):
        part = length / max(len(first.letters), len(second.letters))
        axis.set_major_locator(MaxNLocator(nbins=max(2, round(8 * part)), integer=True, min_n_ticks=1))
    ax.set_xlabel(short(first.name, 40), parse_math=False)
    ax.set_ylabel(short(second.name, 40), parse_math=False)
    ax.xaxis.set_label_position("top")
    ax.xaxis.tick_top()
    fit([ax.xaxis.label, ax.yaxis.label])
    return ax


def _sequences(a: Any, b: Any, alphabet: str | None) -> tuple[_Sequence, _Sequence, str]:
    """Return the two sequences and their alphabet. ``alphabet`` is what the user said of it, or None."""
    from alnus import default_session

    using = default_session()
    if b is None:
        given = database_of(a, using, alphabet=alphabet, name="a").in_file_order()
        if len(given) not in (1, 2):
            raise InputError(
                f"a has {len(given)} sequences; a dot plot takes one, which is compared with itself, or two. Choose "
                "them from alnus.Database.open(file); alnus.plot.heat_map shows all pairs of a set."
            )
        sets, places = (given, given), (0, len(given) - 1)
    else:
        sets, places = databases_of(a, b, using, alphabet=alphabet, names=("a", "b")), (0, 0)
        for one, name in zip(sets, ("a", "b"), strict=True):
            if len(one) != 1:
                raise InputError(f"{name} has {len(one)} sequences; with two arguments a dot plot takes one of each.")
    kinds = {one.alphabet for one in sets}
    if len(kinds) > 1:
        raise InputError(f"a has {sets[0].alphabet} sequences and b has {sets[1].alphabet} sequences.")
    letters = [one[place] for one, place in zip(sets, places, strict=True)]
    if not any(one._core.is_stated for one in sets) and kinds == {"protein"}:
        two_texts_alphabet(letters[0], letters[1], alphabet)
    words = ("sequence", "sequence") if b is None and len(sets[0]) == 1 else ("first sequence", "second sequence")
    names = [
        one.ids[place] if _has_ids(value) else f"{what} (residue)"
        for one, place, value, what in zip(sets, places, (a, a if b is None else b), words, strict=True)
    ]
    return _Sequence(letters[0], names[0]), _Sequence(letters[1], names[1]), kinds.pop()


def _has_ids(value: Any) -> bool:
    """Return False for plain letters, alone or in a list, whose ids are numbers that say nothing in a picture."""
    if isinstance(value, str | bytes):
        return is_path(value) or begins_fasta(value)
    if isinstance(value, list | tuple):
        return not all(isinstance(one, str | bytes) for one in value) or any(begins_fasta(one) for one in value[:1])
    return True


def _strands(strand: str | None, kind: str) -> list[str]:
    chosen = word("strand", strand) or ("both" if kind == "dna" else "plus")
    if chosen not in ("plus", "minus", "both"):
        raise InputError(f"There is no strand {chosen!r}; choose plus, minus or both.")
    if chosen != "plus" and kind != "dna":
        raise InputError("Proteins have no minus strand.")
    return ["plus", "minus"] if chosen == "both" else [chosen]


def _step(windows: int) -> int:
    return -(-windows // _MOST_DOTS)


def _shape(columns: int, rows: int) -> tuple[float, float]:
    """Return the height and the width of a new figure, in inches."""
    longer = max(columns, rows)
    return max(2.2, 5.5 * rows / longer) + 0.6, max(2.2, 5.5 * columns / longer) + 0.6


def _codes(scoring: Scoring, letters: str) -> npt.NDArray[np.intp]:
    """Return the matrix' row of each letter. A letter that the matrix does not have gets the last row."""
    known = scoring.letters.upper()
    table = np.full(256, len(known) - 1, dtype=np.intp)
    for place, letter in enumerate(known):
        table[ord(letter)] = table[ord(letter.lower())] = place
    return table[np.frombuffer(letters.encode("latin-1", "replace"), dtype=np.uint8)]


def _sums(scoring: Scoring, a: str, b: str, window: int, strand: str) -> Iterator[tuple[int, npt.NDArray[np.float64]]]:
    """Yield, for each window of ``b``, its first place in ``b`` and its sums with all windows of ``a``."""
    of_a = _codes(scoring, a)
    along = 1
    if strand == "minus":
        b = b.translate(str.maketrans("ACGTUacgtu", "TGCAAtgcaa"))
        along = -1
    of_b = _codes(scoring, b)[::along]
    by_letter = np.ascontiguousarray(scoring.values[of_a].T)  # scores by [letter of b, place in a]
    # running[j]: the sum of the last `window` scores on the diagonal that ends before place j of a, at the present
    # place of b.
    running = np.zeros(len(a) + 1)
    for end in range(len(of_b)):
        further = np.zeros(len(a) + 1)
        np.add(running[:-1], by_letter[of_b[end]], out=further[1:])
        begin = end - window
        if begin >= 0:
            further[window + 1 :] -= by_letter[of_b[begin]][: len(a) - window]
        running = further
        if begin >= -1:
            first = begin + 1
            yield (first if along == 1 else len(of_b) - first - window), running[window:]


def _draw(
    ax: Axes,
    scoring: Scoring,
    a: str,
    b: str,
    window: int,
    steps: tuple[int, int],
    lowest: float,
    strand: str,
) -> None:
    across, down = steps
    columns, rows = -(-(len(a) - window + 1) // across), -(-(len(b) - window + 1) // down)
    begins = np.arange(0, len(a) - window + 1, across)
    best = np.full((rows, columns), -np.inf)
    for place, sums in _sums(scoring, a, b, window, strand):
        row = best[place // down]
        np.maximum(row, np.maximum.reduceat(sums, begins), out=row)
    dots = np.ma.masked_less(best, lowest)
    # A dot is drawn at the middle of its windows.
    middle = (window - 1) / 2 + 0.5
    highest = max(float(dots.max()) if dots.count() else lowest, lowest + 1)
    ax.imshow(
        dots,
        cmap=_COLORS[strand],
        vmin=lowest - 0.9 * (highest - lowest),  # so that the lowest dots are dark enough to see
        vmax=highest,
        extent=(middle, middle + columns * across, middle + rows * down, middle),
        interpolation="nearest",
        label=f"{strand} strand",
    )


def _draw_path(ax: Axes, pair: Pair) -> None:
    if not pair._rows._core.has_cigars:
        return
    minus = pair.strand == -1
    x = [pair.query_end + 0.5 if minus else pair.query_begin + 0.5]
    y = [pair.subject_begin + 0.5]
    for length, operation in runs(pair.cigar):
        x.append(x[-1] + (0 if operation == "D" else -length if minus else length))
        y.append(y[-1] + (0 if operation == "I" else length))
    ax.plot(x, y, color=GREY, linewidth=5, alpha=0.6, solid_capstyle="butt", zorder=-1, label="alignment")


def _threshold(scoring: Scoring, a: str, b: str, window: int, chance: float) -> float:
    """Return the lowest sum that two unrelated windows reach with a probability of at most ``chance``."""
    scale = scoring._core.scale
    values = np.rint(scoring.values * scale).astype(int)
    least = int(values.min())
    frequencies = [np.bincount(_codes(scoring, s), minlength=len(values)) / len(s) for s in (a, b)]
    one = np.bincount((values - least).ravel(), weights=np.outer(*frequencies).ravel())
    sums = np.ones(1)
    power, left = one, window
    while left:  # makes the distribution of the sum of `window` scores, by repeated squaring
        if left & 1:
            sums = np.convolve(sums, power)
        left >>= 1
        if left:
            power = np.convolve(power, power)
    # reached[s]: the probability of a sum of at least s + window * least, in units of 1 / scale.
    reached = np.cumsum(sums[::-1])[::-1]
    rare = np.flatnonzero(reached <= chance)
    lowest = int(rare[0]) if len(rare) else len(sums) - 1
    return float(lowest + window * least) / scale
