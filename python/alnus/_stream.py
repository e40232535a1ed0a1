"""The iterator that all_pairs() returns: rows of all pairs, batch by batch."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

from alnus import _alnus
from alnus._following import ProgressArgument, listeners
from alnus._rows import Rows
from alnus._scoring import Scoring

if TYPE_CHECKING:
    from alnus._session_base import SessionBase


class PairStream:
    """An iterator over batches of all pairs, each of which is a :class:`Rows`.

    While one batch is used, the next one is computed. The stream has all of the session's memory for results until it
    ends. A thread that reads the stream must therefore take the last batch, or call :meth:`close`, before it makes
    another call of the session; ``align`` of two short strings is allowed at any time.
    """

    def __init__(
        self, core: _alnus.RowStream, scoring: Scoring, session: SessionBase, progress: ProgressArgument
    ) -> None:
        self._stack = ExitStack()
        self._listeners = self._stack.enter_context(listeners(progress))
        self._core: _alnus.RowStream | None = core
        self._scoring = scoring
        self._session = session
        self._thread = threading.get_ident()

    @property
    def is_open(self) -> bool:
        """True until the last batch was taken, the stream was closed, or an exception ended it."""
        return self._core is not None

    def __iter__(self) -> PairStream:
        return self

    def __next__(self) -> Rows:
        if self._core is None:
            raise StopIteration
        self._thread = threading.get_ident()
        try:
            rows = self._core.next(self._listeners)
        except BaseException:
            self.close()
            raise
        if rows is None:
            self.close()
            raise StopIteration
        return Rows(rows, self._scoring, self._session)

    def close(self) -> None:
        """End the work and give the memory back. Batches that were taken stay valid."""
        core, self._core = self._core, None
        if core is not None:
            core.close()
            self._stack.close()

    def __enter__(self) -> PairStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
