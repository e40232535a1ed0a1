"""The columns of rows, said once for Rows, which has arrays of them, and for Pair, which has their values."""

from __future__ import annotations

import inspect
import textwrap
from typing import Annotated, Generic, TypeVar, get_args, get_type_hints

Score = TypeVar("Score")
Index = TypeVar("Index")
Count = TypeVar("Count")
Real = TypeVar("Real")
Sign = TypeVar("Sign")
_ARRAYS = {
    Score: "int32 array, or float64 array if the scoring has decimals",
    Index: "uint32 array",
    Count: "int32 array or None",
    Real: "float64 array or None",
    Sign: "int8 array or None",
}


class Columns(Generic[Score, Index, Count, Real, Sign]):
    """The columns by name. Tables have them in this order, and the two ids in place of the indices.

    Nothing is stored here: the classes look a column up when it is used.
    """

    __slots__ = ()

    query: Annotated[Index, "The index of the query in ``queries``."]
    subject: Annotated[Index, "The index of the subject in ``subjects``."]
    score: Annotated[Score, "The score, in the matrix' units."]
    adjusted_score: Annotated[Real, "The adjusted score, in the matrix' units; NaN where a row has none."]
    bits: Annotated[
        Real, "The bit score, from the adjusted score, or from the score where there is none; NaN if a row has none."
    ]
    evalue: Annotated[
        Real, "The E-value, from the adjusted score, or from the score where there is none; NaN if a row has none."
    ]
    zscore: Annotated[Real, 'The Z-value, with ``stats="zvalue"`` or ``"regression"``; NaN where a row has none.']
    zscore_se: Annotated[Real, 'The standard error of the Z-value, with ``stats="zvalue"``; NaN where a row has none.']
    zfit: Annotated[
        Real,
        'With ``stats="zvalue"``: the P-value of a test whether the scores of shuffles follow the distribution that '
        "the E-value assumes; NaN where a row has none.",
    ]
    strand: Annotated[
        Sign,
        "The strand that was aligned, 1 for plus and -1 for minus: that of the query, or, in rows of all pairs, of the "
        "longer sequence. None if only plus strands were asked for.",
    ]
    hsp: Annotated[
        Count,
        "The number of the alignment among those of its pair, from 1 on. None if only the first alignments were asked "
        "for.",
    ]
    query_begin: Annotated[
        Count,
        "Where the alignment begins in the query, as it was given, from 0 on. With minus strands and "
        '``detail="ends"``, -1 stands for what is not known, as in the next three columns.',
    ]
    query_end: Annotated[Count, "The place behind the last aligned residue in the query, from 0 on."]
    subject_begin: Annotated[Count, "Where the alignment begins in the subject, as it was given, from 0 on."]
    subject_end: Annotated[Count, "The place behind the last aligned residue in the subject, from 0 on."]
    length: Annotated[Count, "The number of columns of the alignment."]
    identical: Annotated[Count, "The number of columns with equal letters."]
    positive: Annotated[Count, "The number of columns with a score above 0."]
    mismatches: Annotated[Count, "The number of columns with different letters."]
    gap_opens: Annotated[Count, "The number of gaps."]
    gap_residues: Annotated[Count, "The number of residues in gaps."]


COLUMN_NAMES = tuple(Columns.__annotations__)
# The columns of the tables that to_dict() makes. Columns that the call did not compute are left out.
COLUMNS = tuple(name for name in COLUMN_NAMES if name not in ("query", "subject"))


class WithColumns:
    """The docstring of a class, with a description of each column at the begin of its attributes.

    It is made when it is looked at, because importing the package should not wait for it.
    """

    def __init__(self, docstring: str | None) -> None:
        self._docstring = docstring

    def __get__(self, instance: object, owner: type) -> str | None:
        if self._docstring is None:  # Python runs without docstrings
            return None
        described = []
        for name, hint in get_type_hints(Columns, include_extras=True).items():
            kind, text = get_args(hint)
            described.append(f"{name} : {_ARRAYS[kind]}\n{textwrap.indent(textwrap.fill(text, 112), '    ')}\n")
        head = "Attributes\n----------\n"
        return inspect.cleandoc(self._docstring).replace(head, head + "".join(described), 1)
