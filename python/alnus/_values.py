"""Values of pairs that pass a cutoff, as sparse arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from alnus._arguments import number, word
from alnus._errors import InputError
from alnus._following import ProgressArgument
from alnus._options import Strand, Value
from alnus._rows import Denominator
from alnus._scoring import Alphabet, Scoring, ScoringWords

if TYPE_CHECKING:
    import numpy.typing as npt

IndexedValues = tuple["npt.NDArray[np.uint32]", "npt.NDArray[np.uint32]", "npt.NDArray[np.float64]"]
ValuesFormat = Literal["condensed", "rectangle", "csr", "coo", "pairs"]
_SPARSE = ("csr", "coo", "pairs")


class ValuesWords(ScoringWords, total=False):
    """Arguments of ``pdist`` and ``cdist`` that do not decide what the result is."""

    value: Value
    denominator: Denominator
    scoring: Scoring | None
    alphabet: Alphabet | None
    strand: Strand | None
    progress: ProgressArgument


class ValuesWanted(NamedTuple):
    """What ``pdist`` and ``cdist`` were asked for."""

    value: Value
    denominator: Denominator
    cutoff: float | None
    format: ValuesFormat | None
    strand: Strand | None


def checked_format(cutoff: float | None, kind: str | None, value: str, *, one_set: bool) -> tuple[float | None, str]:
    """The cutoff in the library's units, and the format; a dense one has no cutoff."""
    limit, dense = number("cutoff", cutoff), "condensed" if one_set else "rectangle"
    chosen = word("format", kind) or (dense if limit is None else "csr")
    if chosen != dense and chosen not in _SPARSE:
        raise InputError(f"There is no format {chosen!r}; choose {dense}, csr, coo or pairs.")
    if (chosen == dense) != (limit is None):
        raise InputError(
            f"format={chosen!r} is for values of all pairs; cutoff is for csr, coo or pairs."
            if chosen == dense
            else f"format={chosen!r} needs a cutoff, which says what pairs it has."
        )
    return (limit if limit is None or value != "identity" else _percent(limit)), chosen


def _percent(share: float) -> float:
    """The lowest percent that is as a share, divided by 100, not below ``share``."""
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
    """The pairs in the format; of one set (``columns`` is None) a pair's column is the earlier sequence."""
    if kind == "pairs":
        return (row, column, value) if columns is not None else (column, row, value)
    from scipy import sparse

    if columns is None:
        row, column = np.concatenate((column, row)), np.concatenate((row, column))
        value, shape = np.concatenate((value, value)), (rows, rows)
    else:
        shape = (rows, columns)
    # SciPy counts with signed numbers.
    index = np.int64 if max(shape) > np.iinfo(np.int32).max else np.int32
    made = sparse.coo_array((value, (row.astype(index), column.astype(index))), shape=shape)
    return made if kind == "coo" else made.tocsr()
