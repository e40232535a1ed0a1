"""The dispatcher of a job: it hands out ranges of parts to workers, and takes back those of workers that are lost."""

from __future__ import annotations

import contextlib
import queue
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import alnus
from alnus._errors import InputError
from alnus.distributed import _worker
from alnus.distributed._deadline import Deadline
from alnus.distributed._folder import InputFile
from alnus.distributed._pool import Pool, Range
from alnus.distributed._program import in_one_line, refusal
from alnus.distributed._rule import Speed, Waiting, cells_for, expected_speed, to_repeat

if TYPE_CHECKING:
    from distributed import Client, Future

    from alnus.distributed._worker import Order

_LOOK = 0.5  # seconds between two looks at the list of workers
_WAIT = 0.1  # seconds that the dispatcher waits for an answer at a time
_QUEUED = 2  # ranges that a worker of known speed has: the one that it computes and the next
_FETCH = 30.0  # seconds that the transfer of a finished answer may take
_SETTLE = 10.0  # the most seconds that a cancelled job waits for its workers
_GRACE = 30.0  # seconds after which a job ends if it has workers, but none that can be used
_AT_ONCE = 32 << 20  # bytes of an input that are sent at once
_FATAL = (1, 2)  # exit codes of the program for a wrong input or option, which would be wrong on every worker
_DEVICE = 3  # exit code of the program if a device is not there, or cannot do the work
_ATTEMPTS = 3  # failures in a row after which a worker that lacks a device, and never computed, gets no more ranges


class JobError(alnus.Error):
    """The error of a job that cannot go on. What is computed is in the job's folder; the same call continues there."""


@dataclass
class _Task:
    """A range that a worker was given and has not answered yet."""

    range: Range
    future: Future
    began: float  # time.monotonic() when the worker was given the range


@dataclass
class _Of:
    """What the dispatcher knows of a worker."""

    address: str
    host: str = ""  # empty until the worker has answered the probe
    deadline: Deadline | None = None  # when its machine is taken away
    card: str | None = None  # the one GPU that it uses; None: all GPUs that it sees
    probe: Future | None = None  # the call of _worker.probe, until it is answered
    known: Speed = field(default_factory=Speed)
    tasks: list[_Task] = field(default_factory=list)
    failures: int = 0  # failures in a row
    not_before: float = 0  # the value of time.monotonic() before which the worker gets no work
    refused: bool = False  # True: the worker never gets work, for its version of alnus or the lack of a device
    sending: bool = False  # True: inputs are on their way to the worker

    @property
    def speed(self) -> float:
        """The speed in cells a second; 0: nothing is known yet."""
        return self.known.cells_a_second

    @property
    def late(self) -> bool:
        """True if its machine should have been taken away by now, so that it gets no more work."""
        return self.deadline is not None and self.deadline.seconds_left <= 0

    @property
    def why_late(self) -> str:
        return f"The worker {self.address} gets no work: its time is up ({self.deadline})."


@dataclass
class _Answer:
    """The outcome of a call on a worker, or of sending inputs to it."""

    address: str  # address of the worker
    future: Future | None = None  # the call; None: inputs were sent
    value: Any = None  # what the call returned
    error: Exception | None = None  # None: no error


def _why(error: Exception) -> str:
    """Return the reason why a call on a worker failed, as a sentence."""
    text = in_one_line(error)
    where = "installed in its environment or the scheduler's. Install"
    if "No module named 'alnus'" in text:
        return f"alnus is not {where} {alnus.__version__} in both."
    if "deserialization of the task graph" in text:
        return f"alnus is probably not {where} {alnus.__version__} in both. The error is: {text}"
    return text


