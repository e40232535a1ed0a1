"""Sessions: devices, threads and memory, and the calls that work with them."""

from __future__ import annotations

from typing import Any

from alnus._alignment_calls import AlignmentCalls
from alnus._pair_calls import PairCalls
from alnus._statistics_calls import StatisticsCalls


class Session(AlignmentCalls, PairCalls, StatisticsCalls):
    """Devices, threads and a budget of memory for many calls, from any number of threads.

    Parameters
    ----------
    devices : str, default "auto"
        ``"cpu"``, ``"cuda"`` (all GPUs), ``"cuda:0,1"``, or ``"auto"``: what ends each call soonest.
    threads : int, default all that this process may use
    memory : int or str, default "8G"
        Of all calls together, in bytes or with K, M, G or T. Sequences and results do not count.
    device_memory : int or str, optional
        What each device may take for its work.
    isa : str, default "auto"
        Instruction set of the CPU: ``"avx512"``, ``"avx2"``, ``"sse41"``, ``"portable"``.
    method : str, default "auto"
        A kernel by its name; ``alnus devices`` lists them.
    calibration_cache : path, optional
        A directory that keeps the statistics of scorings, which take seconds to minutes; default: memory.

    Raises
    ------
    InputError
        For unknown words.
    DeviceError
        For a GPU that is not there.

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
        pass  # its threads end with the last reference to it

    def __reduce__(self) -> tuple[Any, ...]:
        return _session, (self._options,)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._options.items() if value not in (None, "auto"))
        return f"Session({given})"


def _session(options: dict[str, Any]) -> Session:
    return Session(**options)
