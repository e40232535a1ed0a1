"""One job on many machines: alnus decides which parts each Dask worker computes next, and merges the results.

The outputs have the same bytes as those of one process. What is computed is on disk in the job's folder: if a job
ends early, for whatever reason, the same call continues it from there. docs/distributed.md explains everything::

    from dask.distributed import Client
    import alnus.distributed

    job = alnus.distributed.all_pairs(
        "set.fasta", outdir="run", client=Client("tcp://head:8786"), mode="global", matrix_out="identity.npy"
    )
    files = job.result()
"""

from alnus.distributed._calls import all_pairs, search
from alnus.distributed._job import Job, JobError, Plan, Status

__all__ = ["Job", "JobError", "Plan", "Status", "all_pairs", "search"]
