"""The dispatcher of jobs on many machines, with simulated workers and a clock that the simulation moves.

No test needs Dask.
"""

from __future__ import annotations

import heapq
import itertools
import queue
import random
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import alnus
from alnus.distributed import JobError, _deadline, _dispatch, _worker
from alnus.distributed._command import Command
from alnus.distributed._deadline import Deadline
from alnus.distributed._pool import Pool, Range
from alnus.distributed._rule import Speed

# ---- A simulated cluster ----


class _Future:
    """A call on a simulated worker."""

    def __init__(self) -> None:
        self.status = "pending"
        self._told: list[Callable[[_Future], None]] = []
        self._value: Any = None

    def add_done_callback(self, function: Callable[[_Future], None]) -> None:
        self._told.append(function)

    def end(self, value: Any) -> None:
        if self.status == "pending":
            self.status, self._value = "finished", value
            for function in self._told:
                function(self)

    def result(self, timeout: float) -> Any:
        if isinstance(self._value, Exception):
            raise self._value
        return self._value

    def release(self) -> None:
        self.status = "released"


class Cluster:
    """A client whose workers compute one range after the other, each with its own speed in cells a second.

    ``answer`` may say what a worker answers at once, in place of computing: it gets the address of the worker and the
    number of its request, from 1 on, and returns None if the worker computes.
    """

    status = "running"

    def __init__(
        self,
        speeds: dict[str, float],
        cells: list[int],
        answer: Callable[[str, int], Any] = lambda address, number: None,
        **settings: Any,
    ) -> None:
        self.now = 0.0
        self.speeds = speeds
        self.there = dict.fromkeys(speeds, 1)
        self.probes: dict[str, dict[str, Any]] = {}  # what differs in the answers of workers to the probe
        self.given: list[tuple[str, Range, float, float]] = []  # (worker, range, begin, end)
        self.stopped: list[tuple[str, int]] = []
        self.ended: list[str] = []
        self.told: list[str] = []
        self._answer = answer
        self._pool = Pool(cells)
        self._free = dict.fromkeys(speeds, 0.0)  # when each worker has computed all that it has
        self._futures: dict[tuple[str, int], _Future] = {}  # by worker and first part
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = itertools.count()
        self._answers: deque[Any] = deque()
        order = _worker.Order("", Command("allpairs", ["s.fa"]), settings.pop("inputs", []), len(cells), "/run", "/c")
        usual: dict[str, Any] = {"task_seconds": 60.0, "duplicates": True, "retries": 20, "one_card_each": False}
        usual |= {"others_may_come": True, "is_recorded": lambda _: False, "hear": lambda messages: None}
        client: Any = self
        self.dispatcher = _dispatch.Dispatcher(
            client, order, Pool(cells, settings.pop("done", ())), warn=self.told.append, **(usual | settings)
        )
        own: Any = self
        self.dispatcher._answers = own  # has put(), get() and get_nowait()
        self.dispatcher._beside = own  # has submit() of functions that run at once, and shutdown()

    def run_job(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Runs the job on the clock of the simulation."""
        clock = SimpleNamespace(time=self.monotonic, strftime=time.strftime, gmtime=time.gmtime)
        monkeypatch.setattr(_dispatch, "time", self)
        monkeypatch.setattr(_deadline, "time", clock)
        self.dispatcher.run()

    def at(self, when: float, function: Callable[[], None]) -> None:
        heapq.heappush(self._events, (when, next(self._count), function))

    def lose(self, address: str) -> None:
        del self.there[address]
        for (of, _), future in self._futures.items():
            if of == address:
                future.release()

    # What the dispatcher calls:

    def monotonic(self) -> float:
        return self.now

    def nthreads(self) -> dict[str, int]:
        return dict(self.there)

    def submit(self, function: Any, *arguments: Any, workers: Any = None, **_: Any) -> Any:
        if workers is None:  # a function that runs beside the dispatcher
            return function(*arguments)
        future = _Future()
        [address] = workers
        if function is _worker.probe:
            version = alnus.__version__
            told = {"alnus": version, "program": version, "host": address, "deadline": None, "cards": []}
            wrong = self.probes.get(address, {})
            value = wrong.pop("error") if "error" in wrong else told | wrong
            self.at(self.now, lambda: future.end(value))
            return future
        order, first, last = arguments
        assert order.worker == address
        what = Range(first, last)
        number = 1 + sum(1 for one, *_ in self.given if one == address)
        begin = max(self.now, self._free[address])
        value = self._answer(address, number)
        end = begin
        if value is None:
            cells, speed = self._pool.cells(what), self.speeds[address]
            value = {"cells": cells, "seconds": cells / speed, "best": speed, "messages": []}
            end += cells / speed
        self._free[address] = end
        self._futures[address, first] = future
        self.given.append((address, what, begin, end))
        self.at(end, lambda: future.end(value))
        return future

    def run(self, function: Any, *arguments: Any, workers: list[str]) -> dict[str, Any]:
        [address] = workers
        if function is _worker.stop:
            first = arguments[-1]
            self.stopped.append((address, first))
            self.at(self.now, lambda: self._futures[address, first].end({"stopped": True}))
        elif function is _worker.end:
            self.ended.append(address)
        else:
            return {address: function(*arguments)}
        return {}

    def shutdown(self, wait: bool) -> None:
        pass

    def put(self, answer: Any) -> None:
        self._answers.append(answer)

    def get(self, timeout: float) -> Any:
        if not self._answers:
            until = self.now + timeout
            if self._events and self._events[0][0] <= until:
                self.now = max(self.now, self._events[0][0])
                while self._events and self._events[0][0] <= self.now:
                    heapq.heappop(self._events)[2]()
            else:
                self.now = until
            assert self.now < 10_000, "the job does not end"
        return self.get_nowait()

    def get_nowait(self) -> Any:
        if not self._answers:
            raise queue.Empty
        return self._answers.popleft()


def of_error(message: str, code: int | None) -> dict[str, Any]:
    return {"error": message, "code": code}


@pytest.mark.parametrize("seed", range(6))
def test_every_part_is_computed_and_the_workers_end_together(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)
    speeds = {f"w{k}": 1e9 * draw.uniform(0.2, 2) for k in range(draw.randint(1, 6))}
    ideal = draw.uniform(60, 150)  # seconds
    cells = [int(ideal * sum(speeds.values()) / 1000 * draw.uniform(0.5, 1.5)) for _ in range(1000)]
    done = [Range(11, 50), Range(51, 51), Range(1000, 1000)] if seed % 2 else []
    cluster = Cluster(speeds, cells, done=done)
    dispatcher = cluster.dispatcher
    assert dispatcher.done_cells == sum(Pool(cells).cells(one) for one in done)
    cluster.run_job(monkeypatch)
    assert dispatcher.done_cells == sum(cells)
    assert dispatcher.workers == len(speeds)
    assert dispatcher.speed == pytest.approx(sum(speeds.values()))
    given = Counter(one[1] for one in cluster.given)
    parts = [part for one in [*given, *done] for part in range(one.first, one.last + 1)]
    assert sorted(parts) == list(range(1, 1001))
    assert max(given.values()) <= 2
    assert dispatcher.repeated == len(cluster.given) - len(given)
    assert dispatcher.lost == 0
    assert cluster.told == []
    assert sorted(cluster.ended) == sorted(speeds), "each program is ended"
    assert cluster.now < 1.2 * sum(cells) / sum(speeds.values()) + 10
    pool = Pool(cells)
    assert max(pool.cells(what) / speeds[address] for address, what, *_ in cluster.given) < 61
    assert len(cluster.given) < 80 * len(speeds), "ranges near the end take a second or more"


@pytest.mark.parametrize("duplicates", [True, False])
def test_idle_workers_repeat_what_a_slow_one_has(duplicates: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster({"a": 1e9, "b": 1e9}, [10**8] * 1000, duplicates=duplicates)
    cluster.at(20, lambda: cluster.speeds.update(b=1e7))
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 10**11
    if not duplicates:
        assert cluster.now > 300
        assert cluster.dispatcher.repeated == 0
        assert cluster.stopped == []
        return
    assert cluster.now < 200
    assert cluster.dispatcher.repeated > 0
    twice = {what for what, count in Counter(one[1] for one in cluster.given).items() if count == 2}
    assert {("b", one.first) for one in twice} == set(cluster.stopped), "whoever is slower is stopped"


@pytest.mark.parametrize("recorded", [False, True])
def test_the_ranges_of_a_worker_that_goes_are_computed_again(recorded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(dict.fromkeys("abc", 1e9), [10**9] * 90, is_recorded=lambda _: recorded)
    cluster.at(10.05, lambda: cluster.lose("b"))
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 90 * 10**9
    assert cluster.dispatcher.workers == 2
    had = [what for address, what, _, end in cluster.given if address == "b" and end > 10.05]
    assert len(had) in (1, 2)
    if recorded:
        assert cluster.told == []
        assert cluster.dispatcher.lost == 0
        return
    assert cluster.dispatcher.lost == len(had)
    assert cluster.told == [
        f"The worker b is gone. Its {what} {'is' if what.first == what.last else 'are'} computed again." for what in had
    ]


def test_a_job_ends_after_so_many_failures_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster({"a": 1e9}, [5] * 4, lambda *_: of_error("No space.", None), retries=8)
    with pytest.raises(JobError, match=r"^No space\. \(9 times, one after the other; the last was a\)$"):
        cluster.run_job(monkeypatch)
    assert cluster.dispatcher.lost == 9
    assert len(cluster.told) == 8
    assert all(text.startswith("The worker a failed: No space. Its part") for text in cluster.told)
    begun = [begin for _, _, begin, _ in cluster.given]
    for waited, expected in zip(itertools.pairwise(begun), [1, 2, 4, 8, 16, 30, 30, 30], strict=True):
        assert expected <= waited[1] - waited[0] < expected + 0.3
    assert cluster.ended == ["a"]


def test_a_success_ends_the_row_of_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[Any] = [of_error("No space.", 4), RuntimeError("two\nlines")]
    cluster = Cluster({"a": 10.0}, [50] * 8, lambda _, n: errors[n // 2 % 2] if n % 2 else None, retries=1)
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 400
    assert cluster.dispatcher.lost == len(cluster.told) > 1
    assert any(text.startswith("The worker a failed: two lines Its part") for text in cluster.told)


def test_what_was_computed_is_not_computed_again_if_its_answer_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster({"a": 1e9}, [5] * 4, lambda *_: RuntimeError("lost"), is_recorded=lambda _: True, retries=0)
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 20
    assert cluster.dispatcher.lost == 0
    assert cluster.told == []


@pytest.mark.parametrize(("code", "error"), [(1, alnus.InputError), (2, alnus.DatabaseError)])
def test_wrong_inputs_end_a_job_at_once(code: int, error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster({"a": 1e9}, [5] * 4, lambda *_: of_error("It is wrong.", code))
    with pytest.raises(error, match=r"^It is wrong\.$"):
        cluster.run_job(monkeypatch)
    assert len(cluster.given) == 1


@pytest.mark.parametrize(("others_may_come", "attempts", "seconds"), [(False, 1, 0), (True, 3, 33)])
def test_workers_without_the_device(
    others_may_come: bool, attempts: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(
        {"a": 1e9}, [5] * 4, lambda *_: of_error("No GPU.", 3), retries=0, others_may_come=others_may_come
    )
    with pytest.raises(JobError, match=r"^No worker can be used\. The worker a gets no work: No GPU\.$"):
        cluster.run_job(monkeypatch)
    assert len(cluster.given) == attempts
    assert seconds <= cluster.now < seconds + 2
    assert cluster.dispatcher.workers == 0


def test_workers_of_another_version_or_without_the_package_get_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(dict.fromkeys("abcd", 1e9), [10**9] * 40)
    cluster.probes = {"a": {"alnus": "0.0.1"}, "b": {"program": "0.0.1"}, "c": {"error": RuntimeError("It is not")}}
    cluster.run_job(monkeypatch)
    computed = {address: begin for address, _, begin, _ in reversed(cluster.given)}  # the first range of each
    assert sorted(computed) == ["c", "d"]
    assert 1 <= computed["c"] < 2, "a worker that fails is asked again"
    assert cluster.dispatcher.workers == 2
    version = alnus.__version__
    assert sorted(cluster.told) == [
        f"The worker a has alnus 0.0.1 (program {version}), and this is {version}: it gets no work.",
        f"The worker b has alnus {version} (program 0.0.1), and this is {version}: it gets no work.",
        "The worker c cannot be used: It is not",
    ]


@pytest.mark.parametrize("others_may_come", [True, False])
def test_workers_begin_only_what_ends_in_their_time(others_may_come: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster({"a": 1e9, "b": 1e9}, [10**8] * 3000, others_may_come=others_may_come)
    cluster.probes = {"a": {"deadline": Deadline("X", 100.0)}, "b": {"deadline": Deadline("X", 20.0)}}
    with pytest.raises(JobError, match=r"^No worker can be used\. .*worker a gets no work: its time is up \(X=100, "):
        cluster.run_job(monkeypatch)
    assert {address for address, *_ in cluster.given} == {"a"}, "a first range may take 30 s"
    ends = [end for *_, end in cluster.given]
    assert 85 < max(ends) < 100
    waited = 30 if others_may_come else 0
    assert 100 + waited <= cluster.now < 102 + waited
    assert cluster.dispatcher.workers == 0


def test_a_cancelled_job_stops_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[Any] = []
    wait = SimpleNamespace(wait=lambda futures, timeout: waited.append((futures, timeout)))
    monkeypatch.setitem(sys.modules, "distributed", wait)
    cluster = Cluster(dict.fromkeys("ab", 1e9), [10**9] * 90)
    cluster.at(10.0, cluster.dispatcher.cancel)
    with pytest.raises(alnus.Cancelled):
        cluster.run_job(monkeypatch)
    assert cluster.now < 11
    running = {(address, what.first) for address, what, _, end in cluster.given if end > cluster.now}
    assert running <= set(cluster.stopped)
    [(futures, seconds)] = waited
    assert len(futures) == len(cluster.stopped) >= 2
    assert seconds == 10


def test_without_a_scheduler_a_job_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster({"a": 1e9}, [10**9] * 90)
    cluster.at(5.0, lambda: setattr(cluster, "status", "closed"))
    with pytest.raises(JobError, match="The scheduler is gone"):
        cluster.run_job(monkeypatch)
    cluster = Cluster({"a": 1e9}, [10**9] * 90)
    cluster.at(5.0, lambda: setattr(cluster, "there", None))
    with pytest.raises(JobError, match="The scheduler does not answer"):
        cluster.run_job(monkeypatch)


def test_the_best_speed_counts_until_a_range_measures_it() -> None:
    assert Speed(3.0).after(5, 0.0, best=9.0) == Speed(3.0)
    assert Speed(3.0).after(0, 5.0, best=9.0) == Speed(3.0)
    assert Speed().after(7, 1.0, best=9.0) == Speed(7.0, True), "a second is long enough"
