"""A check that Python's main interpreter imports the package: in a subinterpreter this module raises ImportError.

The compiled module ``_alnus`` keeps what it knows of Python's types once for the whole process, so that it can serve
one interpreter only.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType


def _interpreters() -> ModuleType | None:
    try:
        return importlib.import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
    except ImportError:
        return None


_module = _interpreters()
if _module is not None and _module.get_current() != _module.get_main():
    raise ImportError("alnus works in the main interpreter of a process only, not in a subinterpreter.")
