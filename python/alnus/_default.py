"""The session of the functions of the module."""

from __future__ import annotations

import threading

from alnus._fork import call_in_child
from alnus._session import Session


class _DefaultSession:
    """The session of the functions of the module, made when it is first needed."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._making = threading.Lock()
        call_in_child(self.forget)

    def get(self) -> Session:
        if self._session is None:
            with self._making:
                if self._session is None:
                    self._session = Session()
        return self._session

    def forget(self) -> None:
        """A child of fork has no threads of its parent: its functions make a session of their own."""
        self._session, self._making = None, threading.Lock()


_default = _DefaultSession()


def default_session() -> Session:
    """The session of the functions of the module, made when it is first needed."""
    return _default.get()
