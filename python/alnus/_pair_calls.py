"""The methods of a session that align all pairs of a set, or of two sets, and give rows, files or values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

from alnus import _alnus
from alnus._arguments import flag, word
from alnus._errors import InputError
from alnus._following import ProgressArgument, listeners
from alnus._option_tables import describing
from alnus._options import Detail, PairsWords, Strand, Value, nearest, row_options, split_filters
from alnus._overload import overload
from alnus._pair_files import WritingWords, names_of_outputs, pair_files, split_files, wants_rows_alone
from alnus._rows import Denominator
from alnus._scoring import Alphabet, Scoring, ScoringWords, scoring_of
from alnus._sequences import Database, database_of, databases_of, numbered_as_given
from alnus._session_base import SessionBase
from alnus._signatures import spelled_out
from alnus._stream import PairStream
from alnus._values import IndexedValues, ValuesFormat, ValuesWanted, checked_format, sparse_result

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from scipy import sparse

    from alnus._overload_words import CutoffWords, EveryPairWords, NearestWords


class PairCalls(SessionBase):
    """The methods of a session that align all pairs of a set, or of two sets."""

    @spelled_out
    @describing
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
        """Align every pair of a set once, or every sequence of one set with every one of another, batch by batch.

        Parameters
        ----------
        sequences, against
            One set, or two sets, of the kinds that :meth:`search` takes. Indices in rows count sequences in the order
            of their files.
        with_self : bool, default False
            True: each sequence of one set is paired with itself, too.
        top_k : int, optional
            The most pairs of each sequence that are listed, which are its nearest ones: those of highest score or
            identity, or of lowest distance or score distance, as ``value`` says. A pair of one set may then be in the
            rows of both its sequences. Default: all pairs.
        value : {"score", "identity", "distance", "score_distance"}, optional
            The value that decides which pairs are nearest. Identity and distance use ``denominator``. Only with
            ``top_k``. Default: the score.
        scoring, alphabet, detail, identity_ranges, progress
            The same as for :meth:`search`.
        strand : {"plus", "minus", "both"}, default "plus"
            The strands of the longer sequence of each pair that are aligned.
        significance : bool, default True
            True: rows have bit scores and E-values.
        min_score, min_identity, denominator, evalue, min_coverage, coverage_of, min_length
            Filters: only pairs that pass all of them are listed. ``min_score`` is in the matrix' units,
            ``min_identity`` (by ``denominator``) and ``min_coverage`` (of ``coverage_of``) are in percent, and
            ``min_length`` is in columns of the alignment.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.
        stats, composition, low_complexity, count_strands, dbsize, searchsp, shuffles, shuffled, seed
            How scores are judged, as docs/statistics.md explains.

        Returns
        -------
        PairStream
            An iterator over :class:`Rows`. In all pairs of one set, rows are ordered by the later sequence of the pair,
            then by the earlier one, which is the query. With two sets they are ordered by the sequence of the first
            set, which is the query, then by that of the second. With ``top_k`` they are ordered by the sequence whose
            nearest are listed, which is the query, and its nearest pair comes first. Local pairs of score 0 are not
            listed.

        Raises
        ------
        InputError, DatabaseError, DeviceError, OutOfMemoryError
            As :meth:`search`, also while batches are taken from the iterator.

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
        first = numbered_as_given(sequences, first)
        second = None if second is None else numbered_as_given(against, second)
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

    @spelled_out
    @describing
    def write_all_pairs(
        self,
        sequences: Any,
        against: Any = None,
        *,
        output: str | os.PathLike[str] | None = None,
        format: str = "6",
        header: bool = False,
        matrices: Mapping[Value, str | os.PathLike[str]] | None = None,
        edge_value: Value | None = None,
        top_k: int | None = None,
        report: str | os.PathLike[str] | None = None,
        report_size: int | str = "100M",
        checkpoint: str | os.PathLike[str] | None = None,
        add: Any = None,
        with_self: bool = False,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        strand: Strand | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[WritingWords],
    ) -> dict[str, Any]:
        """Align all pairs and write the results to files, as docs/allpairs.md describes.

        Each file appears complete or not at all. At least one must be given.

        Parameters
        ----------
        sequences, against, with_self
            The same as for :meth:`all_pairs`.
        output : path, optional
            The file of the rows.
        format : str, default "6"
            The format of the rows, as for :meth:`Rows.write`. Another format than "6" needs ``output``.
        header : bool, default False
            True: the names of the columns are the first line of the rows, in formats 6 and 10. Needs ``output``.
        matrices : dict of "score", "identity", "distance" or "score_distance" to path, optional
            A NumPy file (``.npy``) for each value: of one set in SciPy's condensed order, of two sets a rectangle.
            Identities are in percent. The ids are in ``NAME.ids``, of a rectangle in ``NAME.rows.ids`` and
            ``NAME.columns.ids``. A file named ``.csv`` or ``.tsv``, or either with ``.gz`` or ``.zst`` behind, is a
            table with labels, which ``pandas.read_csv(file, index_col=0)`` reads; of one set it is whole, as with
            ``square``.
        matrix_type : {"int32", "float32"}, default "int32"
            The type of NumPy matrices of scores and score distances. With scores that have decimals it must be
            "float32". Other matrices are float32.
        square : bool, default False
            True: NumPy matrices of one set are whole and symmetric. All files then have the pairs of each sequence
            with itself, as with ``with_self``.
        phylip : path, optional
            The file of the distances of one set as a matrix for PHYLIP.
        phylip_names : {"relaxed", "strict"}, default "relaxed"
            The names in that file: whole ids, or their first ten bytes, for PHYLIP's own programs.
        edges : path, optional
            The file of the pairs whose ``edge_value`` passes ``edge_threshold``, with one line for each pair. If the
            name ends in ``.npz``, it is a sparse matrix of their values, which :func:`scipy.sparse.load_npz` reads.
        edge_value : {"identity", "score", "distance", "score_distance"}, default "identity"
            The value of edges. Identities are in percent.
        edge_threshold : float, optional
            The threshold of edges, in the units of ``edge_value``: scores and identities at or above it pass, distances
            and score distances at or below it. Edges need it, except with ``top_k``.
        top_k : int, optional
            The most pairs of each sequence that are rows and edges: its nearest pairs by ``edge_value``, or by the
            score if ``edge_value`` is not given and there are no edges. Default: all pairs.
        report : path, optional
            The HTML report: the rows, if they are wanted or nothing else is, and a heat map of a matrix.
        report_size : int or str, default "100M"
            Its largest size, as for :meth:`Rows.report`.
        checkpoint : path, optional
            A directory that keeps how far the files are. The same call goes on from there after an interruption.
        add : sequences, optional
            New sequences, by which the finished files of a checkpoint are extended.
        scoring, alphabet, strand, progress
            The same as for :meth:`all_pairs`.
        min_score, min_identity, denominator, evalue, min_coverage, coverage_of, min_length
            The filters of rows and edges, as for :meth:`all_pairs`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.
        stats, composition, low_complexity, count_strands, dbsize, searchsp, shuffles, shuffled, seed
            How scores are judged, as docs/statistics.md explains.

        Returns
        -------
        dict
            What the call counted: ``pairs`` and ``cells`` that it computed; ``listed``, ``filtered`` and ``empty``
            pairs; ``edges``; ``first_row``, the row of the pair matrix where it began; ``finished_before``, True if the
            checkpoint was finished already; ``statistics``, how scores are judged; and ``seconds``.

        Raises
        ------
        InputError
            If arguments or inputs are wrong, files do not fit together, or the checkpoint is of another run.
        OutputError
            If a file cannot be written, or the checkpoint cannot be used.
        DatabaseError, DeviceError, OutOfMemoryError
            As :meth:`search`.
        """
        self._check_free()
        first, second = self._sets(sequences, against, alphabet)
        of_files, rest = split_files(more)
        files = pair_files(
            output=output,
            format=format,
            header=header,
            matrices=matrices,
            report=report,
            report_size=report_size,
            checkpoint=checkpoint,
            more=of_files,
        )
        rows_alone = wants_rows_alone(files)
        if rows_alone and output is None:
            raise InputError(f"There is nothing to write: name a file by {names_of_outputs()}.")
        if output is None and (files["format"] != "6" or files["header"]):
            raise InputError("format and header are for rows: name the file of the rows by output, or leave them out.")
        added = None if add is None else database_of(add, self, alphabet=first.alphabet, name="add")
        denominator = rest.get("denominator", "alignment")
        filters, of_call, statistics = split_filters(scoring, first.alphabet, rest)
        options = row_options("alignment", strand, (), statistics, True)
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
                files=files,
                listeners=listening,
            )

    @overload
    def pdist(
        self, sequences: Any, *, format: Literal["condensed"] | None = None, **more: Unpack[EveryPairWords]
    ) -> npt.NDArray[np.float64]: ...
    @overload
    def pdist(
        self, sequences: Any, *, format: Literal["csr"] | None = None, **more: Unpack[CutoffWords]
    ) -> sparse.csr_array: ...
    @overload
    def pdist(
        self, sequences: Any, *, format: Literal["csr"] | None = None, **more: Unpack[NearestWords]
    ) -> sparse.csr_array: ...
    @overload
    def pdist(self, sequences: Any, *, format: Literal["coo"], **more: Unpack[CutoffWords]) -> sparse.coo_array: ...
    @overload
    def pdist(self, sequences: Any, *, format: Literal["coo"], **more: Unpack[NearestWords]) -> sparse.coo_array: ...
    @overload
    def pdist(self, sequences: Any, *, format: Literal["pairs"], **more: Unpack[CutoffWords]) -> IndexedValues: ...
    @overload
    def pdist(self, sequences: Any, *, format: Literal["pairs"], **more: Unpack[NearestWords]) -> IndexedValues: ...
    @spelled_out
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
        """Compute a value of every pair of a set, or of the pairs that pass a cutoff or are nearest.

        Alignments are local unless ``mode`` says otherwise, as in all functions. Choose ``mode="global"`` for distances
        of whole sequences, such as those of a tree or of clusters of one family. The identity of a local alignment is
        that of the best region alone, which may be a few residues long: unrelated proteins can have a local distance
        of 0.0, and a warning says so. For fragments beside whole sequences choose ``mode="semiglobal"`` with
        ``denominator="shorter"``.

        Sequences count in the order of the :class:`Database`, list or column that they come in, and those of a path in
        the order of the FASTA file, also if the path is that of a database file. The value of pair (i, j) with i < j is
        at ``n * i - i * (i + 1) // 2 + j - i - 1``, which is the condensed order of
        :func:`scipy.spatial.distance.squareform`.

        Parameters
        ----------
        sequences
            A set of n sequences, of the kinds that :meth:`search` takes.
        value : {"score", "identity", "distance", "score_distance"}, default "distance"
            ``"score"``: the score in the matrix' units. ``"identity"``: the identity, from 0 to 1. ``"distance"``:
            1 - identity. ``"score_distance"``: ``min(S11, S22) - S12``, where S12 is the score of the pair, and S11 and
            S22 are the scores of its sequences with themselves; 2147483647 if one of the sequences is empty, or of X
            alone, or of N alone, since nothing can be aligned with it.
        denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}, default "alignment"
            What identical residues are divided by, as for :meth:`Rows.identity`.
        cutoff : float, optional
            The result is sparse, and has only the pairs whose score or identity is at least the cutoff, or whose
            distance or score distance is at most the cutoff. A cutoff of identities or distances is a fraction from 0
            to 1, as these values are: 0.3 is 30%.
        top_k : int, optional
            The result is sparse, and has at most so many pairs of each sequence, its nearest ones: those of highest
            score or identity, or of lowest distance or score distance. If ``cutoff`` is given, too, the result has only
            those of the nearest pairs that pass it. A local pair of score 0 is never among the nearest, nor is a pair
            with a sequence that is empty, or of X alone, or of N alone.
        format : {"condensed", "csr", "coo", "pairs"}, optional
            ``"csr"`` and ``"coo"`` are SciPy arrays of shape (n, n) without the diagonal, in which a value of 0 is
            stored. With a cutoff alone they are symmetric; with ``top_k``, row i has the nearest pairs of sequence i
            alone. ``"pairs"`` is a tuple of three arrays: i, j and the value, with i < j, or, with ``top_k``, with j
            among the nearest of i. Default: ``"csr"`` with a cutoff or ``top_k``, else ``"condensed"``.
        scoring, alphabet, progress
            The same as for :meth:`search`.
        strand : {"plus", "minus", "both"}, default "plus"
            The strands of the longer sequence of each pair that are aligned.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        float64 array of shape (n * (n - 1) / 2,), or what ``format`` says

        Raises
        ------
        InputError, DatabaseError, DeviceError, OutOfMemoryError
            As :meth:`search`; InputError also for a cutoff of identities or distances that is not from 0 to 1, and for
            a negative one of score distances.

        Examples
        --------
        >>> pdist(["MKVLAW", "MKVLAW", "MKVQAW"], mode="global", value="identity").round(3)
        array([1.   , 0.833, 0.833])
        >>> pdist(["CASSLGF", "CASSLGY", "WWWW"], value="score_distance", cutoff=15, format="pairs")
        (array([0], dtype=uint32), array([1], dtype=uint32), array([3.]))
        """
        self._check_free()
        database = numbered_as_given(sequences, database_of(sequences, self, alphabet=alphabet, name="sequences"))
        wanted = ValuesWanted(value, denominator, cutoff, nearest(top_k), format, strand)
        return self._values(database, None, wanted, scoring, progress, more)

    @overload
    def cdist(
        self, a: Any, b: Any, *, format: Literal["rectangle"] | None = None, **more: Unpack[EveryPairWords]
    ) -> npt.NDArray[np.float64]: ...
    @overload
    def cdist(
        self, a: Any, b: Any, *, format: Literal["csr"] | None = None, **more: Unpack[CutoffWords]
    ) -> sparse.csr_array: ...
    @overload
    def cdist(
        self, a: Any, b: Any, *, format: Literal["csr"] | None = None, **more: Unpack[NearestWords]
    ) -> sparse.csr_array: ...
    @overload
    def cdist(self, a: Any, b: Any, *, format: Literal["coo"], **more: Unpack[CutoffWords]) -> sparse.coo_array: ...
    @overload
    def cdist(self, a: Any, b: Any, *, format: Literal["coo"], **more: Unpack[NearestWords]) -> sparse.coo_array: ...
    @overload
    def cdist(self, a: Any, b: Any, *, format: Literal["pairs"], **more: Unpack[CutoffWords]) -> IndexedValues: ...
    @overload
    def cdist(self, a: Any, b: Any, *, format: Literal["pairs"], **more: Unpack[NearestWords]) -> IndexedValues: ...
    @spelled_out
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
        """Compute a value of every sequence of one set with every sequence of another set.

        :meth:`pdist` explains the arguments, the sparse formats and the errors. Sparse arrays have the shape
        (len(a), len(b)). The format of all values is ``"rectangle"`` here, in place of ``"condensed"``.

        Returns
        -------
        float64 array of shape (len(a), len(b)), or what ``format`` says
        """
        self._check_free()
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"))
        queries, subjects = numbered_as_given(a, queries), numbered_as_given(b, subjects)
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
        value = (word("value", wanted.value) or "distance").replace("-", "_")
        wanted = wanted._replace(value=cast(Value, value))
        cutoff, kind = checked_format(wanted, one_set=second is None)
        cores = (self._core, first._core, None if second is None else second._core, of_call._core)
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
            second = first  # rows and columns count as two sets, because each row has pairs of its own
        return sparse_result(*found, kind, len(first), None if second is None else len(second))
