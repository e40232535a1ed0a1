"""One job on many machines: alnus says which part each Dask worker computes next, and merges the results.

The outputs are the bytes of one process. What is done is on disk in the job's folder: the same call again goes
on from there, whatever ended the earlier one. docs/distributed.md has the whole story::

    from dask.distributed import Client
    import alnus.distributed

    job = alnus.distributed.all_pairs(
        "set.fasta", outdir="run", client=Client("tcp://head:8786"), mode="global", matrix_out="identity.npy"
    )
    files = job.result()
"""

from __future__ import annotations

from alnus.distributed._calls import all_pairs, search
from alnus.distributed._job import Job, JobError, Plan, Status

__all__ = ["Job", "JobError", "Plan", "Status", "all_pairs", "search"]
