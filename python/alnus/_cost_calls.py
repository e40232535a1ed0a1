"""The methods of a session that tell what calls would cost, without making them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from alnus import _alnus
from alnus._arguments import flag, word
from alnus._cost import Cost
from alnus._making import is_path
from alnus._option_tables import describing
from alnus._options import (
    AlignWords,
    Detail,
    SearchWords,
    Strand,
    Value,
    align_options,
    nearest,
    row_options,
    search_options,
    split,
    split_filters,
)
from alnus._pair_files import WritingWords, pair_files, split_files, wants_rows_alone
from alnus._rows import Denominator
from alnus._scoring import Alphabet, Scoring
from alnus._sequences import databases_of
from alnus._session_base import SessionBase
from alnus._signatures import spelled_out

if TYPE_CHECKING:
    import numpy.typing as npt


class CostCalls(SessionBase):
    """The methods of a session that tell what calls would cost. Nothing is computed, and no file is written."""

    @spelled_out
    @describing
    def cost_of_search(
        self,
        queries: Any,
        database: Any,
        *,
        format: str = "6",
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        **more: Unpack[SearchWords],
    ) -> Cost:
        """Tell what :meth:`search` with these arguments would cost.

        Parameters
        ----------
        queries, database, scoring, alphabet, detail, strand, identity_ranges
            The same as for :meth:`search`.
        format : str, default "6"
            The format for which ``output_bytes`` is estimated, as for :meth:`Rows.write`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.
        stats, composition, low_complexity, count_strands, dbsize, searchsp, shuffles, shuffled, seed
            How scores are judged, as docs/statistics.md explains.

        Returns
        -------
        Cost
            Pairs, cells, seconds and bytes. How many hits pass ``evalue``, ``min_score`` and the other filters is not
            known before the search, so that ``rows`` and ``output_bytes`` are upper bounds; with ``max_hsps="all"``
            they count 16 rows of each pair. ``seconds`` is the time for the scores of all pairs, which as a rule is
            most of a search, but need not be if filters look at alignments (``any_alignments``).

        Raises
        ------
        InputError, DatabaseError, DeviceError
            As :meth:`search`.

        Examples
        --------
        >>> cost = cost_of_search(["MKVLAWQRYT"] * 20, ["AMKVLAWQRYTHEWA"] * 3000, max_target_seqs=10)
        >>> cost.pairs, cost.rows
        (60000, 200)
        """
        first, second = databases_of(queries, database, self, alphabet=alphabet, names=("queries", "database"))
        of_call, statistics = split(scoring, second.alphabet, more)
        rows = row_options(detail, strand, identity_ranges, statistics, True)
        return _cost(
            _alnus.cost_of_search(
                self._core,
                first._core,
                second._core,
                of_call._core,
                search_options(rows, more),
                format=word("format", format) or "6",
            )
        )

    @spelled_out
    @describing
    def cost_of_align(
        self,
        a: Any,
        b: Any,
        pairs: npt.ArrayLike | None = None,
        *,
        format: str = "6",
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        identity_ranges: Iterable[Denominator] = (),
        significance: bool = False,
        **more: Unpack[AlignWords],
    ) -> Cost:
        """Tell what :meth:`align` or, with ``pairs``, :meth:`align_pairs` with these arguments would cost.

        Parameters
        ----------
        a, b, pairs, scoring, alphabet, detail, strand, identity_ranges, significance
            The same as for :meth:`align` and :meth:`align_pairs`.
        format : str, default "6"
            The format for which ``output_bytes`` is estimated, as for :meth:`Rows.write`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.
        stats, composition, low_complexity, count_strands, dbsize, searchsp, shuffles, shuffled, seed
            How scores are judged, as docs/statistics.md explains.

        Returns
        -------
        Cost

        Raises
        ------
        InputError, DatabaseError, DeviceError
            As :meth:`align`.

        Examples
        --------
        >>> cost_of_align(["MKVLAW", "MKHLAW"], ["MKVLA"], [[0, 0], [1, 0]]).cells
        60
        """
        two = isinstance(a, str | bytes) and isinstance(b, str | bytes) and not is_path(a) and not is_path(b)
        first: Any = {"query": a} if two else a
        second: Any = {"subject": b} if two else b
        queries, subjects, listed = self._listed(first, second, pairs, alphabet)
        of_call, statistics = split(scoring, subjects.alphabet, more)
        rows = row_options(detail, strand, identity_ranges, statistics, flag("significance", significance))
        return _cost(
            _alnus.cost_of_align(
                self._core,
                queries._core,
                subjects._core,
                listed,
                of_call._core,
                align_options(rows, more),
                format=word("format", format) or "6",
            )
        )

    @spelled_out
    @describing
    def cost_of_all_pairs(
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
        with_self: bool = False,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        detail: Detail = "alignment",
        strand: Strand | None = None,
        **more: Unpack[WritingWords],
    ) -> Cost:
        """Tell what :meth:`write_all_pairs`, :meth:`all_pairs`, :meth:`pdist` or :meth:`cdist` would cost.

        Parameters
        ----------
        sequences, against, output, format, header, matrices
            The same as for :meth:`write_all_pairs`, which names the outputs. Without any output the cost is that of
            :meth:`all_pairs`; ``matrices={"distance": "any.npy"}`` gives that of :meth:`pdist` and, with ``against``,
            of :meth:`cdist`. No file is written.
        square, matrix_type, phylip, phylip_names, edges, edge_threshold
            The other outputs, and how outputs look, as for :meth:`write_all_pairs`.
        edge_value, top_k, with_self, scoring, alphabet, strand
            The same as for :meth:`write_all_pairs`.
        min_score, min_identity, denominator, evalue, min_coverage, coverage_of, min_length
            Filters, as for :meth:`all_pairs`.
        detail : {"score", "ends", "alignment"}, default "alignment"
            What is computed of each row, as for :meth:`all_pairs`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.
        stats, composition, low_complexity, count_strands, dbsize, searchsp, shuffles, shuffled, seed
            How scores are judged, as docs/statistics.md explains.

        Returns
        -------
        Cost
            How many pairs pass filters and the threshold of edges is not known before the run, so that ``rows`` and
            ``edges`` are upper bounds.

        Raises
        ------
        InputError, DatabaseError, DeviceError
            As :meth:`write_all_pairs`.

        Examples
        --------
        >>> cost = cost_of_all_pairs(["MKVLAW"] * 1000, mode="global", matrices={"identity": "identity.npy"})
        >>> cost.pairs, cost.output_bytes
        (499500, 1998128)
        """
        first, second = self._sets(sequences, against, alphabet)
        of_files, rest = split_files(more)
        denominator = rest.get("denominator", "alignment")
        filters, of_call, statistics = split_filters(scoring, first.alphabet, rest)
        files = pair_files(
            output=output, format=format, header=header, matrices=matrices, checkpoint=None, more=of_files
        )
        rows_alone = wants_rows_alone(files)
        if rows_alone:
            files["output"] = "-"  # the rows of all_pairs()
        return _cost(
            _alnus.cost_of_all_pairs(
                self._core,
                first._core,
                None if second is None else second._core,
                of_call._core,
                row_options(detail, strand, (), statistics, True),
                filters,
                self=flag("with_self", with_self),
                top_k=nearest(top_k),
                value=word("edge_value", edge_value) or (None if rows_alone else "identity"),
                denominator=word("denominator", denominator) or "alignment",
                files=files,
            )
        )


def _cost(fields: dict[str, Any]) -> Cost:
    return Cost(**{**fields, "devices": tuple(fields["devices"])})
