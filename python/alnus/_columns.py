"""The columns of rows, said once for Rows, which has arrays of them, and for Pair, which has their values."""

from __future__ import annotations

from typing import Generic, TypeVar

Score = TypeVar("Score")
Index = TypeVar("Index")
Count = TypeVar("Count")
Real = TypeVar("Real")
Sign = TypeVar("Sign")


class Columns(Generic[Score, Index, Count, Real, Sign]):
    """The columns by name. Tables have them in this order, and the two ids in place of the indices.

    Nothing is stored here: the classes look a column up when it is used.
    """

    __slots__ = ()

    query: Index
    subject: Index
    score: Score
    adjusted_score: Real
    bits: Real
    evalue: Real
    zscore: Real
    zscore_se: Real
    zfit: Real
    strand: Sign
    query_begin: Count
    query_end: Count
    subject_begin: Count
    subject_end: Count
    length: Count
    identical: Count
    positive: Count
    mismatches: Count
    gap_opens: Count
    gap_residues: Count


COLUMN_NAMES = tuple(Columns.__annotations__)
# The columns of the tables that to_dict() makes. Columns that the call did not compute are left out.
COLUMNS = tuple(name for name in COLUMN_NAMES if name not in ("query", "subject"))
