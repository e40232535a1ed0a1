"""Sets of sequences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from alnus import _alnus
from alnus._arguments import path, word, words
from alnus._errors import InputError, OutputError
from alnus._following import quiet, warn
from alnus._overload import overload
from alnus._scoring import Alphabet
from alnus._texts import Buffer, Texts, buffer_of, read_texts

if TYPE_CHECKING:
    import numpy.typing as npt

    from alnus._session import Session
    from alnus._session_base import SessionBase

Mask = Literal["lower", "seg", "dust"]


class _Origin(NamedTuple):
    """The file of a database, for pickle: where it is, how it was read, and which part of it this is."""

    path: str
    alphabet: str
    mask: tuple[str, ...]
    part: tuple[int, int] | None = None
    in_file_order: bool = False


class Database:
    """A set of sequences: queries, subjects, or both.

    Immutable. A session brings it to a GPU once, and finds it there in later calls.

    Parameters
    ----------
    sequences : list, dict of id to sequence, pandas, polars or Arrow column, Biopython records, ...
        Letters as str or bytes. Gaps (``-``, ``.``) and blanks are removed.
    ids : list of str, optional
        Default: those that the sequences have, or "0", "1" and so on.
    alphabet : {"protein", "dna", "auto"}, default "protein"
        ``"auto"`` guesses: dna if at least 90% of the letters are ACGTUN.
    mask : of "lower", "seg", "dust"
        Residues that shall align with nothing are read as X (N in DNA).
    name : str
        Of the set in messages and reports.

    Raises
    ------
    InputError
        For an element that is no sequence, naming it. Nucleotides without ``alphabet`` are an error of the
        calls that take them.

    Examples
    --------
    >>> database = Database(["MKVLAW", "MKHLAWQ"], ids=["a", "b"])
    >>> len(database), database.ids, database[1]
    (2, ['a', 'b'], 'MKHLAWQ')
    """

    _core: _alnus.Database
    _origin: _Origin | None
    _of_stated: Database | None = None

    def __init__(
        self,
        sequences: Any,
        ids: Iterable[str] | None = None,
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        name: str = "sequences",
    ) -> None:
        given = read_texts(sequences, word("name", name) or "sequences")
        self._origin = None
        kind = word("alphabet", alphabet)
        self._core = _made(given, _headers(ids), kind, words("mask", mask), name, stated=kind is not None)

    @classmethod
    def _of_core(cls, core: _alnus.Database, origin: _Origin | None = None) -> Database:
        database = cls.__new__(cls)
        database._core = core
        database._origin = origin
        return database

    @classmethod
    def from_buffer(
        cls,
        letters: npt.NDArray[np.uint8],
        offsets: npt.ArrayLike,
        ids: Iterable[str] | None = None,
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        name: str = "sequences",
    ) -> Database:
        """Sequences that lie one after the other.

        Parameters
        ----------
        letters : uint8 array
            The letters as ASCII.
        offsets : array of n + 1 whole numbers
            Sequence k is ``letters[offsets[k]:offsets[k + 1]]``.

        Examples
        --------
        >>> letters = np.frombuffer(b"MKVLAWMKH", dtype=np.uint8)
        >>> list(Database.from_buffer(letters, [0, 6, 9]))
        ['MKVLAW', 'MKH']
        """
        given = buffer_of(letters, offsets)
        kind = word("alphabet", alphabet)
        return cls._of_core(_made(given, _headers(ids), kind, words("mask", mask), name, stated=kind is not None))

    @staticmethod
    def open(
        file: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        session: Session | None = None,
    ) -> Database:
        """A database file of ``alnus makedb``, which is mapped and checked, or FASTA or FASTQ.

        Parameters
        ----------
        file : path
            Sequence files may be plain or compressed by gzip or zstd.
        alphabet : {"protein", "dna", "auto"}, optional
            Of FASTA and FASTQ; a database file knows its own.
        mask : of "lower", "seg", "dust"
            Residues that shall align with nothing are read as X (N in DNA).

        Raises
        ------
        InputError
            Naming file, record and byte.
        DatabaseError
            For a database file that is damaged.
        """
        return _session(session).open(file, alphabet=alphabet, mask=mask)

    @staticmethod
    def read(
        file: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        session: Session | None = None,
    ) -> Database:
        """As :meth:`open`, but all in memory: what happens to a database file later does not matter."""
        return _session(session).open(file, alphabet=alphabet, mask=mask, in_memory=True)

    @property
    def alphabet(self) -> Alphabet:
        """``"protein"`` or ``"dna"``."""
        return cast(Alphabet, self._core.alphabet)

    @property
    def name(self) -> str:
        """The name of the file, or of the set."""
        return self._core.name

    @property
    def ids(self) -> list[str]:
        """The id of each sequence, in a list that is made at each access."""
        return self._core.ids

    @property
    def headers(self) -> list[str]:
        """The header of each sequence, its id and what follows it, in a list that is made at each access."""
        return self._core.headers

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Residues of each sequence."""
        return self._core.lengths

    @property
    def residues(self) -> int:
        """Residues of all sequences together."""
        return self._core.residues

    def digest(self) -> str:
        """32 hexadecimal digits that identify ids and residues."""
        return self._core.digest()

    def to_buffer(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """The letters one after the other, and n + 1 offsets, as :meth:`from_buffer` takes them."""
        return self._core.arrays()

    def in_file_order(self) -> Database:
        """The same sequences in the order of the file; a database file stores them by length."""
        origin = self._origin
        if origin is not None:
            origin = origin._replace(in_file_order=True) if origin.part is None else None
        return Database._of_core(self._core.in_file_order(), origin)

    def write(self, file: str | os.PathLike[str], *, session: Session | None = None) -> None:
        """Writes FASTA, or a database file if the name ends in ``.alnus``.

        The file is complete or absent. ``.gz`` and ``.zst`` are compressed; ``"-"`` is standard output.
        """
        to, using = path("file", file), _session(session)
        if not to.endswith(".alnus"):
            _alnus.write_fasta(using._core, self._core, to, listeners=quiet)
            return
        if len(self) == 0:
            raise InputError(f"{to} would hold no sequences, which no database file does.")
        import tempfile

        try:
            temporary = tempfile.TemporaryDirectory(prefix=".alnus-", dir=os.path.dirname(to) or ".")
        except OSError as error:
            raise OutputError(f"Cannot write {to}: {error.strerror}.") from error
        with temporary as folder:
            fasta = os.path.join(folder, "sequences.fasta")
            _alnus.write_fasta(using._core, self._core.in_file_order(), fasta, listeners=quiet)
            using._core.make_database([fasta], to, alphabet=self.alphabet, mask=[], listeners=quiet)

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> Database: ...
    def __getitem__(self, which: int | slice) -> str | Database:
        if isinstance(which, slice):
            begin, end, step = which.indices(len(self))
            if step != 1:
                raise InputError("A part of a database has no step.")
            end = max(begin, end)
            origin = self._origin
            if origin is not None:
                first = 0 if origin.part is None else origin.part[0]
                origin = origin._replace(part=(first + begin, first + end))
            return Database._of_core(self._core.part(begin, end), origin)
        return self._core.letters(self._index(which))

    def __iter__(self) -> Iterator[str]:
        return (self._core.letters(index) for index in range(len(self)))

    def _as_stated(self) -> Database:
        """The same sequences, whose alphabet a user has stated; made once."""
        if self._core.is_stated:
            return self
        if self._of_stated is None:
            origin = None if self._origin is None else self._origin._replace(alphabet=self.alphabet)
            self._of_stated = Database._of_core(self._core.stated(), origin)
        return self._of_stated

    def _index(self, which: Any) -> int:
        if not hasattr(which, "__index__"):
            raise TypeError(f"A sequence is chosen by a whole number or a slice, not by {type(which).__name__}.")
        index = int(which.__index__())
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"There is no sequence {index} among {len(self)}.")
        return place

    def __repr__(self) -> str:
        return f"<Database {self.name}: {len(self)} {self.alphabet} sequences, {self.residues} residues>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._origin is not None:
            return _reopened, (self._origin, self.digest())
        core = self._core
        arrays = (*core.arrays(), core.headers, core.qualities(), core.ordinals())
        return _rebuilt, (*arrays, core.alphabet, core.name, core.is_stated)


