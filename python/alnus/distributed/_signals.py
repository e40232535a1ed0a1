"""The signals that end the command: what is computed is kept, and the workers are stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AT_ONCE = 0.5  # seconds after the first signal in which a SIGINT is one that was sent with it


class Ended(BaseException):
    """The end of a command by a signal. No Exception, so that nothing takes it for an error that may be passed over."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def name(self) -> str:
        return signal.Signals(self.number).name

    @property
    def exit_code(self) -> int:
        return 128 + self.number  # as shells report it


@contextlib.contextmanager
def ended_by_signals() -> Iterator[Callable[[], None]]:
    """Have the first SIGINT, SIGTERM or SIGHUP raise Ended in the main thread, within a ``with`` block of this.

    While the block then ends, more of SIGTERM and SIGHUP are ignored, because timeout and terminals send a signal
    twice, and so is a SIGINT that comes at the same time. A later SIGINT ends the process. A signal that is ignored
    when the block begins stays ignored (nohup). If the block ends with another error after a signal, because something
    did not end in order, Ended is raised instead.

    Python drops what a handler raises in a destructor. The function that this returns raises Ended again if a signal
    has come: long waits call it now and then.
    """
    received: list[Ended] = []
    began = 0.0

    def end(number: int, _: FrameType | None) -> None:
        nonlocal began
        if not received:
            began = time.monotonic()
            received.append(Ended(number))
            raise received[0]
        if number == signal.SIGINT and time.monotonic() - began > _AT_ONCE:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def check() -> None:
        if received:
            raise received[0]

    ordinary = {one: signal.getsignal(one) for one in _SIGNALS if signal.getsignal(one) != signal.SIG_IGN}
    try:
        for one in ordinary:
            signal.signal(one, end)
        yield check
    except Exception as error:
        if received:
            raise received[0] from error
        raise
    finally:
        for one, handler in ordinary.items():
            signal.signal(one, handler)
