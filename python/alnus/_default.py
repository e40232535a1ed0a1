"""The session that the functions of the module use."""

from __future__ import annotations

import threading

from alnus._fork import call_in_child
from alnus._session import Session


class _DefaultSession:
    """The holder of the session that the functions of the module use. The session is made when it is first needed."""

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
        """Forget the session of the parent, in a child process after ``fork``.

        The child does not have the threads of that session, so its functions make a session of their own.
        """
        self._session, self._making = None, threading.Lock()


_default = _DefaultSession()


def default_session() -> Session:
    """Return the session that the functions of the module use. The first call in a process makes it."""
    return _default.get()
