"""The interpreter that the module works in: the main one of the process.

The module keeps what it knows of Python's types once a process. Importing this raises ImportError in others.
"""

from __future__ import annotations

import importlib
from types import ModuleType


def _interpreters() -> ModuleType | None:
    for name in ("_interpreters", "_xxsubinterpreters"):  # since Python 3.13, and before
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return None


_module = _interpreters()
if _module is not None and _module.get_current() != _module.get_main():
    raise ImportError("alnus works in the main interpreter of a process only, not in a subinterpreter.")
