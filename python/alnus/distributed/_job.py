"""A job: its plan, what is done of it, and its results."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import alnus
from alnus._errors import InputError, OutputError
from alnus.distributed._command import Command, within
from alnus.distributed._dispatch import Dispatcher, JobError
from alnus.distributed._folder import Folder, InputFile, Record
from alnus.distributed._pool import Pool
from alnus.distributed._program import program
from alnus.distributed._worker import Order

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Job", "JobError", "Plan", "Status"]

PARTS = 100_000  # of every job: ranges of them are handed out


@dataclass(frozen=True)
class Plan:
    """What a job comes to, before anything is computed.

    Attributes
    ----------
    parts : int
        Into so many pieces of about equal cells the job is cut; workers compute ranges of them.
    cells : int
        Cells of the dynamic programming matrices.
    """

    parts: int
    cells: int

    def hours(self, workers: int, gcups: float) -> float:
        """How long so many workers take, each of which computes so many 1e9 cells a second."""
        return self.cells / (workers * gcups * 1e9) / 3600


@dataclass(frozen=True)
class Status:
    """How far a job is.

    Attributes
    ----------
    state : {"running", "merging", "finished", "failed", "cancelled"}
    cells_done, cells : int
        Of the dynamic programming matrices.
    workers : int
        Those that get work.
    gcups : float
        1e9 cells a second, all workers together, as their last parts were.
    seconds, seconds_left : float
        Since this call began, and expected.
    lost, repeated : int
        Ranges of parts whose worker went, and those that were given a second time near the end.
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


class Job:
    """A job that runs. :func:`alnus.distributed.search` and ``all_pairs`` begin it.

    Its parts are handed out by a thread of this process: while it is away nothing new is begun. What is done is
    in the folder, and the same call goes on from there.
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
    ) -> None:
        self._command = command
        self._client = client
        self._began = time.monotonic()
        inputs = [InputFile.of(name) for name in command.all_inputs()]
        self._folder = Folder(outdir, PARTS)
        self._dispatcher: Dispatcher | None = None
        self._state = "running"
        self._error: BaseException | None = None
        self._cancelled = False
        try:
            command.check_outputs(self._folder.path)
            cells = self._cells(inputs)
            self._folder.take_up(command, inputs)
            self.plan = Plan(PARTS, sum(cells))
            order = Order("", command, inputs, PARTS, self._folder.path, self._folder.cache_folder)
            settings = {
                "task_seconds": task_seconds,
                "duplicates": duplicates,
                "retries": retries,
                "one_card_each": "cuda" in command.options,
            }
        except BaseException:
            self._folder.close()
            raise
        self._lost = self._repeated = 0
        self._done_cells = 0  # when the dispatcher ended
        self._warnings: list[str] = []  # that nobody has heard yet
        self._thread = threading.Thread(target=self._run, args=(cells, order, settings), daemon=True)
        self._thread.start()

    def _cells(self, inputs: list[InputFile]) -> list[int]:
        """Of each part. The program says so, with all that is wrong with options and inputs."""
        places = {file.name: file.path for file in inputs}
        arguments = self._command.of_plan(places, PARTS, self._folder.path)
        environment = dict(os.environ, XDG_CACHE_HOME=self._folder.cache_folder)
        told = subprocess.run(
            [program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment
        )
        for line in told.stderr.splitlines():
            if line.startswith("alnus: warning: "):
                from alnus._following import warn

                warn(line.removeprefix("alnus: warning: "))
        if told.returncode != 0:
            lines = told.stderr.strip().splitlines() or [f"The program ended with code {told.returncode}."]
            raise InputError(lines[-1].removeprefix("alnus: error: "))
        cells: list[int] = json.loads(told.stdout.splitlines()[0])["cells"]
        return cells

    # ---- The thread ----

    def _run(self, cells: list[int], order: Order, settings: dict[str, Any]) -> None:
        try:
            self._compute_all(cells, order, settings)
            self._state = "finished"
        except BaseException as error:
            self._error = error
            self._state = "cancelled" if isinstance(error, alnus.Cancelled) else "failed"
        finally:
            self._folder.close()

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
            self._state = "running"

    def _compute(self, pool: Pool, order: Order, settings: dict[str, Any]) -> None:
        dispatcher = Dispatcher(
            self._client, order, pool, is_recorded=self._folder.has, warn=self._warnings.append, **settings
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
        """Writes the outputs. A part that is damaged comes back, and is to be computed again."""
        places = self._folder.write_places(records)
        told = subprocess.run(
            [program(), *self._command.of_merge(self._folder.path, places)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if told.returncode == 0:
            return None
        message = (told.stderr.strip().splitlines() or [f"The merge ended with code {told.returncode}."])[-1]
        found = re.search(r"error: (.*) is damaged from byte (\d+) on", message)
        if found:
            name, byte = os.path.basename(found[1]), int(found[2])
            for record in records:
                if record.file == name and record.begin <= byte < record.end:
                    return record
        raise OutputError(message.removeprefix("alnus: error: "))

    # ---- What users see ----

    def status(self) -> Status:
        """How far it is. Answers at once."""
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
        """Pairs of all parts in the folder; those that were computed twice count twice."""
        return self._folder.pairs_computed()

    def cancel(self) -> None:
        """Ends the job soon. What is done stays in the folder."""
        self._cancelled = True
        dispatcher = self._dispatcher
        if dispatcher:
            dispatcher.cancel()

    def result(self, timeout: float | None = None) -> list[str]:
        """Waits for the end, and gives the files that the job has written, in the order of its options.

        Raises
        ------
        TimeoutError
            After ``timeout`` seconds.
        JobError
            The job cannot go on: the scheduler is gone, or parts fail again and again.
        InputError, OutputError, Cancelled
        """
        end = None if timeout is None else time.monotonic() + timeout
        while self._thread.is_alive():  # looks for Ctrl-C meanwhile
            self._thread.join(0.1)
            self._warn()
            if end is not None and time.monotonic() >= end:
                raise TimeoutError(f"The job is not finished after {timeout} s.")
        self._warn()
        if self._error is not None:
            raise self._error
        return self.files()

    def _warn(self) -> None:
        """Tells what the job has to say, on the thread that waits for it."""
        from alnus._following import warn

        while self._warnings:
            warn(self._warnings.pop(0))

    def files(self) -> list[str]:
        """The names of the outputs."""
        names = []
        for option, name in self._command.outputs:
            path = within(self._folder.path, name)
            if option == "--matrix-out":
                value, colon, rest = path.partition(":")
                path = rest if colon and "/" not in value else path
                names += [path, *itertools.chain(path + end for end in (".ids", ".rows.ids", ".columns.ids"))]
            else:
                names.append(path)
        return [name for name in names if os.path.exists(name) or not name.endswith(".ids")]

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread.is_alive():
            self.cancel()
            with contextlib.suppress(Exception):
                self.result()
