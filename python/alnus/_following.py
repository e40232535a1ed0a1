"""What a call tells its caller meanwhile: progress, warnings, the log."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from alnus import _alnus
from alnus._errors import AlnusWarning, InputError

_HERE = os.path.join(os.path.dirname(__file__), "")


class Progress(NamedTuple):
    """How far a call is.

    Attributes
    ----------
    cells_done, cells_total, pairs_done, pairs_total : int
        Totals may grow while a call finds out how much work there is.
    fraction : float
        The part of all work that is done, 0 to 1.
    seconds, seconds_left : float
        Since the call began, and expected.
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
    """Warns at the line of the user that called alnus."""
    depth, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, AlnusWarning, stacklevel=depth)


def _tell(severity: str, text: str) -> None:
    if severity == "warning":
        warn(text)
    else:
        import logging

        logging.getLogger("alnus").info(text)


# For calls that show no progress.
quiet = _alnus.Listeners(None, _tell)


@contextmanager
def listeners(progress: ProgressArgument) -> Iterator[_alnus.Listeners]:
    """The listeners of one call: tqdm's bar, or a function that gets a :class:`Progress`."""
    if progress is False or progress is None:
        yield quiet
    elif callable(progress):
        hear = progress
        yield _alnus.Listeners(lambda fields: hear(Progress(**fields)), _tell)
    elif progress is True:
        from tqdm.auto import tqdm

        with tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}") as bar:

            def show(fields: dict[str, Any]) -> None:
                bar.n = fields["fraction"]
                bar.refresh()

            yield _alnus.Listeners(show, _tell)
    else:
        raise InputError(f"progress is {progress!r}; it must be True, False or a function.")
