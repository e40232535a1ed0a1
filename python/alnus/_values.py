"""Arguments and results of ``pdist`` and ``cdist``: formats, cutoffs, and sparse arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from alnus._arguments import number, word
from alnus._errors import InputError
from alnus._options import Strand, Value
from alnus._rows import Denominator

if TYPE_CHECKING:
    import numpy.typing as npt

IndexedValues = tuple["npt.NDArray[np.uint32]", "npt.NDArray[np.uint32]", "npt.NDArray[np.float64]"]
ValuesFormat = Literal["condensed", "rectangle", "csr", "coo", "pairs"]
_SPARSE = ("csr", "coo", "pairs")


class ValuesWanted(NamedTuple):
    """The arguments of a call of ``pdist`` or ``cdist`` that say which values are wanted."""

    value: Value
    denominator: Denominator
    cutoff: float | None
    top_k: int  # 0: all pairs are wanted
    format: ValuesFormat | None
    strand: Strand | None


def checked_format(wanted: ValuesWanted, *, one_set: bool) -> tuple[float | None, str]:
    """Return the cutoff in the library's units, which has identities in percent, and the format.

    ``one_set`` is True for ``pdist``. Raises InputError for an unknown format, for a dense format (``"condensed"``,
    ``"rectangle"``) with a cutoff or ``top_k``, for a sparse format with neither, for a cutoff of identities or
    distances that is not a fraction, and for a negative cutoff of score distances.
    """
    limit, dense = _cutoff(wanted), "condensed" if one_set else "rectangle"
    every = limit is None and wanted.top_k == 0
    chosen = word("format", wanted.format) or (dense if every else "csr")
    if chosen != dense and chosen not in _SPARSE:
        raise InputError(f"There is no format {chosen!r}; choose {dense}, csr, coo or pairs.")
    if (chosen == dense) != every:
        raise InputError(
            f"format={chosen!r} is for values of all pairs; cutoff and top_k are for csr, coo or pairs."
            if chosen == dense
            else f"format={chosen!r} needs a cutoff or top_k, which say what pairs it has."
        )
    return (limit if limit is None or wanted.value != "identity" else _percent(limit)), chosen


def _cutoff(wanted: ValuesWanted) -> float | None:
    limit = number("cutoff", wanted.cutoff)
    if limit is None:
        return None
    if wanted.value in ("identity", "distance") and not 0 <= limit <= 1:
        values = "identities" if wanted.value == "identity" else "distances"
        advice = f" from 0 to 1: write {limit / 100:g} for {limit:g}%." if 2 <= limit <= 100 else ""
        raise InputError(f"cutoff is {limit:g}, but {values} are fractions{advice or '; it must be from 0 to 1.'}")
    if wanted.value == "score_distance" and limit < 0:
        raise InputError(f"cutoff is {limit:g}, but score distances are 0 or more.")
    return limit


def _percent(share: float) -> float:
    """Return the lowest percentage that is at least ``share`` when it is divided by 100, in floating point."""
    percent = share * 100
    while percent / 100 < share:
        percent = math.nextafter(percent, math.inf)
    while math.nextafter(percent, -math.inf) / 100 >= share > -math.inf:
        percent = math.nextafter(percent, -math.inf)
    return percent


def sparse_result(
    row: npt.NDArray[np.uint32],
    column: npt.NDArray[np.uint32],
    value: npt.NDArray[np.float64],
    kind: str,
    rows: int,
    columns: int | None,
) -> Any:
    """Return pairs and their values in a sparse format.

    ``row``, ``column`` and ``value`` have one element for each pair. ``kind`` is the format: ``"csr"``, ``"coo"`` or
    ``"pairs"``. ``rows`` and ``columns`` are the shape of the matrix. If ``columns`` is None, the pairs are of one set,
    each pair is given once, with the earlier sequence as its column, and the matrix is symmetric.
    """
    if kind == "pairs":
        return (row, column, value) if columns is not None else (column, row, value)
    from scipy import sparse

    if columns is None:
        row, column = np.concatenate((column, row)), np.concatenate((row, column))
        value, shape = np.concatenate((value, value)), (rows, rows)
    else:
        shape = (rows, columns)
    # SciPy's sparse arrays need signed indices.
    index = np.int64 if max(shape) > np.iinfo(np.int32).max else np.int32
    made = sparse.coo_array((value, (row.astype(index), column.astype(index))), shape=shape)
    return made if kind == "coo" else made.tocsr()
