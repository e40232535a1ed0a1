"""One row of a result: a pair of sequences with its score and alignment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from alnus._columns import COLUMN_NAMES, Columns
from alnus._errors import InputError
from alnus._lookup import in_place_of

if TYPE_CHECKING:
    from alnus._rows import Rows

_COMPLEMENT = str.maketrans("ACGTRYKMSWBDHVNacgtrykmswbdhvn", "TGCAYRMKSWVHDBNtgcayrmkswvhdbn")


class Pair(Columns[float, int, int, "float | None", "int | None"]):
    """One row of a result: two sequences with their score and alignment. ``print()`` shows the alignment.

    Attributes
    ----------
    score, adjusted_score, bits, evalue, query_begin, query_end, ... : int, float or None
        The row's value in each column of :class:`Rows`, where the columns are explained. None if the call did not
        compute the column.
    """

    __slots__ = ("_index", "_rows")

    def __init__(self, rows: Rows, index: int) -> None:
        self._rows = rows
        self._index = index

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in COLUMN_NAMES:
                raise AttributeError(f"A pair has no {name!r}.{in_place_of(name, 'pair', Pair, COLUMN_NAMES)}")
            column = self._rows._core.column(name)
            if column is None:
                return None
            value = column[self._index]
            return value.item() if isinstance(value, np.generic) else value

        def __dir__(self) -> list[str]:  # completion shows these names
            return [*super().__dir__(), *COLUMN_NAMES]

    @property
    def query_id(self) -> str:
        """The id of the query."""
        return self._rows._core.queries.id(self.query)

    @property
    def subject_id(self) -> str:
        """The id of the subject."""
        return self._rows._core.subjects.id(self.subject)

    @property
    def cigar(self) -> str:
        """The CIGAR, such as ``"12=1X3I"``.

        ``=`` are columns with equal residues, ``X`` with different ones, ``I`` residues of the query alone and ``D`` of
        the subject alone. InputError if there is no alignment.
        """
        return self._rows._core.cigar(self._index)

    @property
    def aligned(self) -> tuple[str, str]:
        """The aligned parts of query and subject, with ``-`` for gaps.

        If the query was aligned on its minus strand, its part is that of its reverse complement. InputError if there is
        no alignment.
        """
        core = self._rows._core
        query, subject = core.queries.letters(self.query), core.subjects.letters(self.subject)
        at_query, at_subject = self.query_begin, self.subject_begin
        if self.strand == -1:  # the CIGAR runs along the subject, and so through the query from its end to its begin
            query, at_query = query.translate(_COMPLEMENT)[::-1], len(query) - self.query_end
        of_query: list[str] = []
        of_subject: list[str] = []
        for length, operation in runs(self.cigar):
            if operation == "I":
                of_subject.append("-" * length)
            else:
                of_subject.append(subject[at_subject : at_subject + length])
                at_subject += length
            if operation == "D":
                of_query.append("-" * length)
            else:
                of_query.append(query[at_query : at_query + length])
                at_query += length
        return "".join(of_query), "".join(of_subject)

    def identity(self, denominator: str = "alignment") -> float:
        """Return the identity, from 0 to 1; :meth:`Rows.identity` explains the denominators and the errors."""
        if self._rows.identical is None:
            raise InputError("There is no identity without alignments; choose detail='alignment'.")
        return float(self._rows[[self._index]].identity(denominator)[0])  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        return _pair, (self._rows._alone(self._index),)

    def __str__(self) -> str:
        from alnus import _views

        return _views.alignment(self)

    def __repr__(self) -> str:
        return f"<Pair {self.query_id} x {self.subject_id}, score {self.score:g}>"

    def _repr_html_(self) -> str:
        from alnus import _views

        return _views.alignment_html(self)


def _pair(rows: Rows) -> Pair:
    if len(rows) != 1:
        raise InputError("This pickled row is damaged: it is not one row.")
    return Pair(rows, 0)


def runs(cigar: str) -> Iterator[tuple[int, str]]:
    """Yield the runs of a CIGAR, each as (length, operation)."""
    length = 0
    for character in cigar:
        if character.isdigit():
            length = 10 * length + int(character)
        elif length > 0:
            yield length, character
            length = 0
