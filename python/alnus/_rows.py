"""Results of calls: a row for each alignment, a column for each kind of value."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from alnus import _alnus
from alnus._arguments import chosen_numbers, flag, memory_size, path, word, words
from alnus._columns import COLUMN_NAMES, COLUMNS, Columns, WithColumns
from alnus._errors import InputError
from alnus._following import quiet
from alnus._lookup import in_place_of, places_of
from alnus._overload import overload
from alnus._pair import Pair
from alnus._pickling import sealed
from alnus._scoring import Scoring
from alnus._sequences import Database
from alnus._tables import arrow_of, objects, pandas_of, polars_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars

    from alnus._session_base import SessionBase

Denominator = Literal["alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"]
CoverageOf = Literal["query", "subject", "shorter", "longer", "both"]
FastaPart = Literal["subjects", "regions", "alignments"]


class Histogram(NamedTuple):
    """How often each score occurs among the pairs of a search, and how often it would occur by chance.

    Attributes
    ----------
    lowest : float
        The score of ``pairs[0]`` and ``expected[0]``, in the matrix' units. The score at index k is
        ``lowest + k / scale``.
    pairs : uint64 array
        The number of pairs with each score. If both strands are aligned, each strand of a pair counts.
    expected : float64 array
        The number of pairs that would have each score if as many unrelated pairs were counted. Empty if the scores
        are not judged by any statistics.
    stride : int
        1 if all pairs were counted, else only the pairs with every ``stride``-th subject were.
    scale : int
        Scores are whole multiples of ``1 / scale``. It is 1 if the scoring has no decimals.
    """

    lowest: float
    pairs: npt.NDArray[np.uint64]
    expected: npt.NDArray[np.float64]
    stride: int
    scale: int


def _format_words(format: str | int) -> str:
    """Return the format as the program's --outfmt has it; a number alone may be an int."""
    if not isinstance(format, str | int) or isinstance(format, bool):
        raise InputError(f"format is {format!r}; it must be a str such as '6 qaccver saccver evalue'.")
    return word("format", str(format)) or "6"


