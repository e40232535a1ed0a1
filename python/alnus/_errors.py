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
    """The base class of alnus' exceptions. The text names the file, record, element or device, and says what to do.

    Control characters in names and ids are shown as ``\\xNN``, since a terminal would obey some of them.
    """

    def __str__(self) -> str:
        from alnus._alnus import printable

        return printable(super().__str__())


class InputError(Error, ValueError):
    """An error in the input: sequences, files, matrices or arguments that make no sense."""


class DatabaseError(Error, OSError):
    """An error of a database file, which is damaged, was changed, or cannot be read or written."""


class DeviceError(Error, RuntimeError):
    """An error of a GPU or processor, which is not there, has failed, or cannot do what was asked."""


class OutOfMemoryError(Error, MemoryError):
    """The error that there is not enough memory, on this machine or on a GPU."""


class OutputError(Error, OSError):
    """An error of an output: a file cannot be written, or a checkpoint cannot be used.

    Also raised if a child process uses a session of its parent after ``fork``.
    """


class Cancelled(Error):
    """The error of a call or a distributed job that was stopped before its end.

    A call is stopped if its stream of batches is closed while it computes, or if Python ends.
    """


class AlnusWarning(UserWarning):
    """A warning of something odd in the input, or of statistics that are not what one may expect."""
