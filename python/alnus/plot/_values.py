"""The values of all pairs that a heat map shows: their kinds, and how sequences and arrays give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alnus._arguments import word
from alnus._errors import InputError
from alnus._options import Value
from alnus._sequences import database_of

if TYPE_CHECKING:
    from alnus._session import Session


class Kind(NamedTuple):
    """What a kind of value means, and how it is shown.

    Attributes
    ----------
    title : str
        The words above the bar that explains the colours.
    is_distance : bool
        True if similar sequences have low values, False if they have high ones.
    with_self : float or None
        The value of a sequence with itself; None if it depends on the sequence.
    factor : float
        What values are multiplied by before they are shown.
    highest : float or None
        The highest value that is possible, after that multiplication, or None.
    unaligned : float
        The value of a pair with a sequence that nothing can be aligned with, or infinity.
    """

    title: str
    is_distance: bool
    with_self: float | None
    factor: float
    highest: float | None
    unaligned: float = np.inf


KINDS: dict[Value, Kind] = {
    "identity": Kind("identity in %", False, 1, 100, 100),
    "distance": Kind("distance", True, 0, 1, 1),
    "score": Kind("score", False, None, 1, None),
    "score_distance": Kind("score distance", True, 0, 1, None, 2147483647),
}


# Distances of other programs may be above 1: substitutions for each residue, of which published tables have at most 10.
_FARTHEST = 10


class Values(NamedTuple):
    """The values of all pairs of a set.

    Attributes
    ----------
    square : float64 array of shape (n, n)
        The values. The diagonal is NaN where the value of a sequence with itself is not known.
    names : list of n str
        The names of the sequences.
    kind : Kind
        What the values are.
    """

    square: npt.NDArray[np.float64]
    names: list[str]
    kind: Kind

    def distances(self) -> npt.NDArray[np.float64]:
        """Return what sequences are clustered by, in condensed order: 0 or more, and low for similar sequences.

        Identities count as 1 - identity, and scores as the highest score of a pair - score. Negative distances count as
        0. Distances from sequences that nothing can be aligned with count as a tenth more than the largest other one,
        so that the tree shows the others.
        """
        condensed = self.square[np.triu_indices(len(self.square), 1)]
        if np.isfinite(self.kind.unaligned) and self.kind.highest is None:
            unaligned = condensed >= self.kind.unaligned
            condensed[unaligned] = 1.1 * max(condensed[~unaligned].max(initial=0), 1)
        if not self.kind.is_distance:
            highest = condensed.max(initial=-np.inf) if self.kind.with_self is None else self.kind.with_self
            condensed = highest - condensed
        return np.maximum(condensed, 0)


def kind_of(value: Value) -> Kind:
    """Return the kind of this name. InputError if there is none."""
    if word("value", value) not in KINDS:
        raise InputError(f"There is no value {value!r}; choose {', '.join(list(KINDS)[:-1])} or {list(KINDS)[-1]}.")
    return KINDS[value]


def values_of_sequences(sequences: Any, value: Value | None, session: Session | None, arguments: Any) -> Values:
    """Align all pairs of the sequences, and return their values; ``arguments`` are those of ``pdist`` otherwise."""
    from alnus import default_session

    chosen: Value = value or "identity"
    kind = kind_of(chosen)
    using = default_session() if session is None else session
    database = database_of(sequences, using, alphabet=arguments.get("alphabet"), name="values").in_file_order()
    if len(database) == 0:
        raise InputError("There is no sequence.")
    if "scoring" not in arguments:
        arguments = {"mode": "global", **arguments}
    square = _square(using.pdist(database, value=chosen, **arguments), kind)
    if chosen == "score":
        of_scoring = {name: one for name, one in arguments.items() if name not in ("denominator", "progress", "strand")}
        np.fill_diagonal(square, using.align(database, database, detail="score", **of_scoring).score)
    return Values(square, database.ids, kind)


def values_of_array(array: npt.NDArray[Any], value: Value | None, names: list[str] | None) -> Values:
    """Return the values of a condensed or a square array. Without names the sequences are called "0", "1" and so on."""
    if value is None:
        raise InputError(
            "An array does not tell what its values are: add value='distance' for what pdist() gives by default, or "
            "value='identity', 'score' or 'score_distance'."
        )
    kind = kind_of(value)
    square = _square(array, kind)
    return Values(square, [str(k) for k in range(len(square))] if names is None else names, kind)


def array_of(values: Any) -> npt.NDArray[Any] | None:
    """Return ``values`` as an array if they are numbers, None if they may be sequences."""
    if hasattr(values, "tocsr"):
        raise InputError("A sparse array lacks the values of most pairs; call pdist() without cutoff and top_k.")
    first = values[0] if isinstance(values, list) and values else None
    first = first[0] if isinstance(first, list | np.ndarray) and len(first) > 0 else first
    if isinstance(first, int | float | np.number):
        try:
            values = np.asarray(values)
        except ValueError:
            raise InputError("The rows of the matrix have different lengths.") from None
    elif hasattr(values, "to_numpy") and (hasattr(values, "dtype") or hasattr(values, "dtypes")):  # pandas, polars
        values = values.to_numpy()
    return values if isinstance(values, np.ndarray) and values.dtype.kind in "biuf" else None


def _square(values: npt.NDArray[Any], kind: Kind) -> npt.NDArray[np.float64]:
    """Return values of a condensed or a square array as a new square array, after checks."""
    numbers = np.array(values, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise InputError("A value of the array is infinite or no number.")
    if kind is KINDS["identity"] and (numbers.min(initial=0) < 0 or numbers.max(initial=0) > 1.000001):
        raise InputError("Identities are from 0 to 1; those in percent must be divided by 100.")
    if kind is KINDS["distance"] and numbers.min(initial=0) < 0:
        raise InputError("Distances are 0 or more.")
    if kind is KINDS["distance"] and numbers.max(initial=0) > _FARTHEST:
        raise InputError(
            f"A distance is {numbers.max():g}, but distances are fractions. Give value='score' for scores, "
            "value='score_distance' for score distances, and divide distances in percent by 100."
        )
    if numbers.ndim == 2 and numbers.shape[0] == numbers.shape[1] and len(numbers) > 0:
        if not np.allclose(numbers, numbers.T):
            raise InputError("The square matrix is not symmetric.")
        return _checked_diagonal(numbers, kind)
    count = round((1 + (1 + 8 * numbers.size) ** 0.5) / 2)
    if numbers.ndim != 1 or count * (count - 1) // 2 != numbers.size:
        raise InputError(f"An array of shape {numbers.shape} is neither condensed nor square.")
    square = np.full((count, count), np.nan if kind.with_self is None else kind.with_self, dtype=np.float64)
    upper = np.triu_indices(count, 1)
    square[upper] = numbers
    square.T[upper] = numbers
    return square


def _checked_diagonal(square: npt.NDArray[np.float64], kind: Kind) -> npt.NDArray[np.float64]:
    """Return the array, if its diagonal fits the kind of its values: a sequence is most similar to itself."""
    diagonal = square.diagonal()
    others = square[~np.eye(len(square), dtype=bool)]
    if kind.is_distance and others.size > 0 and diagonal.mean() > others.mean():
        raise InputError(
            "The diagonal has higher values than the rest, but a sequence has the least distance from itself. Are the "
            "values identities or scores?"
        )
    if not kind.is_distance and not diagonal.any():
        raise InputError(
            "The diagonal is 0, but a sequence is not unlike itself. Are the values distances? If not, give the "
            "condensed array, because scipy's squareform() makes the diagonal 0."
        )
    return square
