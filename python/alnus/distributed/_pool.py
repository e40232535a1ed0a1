"""The parts of a job that are neither computed nor given to a worker."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Range(NamedTuple):
    """Consecutive parts that a worker gets at once: from ``first`` to ``last``, both included. Parts count from 1."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"part {self.first}" if self.first == self.last else f"parts {self.first} to {self.last}"


class Pool:
    """The parts that are free, that is neither computed nor given to a worker. Ranges are taken from the front.

    ``cells`` has the cells of each part, and ``done`` the ranges that are computed.
    """

    def __init__(self, cells: Sequence[int], done: Iterable[Range] = ()) -> None:
        self._before = [0, *itertools.accumulate(cells)]
        self._gaps = [Range(1, len(cells))] if cells else []
        for one in done:
            self._take(one)

    def cells(self, one: Range) -> int:
        return self._before[one.last] - self._before[one.first - 1]

    @property
    def total(self) -> int:
        return self._before[-1]

    @property
    def left(self) -> int:
        """The number of cells in all free parts."""
        return sum(self.cells(gap) for gap in self._gaps)

    def __bool__(self) -> bool:
        return bool(self._gaps)

    def next(self, cells: float) -> Range:
        """Take the next range of free parts: at least one part, and otherwise at most ``cells`` cells."""
        gap = self._gaps[0]
        end = bisect.bisect_right(self._before, self._before[gap.first - 1] + cells) - 1
        one = Range(gap.first, min(gap.last, max(gap.first, end)))
        self._take(one)
        return one

    def give_back(self, one: Range) -> None:
        """Make the parts of a range free again, and join them with free neighbours.

        Free parts stay in order, so that a range that was given back is usually taken next.
        """
        gaps = sorted([*self._gaps, one])
        self._gaps = gaps[:1]
        for gap in gaps[1:]:
            before = self._gaps[-1]
            if before.last + 1 == gap.first:
                self._gaps[-1] = Range(before.first, gap.last)
            else:
                self._gaps.append(gap)

    def has(self, one: Range) -> bool:
        """Return True if all parts of a range are free."""
        return any(gap.first <= one.first and one.last <= gap.last for gap in self._gaps)

    def _take(self, one: Range) -> None:
        gaps = []
        for gap in self._gaps:
            pieces = [Range(gap.first, min(gap.last, one.first - 1)), Range(max(gap.first, one.last + 1), gap.last)]
            if one.last < gap.first or gap.last < one.first:
                pieces = [gap]
            gaps += [piece for piece in pieces if piece.first <= piece.last]
        self._gaps = gaps
