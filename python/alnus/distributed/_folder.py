"""The folder of a job: which job it has, which parts are computed, and a lock for the one process that uses it."""

from __future__ import annotations

import bisect
import errno
import fcntl
import hashlib
import json
import os
import stat
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import alnus
from alnus._errors import InputError, OutputError
from alnus.distributed._command import (
    CACHE_FOLDER,
    JOB_FILE,
    LOCK_FILE,
    NEW,
    PARTS_FOLDER,
    PLACES_FILE,
    Command,
    difference_of,
    is_identity,
)
from alnus.distributed._pool import Range

_DIGEST_BYTES = 16
_DROPPED = "dropped.jsonl"  # name of the file that lists the dropped records, in the folder of parts


@dataclass(frozen=True)
class InputFile:
    """An input of the job. A worker reads the file under its path, or gets a copy if the file is not there."""

    name: str  # the name that the job was given
    path: str  # absolute path
    size: int  # bytes
    modified: int  # time of the last modification, in nanoseconds since 1970
    digest: str  # 32 hexadecimal digits that identify the contents

    @staticmethod
    def of(name: str) -> InputFile:
        path = os.path.abspath(name)
        found = what_is_at(path)
        if found not in ("", "a file", "a folder"):
            raise InputError(
                f"Cannot read {name}: it is {found}, and the workers need files that they can read again and again. "
                "Write it to a file first."
            )
        try:
            status = os.stat(path)
            with open(path, "rb") as file:
                digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=_DIGEST_BYTES)).hexdigest()
        except OSError as error:
            raise InputError(f"Cannot read {name}: {error.strerror}.") from error
        return InputFile(name, path, status.st_size, status.st_mtime_ns, digest)


@dataclass(frozen=True)
class Record:
    """A range of parts that a worker has computed, and its place on disk."""

    range: Range
    file: str  # name of the file in the folder of parts
    begin: int  # byte offset in the file at which the range begins
    end: int  # byte offset at which it ends
    pairs: int  # pairs that the range has computed
    cells: int
    seconds: float  # time that the range took
    worker: str
    devices: tuple[str, ...] = ()  # name and description of each device that the worker has used


