"""Exceptions and warnings of alnus."""

from __future__ import annotations

__all__ = [
    "AlnusWarning",
    "Cancelled",
    "DatabaseError",
    "DeviceError",
    "Error",
    "InputError",
    "OutOfMemoryError",
    "OutputError",
]


class Error(Exception):
    """The base of alnus' exceptions. The text names file, record, element or device, and what to do."""


class InputError(Error, ValueError):
    """Sequences, files, matrices or arguments that make no sense."""


class DatabaseError(Error, OSError):
    """A database file that is damaged, was changed, or cannot be read or written."""


class DeviceError(Error, RuntimeError):
    """A GPU or processor that is not there, or cannot do what was asked."""


class OutOfMemoryError(Error, MemoryError):
    """Not enough memory, of this machine or of a GPU."""


class OutputError(Error, OSError):
    """A file that cannot be written, a checkpoint that cannot be used, or a session of another process."""


class Cancelled(Error):
    """A stream of batches that was closed while it computed, or a call that Python's end has stopped."""


class AlnusWarning(UserWarning):
    """Something odd in the input, or statistics that are not what one may expect."""
