"""Values of pairs that pass a cutoff or are nearest, as sparse arrays."""

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
    top_k: int  # 0: all
    format: ValuesFormat | None
    strand: Strand | None


def checked_format(wanted: ValuesWanted, *, one_set: bool) -> tuple[float | None, str]:
    """The cutoff in the library's units, and the format; a dense one has neither cutoff nor top_k."""
    limit, dense = number("cutoff", wanted.cutoff), "condensed" if one_set else "rectangle"
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
    """The pairs in the format; where ``columns`` is None, each pair of one set once, its column the earlier one."""
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
