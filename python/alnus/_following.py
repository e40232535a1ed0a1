"""What a call tells its caller while it runs: progress, warnings, and messages for the log."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from alnus import _alnus
from alnus._arguments import shown
from alnus._errors import AlnusWarning, InputError

_HERE = os.path.join(os.path.dirname(__file__), "")  # how the paths of the package's files begin


class Progress(NamedTuple):
    """How far a call is.

    Attributes
    ----------
    cells_done, cells_total : int
        Cells of the dynamic programming matrices: those that are computed, and all of them. Totals may grow while a
        call finds out how much work there is.
    pairs_done, pairs_total : int
        Pairs that are aligned, and all pairs. If both strands are aligned, a pair counts twice.
    fraction : float
        The fraction of all work that is done, from 0 to 1. It falls when more work is found.
    seconds : float
        Seconds since the call began.
    seconds_left : float
        Expected seconds to the end of the call; 0 before anything is done.
    """

    cells_done: int
    cells_total: int
    pairs_done: int
    pairs_total: int
    fraction: float
    seconds: float
    seconds_left: float


ProgressArgument = bool | Callable[[Progress], object]


def warn(text: str) -> None:
    """Give an AlnusWarning that shows the user's line that called alnus, not a line of this package."""
    depth, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, AlnusWarning, stacklevel=depth)


def tell(severity: str, text: str) -> None:
    """Give a message of the program to the user: an AlnusWarning, or a line for the logger "alnus"."""
    if severity == "warning":
        warn(text)
    else:
        import logging

        logging.getLogger("alnus").info(text)


# The listeners of calls that show no progress.
quiet = _alnus.Listeners(None, tell)


@contextmanager
def listeners(progress: ProgressArgument) -> Iterator[_alnus.Listeners]:
    """Make the listeners of one call, and close the progress bar at its end.

    ``progress`` is True for a bar of tqdm, False for none, or a function that takes a :class:`Progress`.
    """
    if progress is False or progress is None:
        yield quiet
    elif callable(progress):
        hear = progress
        yield _alnus.Listeners(lambda fields: hear(Progress(**fields)), tell)
    elif progress is True:
        from tqdm.auto import tqdm

        with tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}") as bar:

            def show(fields: dict[str, Any]) -> None:
                bar.n = fields["fraction"]
                bar.refresh()

            yield _alnus.Listeners(show, tell)
    else:
        raise InputError(f"progress is {shown(progress)}; it must be True, False or a function.")
