"""The rule that says how much a worker gets next, and which ranges are given a second time.

The dispatcher of jobs and the simulation bench/scale.py use this rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

SHORTEST = 1.0  # the shortest time, in seconds, that a range of a worker of known speed is to take
FIRST = 2e9  # most cells of a worker's first range, which it gets before anything is known of its speed
TRIAL = 8  # the range that measures a worker's speed is at most 1 / TRIAL of the worker's share of the job
FIRST_SECONDS = 30.0  # seconds that a first range may take; a worker that has less time gets no range
WORTH_IT = 1.2  # a range is given a second time if waiting takes more than so many times as long as computing it

_What = TypeVar("_What")
_Name = TypeVar("_Name")


def expected_speed(measured: float, workers_measured: int, workers: int) -> float:
    """Return the expected speed of all workers together, in cells a second.

    ``measured`` is the speed of ``workers_measured`` of the ``workers`` together. Each other worker counts as the mean
    of these. 0 if no speed is known.
    """
    return measured * workers / workers_measured if workers_measured else 0.0


class Speed(NamedTuple):
    """What is known of a worker's speed."""

    cells_a_second: float = 0.0  # 0: nothing is known
    measured: bool = False  # False: cells_a_second is what the worker's devices can do at best

    def after(self, cells: float, seconds: float, best: float) -> Speed:
        """Return what is known after a range of so many cells that took so many seconds.

        ``best`` is the speed of the worker's devices at best, in cells a second. After a short first range the speed
        counts as not measured, because most of the time of such a range goes to its beginning and its end.
        """
        if cells <= 0 or seconds <= 0:
            return self
        found = cells / seconds
        if not self.cells_a_second and seconds < SHORTEST:
            return Speed(max(found, best))
        return Speed(0.5 * (self.cells_a_second + found) if self.measured else found, True)


def cells_for(
    speed: Speed, together: float, left: int, task_seconds: float, seconds_left: float | None = None
) -> float | None:
    """Return how many cells a worker gets next.

    With ranges of this size all workers end at about the same time, and this one before its machine is taken away.

    Parameters
    ----------
    speed : Speed
        The speed of this worker.
    together : float
        The speed of all workers together, in cells a second.
    left : int
        The number of cells that are neither computed nor given to a worker.
    task_seconds : float
        The seconds that a range is to take, which are fewer near the end of the job.
    seconds_left : float, optional
        The seconds until the worker's machine is taken away, counted from the end of the ranges that the worker has
        already. None: no such time is known.

    Returns
    -------
    float or None
        The number of cells; None if the worker has no time for another range.
    """
    if not speed.measured and seconds_left is not None and seconds_left < FIRST_SECONDS:
        return None
    if not speed.cells_a_second:
        return min(FIRST, left / TRIAL)
    share = left / max(together, speed.cells_a_second)  # seconds that all workers together need for what is left
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
    """A range that exactly one worker has."""

    what: _What  # the range
    cells: int
    seconds_left: float  # expected seconds until that worker has computed it


def to_repeat(waiting: Iterable[Waiting[_What]], speeds: Iterable[tuple[_Name, float]]) -> list[tuple[_Name, _What]]:
    """Return which idle worker takes which range a second time, as (name of the worker, range).

    The fastest idle worker takes the range that is expected to end last, and so on, as long as a second copy is
    expected to be worth it (WORTH_IT). ``speeds`` has the name and the speed, in cells a second, of each idle worker.
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
