"""Signatures that name every keyword of a function, for ``help()`` and for completion in IPython and Jupyter."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import MappingProxyType
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
        star = True  # a line with it comes before the keywords
        for one in self.parameters.values():
            if one.kind is inspect.Parameter.KEYWORD_ONLY and star:
                lines.append("*")
                star = False
            name = one.name
            if one.kind is inspect.Parameter.VAR_POSITIONAL:
                name = f"*{name}"
                star = False
            typed = name if one.annotation is one.empty else f"{name}: {one.annotation}"
            lines.append(typed if one.default is one.empty else f"{typed} = {one.default!r}")
        return "(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {self.return_annotation}"


class LateSignature(inspect.Signature):
    """A signature that is made when it is first looked at, because importing the package should not wait for it."""

    def __init__(self, make: Callable[[], inspect.Signature]) -> None:
        self._make = make

    @functools.cached_property
    def _made(self) -> inspect.Signature:
        return self._make()

    @property
    def parameters(self) -> MappingProxyType[str, inspect.Parameter]:
        return self._made.parameters

    @property
    def return_annotation(self) -> Any:
        return self._made.return_annotation

    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]
        return self._made.replace(**changes)

    def __reduce__(self) -> Any:
        return self._made.__reduce__()

    def __str__(self) -> str:
        return str(self._made)


def spelled_out(function: _F) -> _F:
    """Give a function that takes ``**more: Unpack[Words]`` a signature that has each keyword of ``Words`` instead.

    ``Words`` is a TypedDict of the function's module. The signature has None as the default of these keywords, so that
    the function must take None for a keyword that is not given. Those options of searches and of given pairs that do
    not take None, and their flags, have the library's defaults. For a keyword that is none of the signature's, the
    function that is returned raises a TypeError, which names the nearest one.
    """
    more = function.__annotations__["more"]
    words = function.__globals__[more.removeprefix("Unpack[").removesuffix("]")].__annotations__

    def make() -> inspect.Signature:
        signature = inspect.signature(function)
        keywords = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=annotation.__forward_arg__
            )
            for name, annotation in words.items()
        ]
        named = list(signature.parameters.values())[:-1]
        return _Signature([*named, *keywords], return_annotation=signature.return_annotation)

    checked = _checked(function, function.__name__, frozenset((*_named(function), *words)))
    checked.__signature__ = LateSignature(make)  # type: ignore[attr-defined]
    return checked


def proposing(called: str) -> Callable[[_F], _F]:
    """Return a decorator that makes the TypeErrors of a function name it as users do, such as ``Session()``.

    For a keyword that the function does not have, the TypeError names the nearest one.
    """
    return lambda function: _checked(function, called, frozenset(_named(function)))


def _named(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the parameters of a function, without those of ``*`` and ``**``."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _checked(function: _F, called: str, known: frozenset[str]) -> _F:
    @functools.wraps(function)
    def checked(*arguments: Any, **given: Any) -> Any:
        if given and not known.issuperset(given):
            raise TypeError(_unknown(called, next(name for name in given if name not in known), known))
        return function(*arguments, **given)

    function.__qualname__ = called  # of Python's own messages about missing arguments
    return cast(_F, checked)


def _unknown(function: str, name: str, known: frozenset[str]) -> str:
    import difflib  # for this message alone

    near = difflib.get_close_matches(name, sorted(known - {"self", "cls"}), 1)
    hint = f"did you mean {near[0]}?" if near else f"help({function}) lists them."
    return f"{function}() has no argument {name!r}; {hint}"
