"""Hands out parts: which worker computes what next, and what becomes of those that are lost."""

from __future__ import annotations

import contextlib
import queue
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import alnus
from alnus._errors import InputError
from alnus.distributed import _worker
from alnus.distributed._pool import Pool, Range

if TYPE_CHECKING:
    from distributed import Client, Future

    from alnus.distributed._worker import Order

_LOOK = 0.5  # seconds between looks at the workers
_WAIT = 0.1  # seconds that it waits for an answer at a time
_QUEUED = 2  # ranges that a worker has: the one that it computes and the next
_SHORTEST = 1.0  # seconds that a range is worth at the end of a job
_FIRST = 2e9  # cells of a worker's first range, before its speed is known
_SETTLE = 10.0  # seconds that a cancelled job waits for its workers, at most
_AT_ONCE = 32 << 20  # bytes of an input that are sent at once
_FATAL = (1, 2)  # exit codes: the input or the options are wrong, wherever they are read


class JobError(alnus.Error):
    """A job that cannot go on. What is done is in its folder: the same call again goes on from there."""


@dataclass
class _Task:
    range: Range
    future: Future
    began: float
    duplicate: bool = False


@dataclass
class _Of:
    """What is known of a worker."""

    address: str
    host: str = ""
    deadline: float | None = None
    slot: int | None = None
    probe: Future | None = None
    speed: float = 0  # cells a second; 0: not known yet
    tasks: list[_Task] = field(default_factory=list)
    failures: int = 0  # one after the other
    not_before: float = 0  # it gets no work before that
    refused: bool = False


