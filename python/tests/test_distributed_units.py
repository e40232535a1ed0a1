"""Jobs on many machines, without any other machine: what the dispatcher, a worker and the command do.

The dispatcher has simulated workers here, and a clock that the simulation moves. No test needs Dask.
"""

from __future__ import annotations

import heapq
import itertools
import json
import os
import pathlib
import queue
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from support import Program
from test_distributed_ranges import line

import alnus
from alnus.distributed import Job, JobError, Plan, Status, __main__, _deadline, _dispatch, _job, _slurm, _worker
from alnus.distributed._command import Command, of_arguments, of_keywords, path_of, refuse_repeated
from alnus.distributed._deadline import Deadline, deadline
from alnus.distributed._folder import Folder, InputFile, Record
from alnus.distributed._pool import Pool, Range
from alnus.distributed._program import (
    error_of,
    in_one_line,
    keep_messages_out_of,
    messages_of,
    program,
    refusal,
    version_of,
    with_names,
)
from alnus.distributed._rule import Speed
from alnus.distributed._signals import Ended, ended_by_signals

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


class _Cluster:
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
    cluster = _Cluster(speeds, cells, done=done)
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
    cluster = _Cluster({"a": 1e9, "b": 1e9}, [10**8] * 1000, duplicates=duplicates)
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
    cluster = _Cluster(dict.fromkeys("abc", 1e9), [10**9] * 90, is_recorded=lambda _: recorded)
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
    cluster = _Cluster({"a": 1e9}, [5] * 4, lambda *_: of_error("No space.", None), retries=8)
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
    cluster = _Cluster({"a": 10.0}, [50] * 8, lambda _, n: errors[n // 2 % 2] if n % 2 else None, retries=1)
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 400
    assert cluster.dispatcher.lost == len(cluster.told) > 1
    assert any(text.startswith("The worker a failed: two lines Its part") for text in cluster.told)


def test_what_was_computed_is_not_computed_again_if_its_answer_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = _Cluster({"a": 1e9}, [5] * 4, lambda *_: RuntimeError("lost"), is_recorded=lambda _: True, retries=0)
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 20
    assert cluster.dispatcher.lost == 0
    assert cluster.told == []


@pytest.mark.parametrize(("code", "error"), [(1, alnus.InputError), (2, alnus.DatabaseError)])
def test_wrong_inputs_end_a_job_at_once(code: int, error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = _Cluster({"a": 1e9}, [5] * 4, lambda *_: of_error("It is wrong.", code))
    with pytest.raises(error, match=r"^It is wrong\.$"):
        cluster.run_job(monkeypatch)
    assert len(cluster.given) == 1


@pytest.mark.parametrize(("others_may_come", "attempts", "seconds"), [(False, 1, 0), (True, 3, 33)])
def test_workers_without_the_device(
    others_may_come: bool, attempts: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = _Cluster(
        {"a": 1e9}, [5] * 4, lambda *_: of_error("No GPU.", 3), retries=0, others_may_come=others_may_come
    )
    with pytest.raises(JobError, match=r"^No worker can be used\. The worker a gets no work: No GPU\.$"):
        cluster.run_job(monkeypatch)
    assert len(cluster.given) == attempts
    assert seconds <= cluster.now < seconds + 2
    assert cluster.dispatcher.workers == 0


def test_workers_of_another_version_or_without_the_package_get_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = _Cluster(dict.fromkeys("abcd", 1e9), [10**9] * 40)
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
    cluster = _Cluster({"a": 1e9, "b": 1e9}, [10**8] * 3000, others_may_come=others_may_come)
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
    cluster = _Cluster(dict.fromkeys("ab", 1e9), [10**9] * 90)
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
    cluster = _Cluster({"a": 1e9}, [10**9] * 90)
    cluster.at(5.0, lambda: setattr(cluster, "status", "closed"))
    with pytest.raises(JobError, match="The scheduler is gone"):
        cluster.run_job(monkeypatch)
    cluster = _Cluster({"a": 1e9}, [10**9] * 90)
    cluster.at(5.0, lambda: setattr(cluster, "there", None))
    with pytest.raises(JobError, match="The scheduler does not answer"):
        cluster.run_job(monkeypatch)


def test_the_best_speed_counts_until_a_range_measures_it() -> None:
    assert Speed(3.0).after(5, 0.0, best=9.0) == Speed(3.0)
    assert Speed(3.0).after(0, 5.0, best=9.0) == Speed(3.0)
    assert Speed().after(7, 1.0, best=9.0) == Speed(7.0, True), "a second is long enough"


# ---- Inputs ----


@pytest.fixture
def inputs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The working folder of a test, where copies of inputs have a folder of their own."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_the_same_by_size_and_time_or_by_its_bytes(inputs: pathlib.Path) -> None:
    path = inputs / "s.fa"
    path.write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")
    assert (file.name, file.path, file.size) == ("s.fa", str(path), 7)
    assert file.modified == path.stat().st_mtime_ns

    def same(data: bytes, later: int) -> bool:
        path.write_bytes(data)
        modified = file.modified + later
        os.utime(path, ns=(modified, modified))
        assert _worker._is_here(file) == _worker._is_the_same(str(path), file)
        return _worker._is_the_same(str(path), file)

    assert same(b">a\nMKV\n", 0)
    assert same(b">a\nMKV\n", 10**9)
    for other in (b">a\nMKVL\n", b">a\nMK\n", b""):
        assert not same(other, 0), "the size differs"
        assert not same(other, 10**9)
    assert not same(b">a\nMKW\n", 2 * 10**9)
    path.unlink()
    assert not _worker._is_the_same(str(path), file)
    assert not _worker._is_here(file)


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 20, 35])
def test_a_worker_gets_a_copy_of_what_it_does_not_see(
    size: int, inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_dispatch, "_AT_ONCE", 10)
    content = bytes(range(size))
    (inputs / "s.fa").write_bytes(content)
    (inputs / "other.fa").write_bytes(b">a\nMKV\n")
    files = [InputFile.of("s.fa"), InputFile.of("other.fa")]

    def answer(address: str, number: int) -> Any:
        return {"missing": [files[0].digest]} if (address, number) == ("b", 1) else None

    cluster = _Cluster({"a": 1e9, "b": 1e9}, [10**9] * 40, answer, inputs=files)
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 40 * 10**9
    assert cluster.dispatcher.lost == 0
    copy = _worker._place_of(files[0])
    assert copy != files[0].path
    assert pathlib.Path(copy).read_bytes() == content
    assert os.listdir(os.path.dirname(copy)) == ["s.fa"]
    assert _worker._place_of(files[1]) == files[1].path, "the worker sees this one"
    (inputs / "s.fa").unlink()
    assert _worker._is_here(files[0])


@pytest.mark.parametrize("when", ["before it is sent", "while it is sent"])
def test_an_input_that_was_changed_ends_the_job(
    when: str, inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")
    if when == "before it is sent":
        (inputs / "s.fa").write_bytes(b">a\nMKW\n")
    else:
        monkeypatch.setattr(_worker, "receive", lambda *_: False)
    cluster = _Cluster({"a": 1e9}, [5] * 4, lambda *_: {"missing": [file.digest]}, inputs=[file])
    with pytest.raises(alnus.InputError, match=r"^s\.fa was changed while the job ran"):
        cluster.run_job(monkeypatch)


def test_inputs_that_cannot_be_sent_end_the_job(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")

    def receive(*_: Any) -> bool:
        raise OSError("No space")

    monkeypatch.setattr(_worker, "receive", receive)
    cluster = _Cluster({"a": 1e9}, [5] * 4, lambda *_: {"missing": [file.digest]}, inputs=[file], retries=2)
    with pytest.raises(JobError, match=r"^Inputs cannot be sent to a: No space$"):
        cluster.run_job(monkeypatch)
    assert len(cluster.given) == 3


def test_bytes_of_another_file_are_no_copy(inputs: pathlib.Path) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")
    assert _worker.receive(file, "w", 0, b">a\nM")
    assert not _worker.receive(file, "w", 4, b"KW\n")
    assert list((inputs / "temporary").rglob("s.fa*")) == []
    assert _worker.receive(file, "w", 0, b">a\nM")
    assert list((inputs / "temporary").rglob("s.fa")) == [], "it is not whole yet"
    assert _worker.receive(file, "w", 4, b"KV\n")
    [copy] = (inputs / "temporary").rglob("s.fa*")
    assert copy.read_bytes() == b">a\nMKV\n"


# ---- The program of a worker ----

_PROGRAM = """#!/bin/sh
echo "$CUDA_VISIBLE_DEVICES $XDG_CACHE_HOME $*" >> begun
echo '{"gcups": 2.5}'
while read request; do
  case $request in
    1-1) echo "alnus: warning: odd letters in $2" >&2; echo '{"first": 1, "cells": 5}' ;;
    2-3) echo '{"stopped": true}' ;;
    4-4) echo "alnus: error: no space for $2" >&2; exit 4 ;;
    5-5) exit 7 ;;
    6-6) kill -9 $$ ;;
  esac
done
"""


def test_a_worker_keeps_its_program_from_range_to_range(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inputs / "program").write_text(_PROGRAM)
    (inputs / "program").chmod(0o755)
    monkeypatch.setenv("ALNUS_PROGRAM", str(inputs / "program"))
    (inputs / "s.fa").write_text(">a\nMKV\n")
    (inputs / "run" / "parts").mkdir(parents=True)
    command = of_arguments("allpairs", ["s.fa", "-o", "rows", "--memory", "1G"])
    order = _worker.Order(
        f"units {inputs}", command, [InputFile.of("s.fa")], 9, str(inputs / "run"), "/cache", "w", "3"
    )
    for _ in range(2):
        told = _worker.compute(order, 1, 1)
        name = told["worker"]
        assert told == {
            "first": 1,
            "cells": 5,
            "file": f"{name}.parts",
            "worker": name,
            "best": 2.5e9,
            "messages": [("warning", "odd letters in s.fa")],
        }
    assert _worker.compute(order, 2, 3) == {"stopped": True}
    place, target = inputs / "s.fa", inputs / "run" / "parts" / f"{name}.parts"
    [begun] = (inputs / "begun").read_text().splitlines()
    assert begun == (f"3 /cache allpairs {place} --memory 1G --outfmt 6 --part -/9 -o {target} --no-progress")
    lines = (inputs / "run" / "parts" / f"{name}.jsonl").read_text().splitlines()
    kept = {"first": 1, "cells": 5, "file": f"{name}.parts", "worker": name}
    assert [json.loads(one) for one in lines] == [kept, kept]
    assert _worker.compute(order, 4, 4) == of_error("no space for s.fa", 4)
    assert _worker.compute(order, 5, 5) == of_error("Its program ended with code 7.", 7)
    assert _worker.compute(order, 6, 6) == of_error("Its program was ended by the signal SIGKILL.", -9)
    assert len((inputs / "begun").read_text().splitlines()) == 3, "another program takes the place of one that ended"
    _worker.compute(order, 1, 1)
    running = _worker._running[order.job, "w"]
    _worker.stop(order.job, "w", 7)
    assert _worker.compute(order, 7, 8) == {"stopped": True}, "it was stopped before it began"
    _worker.end(order.job, "w")
    assert running._process.wait(timeout=20) == 0
    assert _worker.compute(order, 1, 1) == {"stopped": True}
    (inputs / "s.fa").unlink()
    assert _worker.compute(order, 1, 1) == {"missing": [order.inputs[0].digest]}


def test_a_worker_without_a_program_says_so(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALNUS_PROGRAM", "/nowhere/alnus")
    command = of_arguments("allpairs", ["s.fa", "-o", "rows", "--memory", "1G"])
    order = _worker.Order(f"none {inputs}", command, [], 9, str(inputs), "/cache", "w")
    assert _worker.compute(order, 1, 1) == of_error("No such file or directory: /nowhere/alnus", None)


def test_the_memory_of_a_program_leaves_room_for_the_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    mebi, gibi = 1 << 20, 1 << 30

    def memory(limit: int | None, sequences: int) -> int:
        worker = SimpleNamespace(memory_manager=SimpleNamespace(memory_limit=limit))
        monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(get_worker=lambda: worker))
        return _worker._memory(sequences)

    assert memory(None, 5) == memory(0, 5) == 8 * gibi, "there is no limit"
    assert memory(3 * gibi, 256 * mebi) == int(0.8 * 2 * gibi)
    assert memory(100 * gibi, 5) == 8 * gibi
    assert memory(gibi, 300 * mebi) == 256 * mebi
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(get_worker=lambda: None))
    assert _worker._memory(5) == 8 * gibi, "this is no worker"


@pytest.mark.parametrize(("named", "cards"), [("2, 5", ["2", "5"]), ("", []), (" ,", []), ("GPU-x", ["GPU-x"])])
def test_cards_are_those_that_the_variable_names(named: str, cards: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", named)
    assert _worker._cards() == cards


def test_signals_have_names_or_numbers() -> None:
    assert [_worker._name_of(number) for number in (9, 15, 35)] == ["SIGKILL", "SIGTERM", "35"]


def test_what_a_program_has_written(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = "alnus: reads\nalnus: warning: odd\nother\nalnus: error: first\nalnus: error: /w/s.fa is bad\nUsage: x\n"
    assert messages_of(log) == [("info", "reads"), ("warning", "odd")]
    assert error_of(log) == "/w/s.fa is bad"
    assert error_of("one\ntwo\n\n") == "two"
    assert error_of("") == error_of("\n") == ""
    assert with_names(log, {"s.fa": "/w/s.fa"}).count("error: s.fa is bad") == 1
    assert in_one_line(ValueError(" a\n  b ")) == "a b"
    for code, kind in [(2, alnus.DatabaseError), (1, alnus.InputError), (None, alnus.InputError)]:
        assert type(refusal(code, "x")) is kind
    told = inputs / "told"
    told.write_text("#!/bin/sh\necho 'alnus 1.2.3, of today'\n")
    told.chmod(0o755)
    assert version_of(str(told)) == "1.2.3"
    monkeypatch.setenv("ALNUS_PROGRAM", str(told))
    assert program() == str(told)


def test_messages_stay_out_of_the_inputs(inputs: pathlib.Path) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    (inputs / "log").write_bytes(b"")
    kept = os.dup(2)
    try:
        with open(inputs / "log", "ab") as log:
            os.dup2(log.fileno(), 2)
        keep_messages_out_of(["none.fa", "s.fa"])
        with pytest.raises(alnus.InputError, match="Standard error goes to one of the inputs, log"):
            keep_messages_out_of(["s.fa", "log"])
        keep_messages_out_of(["s.fa", "log"])  # messages go elsewhere now
    finally:
        os.dup2(kept, 2)
        os.close(kept)


# ---- Commands ----


def test_the_arguments_of_the_processes_of_a_job() -> None:
    command = of_arguments(
        "search",
        [
            "q.fa",
            "d.fa",
            "--matrix",
            "m.txt",
            "--quiet",
            "-t",
            "3",
            "--mode",
            "global",
            "-o",
            "rows",
            "--score-plot=p.svg",
            "--no-progress",
            "-T",
            "-1",
        ],
    )
    places = {"q.fa": "/w/q.fa", "m.txt": "/w/m.txt"}
    results = ["--mode", "global", "-T", "-1"]
    end = ["--outfmt", "6", "--score-plot", "/run/p.svg", "--part", "-/9", "-o", "/run/parts/f", "--no-progress"]
    begin = ["search", "/w/q.fa", "d.fa", "--matrix", "/w/m.txt"]
    assert command.of_parts(places, 9, "/run", "f") == [*begin, "-t", "3", *results, *end]
    plan = command.of_plan(places, 9, "/run")
    assert plan == [*begin, *results, *end[:7], "/run/parts/nothing", end[8], "--devices", "cpu"]
    assert command.of_merge("/run", "/run/places.tsv") == [
        "merge",
        "--list",
        "/run/places.tsv",
        "--no-progress",
        "--database-name=d.fa",
        "--output",
        "/run/rows",
        "--score-plot",
        "/run/p.svg",
    ]
    identity = command.identity()
    assert identity["options"] == ["--matrix", "m.txt", *results]
    others = of_arguments(
        "search",
        [
            "q.fa",
            "d.fa",
            "--matrix",
            "m.txt",
            "-t9",
            "--mode",
            "global",
            "-T",
            "-1",
            "-o",
            "rows",
            "--score-plot",
            "p.svg",
        ],
    )
    assert others.identity() == identity, "the machine and the log say nothing of results"
    formatted = of_arguments("allpairs", ["s.fa", "-o", "rows", "--outfmt", "7", "--matrix"])
    assert formatted.of_parts({}, 2, "/run", "f")[1:5] == ["s.fa", "--outfmt", "7", "--matrix"]
    edges = of_arguments("allpairs", ["s.fa", "--edges", "-1", "--against", "o.fa"])
    assert edges.outputs == [("--edges", "-1")], "a number is a name"
    assert "--outfmt" not in edges.of_parts({}, 2, "/run", "f")
    assert "--database-name=o.fa" in edges.of_merge("/run", "p")
    alone = of_arguments("allpairs", ["s.fa", "--edges", "e"])
    assert "--database-name=s.fa" in alone.of_merge("/run", "p")


def test_inputs_of_a_job_are_files(inputs: pathlib.Path) -> None:
    (inputs / "m.txt").write_text("")
    (inputs / "BLOSUM62").mkdir()
    options = ["--matrix", "BLOSUM62", "--against", "m.txt", "--mode", "m.txt", "--matrix"]
    assert Command("allpairs", ["none.fa"], options).all_inputs() == ["none.fa", "m.txt"]


def test_keywords_are_options() -> None:
    given = {"output": pathlib.Path("rows"), "square": True, "header": False, "strand": None, "min_score": 3}
    command = of_keywords("allpairs", ["s.fa"], given | {"matrix_out": {"score": "s.npy"}, "edges": ("e",)})
    assert command.options == ["--square", "--min-score", "3"]
    assert command.outputs == [("--output", "rows"), ("--matrix-out", "score:s.npy"), ("--edges", "e")]
    assert command.listed
    assert not of_keywords("allpairs", ["s.fa"], {"edges": "e"}).listed


@pytest.mark.parametrize(
    ("name", "words", "text"),
    [
        ("allpairs", ["s.fa"], "A job needs a file for its results: --output, --matrix-out, "),
        ("search", ["q.fa", "d.fa", "--score-plot", "p.svg"], "The rows need a file"),
        ("allpairs", ["s.fa", "--edges", "e", "--header"], "The rows need a file"),
        ("allpairs", ["-", "-o", "r"], "Standard input cannot be sent to workers"),
        ("allpairs", ["s.fa", "-o", "r", "-t1", "--threads", "2"], "--threads is given twice"),
        ("allpairs", ["s.fa", "-o", "r", "-t", "1", "-t", "2", "-t3"], "--threads is given 3 times"),
        ("allpairs", ["s.fa", "-o", "r", "--memory", "1G", "--memory=2G"], "--memory is given twice"),
        ("allpairs", ["s.fa", "-o", "r", "--output", "t"], "--output is given twice"),
        ("allpairs", ["s.fa", "-o", "r", "--part", "1/2"], "--part cannot be used here"),
    ],
    ids=str,
)
def test_commands_that_no_job_can_have(name: str, words: list[str], text: str) -> None:
    with pytest.raises(alnus.InputError) as error:
        of_arguments(name, words)
    assert str(error.value).startswith(text)


def test_counts_of_options() -> None:
    refuse_repeated({"--mode": 1})
    for count, text in [(2, "twice, and takes one value. Leave out one of them."), (3, "3 times, and")]:
        with pytest.raises(alnus.InputError) as error:
            refuse_repeated({"--mode": count})
        assert str(error.value).startswith(f"--mode is given {text}")


def test_names_of_matrices_may_begin_with_values() -> None:
    assert path_of("--matrix-out", "score:s.npy") == "s.npy"
    for option, name in [("--matrix-out", "s.npy"), ("--matrix-out", "./a:s.npy"), ("--edges", "a:e")]:
        assert path_of(option, name) == name


@pytest.mark.parametrize(("workers", "threads"), [(1, "5"), (2, "2"), (5, "1"), (7, "1")])
def test_local_workers_share_the_processors(workers: int, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(5)))
    words = ["allpairs", "s.fa", "-o", "rows", "--outdir", "run"]
    local = ["--local", str(workers)]
    assert __main__._read([*words, *local])[1].options == ["--threads", threads]
    for own in (["-t3"], ["--threads=3"], ["--threads", "3"]):
        assert "".join(__main__._read([*words, *local, *own])[1].options) in ("-t3", "--threads3")
    assert __main__._read([*words, "--slurm", str(workers)])[1].options == []
    command = __main__._read(["allpairs", "-o", "rows", "--outdir", "run", *local, "--", "-s.fa"])[1]
    assert command.inputs == ["-s.fa"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--local 1", ""),
        ("--local 0", "--local and --slurm need one worker or more."),
        ("--slurm 0", "--local and --slurm need one worker or more."),
        ("--slurm 1 --cpus 1", ""),
        ("--slurm 1 --cpus 0", "--cpus needs one processor or more."),
        ("--slurm 1 --worker-memory 1GiB --walltime 1:00 --partition p --slurm-directive=--x", ""),
        ("--local 1 --cpus 1", "--cpus is about the jobs of Slurm: add --slurm N, or leave it out."),
        ("--local 1 --partition p", "--partition is about the jobs of Slurm: add --slurm N, or leave it out."),
        ("--scheduler tcp://x:1 --slurm-directive=--x", "--slurm-directive is about the jobs of Slurm: "),
    ],
)
def test_options_of_workers(words: str, text: str) -> None:
    arguments = __main__._read(["allpairs", "s.fa", "-o", "rows", "--outdir", "run", *words.split()])[0]
    if not text:
        __main__._check(arguments)
        return
    with pytest.raises(alnus.InputError) as error:
        __main__._check(arguments)
    assert str(error.value).startswith(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1031, ""),
        (1030, ""),
        (1029, "workers begin nothing in their last 30 s, and 29 s are left"),
        (1001, "workers begin nothing in their last 30 s, and 1 s are left"),
        (1000, "the time of the workers is up"),
        (999, "the time of the workers is up"),
    ],
)
def test_workers_that_are_taken_away_soon(seconds: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(time=lambda: 1000.0, strftime=time.strftime, gmtime=time.gmtime)
    monkeypatch.setattr(_deadline, "time", clock)
    monkeypatch.delenv("ALNUS_DEADLINE", raising=False)
    monkeypatch.setenv("SLURM_JOB_END_TIME", str(seconds))
    words = ["allpairs", "s.fa", "-o", "rows", "--outdir", "run"]
    local = __main__._read([*words, "--local", "1"])[0]
    for other in (["--scheduler", "tcp://x:1"], ["--slurm", "1"]):
        assert __main__._deadline_of(__main__._read([*words, *other])[0]) is None, "other jobs have other times"
    if text:
        with pytest.raises(JobError) as error:
            __main__._deadline_of(local)
        assert str(error.value).startswith(f"Nothing is computed: {text} (SLURM_JOB_END_TIME={seconds}, ")
    else:
        assert __main__._deadline_of(local) == Deadline("SLURM_JOB_END_TIME", seconds)


def test_a_merge_may_go_on_when_the_workers_are_gone() -> None:
    class Merging:
        waits = 0

        def result(self, timeout: float) -> list[str]:
            self.waits += 1
            if self.waits < 3:
                raise TimeoutError
            return ["rows"]

        def status(self) -> Any:
            return SimpleNamespace(state="merging")

    job: Any = Merging()
    assert __main__._wait(job, False, Deadline("ALNUS_DEADLINE", 5.0)) == ["rows"]


def test_why_slurm_refuses_a_job() -> None:
    def reason(code: int, stdout: str, stderr: str) -> str:
        text = f"Command exited.\nExit code: {code}\nCommand:\nsbatch x\nstdout:\n{stdout}\nstderr:\n{stderr}\n"
        return _slurm._reason(RuntimeError(text))

    assert reason(1, "", "sbatch: error: bad name.\n\nsbatch: more") == "sbatch ended with code 1: bad name; more."
    assert reason(7, "closed today\n", "") == "sbatch ended with code 7: closed today."
    assert reason(3, "", "") == "sbatch ended with code 3, silently."
    assert _slurm._reason(RuntimeError("no\nnumber")) == "sbatch failed: no number"
    jobs = _slurm.Jobs(_NoCluster(), [], ["closed", "closed", "full"])  # type: ignore[arg-type]
    with pytest.raises(JobError, match=r"^Slurm takes no job: closed full$"):
        jobs.submit(3)


# ---- Jobs ----


def test_hours_and_what_is_left_of_a_job() -> None:
    assert Plan(9, 36 * 10**12).hours(2, 5.0) == 1.0
    job = object.__new__(Job)
    job.plan, job._began, job._state = Plan(9, 10**10), time.monotonic(), "running"
    job._lost, job._repeated, job._done_cells = 3, 4, 10**9
    job._dispatcher = None
    status = job.status()
    assert (status.cells_done, status.cells, status.workers, status.gcups) == (10**9, 10**10, 0, 0.0)
    assert (status.seconds_left, status.lost, status.repeated) == (0.0, 3, 4)
    running: Any = SimpleNamespace(done_cells=4 * 10**9, speed=2e9, workers=7, lost=10, repeated=20)
    job._dispatcher = running
    status = job.status()
    assert (status.cells_done, status.workers, status.gcups, status.seconds_left) == (4 * 10**9, 7, 2.0, 3.0)
    assert (status.lost, status.repeated) == (13, 24)
    assert 0 <= status.seconds < 60
    assert __main__._progress(status) == "40.0% by 7 workers, 2.0 GCUPS, about 3 s left."
    assert [__main__._count(number, "cell") for number in (0, 1, 2000)] == ["0 cells", "1 cell", "2,000 cells"]


def test_the_files_of_a_job(tmp_path: pathlib.Path) -> None:
    job = object.__new__(Job)
    job._command = Command("allpairs", ["s.fa"], [], [("--matrix-out", "score:s.npy"), ("--output", "rows")])
    folder: Any = SimpleNamespace(path=str(tmp_path))
    job._folder = folder
    (tmp_path / "s.npy.rows.ids").write_text("")
    assert job.files() == [str(tmp_path / name) for name in ("s.npy", "s.npy.rows.ids", "rows")]


@pytest.mark.parametrize(("byte", "found"), [(0, 0), (9, 0), (10, 1), (19, 1), (20, None), (None, None)])
def test_a_damaged_part_is_the_one_that_has_the_byte(
    byte: int | None, found: int | None, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = f"/run/parts/w.parts is damaged from byte {byte} on"
    said = "No space." if byte is None else damaged
    (tmp_path / "program").write_text(f"#!/bin/sh\necho 'alnus: error: {said}' >&2\nexit 5\n")
    (tmp_path / "program").chmod(0o755)
    monkeypatch.setattr(_job, "program", lambda: str(tmp_path / "program"))
    told: list[tuple[str, str]] = []
    job: Any = object.__new__(Job)
    job._command = Command("allpairs", ["s.fa"], [], [("--output", "rows")])
    job._folder = SimpleNamespace(path=str(tmp_path), write_places=lambda records: "places.tsv")
    job._merging, job._cancelled, job._messages = threading.Lock(), False, told
    of = [("v.parts", 0), ("w.parts", 0), ("w.parts", 10)]
    records = [Record(Range(k, k), name, begin, begin + 10, 1, 1, 1.0, "w") for k, (name, begin) in enumerate(of, 1)]
    if found is None:
        with pytest.raises(alnus.OutputError, match=said):
            job._merge(records)
        assert told == []
        return
    assert job._merge(records) is records[found + 1]
    assert told == [("warning", f"{damaged}: part {found + 2} of the job will be computed again.")]


@pytest.mark.parametrize("seed", range(5))
def test_of_records_that_overlap_the_first_counts(seed: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(seed)
    ranges = [Range(first, min(30, first + draw.randrange(5))) for first in draw.choices(range(1, 31), k=40)]
    taken: list[Range] = []
    for one in ranges:
        if all(one.last < other.first or other.last < one.first for other in taken):
            taken.append(one)
    folder = Folder(str(tmp_path), 30, print)
    (tmp_path / "parts" / "w.parts").write_bytes(bytes(10))
    (tmp_path / "parts" / "w.jsonl").write_text("".join(line(*one, 0, 10) for one in ranges))
    assert [record.range for record in folder.records()] == sorted(taken)
    assert folder.pairs_computed() == len(ranges)
    assert all(folder.has(one) for one in ranges)
    assert not folder.has(Range(1, 30))
    folder.close()


# ---- Workers ----


def test_a_worker_that_is_not_measured_counts_as_the_others() -> None:
    dispatcher = object.__new__(_dispatch.Dispatcher)
    usable = {"host": "here"}
    dispatcher._workers = {
        "a": _dispatch._Of("a", known=Speed(3.0, True), **usable),
        "b": _dispatch._Of("b", known=Speed(5.0, True), **usable),
        "c": _dispatch._Of("c", **usable),
        "d": _dispatch._Of("d"),  # has not answered yet, so that its host is not known
        "e": _dispatch._Of("e", known=Speed(7.0, True), refused=True, **usable),
    }
    assert dispatcher._expected_speed() == 12.0
    assert dispatcher.speed == 8.0


def test_workers_of_one_machine_share_the_cards_that_they_see(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALNUS_PROGRAM", program.path)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2, 5")
    told = _worker.probe()
    assert told["cards"] == ["2", "5"]
    dispatcher = object.__new__(_dispatch.Dispatcher)
    dispatcher._one_card_each = True
    dispatcher._workers = {name: _dispatch._Of(name) for name in "abc"}
    for one in dispatcher._workers.values():
        dispatcher._know(one, _dispatch._Answer(one.address, value=told))
    assert [one.card for one in dispatcher._workers.values()] == ["2", "5", "2"]


def test_an_environment_without_the_package_is_named() -> None:
    advice = f"installed in its environment or the scheduler's. Install {alnus.__version__} in both."
    assert _dispatch._why(RuntimeError("No module named 'alnus'")) == f"alnus is not {advice}"
    text = "Error during deserialization of the task graph. This"
    assert _dispatch._why(RuntimeError(f"{text}\nfrequently")) == (
        f"alnus is probably not {advice} The error is: {text} frequently"
    )
    assert _dispatch._why(RuntimeError("a\nb")) == "a b"


# ---- Failures ----


def test_a_worker_without_the_device_is_given_up_whatever_failed_before() -> None:
    dispatcher = object.__new__(_dispatch.Dispatcher)
    dispatcher._copies, dispatcher._finished = Counter(), set()
    dispatcher._pool = Pool([5, 5])
    dispatcher._failures, dispatcher._retries, dispatcher.lost = 0, 20, 0
    dispatcher._others_may_come = True
    dispatcher._told, told = set(), []
    dispatcher._warn = told.append
    worker = _dispatch._Of("a", host="here", failures=1)
    for code in (255, 3):
        given = dispatcher._pool.next(5)
        assert not worker.refused
        dispatcher._fail(worker, _dispatch._Task(given, None, 0.0), "There is no GPU.", code)
    assert worker.refused
    assert told == [
        "The worker a failed: There is no GPU. Its part 1 is computed again.",
        "The worker a gets no work: There is no GPU.",
    ]
    assert dispatcher._pool.left == 10
    working = _dispatch._Of("b", host="here", known=Speed(1.0, True), failures=5)
    dispatcher._fail(working, _dispatch._Task(dispatcher._pool.next(5), None, 0.0), "The GPU is busy.", 3)
    assert not working.refused


def test_what_becomes_of_the_range_of_a_worker_that_fails_or_goes() -> None:
    dispatcher = object.__new__(_dispatch.Dispatcher)
    told: list[str] = []
    dispatcher._pool, dispatcher._copies, dispatcher._finished = Pool([5, 5, 5]), Counter(), set()
    dispatcher._failures, dispatcher._retries, dispatcher.lost = 0, 20, 0
    dispatcher._warn, dispatcher._is_recorded = told.append, lambda _: False
    future: Any = type("Future", (), {"release": lambda self: None})()
    two = dispatcher._pool.next(10)
    dispatcher._copies[two] = 1  # another worker has the range, too
    dispatcher._fail(_dispatch._Of("a"), _dispatch._Task(two, future, 0.0), "No space.", None)
    dispatcher._lose(_dispatch._Of("b", tasks=[_dispatch._Task(two, future, 0.0)]))
    assert told == [
        "The worker a failed: No space. Its parts 1 to 2 are computed by another worker.",
        "The worker b is gone. Its parts 1 to 2 are computed again.",
    ]
    assert dispatcher.lost == 2


# ---- Slurm, and the time at which machines are taken away ----


class _NoCluster:
    def scale(self, count: int) -> None:
        pass


def test_a_job_goes_on_with_the_jobs_that_slurm_takes() -> None:
    cluster: Any = _NoCluster()
    jobs = _slurm.Jobs(cluster, ["7", "8"], ["sbatch ended with code 1: full."] * 3)
    assert jobs.submit(5) == (
        "Slurm has taken 2 jobs of 5, with which the work goes on: sbatch ended with code 1: full."
    )
    assert _slurm.Jobs(cluster, ["7", "8"]).submit(2) is None


def test_the_first_variable_that_is_set_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALNUS_DEADLINE", "SLURM_JOB_END_TIME"):
        monkeypatch.delenv(name, raising=False)
    assert deadline() is None
    monkeypatch.setenv("SLURM_JOB_END_TIME", "7")
    monkeypatch.setenv("ALNUS_DEADLINE", "")
    assert deadline() == Deadline("SLURM_JOB_END_TIME", 7.0)
    assert deadline(["ALNUS_DEADLINE"]) is None
    monkeypatch.setenv("ALNUS_DEADLINE", "1e9")
    assert deadline() == Deadline("ALNUS_DEADLINE", 1e9)
    assert str(Deadline("X", 1e300)).startswith("X=1")


def test_probes_tell_when_the_machine_goes(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALNUS_PROGRAM", program.path)
    monkeypatch.setenv("ALNUS_DEADLINE", "12.5")
    assert _worker.probe()["deadline"] == Deadline("ALNUS_DEADLINE", 12.5)


class _Running:
    """A job whose time ends while it runs."""

    folder = "/nowhere/run"

    def result(self, timeout: float) -> list[str]:
        raise TimeoutError

    def status(self) -> Any:
        return type("Status", (), {"state": "running"})


def test_the_command_ends_with_its_time() -> None:
    job: Any = _Running()
    with pytest.raises(JobError, match=r"The time of the workers is up \(ALNUS_DEADLINE=5, .*the same command"):
        __main__._wait(job, False, Deadline("ALNUS_DEADLINE", 5.0))


# ---- Signals ----


def test_a_signal_before_the_work(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)

    monkeypatch.setattr(__main__, "_read", read)
    assert __main__.main([]) == 143
    assert capsys.readouterr().err == "alnus: ended by SIGTERM. Nothing was computed; the same command begins anew.\n"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_signals_that_arrive_at_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    at_once = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    told: list[Any] = []

    def run(*_: Any) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, at_once)
        for number in at_once:
            signal.pthread_kill(threading.get_ident(), number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, at_once)

    monkeypatch.setattr(__main__, "_run", run)
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    assert __main__.main(["allpairs", "s.fa", "-o", "rows", "--outdir", "run", "--local", "1"]) > 128
    assert capsys.readouterr().err.startswith("alnus: ended by SIG")
    assert not told


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_that_python_drops_ends_the_wait() -> None:
    job: Any = _Running()

    class Dropped:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.1)

    with pytest.raises(Ended) as ended, ended_by_signals() as check:
        Dropped()
        __main__._wait(job, False, None, check)
    assert ended.value.exit_code == 143


def test_ignored_signals_stay_ignored(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        time.sleep(0.01)

    monkeypatch.setattr(__main__, "_run", run)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        assert __main__.main(["allpairs", "s.fa", "-o", "rows", "--outdir", "run", "--local", "1"]) == 0
    finally:
        signal.signal(signal.SIGHUP, before)
    assert capsys.readouterr().err == ""


# ---- Arguments ----


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("allpairs", ["--mode", "global", "s.fa"], "SEQS is missing, and --mode stands in its place"),
        ("search", ["q.fa", "-o", "rows"], "DB is missing, and -o stands in its place"),
        ("search", [], "takes QUERIES and DB first, then its options; QUERIES is missing."),
        ("allpairs", ["s.fa", "-o"], "-o names no file."),
        ("allpairs", ["s.fa", "-o", "--mode", "global"], "-o names no file before --mode"),
        ("allpairs", ["s.fa", "--edges", "-e.tsv"], "--edges names no file before -e.tsv; a name that begins with - "),
        ("allpairs", ["s.fa", "--edges", "-e.tsv"], " follows --edges="),
        ("allpairs", ["s.fa", "--edges", ""], "--edges names no file."),
        ("allpairs", ["s.fa", "--matrix-out=score:"], "--matrix-out names no file."),
        ("allpairs", ["s.fa", "--edges", "-"], "--edges - is standard output, and the outputs of a job are files"),
        ("allpairs", ["s.fa", "-o", "/dev/stdout"], "--output /dev/stdout is standard output"),
        ("allpairs", ["s.fa", "-o", "r", "--dry-run"], "run alnus search or alnus allpairs with it"),
        ("allpairs", ["s.fa", "-orows"], "-orows is no option; a blank stands before the name: -o rows."),
        ("allpairs", ["s.fa", "-o", "rows", "--devices"], "--devices needs a value."),
        ("allpairs", ["s.fa", "-o", "rows", "--threads", "--square"], "--threads needs a value."),
    ],
)
def test_wrong_arguments_are_named(name: str, arguments: list[str], text: str) -> None:
    with pytest.raises(alnus.InputError) as error:
        of_arguments(name, arguments)
    assert text in str(error.value)


def test_names_that_follow_two_dashes_are_counted() -> None:
    with pytest.raises(alnus.InputError, match=r"the argument 't\.fa' is one too many"):
        of_arguments("allpairs", ["s.fa", "-o", "rows"], ["t.fa"])


def test_one_worker_is_no_plural() -> None:
    status = Status("running", 5, 10, 1, 2.0, 1.0, 3.0, 0, 0)
    assert __main__._progress(status) == "50.0% by 1 worker, 2.0 GCUPS, about 3 s left."


def test_an_output_given_twice_in_python() -> None:
    with pytest.raises(alnus.InputError, match="--output is given twice, and takes one value"):
        of_keywords("allpairs", ["set.fa"], {"output": ["a", "b"]})


# ---- The folder ----


def test_a_part_file_that_is_too_short_is_told_of_once(tmp_path: pathlib.Path) -> None:
    told: list[str] = []
    folder = Folder(str(tmp_path), 100, told.append)
    (tmp_path / "parts" / "w.parts").write_bytes(bytes(15))
    (tmp_path / "parts" / "w.jsonl").write_text(line(1, 4, 0, 10) + line(5, 9, 10, 20) + line(10, 12, 20, 30))
    for _ in range(2):
        assert len(folder.records()) == 1
    assert told == [
        f"{tmp_path}/parts/w.parts is damaged: it ends at byte 15, and 2 ranges of parts behind it will be computed "
        "again."
    ]
    folder.close()
    (tmp_path / "parts" / "x.parts").write_bytes(bytes(10))
    (tmp_path / "parts" / "x.jsonl").write_text(line(5, 12, 0, 10).replace("w.parts", "x.parts"))
    again = Folder(str(tmp_path), 100, told.append)
    assert len(again.records()) == 2
    assert len(told) == 1, "what was computed again is no longer missing"
    again.close()