class Folder:
    """The folder of a job, which this object locks until :meth:`close`, so that one process hands out its parts."""

    def __init__(self, path: str, parts: int, warn: Callable[[str], None]) -> None:
        self.path = os.path.abspath(path)
        self.parts = parts
        self._warn = warn
        self._refuse_what_is_no_file(path)
        if {"\t", "\n"} & set(self.path):
            raise InputError(
                f"The path of the folder {self.path} has a tab or a line end, which the list of its parts cannot hold. "
                "Choose another folder."
            )
        try:
            os.makedirs(self.parts_folder, exist_ok=True)
            self._lock = open(os.path.join(self.path, LOCK_FILE), "a")  # noqa: SIM115
        except OSError as error:
            raise OutputError(f"Cannot write in {path}: {error.strerror}.") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise OutputError(f"Another process works on the job in {path}.") from error
            raise OutputError(
                f"The file system of {path} has no locks ({error.strerror}), which keep two processes from one job. "
                "Mount it with locks (Lustre: -o flock), or choose a folder elsewhere that all workers see."
            ) from error
        self._records: list[Record] = []
        self._reading = threading.Lock()
        self._read: dict[str, int] = {}  # how many bytes of each ledger are in self._records
        self._told: set[tuple[str, int]] = set()  # places of damage of which the user was told

    def _refuse_what_is_no_file(self, path: str) -> None:
        """Raise OutputError if something else has the name of a file or folder of the job in its folder ``path``.

        Opening a named pipe would wait for ever, and places.tsv is written at the end of the work.
        """
        files = [name + end for name in (JOB_FILE, PLACES_FILE) for end in ("", NEW)]
        files += [LOCK_FILE, os.path.join(PARTS_FOLDER, _DROPPED)]
        for name in (PARTS_FOLDER, CACHE_FOLDER, *files):
            wanted, found = "a file" if name in files else "a folder", what_is_at(os.path.join(path, name))
            if found not in ("", wanted):
                raise OutputError(
                    f"{os.path.join(path, name)} is {found}, where the job has {wanted}. Remove it, or choose another "
                    "folder for the job."
                )

    def close(self) -> None:
        self._lock.close()

    @property
    def parts_folder(self) -> str:
        return os.path.join(self.path, PARTS_FOLDER)

    @property
    def cache_folder(self) -> str:
        """The folder of calibrations, which the process that begins the job makes and all workers read."""
        return os.path.join(self.path, CACHE_FOLDER)

    def take_up(self, command: Command, inputs: list[InputFile]) -> None:
        """Begin the job in this folder, or continue it. Raises InputError if the folder has another job."""
        told = {
            "alnus": alnus.__version__,
            "command": command.identity(),
            "inputs": {file.name: file.digest for file in inputs},
            "parts": self.parts,
        }
        told = json.loads(json.dumps(told))
        path = os.path.join(self.path, JOB_FILE)
        if not os.path.exists(path):
            if os.listdir(self.parts_folder):
                raise InputError(
                    f"The folder {self.path} has parts, but no {JOB_FILE} that says of which job. Remove the folder to "
                    "start anew, or name another one."
                )
            write_synced(path, json.dumps(told, indent=1) + "\n")
            return
        try:
            with open(path) as file:
                kept = json.load(file)
        except OSError as error:
            raise OutputError(f"Cannot read {path}: {error.strerror}.") from error
        except (ValueError, RecursionError):
            kept = None
        if not isinstance(kept, dict) or not told.keys() <= kept.keys() or not is_identity(kept["command"]):
            raise OutputError(
                f"{path}, which says what job the folder is of, is damaged. Remove the folder to start anew."
            )
        for name, value in told.items():
            difference = _difference(name, kept[name], value)
            if difference:
                raise InputError(
                    f"The folder {self.path} is of another job: {difference}. "
                    "Go on with what that job was given, or name another folder."
                )

    def records(self) -> list[Record]:
        """Return the records of the ranges that are computed, in the order of their parts.

        Records of dropped ranges are left out, and so are records whose bytes are not all in their file. Of records
        that have a part in common, the one that is read first from the ledgers counts.
        """
        dropped = set()
        for number, line in self._lines(_DROPPED, 0):
            if isinstance(line, dict) and isinstance(line.get("file"), str) and _is_count(line.get("begin")):
                dropped.add((line["file"], line["begin"]))
            else:
                self._tell_damage(_DROPPED, number)
        sizes: dict[str, int] = {}
        done: list[Record] = []
        short: list[Record] = []  # records whose bytes are not all there
        for record in self._all_records():
            if record.file not in sizes:
                path = os.path.join(self.parts_folder, record.file)
                sizes[record.file] = os.path.getsize(path) if os.path.exists(path) else 0
            if (record.file, record.begin) in dropped:
                continue
            if record.end > sizes[record.file]:
                short.append(record)
                continue
            place = _place_of(record, done)
            if place is not None:
                done.insert(place, record)
        for name, count in Counter(one.file for one in short if _place_of(one, done) is not None).items():
            self._tell_once(
                name,
                sizes[name],
                f"{os.path.join(self.parts_folder, name)} is damaged: it ends at byte {sizes[name]}, and "
                f"{'a range' if count == 1 else f'{count} ranges'} of parts behind it will be computed again.",
            )
        return done

    def has(self, one: Range) -> bool:
        """Return True if a ledger has a record of exactly this range."""
        return any(record.range == one for record in reversed(self._all_records()))

    def pairs_computed(self) -> int:
        """Return the number of pairs in all records. Pairs that were computed twice count twice."""
        return sum(record.pairs for record in self._all_records())

    def _all_records(self) -> list[Record]:
        """Return the records of all ledgers, in the order in which they were read.

        Each call reads only what was added to the ledgers since the last call.
        """
        with self._reading:
            self._read_more()
            return list(self._records)

    def _read_more(self) -> None:
        for name in sorted(os.listdir(self.parts_folder)):
            if not name.endswith(".jsonl") or name == _DROPPED:
                continue
            for byte, line in self._lines(name, self._read.get(name, 0)):
                record = _record_of(line, self.parts)
                if record is not None:
                    self._records.append(record)
                else:
                    self._tell_damage(name, byte)

    def _lines(self, name: str, begin: int) -> Iterator[tuple[int, Any]]:
        """Yield the lines of a file from byte ``begin`` on, each as (byte where it begins, its JSON).

        The JSON is None for a line that is no JSON. A last line without a line end, which a killed process has left,
        is not read.
        """
        path = os.path.join(self.parts_folder, name)
        try:
            if not os.path.exists(path) or os.path.getsize(path) <= begin:
                return
            with open(path, "rb") as file:
                file.seek(begin)
                for line in file:
                    if not line.endswith(b"\n"):
                        return
                    start, begin = begin, begin + len(line)
                    self._read[name] = begin
                    try:
                        content = json.loads(line)
                    except (ValueError, RecursionError):
                        content = None
                    yield start, content
        except OSError as error:
            raise OutputError(f"Cannot read {path}: {error.strerror}.") from error

    def _tell_damage(self, name: str, byte: int) -> None:
        """Warn, once, of a line that says nothing. If it was about a range that is computed, that is computed again."""
        path = os.path.join(self.parts_folder, name)
        self._tell_once(
            name,
            byte,
            f"{path} is damaged at byte {byte}: this line does not count, and what it told is computed again.",
        )

    def _tell_once(self, name: str, byte: int, text: str) -> None:
        if (name, byte) not in self._told:
            self._told.add((name, byte))
            self._warn(text)

    def drop(self, record: Record) -> None:
        """Drop a record whose bytes are damaged, so that its range counts as not computed."""
        append_synced(
            os.path.join(self.parts_folder, _DROPPED), json.dumps({"file": record.file, "begin": record.begin})
        )

    def write_places(self, records: list[Record]) -> str:
        """Write the file that tells the merge the place of every record, and return its path."""
        path = os.path.join(self.path, PLACES_FILE)
        lines = [f"{os.path.join(self.parts_folder, one.file)}\t{one.begin}\n" for one in records]
        write_synced(path, "".join(lines))
        return path


