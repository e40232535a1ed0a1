"""Letters, ids and titles of the sequences that a user has in memory, in any of many kinds of objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from alnus import _alnus
from alnus._errors import InputError
from alnus._fasta import Fasta, begins_fasta, is_file, of_lines, read_file
from alnus._following import warn

if TYPE_CHECKING:
    import numpy.typing as npt


class Texts(NamedTuple):
    """The letters of sequences, each as str or bytes, and their ids and titles; None if they have none."""

    letters: list[Any]
    ids: list[str] | None = None
    titles: list[str] | None = None


class Buffer(NamedTuple):
    """Sequences that lie one after the other: sequence k is ``letters[offsets[k]:offsets[k + 1]]``."""

    letters: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    ids: list[str] | None = None
    titles: list[str] | None = None


class _Record(NamedTuple):
    """A sequence of a list; ``id`` is None if the sequence has no id of its own."""

    letters: Any
    id: str | None = None
    title: str = ""


def read_texts(value: Any, name: str) -> Texts | Buffer | Fasta:
    """Return the sequences of a value of any kind that functions take, except paths and databases.

    ``name`` is the name of the argument, for messages. Raises InputError for a value that is no set of sequences.
    """
    if isinstance(value, str | bytes):
        if begins_fasta(value):
            return Fasta.of_text(value, name)
        check_one_text(value, name)
        return Texts(_of_list([value], name))
    if isinstance(value, Mapping):
        letters, keys = [letters_of(one) for one in value.values()], _labels(value, "key", name)
        return Texts(_of_list(letters, name, keys), keys)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], np.ndarray) and value[0].dtype != object:
        return _whole_buffer(*value, name)
    if isinstance(value, np.ndarray):
        if value.ndim != 1 or value.dtype.kind not in "USOT":
            raise InputError(
                f"{name} has dtype {value.dtype} and {value.ndim} dimensions; it takes one dimension of str or "
                "bytes. Letters as uint8 come with their offsets: (letters, offsets)."
            )
        return Texts(of_column(value.tolist(), name))
    check_no_table(value, name)
    check_order(value, name)
    if is_arrow(value):
        return Texts(of_column(value.to_pylist(), name))
    if hasattr(value, "to_list") and hasattr(value, "dtype"):  # a Series of pandas or polars
        index: Any = getattr(value, "index", None)
        counts = type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)
        ids = None if index is None or callable(index) or counts else _labels(index, "index label", name)
        return Texts(of_column(value.to_list(), name, ids), ids)
    record = _record_of(value)
    if record is not None:
        return _of_records([record])
    if is_file(value):  # sequences of scikit-bio have read(), too
        return read_file(value, name)
    if not isinstance(value, Iterable):
        raise InputError(f"{name} is {type(value).__name__}, which is no set of sequences.")
    return _of_elements(value, name)


def check_no_table(value: Any, name: str, column: str = "its column of sequences") -> None:
    """Raise InputError for a table of pandas, polars or Arrow, of which one column is wanted."""
    # The class is looked at, because a LazyFrame of polars computes its attributes, and warns of that.
    kind = type(value)
    if (hasattr(kind, "columns") and hasattr(kind, "dtypes")) or hasattr(kind, "column_names"):
        lazy = " It is lazy: collect() it before." if kind.__name__ == "LazyFrame" else ""
        raise InputError(f"{name} is a table; choose {column}.{lazy}")


def check_order(value: Any, name: str) -> None:
    """Raise InputError for a set, whose order changes from run to run."""
    if isinstance(value, set | frozenset):
        raise InputError(f"{name} is a {type(value).__name__}, which has no order. Give a list, such as sorted(...).")


def is_arrow(value: Any) -> bool:
    """Return True for an array or a column of Arrow."""
    return hasattr(value, "to_pylist")


def check_one_text(text: str | bytes, name: str) -> None:
    """Warn if a text that is taken as one sequence is the name of a file, or has letters on several lines."""
    if _alnus.is_of_capitals(text):
        return
    lines = text.splitlines()
    count = sum(line.upper() != line.lower() for line in lines) if len(lines) > 1 else 1  # lines that have letters
    if count > 1:
        warn(
            f"{name} is read as one sequence of {count} lines; if each line is a sequence, give a list, such as "
            "text.split()."
        )
    # Names of files are seldom in capitals as sequences are. Looking for a file takes long beside a short alignment.
    if isinstance(text, str) and not text.isupper() and _is_name_of_file(text):
        warn(
            f"{name} is {text!r}, and there is a file of this name. The letters are taken as one sequence; for the "
            f"file give a path with a slash, {os.path.join(os.curdir, text)!r}."
        )


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


def _whole_buffer(letters: Any, offsets: Any, name: str) -> Buffer:
    """Return letters and offsets as :func:`buffer_of` does. Raises InputError if a letter is in no sequence."""
    made = buffer_of(letters, offsets)
    if made.offsets.size > 0 and (made.offsets[0], made.offsets[-1]) != (0, made.letters.size):
        raise InputError(
            f"{name} is (letters, offsets), whose offsets are from {made.offsets[0]} to {made.offsets[-1]}. For n "
            f"sequences give n + 1 offsets, from 0 to the number of letters, {made.letters.size}."
        )
    return made


def is_missing(value: Any) -> bool:
    """Return True for what stands for a missing value in Python, NumPy, pandas, polars or Arrow."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating | np.datetime64 | np.timedelta64) and bool(value != value)


