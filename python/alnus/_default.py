"""The session that the functions of the module use, and these functions."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from alnus._fork import call_in_child
from alnus._session import Session
from alnus._signatures import LateSignature

_P = ParamSpec("_P")
_R = TypeVar("_R")


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


def of_default_session(method: Callable[Concatenate[Session, _P], _R]) -> Callable[_P, _R]:
    """Return a function of the package that calls the method of :class:`Session` on the default session.

    The function has the method's docstring, and its signature without ``self``.
    """

    @functools.wraps(method)
    def function(*args: _P.args, **arguments: _P.kwargs) -> _R:
        return method(default_session(), *args, **arguments)

    def make() -> inspect.Signature:
        signature = inspect.signature(method)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    function.__signature__ = LateSignature(make)  # type: ignore[attr-defined]
    function.__qualname__ = function.__name__
    function.__module__ = "alnus"
    return function