class Dispatcher:
    """One run of a job, from the first range that is handed out until all parts are computed."""

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
        others_may_come: bool,
        is_recorded: Callable[[Range], bool],
        warn: Callable[[str], None],
        hear: Callable[[list[tuple[str, str]]], None],
    ) -> None:
        self._client = client
        self._order = replace(order, job=uuid.uuid4().hex)
        self._pool = pool
        self._task_seconds = task_seconds
        self._duplicates = duplicates
        self._retries = retries
        self._one_card_each = one_card_each
        self._others_may_come = others_may_come  # False: there will be no workers but those of the start
        self._is_recorded = is_recorded
        self._warn = warn
        self._hear = hear  # takes the messages of programs
        self._workers: dict[str, _Of] = {}
        self._copies: Counter[Range] = Counter()  # how many workers have each range that is not answered
        self._finished: set[Range] = set()
        self._answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        self._beside = ThreadPoolExecutor(16)  # runs everything that waits for a worker, since a worker may be gone
        self._cancelled = False
        self._failures = 0  # failures in a row, of all workers together
        self._unusable_since: float | None = None  # since when there are workers, but none that can be used
        self._told: set[str] = set()  # warnings that were given
        self.done_cells = pool.total - pool.left
        self.lost = 0  # ranges that a worker was given and did not compute, because it failed or went away
        self.repeated = 0  # ranges that were given to a second worker

    # ---- What the job calls and reads ----

    def cancel(self) -> None:
        self._cancelled = True

    @property
    def workers(self) -> int:
        return sum(1 for one in list(self._workers.values()) if one.host and not (one.refused or one.late))

    @property
    def speed(self) -> float:
        """The speed of all workers together whose speed was measured, in cells a second."""
        return sum(one.speed for one in list(self._workers.values()) if one.known.measured and not one.refused)

    def _expected_speed(self) -> float:
        usable = [one for one in self._workers.values() if one.host and not one.refused]
        known = [one.speed for one in usable if one.speed]
        return expected_speed(sum(known), len(known), len(usable))

    # ---- The loop ----

    def run(self) -> None:
        """Hand out ranges until every part is computed. Raises JobError, InputError and Cancelled."""
        next_look = 0.0
        try:
            while self._pool or any(one not in self._finished for one in self._copies):
                if self._cancelled:
                    self._settle()
                    raise alnus.Cancelled("The job was cancelled; what is done is in its folder.")
                if time.monotonic() >= next_look:
                    self._look()
                    next_look = time.monotonic() + _LOOK
                self._give_all()
                self._take_all()
        finally:
            self._close()

    def _take_all(self) -> None:
        """Take all answers that have arrived. If there is none, wait for one for up to _WAIT seconds."""
        with contextlib.suppress(queue.Empty):
            answer = self._answers.get(timeout=_WAIT)
            while True:
                self._take(answer)
                answer = self._answers.get_nowait()

    def _look(self) -> None:
        """Look which workers have come and which have gone."""
        if self._client.status != "running":
            raise JobError("The scheduler is gone. Start the job again with another one: it goes on from its folder.")
        try:
            # nthreads() asks the scheduler. scheduler_info() would not do: the client now and then overwrites the
            # object that it returns, with no workers at all.
            there = self._client.nthreads()
        except Exception as error:
            raise JobError(
                f"The scheduler does not answer ({in_one_line(error)}). Start the job again with another one."
            ) from error
        for address in there:
            one = self._workers.setdefault(address, _Of(address))
            if not one.host and not one.refused and one.probe is None and time.monotonic() >= one.not_before:
                one.probe = self._submit(one, _worker.probe)
        for address in [address for address in self._workers if address not in there]:
            self._lose(self._workers.pop(address))
        self._require_usable()

    def _require_usable(self) -> None:
        """Raise JobError if no worker can be used, for _GRACE seconds if other workers may come."""
        late = [one for one in self._workers.values() if one.late and not one.tasks]
        bad = [one for one in self._workers.values() if one.refused or (not one.host and one.failures)] + late
        if not bad or len(bad) < len(self._workers):
            self._unusable_since = None
            return
        if self._unusable_since is None:
            self._unusable_since = time.monotonic()
        if not self._others_may_come or time.monotonic() - self._unusable_since > _GRACE:
            raise JobError("No worker can be used. " + " ".join(sorted(self._told | {one.why_late for one in late})))

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._warn(text)

    def _submit(self, one: _Of, function: Any, *arguments: Any) -> Future:
        future = self._client.submit(
            function, *arguments, workers=[one.address], allow_other_workers=False, pure=False, retries=0
        )
        address = one.address

        def fetch(ended: Future) -> None:
            answer = _Answer(address, ended)
            try:
                if ended.status == "cancelled":
                    return  # nobody waits for a cancelled call
                answer.value = ended.result(timeout=_FETCH)
            except Exception as error:
                answer.error = error
            self._answers.put(answer)

        def hand_over(ended: Future) -> None:
            with contextlib.suppress(RuntimeError):  # the job has ended
                self._beside.submit(fetch, ended)

        future.add_done_callback(hand_over)
        return future

    # ---- What a worker gets ----

    def _give_all(self) -> None:
        now = time.monotonic()
        free = [
            one
            for one in self._workers.values()
            if one.host and not one.refused and not one.sending and now >= one.not_before
        ]
        together = self._expected_speed()
        for one in free:
            while self._pool and len(one.tasks) < (_QUEUED if one.known.measured else 1):
                ahead = sum(self._pool.cells(task.range) for task in one.tasks) / one.speed if one.speed else 0.0
                cells = cells_for(
                    one.known, together, self._pool.left, self._task_seconds, self._seconds_left(one, ahead)
                )
                if cells is None:
                    break
                self._start(one, self._pool.next(cells))
        if not self._pool and self._duplicates:
            self._repeat([one for one in free if not one.tasks and one.speed])

    def _seconds_left(self, one: _Of, ahead: float = 0) -> float | None:
        return None if one.deadline is None else one.deadline.seconds_left - ahead

    def _start(self, one: _Of, what: Range) -> None:
        order = replace(self._order, worker=one.address, card=one.card)
        future = self._submit(one, _worker.compute, order, what.first, what.last)
        one.tasks.append(_Task(what, future, time.monotonic()))
        self._copies[what] += 1

    def _repeat(self, idle: list[_Of]) -> None:
        """Give idle workers the ranges that other workers are slow with, a second time."""
        if not idle:
            return
        waiting = []
        for one in self._workers.values():
            for task in one.tasks:
                if task.range in self._finished or self._copies[task.range] > 1:
                    continue
                cells, waited = self._pool.cells(task.range), time.monotonic() - task.began
                left = max(cells / one.speed - waited, waited / 2) if one.speed else waited
                waiting.append(Waiting(task.range, cells, left))
        by_address = {one.address: one for one in idle}
        for address, what in to_repeat(waiting, [(one.address, one.speed) for one in idle]):
            one = by_address[address]
            time_left = self._seconds_left(one)
            if time_left is not None and self._pool.cells(what) / one.speed > 0.8 * time_left - 2:
                continue
            self.repeated += 1
            self._start(one, what)

    # ---- What comes back ----

    def _take(self, answer: _Answer) -> None:
        one = self._workers.get(answer.address)
        if one is None:
            return
        if answer.future is None:
            self._sent(one, answer.error)
        elif answer.future is one.probe:
            self._know(one, answer)
        else:
            for task in one.tasks:
                if task.future is answer.future:
                    self._drop(one, task)
                    self._take_range(one, task, answer)
                    return

    def _drop(self, one: _Of, task: _Task) -> None:
        one.tasks.remove(task)
        self._copies[task.range] -= 1
        if not self._copies[task.range]:
            del self._copies[task.range]

    def _know(self, one: _Of, answer: _Answer) -> None:
        one.probe = None
        if answer.error is not None:
            self._back_off(one)
            self._tell(f"The worker {one.address} cannot be used: {_why(answer.error)}")
            return
        told = answer.value
        one.failures = 0
        one.host = told["host"]
        if told["alnus"] != alnus.__version__ or told["program"] != told["alnus"]:
            one.refused = True
            self._tell(
                f"The worker {one.address} has alnus {told['alnus']} (program {told['program']}), and this is "
                f"{alnus.__version__}: it gets no work."
            )
            return
        one.deadline = told["deadline"]
        if one.late:
            self._tell(one.why_late)
        if self._one_card_each and told["cards"]:
            taken = {other.card for other in self._workers.values() if other.host == one.host and other is not one}
            one.card = next((card for card in told["cards"] if card not in taken), told["cards"][0])

    def _take_range(self, one: _Of, task: _Task, answer: _Answer) -> None:
        if answer.error is not None:
            if self._is_recorded(task.range):  # the range was computed, and only the answer is lost
                self._done(task)
            else:
                self._fail(one, task, f"{in_one_line(answer.error)}", None)
        elif "missing" in answer.value:
            self._return(task)
            self._send_inputs(one, answer.value["missing"])
        elif "error" in answer.value:
            self._fail(one, task, answer.value["error"], answer.value["code"])
        elif answer.value.get("stopped"):
            self._return(task)
        else:
            one.failures = self._failures = 0
            told = answer.value
            one.known = one.known.after(told["cells"], told["seconds"], told["best"])
            self._done(task)
            self._hear(told["messages"])

    def _done(self, task: _Task) -> None:
        if self._copies[task.range]:
            for other in self._workers.values():
                if any(same.range == task.range for same in other.tasks):
                    self._ask(_worker.stop, other, task.range.first)
        if task.range not in self._finished:
            self._finished.add(task.range)
            self.done_cells += self._pool.cells(task.range)

    def _is_open(self, task: _Task) -> bool:
        """Return True if a range is neither computed nor with another worker."""
        return not self._copies[task.range] and task.range not in self._finished

    def _return(self, task: _Task) -> None:
        if self._is_open(task):
            self._pool.give_back(task.range)

    def _again(self, task: _Task) -> str:
        """Return the sentence that says what becomes of a range that a worker has not computed."""
        verb = "is" if task.range.first == task.range.last else "are"
        if self._is_open(task):
            return f"Its {task.range} {verb} computed again."
        return f"Its {task.range} {verb} computed by another worker."

    def _lose(self, one: _Of) -> None:
        if one.probe is not None:
            self._tell(
                f"The worker {one.address} ended before it answered. Its log says why; this happens if alnus is not "
                f"installed in its environment. Install {alnus.__version__} there."
            )
        for task in list(one.tasks):
            self._drop(one, task)
            task.future.release()
            if self._is_recorded(task.range):  # the range was computed before the worker went
                self._done(task)
            else:
                self.lost += 1
                self._warn(f"The worker {one.address} is gone. {self._again(task)}")
                self._return(task)

    def _back_off(self, one: _Of) -> None:
        one.failures += 1
        one.not_before = time.monotonic() + min(30.0, 0.5 * 2**one.failures)

    def _fail(self, one: _Of, task: _Task, message: str, code: int | None) -> None:
        again = self._again(task)
        self._return(task)
        if code in _FATAL:
            raise refusal(code, message)
        self.lost += 1
        self._back_off(one)
        if code == _DEVICE and not one.speed:  # another program may have the device for a while
            if one.failures >= _ATTEMPTS or not self._others_may_come:
                one.refused = True
                self._tell(f"The worker {one.address} gets no work: {message}")
            else:
                self._warn(f"The worker {one.address} failed: {message} {again}")
            return
        self._failures += 1
        if self._failures > self._retries:
            raise JobError(f"{message} ({self._failures} times, one after the other; the last was {one.address})")
        self._warn(f"The worker {one.address} failed: {message} {again}")

    # ---- Inputs for workers, and calls without an answer ----

    def _send_inputs(self, one: _Of, digests: list[str]) -> None:
        """Send a worker the inputs with these digests, which it does not see. The other workers go on meanwhile."""
        if one.sending:
            return
        one.sending = True
        files = [file for file in self._order.inputs if file.digest in digests]

        def send() -> None:
            answer = _Answer(one.address)
            try:
                for file in files:
                    self._send(one.address, file)
            except Exception as error:
                answer.error = error
            self._answers.put(answer)

        self._beside.submit(send)

    def _send(self, address: str, file: InputFile) -> None:
        changed = InputError(f"{file.name} was changed while the job ran. Start the job again in another folder.")
        if InputFile.of(file.name).digest != file.digest:
            raise changed
        with open(file.path, "rb") as source:
            offset = 0
            while True:
                data = source.read(_AT_ONCE)
                told = self._client.run(_worker.receive, file, address, offset, data, workers=[address])
                offset += len(data)
                if offset >= file.size or not data:
                    break
        if not told[address]:
            raise changed

    def _sent(self, one: _Of, error: Exception | None) -> None:
        one.sending = False
        if isinstance(error, InputError):
            raise error
        if error is not None:
            self._back_off(one)
            self._failures += 1
            if self._failures > self._retries:
                raise JobError(f"Inputs cannot be sent to {one.address}: {in_one_line(error)}")

    def _ask(self, function: Any, one: _Of, *arguments: Any) -> None:
        """Call a function on a worker without waiting for it, because the worker may be gone."""

        def ask() -> None:
            with contextlib.suppress(Exception):
                self._client.run(function, self._order.job, one.address, *arguments, workers=[one.address])

        self._beside.submit(ask)

    def _settle(self) -> None:
        """Stop all ranges, and wait until the workers have answered, so that what they finished is in their ledgers.

        Waits _SETTLE seconds at most.
        """
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
        self._beside.shutdown(wait=False)
