"""Checks of the options that the library's tables describe (include/alnus/option_table.h)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from alnus import _alnus
from alnus._arguments import number, whole, word

_TABLES = _alnus.options()


def options_of(table: Literal["search", "filter", "statistics", "shuffle"], given: Mapping[str, Any]) -> dict[str, Any]:
    """Check those arguments that are options of a table, and return them for the library.

    None is as not given, but for whole numbers that have a default.
    """
    checked = {}
    for name, (takes_none, takes) in _TABLES[table].items():
        if name in given and not (takes_none and given[name] is None):
            checked[name] = _checked(name, given[name], takes)
    return checked


def _checked(name: str, value: Any, takes: tuple[int, ...] | None) -> Any:
    if takes is None:
        return word(name, value)
    return whole(name, value, *takes) if takes else number(name, value)
