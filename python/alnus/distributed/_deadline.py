"""When a machine is taken away, which an environment variable says."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from typing import NamedTuple

from alnus._errors import InputError

OWN = "ALNUS_DEADLINE"  # the variable that users set
VARIABLES = (OWN, "SLURM_JOB_END_TIME")  # the first that is set counts


class Deadline(NamedTuple):
    """When a machine is taken away, and how that is known."""

    variable: str  # name of the environment variable
    time: float  # seconds since 1970

    @property
    def seconds_left(self) -> float:
        """The seconds until then, which are negative afterwards."""
        return self.time - time.time()

    def __str__(self) -> str:
        try:
            date = time.strftime(", which is %Y-%m-%d %H:%M:%S UTC", time.gmtime(self.time))
        except (OverflowError, OSError, ValueError):  # a year beyond what dates can have
            date = ""
        return f"{self.variable}={self.time:.0f}{date}"


def deadline(variables: Sequence[str] = VARIABLES) -> Deadline | None:
    """Return when this machine is taken away; None if none of these environment variables is set, or it is empty.

    Raises InputError if the variable is no number of seconds.
    """
    for name in variables:
        text = os.environ.get(name, "").strip()
        if not text:
            continue
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not math.isfinite(seconds):
            raise InputError(
                f"The environment variable {name} is {text!r}; it must be the time at which the machine is taken away, "
                "in seconds since 1970, as date +%s prints it."
            )
        return Deadline(name, seconds)
    return None
