"""Search and all pairs, on the workers of a Dask client."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from alnus._errors import InputError
from alnus.distributed._command import Command, of_keywords
from alnus.distributed._job import Job

if TYPE_CHECKING:
    from distributed import Client


def search(
    queries: str | os.PathLike[str],
    database: str | os.PathLike[str],
    *,
    outdir: str | os.PathLike[str],
    client: Client | None = None,
    task_seconds: float = 60,
    duplicates: bool = True,
    retries: int = 20,
    **options: Any,
) -> Job:
    """A search of a database, its parts on the workers of a cluster.

    Parameters
    ----------
    queries, database : path
        Files as ``alnus search`` takes them. Workers that do not see them under the same path get copies.
    outdir : path
        The folder of the job, which all workers see. Names of outputs are relative to it.
    client : distributed.Client, optional
        Default: the client of this process.
    task_seconds : float
        So long a worker computes between two answers, about. Near the end of a job it is less.
    duplicates : bool
        Near the end of a job, idle workers get what others are slow with, too.
    retries : int
        So many failures one after the other, of all workers together, end the job.
    **options
        The options of ``alnus search``, with underscores: ``output="hits.tsv"``, ``outfmt="6 std cigar"``,
        ``evalue=1e-5``.

    Raises
    ------
    InputError
        The message of the single machine, for options or inputs that are wrong.
    """
    command = of_keywords("search", [os.fspath(queries), os.fspath(database)], options)
    return _begin(command, outdir, client, task_seconds, duplicates, retries)


def all_pairs(
    sequences: str | os.PathLike[str],
    *,
    outdir: str | os.PathLike[str],
    client: Client | None = None,
    task_seconds: float = 60,
    duplicates: bool = True,
    retries: int = 20,
    **options: Any,
) -> Job:
    """Every pair of a set, its parts on the workers of a cluster; as :func:`search`.

    ``options`` are those of ``alnus allpairs``: ``mode="global"``, ``matrix_out="identity.npy"``,
    ``edges="edges.tsv"``, ``edge_threshold=30``, ``against="others.fasta"``.
    """
    command = of_keywords("allpairs", [os.fspath(sequences)], options)
    return _begin(command, outdir, client, task_seconds, duplicates, retries)


def _begin(
    command: Command,
    outdir: str | os.PathLike[str],
    client: Client | None,
    task_seconds: float,
    duplicates: bool,
    retries: int,
) -> Job:
    if client is None:
        from distributed import default_client

        try:
            client = default_client()
        except ValueError:
            raise InputError(
                "There is no Dask client: make one, as distributed.Client('scheduler:8786'), or LocalCluster's."
            ) from None
    return Job(command, os.fspath(outdir), client, task_seconds=task_seconds, duplicates=duplicates, retries=retries)
