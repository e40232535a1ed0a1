"""The methods of a session that compute Z-values and calibrations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from alnus import _alnus
from alnus._arguments import flag, number, whole, word
from alnus._errors import InputError
from alnus._following import ProgressArgument, listeners
from alnus._options import LARGEST
from alnus._scoring import Alphabet, Scoring, ScoringWords, scoring_of
from alnus._session_base import SessionBase
from alnus._signatures import spelled_out
from alnus._statistics import Calibration, Side, ZValues, background_text, shuffle_options

if TYPE_CHECKING:
    import numpy.typing as npt


class StatisticsCalls(SessionBase):
    """The methods of a session that compute Z-values and calibrations."""

    @spelled_out
    def z_values(
        self,
        a: Any,
        b: Any,
        pairs: npt.ArrayLike | None = None,
        *,
        shuffles: int = 1000,
        shuffled: Side = "both",
        seed: int = 1,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> ZValues:
        """Compute Z-values: how far the scores of pairs are above those of shuffled sequences (docs/z-values.md).

        Parameters
        ----------
        a, b
            Queries and subjects, of the kinds that :meth:`search` takes. Nucleotides are aligned on the plus strand.
        pairs : array of whole numbers of shape (n, 2), optional
            The index in ``a`` and the index in ``b`` of each pair. Default: the sets are aligned element by element.
        shuffles : int, default 1000
            How often each side is shuffled; at least 10.
        shuffled : {"query", "subject", "both"}, default "both"
            The sequences that are shuffled. If both are, the lower of the two Z-values counts.
        seed : int, default 1
            The seed of the shuffles, 0 or more. Equal seeds give equal results on every machine.
        scoring, alphabet, progress
            The same as for :meth:`search`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        ZValues
            Arrays with a value for each pair.
        """
        self._check_free()
        options = shuffle_options(shuffles, shuffled, seed)
        queries, subjects, listed = self._listed(a, b, pairs, alphabet)
        of_call = scoring_of(scoring, subjects.alphabet, more)
        with listeners(progress) as listening:
            z, error, log_p, goodness, side = _alnus.z_values(
                self._core, queries._core, subjects._core, listed, of_call._core, options, listeners=listening
            )
        return ZValues(z, error, log_p, goodness, np.array(["query", "subject"], dtype=object)[side])

    @spelled_out
    def calibrate(
        self,
        *,
        scoring: Scoring | None = None,
        alphabet: Alphabet = "protein",
        precision: float = 0.01,
        length: int = 2000,
        background: Mapping[str, float] | None = None,
        anew: bool = False,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Calibration:
        """Find the statistical parameters of a local scoring by simulation (docs/calibration.md).

        Parameters
        ----------
        scoring : Scoring, optional
            The scoring. Default: that of the arguments of :class:`Scoring` that the function takes in its place.
        alphabet : {"protein", "dna"}, default "protein"
            The alphabet of the scoring.
        precision : float, 0.003 to 0.1, default 0.01
            The wanted relative error of lambda.
        length : int, default 2000
            The number of residues of each random sequence, 100 to 100,000.
        background : dict of letter to frequency, optional
            The frequencies of letters in the random sequences, in any unit. Default: for proteins those of Robinson &
            Robinson (1991), for DNA all equal.
        anew : bool, default False
            True: simulate even if the session keeps a result, and do not keep the new one.
        progress : bool or callable, default False
            The same as for :meth:`search`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        Calibration

        Raises
        ------
        InputError
            If there are no such statistics for the scoring, or an argument is out of range.
        """
        self._check_free()
        of_call = scoring_of(scoring, word("alphabet", alphabet) or "protein", more)
        exact = number("precision", precision)
        with listeners(progress) as listening:
            core = _alnus.calibrate(
                self._core,
                of_call._core,
                precision=0.01 if exact is None else exact,
                length=whole("length", length, 1, LARGEST),
                background=background_text(background),
                anew=flag("anew", anew),
                listeners=listening,
            )
        return Calibration(core)

    def add_calibration(self, scoring: Scoring, calibration: Calibration) -> None:
        """Make searches of this session with this scoring use this calibration, however precise it is.

        InputError if the calibration is of another scoring, or of a background other than the default.
        """
        if not isinstance(scoring, Scoring) or not isinstance(calibration, Calibration):
            raise InputError("add_calibration() takes a Scoring and a Calibration.")
        _alnus.add_calibration(self._core, scoring._core, calibration._core)
