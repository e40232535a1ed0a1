"""An ``overload`` that only type checkers see as typing.overload; when the program runs, it does nothing.

typing.overload keeps each function in a registry until Python ends. The function keeps its module, and the module's
objects, such as sessions and databases: they would never be destroyed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import overload
else:

    def overload(function):
        return function


__all__ = ["overload"]
