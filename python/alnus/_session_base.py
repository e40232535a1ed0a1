"""The base of sessions: what a session keeps, how it opens files, and what all of its calls do first."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from alnus import _alnus
from alnus._arguments import flag, index_pairs, memory_size, path, whole, word, words
from alnus._errors import InputError
from alnus._fasta import is_file
from alnus._following import ProgressArgument, listeners, quiet
from alnus._scoring import Alphabet
from alnus._sequences import Database, Mask, _Origin, database_of, databases_of
from alnus._signatures import proposing
from alnus._stream import PairStream

if TYPE_CHECKING:
    import numpy.typing as npt


class SessionBase:
    """A session's devices, threads, memory and files. Classes that derive from this one add the calls that align."""

    @proposing("Session")
    def __init__(
        self,
        devices: str = "auto",
        *,
        threads: int | None = None,
        memory: int | str = "8G",
        device_memory: int | str | None = None,
        isa: str = "auto",
        method: str = "auto",
        shortcuts: bool = True,
        calibration_cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self._options = {
            "devices": devices,
            "threads": threads,
            "memory": memory,
            "device_memory": device_memory,
            "isa": isa,
            "method": method,
            "shortcuts": shortcuts,
            "calibration_cache": calibration_cache,
        }
        self._streams: weakref.WeakSet[PairStream] = weakref.WeakSet()
        self._core = _alnus.Session(
            devices=word("devices", devices) or "auto",
            threads=0 if threads is None else whole("threads", threads, 1, 2**31 - 1),
            memory=memory_size("memory", memory),
            device_memory=None if device_memory is None else memory_size("device_memory", device_memory),
            isa=word("isa", isa) or "auto",
            method=word("method", method) or "auto",
            shortcuts=flag("shortcuts", shortcuts),
            calibration_cache=None if calibration_cache is None else path("calibration_cache", calibration_cache),
        )

    def devices(self) -> list[dict[str, Any]]:
        """Return the devices that calls may use.

        Returns
        -------
        list of dict
            The keys of each dict are ``name``, ``description``, ``memory_bytes`` (memory on the device that work may
            take) and ``gcups`` (the expected speed, in 1e9 cells a second).
        """
        return self._core.devices()

    def counters(self) -> dict[str, int]:
        """Return what the session did so far, as numbers.

        Returns
        -------
        dict
            ``calls``: calls that began. ``uploads`` and ``uploaded_bytes``: sequences that were brought to GPUs.
            ``resident_bytes``: bytes of sequences that are on GPUs now. ``reserved_bytes`` and
            ``peak_reserved_bytes``: bytes that calls have reserved from the memory budget, now and at most.
            ``devices_retired``: devices that failed.
        """
        return self._core.counters()

    @proposing("Session.open")
    def open(
        self,
        file: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        in_memory: bool = False,
    ) -> Database:
        """Open a file of sequences; :meth:`Database.open` explains the arguments and the errors.

        With ``in_memory=True`` a database file is read into memory instead of mapped.
        """
        if not isinstance(file, str | bytes | os.PathLike):
            raise InputError(
                f"file is {type(file).__name__}, and Database.open() takes one path. alnus.Database() takes sequences "
                "that are in memory, such as a list, and open files."
            )
        name, kind, masks = path("file", file), word("alphabet", alphabet) or "", words("mask", mask)
        core = self._core.open(name, alphabet=kind, mask=masks, in_memory=flag("in_memory", in_memory), listeners=quiet)
        if name == "-":
            return Database._of_core(core)
        return Database._of_core(core, _Origin(os.path.abspath(name), kind, tuple(masks)))

    @proposing("make_database")
    def make_database(
        self,
        inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        output: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        progress: ProgressArgument = False,
    ) -> Database:
        """Write a database file of all sequences of some FASTA or FASTQ files, and open it.

        Parameters
        ----------
        inputs : path or list of paths
            The files, whose sequences are taken one file after the other.
        output : path
            The database file, ``NAME.alnus``. It appears complete or not at all.
        alphabet, mask
            The same as for :meth:`Database.open`.
        progress : bool or callable, default False
            The same as for :meth:`search`.

        Returns
        -------
        Database
            The database file, opened.

        Raises
        ------
        InputError
            If an input cannot be read or is wrong.
        DatabaseError
            If the output cannot be written.
        """
        if is_file(inputs):
            raise InputError("inputs is an open file; make_database() takes paths.")
        listed: Iterable[Any] = [inputs] if isinstance(inputs, str | os.PathLike) else inputs
        paths = [path("inputs", one) for one in listed]
        kind, masks, to = word("alphabet", alphabet) or "", words("mask", mask), path("output", output)
        with listeners(progress) as listening:
            self._core.make_database(paths, to, alphabet=kind, mask=masks, listeners=listening)
        return self.open(to)

    @proposing("Session.prepare")
    def prepare(self, database: Database) -> None:
        """Start the devices and sort the database for them, so that the first search does not have to.

        The first search still brings the residues to a GPU.
        """
        self._core.prepare(database._core, listeners=quiet)

    @proposing("Session.release")
    def release(self, database: Database) -> None:
        """Drop what devices hold of a database. The next call that uses the database brings it to them again."""
        self._core.release(database._core)

    # ---- Internal methods ----

    def _check_free(self) -> None:
        """Raise InputError if the thread that calls reads a stream of this session that has not ended.

        The stream has the memory of the session, so that another call of the same thread would wait for ever.
        """
        thread = threading.get_ident()
        if any(stream.is_open and stream._thread == thread for stream in list(self._streams)):
            raise InputError(
                "all_pairs() of this session is under way in this thread and has all of its memory. Take the last "
                "batch first, close() the stream, or use another Session."
            )

    def _sets(self, sequences: Any, against: Any, alphabet: Alphabet | None) -> tuple[Database, Database | None]:
        if against is None:
            return database_of(sequences, self, alphabet=alphabet, name="sequences"), None
        return databases_of(sequences, against, self, alphabet=alphabet, names=("sequences", "against"))

    def _listed(
        self, a: Any, b: Any, pairs: npt.ArrayLike | None, alphabet: Alphabet | None
    ) -> tuple[Database, Database, npt.NDArray[np.uint32]]:
        queries, subjects = databases_of(a, b, self, alphabet=alphabet, names=("a", "b"))
        if pairs is not None:
            return queries, subjects, index_pairs(pairs, len(queries), len(subjects))
        queries, subjects = queries.in_file_order(), subjects.in_file_order()
        if len(queries) != len(subjects):
            raise InputError(
                f"a has {len(queries)} sequences and b has {len(subjects)}; align_pairs() and pairs take any."
            )
        numbers = np.arange(len(queries), dtype=np.uint32)
        return queries, subjects, np.column_stack((numbers, numbers))