def _session(session: Session | None) -> Session:
    from alnus._default import default_session

    return default_session() if session is None else session


def _headers(ids: Iterable[str] | None) -> list[str] | None:
    if ids is None:
        return None
    if isinstance(ids, str):
        raise InputError("ids is one str; it takes a list of them.")
    try:
        return list(ids)
    except TypeError:
        raise InputError(f"ids is {ids!r}; it takes a list of str.") from None


def _rebuilt(*state: Any) -> Database:
    return Database._of_core(_alnus.Database.restored(*state))


def _reopened(origin: _Origin, digest: str) -> Database:
    alphabet, mask = cast(Any, origin.alphabet or None), cast(Any, origin.mask)
    database = _session(None).open(origin.path, alphabet=alphabet, mask=mask)
    if origin.in_file_order:
        database = database.in_file_order()
    if origin.part is not None:
        database = database[origin.part[0] : origin.part[1]]
    if database.digest() != digest:
        raise InputError(f"{origin.path} has changed since the database was pickled.")
    return database


def _made(
    given: Texts | Buffer,
    headers: list[str] | None,
    alphabet: str | None,
    mask: list[str],
    name: str,
    *,
    stated: bool,
) -> _alnus.Database:
    """The set. Each call doubts an alphabet that the user has not stated, as it doubts a file's."""
    kind = _guessed(given) if alphabet == "auto" else alphabet or "protein"
    if isinstance(given, Buffer):
        core, odd = _alnus.Database.of_bytes(given.letters, given.offsets, headers, kind, name, stated)
    else:
        ids = given.ids if headers is None else headers
        core, odd = _alnus.Database.of_texts(given.letters, ids, kind, name, stated)
    unknown, first, gaps = odd
    if unknown > 0 and stated:
        read_as = "N" if kind == "dna" else "X"
        warn(
            f"{name}: {unknown} letters outside the {kind} alphabet, read as {read_as}; the first is in sequence "
            f"{first}."
        )
    if gaps > 0:
        warn(f"{name}: {gaps} gap letters (- or .) removed.")
    if mask:
        core = _alnus.masked(_session(None)._core, core, mask=mask, listeners=quiet)
    return core


