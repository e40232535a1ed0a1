"""How an alignment is scored: substitution matrix, gap costs, mode and free ends."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy as np

from alnus import _alnus
from alnus._arguments import path, shown, word, words
from alnus._errors import InputError
from alnus._pickling import sealed
from alnus._signatures import proposing

if TYPE_CHECKING:
    import numpy.typing as npt

if TYPE_CHECKING:
    Alphabet = Literal["protein", "dna"]
    Mode = Literal["local", "global", "semiglobal"]
else:
    # Properties have these types, and jedi, which completes in IPython, fails at a property whose type is a Literal.
    Alphabet = Mode = str
GapConvention = Literal["ncbi", "emboss"]
FreeEnd = Literal["qbegin", "qend", "sbegin", "send"]
Preset = Literal["blastp", "blastn", "ssearch", "emboss-needle", "emboss-water"]


class Matrix:
    """A substitution matrix.

    Parameters
    ----------
    name : str or path
        A name such as ``"BLOSUM62"`` (:meth:`names` lists them), or the path of a file in NCBI's format.
    alphabet : {"protein", "dna"}, default "protein"
        The alphabet of the matrix in a file. It has no effect on a name, whose matrix knows its alphabet.

    Raises
    ------
    InputError
        If there is no matrix of this name; the message has the nearest name. Also if the file cannot be read or is
        no matrix; the message then has the line.

    Examples
    --------
    >>> matrix = Matrix("BLOSUM62")
    >>> matrix.letters[:5], float(matrix.values[0, 0])
    ('ARNDC', 4.0)
    """

    _core: _alnus.Matrix
    _text: str  # the matrix as text in NCBI's format; empty if the matrix is compiled in

    def __init__(self, name: str | os.PathLike[str], alphabet: Alphabet = "protein") -> None:
        if not isinstance(name, str | bytes | os.PathLike):
            raise InputError(
                f"matrix is {type(name).__name__}, not a name or a path. alnus.Matrix.from_array(values, letters) "
                "makes a matrix of an array of scores."
            )
        text = path("matrix", name)
        is_name = isinstance(name, str) and os.sep not in name and not os.path.exists(name)
        if is_name or text.upper() in Matrix.names():
            self._core, self._text = _alnus.Matrix.builtin(text), ""
        else:
            try:
                with open(text, encoding="latin-1") as file:
                    self._text = file.read()
            except OSError as error:
                raise InputError(f"The matrix {text} cannot be read: {error.strerror}.") from error
            self._core = _alnus.Matrix.parse(self._text, text, word("alphabet", alphabet) or "protein")

    @classmethod
    def _of_text(cls, text: str, name: str, alphabet: str) -> Matrix:
        matrix = cls.__new__(cls)
        matrix._text = text
        matrix._core = _alnus.Matrix.parse(text, name, alphabet)
        return matrix

    @classmethod
    def from_array(
        cls, values: npt.ArrayLike, letters: str, *, alphabet: Alphabet = "protein", name: str = "matrix"
    ) -> Matrix:
        """Make a matrix from an array of scores.

        Parameters
        ----------
        values : array of shape (n, n)
            The scores, which may have decimals: ``values[i, j]`` is the score of letter i in the query with letter j
            in the subject.
        letters : str of n letters
            The letters of rows and columns. All twenty amino acids must be among them, or A, C, G and T for DNA.
        alphabet : {"protein", "dna"}, default "protein"
            The alphabet of the letters.
        name : str, default "matrix"
            The name of the matrix in messages and outputs.

        Raises
        ------
        InputError
            If the array is not of numbers or of another shape, or if letters are missing.

        Examples
        --------
        >>> Matrix.from_array(2 * np.eye(4) - 1, "ACGT", alphabet="dna")
        Matrix('matrix')
        """
        try:
            scores = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError("The matrix' values are no numbers.") from None
        if not isinstance(letters, str) or any(letter.isspace() for letter in letters):
            raise InputError(f"letters is {shown(letters)}; it must be a str of letters.")
        if scores.shape != (len(letters), len(letters)):
            raise InputError(f"The matrix has shape {scores.shape}, and there are {len(letters)} letters.")
        lines = ["  " + " ".join(letters)]
        for letter, row in zip(letters, scores, strict=True):
            lines.append(" ".join([letter, *(decimal("A score", score) for score in row)]))
        return cls._of_text("\n".join(lines) + "\n", path("name", name), word("alphabet", alphabet) or "protein")

    @staticmethod
    def names() -> list[str]:
        """Return the names of the matrices that are compiled in, in upper case."""
        return [name.upper() for name in _alnus.Matrix.builtin_names()]

    @property
    def name(self) -> str:
        """The name of the matrix, or the path of its file."""
        return self._core.name

    @property
    def alphabet(self) -> Alphabet:
        """The alphabet of the matrix: ``"protein"`` or ``"dna"``."""
        return cast(Alphabet, self._core.alphabet)

    @property
    def letters(self) -> str:
        """The letters of the rows and of the columns of ``values``, in their order."""
        return self._core.letters

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The scores, as a float64 array of shape (n, n).

        It has a row for each letter of the query and a column for each letter of the subject, in the order of
        ``letters``.
        """
        return self._core.values

    @property
    def symmetric(self) -> bool:
        """True if swapping query and subject changes no score."""
        return self._core.symmetric

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, str, str]:
        return self.name, self._text, self.alphabet

    def __reduce__(self) -> tuple[Any, ...]:
        return sealed(_matrix, *self._key())

    def __repr__(self) -> str:
        return f"Matrix({self.name!r})"


