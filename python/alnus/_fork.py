"""What a child of fork must forget."""

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
    """Calls a method in each child of fork for as long as its object lives, and does not keep it alive."""
    os.register_at_fork(after_in_child=functools.partial(_call, weakref.WeakMethod(method)))