def _guessed(given: Texts | Buffer) -> str:
    if isinstance(given, Buffer):
        return _alnus.guess_of_bytes(given.letters)
    return _alnus.guess_of_texts(given.letters)


def is_path(value: Any) -> bool:
    """True for a path, and for a str with a dot or a slash: sequences have neither."""
    return isinstance(value, os.PathLike) or (isinstance(value, str) and any(c in value for c in "./\\"))


def database_of(
    value: Any, session: SessionBase, *, alphabet: str | None, name: str, other: str | None = None
) -> Database:
    """What a function was given, as a database.

    ``alphabet`` is what the user said, and ``other`` the alphabet of the call's other input, if that is known.
    """
    if isinstance(value, Database):
        _check_alphabet(value, alphabet, name)
        return value if alphabet in (None, "auto") else value._as_stated()
    if is_path(value):
        # A file of proteins is doubted if nobody says that it has proteins.
        return session.open(value, alphabet=cast(Any, alphabet or ("dna" if other == "dna" else None)))
    given = read_texts(value, name)
    return Database._of_core(_made(given, None, alphabet or other, [], name, stated=alphabet is not None))


def databases_of(
    first: Any, second: Any, session: SessionBase, *, alphabet: str | None, names: tuple[str, str], search: bool
) -> tuple[Database, Database]:
    """Two inputs of one call, of one alphabet. One that knows its alphabet tells the other's."""
    word("alphabet", alphabet)
    for value, name in zip((first, second), names, strict=True):
        if isinstance(value, Database):
            _check_alphabet(value, alphabet, name)
    if is_path(first) and is_path(second):
        paths = path(names[0], first), path(names[1], second)
        cores = session._core.open_both(*paths, search=search, alphabet=alphabet or "", listeners=quiet)
        return _of_file(cores[0], paths[0]), _of_file(cores[1], paths[1])
    if first is second:
        both = database_of(first, session, alphabet=alphabet, name=names[0])
        return both, both
    if is_path(first) and _alnus.is_database_file(path(names[0], first)):
        first = session.open(first, alphabet=cast(Any, alphabet))
    if is_path(second) and _alnus.is_database_file(path(names[1], second)):
        second = session.open(second, alphabet=cast(Any, alphabet))
    known: str | None = next((one.alphabet for one in (first, second) if isinstance(one, Database)), None)
    return (
        database_of(first, session, alphabet=alphabet, name=names[0], other=known),
        database_of(second, session, alphabet=alphabet, name=names[1], other=known),
    )


def _of_file(core: _alnus.Database, file: str) -> Database:
    return Database._of_core(core, None if file == "-" else _Origin(os.path.abspath(file), core.alphabet, ()))


def _check_alphabet(database: Database, alphabet: str | None, name: str) -> None:
    if alphabet not in (None, "auto", database.alphabet):
        raise InputError(f"{name} has {database.alphabet} sequences; alphabet={alphabet!r} cannot change that.")


def two_texts_alphabet(a: str | bytes, b: str | bytes, alphabet: str | None) -> str:
    """The alphabet of two texts that are aligned with each other."""
    word("alphabet", alphabet)
    if alphabet is not None and alphabet != "auto":
        return alphabet
    guessed = _guessed(Texts([a, b], None))
    if alphabet is None and guessed == "dna":
        raise InputError(
            "Both sequences look like dna, and would be aligned as proteins. Choose alphabet='dna', or "
            "alphabet='protein' if these are proteins."
        )
    return guessed
