"""Arguments that several functions have: their types, their checks, and the library's options made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from alnus import _alnus
from alnus._arguments import whole, word, words
from alnus._errors import InputError
from alnus._option_tables import options_of
from alnus._option_words import AlignOptionWords, DifferenceOptionWords, FilterOptionWords, SearchOptionWords
from alnus._rows import Denominator
from alnus._scoring import Scoring, ScoringWords, scoring_of
from alnus._statistics import StatisticsWords, statistics_options

Detail = Literal["score", "ends", "alignment"]
Strand = Literal["plus", "minus", "both"]
Value = Literal["score", "identity", "distance", "score_distance"]

LARGEST = 2**32 - 1  # the largest number of sequences, rows or columns that an argument may have
_REPLACED_BY_DIFFERENCES = (*ScoringWords.__annotations__, "min_score", "evalue", "stats")


class CallWords(ScoringWords, StatisticsWords, total=False):
    """The arguments of scoring (:class:`Scoring`) and of statistics (docs/statistics.md)."""


class AlignWords(AlignOptionWords, DifferenceOptionWords, CallWords, total=False):
    """The arguments of scoring, of statistics, and of alignments of given pairs with their filters."""


class SearchWords(SearchOptionWords, DifferenceOptionWords, CallWords, total=False):
    """The arguments of scoring, of statistics, and of searches with their filters."""


class FilterWords(FilterOptionWords, total=False):
    """The filters of all pairs. Only pairs that pass every filter that is given are listed.

    ``min_score`` is in the matrix' units. ``min_identity`` is in percent; ``denominator`` says what identical residues
    are divided by. ``evalue`` is the highest E-value. ``min_coverage`` is in percent of the sequence that
    ``coverage_of`` names: "both" (the default), "shorter", "longer", "query" or "subject". ``min_length`` is the least
    number of columns of the alignment. None counts as an argument that is not given.
    """

    denominator: Denominator | None


class PairsWords(CallWords, FilterWords, total=False):
    """The arguments of scoring, of statistics and of filters."""


def is_scoring(more: Mapping[str, Any]) -> bool:
    return all(name in ScoringWords.__annotations__ for name in more)


def split(scoring: Scoring | None, alphabet: str, more: Mapping[str, Any]) -> tuple[Scoring, _alnus.StatisticsOptions]:
    """Return the scoring and the statistics that the arguments ``more`` of a function describe."""
    of_statistics = {name: value for name, value in more.items() if name in StatisticsWords.__annotations__}
    of_scoring = {name: value for name, value in more.items() if name in ScoringWords.__annotations__}
    differences = differences_of(more, scoring)
    if differences:
        chosen = Scoring._of_differences(differences, alphabet)
    else:
        chosen = scoring_of(scoring, alphabet, cast(ScoringWords, of_scoring))
    return chosen, statistics_options(cast(StatisticsWords, of_statistics), chosen.preset)


def differences_of(more: Mapping[str, Any], scoring: Scoring | None = None) -> dict[str, Any]:
    """Return the options of the table "differences" if ``max_differences`` is given, else an empty dict.

    Raises InputError for ``substitutions_only`` without ``max_differences``, and for arguments that ``max_differences``
    stands in the place of.
    """
    given = options_of("differences", more)
    if "max_differences" not in given:
        if given.get("substitutions_only"):
            raise InputError("substitutions_only needs max_differences, which says how many of them there may be.")
        return {}
    replaced = {"scoring": scoring, **{name: more.get(name) for name in _REPLACED_BY_DIFFERENCES}}
    wrong = [name for name, value in replaced.items() if value is not None]
    if wrong:
        raise InputError(f"Give either max_differences or {', '.join(wrong)}, not both.")
    return given


def search_options(rows: _alnus.RowOptions, more: Mapping[str, Any]) -> _alnus.SearchOptions:
    return _alnus.search_options(rows, options_of("search", more), _core_of(differences_of(more)))


def align_options(rows: _alnus.RowOptions, more: Mapping[str, Any]) -> _alnus.AlignOptions:
    return _alnus.align_options(rows, options_of("align", more), _core_of(differences_of(more)))


def _core_of(differences: dict[str, Any]) -> _alnus.Differences | None:
    return _alnus.differences_of(differences) if differences else None


def split_filters(
    scoring: Scoring | None, alphabet: str, more: Mapping[str, Any]
) -> tuple[_alnus.PairFilter, Scoring, _alnus.StatisticsOptions]:
    of_filter = {name: value for name, value in more.items() if name in FilterWords.__annotations__}
    denominator = word("denominator", of_filter.get("denominator")) or "alignment"
    filters = _alnus.pair_filter(options_of("filter", of_filter), denominator=denominator)
    return (filters, *split(scoring, alphabet, more))


def nearest(top_k: int | None) -> int:
    """Return how many pairs of each sequence are wanted at most; 0, for None, means all pairs."""
    return 0 if top_k is None else whole("top_k", top_k, 1, LARGEST)


def row_options(
    detail: str,
    strand: str | None,
    identity_ranges: Iterable[str],
    statistics: _alnus.StatisticsOptions,
    significance: bool,
) -> _alnus.RowOptions:
    return _alnus.row_options(
        detail=word("detail", detail) or "alignment",
        strand=word("strand", strand),
        identity_ranges=words("identity_ranges", identity_ranges),
        statistics=statistics,
        significance=significance,
    )
