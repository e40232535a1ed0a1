"""The methods of a session that search, or align given pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from alnus import _alnus
from alnus._arguments import flag, index_pairs, word
from alnus._fasta import begins_fasta
from alnus._following import ProgressArgument, listeners, quiet, warn
from alnus._making import is_path, two_texts_alphabet
from alnus._option_tables import OPTIONS, describing
from alnus._options import (
    AlignWords,
    Detail,
    SearchWords,
    Strand,
    align_options,
    is_scoring,
    row_options,
    search_options,
    split,
)
from alnus._overload import overload
from alnus._pair import Pair
from alnus._rows import Denominator, Histogram, Rows
from alnus._scoring import Alphabet, Scoring, ScoringWords, scoring_of
from alnus._sequences import Database, databases_of
from alnus._session_base import SessionBase
from alnus._signatures import spelled_out
from alnus._texts import check_one_text

if TYPE_CHECKING:
    import numpy.typing as npt

    from alnus._overload_words import AlignCallWords, OnePairWords

# The arguments of align beside those of scoring and statistics.
_OF_ALIGN = {*OPTIONS["align"], *OPTIONS["differences"]}
# These arguments of align leave out rows. The other ones have a default.
_FILTERS = {
    name for table in ("align", "differences") for name, option in OPTIONS[table].items() if option.default is None
}


class AlignmentCalls(SessionBase):
    """The methods of a session that align given pairs, or every query with every sequence of a database."""

    @spelled_out
    @describing
    def search(
        self,
        queries: Any,
        database: Any,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        score_histogram: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[SearchWords],
    ) -> Rows:
        """Find the best hits of each query among all sequences of a database, exactly: every pair is scored.

        Parameters
        ----------
        queries, database : Database, path, open file, list, dict, str, pandas or Arrow column, Biopython records, ...
            Sequences of any kind. A str with a dot or a slash is a path, and one that begins with ``>`` is FASTA.
        scoring : Scoring, optional
            How alignments are scored. Default: by the arguments of :class:`Scoring` that the function takes in its
            place. A gap of k residues costs ``gaps[0] + k * gaps[1]``.
        alphabet : {"protein", "dna"}, optional
            The alphabet of sequences that do not know theirs. Default: "protein"; sequences that look like nucleotides
            are then an error.
        detail : {"score", "ends", "alignment"}, default "alignment"
            What is computed of each hit: the score; also where the alignment ends; or also where it begins, its CIGAR
            and its counts.
        strand : {"plus", "minus", "both"}, default "both" for DNA, "plus" for proteins
            The strands of the queries that are aligned. A pair is one hit, on its better strand; with ``max_hsps``
            above 1 its further alignments may be on the other strand.
        identity_ranges : list of denominators, default none
            The denominators for which :meth:`Rows.identity_range` can be called on the result.
        score_histogram : bool, default False
            True: ``rows.histogram`` counts all scores, for :func:`alnus.plot.score_histogram`.
        progress : bool or callable, default False
            True: tqdm shows a bar. A function is called about ten times a second with a :class:`Progress`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.
        stats, composition, low_complexity, count_strands, dbsize, searchsp, shuffles, shuffled, seed
            How scores are judged, as docs/statistics.md explains.

        Returns
        -------
        Rows
            The hits, in the order of the queries. The hits of a query are ordered by ascending E-value, then by
            descending adjusted score and score, then by the place of the subject in its file. With ``max_hsps`` above
            1 a hit has a row for each of its alignments that passes the filters. These rows follow each other, and the
            column ``hsp`` has the numbers of the alignments; the best row decides about the place of the hit. With
            ``max_differences`` the score of a row is minus its differences.

        Raises
        ------
        InputError
            If an argument or an input is wrong.
        DatabaseError
            If a database file is damaged or was changed.
        DeviceError
            If a device failed and none is left.
        OutOfMemoryError
            If the machine or a GPU has not enough memory.

        Examples
        --------
        >>> hits = search({"q": "MKVLAWQRYTHEW"}, ["AMKVLAWQRYTHEWA", "PPPP"], matrix="BLOSUM62", gaps=(11, 1))
        >>> hits[0].cigar
        '13='
        """
        self._check_free()
        names = ("queries", "database")
        first, second = databases_of(queries, database, self, alphabet=alphabet, names=names)
        of_call, statistics = split(scoring, second.alphabet, more)
        rows = row_options(detail, strand, identity_ranges, statistics, True)
        with listeners(progress) as listening:
            core, summary, histogram = _alnus.search(
                self._core,
                first._core,
                second._core,
                of_call._core,
                search_options(rows, more),
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
    def align(self, a: str | bytes, b: str | bytes, **more: Unpack[OnePairWords]) -> Pair: ...
    @overload
    def align(self, a: Any, b: Any, **more: Unpack[AlignCallWords]) -> Any: ...
    @spelled_out
    @describing
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
        **more: Unpack[AlignWords],
    ) -> Any:
        """Align two sequences, or two sets element by element.

        Parameters
        ----------
        a, b : two str or bytes, or two sets of the same number of sequences
            Queries and subjects, of the kinds that :meth:`search` takes. The sequences of a file count in the order of
            the file.
        scoring : Scoring, optional
            How alignments are scored. Default: by the arguments of :class:`Scoring` that the function takes in its
            place. A gap of k residues costs ``gaps[0] + k * gaps[1]``.
        alphabet, identity_ranges, progress
            The same as for :meth:`search`.
        detail : {"score", "ends", "alignment"}, default "alignment"
            What is computed of each pair: the score; also where the alignment ends; or also where it begins, its CIGAR
            and its counts.
        strand : {"plus", "minus", "both"}, default "plus"
            The strands of ``a`` that are aligned.
        significance : bool, default False
            True: rows have bit scores, and Z-values with ``stats="zvalue"``. They also have E-values if ``dbsize`` or
            ``searchsp`` gives the size of the search that the E-values are about.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.
        stats, composition, low_complexity, count_strands, dbsize, searchsp, shuffles, shuffled, seed
            How scores are judged, as docs/statistics.md explains.

        Returns
        -------
        Pair or Rows
            A Pair for two str or bytes that are no paths and no FASTA. Else Rows, in which row k is of ``a[k]`` and
            ``b[k]``. With ``max_hsps`` above 1 always Rows, in which the rows of a pair follow each other; the column
            ``hsp`` has the numbers of its alignments. With a filter, such as ``min_identity``, always Rows, which lack
            the rows that do not pass. With ``max_differences`` always Rows, in which a pair has any number of rows.

        Raises
        ------
        InputError, DatabaseError, DeviceError, OutOfMemoryError
            As :meth:`search`; InputError also for sets of different size.

        Examples
        --------
        >>> print(align("MKVLAWQRYT", "MKVLARYT", mode="global"))
        query x subject: score 26, identity 8/10 (80.0%)
        <BLANKLINE>
        query        1 MKVLAWQRYT 10
                       |||||  |||
        subject      1 MKVLA--RYT 8
        """
        two = isinstance(a, str | bytes) and isinstance(b, str | bytes)
        two = two and not (is_path(a) or is_path(b) or begins_fasta(a) or begins_fasta(b))
        plain = strand is None and significance is False and progress is False and isinstance(identity_ranges, tuple)
        plain = plain and _OF_ALIGN.isdisjoint(more)
        if two and plain and not tuple(identity_ranges):
            check_one_text(a, "a")
            check_one_text(b, "b")
            kind = two_texts_alphabet(a, b, alphabet)
            if len(a) * len(b) > _alnus.quick_cells:
                self._check_free()
            of_call = scoring_of(scoring, kind, more) if is_scoring(more) else split(scoring, kind, more)[0]
            core, unknown, gaps, digits = _alnus.align_two(
                self._core, a, b, of_call._core, word("detail", detail) or "alignment", quiet
            )
            if unknown or gaps or digits:
                read_as = "N" if kind == "dna" else "X"
                texts = [f"{unknown} letters outside the {kind} alphabet, read as {read_as}"] if unknown else []
                texts += [f"{gaps} gap letters (- or .) removed"] if gaps else []
                texts += ["digits beside letters: the digits are left out"] if digits else []
                warn("; ".join(texts) + ".")
            return Pair(Rows(core, of_call, self), 0)
        first: Any = {"query": a} if two else a
        second: Any = {"subject": b} if two else b
        queries, subjects, listed = self._listed(first, second, None, alphabet)
        options = (detail, strand, identity_ranges, significance)
        rows = self._align(queries, subjects, listed, scoring, options, progress, more)
        filtered = any(name in _FILTERS and value is not None for name, value in more.items())
        return rows if rows.hsp is not None or filtered or not two else rows[0]

    @spelled_out
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
        **more: Unpack[AlignWords],
    ) -> Rows:
        """Align chosen pairs of two sets, in one call; :meth:`align` explains the other arguments.

        Parameters
        ----------
        a, b
            Sets of sequences of the kinds that :meth:`search` takes. A database file stores its sequences by length,
            and indices count them in that order.
        pairs : array of whole numbers of shape (n, 2)
            The index in ``a`` and the index in ``b`` of each pair. A pair may be repeated.

        Returns
        -------
        Rows
            A row for each pair, in the order of ``pairs``. With ``max_hsps`` above 1 a pair may have several rows,
            which follow each other. With a filter a pair may have none, and with ``max_differences`` any number.

        Raises
        ------
        InputError, DatabaseError, DeviceError, OutOfMemoryError
            As :meth:`search`; InputError also for an index that is out of range.

        Examples
        --------
        >>> align_pairs(["MKVLAW", "MKHLAW"], ["MKVLA"], [[0, 0], [1, 0]]).score.tolist()
        [22, 15]
        """
        self._check_free()
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"))
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
        more: AlignWords,
    ) -> Rows:
        self._check_free()
        of_call, statistics = split(scoring, subjects.alphabet, more)
        detail, strand, ranges, significance = options
        wanted = row_options(detail, strand, ranges, statistics, flag("significance", significance))
        of_pairs = align_options(wanted, more)
        with listeners(progress) as listening:
            core = _alnus.align(
                self._core, queries._core, subjects._core, pairs, of_call._core, of_pairs, listeners=listening
            )
        return Rows(core, of_call, self, (queries, subjects))

    @spelled_out
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
        """Compute the lowest and the highest identity of each pair over all alignments with its best score, exactly.

        Parameters
        ----------
        a, b
            Sets of sequences of the kinds that :meth:`search` takes. Nucleotides are aligned on the plus strand.
        pairs : array of whole numbers of shape (n, 2), optional
            The index in ``a`` and the index in ``b`` of each pair. Default: the sets are aligned element by element.
        denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}, default "alignment"
            What identical residues are divided by, as for :meth:`Rows.identity`.
        scoring, alphabet, progress
            The same as for :meth:`search`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        float64 array of shape (n, 2)
            The lowest and the highest identity of each pair, from 0 to 1; 0 if nothing is aligned.

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
