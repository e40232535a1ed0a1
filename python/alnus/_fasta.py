"""FASTA and FASTQ that a user has in memory or in an open file, in place of a path."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from alnus._errors import InputError

# The begin of FASTA or FASTQ. A header of FASTQ is told from a path by its line end; FASTA may begin with comments.
# Both are compiled when they are first needed, not while the package is imported.
_BEGIN = r"\ufeff?\s*(?:>|[@;][^\n]*\n)"
_BEGIN_OF_BYTES = rb"(?:\xef\xbb\xbf)?\s*(?:>|[@;][^\n]*\n)|\x1f\x8b|\x28\xb5\x2f\xfd|\x89ALNUS"


class Fasta(NamedTuple):
    """FASTA or FASTQ, plain or compressed, and the name of its sequences in messages."""

    text: bytes
    name: str

    @classmethod
    def of_text(cls, text: str | bytes, name: str) -> Fasta:
        """Return a str or bytes as FASTA. Raises InputError for a str that has surrogates."""
        try:
            return cls(text.encode() if isinstance(text, str) else text, name)
        except UnicodeEncodeError:
            raise InputError(f"{name} has characters that are no text.") from None


def begins_fasta(text: str | bytes, *, line: bool = False) -> bool:
    """Return True if a text begins as FASTA, FASTQ or compressed bytes do, and as no sequence does.

    ``line`` is True for the first of several lines, whose line end may have been cut off.
    """
    if text[:1].isalpha():
        return False
    if line:
        text = text[:1] + (b"\n" if isinstance(text, bytes) else "\n")  # type: ignore[operator]
    if isinstance(text, bytes):
        return re.match(_BEGIN_OF_BYTES, text) is not None
    return re.match(_BEGIN, text) is not None


def is_file(value: Any) -> bool:
    """Return True for an open file, or any other object that is read by ``read()``."""
    return callable(getattr(value, "read", None)) and not isinstance(value, type)


def read_file(file: Any, name: str) -> Fasta:
    """Read an open file, of text or of bytes, from where it is to its end.

    Raises InputError if it cannot be read, naming the file.
    """
    of_file = getattr(file, "name", None)
    known = of_file if isinstance(of_file, str | os.PathLike) else name
    called = os.fsdecode(known) or name
    try:
        text = file.read()
    except UnicodeDecodeError:
        raise InputError(f"{called} is no text; open a compressed file by mode 'rb', or give its path.") from None
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"Cannot read {called}: {str(error).rstrip('.')}.") from error
    if not isinstance(text, str | bytes | bytearray | memoryview):
        raise InputError(
            f"{name} is {type(file).__name__}, whose read() gives {type(text).__name__}, not str or bytes."
        )
    if not text and _is_past_begin(file):
        raise InputError(f"{called} is at its end, since it was read before: file.seek(0) goes back to its begin.")
    return Fasta.of_text(text if isinstance(text, str) else bytes(text), called)


def _is_past_begin(file: Any) -> bool:
    try:
        return int(file.tell()) > 0
    except (AttributeError, OSError, TypeError, ValueError):
        return False  # a pipe, or an object that has read() alone


def of_lines(lines: list[Any], name: str) -> Fasta:
    """Join the lines or records of FASTA or FASTQ, of which some may lack their line end.

    Raises InputError naming the element that is of another type than the first.
    """
    kind: type = str if isinstance(lines[0], str) else bytes
    for k, one in enumerate(lines):
        if not isinstance(one, kind):
            raise InputError(f"{name}[{k}] is {type(one).__name__} among lines of FASTA, which are {kind.__name__}.")
    end: Any = "\n" if kind is str else b"\n"
    return Fasta.of_text(end[:0].join(one if one.endswith(end) else one + end for one in lines), name)
