"""Calibrations, Z-values, and the arguments of statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from alnus import _alnus
from alnus._arguments import number, whole, word
from alnus._errors import InputError
from alnus._option_tables import options_of
from alnus._option_words import ShuffleOptionWords, StatisticsOptionWords
from alnus._scoring import decimal

if TYPE_CHECKING:
    import numpy.typing as npt

Side = Literal["query", "subject", "both"]


class StatisticsWords(StatisticsOptionWords, ShuffleOptionWords, total=False):
    """The arguments that say how scores are judged by E-values or Z-values; docs/statistics.md explains the choices.

    ``stats`` is the method: ``"spouge"`` (the default where it applies), ``"karlin"``, ``"regression"``, ``"zvalue"``
    or ``"none"``. ``composition`` says how unusual residue frequencies count: ``"adjust"``, ``"scale"`` or ``"none"``.
    ``low_complexity`` says how regions of low complexity count: ``"statistics"`` or ``"none"``. ``count_strands`` says
    which strands of a query count as searched: ``"aligned"`` or ``"one"``. ``dbsize`` is the size of the database that
    E-values are about, as residues or as (residues, sequences). ``searchsp`` is the size of the search space in cells.
    ``shuffles``, ``shuffled`` (``"query"``, ``"subject"`` or ``"both"``) and ``seed`` are for ``stats="zvalue"``;
    :func:`alnus.z_values` explains them. None counts as an argument that is not given.
    """

    dbsize: float | tuple[float, float] | None
    seed: int | None


def shuffle_options(shuffles: int = 1000, shuffled: Side = "both", seed: int = 1) -> _alnus.ShuffleOptions:
    """Check the arguments that say how sequences are shuffled for Z-values, and return them for the library."""
    given = options_of("shuffle", {"shuffles": shuffles, "shuffled": shuffled})
    return _alnus.shuffle_options(given, seed=whole("seed", seed, 0, 2**64 - 1))


def statistics_options(words: StatisticsWords, preset: str) -> _alnus.StatisticsOptions:
    """Check the arguments of statistics, and return them for the library.

    ``preset`` is the preset of the scoring, or an empty str.
    """
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
        name: words.get(name) for name in ("shuffles", "shuffled", "seed") if words.get(name) is not None
    }
    return _alnus.statistics_options(
        options_of("statistics", words),
        preset=preset,
        residues=residues,
        sequences=sequences,
        shuffles=shuffle_options(**shuffling) if shuffling else None,
    )


class ZValues(NamedTuple):
    """How far the scores of pairs are above those of shuffled sequences. Each array has a value for each pair.

    Attributes
    ----------
    z : float64 array
        The Z-value: (score - mean) / standard deviation, with the mean and the standard deviation of the scores of the
        shuffles. NaN, as are the other values of the pair, if shuffling does not change the score.
    standard_error : float64 array
        The standard error of ``z``.
    log_p : float64 array
        The natural logarithm of the P-value. It is computed from the subject's shuffles, or from the query's if only
        the query is shuffled.
    goodness : float64 array
        The P-value of a chi-square test of the distribution behind ``log_p``. A low value, such as below 0.01, says
        that the distribution does not fit.
    side : object array of "query" and "subject"
        The sequence whose shuffles gave ``z``.
    """

    z: npt.NDArray[np.float64]
    standard_error: npt.NDArray[np.float64]
    log_p: npt.NDArray[np.float64]
    goodness: npt.NDArray[np.float64]
    side: npt.NDArray[np.object_]


class Estimate(NamedTuple):
    """The value of a parameter and its standard error."""

    value: float
    error: float


class Calibration:
    """The statistical parameters of a scoring, found by simulation (docs/calibration.md).

    Parameters are per unit of the matrix' scores, with lengths in residues.
    """

    def __init__(self, core: _alnus.Calibration) -> None:
        self._core = core

    @property
    def lambda_(self) -> Estimate:
        """The scale of scores, lambda: a score that is higher by 1 is ``exp(lambda)`` times as rare."""
        return Estimate(*self._core.lam)

    @property
    def K(self) -> Estimate:
        """The factor K of the number of chance hits, ``K * area * exp(-lambda * score)``, with the area in cells."""
        return Estimate(*self._core.K)

    @property
    def H(self) -> float:
        """The relative entropy, in nats per aligned pair of residues: lambda / alpha, an estimate."""
        return self._core.H

    @property
    def alpha(self) -> Estimate:
        """By how many residues of each sequence an alignment grows, on average, if its score is higher by 1."""
        return Estimate(*self._core.alpha)

    @property
    def pairs(self) -> int:
        """The number of pairs of random sequences that were simulated; 0 if none had to be."""
        return self._core.pairs

    @property
    def seconds(self) -> float:
        """The time that the simulation took, in seconds."""
        return self._core.seconds

    def to_json(self) -> str:
        """Return the calibration as a JSON text that holds every digit."""
        return self._core.to_json()

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Make a calibration from the text that :meth:`to_json` returned. InputError for any other text."""
        return cls(_alnus.Calibration.from_json(word("text", text) or ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return Calibration.from_json, (self.to_json(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Calibration: lambda {self.lambda_.value:.4g} +- {self.lambda_.error:.2g}, K {self.K.value:.4g}>"


def background_text(background: Mapping[str, float] | None) -> str | None:
    """Return frequencies as the text that the library reads: a letter, a tab and its frequency in each line."""
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
