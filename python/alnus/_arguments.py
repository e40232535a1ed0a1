"""Checks of arguments. A wrong argument raises InputError, and the message has the argument's ``name``."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, SupportsFloat, SupportsIndex

import numpy as np

from alnus._errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def shown(value: object) -> str:
    """Return the repr of a value, or what is known of its type if the repr is too long for a message."""
    text = repr(value)
    return text if len(text) <= 80 and "\n" not in text else f"a value of type {type(value).__name__}"


def memory_size(name: str, value: int | str) -> int:
    """Return a number of bytes, 1 or more, that is given as a number or as text such as ``"16G"``.

    K, M, G and T are powers of 1,024. A number without a unit that is below 1 MiB is refused.
    """
    text = str(value).strip().upper().removesuffix("B")
    digits, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "")
    try:
        size = float(digits) * _UNITS.get(unit, 1)
    except ValueError:
        size = math.nan
    if not 1 <= size < 2**63:
        raise InputError(f"{name} is {shown(value)}; it takes bytes, or a number with K, M, G or T.")
    if not unit and size < _UNITS["M"]:
        raise InputError(f'{name} is {value!r}: {int(size):,} bytes are too little. Give a unit, as in "4G".')
    return int(size)


def whole(name: str, value: SupportsIndex | str, lowest: int, highest: int, word_for_highest: str = "") -> int:
    """Return ``value`` as an int, if it is a whole number from ``lowest`` to ``highest``, both included.

    ``word_for_highest``, if it is not empty, is a word that may be given for the highest number.
    """
    if word_for_highest and isinstance(value, str) and value == word_for_highest:
        return highest
    if isinstance(value, bool | str | np.bool_) or not hasattr(value, "__index__"):
        or_word = f', or "{word_for_highest}"' if word_for_highest else ""
        raise InputError(f"{name} is {shown(value)}; it must be a whole number{or_word}.")
    number = int(value.__index__())
    if not lowest <= number <= highest:
        raise InputError(f"{name} is {number}; it must be from {lowest} to {highest}.")
    return number


def number(name: str, value: SupportsFloat | None) -> float | None:
    """Return ``value`` as a float, which is not NaN; None stays None."""
    if value is None:
        return None
    result = math.nan
    if not isinstance(value, bool | str | bytes):
        with suppress(TypeError, ValueError, OverflowError):
            result = float(value)
    if math.isnan(result):
        raise InputError(f"{name} is {shown(value)}; it must be a number.")
    return result


def flag(name: str, value: object) -> bool:
    """Return ``value``, a bool or an int, as a bool."""
    if isinstance(value, bool | np.bool_ | int):
        return bool(value)
    raise InputError(f"{name} is {shown(value)}; it must be True or False.")


def word(name: str, value: str | None) -> str | None:
    """Return ``value``, a str or None. Whether the word is one that exists is checked by the library."""
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is {shown(value)}; it must be a str.")
    return None if value is None else _text(name, value)


def words(name: str, values: Iterable[str]) -> list[str]:
    """Return ``values`` as a list of str. A single str becomes a list of one."""
    if isinstance(values, str):
        return [_text(name, values)]
    try:
        listed = list(values)
    except TypeError:
        raise InputError(f"{name} is {shown(values)}; it must be a list of str.") from None
    for one in listed:
        if not isinstance(one, str):
            raise InputError(f"{name} has {shown(one)}; it must be a list of str.")
    return [_text(name, one) for one in listed]


def _text(name: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name} is {value!r}, which is no text.") from None
    return value


def path(name: str, value: str | os.PathLike[str]) -> str:
    """Return a path as str."""
    try:
        text = os.fspath(value)
    except TypeError:
        raise InputError(f"{name} is {shown(value)}; it must be a path.") from None
    if not isinstance(text, str):
        text = os.fsdecode(text)
    if "\0" in text:
        raise InputError(f"{name} is {text!r}; a path has no zero bytes.")
    return _text(name, text)


def index_pairs(pairs: npt.ArrayLike, rows: int, columns: int) -> npt.NDArray[np.uint32]:
    """Return pairs of indices as a C-contiguous uint32 array of shape (n, 2).

    The first index of each pair must be below ``rows``, the second below ``columns``.
    """
    try:
        array = np.asarray(pairs)
    except ValueError as error:
        raise InputError(f"pairs is no array: {error}.") from None
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, 2), dtype=np.uint32)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise InputError(
            f"pairs has shape {array.shape} and dtype {array.dtype}; it takes whole numbers of shape (n, 2)."
        )
    for column, size in ((0, rows), (1, columns)):
        wrong = np.flatnonzero((array[:, column] < 0) | (array[:, column] >= size))
        if wrong.size > 0:
            place = int(wrong[0])
            raise InputError(
                f"pairs[{place}, {column}] is {array[place, column]}; there are {size} sequences, from 0 on."
            )
    return np.ascontiguousarray(array, dtype=np.uint32)


def in_order(values: Any) -> bool:
    """Return False for a Series of bools of pandas whose index is not 0, 1 and so on: it was filtered or sorted."""
    index = getattr(values, "index", None)
    if index is None or callable(index) or getattr(values, "dtype", None) is None or "bool" not in str(values.dtype):
        return True
    return np.array_equal(np.asarray(index), np.arange(len(values)))


def check_index(name: str, values: Any, sequences: Any) -> None:
    """Raise InputError if ``values`` and ``sequences`` are columns of pandas of the same length and another index."""
    equals, index = getattr(getattr(values, "index", None), "equals", None), getattr(sequences, "index", None)
    if equals is not None and hasattr(index, "equals") and len(values) == len(sequences) and not equals(index):
        raise InputError(
            f"{name} has an index of its own, which is not that of the sequences, and {name} are taken by position. "
            "If element k is for sequence k, give it by .to_numpy(); else bring it into the order of the sequences, "
            "as .loc[sequences.index] does."
        )


def chosen_numbers(what: str, which: Any, size: int) -> npt.NDArray[np.int64]:
    """Return the numbers, 0 to ``size`` - 1, that a slice, a mask or an array of whole numbers chooses.

    Negative numbers count from the end. ``what`` is the word for one of the things that are chosen, for messages.
    Raises IndexError for a number that is out of range, InputError otherwise.
    """
    if isinstance(which, slice):
        return np.arange(*which.indices(size), dtype=np.int64)
    if not in_order(which):
        raise InputError(
            f"{type(which).__name__} has an index of its own, which is not 0 to {len(which) - 1}, and {what}s are "
            f"chosen by position. If element k is for {what} k, give it by .to_numpy(); else bring it into that order."
        )
    try:
        array = np.asarray(which)
    except ValueError:
        raise InputError(f"A {what} is chosen by a list of whole numbers, not by nested lists.") from None
    if array.dtype == np.bool_:
        if array.shape != (size,):
            raise InputError(f"The mask has shape {array.shape}; it takes one bool for each {what} of {size}.")
        return np.flatnonzero(array).astype(np.int64, copy=False)
    if array.size == 0 and array.ndim == 1:
        return np.empty(0, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(f"A {what} is chosen by a whole number, a slice, a mask or an array of whole numbers.")
    if array.dtype.kind == "u" and array.max() >= size:
        raise IndexError(f"There is no {what} {array.max()} among {size}.")
    numbers = array.astype(np.int64)
    numbers[numbers < 0] += size
    wrong = np.flatnonzero((numbers < 0) | (numbers >= size))
    if wrong.size > 0:
        raise IndexError(f"There is no {what} {array[wrong[0]]} among {size}.")
    return numbers
