#!/usr/bin/env python3
"""Simulate how well alnus.distributed uses many workers, with simpy and with times measured in a real job.

    scale.py measure FOLDER...            what the ledgers of jobs say: the speed of ranges and its spread
    scale.py simulate [--svg FILE]        the table and the curves of docs/results/scale.md
    scale.py plan --sequences N           cells, machine hours and euros of all pairs of N sequences, by calculation

The simulation cuts ranges by the pool that alnus.distributed uses, and gives them to workers by the same rule. Workers
differ in speed, begin after a minute, and some of them are lost. Needs simpy and matplotlib, and the package alnus.
"""

from __future__ import annotations

import argparse
import dataclasses
import glob
import json
import math
import os
import random
import statistics
import sys
from collections.abc import Iterator

import simpy

from alnus.distributed._pool import Pool, Range
from alnus.distributed._rule import Speed, Waiting, cells_for, expected_speed, to_repeat

# Speed and spread were measured (docs/results/scale.md).
CORE_GCUPS = 7.1  # speed of one core
SPREAD = 0.28  # standard deviation of the logarithm of the cells a second, from range to range
BETWEEN = 0.015  # seconds from the answer of a range to the beginning of the worker's next range
# How often Dask's scheduler changes the state of each task: to released, waiting, processing, memory, released and
# forgotten.
TRANSITIONS = 6

PARTS = 100_000  # parts of a job, as in alnus.distributed
LENGTH = 350  # residues of a protein, on average


@dataclasses.dataclass
class Setting:
    workers: int = 1000
    cores: int = 16
    sequences: int = 10_000_000
    task_seconds: float = 600
    slow: float = 0.05  # fraction of workers that take 3 times as long
    lost: float = 0.01  # fraction of workers that are lost in each hour
    start: float = 60  # seconds from the beginning of a worker until it gets work
    seed: int = 1


@dataclasses.dataclass
class Outcome:
    hours: float
    useful: float  # fraction of the workers' time in which they computed ranges whose answers counted
    tasks: int  # ranges that were given out
    lost: int  # ranges whose worker was lost
    repeated: int  # ranges that were given to a second worker
    transitions: float  # transitions of Dask's scheduler in a second


