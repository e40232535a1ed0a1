"""Pickles with a digest: what was changed on its way is refused and not read as other values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from alnus._errors import InputError


def sealed(make: Callable[..., Any], *values: Any) -> tuple[Any, ...]:
    """Return what ``__reduce__`` returns for an object that ``make(*values)`` makes again."""
    return _unsealed, (digest_of(values), make, *values)


def _unsealed(digest: str, make: Callable[..., Any], *values: Any) -> Any:
    if digest_of(values) != digest:
        raise InputError("This pickle is damaged: its digest does not match. Make it again.")
    return make(*values)


def digest_of(values: Any) -> str:
    """Return a digest of values that pickle keeps: numbers, texts, arrays, and tuples, lists and dicts of them.

    Of another object only the type counts: it has a digest in its own pickle.
    """
    import hashlib  # takes a twentieth of the time of importing alnus

    digest = hashlib.blake2b(digest_size=16)
    _add(values, digest)
    return digest.hexdigest()


def _add(value: Any, digest: Any) -> None:
    if isinstance(value, tuple | list | dict):
        digest.update(f"{type(value).__name__} {len(value)}\0".encode())
        for item in value.items() if isinstance(value, dict) else value:
            _add(item, digest)
    elif isinstance(value, np.ndarray):
        digest.update(f"array {value.dtype.str} {value.shape}\0".encode())
        digest.update(np.ascontiguousarray(value).data)
    elif isinstance(value, bytes):
        digest.update(b"bytes %d\0" % len(value))
        digest.update(value)
    elif value is None or isinstance(value, bool | int | float | str):
        digest.update(f"{type(value).__name__} {value!r}\0".encode("utf-8", "surrogatepass"))
    else:
        digest.update(f"{type(value).__name__}\0".encode())
