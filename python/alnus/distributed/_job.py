"""A job: its plan, how far it is, and its results."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import re
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import alnus
from alnus._errors import InputError, OutputError
from alnus._following import tell
from alnus.distributed._command import Command, path_of, within
from alnus.distributed._dispatch import Dispatcher, JobError
from alnus.distributed._folder import Folder, InputFile, Record
from alnus.distributed._pool import Pool
from alnus.distributed._program import error_of, messages_of, program, refusal, with_names
from alnus.distributed._worker import Order

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Job", "JobError", "Plan", "Status"]

_CANCELLED = "The job was cancelled; what is done is in its folder."
PARTS = 100_000  # the number of parts of every job, of which workers get ranges


@dataclass(frozen=True)
class Plan:
    """The size of a job, which is known before anything is computed.

    Attributes
    ----------
    parts : int
        The number of parts, of about equal cells, into which the job is cut. Workers compute ranges of parts.
    cells : int
        The number of cells of the dynamic programming matrices.
    """

    parts: int
    cells: int

    def hours(self, workers: int, gcups: float) -> float:
        """Return the hours that ``workers`` workers take if each computes ``gcups`` * 1e9 cells a second."""
        return self.cells / (workers * gcups * 1e9) / 3600


@dataclass(frozen=True)
class Computed:
    """What the parts of a finished job have computed, whichever runs of the job computed them."""

    pairs: int
    cells: int
    devices: list[str]  # name and description of each device that has scored or aligned pairs, once and in order


@dataclass(frozen=True)
class Status:
    """How far a job is.

    Attributes
    ----------
    state : {"running", "merging", "finished", "failed", "cancelled"}
        What the job does now, or how it ended.
    cells_done, cells : int
        The cells of the dynamic programming matrices that are computed, and all of them.
    workers : int
        The number of workers that can get work.
    gcups : float
        The speed of all workers together in 1e9 cells a second, measured with their latest ranges.
    seconds : float
        Seconds since this :class:`Job` was made.
    seconds_left : float
        Expected seconds to the end; 0 if no speed is known.
    lost : int
        The number of ranges that were computed again because their worker went away, its program failed, or what it
        wrote is damaged.
    repeated : int
        The number of ranges that were given to a second worker near the end.
    """

    state: str
    cells_done: int
    cells: int
    workers: int
    gcups: float
    seconds: float
    seconds_left: float
    lost: int
    repeated: int


def missing(error: ImportError) -> JobError:
    """Return the error that says which package to install, for the ``error`` of its import."""
    return JobError(
        f"alnus.distributed needs the package {error.name or 'dask'}, which is not installed here. Install what it "
        "needs with alnus, by pip install '.[distributed]' in a clone, or with a wheel, or by pip install dask "
        "distributed dask-jobqueue."
    )


def _check_numbers(task_seconds: float, retries: int) -> None:
    if not 0 < task_seconds < math.inf:
        raise InputError(f"task_seconds is {task_seconds}; it must be a number of seconds above 0.")
    if retries < 0:
        raise InputError(f"retries is {retries}; it must be 0 or more.")


class Job:
    """A job on the workers of a Dask cluster. :func:`alnus.distributed.search` and ``all_pairs`` start it.

    A thread of this process hands out the parts: if the process ends, no worker gets another part. What is computed is
    in the job's folder, and the same call continues the job from there. At the end of a ``with`` block a job that still
    runs is cancelled.
    """

    def __init__(
        self,
        command: Command,
        outdir: str,
        client: Client,
        *,
        task_seconds: float,
        duplicates: bool,
        retries: int,
        others_may_come: bool = True,
    ) -> None:
        self._command = command
        self._client = client
        self._began = time.monotonic()
        _check_numbers(task_seconds, retries)
        inputs = [InputFile.of(name) for name in command.all_inputs()]
        command.check_outputs(os.path.abspath(outdir))
        self._messages: list[tuple[str, str]] = []  # (severity, text) of those that were not given to the user yet
        self._heard: set[str] = set()  # texts of all messages of programs, of which each is given once
        self._folder = Folder(outdir, PARTS, self._add_warning)
        self._dispatcher: Dispatcher | None = None
        self._state = "running"
        self._error: BaseException | None = None
        self._cancelled = False
        self._merger: subprocess.Popen[str] | None = None  # the process that writes the outputs
        self._merging = threading.Lock()  # for the two above
        try:
            cells = self._cells(inputs)
            command.check_name_of_rows()
            self._folder.take_up(command, inputs)
            self.plan = Plan(PARTS, sum(cells))
            order = Order("", command, inputs, PARTS, self._folder.path, self._folder.cache_folder)
            settings = {
                "task_seconds": task_seconds,
                "duplicates": duplicates,
                "retries": retries,
                "one_card_each": "cuda" in command.options,
                "others_may_come": others_may_come,
            }
        except BaseException:
            self._folder.close()
            raise
        self._lost = self._repeated = 0
        self._done_cells = 0  # cells that were computed when the last dispatcher ended
        # The thread itself is not waited for: a signal in Thread.join has Python 3.11 take the thread for ended.
        self._ended = threading.Event()
        threading.Thread(target=self._run, args=(cells, order, settings), daemon=True).start()

    def _cells(self, inputs: list[InputFile]) -> list[int]:
        """Ask the program for the number of cells of each part.

        The program also checks options and inputs. Raises InputError or DatabaseError with its message if
        something is wrong.
        """
        places = {file.name: file.path for file in inputs}
        arguments = self._command.of_plan(places, PARTS, self._folder.path)
        environment = dict(os.environ, XDG_CACHE_HOME=self._folder.cache_folder)
        told = subprocess.run(
            [program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment
        )
        log = with_names(told.stderr, places)
        self._hear(messages_of(log))
        self._tell()
        if told.returncode != 0:
            raise refusal(told.returncode, error_of(log) or f"The program ended with code {told.returncode}.")
        try:
            cells: list[int] = json.loads(told.stdout.splitlines()[0])["cells"]
        except (IndexError, KeyError, TypeError, ValueError):
            raise InputError(f"{program()} did not say how the job is cut: it is no alnus of this version.") from None
        return cells

    # ---- What the job's thread does ----

    def _run(self, cells: list[int], order: Order, settings: dict[str, Any]) -> None:
        try:
            self._compute_all(cells, order, settings)
            self._state = "finished"
        except BaseException as error:
            self._error = error
            self._state = "cancelled" if isinstance(error, alnus.Cancelled) else "failed"
        finally:
            self._folder.close()
            self._ended.set()

    def _compute_all(self, cells: list[int], order: Order, settings: dict[str, Any]) -> None:
        while True:
            done = self._folder.records()
            pool = Pool(cells, [record.range for record in done])
            self._done_cells = pool.total - pool.left
            if pool:
                self._compute(pool, order, settings)
                continue
            self._state = "merging"
            damaged = self._merge(done)
            if damaged is None:
                return
            self._folder.drop(damaged)
            self._lost += 1
            self._state = "running"

    def _compute(self, pool: Pool, order: Order, settings: dict[str, Any]) -> None:
        dispatcher = Dispatcher(
            self._client,
            order,
            pool,
            is_recorded=self._folder.has,
            warn=self._add_warning,
            hear=self._hear,
            **settings,
        )
        self._dispatcher = dispatcher
        if self._cancelled:
            dispatcher.cancel()
        try:
            dispatcher.run()
        finally:
            self._lost += dispatcher.lost
            self._repeated += dispatcher.repeated
            self._done_cells = dispatcher.done_cells
            self._dispatcher = None

    def _merge(self, records: list[Record]) -> Record | None:
        """Write the outputs and return None; or return the record of a damaged part, which must be computed again."""
        places = self._folder.write_places(records)
        with self._merging:
            if self._cancelled:
                raise alnus.Cancelled(_CANCELLED)
            self._merger = subprocess.Popen(
                [program(), *self._command.of_merge(self._folder.path, places)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        _, told = self._merger.communicate()
        if self._merger.returncode == 0:
            # The last line of the command's log names the build, with the devices.
            self._hear([(severity, text.partition(" This was alnus ")[0]) for severity, text in messages_of(told)])
            return None
        if self._cancelled:
            raise alnus.Cancelled(_CANCELLED)
        message = error_of(told) or f"The merge ended with code {self._merger.returncode}."
        found = re.search(r"^(.*) is damaged from byte (\d+) on", message)
        if found:
            name, byte = os.path.basename(found[1]), int(found[2])
            for record in records:
                if record.file == name and record.begin <= byte < record.end:
                    self._add_warning(f"{found[0]}: {record.range} of the job will be computed again.")
                    return record
        raise OutputError(message)

    # ---- What users call ----

    def status(self) -> Status:
        """Return how far the job is, without waiting."""
        dispatcher = self._dispatcher
        done = dispatcher.done_cells if dispatcher else self._done_cells
        speed = dispatcher.speed if dispatcher else 0.0
        return Status(
            state=self._state,
            cells_done=done,
            cells=self.plan.cells,
            workers=dispatcher.workers if dispatcher else 0,
            gcups=speed / 1e9,
            seconds=time.monotonic() - self._began,
            seconds_left=(self.plan.cells - done) / speed if speed else 0.0,
            lost=self._lost + (dispatcher.lost if dispatcher else 0),
            repeated=self._repeated + (dispatcher.repeated if dispatcher else 0),
        )

    def pairs_computed(self) -> int:
        """Return the number of pairs in all parts in the folder. Pairs that were computed twice count twice."""
        return self._folder.pairs_computed()

    @property
    def folder(self) -> str:
        """The absolute path of the job's folder."""
        return self._folder.path

    def computed(self) -> Computed:
        """Return what the parts have computed that are in the outputs. Pairs that were computed twice count once."""
        records = self._folder.records()
        return Computed(
            pairs=sum(record.pairs for record in records),
            cells=sum(record.cells for record in records),
            devices=sorted({device for record in records for device in record.devices}),
        )

    def cancel(self) -> None:
        """Have the job end soon, without waiting for its end. What is computed stays in the folder."""
        with self._merging:
            self._cancelled = True
            if self._merger is not None:
                self._merger.terminate()  # it removes its unfinished outputs
        dispatcher = self._dispatcher
        if dispatcher:
            dispatcher.cancel()

    def result(self, timeout: float | None = None) -> list[str]:
        """Wait for the end of the job, and return the files that it has written, in the order of its options.

        Parameters
        ----------
        timeout : float, optional
            The most seconds to wait. Default: as long as the job takes.

        Raises
        ------
        TimeoutError
            If the job has not ended after ``timeout`` seconds. It goes on.
        JobError
            If the job cannot go on: the scheduler is gone, no worker can be used, or parts fail again and again.
        InputError
            If an input or an option is wrong, or an input was changed while the job ran.
        OutputError
            If the outputs cannot be written.
        Cancelled
            If the job was cancelled.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while not self._ended.wait(0.1):  # short waits, so that Ctrl-C is seen
            self._tell()
            if end is not None and time.monotonic() >= end:
                raise TimeoutError(f"The job is not finished after {timeout} s.")
        self._tell()
        if self._error is not None:
            raise self._error
        return self.files()

    def _add_warning(self, text: str) -> None:
        self._messages.append(("warning", text))

    def _hear(self, messages: list[tuple[str, str]]) -> None:
        """Keep those messages of a program for the user that no program of this job has given before."""
        for severity, text in messages:
            if text not in self._heard:
                self._heard.add(text)
                self._messages.append((severity, text))

    def _tell(self) -> None:
        """Give the job's messages to the user, on the thread that waits for the job."""
        while self._messages:
            tell(*self._messages.pop(0))

    def files(self) -> list[str]:
        """Return the paths of the outputs, with the files of ids that belong to matrices."""
        names = []
        for option, name in self._command.outputs:
            path = path_of(option, within(self._folder.path, option, name))
            if option == "--matrix-out":
                names += [path, *itertools.chain(path + end for end in (".ids", ".rows.ids", ".columns.ids"))]
            else:
                names.append(path)
        return [name for name in names if os.path.exists(name) or not name.endswith(".ids")]

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._ended.is_set():
            self.cancel()
            with contextlib.suppress(Exception):
                self.result()