def _matrix(name: str, text: str, alphabet: Alphabet) -> Matrix:
    return Matrix._of_text(text, name, alphabet) if text else Matrix(name)


class ScoringWords(TypedDict, total=False):
    """The arguments that functions take in place of ``scoring``; :class:`Scoring` explains them.

    None counts as an argument that is not given.
    """

    matrix: str | os.PathLike[str] | Matrix | None
    gaps: tuple[float, float] | None
    gap_convention: GapConvention | None
    mode: Mode | None
    match: float | None
    mismatch: float | None
    free_ends: Iterable[FreeEnd] | None
    preset: Preset | None


class Scoring:
    """A scoring: substitution matrix, gap costs, mode and free ends.

    An argument that is left out is as the preset has it, or, without a preset, has its default.

    Parameters
    ----------
    alphabet : {"protein", "dna"}, default "protein"
        The alphabet of the sequences that are aligned.
    matrix : str, path or Matrix, default "BLOSUM62", or "NUC44" for DNA
        The substitution matrix: a name, the path of a file in NCBI's format, or a :class:`Matrix`.
    gaps : (open, extend)
        The gap costs, 0 or more: a gap of k residues costs ``open + k * extend``. Default: the costs that are
        published for the matrix, (11, 1) for BLOSUM62 and (10, 6) for NUC44.
    gap_convention : {"ncbi", "emboss"}, default "ncbi"
        What ``gaps`` means. With ``"emboss"`` a gap of k residues costs ``open + (k - 1) * extend``, as in EMBOSS
        and parasail.
    mode : {"local", "global", "semiglobal"}, default "local"
        The kind of alignment: Smith-Waterman, Needleman-Wunsch, or Needleman-Wunsch with free ends.
    match, mismatch : float
        The scores of equal and of different nucleotides, in place of a matrix.
    free_ends : list of {"qbegin", "qend", "sbegin", "send"}
        The ends of query and subject that may stay unaligned at no cost, in modes global and semiglobal. The mode
        becomes semiglobal if any end is free, and global if none is. Default: all four in semiglobal mode, none in
        global mode.
    preset : {"blastp", "blastn", "ssearch", "emboss-needle", "emboss-water"}, optional
        The program whose scoring is used where the other arguments say nothing else.

    Raises
    ------
    InputError
        For unknown words, negative costs, a matrix of the other alphabet, and free ends in local mode.

    Examples
    --------
    >>> Scoring(matrix="BLOSUM50", gaps=(10, 2))
    Scoring(matrix='BLOSUM50', gaps=(10, 2), mode='local')
    """

    _core: _alnus.Scoring

    @proposing("Scoring")
    def __init__(
        self,
        *,
        alphabet: Alphabet = "protein",
        matrix: str | os.PathLike[str] | Matrix | None = None,
        gaps: tuple[float, float] | None = None,
        gap_convention: GapConvention | None = None,
        mode: Mode | None = None,
        match: float | None = None,
        mismatch: float | None = None,
        free_ends: Iterable[FreeEnd] | None = None,
        preset: Preset | None = None,
    ) -> None:
        chosen = matrix if matrix is None or isinstance(matrix, Matrix) else Matrix(matrix, alphabet)
        opening, extending = _costs(gaps)
        ends = None if free_ends is None else words("free_ends", free_ends)
        self._words: dict[str, Any] = {
            "alphabet": alphabet,
            "matrix": chosen,
            "gaps": None if gaps is None else tuple(gaps),
            "gap_convention": gap_convention,
            "mode": mode,
            "match": match,
            "mismatch": mismatch,
            "free_ends": ends,
            "preset": preset,
        }
        self._core = _alnus.Scoring.make(
            alphabet=word("alphabet", alphabet) or "protein",
            preset=word("preset", preset) or "",
            mode=word("mode", mode) or "",
            matrix="" if chosen is None else chosen.name,
            matrix_text="" if chosen is None else chosen._text,
            match="" if match is None else decimal("match", match),
            mismatch="" if mismatch is None else decimal("mismatch", mismatch),
            gap_open=opening,
            gap_extend=extending,
            gap_convention=word("gap_convention", gap_convention) or "",
            free_ends=ends,
        )

    @classmethod
    def _of_differences(cls, differences: dict[str, Any], alphabet: str) -> Scoring:
        """Make the scoring of ``max_differences``: the score of an alignment is minus its differences.

        ``differences`` are options of the table "differences".
        """
        scoring = cls.__new__(cls)
        scoring._words = {"alphabet": alphabet, "differences": differences}
        scoring._core = _alnus.scoring_of_differences(_alnus.differences_of(differences), alphabet)
        return scoring

    @property
    def alphabet(self) -> Alphabet:
        """The alphabet of the sequences: ``"protein"`` or ``"dna"``."""
        return cast(Alphabet, self._core.alphabet)

    @property
    def matrix_name(self) -> str:
        """The name of the matrix; for match and mismatch a text such as ``"2/-3"``."""
        return self._core.matrix.name

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The scores of the matrix, as a float64 array of shape (n, n).

        It has a row for each letter of the query and a column for each letter of the subject, in the order of
        ``letters``.
        """
        return self._core.matrix.values

    @property
    def letters(self) -> str:
        """The letters of the rows and of the columns of ``values``, in their order."""
        return self._core.matrix.letters

    @property
    def gaps(self) -> tuple[float, float]:
        """The gap costs (open, extend), in NCBI's convention: a gap of k residues costs ``open + k * extend``."""
        return self._core.gaps

    @property
    def mode(self) -> Mode:
        """The mode: ``"local"``, ``"global"`` or ``"semiglobal"``."""
        return cast(Mode, self._core.mode)

    @property
    def free_ends(self) -> tuple[str, ...]:
        """The ends that may stay unaligned at no cost: any of ``"qbegin"``, ``"qend"``, ``"sbegin"``, ``"send"``."""
        return tuple(self._core.free_ends)

    @property
    def preset(self) -> str:
        """The name of the preset, or an empty str if there is none."""
        return self._words.get("preset") or ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scoring) and self._core.equals(other._core)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return sealed(_scoring, self._words)

    def __repr__(self) -> str:
        opening, extending = (decimal("A gap cost", cost) for cost in self.gaps)
        return f"Scoring(matrix={self.matrix_name!r}, gaps=({opening}, {extending}), mode={self.mode!r})"


