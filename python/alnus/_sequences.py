"""Sets of sequences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from alnus import _alnus
from alnus._arguments import chosen_numbers, path, word, words
from alnus._errors import InputError, OutputError
from alnus._fasta import Fasta
from alnus._following import quiet
from alnus._making import NAME, check_ids_of_fasta, is_path, labelled, made, session_of
from alnus._overload import overload
from alnus._pickling import sealed
from alnus._scoring import Alphabet
from alnus._signatures import proposing
from alnus._texts import buffer_of, read_texts

if TYPE_CHECKING:
    import numpy.typing as npt

    from alnus._session import Session
    from alnus._session_base import SessionBase

Mask = Literal["lower", "seg", "dust"]


class _Origin(NamedTuple):
    """The file that a database came from, and how to get the same database from it again. Pickle stores this.

    Attributes
    ----------
    path : str
        The absolute path of the file.
    alphabet : str
        The ``alphabet`` to open the file with; an empty str if nobody has stated it.
    mask : tuple of str
        The ``mask`` to open the file with.
    part : (begin, end) or None
        The indices of the sequences that the database has; None if it has all of them.
    in_file_order : bool
        True if the sequences are brought into the order of the file before ``part`` is taken.
    """

    path: str
    alphabet: str
    mask: tuple[str, ...]
    part: tuple[int, int] | None = None
    in_file_order: bool = False


class Database:
    """A set of sequences: queries, subjects, or both.

    A database does not change after it is made. A session brings it to a GPU once, and later calls find it there.

    ``database[3]`` is the letters of one sequence. A slice, a mask or an array of whole numbers chooses sequences:
    ``database[database.lengths >= 100]`` is a database. It has the chosen sequences in the order in which they are
    chosen. A slice without a step shares the memory of the whole; any other choice is a copy.

    Parameters
    ----------
    sequences : list, dict of id to sequence, pandas, polars or Arrow column, Biopython records, open file, ...
        The letters of each sequence, as str or bytes. Gaps (``-``, ``.``), blanks and digits are removed. Letters
        that the alphabet does not have are read as X (N in DNA), and a warning counts them; many of them are an error.
        An open file, a str that is FASTA or FASTQ, and a list of its lines are read as :meth:`open` reads a path.
    ids : list of str, optional
        The id of each sequence, which may have blanks. Formats in which an id ends at a blank refuse such ids.
        Default: the ids that the sequences have, else "0", "1" and so on.
    titles : list of str, optional
        The title of each sequence, which follows the id in its header. Default: the titles that the sequences have.
    alphabet : {"protein", "dna", "auto"}, optional
        The alphabet of the letters. ``"auto"`` guesses it: dna if at least 90% of the letters are ACGTUN, else
        protein. Default: protein, and calls that take the database raise InputError if the letters look like
        nucleotides.
    mask : list of {"lower", "seg", "dust"}, default none
        Residues to mask: lower-case letters, or regions of low complexity (``"seg"`` for proteins, ``"dust"`` for
        DNA). Masked residues are read as X (N in DNA), so that no alignment grows on them.
    name : str, default "sequences"
        The name of the set in messages and reports.

    Raises
    ------
    InputError
        If an element is no sequence, such as a text without any letter; the message names the element. Also for a
        Python set, which has no order, for an iterator that has nothing left, for proteins that are to be read as DNA,
        for a path, which :meth:`open` takes, for ids of another number than the sequences, for ids or titles that are
        no str or have another pandas index than the sequences, for ids or titles of FASTA, which has its own, for a
        missing index label or key, and for unknown words.

    Examples
    --------
    >>> database = Database(["MKVLAW", "MKHLAWQ"], ids=["a", "b"])
    >>> len(database), database.ids, database[1]
    (2, ['a', 'b'], 'MKHLAWQ')
    >>> database[np.array([False, True])].ids, database[[1, 0]].ids
    (['b'], ['b', 'a'])
    """

    _core: _alnus.Database
    _origin: _Origin | None
    _of_stated: Database | None = None

    @proposing("Database")
    def __init__(
        self,
        sequences: Any,
        ids: Iterable[str] | None = None,
        *,
        titles: Iterable[str] | None = None,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        name: str = NAME,
    ) -> None:
        if is_path(sequences):
            raise InputError(
                f"{str(sequences)[:80]!r} is a path: alnus.Database.open() reads files, and functions such as "
                "alnus.search() take paths. Letters with '.' for gaps are given in a list."
            )
        called = word("name", name) or NAME
        given = labelled(read_texts(sequences, called), ids, titles, sequences)
        if isinstance(given, Fasta) and name != NAME:
            given = given._replace(name=called)
        self._origin = None
        kind = word("alphabet", alphabet)
        self._core = made(given, kind, words("mask", mask), called, stated=kind is not None)

    @classmethod
    def _of_core(cls, core: _alnus.Database, origin: _Origin | None = None) -> Database:
        database = cls.__new__(cls)
        database._core = core
        database._origin = origin
        return database

    @classmethod
    @proposing("Database.from_buffer")
    def from_buffer(
        cls,
        letters: npt.NDArray[np.uint8],
        offsets: npt.ArrayLike,
        ids: Iterable[str] | None = None,
        *,
        titles: Iterable[str] | None = None,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        name: str = NAME,
    ) -> Database:
        """Make a database of n sequences that lie one after the other in one array.

        Parameters
        ----------
        letters : uint8 array of one dimension
            The letters as ASCII.
        offsets : array of n + 1 whole numbers
            Sequence k is ``letters[offsets[k]:offsets[k + 1]]``.
        ids, titles, alphabet, mask, name
            The same as for :class:`Database`.

        Raises
        ------
        InputError
            If an array has another dtype or number of dimensions, or if the offsets fall or leave the letters.

        Examples
        --------
        >>> letters = np.frombuffer(b"MKVLAWMKH", dtype=np.uint8)
        >>> list(Database.from_buffer(letters, [0, 6, 9]))
        ['MKVLAW', 'MKH']
        """
        called = word("name", name) or NAME
        given = labelled(buffer_of(letters, offsets), ids, titles)
        kind = word("alphabet", alphabet)
        return cls._of_core(made(given, kind, words("mask", mask), called, stated=kind is not None))

    @staticmethod
    @proposing("Database.open")
    def open(
        file: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        session: Session | None = None,
    ) -> Database:
        """Open a file of sequences: FASTA, FASTQ, or a database file of ``alnus makedb``.

        A database file is mapped into memory, and its contents are checked. It stores its sequences by length, and the
        database has them in that order; :meth:`in_file_order` gives them in the order of the FASTA file.

        Parameters
        ----------
        file : path
            FASTA and FASTQ may be plain or compressed by gzip or zstd. ``"-"`` is standard input.
        alphabet : {"protein", "dna", "auto"}, optional
            The alphabet of FASTA or FASTQ; a database file knows its own. Default: as for :class:`Database`.
        mask : list of {"lower", "seg", "dust"}, default none
            Residues to mask, as for :class:`Database`.
        session : Session, optional
            The session that reads the file. Default: the session of the module's functions.

        Raises
        ------
        InputError
            If the file cannot be read, or is wrong. The message names file, record and byte.
        DatabaseError
            If a database file (``NAME.alnus``) is missing or damaged.
        """
        return session_of(session).open(file, alphabet=alphabet, mask=mask)

    @staticmethod
    @proposing("Database.read")
    def read(
        file: str | os.PathLike[str],
        *,
        alphabet: Literal["protein", "dna", "auto"] | None = None,
        mask: Iterable[Mask] = (),
        session: Session | None = None,
    ) -> Database:
        """Read a file of sequences as :meth:`open` does, but read a database file into memory instead of mapping it.

        The database then stays as it is if the file is changed or removed later.
        """
        return session_of(session).open(file, alphabet=alphabet, mask=mask, in_memory=True)

    @property
    def alphabet(self) -> Alphabet:
        """The alphabet of the sequences: ``"protein"`` or ``"dna"``."""
        return cast(Alphabet, self._core.alphabet)

    @property
    def name(self) -> str:
        """The name of the file that the sequences came from, or the name that the set was given."""
        return self._core.name

    @property
    def ids(self) -> list[str]:
        """The id of each sequence: as it was given, or the header in its file up to the first blank.

        Each access makes a new list.
        """
        return self._core.ids

    @property
    def titles(self) -> list[str]:
        """The title of each sequence: the text after the id in its header. Each access makes a new list."""
        return self._core.titles

    @property
    def headers(self) -> list[str]:
        """The header of each sequence: its id, a blank and its title. Each access makes a new list."""
        return self._core.headers

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of residues of each sequence, as an int64 array of shape (n,)."""
        return self._core.lengths

    @property
    def residues(self) -> int:
        """The number of residues of all sequences together."""
        return self._core.residues

    def digest(self) -> str:
        """Return 32 hexadecimal digits that identify the ids and the residues, in their order."""
        return self._core.digest()

    def to_buffer(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Return the letters one after the other, as uint8, and n + 1 offsets, as int64; see :meth:`from_buffer`."""
        return self._core.arrays()

    def in_file_order(self) -> Database:
        """Return the same sequences in the order of the file that they came from.

        A database file stores them by decreasing length.
        """
        origin = self._origin
        if origin is not None:
            origin = origin._replace(in_file_order=True) if origin.part is None else None
        return Database._of_core(self._core.in_file_order(), origin)

    def _in_own_order(self) -> Database:
        """Return the same sequences, which all pairs number in the order of this database.

        Of a database file, all pairs otherwise number them in the order of the file that it was made of.
        """
        return self if self._core.ordinals() is None else self._copy_of(np.arange(len(self)))

    def write(self, file: str | os.PathLike[str], *, session: Session | None = None) -> None:
        """Write the sequences as FASTA, or as a database file if the name of the file ends in ``.alnus``.

        Parameters
        ----------
        file : path
            The file appears complete or not at all. FASTA is compressed if the name ends in ``.gz`` or ``.zst``.
            ``"-"`` is standard output.
        session : Session, optional
            The session that writes. Default: the session of the module's functions.

        Raises
        ------
        InputError
            If a database file would have no sequences, if an id has a blank or a tab, at which these files end an id,
            and if the name of the file promises another format, such as ``.csv``.
        OutputError, DatabaseError
            If the file cannot be written.
        """
        to, using = path("file", file), session_of(session)
        check_ids_of_fasta(self._core, to)
        if not to.lower().endswith(".alnus"):
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
    def __getitem__(self, which: slice | npt.ArrayLike) -> Database: ...
    def __getitem__(self, which: Any) -> str | Database:
        if hasattr(which, "__index__") and not isinstance(which, np.ndarray | bool | np.bool_):
            return self._core.letters(self._place(int(which.__index__())))
        if isinstance(which, str):
            raise InputError(
                f"database[{which!r}]: a sequence is chosen by its index. database.ids.index({which!r}) is the index "
                "of an id."
            )
        if not isinstance(which, slice) or which.step not in (None, 1):
            return self._copy_of(chosen_numbers("sequence", which, len(self)))
        begin, end, _ = which.indices(len(self))
        end = max(begin, end)
        origin = self._origin
        if origin is not None:
            first = 0 if origin.part is None else origin.part[0]
            origin = origin._replace(part=(first + begin, first + end))
        return Database._of_core(self._core.part(begin, end), origin)

    def _copy_of(self, numbers: npt.NDArray[np.int64]) -> Database:
        """Return a copy of the sequences with these indices, in the order of ``numbers``."""
        core = self._core
        letters, offsets = core.arrays()
        qualities, headers, ends = core.qualities(), core.headers, offsets.tolist()
        id_bytes = core.id_bytes()
        parts = [slice(ends[k], ends[k + 1]) for k in numbers.tolist()]

        def chosen(array: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
            return np.concatenate([array[:0], *(array[part] for part in parts)])

        return _rebuilt(
            chosen(letters),
            np.concatenate(([0], self.lengths[numbers].cumsum())),
            [headers[k] for k in numbers.tolist()],
            None if qualities is None else chosen(qualities),
            None,  # the sequences count in this order, whatever file they came from
            core.alphabet,
            core.name,
            core.is_stated,
            None if id_bytes is None else id_bytes[numbers],
        )

    def __iter__(self) -> Iterator[str]:
        return (self._core.letters(index) for index in range(len(self)))

    def _as_stated(self) -> Database:
        """Return the same sequences with an alphabet that counts as stated by the user, so that no call doubts it.

        The result is made once and kept.
        """
        if self._core.is_stated:
            return self
        if self._of_stated is None:
            origin = None if self._origin is None else self._origin._replace(alphabet=self.alphabet)
            self._of_stated = Database._of_core(self._core.stated(), origin)
        return self._of_stated

    def _place(self, index: int) -> int:
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"There is no sequence {index} among {len(self)}.")
        return place

    def __repr__(self) -> str:
        return f"<Database {self.name}: {len(self)} {self.alphabet} sequences, {self.residues} residues>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._origin is not None:
            return sealed(_reopened, self._origin, self.digest())
        core = self._core
        arrays = (*core.arrays(), core.headers, core.qualities(), core.ordinals())
        return sealed(_rebuilt, *arrays, core.alphabet, core.name, core.is_stated, core.id_bytes())


def _rebuilt(*state: Any) -> Database:
    return Database._of_core(_alnus.Database.restored(*state))


def _reopened(origin: _Origin, digest: str) -> Database:
    alphabet, mask = cast(Any, origin.alphabet or None), cast(Any, origin.mask)
    database = session_of(None).open(origin.path, alphabet=alphabet, mask=mask)
    if origin.in_file_order:
        database = database.in_file_order()
    if origin.part is not None:
        database = database[origin.part[0] : origin.part[1]]
    if database.digest() != digest:
        raise InputError(f"{origin.path} has changed since the database was pickled.")
    return database


def database_of(
    value: Any, session: SessionBase, *, alphabet: str | None, name: str, other: str | None = None
) -> Database:
    """Return the sequences that a function was given, as a database.

    ``alphabet`` is the user's argument or None, ``name`` the name of the argument that holds the sequences, for
    messages, and ``other`` the alphabet of the call's other input, or None if it is not known.
    """
    if isinstance(value, Database):
        _check_alphabet(value, alphabet, name)
        return value if alphabet in (None, "auto") else value._as_stated()
    if is_path(value):
        # If the other input is DNA, the file is read as DNA. Otherwise the alphabet of the file stays unstated, so that
        # the call reports a file that looks like DNA.
        return session.open(value, alphabet=cast(Any, alphabet or ("dna" if other == "dna" else None)))
    given = read_texts(value, name)
    return Database._of_core(made(given, alphabet or other, [], name, stated=alphabet is not None, session=session))


def databases_of(
    first: Any, second: Any, session: SessionBase, *, alphabet: str | None, names: tuple[str, str]
) -> tuple[Database, Database]:
    """Return the two inputs of one call as databases of the same alphabet.

    If only one of the inputs knows its alphabet, the other input is read with that alphabet.
    """
    word("alphabet", alphabet)
    for value, name in zip((first, second), names, strict=True):
        if isinstance(value, Database):
            _check_alphabet(value, alphabet, name)
    if is_path(first) and is_path(second):
        paths = path(names[0], first), path(names[1], second)
        cores = session._core.open_both(*paths, alphabet=alphabet or "", listeners=quiet)
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


def numbered_as_given(given: Any, database: Database) -> Database:
    """Return the sequences for all pairs: a database numbers them in its own order, and a path in the file's."""
    return database._in_own_order() if isinstance(given, Database) else database


def _of_file(core: _alnus.Database, file: str) -> Database:
    return Database._of_core(core, None if file == "-" else _Origin(os.path.abspath(file), core.alphabet, ()))


def _check_alphabet(database: Database, alphabet: str | None, name: str) -> None:
    if alphabet not in (None, "auto", database.alphabet):
        raise InputError(f"{name} has {database.alphabet} sequences; alphabet={alphabet!r} cannot change that.")
