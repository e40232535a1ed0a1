"""Checks and descriptions of the options that the library's tables have (include/alnus/option_table.h)."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from alnus import _alnus
from alnus._arguments import flag, number, path, whole, word

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

    def described(self, name: str) -> str:
        """Return a description of the argument for the docstring of a function."""
        kind, *of = self.takes
        quoted = [f'"{one}"' for one in of[0]] if kind == "word" else []
        shown = f"{{{', '.join(quoted)}}}" if quoted else {"whole": "int", "number": "float", "flag": "bool"}.get(kind)
        if kind == "whole" and of[2]:
            shown = f'int or "{of[2]}"'
        default = f'"{self.default}"' if isinstance(self.default, str) else self.default
        after = ", optional" if self.default is None else f", default {default}"
        text = f"{self.help}."
        if self.default is None and self.default_text:
            text += f" Default: {self.default_text}."
        text = re.sub(r"--([a-z-]+)", lambda found: f"``{_alnus.argument_name(found[1].replace('-', '_'))}``", text)
        return f"{name} : {shown or 'path'}{after}\n{textwrap.indent(textwrap.fill(text, 108), '    ')}\n"


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


def describing(*tables: Table, same_as: str = "") -> Callable[[_F], _F]:
    """Return a decorator that adds to a function's docstring those options of tables that it does not describe.

    They come before the arguments of scoring. With ``same_as``, the name of a function that takes the same options,
    they are only named.
    """

    def described(function: _F) -> _F:
        if function.__doc__ is None:  # Python runs without docstrings
            return function
        text = inspect.cleandoc(function.__doc__)
        begin = text.index("\n----------\n") + len("\n----------\n")
        end = text.index("\n\n", begin) + 1  # no parameter has an empty line
        heads = re.findall(r"^\w[^:\n]*", text[begin:end], re.MULTILINE)
        known = {name.strip() for head in heads for name in head.split(",")}
        options = {name: option for table in tables for name, option in OPTIONS[table].items() if name not in known}
        if same_as:
            new = [f"{', '.join(options)}\n    The same as for :meth:`{same_as}`.\n"]
        else:
            new = [option.described(name) for name, option in options.items()]
        place = text.find("\nmatrix, gaps,", begin, end) + 1 or end
        function.__doc__ = text[:place] + "".join(new) + text[place:]
        return function

    return described


def _checked(name: str, value: Any, takes: tuple[Any, ...]) -> Any:
    kind, *limits = takes
    if kind == "whole":
        return whole(name, value, *limits)
    return _CHECKS[kind](name, value)
