"""The functions that run on workers. A worker has a process of the program for each job, and copies of inputs.

The process keeps its devices and the sequences from range to range.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import hashlib
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import uuid
from dataclasses import dataclass
from typing import IO, Any

import alnus
from alnus.distributed._command import PARTS_FOLDER, Command
from alnus.distributed._deadline import deadline
from alnus.distributed._folder import InputFile, append_synced
from alnus.distributed._program import error_of, messages_of, open_closed_descriptors, program, version_of, with_names

_SMALLEST_MEMORY = 256 << 20  # bytes of the smallest budget of a program
_LARGEST_MEMORY = 8 << 30  # bytes of the largest budget, which is the program's own default
_OF_THE_PROGRAM = 512 << 20  # bytes that a program takes besides its sequences and its budget
_LAST = 10.0  # seconds that a program may take to end before it is killed
_LOOK = 0.05  # seconds between two looks whether a range was stopped while its program starts
_IDLE = 900.0  # seconds without a request after which a program is ended


@dataclass(frozen=True)
class Order:
    """What a worker has to know of a job."""

    job: str  # an identifier of this run of the job
    command: Command
    inputs: list[InputFile]
    parts: int  # how many parts the job has
    folder: str  # path of the job's folder
    cache: str  # path of the folder of calibrations
    worker: str = ""  # the address of this worker, since several workers may be in one process
    card: str | None = None  # the one GPU that this worker uses, as CUDA_VISIBLE_DEVICES names it; None: all it sees


def probe() -> dict[str, Any]:
    """Return what a worker tells of itself before it gets work.

    The keys are ``alnus``, the version of the package; ``program``, the version of the program; ``host``; ``deadline``,
    when the machine is taken away; and ``cards``, the GPUs (see _cards).
    Raises InputError if the machine does not say properly when it is taken away.
    """
    open_closed_descriptors()
    return {
        "alnus": alnus.__version__,
        "program": version_of(program()),
        "host": socket.gethostname(),
        "deadline": deadline(),
        "cards": _cards(),
    }


def _cards() -> list[str]:
    """Return the GPUs that programs started by this process can use, as CUDA_VISIBLE_DEVICES names them.

    If that variable is not set, these are all GPUs of the machine, "0", "1" and so on.
    """
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is None:
        return [str(card) for card in range(len(glob.glob("/proc/driver/nvidia/gpus/*")))]
    return [card.strip() for card in named.split(",") if card.strip()]


class Running:
    """A process of the program that computes parts of one job, one request after the other."""

    def __init__(self, order: Order) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.file = f"{self.name}.parts"
        self.order = order
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 # stays open as long as the process runs
        self._told = 0  # bytes of it whose messages were returned
        self._writing = threading.Lock()  # for the standard input of the process
        self._computing = threading.Lock()  # lets one request at a time through, however many threads the worker has
        self._stopped: set[int] = set()  # the first parts of ranges that must not be begun
        self._idle: threading.Timer | None = None
        self._places = {file.name: _place_of(file) for file in order.inputs}
        arguments = order.command.of_parts(self._places, order.parts, order.folder, self.file)
        if "--memory" not in arguments:
            arguments += ["--memory", str(_memory(sum(file.size for file in order.inputs)))]
        environment = dict(os.environ)
        environment["XDG_CACHE_HOME"] = order.cache
        if order.card is not None:
            environment["CUDA_VISIBLE_DEVICES"] = order.card
        self._process = subprocess.Popen(
            [program(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment,
        )
        self._now: int | None = None  # the first part of the range that is being computed
        # The speed of the devices in cells a second at best, which they reach if only scores are wanted.
        self._best = 0.0
        self._ready = threading.Event()  # set when the program has read its inputs, or has ended
        threading.Thread(target=self._start, daemon=True).start()

    def _start(self) -> None:
        """Wait until the program is ready for requests, which takes long if it has much to read or to calibrate."""
        try:
            greeting = self._answer()
            self._best = greeting["gcups"] * 1e9 if greeting else 0.0
        finally:
            self._ready.set()

    def _answer(self) -> dict[str, Any] | None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def _send(self, text: str) -> None:
        assert self._process.stdin is not None
        with self._writing, contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()

    def compute(self, first: int, last: int) -> dict[str, Any]:
        with self._computing:
            if self._idle is not None:
                self._idle.cancel()
            try:
                return self._compute(first, last)
            finally:
                self._idle = threading.Timer(_IDLE, self.end)
                self._idle.daemon = True
                self._idle.start()

    def _compute(self, first: int, last: int) -> dict[str, Any]:
        while first not in self._stopped and not self._ready.wait(_LOOK):
            pass
        if first in self._stopped:
            return {"stopped": True}
        self._now = first
        self._send(f"{first}-{last}\n")
        answer = self._answer()
        self._now = None
        if answer is None:
            return self._failure()
        if not answer.get("stopped"):
            answer |= {"file": self.file, "worker": self.name}
            ledger = os.path.join(self.order.folder, PARTS_FOLDER, f"{self.name}.jsonl")
            append_synced(ledger, json.dumps(answer))
            answer |= {"best": self._best, "messages": self._new_messages()}
        return answer

    def _new_messages(self) -> list[tuple[str, str]]:
        """Return the messages that the program has written since the last call."""
        file = self._errors.fileno()  # the program writes where this file is at, so that seek() would move its lines
        new = os.pread(file, os.fstat(file).st_size - self._told, self._told)
        new = new[: new.rfind(b"\n") + 1]
        self._told += len(new)
        return messages_of(with_names(new.decode(errors="replace"), self._places))

    def stop(self, first: int) -> None:
        """Stop the range whose first part this is; if it has not begun, it never will."""
        self._stopped.add(first)
        if self._now == first:
            self._send(f"stop {first}\n")

    def end(self) -> threading.Thread:
        """End the program. Returns the thread that waits for its end."""
        assert self._process.stdin is not None
        with self._writing, contextlib.suppress(OSError):
            self._process.stdin.close()
        if not self._ready.is_set():
            self._process.terminate()  # it does not look at its standard input yet
        waiting = threading.Thread(target=self._wait_or_kill, daemon=True)
        waiting.start()
        return waiting

    def _wait_or_kill(self) -> None:
        """Wait for the program, which ends when its standard input is closed; kill it if it hangs."""
        try:
            self._process.wait(timeout=_LAST)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def _failure(self) -> dict[str, Any]:
        code = self._process.wait()
        if code < 0:
            return {"error": f"Its program was ended by the signal {_name_of(-code)}.", "code": code}
        self._errors.seek(0)
        message = error_of(with_names(self._errors.read().decode(errors="replace"), self._places))
        return {"error": message or f"Its program ended with code {code}.", "code": code}


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a signal without a name, such as 35
        return str(number)


_running: dict[tuple[str, str], Running] = {}  # by (job, worker)
_starting: dict[tuple[str, str], threading.Lock] = {}
_ended: set[tuple[str, str]] = set()  # those whose programs were ended, which may have requests that come late


def compute(order: Order, first: int, last: int) -> dict[str, Any]:
    """Compute the range of parts from ``first`` to ``last``, both included.

    The result is the program's answer, which is also in the worker's ledger; or ``{"stopped": True}``; or ``{"missing":
    digests}`` of inputs that this worker does not see; or ``{"error": message, "code": exit code of the program}``.
    """
    missing = [file.digest for file in order.inputs if not _is_here(file)]
    if missing:
        return {"missing": missing}
    key = (order.job, order.worker)
    try:
        with _starting.setdefault(key, threading.Lock()):
            for (job, worker), older in list(_running.items()):  # from a client that was killed
                if job != order.job and older.order.folder == order.folder:
                    _running.pop((job, worker), None)
                    older.end()
            running = _running.get(key)
            if key not in _ended and (running is None or not running.alive):
                running = _running[key] = Running(order)
            if running is None or key in _ended:  # the program is registered now, so that end() sees it, or this does
                end(*key)
                return {"stopped": True}
        return running.compute(first, last)
    except OSError as error:
        return {"error": f"{error.strerror}: {error.filename or order.folder}", "code": None}


def stop(job: str, worker: str, first: int) -> None:
    """Stop the range whose first part is ``first``. The program of the worker goes on with other ranges."""
    running = _running.get((job, worker))
    if running is not None:
        running.stop(first)


def end(job: str, worker: str) -> None:
    """End the program that a worker has for a job, and any that a request which comes late starts."""
    _ended.add((job, worker))
    _starting.pop((job, worker), None)
    running = _running.pop((job, worker), None)
    if running is not None:
        running.end()


def end_all() -> None:
    """End the programs of all workers in this process, and wait for their ends. For a process that is about to end."""
    _ended.update(list(_starting))
    ended = [_running.pop(key, None) for key in list(_running)]  # a worker may end its own at the same time
    for one in [one.end() for one in ended if one is not None]:
        one.join()


def _memory(inputs: int) -> int:
    """Return the program's memory budget in bytes, for inputs of so many bytes.

    With this budget the program, its sequences and its mapped pages stay below the memory that Dask lets the worker
    take.
    """
    from distributed import get_worker

    limit = None
    with contextlib.suppress(ValueError, AttributeError):
        limit = get_worker().memory_manager.memory_limit
    if not limit:
        return _LARGEST_MEMORY
    return max(_SMALLEST_MEMORY, min(_LARGEST_MEMORY, int(0.8 * (limit - 2 * inputs - _OF_THE_PROGRAM))))


# ---- Inputs ------------------------------------------------------------------------------------------------


def _copy_of(file: InputFile) -> str:
    """Return the path of the copy of an input, whether it exists or not. All processes of one machine share it."""
    folder = os.path.join(tempfile.gettempdir(), f"alnus-inputs-{os.getuid()}", file.digest)
    return os.path.join(folder, os.path.basename(file.path))


@functools.lru_cache(maxsize=1000)
def _digest_of(path: str, size: int, modified: int, number: int) -> str:
    """Return the digest of a file.

    Size, time of modification and inode ``number`` are arguments so that the cache forgets a file that has changed.
    """
    return InputFile.of(path).digest


def _is_the_same(path: str, file: InputFile) -> bool:
    try:
        status = os.stat(path)
    except OSError:
        return False
    if status.st_size != file.size:
        return False
    if status.st_mtime_ns == file.modified:
        return True
    return _digest_of(path, status.st_size, status.st_mtime_ns, status.st_ino) == file.digest


def _is_here(file: InputFile) -> bool:
    return os.path.isfile(_copy_of(file)) or _is_the_same(file.path, file)


def _place_of(file: InputFile) -> str:
    copy = _copy_of(file)
    return copy if os.path.isfile(copy) else file.path


def receive(file: InputFile, worker: str, offset: int, data: bytes) -> bool:
    """Take the next bytes of an input that this worker does not see, and make its copy when all bytes are there.

    ``offset`` is the place of ``data`` in the file. Returns False if the bytes together are not that file.
    """
    copy = _copy_of(file)
    beside = f"{copy}.{os.getpid()}.{hashlib.sha256(worker.encode()).hexdigest()[:8]}"
    os.makedirs(os.path.dirname(copy), mode=0o700, exist_ok=True)
    with open(beside, "wb" if offset == 0 else "ab") as out:
        out.write(data)
    if offset + len(data) < file.size:
        return True
    if InputFile.of(beside).digest != file.digest:
        os.unlink(beside)
        return False
    os.replace(beside, copy)
    return True
