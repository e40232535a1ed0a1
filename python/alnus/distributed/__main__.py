"""The command ``python -m alnus.distributed search|allpairs ... --outdir DIR``: a job on many workers, from a shell."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import alnus
from alnus import _alnus
from alnus._following import warn
from alnus._versions import build_name
from alnus.distributed import _worker
from alnus.distributed._calls import _begin
from alnus.distributed._command import JOB_FILE, Command, of_arguments, refuse_repeated
from alnus.distributed._deadline import OWN, Deadline, deadline
from alnus.distributed._job import Job, JobError, Status, missing
from alnus.distributed._program import in_one_line, keep_messages_out_of, open_closed_descriptors
from alnus.distributed._rule import FIRST_SECONDS
from alnus.distributed._signals import Ended, ended_by_signals
from alnus.distributed._slurm import Jobs, slurm_cluster

if TYPE_CHECKING:
    from distributed import Client

_TELL = 10.0  # seconds between two lines of progress
_MEMORY = "4GiB"  # of each job of Slurm


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are InputErrors: argparse itself would end the process with 2."""

    def error(self, message: str) -> NoReturn:
        raise alnus.InputError(f"{message[:1].upper()}{message[1:]}; see {self.prog} --help.")


class _Counted(argparse.Action):
    """Keeps the value of an option, and counts in ``given`` how often the option is given."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        setattr(namespace, self.dest, values)
        if option is not None:
            namespace.given[option] += 1


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m alnus.distributed",
        description="Search or all pairs on the workers of a Dask cluster. The outputs are the bytes of one process.",
        epilog="All other options are those of alnus search and alnus allpairs; names of outputs are relative to "
        "--outdir. The same command again goes on from what is done.",
        allow_abbrev=False,
    )
    parser.register("action", None, _Counted)  # of all arguments that name no other action
    parser.add_argument("command", choices=["search", "allpairs"])
    parser.add_argument("--outdir", required=True, metavar="DIR", help="the job's folder, which all workers see")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--local", type=int, metavar="N", help="N workers on this machine, each with a process of alnus")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler that runs, as tcp://host:8786")
    where.add_argument("--slurm", type=int, metavar="N", help="N jobs of Slurm, each one worker")
    parser.add_argument("--cpus", type=int, metavar="N", help="of each job of Slurm (default: 1)")
    parser.add_argument("--worker-memory", metavar="SIZE", help=f"of each job of Slurm (default: {_MEMORY})")
    parser.add_argument("--walltime", metavar="HH:MM:SS", help="of each job of Slurm")
    parser.add_argument("--partition", metavar="NAME", help="of Slurm")
    parser.add_argument(
        "--slurm-directive",
        action="append",
        default=[],
        metavar="OPTION",
        help="for sbatch, as --slurm-directive=--gres=gpu:1",
    )
    parser.add_argument("--task-seconds", type=float, default=60, metavar="X", help="between two answers (60)")
    parser.add_argument("--no-duplicates", action="store_true", help="nothing is computed twice near the end")
    parser.add_argument("--retries", type=int, default=20, metavar="N", help="failures in a row that end it (20)")
    parser.add_argument("--no-progress", action="store_true", help="show no progress; warnings and messages stay")
    parser.add_argument("--quiet", action="store_true", help="print only errors")
    return parser


def _check(arguments: argparse.Namespace) -> None:
    """Raise InputError for a value that no job can have, or an option that has no effect with these workers."""
    if any(workers is not None and workers < 1 for workers in (arguments.local, arguments.slurm)):
        raise alnus.InputError("--local and --slurm need one worker or more.")
    if not arguments.outdir:
        raise alnus.InputError("--outdir is empty; it must name the folder of the job.")
    if arguments.slurm is None:
        for name in ("cpus", "worker_memory", "walltime", "partition", "slurm_directive"):
            if getattr(arguments, name):
                option = "--" + name.replace("_", "-")
                raise alnus.InputError(f"{option} is about the jobs of Slurm: add --slurm N, or leave it out.")
    elif arguments.cpus is not None and arguments.cpus < 1:
        raise alnus.InputError("--cpus needs one processor or more.")


def _deadline_of(arguments: argparse.Namespace) -> Deadline | None:
    """Return when the workers are taken away, if this process knows it; None if not.

    The workers of --local are in this process, and jobs of Slurm get its ALNUS_DEADLINE. Raises InputError if the time
    is no number, and JobError if so little is left that they would get no work.
    """
    if arguments.scheduler:
        return None
    limit = deadline() if arguments.local else deadline([OWN])
    if limit is not None and limit.seconds_left < FIRST_SECONDS:
        left = "the time of the workers is up"
        if limit.seconds_left > 0:
            left = f"workers begin nothing in their last {FIRST_SECONDS:.0f} s, and {limit.seconds_left:.0f} s are left"
        raise JobError(
            f"Nothing is computed: {left} ({limit}). Set ALNUS_DEADLINE to the time at which they are taken away, or "
            "remove the variable."
        )
    return limit


@dataclass
class _Workers:
    """The workers of a job, as the command line names them."""

    client: Client
    start: Callable[[], None]  # starts those that start when the job has begun


@contextlib.contextmanager
def _workers(arguments: argparse.Namespace) -> Iterator[_Workers]:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise missing(error) from None

    with contextlib.ExitStack() as opened:
        if arguments.scheduler:
            try:
                client = opened.enter_context(Client(arguments.scheduler, timeout="30s"))
            except ValueError as error:
                raise alnus.InputError(
                    f"--scheduler {arguments.scheduler} is no address of a scheduler: {in_one_line(error)}"
                ) from None
            yield _Workers(client, lambda: None)
            return
        jobs: Jobs | None = None
        try:
            if arguments.local:
                # The workers are threads of this process: each starts its own process of alnus, and a Python process
                # for each would cost seconds. Two of Dask's habits are switched off. It would compare the memory of the
                # whole process with the share of one worker, and pause the workers. And it would ask the GPUs how busy
                # they are, which takes a second the first time.
                for name in ("target", "spill", "pause"):
                    opened.enter_context(dask.config.set({f"distributed.worker.memory.{name}": False}))
                opened.enter_context(dask.config.set({"distributed.diagnostics.nvml": False}))
                cluster = opened.enter_context(
                    LocalCluster(
                        n_workers=arguments.local,
                        threads_per_worker=1,
                        processes=False,
                        dashboard_address=":0",
                        silence_logs=logging.CRITICAL,
                    )
                )
            else:
                memory = arguments.worker_memory or _MEMORY
                try:
                    dask.utils.parse_bytes(memory)
                except ValueError:
                    raise alnus.InputError(f"--worker-memory is a size such as 4GiB, not {memory!r}.") from None
                jobs = opened.enter_context(
                    slurm_cluster(
                        cores=1,
                        processes=1,
                        job_cpu=arguments.cpus or 1,
                        memory=memory,
                        walltime=arguments.walltime,
                        queue=arguments.partition,
                        job_extra_directives=arguments.slurm_directive,
                        scheduler_options={"dashboard_address": ":0"},
                    )
                )
                cluster = jobs.cluster
        except RuntimeError as error:  # what Dask raises if its scheduler cannot listen, for example
            raise JobError(f"The workers cannot be started: {in_one_line(error)}") from error
        client = opened.enter_context(Client(cluster))
        if arguments.local:
            opened.callback(_worker.end_all)  # otherwise Dask would wait for workers that wait for their programs

        def start() -> None:
            warning = jobs.submit(arguments.slurm) if jobs else None
            if warning:
                warn(warning)

        yield _Workers(client, start)


def _say(text: str) -> None:
    if sys.stderr is not None:  # None: it was closed when Python began
        print(f"alnus: {_alnus.printable(text)}", file=sys.stderr, flush=True)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _progress(status: Status) -> str:
    done = 100 * status.cells_done / max(1, status.cells)
    left = f", about {status.seconds_left:.0f} s left" if status.seconds_left else ""
    return f"{done:.1f}% by {_count(status.workers, 'worker')}, {status.gcups:.1f} GCUPS{left}."


def _wait(
    job: Job, tell: bool, limit: Deadline | None = None, check_signals: Callable[[], None] = lambda: None
) -> list[str]:
    """Wait for the end of a job whose workers are taken away at ``limit``, and return the names of its files."""
    told = time.monotonic()
    while True:
        check_signals()
        with contextlib.suppress(TimeoutError):
            return job.result(timeout=0.5)
        if limit is not None and limit.seconds_left <= 0 and job.status().state == "running":
            raise JobError(f"The time of the workers is up ({limit}). {_kept(job.folder)}")
        if tell and time.monotonic() - told > _TELL:
            told = time.monotonic()
            _say(_progress(job.status()))


def _kept(folder: str) -> str:
    """Return the sentence that says what is kept of a job that ends early, and how to go on."""
    if os.path.isfile(os.path.join(folder, JOB_FILE)):
        return f"What is computed is kept in {folder}; the same command goes on from there."
    return "Nothing was computed; the same command begins anew."


@contextlib.contextmanager
def _messages_to_the_log(quiet: bool) -> Iterator[None]:
    """Write all warnings, those of Dask, too, and the messages of the logger "alnus" as lines of the log."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if not quiet:
            _say(f"warning: {in_one_line(message)}")

    logger, lines, level = logging.getLogger("alnus"), _Lines(), logging.getLogger("alnus").level
    with warnings.catch_warnings():
        warnings.simplefilter("always", alnus.AlnusWarning)
        warnings.showwarning = show
        if not quiet:
            logger.addHandler(lines)
            logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.removeHandler(lines)
            logger.setLevel(level)


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _say(record.getMessage())


