"""Signatures that name every keyword of a function, for ``help()`` and for completion in IPython and Jupyter."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from alnus._option_tables import OPTIONS

_F = TypeVar("_F", bound=Callable[..., Any])
_DEFAULTS = {
    name: option.default
    for table in ("search", "align", "differences")
    for name, option in OPTIONS[table].items()
    if option.takes == ("flag",) or not option.takes_none()
}


class _Signature(inspect.Signature):
    """A signature that ``help()`` writes with one parameter in a line, and with types without quotation marks."""

    def __str__(self) -> str:
        lines = []
        for one in self.parameters.values():
            if one.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in lines:
                lines.append("*")
            typed = one.name if one.annotation is one.empty else f"{one.name}: {one.annotation}"
            lines.append(typed if one.default is one.empty else f"{typed} = {one.default!r}")
        return "(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {self.return_annotation}"


def spelled_out(function: _F) -> _F:
    """Give a function that takes ``**more: Unpack[Words]`` a signature that has each keyword of ``Words`` instead.

    ``Words`` is a TypedDict of the function's module. The signature has None as the default of these keywords, so that
    the function must take None for a keyword that is not given. Those options of searches and of given pairs that do
    not take None, and their flags, have the library's defaults. For a keyword that is none of the signature's, the
    function that is returned raises a TypeError, which names the nearest one.
    """
    signature = inspect.signature(function)
    *named, more = signature.parameters.values()
    words = function.__globals__[more.annotation.removeprefix("Unpack[").removesuffix("]")]
    keywords = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=annotation.__forward_arg__
        )
        for name, annotation in words.__annotations__.items()
    ]
    shown = _Signature([*named, *keywords], return_annotation=signature.return_annotation)
    checked = _checked(function, function.__name__, frozenset(shown.parameters))
    checked.__signature__ = shown  # type: ignore[attr-defined]
    return checked


def proposing(called: str) -> Callable[[_F], _F]:
    """Return a decorator that makes the TypeErrors of a function name it as users do, such as ``Session()``.

    For a keyword that the function does not have, the TypeError names the nearest one.
    """
    return lambda function: _checked(function, called, frozenset(inspect.signature(function).parameters))


def _checked(function: _F, called: str, known: frozenset[str]) -> _F:
    @functools.wraps(function)
    def checked(*arguments: Any, **given: Any) -> Any:
        if not known.issuperset(given):
            raise TypeError(_unknown(called, next(name for name in given if name not in known), known))
        return function(*arguments, **given)

    function.__qualname__ = called  # of Python's own messages about missing arguments
    return cast(_F, checked)


def _unknown(function: str, name: str, known: frozenset[str]) -> str:
    import difflib  # for this message alone

    near = difflib.get_close_matches(name, sorted(known - {"self", "cls"}), 1)
    hint = f"did you mean {near[0]}?" if near else f"help({function}) lists them."
    return f"{function}() has no argument {name!r}; {hint}"
