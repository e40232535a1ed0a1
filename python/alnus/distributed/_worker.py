"""What runs on workers: a process of the program for each job, which keeps devices and sequences."""

from __future__ import annotations

import contextlib
import functools
import glob
import hashlib
import json
import os
import socket
import subprocess
import tempfile
import threading
import uuid
from dataclasses import dataclass
from typing import IO, Any

import alnus
from alnus.distributed._command import PARTS_FOLDER, Command
from alnus.distributed._folder import InputFile, append_synced
from alnus.distributed._program import program, version_of

_SMALLEST_MEMORY = 256 << 20
_LARGEST_MEMORY = 8 << 30  # the program's own default
_OF_THE_PROGRAM = 512 << 20  # beside sequences and budget
_LAST = 10.0  # seconds that a program may take to end
_IDLE = 900.0  # seconds after which a program that nobody asks for anything ends


@dataclass(frozen=True)
class Order:
    """What a worker is told of a job."""

    job: str  # an identifier of this run of the job
    command: Command
    inputs: list[InputFile]
    parts: int
    folder: str  # of the job
    cache: str  # of calibrations
    worker: str = ""  # the address of this worker: several may be in one process
    card: str | None = None  # that this worker has, of those that it sees


def probe() -> dict[str, Any]:
    """What a worker tells of itself before it gets work."""
    return {
        "alnus": alnus.__version__,
        "program": version_of(program()),
        "host": socket.gethostname(),
        "deadline": _deadline(),
        "cards": _cards(),
    }


def _cards() -> list[str]:
    """That programs of this process see, as CUDA_VISIBLE_DEVICES names them."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is None:
        return [str(card) for card in range(len(glob.glob("/proc/driver/nvidia/gpus/*")))]
    return [card.strip() for card in named.split(",") if card.strip()]


def _deadline() -> float | None:
    """When the machine is taken away, in seconds since 1970, where somebody has said so."""
    for name in ("ALNUS_DEADLINE", "SLURM_JOB_END_TIME"):
        with contextlib.suppress(KeyError, ValueError):
            return float(os.environ[name])
    return None


class Running:
    """The program, which computes the parts of one job one request after the other."""

    def __init__(self, order: Order) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.file = f"{self.name}.parts"
        self.order = order
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 # as long as the process
        self._writing = threading.Lock()
        self._computing = threading.Lock()  # one request at a time, whatever threads the worker has
        self._stopped: set[int] = set()  # first parts of ranges that are not to be begun
        self._idle: threading.Timer | None = None
        places = {file.name: _place_of(file) for file in order.inputs}
        arguments = order.command.of_parts(places, order.parts, order.folder, self.file)
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
        self._now: int | None = None  # the first part of the range that is computed
        greeting = self._answer()
        self._best = greeting["gcups"] * 1e9 if greeting else 0.0  # cells a second, if nothing but scores is wanted

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
            answer["best"] = self._best
        return answer

    def stop(self, first: int) -> None:
        """Ends the range that begins with this part, or does not begin it."""
        self._stopped.add(first)
        if self._now == first:
            self._send(f"stop {first}\n")

    def end(self) -> None:
        assert self._process.stdin is not None
        with self._writing, contextlib.suppress(OSError):
            self._process.stdin.close()
        threading.Thread(target=self._wait_or_kill, daemon=True).start()

    def _wait_or_kill(self) -> None:
        """The program ends with its standard input, unless it hangs."""
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
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return {"error": lines[-1] if lines else f"The program ended by signal {-code}.", "code": code}


_running: dict[tuple[str, str], Running] = {}  # by the job and the worker
_starting: dict[tuple[str, str], threading.Lock] = {}


def compute(order: Order, first: int, last: int) -> dict[str, Any]:
    """A range of parts; or what is missing of the inputs; or an error, with the program's exit code."""
    missing = [file.digest for file in order.inputs if not _is_here(file)]
    if missing:
        return {"missing": missing}
    key = (order.job, order.worker)
    try:
        with _starting.setdefault(key, threading.Lock()):
            for (job, worker), older in list(_running.items()):  # of a client that was killed
                if job != order.job and older.order.folder == order.folder:
                    _running.pop((job, worker), None)
                    older.end()
            running = _running.get(key)
            if running is None or not running.alive:
                running = _running[key] = Running(order)
        return running.compute(first, last)
    except OSError as error:
        return {"error": f"{error.strerror}: {error.filename or order.folder}", "code": None}


def stop(job: str, worker: str, first: int) -> None:
    """Ends the range that begins with this part, and leaves the program for more."""
    running = _running.get((job, worker))
    if running is not None:
        running.stop(first)


def end(job: str, worker: str) -> None:
    """Ends the program that a worker has for a job."""
    _starting.pop((job, worker), None)
    running = _running.pop((job, worker), None)
    if running is not None:
        running.end()


def end_all() -> None:
    """Ends the programs of all workers of this process, which is about to end."""
    for key in list(_running):
        end(*key)


def _memory(inputs: int) -> int:
    """A budget with which program, sequences and mapped pages stay below what the worker may take."""
    from distributed import get_worker

    limit = None
    with contextlib.suppress(ValueError, AttributeError):
        limit = get_worker().memory_manager.memory_limit
    if not limit:
        return _LARGEST_MEMORY
    return max(_SMALLEST_MEMORY, min(_LARGEST_MEMORY, int(0.8 * (limit - 2 * inputs - _OF_THE_PROGRAM))))


# ---- Inputs ------------------------------------------------------------------------------------------------


def _copy_of(file: InputFile) -> str:
    """Where a copy is, if there is one: processes of one machine share it."""
    folder = os.path.join(tempfile.gettempdir(), f"alnus-inputs-{os.getuid()}", file.digest)
    return os.path.join(folder, os.path.basename(file.path))


@functools.lru_cache(maxsize=1000)
def _digest_of(path: str, size: int, modified: int, number: int) -> str:
    """Of a file as it is now; `number`: its inode."""
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
    return os.path.exists(_copy_of(file)) or _is_the_same(file.path, file)


def _place_of(file: InputFile) -> str:
    copy = _copy_of(file)
    return copy if os.path.exists(copy) else file.path


def receive(file: InputFile, worker: str, offset: int, data: bytes) -> bool:
    """The next bytes of an input that this worker does not see. False if all of them are not that file."""
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
