"""Calls of methods in child processes after ``fork``."""

from __future__ import annotations

import functools
import os
import weakref
from collections.abc import Callable


def _call(method: weakref.WeakMethod[Callable[[], None]]) -> None:
    alive = method()
    if alive is not None:
        alive()


def call_in_child(method: Callable[[], None]) -> None:
    """Have a bound method called in each child process after ``fork``, for as long as the method's object lives.

    The registration does not keep the object alive.
    """
    os.register_at_fork(after_in_child=functools.partial(_call, weakref.WeakMethod(method)))
