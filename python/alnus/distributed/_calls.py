"""The functions that start a search or all pairs on the workers of a Dask cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from alnus._arguments import path
from alnus._errors import InputError
from alnus.distributed._command import Command, of_keywords
from alnus.distributed._job import Job, missing

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
    """Start a search of a database whose parts are computed by the workers of a Dask cluster.

    Parameters
    ----------
    queries, database : path
        Files as ``alnus search`` takes them. Workers that do not see them under the same path get copies.
    outdir : path
        The folder of the job, which all workers must see. Names of outputs are relative to it.
    client : distributed.Client, optional
        The client of the cluster. Default: the Dask client of this process.
    task_seconds : float, default 60
        About how many seconds a worker computes between two answers. Near the end of a job it is less.
    duplicates : bool, default True
        True: near the end of a job, idle workers also compute what other workers are slow with, and the first answer
        counts.
    retries : int, default 20
        The most failures in a row, of all workers together, that the job survives. One more ends it.
    **options
        The options of ``alnus search``, with underscores: ``output="hits.tsv"``, ``outfmt="6 std cigar"``,
        ``evalue=1e-5``.

    Returns
    -------
    Job
        The job, which runs; :meth:`Job.result` waits for its end.

    Raises
    ------
    DatabaseError
        If a database file is damaged.
    InputError
        If an option or an input is wrong, with the message that ``alnus search`` would give; if there is no Dask
        client; or if ``outdir`` has another job.
    OutputError
        If ``outdir`` cannot be written, or another process works on the job in it.
    """
    command = of_keywords("search", [_path("queries", queries), _path("database", database)], options)
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
    """Start all pairs of a set, whose parts are computed by the workers of a Dask cluster.

    ``sequences`` is a file as ``alnus allpairs`` takes it. ``options`` are the options of ``alnus allpairs``, with
    underscores: ``mode="global"``, ``matrix_out="identity.npy"``, ``edges="edges.tsv"``, ``edge_threshold=30``,
    ``against="others.fasta"``. :func:`search` explains the other arguments, the result and the errors.
    """
    command = of_keywords("allpairs", [_path("sequences", sequences)], options)
    return _begin(command, outdir, client, task_seconds, duplicates, retries)


def _path(name: str, value: Any) -> str:
    if not isinstance(value, str | os.PathLike):
        raise InputError(
            f"{name} is {type(value).__name__}; workers read files, so that it must be a path. Database.write() writes "
            "one."
        )
    return path(name, value)


def _begin(
    command: Command,
    outdir: str | os.PathLike[str],
    client: Client | None,
    task_seconds: float,
    duplicates: bool,
    retries: int,
    others_may_come: bool = True,
) -> Job:
    if client is None:
        try:
            from distributed import default_client
        except ImportError as error:
            raise missing(error) from None
        try:
            client = default_client()
        except ValueError:
            raise InputError(
                "There is no Dask client: make one, as distributed.Client('scheduler:8786'), or LocalCluster's."
            ) from None
    return Job(
        command,
        path("outdir", outdir),
        client,
        task_seconds=task_seconds,
        duplicates=duplicates,
        retries=retries,
        others_may_come=others_may_come,
    )
