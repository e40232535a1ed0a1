"""Workers that are jobs of Slurm."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alnus._errors import InputError
from alnus.distributed._dispatch import JobError
from alnus.distributed._job import missing

if TYPE_CHECKING:
    from dask_jobqueue import SLURMCluster

_WAIT = 0.05  # seconds between two looks at what sbatch has answered


@dataclass
class Jobs:
    """The jobs of Slurm of a cluster, each of which is one worker."""

    cluster: SLURMCluster
    submitted: list[str] = field(default_factory=list)  # the number of each job that sbatch has taken
    refused: list[str] = field(default_factory=list)  # for each job that it has not taken, the reason

    def submit(self, count: int) -> str | None:
        """Submit so many jobs, and wait for the answers of sbatch.

        Returns the text of a warning if sbatch has refused some of the jobs, else None. Raises JobError if it has
        refused all of them.
        """
        self.cluster.scale(count)
        while len(self.submitted) + len(self.refused) < count:
            time.sleep(_WAIT)
        if not self.refused:
            return None
        reasons = " ".join(dict.fromkeys(self.refused))
        if not self.submitted:
            raise JobError(f"Slurm takes no job: {reasons}")
        return f"Slurm has taken {len(self.submitted)} jobs of {count}, with which the work goes on: {reasons}"


@contextlib.contextmanager
def slurm_cluster(**settings: Any) -> Iterator[Jobs]:
    """Make a cluster whose workers are jobs of Slurm, with no job yet. Its end cancels the jobs.

    ``settings`` are those of dask_jobqueue.SLURMCluster.
    """
    if shutil.which("sbatch") is None:
        raise InputError("There is no command sbatch here: use --slurm where the commands of Slurm are.")
    try:
        from dask_jobqueue import SLURMCluster
        from dask_jobqueue.slurm import SLURMJob
        from distributed.deploy.spec import ProcessInterface
    except ImportError as error:
        raise missing(error) from None

    class Submitted(SLURMJob):  # type: ignore[misc]
        """A job that tells what sbatch has answered. Dask would write a traceback to the log, and wait for ever."""

        async def start(self) -> None:
            try:
                await super().start()
                jobs.submitted.append(self.job_id)
            except Exception as error:
                jobs.refused.append(_reason(error))
                await ProcessInterface.start(self)  # to Dask this is a job that no worker comes from

    with SLURMCluster(job_cls=Submitted, **settings) as cluster:
        jobs = Jobs(cluster)
        yield jobs


def _reason(error: Exception) -> str:
    """Return the reason why a job was not submitted, as a sentence.

    dask_jobqueue tells it as lines: the exit code, the command, and what the command wrote to its two outputs.
    """
    text = str(error)
    if "Exit code: " not in text:
        return f"sbatch failed: {' '.join(text.split())}"
    code = text.split("Exit code: ")[1].split("\n")[0]
    written = text.split("\nstderr:\n")[-1].strip() or text.split("\nstdout:\n")[-1].split("\nstderr:")[0].strip()
    lines = [line.removeprefix("sbatch: ").removeprefix("error: ").rstrip(".") for line in written.splitlines()]
    message = "; ".join(line for line in lines if line)
    return f"sbatch ended with code {code}: {message}." if message else f"sbatch ended with code {code}, silently."
