"""Searches, and alignments of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from alnus import _alnus
from alnus._arguments import flag, index_pairs, number, whole, word
from alnus._following import ProgressArgument, listeners, quiet, warn
from alnus._options import LARGEST, CallWords, Detail, Strand, is_scoring, row_options, split
from alnus._overload import overload
from alnus._pair import Pair
from alnus._rows import Denominator, Histogram, Rows
from alnus._scoring import Alphabet, Scoring, ScoringWords, scoring_of
from alnus._sequences import Database, databases_of, is_path, two_texts_alphabet
from alnus._session_base import SessionBase

if TYPE_CHECKING:
    import numpy.typing as npt


class AlignmentCalls(SessionBase):
    """The calls of a session that align given pairs, or every query with every sequence of a database."""

    def search(
        self,
        queries: Any,
        database: Any,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        max_target_seqs: int = 500,
        evalue: float | None = None,
        min_score: float | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        score_histogram: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Rows:
        """The best hits of each query among all sequences of a database, exactly: every pair is aligned.

        Parameters
        ----------
        queries, database : Database, path, list, dict, str, pandas or Arrow column, Biopython records, ...
            Sequences of any kind; a str with a dot or a slash is a path.
        scoring : Scoring, optional
            Or ``matrix``, ``gaps``, ``mode`` and the other arguments of :class:`Scoring`. A gap of k residues
            costs ``gaps[0] + k * gaps[1]``.
        alphabet : {"protein", "dna"}, optional
            Of sequences that do not know it; default "protein".
        max_target_seqs : int, default 500
            At most so many hits of a query.
        evalue : float, default 10
            No hit has a larger E-value.
        min_score : float, optional
            No hit has a lower score, in the matrix' units.
        detail : {"score", "ends", "alignment"}
            What is computed of each hit.
        strand : {"plus", "minus", "both"}, default "both" for DNA
            The strands of the queries.
        identity_ranges : list of denominators
            For :meth:`Rows.identity_range`.
        score_histogram : bool
            Whether ``rows.histogram`` is wanted, for :func:`alnus.plot.score_histogram`.
        progress : bool or callable
            tqdm's bar, or a function that takes a :class:`Progress`.
        stats, composition, low_complexity, dbsize, searchsp, ...
            What E-values are judged by: docs/statistics.md.

        Returns
        -------
        Rows
            In the order of the queries, a query's hits by E-value, then by score.

        Raises
        ------
        InputError, DatabaseError, DeviceError, OutOfMemoryError

        Examples
        --------
        >>> hits = search({"q": "MKVLAWQRYTHEW"}, ["AMKVLAWQRYTHEWA", "PPPP"], matrix="BLOSUM62", gaps=(11, 1))
        >>> hits[0].cigar
        '13='
        """
        self._check_free()
        names = ("queries", "database")
        first, second = databases_of(queries, database, self, alphabet=alphabet, names=names, search=True)
        of_call, statistics = split(scoring, second.alphabet, more)
        options = row_options(detail, strand, identity_ranges, statistics, True)
        with listeners(progress) as listening:
            core, summary, histogram = _alnus.search(
                self._core,
                first._core,
                second._core,
                of_call._core,
                options,
                max_target_seqs=whole("max_target_seqs", max_target_seqs, 1, LARGEST),
                evalue=number("evalue", evalue),
                min_score=number("min_score", min_score),
                score_histogram=flag("score_histogram", score_histogram),
                listeners=listening,
            )
        counted = None
        if histogram is not None:
            lowest, pairs, expected, stride = histogram
            scale = of_call._core.scale
            counted = Histogram(lowest / scale, pairs, expected, stride, scale)
        return Rows(core, of_call, self, (first, second), summary, counted)

    @overload
    def align(
        self,
        a: str | bytes,
        b: str | bytes,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Pair: ...
    @overload
    def align(
        self,
        a: Any,
        b: Any,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Any: ...
    def align(
        self,
        a: Any,
        b: Any,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Any:
        """Two sequences, or two sets element by element.

        Parameters
        ----------
        a, b : str and str, or two sets of as many sequences
            As :meth:`search` takes them.
        scoring : Scoring, optional
            Or ``matrix``, ``gaps``, ``mode`` and the other arguments of :class:`Scoring`. A gap of k residues
            costs ``gaps[0] + k * gaps[1]``.
        detail : {"score", "ends", "alignment"}
            What is computed of each pair.
        strand : {"plus", "minus", "both"}, default "plus"
            The strands of ``a``.
        significance : bool
            Whether bit scores, and with ``stats="zvalue"`` Z-values, are wanted; E-values if ``dbsize`` or
            ``searchsp`` says of what.

        Returns
        -------
        Pair for two str, else Rows with row k for ``a[k]`` and ``b[k]``.

        Examples
        --------
        >>> print(align("MKVLAWQRYT", "MKVLARYT", mode="global"))
        query x subject: score 26, identity 8/10 (80.0%)
        <BLANKLINE>
        query        1 MKVLAWQRYT 10
                       |||||  |||
        subject      1 MKVLA--RYT 8
        """
        two = isinstance(a, str | bytes) and isinstance(b, str | bytes) and not is_path(a) and not is_path(b)
        plain = strand is None and significance is False and progress is False and isinstance(identity_ranges, tuple)
        if two and plain and not tuple(identity_ranges):
            kind = two_texts_alphabet(a, b, alphabet)
            if len(a) * len(b) > _alnus.quick_cells:
                self._check_free()
            of_call = scoring_of(scoring, kind, more) if is_scoring(more) else split(scoring, kind, more)[0]
            core, unknown, gaps = _alnus.align_two(
                self._core, a, b, of_call._core, word("detail", detail) or "alignment", quiet
            )
            if unknown or gaps:
                read_as = "N" if kind == "dna" else "X"
                texts = [f"{unknown} letters outside the {kind} alphabet, read as {read_as}"] if unknown else []
                texts += [f"{gaps} gap letters (- or .) removed"] if gaps else []
                warn("; ".join(texts) + ".")
            return Pair(Rows(core, of_call, self), 0)
        first: Any = {"query": a} if two else a
        second: Any = {"subject": b} if two else b
        queries, subjects, listed = self._listed(first, second, None, alphabet)
        options = (detail, strand, identity_ranges, significance)
        rows = self._align(queries, subjects, listed, scoring, options, progress, more)
        return rows[0] if two else rows

    def align_pairs(
        self,
        a: Any,
        b: Any,
        pairs: npt.ArrayLike,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[CallWords],
    ) -> Rows:
        """Chosen pairs of two sets, in one call; :meth:`align` explains the other arguments.

        Parameters
        ----------
        a, b
            Sets of sequences; of a database file, as it stores them.
        pairs : array of whole numbers of shape (n, 2)
            Indices in ``a`` and in ``b``, repeated or not.

        Returns
        -------
        Rows
            In the order of ``pairs``.

        Examples
        --------
        >>> align_pairs(["MKVLAW", "MKHLAW"], ["MKVLA"], [[0, 0], [1, 0]]).score.tolist()
        [22, 15]
        """
        self._check_free()
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"), search=False)
        listed = index_pairs(pairs, len(queries), len(subjects))
        options = (detail, strand, identity_ranges, significance)
        return self._align(queries, subjects, listed, scoring, options, progress, more)

    def _align(
        self,
        queries: Database,
        subjects: Database,
        pairs: npt.NDArray[np.uint32],
        scoring: Scoring | None,
        options: tuple[Detail, Strand | None, Iterable[Denominator], bool],
        progress: ProgressArgument,
        more: CallWords,
    ) -> Rows:
        self._check_free()
        of_call, statistics = split(scoring, subjects.alphabet, more)
        detail, strand, ranges, significance = options
        wanted = row_options(detail, strand, ranges, statistics, flag("significance", significance))
        with listeners(progress) as listening:
            core = _alnus.align(
                self._core, queries._core, subjects._core, pairs, of_call._core, wanted, listeners=listening
            )
        return Rows(core, of_call, self, (queries, subjects))

    def identity_range(
        self,
        a: Any,
        b: Any,
        pairs: npt.ArrayLike | None = None,
        *,
        denominator: Denominator = "alignment",
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> npt.NDArray[np.float64]:
        """Lowest and highest identity of each pair over all alignments of its best score, exactly.

        Returns
        -------
        float64 array of shape (n, 2), from 0 to 1

        Examples
        --------
        >>> identity_range(["MKVLAWW"], ["MKVAW"], mode="global").round(3).tolist()
        [[0.571, 0.571]]
        """
        self._check_free()
        queries, subjects, listed = self._listed(a, b, pairs, alphabet)
        of_call = scoring_of(scoring, subjects.alphabet, more)
        with listeners(progress) as listening:
            return _alnus.identity_range(
                self._core,
                queries._core,
                subjects._core,
                listed,
                of_call._core,
                word("denominator", denominator) or "alignment",
                listeners=listening,
            )
