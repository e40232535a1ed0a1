"""Signatures that name every keyword of a function, for ``help()`` and for completion in IPython and Jupyter."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])


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
    the function must take None for a keyword that is not given.
    """
    signature = inspect.signature(function)
    *named, more = signature.parameters.values()
    words = function.__globals__[more.annotation.removeprefix("Unpack[").removesuffix("]")]
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation.__forward_arg__)
        for name, annotation in words.__annotations__.items()
    ]
    shown = _Signature([*named, *keywords], return_annotation=signature.return_annotation)
    function.__signature__ = shown  # type: ignore[attr-defined]
    return function