def _place_of(record: Record, done: list[Record]) -> int | None:
    """Return where a record belongs in the order of parts; None if it has a part in common with one in ``done``."""
    place = bisect.bisect(done, record.range, key=lambda one: one.range)
    before = place > 0 and done[place - 1].range.last >= record.range.first
    behind = place < len(done) and done[place].range.first <= record.range.last
    return None if before or behind else place


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63


def _record_of(line: Any, parts: int) -> Record | None:
    """Return the record in a line of a ledger; None if the line has none of a job of so many parts."""
    counts = ("first", "last", "begin", "end", "pairs", "cells")
    if not isinstance(line, dict) or not all(_is_count(line.get(key)) for key in counts):
        return None
    if not 1 <= line["first"] <= line["last"] <= parts or line["begin"] > line["end"]:
        return None
    names = [line.get("file"), line.get("worker")]
    if not all(isinstance(name, str) for name in names) or os.path.basename(line["file"]) != line["file"]:
        return None
    if type(line.get("seconds")) not in (int, float):
        return None
    rest = {key: line[key] for key in ("file", "begin", "end", "pairs", "cells", "seconds", "worker")}
    devices = line.get("devices", [])
    if not isinstance(devices, list) or not all(isinstance(device, str) for device in devices):
        return None
    return Record(Range(line["first"], line["last"]), **rest, devices=tuple(devices))


def _difference(name: str, kept: Any, value: Any) -> str:
    """Return what differs in this entry of a job's description, as a clause; "" if nothing does."""
    if name == "command":
        return difference_of(kept, value)
    if kept == value:
        return ""
    if name == "alnus":
        return f"it was begun by alnus {kept}, and this is {value}"
    if name == "parts":
        return f"it was begun with {kept} parts, and this has {value}"
    if not isinstance(kept, dict):
        return "its inputs differ"
    for file in [*value, *kept]:
        if file not in kept:
            return f"{file} is none of its inputs"
        if file not in value:
            return f"{file} is one of its inputs, and not of this"
        if kept[file] != value[file]:
            return f"{file} has other contents"
    return ""


def what_is_at(path: str) -> str:
    """Return what is at a path, at the end of symbolic links: "a file", "a folder", "a named pipe"; "": nothing."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return ""
    kinds = {"a file": stat.S_ISREG, "a folder": stat.S_ISDIR, "a named pipe": stat.S_ISFIFO, "a socket": stat.S_ISSOCK}
    return next((kind for kind, is_kind in kinds.items() if is_kind(mode)), "a device")


def write_synced(path: str, text: str) -> None:
    """Write a file and sync it to disk. If that fails, the file is as it was before."""
    beside = path + NEW
    try:
        with open(beside, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror}.") from error


def append_synced(path: str, line: str) -> None:
    """Append a line to a file and sync it to disk. If that fails, the file is as it was before."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        begin = os.fstat(file).st_size
        data = line.encode() + b"\n"
        try:
            while data:
                data = data[os.write(file, data) :]
            os.fsync(file)
        except OSError:
            os.ftruncate(file, begin)
            raise
    finally:
        os.close(file)