def _summary(job: Job, files: Sequence[str]) -> str:
    """Return the last line of the log."""
    status, computed = job.status(), job.computed()
    devices = f" on {' and '.join(computed.devices)}" if computed.devices else ""
    pairs, cells = _count(computed.pairs, "pair"), _count(computed.cells, "cell")
    lost = _count(status.lost, "range")
    return (
        f"{', '.join(files)}: {pairs}, {cells}, done in {status.seconds:.1f} s; {lost} lost, "
        f"{status.repeated} repeated. This was alnus {build_name()}{devices}."
    )


def _run(arguments: argparse.Namespace, command: Command, check_signals: Callable[[], None]) -> None:
    _check(arguments)
    limit = _deadline_of(arguments)
    with _workers(arguments) as workers:
        job = _begin(
            command,
            arguments.outdir,
            workers.client,
            arguments.task_seconds,
            not arguments.no_duplicates,
            arguments.retries,
            others_may_come=not arguments.local,
        )
        with job:
            workers.start()
            files = _wait(job, not (arguments.quiet or arguments.no_progress), limit, check_signals)
            last = _summary(job, files)
    if not arguments.quiet:
        _say(last)


def _read(words: Sequence[str]) -> tuple[argparse.Namespace, Command]:
    end = words.index("--") if "--" in words else len(words)
    arguments, options = _parser().parse_known_args(words[:end], argparse.Namespace(given=Counter()))
    refuse_repeated(arguments.given)
    command = of_arguments(arguments.command, options, words[end + 1 :])
    if arguments.local and not any(word.startswith(("-t", "--threads=")) or word == "--threads" for word in options):
        command.options += ["--threads", str(max(1, len(os.sched_getaffinity(0)) // max(1, arguments.local)))]
    return arguments, command


def main(words: Sequence[str]) -> int:
    open_closed_descriptors()
    folder = ""
    try:
        with ended_by_signals() as check_signals:
            arguments, command = _read(words)
            folder = arguments.outdir
            keep_messages_out_of(command.all_inputs())
            with _messages_to_the_log(arguments.quiet):
                _run(arguments, command, check_signals)
        return 0
    except alnus.DatabaseError as error:
        _say(f"error: {error}")
        return 2
    except alnus.InputError as error:
        _say(f"error: {error}")
        return 1
    except (alnus.Error, OSError) as error:
        _say(f"error: {error}")
        return 5
    except Ended as end:
        _say(f"ended by {end.name}. {_kept(folder)}")
        return end.exit_code


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a SIGINT when main() has returned prints no traceback
    sys.exit(main(sys.argv[1:]))
