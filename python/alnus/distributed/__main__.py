"""The command ``python -m alnus.distributed search|allpairs ... --outdir DIR``: a job on many workers, from a shell."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import shutil
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import alnus
from alnus import _alnus
from alnus.distributed import _worker
from alnus.distributed._calls import _begin
from alnus.distributed._command import of_arguments
from alnus.distributed._job import Job, Status, missing
from alnus.distributed._program import open_closed_descriptors

if TYPE_CHECKING:
    from distributed import Client

_TELL = 10.0  # seconds between two lines of progress


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are InputErrors: argparse itself would end the process with 2."""

    def error(self, message: str) -> NoReturn:
        raise alnus.InputError(f"{message[:1].upper()}{message[1:]}; see {self.prog} --help.")


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m alnus.distributed",
        description="Search or all pairs on the workers of a Dask cluster. The outputs are the bytes of one process.",
        epilog="All other options are those of alnus search and alnus allpairs; names of outputs are relative to "
        "--outdir. The same command again goes on from what is done.",
        allow_abbrev=False,
    )
    parser.add_argument("command", choices=["search", "allpairs"])
    parser.add_argument("--outdir", required=True, metavar="DIR", help="the job's folder, which all workers see")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--local", type=int, metavar="N", help="N workers on this machine, each with a process of alnus")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler that runs, as tcp://host:8786")
    where.add_argument("--slurm", type=int, metavar="N", help="N jobs of Slurm, each one worker")
    parser.add_argument("--cpus", type=int, default=1, metavar="N", help="of each job of Slurm (default: 1)")
    parser.add_argument("--worker-memory", default="4GiB", metavar="SIZE", help="of each job of Slurm (default: 4GiB)")
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


@contextlib.contextmanager
def _client(arguments: argparse.Namespace, options: list[str]) -> Iterator[Client]:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise missing(error) from None

    if any(workers is not None and workers < 1 for workers in (arguments.local, arguments.slurm)):
        raise alnus.InputError("--local and --slurm need one worker or more.")
    if arguments.scheduler:
        try:
            client = Client(arguments.scheduler, timeout="30s")
        except ValueError as error:
            raise alnus.InputError(f"--scheduler {arguments.scheduler} is no address of a scheduler: {error}") from None
        with client:
            yield client
    elif arguments.local:
        if not any(word.startswith(("-t", "--threads=")) or word == "--threads" for word in options):
            options += ["--threads", str(max(1, len(os.sched_getaffinity(0)) // arguments.local))]
        with (
            # The workers are threads of this process: each starts its own process of alnus, and a Python process for
            # each would cost seconds. Two of Dask's habits are switched off. It would compare the memory of the whole
            # process with the share of one worker, and pause the workers. And it would ask the GPUs how busy they are,
            # which takes a second the first time.
            dask.config.set({f"distributed.worker.memory.{name}": False for name in ("target", "spill", "pause")}),
            dask.config.set({"distributed.diagnostics.nvml": False}),
            LocalCluster(
                n_workers=arguments.local,
                threads_per_worker=1,
                processes=False,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster) as client,
        ):
            try:
                yield client
            finally:
                _worker.end_all()  # otherwise Dask would wait for workers that wait for their programs
    else:
        if shutil.which("sbatch") is None:
            raise alnus.InputError("There is no command sbatch here: use --slurm where the commands of Slurm are.")
        try:
            from dask_jobqueue import SLURMCluster
        except ImportError as error:
            raise missing(error) from None
        if arguments.cpus < 1:
            raise alnus.InputError("--cpus needs one processor or more.")
        try:
            dask.utils.parse_bytes(arguments.worker_memory)
        except ValueError:
            raise alnus.InputError(
                f"--worker-memory is a size such as 4GiB, not {arguments.worker_memory!r}."
            ) from None
        with (
            SLURMCluster(
                cores=1,
                processes=1,
                job_cpu=arguments.cpus,
                memory=arguments.worker_memory,
                walltime=arguments.walltime,
                queue=arguments.partition,
                job_extra_directives=arguments.slurm_directive,
                scheduler_options={"dashboard_address": ":0"},
            ) as cluster,
            Client(cluster) as client,
        ):
            cluster.scale(arguments.slurm)
            yield client


def _say(text: str) -> None:
    if sys.stderr is not None:  # None: it was closed when Python began
        print(f"alnus: {_alnus.printable(text)}", file=sys.stderr, flush=True)


def _progress(status: Status) -> str:
    done = 100 * status.cells_done / max(1, status.cells)
    left = f", about {status.seconds_left:.0f} s left" if status.seconds_left else ""
    return f"{done:.1f}% by {status.workers} workers, {status.gcups:.1f} GCUPS{left}."


def _wait(job: Job, tell: bool) -> list[str]:
    told = time.monotonic()
    while True:
        with contextlib.suppress(TimeoutError):
            return job.result(timeout=0.5)
        if tell and time.monotonic() - told > _TELL:
            told = time.monotonic()
            _say(_progress(job.status()))


@contextlib.contextmanager
def _warnings_as_messages(quiet: bool) -> Iterator[None]:
    ordinary = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, alnus.AlnusWarning):
            ordinary(message, category, *where, **more)
        elif not quiet:
            _say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", alnus.AlnusWarning)
        warnings.showwarning = show
        yield


def _run(words: Sequence[str]) -> None:
    end = words.index("--") if "--" in words else len(words)
    arguments, options = _parser().parse_known_args(words[:end])
    with _warnings_as_messages(arguments.quiet), _client(arguments, options) as client:
        command = of_arguments(arguments.command, options, words[end + 1 :])
        job = _begin(
            command,
            arguments.outdir,
            client,
            arguments.task_seconds,
            not arguments.no_duplicates,
            arguments.retries,
        )
        with job:
            files = _wait(job, not (arguments.quiet or arguments.no_progress))
            status = job.status()
    if not arguments.quiet:
        counts = f"{status.lost} ranges lost, {status.repeated} repeated"
        _say(f"{', '.join(files)}: done in {status.seconds:.1f} s; {counts}. This was alnus {alnus.__version__}.")


def main(words: Sequence[str]) -> int:
    open_closed_descriptors()
    try:
        _run(words)
        return 0
    except alnus.InputError as error:
        _say(f"error: {error}")
        return 1
    except (alnus.Error, OSError) as error:
        _say(f"error: {error}")
        return 5
    except KeyboardInterrupt:
        _say("interrupted; the same command goes on from what is done.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