# The texts that str(), NumPy, pandas, spreadsheets, R and SQL make of a missing value. NAN and NONE are peptides.
_OF_MISSING = frozenset(("nan", "NaN", "none", "None", "<NA>", "NaT", "NA", "n/a", "#N/A", "null", "NULL"))
_NO_PEPTIDE = _OF_MISSING - {"NA"}  # in a list, "NA" may be two residues


def of_column(letters: list[Any], name: str, ids: list[str] | None = None) -> list[Any]:
    """Return the elements of a column or an array, in which a missing value may have become a text.

    ``ids`` are the labels of the elements, for messages; None if they have none.
    Raises InputError for such a text, and as :func:`_checked` does.
    """
    k = _first_of(_OF_MISSING, letters)
    if k is not None:
        raise InputError(
            f"{_place(name, k, ids)} is the text {str(letters[k])!r}, which str() and programs make of a missing "
            "value. Leave it out, as dropna() does before texts are made of a column; if these are residues, give a "
            "list."
        )
    return _checked(letters, name, ids)


def _of_list(letters: list[Any], name: str, ids: list[str] | None = None) -> list[Any]:
    """Return the elements of a list or the values of a dict.

    Gives a warning for the first text that stands for a missing value. Raises InputError as :func:`_checked` does.
    """
    k = _first_of(_NO_PEPTIDE, letters)
    if k is not None:
        warn(
            f"{_place(name, k, ids)} is the text {str(letters[k])!r}, which str() and programs make of a missing "
            "value; it is read as residues. If the value is missing, leave it out."
        )
    return _checked(letters, name, ids)


def _place(name: str, number: int, ids: list[str] | None) -> str:
    """Return how messages name an element: by its number, and by its id if it has one of its own."""
    if ids is None or ids[number] == str(number):
        return f"{name}[{number}]"
    return f"{name}[{number}] ({ids[number]!r})"


def _first_of(words: frozenset[str], letters: list[Any]) -> int | None:
    """Return the index of the first element that is one of the words, with or without blanks around it."""
    return next((k for k, one in enumerate(letters) if isinstance(one, str) and one.strip() in words), None)