class Job:
    """A job of all pairs on many workers, in simulated time."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.draw = random.Random(setting.seed)
        self.now = simpy.Environment()
        total = setting.sequences**2 / 2 * LENGTH**2
        self.pool = Pool([int(total / PARTS)] * PARTS)
        self.left_to_do = self.pool.total
        self.finished: set[Range] = set()
        # (begin, expected end) for each worker that has the range.
        self.running: dict[Range, list[tuple[float, float]]] = {}
        self.speeds: dict[int, Speed] = {}
        self.together = 0.0  # the sum of the speeds, in cells a second
        self.there = 0  # the number of workers that can get work
        self.ended = self.now.event()
        self.useful = 0.0
        self.tasks = self.lost = self.repeated = 0

    def run(self) -> Outcome:
        for number in range(self.setting.workers):
            self.now.process(self._machine(number))
        self.now.run(until=self.ended)
        seconds = self.now.now
        return Outcome(
            hours=seconds / 3600,
            useful=self.useful / (seconds * self.setting.workers),
            tasks=self.tasks,
            lost=self.lost,
            repeated=self.repeated,
            transitions=self.tasks * TRANSITIONS / seconds,
        )

    def _machine(self, number: int) -> Iterator[simpy.Event]:
        """Simulate a worker, and, whenever it is lost, another one that takes its place."""
        while True:
            slow = 3.0 if self.draw.random() < self.setting.slow else 1.0
            speed = self.setting.cores * CORE_GCUPS * 1e9 / slow
            life = self.draw.expovariate(self.setting.lost / 3600) if self.setting.lost else math.inf
            yield self.now.timeout(self.setting.start)
            self.there += 1
            yield from self._work(number, speed, self.now.now + life)
            self.there -= 1
            self.together -= self.speeds.pop(number, Speed()).cells_a_second

    def _work(self, number: int, speed: float, end_of_life: float) -> Iterator[simpy.Event]:
        while True:
            what = self._next(number)
            if what is None:
                yield self.now.timeout(5)
                continue
            self.tasks += 1
            seconds = self.pool.cells(what) / speed * math.exp(self.draw.gauss(0, SPREAD))
            begun = self.now.now
            copy = (begun, begun + seconds)
            self.running.setdefault(what, []).append(copy)
            if begun + seconds > end_of_life:
                yield self.now.timeout(max(0, end_of_life - begun))
                self.lost += 1
                self._leave(what, copy)
                return
            # If two workers have the same range, the first to end stops the other one, which looks once a second.
            while self.now.now < begun + seconds and what not in self.finished:
                yield self.now.timeout(
                    min(1, begun + seconds - self.now.now) if len(self.running[what]) > 1 else seconds
                )
            if what not in self.finished:
                self.finished.add(what)
                self.useful += seconds
                self.left_to_do -= self.pool.cells(what)
                before = self.speeds.get(number, Speed())
                best = self.setting.cores * CORE_GCUPS * 1e9
                self.speeds[number] = before.after(self.pool.cells(what), seconds, best)
                self.together += self.speeds[number].cells_a_second - before.cells_a_second
            self._forget(what, copy)
            if self.left_to_do == 0 and not self.ended.triggered:
                self.ended.succeed()
            yield self.now.timeout(BETWEEN)

    def _leave(self, what: Range, copy: tuple[float, float]) -> None:
        self._forget(what, copy)
        if what not in self.running and what not in self.finished:
            self.pool.give_back(what)

    def _forget(self, what: Range, copy: tuple[float, float]) -> None:
        self.running[what].remove(copy)
        if not self.running[what]:
            del self.running[what]

    def _next(self, number: int) -> Range | None:
        """Return the range that the dispatcher would give to this worker; None if it would give none."""
        speed = self.speeds.get(number, Speed())
        if self.pool:
            together = expected_speed(self.together, len(self.speeds), self.there)
            cells = cells_for(speed, together, self.pool.left, self.setting.task_seconds)
            assert cells is not None  # cells_for() returns None only if it is told when the worker goes
            return self.pool.next(cells)
        if not speed.cells_a_second:
            return None
        waiting = [
            Waiting(what, self.pool.cells(what), copies[0][1] - self.now.now)
            for what, copies in self.running.items()
            if len(copies) == 1 and what not in self.finished
        ]
        for _, what in to_repeat(waiting, [(number, speed.cells_a_second)]):
            self.repeated += 1
            return what
        return None


def measure(folders: list[str]) -> None:
    lines = []
    for folder in folders:
        for path in glob.glob(os.path.join(folder, "parts", "*.jsonl")):
            with open(path) as file:
                lines += [json.loads(line) for line in file]
    lines = [line for line in lines if line.get("cells")]
    speeds = [line["cells"] / line["seconds"] / 1e9 for line in lines]
    print(
        f"{len(lines)} ranges, {sum(line['cells'] for line in lines):.3g} cells, "
        f"median {statistics.median(speeds):.2f} GCUPS"
    )
    print(f"spread of ln(cells / second): {statistics.stdev([math.log(speed) for speed in speeds]):.3f}")


def simulate(svg: str | None) -> None:
    counts = [8, 32, 125, 500, 1000]
    print("| workers of 16 cores | hours | useful | tasks | lost | repeated | transitions a second |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    curves: dict[str, list[float]] = {"as above": [], "no losses, all alike": [], "ranges of 60 s": []}
    for count in counts:
        # So many sequences that each worker has as much to do as each of 1,000 workers with 10,000,000 sequences.
        sequences = int(10_000_000 * math.sqrt(count / 1000))
        outcome = Job(Setting(workers=count, sequences=sequences)).run()
        print(
            f"| {count} | {outcome.hours:.1f} | {outcome.useful:.1%} | {outcome.tasks:,} | {outcome.lost} | "
            f"{outcome.repeated} | {outcome.transitions:.0f} |"
        )
        curves["as above"].append(outcome.useful)
        calm = Job(Setting(workers=count, sequences=sequences, slow=0, lost=0)).run()
        curves["no losses, all alike"].append(calm.useful)
        short = Job(Setting(workers=count, sequences=sequences, task_seconds=60)).run()
        curves["ranges of 60 s"].append(short.useful)
    for name, values in curves.items():
        print(f"{name}: " + ", ".join(f"{value:.1%}" for value in values), file=sys.stderr)
    if svg is None:
        return
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "alnus"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.6))
    for name, values in curves.items():
        axes.plot(counts, [100 * value for value in values], marker="o", label=name)
    axes.set_xscale("log")
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.set_ylim(80, 100)
    axes.set_xlabel("workers of 16 cores")
    axes.set_ylabel("useful time of the workers (%)")
    axes.legend(loc="lower left")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(svg, metadata={"Date": None})


def plan(sequences: int) -> None:
    cells = sequences**2 / 2 * LENGTH**2
    for name, gcups, euros in [("16 cores", 16 * CORE_GCUPS, 0.5), ("one H200", 6700, 4.0)]:
        hours = cells / gcups / 1e9 / 3600
        print(f"{name}: {cells:.2g} cells, {hours:,.0f} machine hours, {hours * euros:,.0f} euros at {euros} an hour")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("measure").add_argument("folders", nargs="+")
    commands.add_parser("simulate").add_argument("--svg")
    commands.add_parser("plan").add_argument("--sequences", type=int, default=1_000_000_000)
    arguments = parser.parse_args()
    if arguments.command == "measure":
        measure(arguments.folders)
    elif arguments.command == "simulate":
        simulate(arguments.svg)
    else:
        plan(arguments.sequences)


if __name__ == "__main__":
    main()
