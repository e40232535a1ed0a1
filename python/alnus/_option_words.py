"""The options of the library's tables as arguments of functions, and their descriptions for docstrings.

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


DESCRIBED = {  # by the names of functions
    "search": """\
max_target_seqs : int, default 500
    Most hits that are listed for a query; of equally good ones those that come first in the database.
evalue : float, optional
    List no hits with a larger E-value. Default: 10.
min_score : float, optional
    List no hits with a lower score, in the matrix' units.
max_hsps : int or "all", default 1
    Most alignments of a pair; each further one is the best that aligns no two residues that one before it
    aligns.
min_identity : float, optional
    Leave out alignments with a lower identity, in percent (0 to 100); see ``denominator``.
denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}, default "alignment"
    What the number of identical residues is divided by: the columns of the alignment, those without gaps
    (ungapped), the shorter, longer or mean length of the sequences, or the columns with end gaps (end-gaps), as
    in EMBOSS needle.
min_coverage : float, optional
    Leave out alignments that, from their first residue to their last, cover fewer percent of a sequence; see
    ``coverage_of``.
coverage_of : {"shorter", "longer", "query", "subject", "both"}, default "both"
    The sequence that ``min_coverage`` is about: both (each of them), shorter, longer, query or subject.
min_length : int, optional
    Leave out alignments with fewer columns.
max_differences : int, optional
    Align whole queries, and list all alignments with at most K differences (substitutions and residues in
    gaps); this sets mode, scores and ``max_hsps`` all.
substitutions_only : bool, default False
    With ``max_differences``: without gaps.
""",
    "align": """\
max_hsps : int or "all", default 1
    Most alignments of a pair; each further one is the best that aligns no two residues that one before it
    aligns.
min_score : float, optional
    Leave out alignments with a lower score, in the matrix' units.
evalue : float, optional
    Leave out alignments with a larger E-value, which needs ``dbsize`` or ``searchsp``.
min_identity : float, optional
    Leave out alignments with a lower identity, in percent (0 to 100); see ``denominator``.
denominator : {"alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"}, default "alignment"
    What the number of identical residues is divided by: the columns of the alignment, those without gaps
    (ungapped), the shorter, longer or mean length of the sequences, or the columns with end gaps (end-gaps), as
    in EMBOSS needle.
min_coverage : float, optional
    Leave out alignments that, from their first residue to their last, cover fewer percent of a sequence; see
    ``coverage_of``.
coverage_of : {"shorter", "longer", "query", "subject", "both"}, default "both"
    The sequence that ``min_coverage`` is about: both (each of them), shorter, longer, query or subject.
min_length : int, optional
    Leave out alignments with fewer columns.
max_differences : int, optional
    Align whole queries, and list all alignments with at most K differences (substitutions and residues in
    gaps); this sets mode, scores and ``max_hsps`` all.
substitutions_only : bool, default False
    With ``max_differences``: without gaps.
""",
    "cost_of_search": """\
max_target_seqs, evalue, min_score, max_hsps, min_identity, denominator, min_coverage, coverage_of, min_length
    The same as for :meth:`search`.
max_differences, substitutions_only
    The same as for :meth:`search`.
""",
    "cost_of_align": """\
max_hsps, min_score, evalue, min_identity, denominator, min_coverage, coverage_of, min_length, max_differences
    The same as for :meth:`align`.
substitutions_only
    The same as for :meth:`align`.
""",
}