def _scoring(words_of_scoring: dict[str, Any]) -> Scoring:
    differences = words_of_scoring.get("differences")
    if differences is not None:
        return Scoring._of_differences(differences, words_of_scoring["alphabet"])
    return Scoring(**words_of_scoring)


def _costs(gaps: Any) -> tuple[str, str]:
    if gaps is None:
        return "", ""
    try:
        opening, extending = gaps
    except (TypeError, ValueError):
        raise InputError(f"gaps is {shown(gaps)}; it takes two numbers, (open, extend).") from None
    costs = decimal("gaps[0]", opening), decimal("gaps[1]", extending)
    if any(float(cost) < 0 for cost in costs):
        raise InputError(f"gaps is {shown(gaps)}; gap costs are 0 or more, such as (11, 1) for (-11, -1).")
    return costs


def decimal(name: str, value: Any) -> str:
    """Return a finite number as the decimal that the library reads, without an exponent.

    The decimal is exact for whole numbers and short decimals. ``name`` is the name of the argument, for messages.
    """
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} is {shown(value)}; it must be a number.") from None
    if not np.isfinite(number):
        raise InputError(f"{name} is {value!r}; it must be finite.")
    return str(np.format_float_positional(number, trim="-"))


_made: dict[Any, Scoring] = {}  # scorings that scoring_of() made before, by alphabet and arguments
_MOST_MADE = 64


def scoring_of(scoring: Scoring | None, alphabet: str, words_of_call: ScoringWords) -> Scoring:
    """Return the scoring that the arguments of a function describe.

    The result is ``scoring`` if that was given. Otherwise it is made of ``words_of_call``, the arguments that the
    function takes in place of ``scoring``, and of ``alphabet``, which is that of the function's sequences.

    Raises InputError if both were given, or if the alphabets differ; TypeError for an argument that does not exist.
    """
    unknown = [name for name in words_of_call if name not in ScoringWords.__annotations__]
    if unknown:
        raise TypeError(f"There is no argument {unknown[0]!r}.")
    if scoring is not None:
        given = [name for name, value in words_of_call.items() if value is not None]
        if given:
            raise InputError(f"Give either scoring or {', '.join(given)}, not both.")
        if not isinstance(scoring, Scoring):
            raise InputError(f"scoring is {shown(scoring)}; it must be a Scoring.")
        if scoring.alphabet != alphabet:
            raise InputError(f"The scoring is for {scoring.alphabet} sequences, and these are {alphabet}.")
        return scoring
    key: Any = alphabet if not words_of_call else (alphabet, *words_of_call.items())
    try:
        made = _made.get(key)
    except TypeError:  # an argument that cannot be hashed, such as a list
        key, made = None, None
    if made is None:
        made = Scoring(alphabet=cast(Alphabet, alphabet), **words_of_call)
        # A matrix from a file is not kept, because the file may change. A matrix that is compiled in cannot change.
        chosen = made._words["matrix"]
        if key is not None and (chosen is None or not chosen._text) and len(_made) < _MOST_MADE:
            _made[key] = made
    return made
