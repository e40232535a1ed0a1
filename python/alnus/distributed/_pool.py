"""Which parts nobody has computed yet."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Range(NamedTuple):
    """Parts that follow each other and are computed at once, from 1 on; both ends belong to it."""

    first: int
    last: int


class Pool:
    """Gaps between what is done or under way. Ranges are taken from the front, by their cells."""

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
        """Cells that nobody is at."""
        return sum(self.cells(gap) for gap in self._gaps)

    def __bool__(self) -> bool:
        return bool(self._gaps)

    def next(self, cells: float) -> Range:
        """The next parts with about so many cells, one at least."""
        gap = self._gaps[0]
        end = bisect.bisect_right(self._before, self._before[gap.first - 1] + cells) - 1
        one = Range(gap.first, min(gap.last, max(gap.first, end)))
        self._take(one)
        return one

    def give_back(self, one: Range) -> None:
        """Nobody is at these any more. They come next, in one piece with their neighbours."""
        gaps = sorted([*self._gaps, one])
        self._gaps = gaps[:1]
        for gap in gaps[1:]:
            before = self._gaps[-1]
            if before.last + 1 == gap.first:
                self._gaps[-1] = Range(before.first, gap.last)
            else:
                self._gaps.append(gap)

    def has(self, one: Range) -> bool:
        """True if nobody is at any of these."""
        return any(gap.first <= one.first and one.last <= gap.last for gap in self._gaps)

    def _take(self, one: Range) -> None:
        gaps = []
        for gap in self._gaps:
            pieces = [Range(gap.first, min(gap.last, one.first - 1)), Range(max(gap.first, one.last + 1), gap.last)]
            if one.last < gap.first or gap.last < one.first:
                pieces = [gap]
            gaps += [piece for piece in pieces if piece.first <= piece.last]
        self._gaps = gaps
