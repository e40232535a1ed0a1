"""Calibrations and Z-values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

import numpy as np

from alnus import _alnus
from alnus._arguments import number, whole, word
from alnus._errors import InputError
from alnus._scoring import decimal

if TYPE_CHECKING:
    import numpy.typing as npt

Method = Literal["spouge", "karlin", "regression", "zvalue", "none"]
Side = Literal["query", "subject", "both"]


class StatisticsWords(TypedDict, total=False):
    """What E-values and Z-values are judged by; docs/statistics.md explains the choices.

    ``stats``: ``"spouge"`` (the default where it applies), ``"karlin"``, ``"regression"``, ``"zvalue"`` or
    ``"none"``. ``composition``: ``"adjust"``, ``"scale"`` or ``"none"``. ``low_complexity``: ``"statistics"``
    or ``"none"``. ``count_strands``: ``"aligned"`` or ``"one"``. ``dbsize``: the size of the database that
    E-values are of, as residues or (residues, sequences). ``searchsp``: the size of the search space, in cells.
    ``shuffles``, ``shuffled`` (``"query"``, ``"subject"`` or ``"both"``) and ``seed``: of ``stats="zvalue"``.
    """

    stats: Method
    composition: Literal["adjust", "scale", "none"]
    low_complexity: Literal["statistics", "none"]
    count_strands: Literal["aligned", "one"]
    dbsize: float | tuple[float, float]
    searchsp: float
    shuffles: int
    shuffled: Side
    seed: int


def shuffle_options(shuffles: int = 1000, shuffled: Side = "both", seed: int = 1) -> _alnus.ShuffleOptions:
    """How Z-values shuffle sequences."""
    return _alnus.shuffle_options(
        shuffles=whole("shuffles", shuffles, 10, 2**32 - 1),
        shuffled=word("shuffled", shuffled) or "both",
        seed=whole("seed", seed, 0, 2**64 - 1),
    )


def statistics_options(words: StatisticsWords, preset: str) -> _alnus.StatisticsOptions:
    """The statistics that a function's arguments say."""
    residues: float | None = None
    sequences: float | None = None
    size = words.get("dbsize")
    if isinstance(size, tuple | list):
        if len(size) != 2:
            raise InputError(f"dbsize is {size!r}; it takes residues, or (residues, sequences).")
        residues, sequences = number("dbsize[0]", size[0]), number("dbsize[1]", size[1])
    else:
        residues = number("dbsize", size)
    shuffling: dict[str, Any] = {
        name: value for name, value in words.items() if name in ("shuffles", "shuffled", "seed")
    }
    return _alnus.statistics_options(
        preset=preset,
        stats=word("stats", words.get("stats")),
        composition=word("composition", words.get("composition")),
        low_complexity=word("low_complexity", words.get("low_complexity")),
        count_strands=word("count_strands", words.get("count_strands")),
        residues=residues,
        sequences=sequences,
        searchsp=number("searchsp", words.get("searchsp")),
        shuffles=shuffle_options(**shuffling) if shuffling else None,
    )


class ZValues(NamedTuple):
    """How far scores are above those of shuffled sequences; a value for each pair.

    Attributes
    ----------
    z : float64 array
        (score - mean) / standard deviation of the shuffled scores; NaN where shuffling changes no score.
    standard_error : float64 array
        Of ``z``.
    log_p : float64 array
        The natural logarithm of the P-value.
    goodness : float64 array
        P-value of a test of the distribution behind ``log_p``: below 0.01, say, it does not fit.
    side : object array of "query" and "subject"
        Whose shuffles ``z`` is of.
    """

    z: npt.NDArray[np.float64]
    standard_error: npt.NDArray[np.float64]
    log_p: npt.NDArray[np.float64]
    goodness: npt.NDArray[np.float64]
    side: npt.NDArray[np.object_]


class Estimate(NamedTuple):
    """A parameter and its standard error."""

    value: float
    error: float


class Calibration:
    """The statistics of a scoring, found by simulation (docs/calibration.md).

    Per score unit of the matrix; lengths in residues.
    """

    def __init__(self, core: _alnus.Calibration) -> None:
        self._core = core

    @property
    def lambda_(self) -> Estimate:
        """The scale of scores: a score higher by 1 is ``exp(lambda_)`` times as rare."""
        return Estimate(*self._core.lam)

    @property
    def K(self) -> Estimate:
        """The size of the search space that counts, as a share."""
        return Estimate(*self._core.K)

    @property
    def H(self) -> float:
        """Relative entropy in nats per aligned pair, an estimate."""
        return self._core.H

    @property
    def alpha(self) -> Estimate:
        """Residues that an alignment takes for each score unit."""
        return Estimate(*self._core.alpha)

    @property
    def pairs(self) -> int:
        """Pairs of random sequences that were simulated."""
        return self._core.pairs

    @property
    def seconds(self) -> float:
        """The time that the simulation took."""
        return self._core.seconds

    def to_json(self) -> str:
        """A text that holds every digit."""
        return self._core.to_json()

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """From what :meth:`to_json` made."""
        return cls(_alnus.Calibration.from_json(word("text", text) or ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return Calibration.from_json, (self.to_json(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Calibration: lambda {self.lambda_.value:.4g} +- {self.lambda_.error:.2g}, K {self.K.value:.4g}>"


def background_text(background: Mapping[str, float] | None) -> str | None:
    """Frequencies as the library reads them."""
    if background is None:
        return None
    if not isinstance(background, Mapping):
        raise InputError(f"background is {type(background).__name__}; it takes a dict of letter to frequency.")
    lines = []
    for letter, frequency in background.items():
        if not isinstance(letter, str) or len(letter) != 1 or letter.isspace():
            raise InputError(f"background has {letter!r}, which is no letter.")
        lines.append(f"{letter}\t{decimal(f'background[{letter!r}]', frequency)}\n")
    return "".join(lines)
