"""Sessions: devices, threads and memory, and the calls that work with them."""

from __future__ import annotations

from typing import Any

from alnus._alignment_calls import AlignmentCalls
from alnus._audit_calls import AuditCalls
from alnus._cluster_calls import ClusterCalls
from alnus._cost_calls import CostCalls
from alnus._pair_calls import PairCalls
from alnus._pickling import sealed
from alnus._statistics_calls import StatisticsCalls


class Session(AlignmentCalls, PairCalls, ClusterCalls, AuditCalls, StatisticsCalls, CostCalls):
    """The devices, the threads and the memory that many calls share. Any number of threads may call one session.

    Parameters
    ----------
    devices : str, default "auto"
        The devices that calls may use: ``"cpu"``, ``"cuda"`` (all GPUs), a list such as ``"cuda:0,1"`` or
        ``"cpu,cuda"``, or ``"auto"``, with which each call gets the devices that are expected to end it soonest.
    threads : int, optional
        The most threads that compute at a time, for all calls together. Default: as many as the cores that this
        process may run on.
    memory : int or str, default "8G"
        The memory budget of all calls together: a number of bytes, or a text with K, M, G or T; less than
        1 MiB without a unit is refused. Sequences, and results that were handed over, do not count.
    device_memory : int or str, optional
        The memory that each device may take for its work, as for ``memory``. Default: half of ``memory`` for the CPU,
        all free memory of a GPU.
    isa : str, default "auto"
        The instruction set of the CPU: ``"avx512"``, ``"avx2"``, ``"sse41"`` or ``"portable"``.
    method : str, default "auto"
        The method by which devices compute; :func:`alnus.devices` lists the names.
    shortcuts : bool, default True
        False: also compute pairs that are known not to pass a filter. The results are the same.
    calibration_cache : path, optional
        A directory that keeps the calibrations of scorings, each of which takes seconds to minutes. Default: the
        session keeps them in memory.

    Raises
    ------
    InputError
        If there is no such device, instruction set or method, or a number is out of range.
    DeviceError
        If this machine or this build does not have the device.

    Examples
    --------
    >>> with Session(devices="cpu", threads=1) as session:
    ...     hits = session.search({"q": "MKVLAWQRYT"}, {"s": "AMKVLAWQRY", "t": "GGGG"}, stats="none")
    >>> hits.subject_id[0], int(hits.score[0])
    ('s', 50)
    """

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        pass  # the threads of the session end when its last reference is gone

    def __reduce__(self) -> tuple[Any, ...]:
        return sealed(_session, self._options)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._options.items() if value not in (None, "auto"))
        return f"Session({given})"


def _session(options: dict[str, Any]) -> Session:
    return Session(**options)
