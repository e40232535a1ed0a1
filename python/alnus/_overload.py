"""``overload`` for type checkers alone.

typing.overload keeps each function in a registry until Python ends, and with it what the function's module
holds: sessions and databases would never be destroyed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import overload
else:

    def overload(function):
        return function


__all__ = ["overload"]