class Dispatcher:
    """One run of a job."""

    def __init__(
        self,
        client: Client,
        order: Order,
        pool: Pool,
        *,
        task_seconds: float,
        duplicates: bool,
        retries: int,
        one_card_each: bool,
        is_recorded: Callable[[Range], bool],
    ) -> None:
        self._client = client
        self._order = replace(order, job=uuid.uuid4().hex)
        self._pool = pool
        self._task_seconds = task_seconds
        self._duplicates = duplicates
        self._retries = retries
        self._one_card_each = one_card_each
        self._is_recorded = is_recorded
        self._workers: dict[str, _Of] = {}
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._cancelled = False
        self._finished: set[Range] = set()
        self._asking = ThreadPoolExecutor(4)
        self._failures = 0  # one after the other, of all workers
        self.done_cells = pool.total - pool.left
        self.lost = 0  # ranges whose worker went
        self.repeated = 0  # ranges that were given twice
        self.warnings: list[str] = []

    # ---- What others see ----

    def cancel(self) -> None:
        self._cancelled = True

    @property
    def workers(self) -> int:
        return sum(1 for one in self._workers.values() if one.host and not one.refused)

    @property
    def speed(self) -> float:
        """Cells a second, all workers together."""
        return sum(one.speed for one in self._workers.values() if not one.refused)

    # ---- The loop ----

    def run(self) -> None:
        """Returns when every part is done. Raises JobError, InputError and Cancelled."""
        next_look = 0.0
        try:
            while self._pool or any(one.tasks for one in self._workers.values()):
                if self._cancelled:
                    self._settle()
                    raise alnus.Cancelled("The job was cancelled; what is done is in its folder.")
                if time.monotonic() >= next_look:
                    self._look()
                    next_look = time.monotonic() + _LOOK
                for one in list(self._workers.values()):
                    self._give(one)
                with contextlib.suppress(queue.Empty):
                    self._end(self._ended.get(timeout=_WAIT))
        finally:
            self._close()

    def _look(self) -> None:
        """Workers come and go."""
        if self._client.status != "running":
            raise JobError("The scheduler is gone. Start the job again with another one: it goes on from its folder.")
        try:
            # Not scheduler_info(): the client itself overwrites what that gives, now and then, by no workers at all.
            there = self._client.nthreads()
        except Exception as error:
            raise JobError(f"The scheduler does not answer ({error}). Start the job again with another one.") from error
        for address in there:
            if address not in self._workers:
                one = self._workers[address] = _Of(address)
                one.probe = self._submit(one, _worker.probe)
        for address in [address for address in self._workers if address not in there]:
            self._lose(self._workers.pop(address))

    def _submit(self, one: _Of, function: Any, *arguments: Any) -> Future:
        future = self._client.submit(
            function, *arguments, workers=[one.address], allow_other_workers=False, pure=False, retries=0
        )
        future.add_done_callback(self._ended.put)
        return future

    def _lose(self, one: _Of) -> None:
        for task in one.tasks:
            task.future.release()
            if self._is_recorded(task.range):  # it had ended, and nobody could say so any more
                self._done(task)
                continue
            self.lost += 1
            self._return(task)
        one.tasks = []

    def _elsewhere(self, task: _Task) -> bool:
        """True if another worker has the same range."""
        return any(
            other.range == task.range and other is not task for one in self._workers.values() for other in one.tasks
        )

    # ---- What a worker gets ----

    def _give(self, one: _Of) -> None:
        if not one.host or one.refused or time.monotonic() < one.not_before:
            return
        queued = _QUEUED if one.speed else 1
        while self._pool and len(one.tasks) < queued:
            cells = self._cells_for(one)
            if cells <= 0:
                return
            self._start(one, self._pool.next(cells))
        if not self._pool and not one.tasks and self._duplicates:
            self._repeat(one)

    def _cells_for(self, one: _Of) -> float:
        """So much work that all workers end at about the same time, and before the worker goes."""
        if not one.speed:
            return min(_FIRST, self._pool.left / 8)
        together = max(self.speed, one.speed)
        seconds = max(_SHORTEST, min(self._task_seconds, self._pool.left / together / 3))
        if one.deadline is not None:
            ahead = sum(self._pool.cells(task.range) for task in one.tasks) / one.speed
            seconds = min(seconds, 0.8 * (one.deadline - time.time() - ahead) - 2)
            if seconds < _SHORTEST:
                return 0
        return seconds * one.speed

    def _start(self, one: _Of, what: Range, duplicate: bool = False) -> None:
        order = replace(self._order, slot=one.slot)
        future = self._submit(one, _worker.compute, order, what.first, what.last)
        one.tasks.append(_Task(what, future, time.monotonic(), duplicate))

    def _repeat(self, one: _Of) -> None:
        """Gives a range that another worker is slow with a second time."""
        if not one.speed:
            return
        slowest, longest = None, 0.0
        for other in self._workers.values():
            for task in other.tasks:
                if task.duplicate or self._elsewhere(task):
                    continue
                cells, waited = self._pool.cells(task.range), time.monotonic() - task.began
                left = max(cells / other.speed - waited, waited / 2) if other.speed else waited
                if left > longest and left > 1.2 * cells / one.speed:
                    slowest, longest = task, left
        if slowest is not None:
            self.repeated += 1
            self._start(one, slowest.range, duplicate=True)

    # ---- What comes back ----

    def _end(self, future: Future) -> None:
        for one in self._workers.values():
            if one.probe is future:
                self._know(one)
                return
            for task in one.tasks:
                if task.future is future:
                    self._take(one, task)
                    return

    def _know(self, one: _Of) -> None:
        assert one.probe is not None
        future, one.probe = one.probe, None
        if future.status != "finished":
            self._workers.pop(one.address, None)  # it is asked again if it is still there
            return
        told = future.result()
        one.host, one.deadline = told["host"], told["deadline"]
        if told["alnus"] != alnus.__version__ or told["program"] != told["alnus"]:
            one.refused = True
            self.warnings.append(
                f"The worker {one.address} has alnus {told['alnus']} (program {told['program']}), and this is "
                f"{alnus.__version__}: it gets no work."
            )
            if all(other.refused for other in self._workers.values()):
                raise JobError(self.warnings[-1])
        elif self._one_card_each and told["cards"]:
            taken = {other.slot for other in self._workers.values() if other.host == one.host and other is not one}
            one.slot = min(set(range(told["cards"])) - taken, default=0)

    def _take(self, one: _Of, task: _Task) -> None:
        one.tasks.remove(task)
        if task.future.status != "finished":
            self._fail(one, task, f"The worker failed ({task.future.status}).", None)
            return
        answer = task.future.result()
        if "missing" in answer:
            self._return(task)
            self._send_inputs(one, answer["missing"])
        elif "error" in answer:
            self._fail(one, task, answer["error"], answer["code"])
        elif answer.get("stopped"):
            self._return(task)
        else:
            one.failures = self._failures = 0
            cells = answer["cells"]
            if cells > 0 and answer["seconds"] > 0:
                speed = cells / answer["seconds"]
                one.speed = speed if not one.speed else 0.5 * (one.speed + speed)
            self._done(task)

    def _done(self, task: _Task) -> None:
        for other in self._workers.values():
            if any(same.range == task.range for same in other.tasks):
                self._ask(_worker.stop, other, task.range.first)
        if task.range not in self._finished:
            self._finished.add(task.range)
            self.done_cells += self._pool.cells(task.range)

    def _return(self, task: _Task) -> None:
        if not self._elsewhere(task) and task.range not in self._finished:
            self._pool.give_back(task.range)

    def _fail(self, one: _Of, task: _Task, message: str, code: int | None) -> None:
        self._return(task)
        if code in _FATAL:
            raise InputError(message.removeprefix("alnus: error: "))
        one.failures += 1
        self._failures += 1
        one.not_before = time.monotonic() + min(30.0, 0.5 * 2**one.failures)
        if self._failures > self._retries:
            raise JobError(f"{message} ({self._failures} times, one after the other; the last was {one.address})")

    def _send_inputs(self, one: _Of, digests: list[str]) -> None:
        """The files that a worker does not see, to that worker."""
        for file in self._order.inputs:
            if file.digest not in digests:
                continue
            with open(file.path, "rb") as source:
                offset = 0
                while data := source.read(_AT_ONCE):
                    self._client.run(_worker.receive, file, offset, data, workers=[one.address])
                    offset += len(data)

    def _ask(self, function: Any, one: _Of, *arguments: Any) -> None:
        """Calls a function on a worker, and waits for nothing: it may be gone."""

        def ask() -> None:
            with contextlib.suppress(Exception):
                self._client.run(function, self._order.job, *arguments, workers=[one.address])

        self._asking.submit(ask)

    def _settle(self) -> None:
        """Stops what is computed, and waits for those who had ended anyway: their records are in the folder then."""
        from distributed import wait

        futures = []
        for one in self._workers.values():
            futures += [task.future for task in one.tasks]
            for task in one.tasks:
                self._ask(_worker.stop, one, task.range.first)
        with contextlib.suppress(Exception):
            wait(futures, timeout=_SETTLE)

    def _close(self) -> None:
        for one in self._workers.values():
            for task in one.tasks:
                with contextlib.suppress(Exception):
                    task.future.release()
            self._ask(_worker.end, one)
        self._asking.shutdown(wait=False)
