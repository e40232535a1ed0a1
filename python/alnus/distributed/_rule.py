"""How much a worker gets next, and what is given a second time: the rule of the dispatcher and of bench/scale.py."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

SHORTEST = 1.0  # seconds that a range is worth at the end of a job
FIRST = 2e9  # cells of a worker's first range, before anything is known of its speed
TRIAL = 8  # its second range, which measures its speed, is at most so small a part of its share of the job
FIRST_SECONDS = 30.0  # that a first range may take; a worker with less time gets none
WORTH_IT = 1.2  # so many times faster than waiting a second copy must be

_What = TypeVar("_What")
_Name = TypeVar("_Name")


def expected_speed(measured: float, workers_measured: int, workers: int) -> float:
    """Cells a second of all workers together; one that is not measured yet counts as the mean of the others.

    ``measured`` is the sum of ``workers_measured`` of them.
    """
    return measured * workers / workers_measured if workers_measured else 0.0


class Speed(NamedTuple):
    """What is known of a worker's speed."""

    cells_a_second: float = 0.0  # 0: nothing
    measured: bool = False  # else it is what the worker's devices can do at best

    def after(self, cells: float, seconds: float, best: float) -> Speed:
        """What is known after a range. A short first one is mostly its beginning and end, and tells little."""
        if cells <= 0 or seconds <= 0:
            return self
        found = cells / seconds
        if not self.cells_a_second and seconds < SHORTEST:
            return Speed(max(found, best))
        return Speed(0.5 * (self.cells_a_second + found) if self.measured else found, True)


def cells_for(
    speed: Speed, together: float, left: int, task_seconds: float, seconds_left: float | None = None
) -> float | None:
    """So much work that all workers end at about the same time, and before this one goes.

    Parameters
    ----------
    speed : Speed
        Of this worker.
    together : float
        Cells a second, of all.
    left : int
        Cells that nobody is at.
    task_seconds : float
        A range takes about so long, and less near the end.
    seconds_left : float, optional
        Until the worker goes, after what it has already.

    Returns
    -------
    float or None
        Cells; None: there is no time for a range.
    """
    if not speed.measured and seconds_left is not None and seconds_left < FIRST_SECONDS:
        return None
    if not speed.cells_a_second:
        return min(FIRST, left / TRIAL)
    share = left / max(together, speed.cells_a_second)  # in seconds
    if not speed.measured:
        seconds = min(task_seconds, share / TRIAL, math.inf if seconds_left is None else seconds_left / TRIAL)
        return max(min(FIRST, left / TRIAL), seconds * speed.cells_a_second)
    seconds = max(SHORTEST, min(task_seconds, share / 2))
    if seconds_left is not None:
        seconds = min(seconds, 0.8 * seconds_left - 2)
        if seconds < SHORTEST:
            return None
    return seconds * speed.cells_a_second


class Waiting(NamedTuple, Generic[_What]):
    """A range that one worker is at and nobody else."""

    what: _What
    cells: int
    seconds_left: float  # expected


def to_repeat(waiting: Iterable[Waiting[_What]], speeds: Iterable[tuple[_Name, float]]) -> list[tuple[_Name, _What]]:
    """Which idle worker takes which range a second time: the one that is to end last first.

    ``speeds``: of the idle workers, each with its name. The result has the name and the range.
    """
    slowest = sorted(waiting, key=lambda one: one.seconds_left, reverse=True)
    given = []
    for name, speed in sorted(speeds, key=lambda one: one[1], reverse=True):
        if not slowest:
            break
        one = slowest[0]
        if speed <= 0 or one.seconds_left <= WORTH_IT * one.cells / speed:
            break
        given.append((name, slowest.pop(0).what))
    return given
