"""Which ranges of parts workers get, and the ledgers that say which of them are computed. No worker is started."""

from __future__ import annotations

import json
import pathlib
import random

import pytest

import alnus
from alnus.distributed._folder import Folder
from alnus.distributed._pool import Pool, Range
from alnus.distributed._rule import Speed, Waiting, cells_for, to_repeat

# ---- Which parts are given next ----


def test_pools_have_every_part_once() -> None:
    draw = random.Random(1)
    for _ in range(200):
        cells = [draw.randrange(5) for _ in range(draw.randrange(1, 40))]
        done = []
        pool = Pool(cells)
        taken: list[Range] = []
        while pool or taken:
            if pool and (not taken or draw.random() < 0.6):
                taken.append(pool.next(draw.choice([0, 1, 3, 10, 1e9])))
            else:
                one = taken.pop(draw.randrange(len(taken)))
                if draw.random() < 0.3:
                    pool.give_back(one)
                else:
                    done.append(one)
            held = [part for one in done + taken for part in range(one.first, one.last + 1)]
            assert len(held) == len(set(held))
            left = Pool(cells, done + taken)
            assert left.left == pool.left
            assert bool(left) == bool(pool)
        assert sorted(part for one in done for part in range(one.first, one.last + 1)) == list(range(1, len(cells) + 1))


def test_ranges_have_about_the_cells_that_were_asked_for() -> None:
    pool = Pool([10] * 100)
    assert pool.next(35) == Range(1, 3)
    assert pool.next(5) == Range(4, 4)
    assert pool.next(1e9) == Range(5, 100)
    pool.give_back(Range(50, 60))
    assert pool.next(1e9) == Range(50, 60)
    assert not pool


# ---- Ledgers ----


def line(first: int, last: int, begin: int, end: int) -> str:
    told = {"first": first, "last": last, "begin": begin, "end": end, "file": "w.parts", "worker": "w"}
    return json.dumps(told | {"pairs": 1, "cells": 1, "seconds": 1}) + "\n"


def test_ledgers_are_read_as_they_grow(tmp_path: pathlib.Path) -> None:
    folder = Folder(str(tmp_path), 100, print)
    part, ledger = tmp_path / "parts" / "w.parts", tmp_path / "parts" / "w.jsonl"
    part.write_bytes(bytes(50))
    ledger.write_text(line(5, 9, 0, 10) + line(1, 4, 10, 20) + line(8, 12, 20, 30) + line(20, 30, 30, 60))
    assert [record.range for record in folder.records()] == [Range(1, 4), Range(5, 9)], "of two that overlap the first"
    assert folder.has(Range(8, 12))
    with ledger.open("a") as more:
        more.write(line(13, 14, 0, 5) + line(40, 41, 0, 5)[:20])  # the last line is cut, as if its writer was killed
    part.write_bytes(bytes(60))
    assert [record.range.first for record in folder.records()] == [1, 5, 13, 20], "what a file system showed late"
    folder.drop(folder.records()[0])
    assert [record.range.first for record in folder.records()] == [5, 13, 20]
    with pytest.raises(alnus.OutputError, match="Another process"):
        Folder(str(tmp_path), 100, print)
    folder.close()


# ---- The rule: how much a worker gets, and what is repeated ----


def test_ranges_end_before_their_worker_goes() -> None:
    assert cells_for(Speed(), 0, 8_000, 60) == 1_000
    assert cells_for(Speed(), 0, 8_000, 60, seconds_left=10) is None, "a first range takes nobody knows how long"
    assert cells_for(Speed(1e9), 1e9, 80 * 10**9, 60) == 10 * 10**9, "an eighth, by what its devices can do at best"
    assert cells_for(Speed(1e9), 1e9, 10**12, 60, seconds_left=40) == 5e9
    assert cells_for(Speed(1e9), 1e9, 10**12, 60, seconds_left=10) is None
    assert cells_for(Speed(1e9), 1e9, 8_000, 60) == 1_000
    measured = Speed(100, True)
    assert cells_for(measured, 100, 10**9, 60) == 6_000
    assert cells_for(measured, 1_000, 30_000, 60) == 1_500, "near the end less than a minute's work"
    assert cells_for(measured, 100, 10**9, 60, seconds_left=20) == pytest.approx(1_400)
    assert cells_for(measured, 100, 10**9, 60, seconds_left=3) is None


def test_a_short_first_range_does_not_measure_a_worker() -> None:
    short = Speed().after(10, 0.1, best=1_000)
    assert short == Speed(1_000, False)
    assert Speed().after(10, 0.1, best=50) == Speed(100, False), "faster than the program thinks"
    assert short.after(10, 0.1, best=1_000) == Speed(100, True), "the second one does, whatever it says"
    assert Speed().after(100, 2, best=1_000) == Speed(50, True)
    assert Speed(50, True).after(100, 1, best=1_000) == Speed(75, True), "later ones count as much as all before"
    assert short.after(0, 0, best=1_000) == short


def test_the_last_are_repeated_by_those_that_gain() -> None:
    waiting = [Waiting("a", 100, 50.0), Waiting("b", 100, 5.0), Waiting("c", 100, 20.0)]
    assert to_repeat(waiting, [("slow", 2.0), ("fast", 50.0)]) == [("fast", "a")], "nobody gains by the slow one"
    assert to_repeat(waiting, [("one", 50.0), ("two", 40.0), ("three", 30.0)]) == [
        ("one", "a"),
        ("two", "c"),
        ("three", "b"),
    ]
    assert to_repeat([], [("one", 50.0)]) == []
