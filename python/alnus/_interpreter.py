"""A check that Python's main interpreter imports the package: in a subinterpreter this module raises ImportError.

The compiled module ``_alnus`` keeps what it knows of Python's types once for the whole process, so that it can serve
one interpreter only.
"""

from __future__ import annotations

import importlib
from types import ModuleType


def _interpreters() -> ModuleType | None:
    for name in ("_interpreters", "_xxsubinterpreters"):  # the names since Python 3.13 and before
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return None


_module = _interpreters()
if _module is not None and _module.get_current() != _module.get_main():
    raise ImportError("alnus works in the main interpreter of a process only, not in a subinterpreter.")