def _checked(letters: list[Any], name: str, ids: list[str] | None) -> list[Any]:
    """Return elements that should be letters.

    Raises InputError for a missing value, and for a text that is the name of a file.
    """
    for k, one in enumerate(letters):
        if isinstance(one, str):
            if ("." in one or "/" in one or "\\" in one) and _is_name_of_file(one):
                raise InputError(
                    f"{_place(name, k, ids)} is {one!r}, the name of a file. alnus.Database.open({one!r}) reads a "
                    "file, and functions such as alnus.search() take one path, not in a list. For several files, "
                    "alnus.make_database(paths, 'all.alnus') makes one database."
                )
        elif not isinstance(one, bytes) and is_missing(one):
            raise InputError(f"{_place(name, k, ids)} is missing ({one}). Leave it out, as dropna() of pandas does.")
    return letters


def _is_name_of_file(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and os.path.isfile(text)


_LONGEST_NAME = 4096  # bytes of a path, at most, on Linux


def _labels(labels: Iterable[Any], what: str, name: str) -> list[str]:
    """Return labels as ids. Raises InputError for a missing one."""
    ids = []
    for k, label in enumerate(labels):
        if is_missing(label):
            raise InputError(f"{name} has no id for sequence {k}: its {what} is {label!r}. Give a label or other ids.")
        ids.append(str(label))
    return ids


def _of_elements(elements: Iterable[Any], name: str) -> Texts | Fasta:
    listed = list(elements)
    if not listed and isinstance(elements, Iterator):
        raise InputError(
            f"{name} is a {type(elements).__name__} that gives no sequences. Iterators and generators can be read "
            "once; give a list."
        )
    if listed and isinstance(listed[0], str | bytes) and begins_fasta(listed[0], line=True):
        return of_lines(listed, name)
    if all(isinstance(element, str | bytes) for element in listed):
        return Texts(_of_list(listed, name))
    texts = _of_records([_record_of_element(element, f"{name}[{k}]") for k, element in enumerate(listed)])
    _of_list(texts.letters, name, texts.ids)
    return texts


def _record_of_element(element: Any, name: str) -> _Record:
    if isinstance(element, tuple):
        if len(element) == 2 and isinstance(element[0], str):
            return _Record(letters_of(element[1]), element[0])
        if len(element) == 2 and isinstance(element[1], str | bytes):
            what = f"missing ({element[0]})" if is_missing(element[0]) else type(element[0]).__name__
            raise InputError(f"{name} is a tuple (id, sequence) whose id is {what}; an id is a str.")
    return _record_of(element) or _Record(element)


def _of_records(records: list[_Record]) -> Texts:
    letters = [one.letters for one in records]
    if all(one.id is None for one in records):
        return Texts(letters)
    ids = [str(k) if one.id is None else one.id for k, one in enumerate(records)]
    return Texts(letters, ids, [one.title for one in records] if any(one.title for one in records) else None)


def letters_of(record: Any) -> Any:
    """Return the letters of a str or bytes, of Biopython's Seq or SeqRecord, or of a sequence of scikit-bio.

    Any other value is returned as it is.
    """
    if isinstance(record, str | bytes):
        return record
    one = _record_of(record)
    return record if one is None else one.letters


def _record_of(record: Any) -> _Record | None:
    """Return what a record of another package has; None for any other value."""
    if isinstance(record, str | bytes):
        return None
    if hasattr(record, "seq") and hasattr(record, "id"):  # Biopython's SeqRecord
        letters = str(record.seq)
        name = str(record.id or "")
        if name in ("", "<unknown id>"):
            return _Record(letters)
        # The description of a record from a file is its whole header.
        header = str(getattr(record, "description", None) or "")
        title = header[len(name) :] if header.startswith(name) and header[len(name) :][:1].isspace() else ""
        return _Record(letters, name, title.lstrip())
    if hasattr(record, "values") and hasattr(record, "metadata") and hasattr(record, "has_metadata"):
        name = record.metadata.get("id")  # a sequence of scikit-bio
        title = str(record.metadata.get("description", "") or "")
        return _Record(str(record), str(name), title) if name else _Record(str(record))
    if type(record).__name__ in ("Seq", "MutableSeq"):
        return _Record(str(record))
    return None
