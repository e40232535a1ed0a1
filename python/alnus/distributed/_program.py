"""The program ``alnus``, which each worker runs as a process of its own, and what that needs of this process."""

from __future__ import annotations

import functools
import os
import shutil
import stat
import subprocess
from collections.abc import Iterable, Mapping

import alnus
from alnus._errors import DatabaseError, InputError

# How the lines of all messages, of errors and of warnings begin in what the program writes to standard error.
_MESSAGE, _ERROR, _WARNING = "alnus: ", "alnus: error: ", "alnus: warning: "
_DATABASE = 2  # exit code of the program for a damaged database


def program() -> str:
    """Return the path of the program: what ALNUS_PROGRAM names, else the one in the package, else one on the PATH.

    Raises FileNotFoundError if there is none.
    """
    named = os.environ.get("ALNUS_PROGRAM")
    within = os.path.join(os.path.dirname(os.path.abspath(alnus.__file__)), "bin", "alnus")
    found = named or (within if os.path.exists(within) else shutil.which("alnus"))
    if not found:
        raise FileNotFoundError("There is no program alnus: neither in the package nor on the PATH.")
    return found


def open_closed_descriptors() -> None:
    """Open /dev/null in the places of those of the descriptors 0, 1 and 2 that are closed.

    The next file that is opened would get them otherwise, and what the process writes to standard error would go into
    that file. Reading standard input and writing standard output still fail, because the modes are the opposite of what
    the descriptors are for.
    """
    for descriptor, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)


def keep_messages_out_of(inputs: Iterable[str]) -> None:
    """Raise InputError if messages would be appended to one of the inputs, because standard error goes to it.

    From then on messages go to the terminal, or nowhere without one, so that this error changes no input.
    """
    messages = os.fstat(2)
    for name in inputs:
        try:
            same = stat.S_ISREG(messages.st_mode) and os.path.samestat(os.stat(name), messages)
        except OSError:
            continue  # reading the input reports the error
        if same:
            try:
                terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
            except OSError:
                terminal = os.open(os.devnull, os.O_WRONLY)
            os.dup2(terminal, 2)
            os.close(terminal)
            raise InputError(
                f"Standard error goes to one of the inputs, {name}, to which messages would be appended. Let it go to "
                "another file."
            )


def error_of(log: str) -> str:
    """Return the error in what the program wrote to standard error; if it wrote none, its last line; "" if nothing.

    The line of the program's usage, which may follow the error, is left out.
    """
    lines = log.strip().splitlines()
    errors = [line.removeprefix(_ERROR) for line in lines if line.startswith(_ERROR)]
    return (errors or lines or [""])[-1]


def messages_of(log: str) -> list[tuple[str, str]]:
    """Return the messages in what the program wrote to standard error, without errors.

    Each is ("warning" or "info", text), as alnus._following.tell takes it.
    """
    messages = []
    for line in log.splitlines():
        if line.startswith(_WARNING):
            messages.append(("warning", line.removeprefix(_WARNING)))
        elif line.startswith(_MESSAGE) and not line.startswith(_ERROR):
            messages.append(("info", line.removeprefix(_MESSAGE)))
    return messages


def with_names(log: str, places: Mapping[str, str]) -> str:
    """Return what the program wrote, with the names that the job was given in place of the paths of its inputs.

    ``places`` has the path of each input by its name.
    """
    for name, place in places.items():
        log = log.replace(place, name)
    return log


def refusal(code: int | None, message: str) -> alnus.Error:
    """Return the error of a program that ended with this code because of its options or inputs."""
    return DatabaseError(message) if code == _DATABASE else InputError(message)


def in_one_line(text: object) -> str:
    """Return a text of Dask, which may have several lines, as one line."""
    return " ".join(str(text).split())


@functools.cache
def version_of(path: str) -> str:
    """Return the version that ``alnus --version`` prints, such as "0.1.0"."""
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return told.split()[1].rstrip(",;")
