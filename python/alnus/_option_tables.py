"""Checks and descriptions of the options that the library's tables have (include/alnus/option_table.h)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from alnus import _alnus
from alnus._arguments import flag, number, path, whole, word
from alnus._option_words import DESCRIBED

Table = Literal["search", "align", "differences", "filter", "outputs", "statistics", "shuffle"]
_F = TypeVar("_F", bound=Callable[..., Any])


class Option(NamedTuple):
    """An option of the library, as an argument of functions that take it."""

    # "word" and the words; "whole", the limits and the word for the highest one, or ""; "number", "flag" or "file".
    takes: tuple[Any, ...]
    default: Any
    help: str
    default_text: str  # what help says of the default; may be empty

    def takes_none(self) -> bool:
        """Return True if None counts as not given."""
        return self.default is None or self.takes[0] not in ("whole", "number")

    def type(self) -> str:
        """Return the option's type, as annotations have it."""
        kind, *of = self.takes
        if kind == "word":
            return f"Literal[{', '.join(f'{one!r}' for one in of[0])}]".replace("'", '"')
        if kind == "whole" and of[2]:
            return f'int | Literal["{of[2]}"]'
        return {"whole": "int", "number": "float", "flag": "bool", "file": "str | os.PathLike[str]"}[kind]


OPTIONS = {table: {name: Option(*one) for name, one in options.items()} for table, options in _alnus.options().items()}
_CHECKS: dict[str, Callable[[str, Any], Any]] = {"word": word, "number": number, "file": path, "flag": flag}


def options_of(table: Table, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check those arguments that are options of a table, and return them for the library.

    None counts as not given, but for numbers that have a default.
    """
    return {
        name: _checked(name, given[name], option.takes)
        for name, option in OPTIONS[table].items()
        if name in given and not (given[name] is None and option.takes_none())
    }


def files_of(table: Table) -> list[str]:
    """Return the options of a table that name files."""
    return [name for name, option in OPTIONS[table].items() if option.takes == ("file",)]


def describing(function: _F) -> _F:
    """Add to a function's docstring the options that it takes and does not describe by itself.

    They come before the arguments of scoring.
    """
    docstring = function.__doc__
    if docstring and function.__name__ in DESCRIBED:  # there is none if Python runs without docstrings
        before, scoring, after = docstring.partition("matrix, gaps,")
        margin = before[before.rindex("\n") :]
        function.__doc__ = before + DESCRIBED[function.__name__].replace("\n", margin) + scoring + after
    return function


def _checked(name: str, value: Any, takes: tuple[Any, ...]) -> Any:
    kind, *limits = takes
    if kind == "whole":
        return whole(name, value, *limits)
    return _CHECKS[kind](name, value)
