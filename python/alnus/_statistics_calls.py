"""Z-values and calibrations."""

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
from alnus._statistics import Calibration, Side, ZValues, background_text, shuffle_options

if TYPE_CHECKING:
    import numpy.typing as npt


class StatisticsCalls(SessionBase):
    """The calls of a session that tell what scores mean."""

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
        """How far the scores of pairs are above those of shuffled sequences (docs/z-values.md).

        Parameters
        ----------
        a, b
            Sets of sequences.
        pairs : array of whole numbers of shape (n, 2), optional
            Indices in ``a`` and ``b``; default: element by element.
        shuffles : int
            Of each side, 10 or more.
        shuffled : {"query", "subject", "both"}
            Whose residues are shuffled; of both, the lower Z-value counts.
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
        """The statistics of a local scoring by simulation (docs/calibration.md).

        Parameters
        ----------
        precision : float, 0.003 to 0.1
            The wanted relative error of lambda.
        length : int
            Residues of each random sequence.
        background : dict of letter to frequency, optional
            Of the letters of random sequences; default: those of published statistics.
        anew : bool
            Whether to simulate even if the session has a result.
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
        """Searches of this session with this scoring use this calibration."""
        if not isinstance(scoring, Scoring) or not isinstance(calibration, Calibration):
            raise InputError("add_calibration() takes a Scoring and a Calibration.")
        _alnus.add_calibration(self._core, scoring._core, calibration._core)
