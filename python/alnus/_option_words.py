"""The options of the library's tables as arguments of functions.

``ALNUS_UPDATE_GOLDEN=1 ctest --preset release -R python_option_tables`` writes this file.
"""

from __future__ import annotations

import os
from typing import Literal, TypedDict


class SearchOptionWords(TypedDict, total=False):
    max_target_seqs: int
    evalue: float | None
    min_score: float | None
    max_hsps: int | Literal["all"]
    min_identity: float | None
    denominator: Literal["alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"] | None
    min_coverage: float | None
    coverage_of: Literal["shorter", "longer", "query", "subject", "both"] | None
    min_length: int | None


class AlignOptionWords(TypedDict, total=False):
    max_hsps: int | Literal["all"]
    min_score: float | None
    evalue: float | None
    min_identity: float | None
    denominator: Literal["alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"] | None
    min_coverage: float | None
    coverage_of: Literal["shorter", "longer", "query", "subject", "both"] | None
    min_length: int | None


class DifferenceOptionWords(TypedDict, total=False):
    max_differences: int | None
    substitutions_only: bool | None


class FilterOptionWords(TypedDict, total=False):
    min_score: float | None
    min_identity: float | None
    min_coverage: float | None
    coverage_of: Literal["shorter", "longer", "query", "subject", "both"] | None
    min_length: int | None
    evalue: float | None


class OutputOptionWords(TypedDict, total=False):
    square: bool | None
    matrix_type: Literal["float32", "int32"] | None
    phylip: str | os.PathLike[str] | None
    phylip_names: Literal["relaxed", "strict"] | None
    edges: str | os.PathLike[str] | None
    edge_threshold: float | None


class StatisticsOptionWords(TypedDict, total=False):
    stats: Literal["spouge", "karlin", "regression", "zvalue", "none"] | None
    composition: Literal["adjust", "scale", "none"] | None
    low_complexity: Literal["statistics", "none"] | None
    count_strands: Literal["aligned", "one"] | None
    searchsp: float | None


class ShuffleOptionWords(TypedDict, total=False):
    shuffles: int | None
    shuffled: Literal["query", "subject", "both"] | None