class Rows(
    Columns[
        "npt.NDArray[Any]",
        "npt.NDArray[np.uint32]",
        "npt.NDArray[np.int32] | None",
        "npt.NDArray[np.float64] | None",
        "npt.NDArray[np.int8] | None",
    ]
):
    """Rows of a search, or of pairs that were aligned.

    Columns are NumPy arrays with one value for each row. Most of them show the library's memory without a copy, and
    are read-only. A column that the call did not compute, because of ``detail`` or ``significance``, is None.
    ``rows[3]`` is one :class:`Pair`; a slice, a mask or an array of numbers chooses rows: ``rows[rows.evalue < 1e-5]``.

    Attributes
    ----------
    summary : dict
        What a search counted: queries, pairs, cells, hits, seconds and so on; ``without_hits`` queries have no hit,
        and ``without_hits_ids`` names up to three of them; ``full_queries`` have as many hits as ``max_target_seqs``
        allows, fewer than there are subjects, so that hits may be missing, and ``full_query_ids`` names up to three of
        them. Empty for rows of other calls.
    histogram : Histogram or None
        The counts of all scores, if a search was asked for them by ``score_histogram=True``.
    scoring : Scoring
        The scoring of the call.
    """

    summary: dict[str, Any]
    histogram: Histogram | None

    # With None, NumPy's operators do not treat Rows as an array: array == rows is False, not an array of bools.
    __array_ufunc__ = None

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

    # Python calls this for a column, because no attribute of this name exists. Columns are looked up only when used.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in COLUMN_NAMES:
                return self._core.column(name)
            raise AttributeError(f"Rows have no column {name!r}.{in_place_of(name, 'rows', Rows, COLUMN_NAMES)}")

        def __dir__(self) -> list[str]:  # completion shows these names
            return [*super().__dir__(), *COLUMN_NAMES]

    @property
    def queries(self) -> Database:
        """The set of sequences in which the column ``query`` has indices."""
        return Database._of_core(self._core.queries) if self._databases is None else self._databases[0]

    @property
    def subjects(self) -> Database:
        """The set of sequences in which the column ``subject`` has indices."""
        return Database._of_core(self._core.subjects) if self._databases is None else self._databases[1]

    @property
    def statistics(self) -> str:
        """How the scores are judged, in words: the statistics' method and its parameters. Empty if they are not."""
        return self._core.statistics

    @property
    def first_row(self) -> npt.NDArray[np.uint64] | None:
        """The first row of each query of a search, as a uint64 array of one number more than there are queries.

        Query q has the rows from ``first_row[q]`` up to before ``first_row[q + 1]``. None for rows of other calls, and
        for chosen rows that are not in the order of the queries.
        """
        return self._core.first_row if len(self._core.first_row) > 0 else None

    def of_query(self, query: int | str) -> Rows:
        """Return the rows of one query; there may be none.

        Parameters
        ----------
        query : int or str
            The index of the query in ``queries``, from 0 on, or its id. If several queries have the id, their rows are
            returned.

        Raises
        ------
        IndexError
            If there is no such index.
        InputError
            If no query has the id.

        Examples
        --------
        >>> rows = search({"a": "MKVLAWQRYT", "b": "MKHLAWQRYT"}, {"s": "MKVLAWRYT"}, stats="none")
        >>> rows.of_query("b").query.tolist(), rows.of_query(0).query_id.tolist()
        ([1], ['a'])
        """
        return self[np.isin(self.query, places_of("query", query, self._core.queries))]

    def of_subject(self, subject: int | str) -> Rows:
        """Return the rows of one subject, given by its index in ``subjects`` or its id, as :meth:`of_query` does."""
        return self[np.isin(self.subject, places_of("subject", subject, self._core.subjects))]

    @property
    def query_id(self) -> npt.NDArray[np.object_]:
        """The id of each row's query, as an array of str objects."""
        return objects(self._core.queries.some_ids(self.query))

    @property
    def subject_id(self) -> npt.NDArray[np.object_]:
        """The id of each row's subject, as an array of str objects."""
        return objects(self._core.subjects.some_ids(self.subject))

    @property
    def query_title(self) -> npt.NDArray[np.object_]:
        """The title of each row's query, which follows the id in its header, as an array of str objects."""
        return objects(self._core.queries.some_titles(self.query))

    @property
    def subject_title(self) -> npt.NDArray[np.object_]:
        """The title of each row's subject, which follows the id in its header, as an array of str objects."""
        return objects(self._core.subjects.some_titles(self.subject))

    @property
    def cigars(self) -> list[str]:
        """The CIGAR of each row, such as ``12=1X3I``: ``I`` is a residue of the query alone, ``D`` one of the subject.

        Raises InputError if there are no alignments.
        """
        return [self._core.cigar(index) for index in range(len(self))]

    @property
    def aligned(self) -> list[tuple[str, str]]:
        """The aligned parts of each row's query and subject, with ``-`` for gaps; see :attr:`Pair.aligned`."""
        return [self[index].aligned for index in range(len(self))]

    def identity(self, denominator: Denominator = "alignment") -> npt.NDArray[np.float64]:
        """Return the identity of each row, from 0 to 1: the number of identical residues, divided by a length.

        Parameters
        ----------
        denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}, default "alignment"
            The length to divide by. ``"alignment"``: the columns of the alignment. ``"ungapped"``: its columns without
            gaps. ``"shorter"``, ``"longer"``, ``"mean"``: the residues of the shorter sequence, of the longer one, or
            their mean. ``"end_gaps"``: the columns of the alignment, and one more for each residue that is not aligned.
            In global mode most residues of a short sequence find an equal one somewhere in a long sequence, so that
            ``"shorter"`` says little there.

        Returns
        -------
        float64 array of shape (n,)

        Raises
        ------
        InputError
            If there are no alignments.
        """
        return self._core.identity(word("denominator", denominator) or "alignment")

    def coverage(self, of: CoverageOf) -> npt.NDArray[np.float64]:
        """Return the coverage of each row, from 0 to 1: the share of a sequence that its alignment reaches over.

        Parameters
        ----------
        of : {"query", "subject", "shorter", "longer", "both"}
            The sequence whose residues from the first aligned one to the last are divided by its length. ``"both"``:
            the lower of the coverages of query and subject, as it is for ``"shorter"`` and ``"longer"`` if their
            lengths are equal.

        Returns
        -------
        float64 array of shape (n,)

        Raises
        ------
        InputError
            If there are no alignments.
        """
        return self._core.coverage(word("coverage", of) or "query")

    def identity_range(self, denominator: Denominator = "alignment") -> npt.NDArray[np.float64]:
        """Return the lowest and the highest identity of each row over all alignments that have its score.

        Parameters
        ----------
        denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}, default "alignment"
            As for :meth:`identity`. The call must have been asked for this denominator by ``identity_ranges``.

        Returns
        -------
        float64 array of shape (n, 2), from 0 to 1
            NaN for rows with ``hsp`` above 1, which have no range.

        Raises
        ------
        InputError
            If the call was not asked for this denominator.
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
        if isinstance(which, str):
            use = in_place_of(which, "rows", Rows, COLUMN_NAMES)
            raise InputError(
                f"rows[{which!r}]: columns are attributes.{use} A number, a slice or a mask chooses rows, and "
                "rows.to_pandas() makes a table."
            )
        chosen = self._core.selected(chosen_numbers("row", which, len(self)))
        return Rows(chosen, self.scoring, self._session, self._databases, self.summary, self.histogram)

    def _alone(self, index: int) -> Rows:
        """Return one row with its own two sequences alone, in place of all queries and subjects."""
        return Rows(self._core.alone(index), self.scoring)

    def __iter__(self) -> Iterator[Pair]:
        return (Pair(self, index) for index in range(len(self)))

    def to_dict(
        self,
        *,
        cigars: bool = False,
        identity: Denominator | Iterable[Denominator] | None = None,
        coverage: CoverageOf | Iterable[CoverageOf] | None = None,
        titles: bool = False,
    ) -> dict[str, Any]:
        """Return the columns by name: ``query_id``, ``subject_id``, then those that the call computed.

        The other columns are ``score`` and those that follow it in the list of :class:`Rows`. Columns of Z-values that
        are NaN in all rows are left out.

        Parameters
        ----------
        cigars : bool, default False
            True: adds the column ``cigar``.
        identity : str or list of str, optional
            The denominator of identities, one of those of :meth:`identity`, adds the column ``identity``, from 0 to 1.
            A list adds a column for each of its denominators: ``identity_alignment``, ``identity_shorter`` and so on.
        coverage : str or list of str, optional
            The sequence whose coverage is told, one of those of :meth:`coverage`, adds the column ``coverage``, from 0
            to 1. A list adds ``coverage_query``, ``coverage_subject`` and so on.
        titles : bool, default False
            True: adds the columns ``query_title`` and ``subject_title``.

        Raises
        ------
        InputError
            For CIGARs, identities and coverages of rows without alignments, and for an unknown word.

        Examples
        --------
        >>> rows = search({"q": "MKVLAWQRYT"}, ">s1 a title\\nMKVLAWRYT\\n", stats="none")
        >>> columns = rows.to_dict(identity="alignment", coverage="subject", titles=True)
        >>> columns["subject_id"].tolist(), columns["subject_title"].tolist()
        (['s1'], ['a title'])
        >>> columns["identity"].tolist(), columns["coverage"].tolist()
        ([0.9], [1.0])
        """
        columns: dict[str, Any] = {"query_id": self.query_id, "subject_id": self.subject_id}
        for name in COLUMNS:
            column = self._core.column(name)
            if column is not None and not (name in _OF_SHUFFLES and np.isnan(column).all()):
                columns[name] = column
        if flag("cigars", cigars):
            columns["cigar"] = self.cigars
        shares: Any = (("identity", identity, self.identity), ("coverage", coverage, self.coverage))
        for name, of, values in shares:
            for one in [] if of is None else words(name, of):
                columns[name if isinstance(of, str) else f"{name}_{one}"] = values(one)
        if flag("titles", titles):
            columns["query_title"], columns["subject_title"] = self.query_title, self.subject_title
        return columns

    def to_pandas(
        self,
        *,
        cigars: bool = False,
        identity: Denominator | Iterable[Denominator] | None = None,
        coverage: CoverageOf | Iterable[CoverageOf] | None = None,
        titles: bool = False,
    ) -> pandas.DataFrame:
        """Return a pandas DataFrame of the columns of :meth:`to_dict`, which explains the arguments.

        Examples
        --------
        ``rows.to_pandas(identity="shorter", coverage=["query", "subject"], titles=True)``
        """
        return pandas_of(self.to_dict(cigars=cigars, identity=identity, coverage=coverage, titles=titles))

    def to_polars(
        self,
        *,
        cigars: bool = False,
        identity: Denominator | Iterable[Denominator] | None = None,
        coverage: CoverageOf | Iterable[CoverageOf] | None = None,
        titles: bool = False,
    ) -> polars.DataFrame:
        """Return a polars DataFrame of the columns of :meth:`to_dict`, which explains the arguments."""
        return polars_of(self.to_dict(cigars=cigars, identity=identity, coverage=coverage, titles=titles))

    def to_arrow(
        self,
        *,
        cigars: bool = False,
        identity: Denominator | Iterable[Denominator] | None = None,
        coverage: CoverageOf | Iterable[CoverageOf] | None = None,
        titles: bool = False,
    ) -> Any:
        """Return the columns of :meth:`to_dict`, which explains the arguments, as a pyarrow Table."""
        return arrow_of(self.to_dict(cigars=cigars, identity=identity, coverage=coverage, titles=titles))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return an Arrow stream of the columns of :meth:`to_dict`, for ``pyarrow.table(rows)``, DuckDB and others.

        Needs pyarrow.
        """
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_fasta(self, part: FastaPart = "subjects") -> str:
        """Return the sequences of the rows as a text in FASTA.

        Parameters
        ----------
        part : {"subjects", "regions", "alignments"}, default "subjects"
            ``"subjects"``: each subject once, whole. ``"regions"``: the aligned part of each row's subject, without
            gaps. ``"alignments"``: the aligned parts of each row's query and subject, with gaps, one after the other.

        Raises
        ------
        InputError
            For regions or alignments of rows that have none, and for an unknown ``part``.

        Examples
        --------
        >>> rows = align(["MKVLAW"], ["MKVAW"], mode="global")
        >>> print(rows.to_fasta("alignments"), end="")
        >0
        MKVLAW
        >0
        MKV-AW
        """
        from alnus import _views

        return _views.fasta(self, word("part", part) or "subjects")

    def write(
        self,
        file: str | os.PathLike[str],
        format: str = "6",
        *,
        header: bool = False,
        command_line: str = "",
    ) -> None:
        """Write the rows in one of the formats of the program ``alnus``, with the bytes that the program writes.

        Parameters
        ----------
        file : path
            The file appears complete or not at all. It is compressed if the name ends in ``.gz`` or ``.zst``.
            ``"-"`` is standard output.
        format : str, default "6"
            As the program's ``--outfmt``: ``"0"``, ``"5"``, ``"6 qaccver saccver evalue"``, ``"sam"``,
            ``"srspair"``, ``"jsonl"`` and so on.
        header : bool, default False
            True: the names of the columns are the first line. For formats 6 and 10.
        command_line : str, default ""
            The command line that the heads of SAM and srspair show.

        Raises
        ------
        InputError
            If there is no such format, if the rows lack the alignments that the format needs, if the name of the file
            promises another format (a table with tabs in ``.csv``, any format in ``.xlsx``), or if different ids become
            one name of SAM.
        OutputError
            If the file cannot be written.
        """
        from alnus._default import default_session

        _alnus.write(
            (self._session or default_session())._core,
            self._core,
            _format_words(format),
            path("file", file),
            header=flag("header", header),
            command_line=word("command_line", command_line) or "",
            listeners=quiet,
        )

    def report(
        self,
        file: str | os.PathLike[str],
        *,
        size: int | str = "100M",
        format: str = "6",
        header: bool = False,
        command_line: str = "",
    ) -> None:
        """Write the rows as an HTML report, with the bytes that the program's ``--report`` writes.

        A browser opens the file without a network. It shows the rows of each query with their alignments, if the rows
        have some. Of a search it also shows what ``summary`` says and, if there is one, the histogram of all scores;
        of chosen or unpickled rows it does not.

        Parameters
        ----------
        file : path
            The file appears complete or not at all.
        size : int or str, default "100M"
            The largest size of the file: bytes, or a text such as "20M"; at least 1M. Of a larger report
            each query keeps its best hits, the same number for each, and the report says so.
        format : str, default "6"
            The format of the table that the report saves, as for :meth:`write`.
        header : bool, default False
            True: that table begins with the names of its columns.
        command_line : str, default ""
            The command line that the report shows.

        Raises
        ------
        InputError
            If there is no such format, if ``size`` is too small, or if the name of the file promises another format.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> rows = search({"a": "MKVLAWQRYT"}, {"s": "MKVLAWRYT"}, stats="none")
        >>> rows.report("hits.html")
        """
        from alnus._default import default_session

        _alnus.write_report(
            (self._session or default_session())._core,
            self._core,
            _format_words(format),
            path("file", file),
            header=flag("header", header),
            command_line=word("command_line", command_line) or "",
            size=memory_size("size", size),
            listeners=quiet,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return sealed(
            _rows_of_state,
            self._core.state(),
            self.queries,
            self.subjects,
            self.scoring,
            self.summary,
            self.histogram,
        )

    def __repr__(self) -> str:
        from alnus import _views

        return _views.table(self)

    def _repr_html_(self) -> str:
        from alnus import _views

        return _views.table_html(self)


Rows.__doc__ = WithColumns(Rows.__doc__)  # type: ignore[assignment]
_OF_SHUFFLES = frozenset(("zscore", "zscore_se", "zfit"))


def _rows_of_state(
    state: tuple[Any, ...],
    queries: Database,
    subjects: Database,
    scoring: Scoring,
    summary: dict[str, Any],
    histogram: Histogram | None,
) -> Rows:
    if not (isinstance(summary, dict) and isinstance(histogram, Histogram | None)):
        raise InputError("These pickled rows are damaged: their summary is none.")
    core = _alnus.Rows.of_state(state, queries._core, subjects._core, scoring._core)
    return Rows(core, scoring, None, (queries, subjects), summary, histogram)
