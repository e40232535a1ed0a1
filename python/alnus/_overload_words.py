"""The arguments of overloads. Only type checkers read this module: the package does not import it when it runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Required

from alnus._following import ProgressArgument
from alnus._option_words import AlignOptionWords, DifferenceOptionWords
from alnus._options import CallWords, Detail, Strand, Value
from alnus._rows import Denominator
from alnus._scoring import Alphabet, Scoring, ScoringWords


class OnePairWords(CallWords, total=False):
    """The arguments of ``align``, without the sequences, with which two texts give one Pair."""

    scoring: Scoring | None
    alphabet: Alphabet | None
    detail: Detail
    strand: Strand | None
    identity_ranges: Iterable[Denominator]
    significance: bool
    progress: ProgressArgument


class AlignCallWords(AlignOptionWords, DifferenceOptionWords, OnePairWords, total=False):
    """All arguments of ``align`` without the sequences."""


class ValuesWords(ScoringWords, total=False):
    """The arguments of ``pdist`` and ``cdist`` that do not change the type of the result."""

    value: Value
    denominator: Denominator
    scoring: Scoring | None
    alphabet: Alphabet | None
    strand: Strand | None
    progress: ProgressArgument


class EveryPairWords(ValuesWords, total=False):
    """The arguments with which the result has all pairs."""

    cutoff: None
    top_k: None


class CutoffWords(ValuesWords, total=False):
    """The arguments with which the result has the pairs that pass a cutoff."""

    cutoff: Required[float]
    top_k: int | None


class NearestWords(ValuesWords, total=False):
    """The arguments with which the result has the nearest pairs of each sequence."""

    cutoff: None
    top_k: Required[int]


class AuditWords(ScoringWords, total=False):
    """The arguments of ``audit`` that do not change the type of the result."""

    relation: str
    scoring: Scoring | None
    alphabet: Alphabet | None
    strand: Strand | None
    progress: ProgressArgument
