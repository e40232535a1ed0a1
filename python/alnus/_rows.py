"""Results: rows in columns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from alnus import _alnus, _views
from alnus._arguments import flag, path, row_numbers, word
from alnus._errors import InputError
from alnus._following import quiet
from alnus._overload import overload
from alnus._pair import Pair
from alnus._scoring import Scoring
from alnus._sequences import Database

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars

    from alnus._session_base import SessionBase

Denominator = Literal["alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"]
FastaPart = Literal["subjects", "regions", "alignments"]

# The columns of a table, in its order; those that a call did not make are left out.
COLUMNS = (
    "score",
    "adjusted_score",
    "bits",
    "evalue",
    "zscore",
    "zscore_se",
    "zfit",
    "strand",
    "query_begin",
    "query_end",
    "subject_begin",
    "subject_end",
    "length",
    "identical",
    "positive",
    "mismatches",
    "gap_opens",
    "gap_residues",
)


class Histogram(NamedTuple):
    """How often each score occurs among the pairs of a search, and how often it would by chance.

    Attributes
    ----------
    lowest : float
        The score of the first count, in the matrix' units; the next are 1 / ``scale`` apart.
    pairs : uint64 array
        Pairs of each score.
    expected : float64 array
        As many unrelated pairs; empty where no statistics tell.
    stride : int
        Every ``stride``-th subject was counted.
    scale : int
    """

    lowest: float
    pairs: npt.NDArray[np.uint64]
    expected: npt.NDArray[np.float64]
    stride: int
    scale: int


class Rows:
    """Rows of a search, or of pairs that were aligned.

    Columns are NumPy arrays that show the library's memory without a copy, and are read-only. A column is
    None where a call did not make it (``detail``, ``significance``). Coordinates count from 0, with the end
    behind the last residue. ``rows[3]`` is one :class:`Pair`; a slice, a mask or an array of numbers chooses rows:
    ``rows[rows.evalue < 1e-5]``.

    Attributes
    ----------
    query, subject : uint32 array
        Indices in ``queries`` and ``subjects``.
    score : int32 array, or float64 where the scoring has decimals
        In the matrix' units.
    adjusted_score, bits, evalue : float64 array or None
        NaN where there is none. ``bits`` and ``evalue`` are of the adjusted score.
    zscore, zscore_se, zfit : float64 array or None
        Of ``stats="zvalue"``: Z-value, its standard error, and how well shuffled scores fit.
    strand : int8 array or None
        1 for the plus strand and -1 for the minus strand of the query (of all pairs: of the longer sequence);
        None where only plus strands were asked for.
    query_begin, query_end, subject_begin, subject_end : int32 array or None
        On the minus strand, too, places in the sequence as it was given, with begin before end.
    length, identical, positive, mismatches, gap_opens, gap_residues : int32 array or None
        Counts of each alignment: its columns, those with equal letters, with a score above 0, with different
        letters, its gaps, and the residues in them.
    summary : dict
        What the call counted: pairs, cells, seconds and so on.
    """

    score: npt.NDArray[Any]
    query: npt.NDArray[np.uint32]
    subject: npt.NDArray[np.uint32]
    adjusted_score: npt.NDArray[np.float64] | None
    bits: npt.NDArray[np.float64] | None
    evalue: npt.NDArray[np.float64] | None
    zscore: npt.NDArray[np.float64] | None
    zscore_se: npt.NDArray[np.float64] | None
    zfit: npt.NDArray[np.float64] | None
    strand: npt.NDArray[np.int8] | None
    query_begin: npt.NDArray[np.int32] | None
    query_end: npt.NDArray[np.int32] | None
    subject_begin: npt.NDArray[np.int32] | None
    subject_end: npt.NDArray[np.int32] | None
    length: npt.NDArray[np.int32] | None
    identical: npt.NDArray[np.int32] | None
    positive: npt.NDArray[np.int32] | None
    mismatches: npt.NDArray[np.int32] | None
    gap_opens: npt.NDArray[np.int32] | None
    gap_residues: npt.NDArray[np.int32] | None
    summary: dict[str, Any]
    histogram: Histogram | None

    __array_ufunc__ = None  # comparing an array with rows compares no elements

    def __init__(
        self,
        core: _alnus.Rows,
        scoring: Scoring,
        session: SessionBase | None = None,
        databases: tuple[Database, Database] | None = None,
        summary: dict[str, Any] | None = None,
        histogram: Histogram | None = None,
    ) -> None:
        self._core = core
        self._session = session
        self._databases = databases
        self.scoring = scoring
        self.summary = {} if summary is None else summary
        self.histogram = histogram

    def __len__(self) -> int:
        return len(self._core)

    # Columns are found here when they are asked for.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in _COLUMN_NAMES:
                return getattr(self._core, name)
            raise AttributeError(f"Rows have no column {name!r}.")

    @property
    def queries(self) -> Database:
        """The sequences that ``query`` counts."""
        return Database._of_core(self._core.queries) if self._databases is None else self._databases[0]

    @property
    def subjects(self) -> Database:
        """The sequences that ``subject`` counts."""
        return Database._of_core(self._core.subjects) if self._databases is None else self._databases[1]

    @property
    def statistics(self) -> str:
        """What E-values are judged by, in words."""
        return self._core.statistics

    @property
    def first_row(self) -> npt.NDArray[np.uint64] | None:
        """Of a search: query q has the rows from ``first_row[q]`` up to before ``first_row[q + 1]``."""
        return self._core.first_row if len(self._core.first_row) > 0 else None

    def of_query(self, query: int) -> Rows:
        """The rows of one query of a search, which may be none."""
        return self[np.flatnonzero(self.query == query)]

    @property
    def query_id(self) -> npt.NDArray[np.object_]:
        """The id of each row's query."""
        return _objects(self._core.queries.some_ids(self._core.query))

    @property
    def subject_id(self) -> npt.NDArray[np.object_]:
        """The id of each row's subject."""
        return _objects(self._core.subjects.some_ids(self._core.subject))

    @property
    def cigars(self) -> list[str]:
        """The CIGAR of each row: ``12=1X3I``, where ``I`` is a residue of the query alone."""
        return [self._core.cigar(index) for index in range(len(self))]

    @property
    def aligned(self) -> list[tuple[str, str]]:
        """The aligned parts of each row's query and subject, with ``-`` for gaps."""
        return [self[index].aligned for index in range(len(self))]

    def identity(self, denominator: Denominator = "alignment") -> npt.NDArray[np.float64]:
        """The share of identical residues of each row, 0 to 1.

        Parameters
        ----------
        denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}
            Columns of the alignment, those without gaps, the residues of the shorter or longer sequence or
            their mean, or the columns with the residues that are not aligned. In global mode a long sequence
            has most residues of a short one somewhere, so that ``"shorter"`` says little there.
        """
        return self._core.identity(word("denominator", denominator) or "alignment")

    def identity_range(self, denominator: Denominator = "alignment") -> npt.NDArray[np.float64]:
        """Lowest and highest identity of each row, 0 to 1, over all alignments of its score; shape (n, 2).

        The call must have been asked for it by ``identity_ranges``.
        """
        return self._core.identity_range(word("denominator", denominator) or "alignment")

    @overload
    def __getitem__(self, which: int) -> Pair: ...
    @overload
    def __getitem__(self, which: slice | npt.ArrayLike) -> Rows: ...
    def __getitem__(self, which: Any) -> Pair | Rows:
        if hasattr(which, "__index__") and not isinstance(which, np.ndarray | bool | np.bool_):
            index = int(which.__index__())
            place = index + len(self) if index < 0 else index
            if not 0 <= place < len(self):
                raise IndexError(f"There is no row {index} among {len(self)}.")
            return Pair(self, place)
        chosen = self._core.selected(row_numbers(which, len(self)))
        return Rows(chosen, self.scoring, self._session, self._databases, self.summary, self.histogram)

    def _alone(self, index: int) -> Rows:
        """One row with its two sequences and nothing else."""
        return Rows(self._core.alone(index), self.scoring)

    def __iter__(self) -> Iterator[Pair]:
        return (Pair(self, index) for index in range(len(self)))

    def to_dict(self, *, cigars: bool = False) -> dict[str, Any]:
        """The columns by name, with the ids first, and the CIGARs if they are wanted."""
        columns: dict[str, Any] = {"query_id": self.query_id, "subject_id": self.subject_id}
        for name in COLUMNS:
            column = getattr(self._core, name)
            if column is not None and not (name in _OF_SHUFFLES and np.isnan(column).all()):
                columns[name] = column
        if cigars:
            columns["cigar"] = self.cigars
        return columns

    def to_pandas(self, *, cigars: bool = False) -> pandas.DataFrame:
        """The columns as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.to_dict(cigars=cigars))

    def to_polars(self, *, cigars: bool = False) -> polars.DataFrame:
        """The columns as a polars DataFrame."""
        import polars

        columns = self.to_dict(cigars=cigars)
        return polars.DataFrame(
            {name: list(column) if _is_text(column) else column for name, column in columns.items()}
        )

    def to_arrow(self, *, cigars: bool = False) -> Any:
        """The columns as a pyarrow Table."""
        import pyarrow

        columns = self.to_dict(cigars=cigars)
        return pyarrow.table(
            {
                name: pyarrow.array(column, pyarrow.string()) if _is_text(column) else pyarrow.array(column)
                for name, column in columns.items()
            }
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Arrow's stream of the columns, for ``pyarrow.table(rows)``, DuckDB and others; needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_fasta(self, part: FastaPart = "subjects") -> str:
        """FASTA of what was found.

        Parameters
        ----------
        part : {"subjects", "regions", "alignments"}
            ``"subjects"``: each subject once, whole. ``"regions"``: the aligned part of each row's subject,
            without gaps. ``"alignments"``: query and subject of each row, with gaps, one after the other.

        Examples
        --------
        >>> rows = align(["MKVLAW"], ["MKVAW"], mode="global")
        >>> print(rows.to_fasta("alignments"), end="")
        >0
        MKVLAW
        >0
        MKV-AW
        """
        return _views.fasta(self, word("part", part) or "subjects")

    def write(
        self,
        file: str | os.PathLike[str],
        format: str = "6",
        *,
        header: bool = False,
        command_line: str = "",
    ) -> None:
        """Writes the rows in one of the program's formats, byte for byte.

        Parameters
        ----------
        file : path
            Complete or absent; ``.gz`` and ``.zst`` are compressed. ``"-"`` is standard output.
        format : str
            As the program's ``--outfmt``: ``"0"``, ``"5"``, ``"6 qaccver saccver evalue"``, ``"sam"``,
            ``"srspair"``, ``"jsonl"`` and so on.
        header : bool
            A line with the names of the columns, in formats 6 and 10.
        command_line : str
            For the heads of SAM and srspair.

        Raises
        ------
        InputError
            For a format that there is not, or that needs alignments.
        OutputError
            For a file that cannot be written.
        """
        from alnus._default import default_session

        if not isinstance(format, str | int) or isinstance(format, bool):
            raise InputError(f"format is {format!r}; it must be a str such as '6 qaccver saccver evalue'.")
        _alnus.write(
            (self._session or default_session())._core,
            self._core,
            word("format", str(format)) or "6",
            path("file", file),
            header=flag("header", header),
            command_line=word("command_line", command_line) or "",
            listeners=quiet,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self._core.state(), self.queries, self.subjects, self.scoring, self.summary, self.histogram)
        return _rows_of_state, state

    def __repr__(self) -> str:
        return _views.table(self)

    def _repr_html_(self) -> str:
        return _views.table_html(self)


_OF_SHUFFLES = frozenset(("zscore", "zscore_se", "zfit"))
_COLUMN_NAMES = frozenset((*COLUMNS, "query", "subject"))


def _objects(texts: list[str]) -> npt.NDArray[np.object_]:
    array = np.empty(len(texts), dtype=np.object_)
    array[:] = texts
    return array


def _is_text(column: Any) -> bool:
    return isinstance(column, list) or column.dtype == object


def _rows_of_state(
    state: tuple[Any, ...],
    queries: Database,
    subjects: Database,
    scoring: Scoring,
    summary: dict[str, Any],
    histogram: Histogram | None,
) -> Rows:
    core = _alnus.Rows.of_state(state, queries._core, subjects._core, scoring._core)
    return Rows(core, scoring, None, (queries, subjects), summary, histogram)
