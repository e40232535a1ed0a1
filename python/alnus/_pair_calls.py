"""All pairs of a set, or of two sets: rows, files and values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack

from alnus import _alnus
from alnus._arguments import flag, number, path, word
from alnus._errors import InputError
from alnus._following import ProgressArgument, listeners
from alnus._options import Detail, PairsWords, Strand, Value, nearest, row_options, split_filters
from alnus._overload import overload
from alnus._rows import Denominator
from alnus._scoring import Alphabet, Scoring, ScoringWords, scoring_of
from alnus._sequences import Database, database_of, databases_of
from alnus._session_base import SessionBase
from alnus._stream import PairStream
from alnus._values import IndexedValues, ValuesFormat, ValuesWanted, ValuesWords, checked_format, sparse_result

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from scipy import sparse


class PairCalls(SessionBase):
    """The calls of a session that align every pair."""

    def all_pairs(
        self,
        sequences: Any,
        against: Any = None,
        *,
        with_self: bool = False,
        top_k: int | None = None,
        value: Value | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = True,
        progress: ProgressArgument = False,
        **more: Unpack[PairsWords],
    ) -> PairStream:
        """Every pair of a set once, or every sequence of one set with every one of another, batch by batch.

        Parameters
        ----------
        sequences, against
            One set, or two. Indices in rows count sequences in the order of their files.
        with_self : bool
            Whether each sequence is paired with itself, too.
        min_score, min_identity, denominator, evalue, min_coverage, coverage_of, min_length
            Filters (:class:`FilterWords`): identity and coverage in percent.
        top_k : int, optional
            Of each sequence at most so many pairs, its nearest: of highest score or identity, or of lowest distance
            or score distance, by ``value``. A pair of one set may then be in the rows of both sequences.
        value : {"score", "identity", "distance", "score_distance"}, optional
            What decides which are nearest, by default the score; identity and distance use ``denominator``. Only
            with ``top_k``.
        significance : bool
            Whether bit scores and E-values are wanted.

        Returns
        -------
        PairStream
            An iterator over :class:`Rows`, by the later sequence, then by the earlier one, which is the query; of two
            sets by the first set's sequence, which is the query, then by the other; with ``top_k`` by the query, the
            nearest first. Local pairs of score 0 are not listed.

        Examples
        --------
        >>> for rows in all_pairs(["MKVLAW", "MKHLAW", "PPPPPP"], mode="global", significance=False):
        ...     print(rows.query.tolist(), rows.subject.tolist(), rows.score.tolist())
        [0, 0, 1] [1, 2, 2] [26, -13, -13]
        >>> for rows in all_pairs(["MKVLAW", "MKHLAW", "MKHLAV"], mode="global", top_k=1, significance=False):
        ...     print(rows.query.tolist(), rows.subject.tolist(), rows.score.tolist())
        [0, 1, 2] [1, 0, 1] [26, 26, 23]
        """
        self._check_free()
        if value is not None and top_k is None:
            raise InputError(f"value={value!r} says what top_k looks at, and there is no top_k.")
        first, second = self._sets(sequences, against, alphabet)
        denominator = more.get("denominator", "alignment")
        filters, of_call, statistics = split_filters(scoring, first.alphabet, more)
        options = row_options(detail, strand, identity_ranges, statistics, flag("significance", significance))
        core = _alnus.stream(
            self._core,
            first._core,
            None if second is None else second._core,
            of_call._core,
            options,
            filters,
            self=flag("with_self", with_self),
            top_k=nearest(top_k),
            value=word("value", value),
            denominator=word("denominator", denominator) or "alignment",
        )
        stream = PairStream(core, of_call, self, progress)
        self._streams.add(stream)
        return stream

    def write_all_pairs(
        self,
        sequences: Any,
        against: Any = None,
        *,
        output: str | os.PathLike[str] | None = None,
        format: str = "6",
        header: bool = False,
        matrices: Mapping[Value, str | os.PathLike[str]] | None = None,
        matrix_type: Literal["float32", "int32"] | None = None,
        square: bool = False,
        phylip: str | os.PathLike[str] | None = None,
        edges: str | os.PathLike[str] | None = None,
        edge_value: Value | None = None,
        edge_threshold: float | None = None,
        top_k: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        add: Any = None,
        with_self: bool = False,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        strand: Strand | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[PairsWords],
    ) -> dict[str, Any]:
        """All pairs into files, which appear complete or not at all; docs/allpairs.md describes them.

        Parameters
        ----------
        sequences, against, with_self
            As :meth:`all_pairs`.
        output : path, optional
            Rows in the format ``format``.
        matrices : dict of "score", "identity", "distance" or "score_distance" to path
            NumPy's ``.npy`` in SciPy's condensed order, identities in percent; ids are in ``NAME.ids``.
        matrix_type : {"int32", "float32"}, optional
            Of matrices of scores and score distances; with decimals among the scores it must be "float32".
        square : bool
            The whole symmetric matrices.
        phylip, edges : path, optional
            Distances as PHYLIP reads them; a line for each pair whose ``edge_value`` passes ``edge_threshold``, or
            their sparse matrix, which :func:`scipy.sparse.load_npz` reads, if the file's name ends in ``.npz``.
        edge_value : {"identity", "score", "distance", "score_distance"}, optional
            By default identities, in percent.
        top_k : int, optional
            Of each sequence at most so many pairs are rows and edges, its nearest by ``edge_value``, which is the
            score if it is not given and there are no edges. ``edge_threshold`` may then be left out.
        checkpoint : directory, optional
            The same call goes on after an interruption.
        add : sequences, optional
            New sequences, by which the finished files of a checkpoint are extended.

        Returns
        -------
        dict
            What was counted: pairs, cells, listed, filtered, empty, first_row, finished_before, seconds.
        """
        self._check_free()
        first, second = self._sets(sequences, against, alphabet)
        nothing = matrices is None or (isinstance(matrices, Mapping) and len(matrices) == 0)
        rows_alone = nothing and phylip is None and edges is None
        if rows_alone and output is None:
            raise InputError("There is nothing to write: name a file by output, matrices, phylip or edges.")
        if flag("square", square) and matrices is None:
            raise InputError("square is for matrices, and none is wanted.")
        if matrices is not None and not isinstance(matrices, Mapping):
            raise InputError(f"matrices is {matrices!r}; it must be a dict of value to path.")
        added = None if add is None else database_of(add, self, alphabet=first.alphabet, name="add")
        denominator = more.get("denominator", "alignment")
        filters, of_call, statistics = split_filters(scoring, first.alphabet, more)
        options = row_options("alignment", strand, (), statistics, True)
        files: dict[str, Any] = {
            "output": None if output is None else path("output", output),
            "format": word("format", format),
            "header": flag("header", header),
            "matrices": {word("matrices", value): path("matrices", file) for value, file in (matrices or {}).items()},
            "matrix_type": word("matrix_type", matrix_type),
            "square": flag("square", square),
            "phylip": None if phylip is None else path("phylip", phylip),
            "edges": None if edges is None else path("edges", edges),
            "edge_threshold": number("edge_threshold", edge_threshold),
            "checkpoint": None if checkpoint is None else path("checkpoint", checkpoint),
        }
        with listeners(progress) as listening:
            return _alnus.write_all_pairs(
                self._core,
                first._core,
                None if second is None else second._core,
                None if added is None else added._core,
                of_call._core,
                options,
                filters,
                self=flag("with_self", with_self),
                top_k=nearest(top_k),
                value=word("edge_value", edge_value) or (None if rows_alone else "identity"),
                denominator=word("denominator", denominator) or "alignment",
                files={name: value for name, value in files.items() if value is not None},
                listeners=listening,
            )

    @overload
    def pdist(
        self,
        sequences: Any,
        *,
        cutoff: None = None,
        top_k: None = None,
        format: Literal["condensed"] | None = None,
        **more: Unpack[ValuesWords],
    ) -> npt.NDArray[np.float64]: ...
    @overload
    def pdist(
        self,
        sequences: Any,
        *,
        cutoff: float,
        top_k: int | None = None,
        format: Literal["csr"] | None = None,
        **more: Unpack[ValuesWords],
    ) -> sparse.csr_array: ...
    @overload
    def pdist(
        self,
        sequences: Any,
        *,
        cutoff: None = None,
        top_k: int,
        format: Literal["csr"] | None = None,
        **more: Unpack[ValuesWords],
    ) -> sparse.csr_array: ...
    @overload
    def pdist(
        self,
        sequences: Any,
        *,
        cutoff: float,
        top_k: int | None = None,
        format: Literal["coo"],
        **more: Unpack[ValuesWords],
    ) -> sparse.coo_array: ...
    @overload
    def pdist(
        self,
        sequences: Any,
        *,
        cutoff: None = None,
        top_k: int,
        format: Literal["coo"],
        **more: Unpack[ValuesWords],
    ) -> sparse.coo_array: ...
    @overload
    def pdist(
        self,
        sequences: Any,
        *,
        cutoff: float,
        top_k: int | None = None,
        format: Literal["pairs"],
        **more: Unpack[ValuesWords],
    ) -> IndexedValues: ...
    @overload
    def pdist(
        self,
        sequences: Any,
        *,
        cutoff: None = None,
        top_k: int,
        format: Literal["pairs"],
        **more: Unpack[ValuesWords],
    ) -> IndexedValues: ...
    def pdist(
        self,
        sequences: Any,
        *,
        value: Value = "distance",
        denominator: Denominator = "alignment",
        cutoff: float | None = None,
        top_k: int | None = None,
        format: ValuesFormat | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        strand: Strand | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Any:
        """A value of every pair of a set, condensed as SciPy has it, or of the pairs that pass a cutoff or are nearest.

        Pair (i, j) with i < j, counted in the order of the file, is at
        ``n * i - i * (i + 1) // 2 + j - i - 1``, as :func:`scipy.spatial.distance.squareform` takes it.

        Parameters
        ----------
        value : {"score", "identity", "distance", "score_distance"}
            Score in the matrix' units; identity from 0 to 1; distance, which is 1 - identity; score distance,
            ``min(S11, S22) - S12``, what the score of a pair lacks of its sequences' scores with themselves.
        denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}
            Of the identity, as in :meth:`Rows.identity`.
        cutoff : float, optional
            Only pairs of so high a score or identity, or so low a distance, are in the result, which is sparse.
        top_k : int, optional
            Of each sequence at most so many pairs, its nearest: of highest score or identity, or of lowest distance
            or score distance. The result is sparse; with ``cutoff`` too, it has those of them that pass it. A
            local pair of score 0 is not among them.
        format : {"condensed", "csr", "coo", "pairs"}, default "csr" with cutoff or top_k, else "condensed"
            ``"csr"`` and ``"coo"`` are SciPy arrays of shape (n, n) without the diagonal, in which a value of 0 is
            stored as such. With a cutoff alone they are symmetric; with ``top_k`` row i has the nearest of sequence
            i alone. ``"pairs"``: three arrays, i, j and the value, with i < j, or with ``top_k`` j among the nearest
            of i.
        scoring
            As :meth:`search`.

        Returns
        -------
        float64 array of n * (n - 1) / 2 numbers, or what ``format`` says

        Examples
        --------
        >>> pdist(["MKVLAW", "MKVLAW", "MKVQAW"], mode="global", value="identity").round(3)
        array([1.   , 0.833, 0.833])
        >>> pdist(["CASSLGF", "CASSLGY", "WWWW"], value="score_distance", cutoff=15, format="pairs")
        (array([0], dtype=uint32), array([1], dtype=uint32), array([3.]))
        """
        self._check_free()
        database = database_of(sequences, self, alphabet=alphabet, name="sequences")
        wanted = ValuesWanted(value, denominator, cutoff, nearest(top_k), format, strand)
        return self._values(database, None, wanted, scoring, progress, more)

    @overload
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        cutoff: None = None,
        top_k: None = None,
        format: Literal["rectangle"] | None = None,
        **more: Unpack[ValuesWords],
    ) -> npt.NDArray[np.float64]: ...
    @overload
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        cutoff: float,
        top_k: int | None = None,
        format: Literal["csr"] | None = None,
        **more: Unpack[ValuesWords],
    ) -> sparse.csr_array: ...
    @overload
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        cutoff: None = None,
        top_k: int,
        format: Literal["csr"] | None = None,
        **more: Unpack[ValuesWords],
    ) -> sparse.csr_array: ...
    @overload
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        cutoff: float,
        top_k: int | None = None,
        format: Literal["coo"],
        **more: Unpack[ValuesWords],
    ) -> sparse.coo_array: ...
    @overload
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        cutoff: None = None,
        top_k: int,
        format: Literal["coo"],
        **more: Unpack[ValuesWords],
    ) -> sparse.coo_array: ...
    @overload
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        cutoff: float,
        top_k: int | None = None,
        format: Literal["pairs"],
        **more: Unpack[ValuesWords],
    ) -> IndexedValues: ...
    @overload
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        cutoff: None = None,
        top_k: int,
        format: Literal["pairs"],
        **more: Unpack[ValuesWords],
    ) -> IndexedValues: ...
    def cdist(
        self,
        a: Any,
        b: Any,
        *,
        value: Value = "distance",
        denominator: Denominator = "alignment",
        cutoff: float | None = None,
        top_k: int | None = None,
        format: ValuesFormat | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        strand: Strand | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Any:
        """A value of every sequence of one set with every one of another; :meth:`pdist` explains the arguments.

        Returns
        -------
        float64 array of shape (len(a), len(b)), or what ``format`` says: ``"rectangle"`` is the default.
        """
        self._check_free()
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"), search=False)
        wanted = ValuesWanted(value, denominator, cutoff, nearest(top_k), format, strand)
        return self._values(queries, subjects, wanted, scoring, progress, more)

    def _values(
        self,
        first: Database,
        second: Database | None,
        wanted: ValuesWanted,
        scoring: Scoring | None,
        progress: ProgressArgument,
        more: ScoringWords,
    ) -> Any:
        of_call = scoring_of(scoring, first.alphabet, more)
        cutoff, kind = checked_format(wanted, one_set=second is None)
        cores = (self._core, first._core, None if second is None else second._core, of_call._core)
        value = word("value", wanted.value) or "distance"
        denominator = word("denominator", wanted.denominator) or "alignment"
        strand = word("strand", wanted.strand)
        with listeners(progress) as listening:
            if cutoff is None and wanted.top_k == 0:
                return _alnus.values(*cores, value=value, denominator=denominator, strand=strand, listeners=listening)
            found = _alnus.sparse_values(
                *cores,
                value=value,
                denominator=denominator,
                cutoff=cutoff,
                top_k=wanted.top_k,
                strand=strand,
                listeners=listening,
            )
        if wanted.top_k > 0 and second is None:
            second = first  # each row has pairs of its own
        return sparse_result(*found, kind, len(first), None if second is None else len(second))
