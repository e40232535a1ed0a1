"""Letters and ids of the sequences that a user has in memory, in any of many kinds of objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from alnus._errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt


class Texts(NamedTuple):
    """The letters of sequences, each as str or bytes, and their ids, or None if they have no ids."""

    letters: list[Any]
    ids: list[str] | None


class Buffer(NamedTuple):
    """Sequences that lie one after the other: sequence k is ``letters[offsets[k]:offsets[k + 1]]``."""

    letters: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]


def read_texts(value: Any, name: str) -> Texts | Buffer:
    """Return the sequences of a value of any kind that functions take, except paths and databases.

    ``name`` is the name of the argument, for messages. Raises InputError for a value that is no set of sequences.
    """
    if isinstance(value, str | bytes):
        return Texts([value], None)
    if isinstance(value, Mapping):
        return Texts([letters_of(one) for one in value.values()], [str(key) for key in value])
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], np.ndarray) and value[0].dtype != object:
        return buffer_of(*value)
    if isinstance(value, np.ndarray):
        if value.ndim != 1 or value.dtype.kind not in "USO":
            raise InputError(
                f"{name} has dtype {value.dtype} and {value.ndim} dimensions; it takes one dimension of str or "
                "bytes. Letters as uint8 come with their offsets: (letters, offsets)."
            )
        return Texts(value.tolist(), None)
    if hasattr(value, "columns") and hasattr(value, "dtypes"):
        raise InputError(f"{name} is a table; choose its column of sequences.")
    if hasattr(value, "to_pylist"):  # an array of Arrow
        return Texts(value.to_pylist(), None)
    if hasattr(value, "to_list") and hasattr(value, "dtype"):  # a Series of pandas or polars
        index = getattr(value, "index", None)
        if index is None or callable(index) or type(index).__name__ == "RangeIndex":
            return Texts(value.to_list(), None)
        return Texts(value.to_list(), [str(key) for key in index])
    one = _letters_of_record(value)
    if one is not None:
        return Texts([one], None if _id_of(value) is None else [str(_id_of(value))])
    if not isinstance(value, Iterable):
        raise InputError(f"{name} is {type(value).__name__}, which is no set of sequences.")
    return _read_records(value)


def buffer_of(letters: Any, offsets: Any) -> Buffer:
    """Check that letters are uint8 and offsets are whole numbers, both of one dimension, and return them."""
    try:
        flat = np.asarray(letters)
    except ValueError:
        raise InputError("letters is no array.") from None
    if flat.dtype != np.uint8 or flat.ndim != 1:
        raise InputError(f"letters has dtype {flat.dtype} and {flat.ndim} dimensions, not uint8 and one.")
    try:
        places = np.asarray(offsets)
    except ValueError:
        raise InputError("offsets is no array.") from None
    if places.dtype.kind not in "iu" or places.ndim != 1:
        raise InputError("offsets must be whole numbers in one dimension.")
    if places.dtype == np.uint64 and places.size > 0 and places.max() > np.iinfo(np.int64).max:
        raise InputError(f"offsets has {places.max()}, and there are {flat.size} letters.")
    return Buffer(np.ascontiguousarray(flat), np.ascontiguousarray(places, dtype=np.int64))


def _read_records(records: Iterable[Any]) -> Texts:
    letters: list[Any] = []
    ids: list[str | None] = []
    for record in records:
        if isinstance(record, tuple) and len(record) == 2 and isinstance(record[0], str):
            ids.append(record[0])
            letters.append(letters_of(record[1]))
        else:
            ids.append(_id_of(record))
            letters.append(letters_of(record))
    if all(one is None for one in ids):
        return Texts(letters, None)
    return Texts(letters, [str(k) if one is None else one for k, one in enumerate(ids)])


def letters_of(record: Any) -> Any:
    """Return the letters of a str or bytes, of Biopython's Seq or SeqRecord, or of a sequence of scikit-bio.

    Any other value is returned as it is.
    """
    if isinstance(record, str | bytes):
        return record
    letters = _letters_of_record(record)
    return record if letters is None else letters


def _letters_of_record(record: Any) -> str | None:
    if hasattr(record, "seq") and hasattr(record, "id"):  # Biopython's SeqRecord
        return str(record.seq)
    if hasattr(record, "values") and hasattr(record, "metadata") and hasattr(record, "has_metadata"):
        return str(record)  # a sequence of scikit-bio
    if type(record).__name__ in ("Seq", "MutableSeq"):
        return str(record)
    return None


def _id_of(record: Any) -> str | None:
    if hasattr(record, "seq") and hasattr(record, "id"):
        description = str(getattr(record, "description", "") or "")
        return description if description.startswith(str(record.id)) else str(record.id)
    if hasattr(record, "has_metadata"):
        name = record.metadata.get("id")
        return None if not name else " ".join([str(name), str(record.metadata.get("description", ""))]).strip()
    return None
