"""Checks of the options that the library's tables describe (include/alnus/option_table.h)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from alnus import _alnus
from alnus._arguments import flag, number, path, whole, word

_TABLES = _alnus.options()
_CHECKS: dict[str, Callable[[str, Any], Any]] = {"word": word, "number": number, "file": path, "flag": flag}
Table = Literal["search", "filter", "outputs", "statistics", "shuffle"]


def options_of(table: Table, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check those arguments that are options of a table, and return them for the library.

    None is as not given, but for whole numbers that have a default.
    """
    checked = {}
    for name, (takes_none, takes) in _TABLES[table].items():
        if name in given and not (takes_none and given[name] is None):
            checked[name] = _checked(name, given[name], takes)
    return checked


def files_of(table: Table) -> list[str]:
    """Return the options of a table that name files."""
    return [name for name, (_, takes) in _TABLES[table].items() if takes == ("file",)]


def _checked(name: str, value: Any, takes: tuple[Any, ...]) -> Any:
    kind, *limits = takes
    if kind == "whole":
        return whole(name, value, *limits)
    return _CHECKS[kind](name, value)
