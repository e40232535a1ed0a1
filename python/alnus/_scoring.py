"""What an alignment's score is: matrix, gap costs, mode."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy as np

from alnus import _alnus
from alnus._arguments import path, word, words
from alnus._errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

Alphabet = Literal["protein", "dna"]
Mode = Literal["local", "global", "semiglobal"]
GapConvention = Literal["ncbi", "emboss"]
FreeEnd = Literal["qbegin", "qend", "sbegin", "send"]
Preset = Literal["blastp", "blastn", "ssearch", "emboss-needle", "emboss-water"]


class Matrix:
    """A substitution matrix.

    Parameters
    ----------
    name : str or path
        A name such as ``"BLOSUM62"`` (:meth:`names` lists them), or the path of a file in NCBI's format.
    alphabet : {"protein", "dna"}
        Of a file; a name knows its own.

    Raises
    ------
    InputError
        For an unknown name, with the nearest one, and for a file that is no matrix, with the line.

    Examples
    --------
    >>> matrix = Matrix("BLOSUM62")
    >>> matrix.letters[:5], float(matrix.values[0, 0])
    ('ARNDC', 4.0)
    """

    _core: _alnus.Matrix
    _text: str  # of a matrix that is not compiled in

    def __init__(self, name: str | os.PathLike[str], alphabet: Alphabet = "protein") -> None:
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
        """A matrix from scores.

        Parameters
        ----------
        values : array of shape (n, n)
            Scores, whole numbers or decimals; rows are the query's letters.
        letters : str of n letters
            All twenty amino acids, or ACGT, must be among them.

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
            raise InputError(f"letters is {letters!r}; it must be a str of letters.")
        if scores.shape != (len(letters), len(letters)):
            raise InputError(f"The matrix has shape {scores.shape}, and there are {len(letters)} letters.")
        lines = ["  " + " ".join(letters)]
        for letter, row in zip(letters, scores, strict=True):
            lines.append(" ".join([letter, *(decimal("A score", score) for score in row)]))
        return cls._of_text("\n".join(lines) + "\n", path("name", name), word("alphabet", alphabet) or "protein")

    @staticmethod
    def names() -> list[str]:
        """The names of the matrices that are compiled in."""
        return [name.upper() for name in _alnus.Matrix.builtin_names()]

    @property
    def name(self) -> str:
        """The name, or the path of the file."""
        return self._core.name

    @property
    def alphabet(self) -> Alphabet:
        """``"protein"`` or ``"dna"``."""
        return cast(Alphabet, self._core.alphabet)

    @property
    def letters(self) -> str:
        """The letters of rows and columns, in their order."""
        return self._core.letters

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """Scores: the query's letter, then the subject's."""
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
        return (_matrix, self._key())

    def __repr__(self) -> str:
        return f"Matrix({self.name!r})"


def _matrix(name: str, text: str, alphabet: Alphabet) -> Matrix:
    return Matrix._of_text(text, name, alphabet) if text else Matrix(name)


class ScoringWords(TypedDict, total=False):
    """Arguments that all functions take in place of ``scoring``; :class:`Scoring` explains them."""

    matrix: str | os.PathLike[str] | Matrix
    gaps: tuple[float, float]
    gap_convention: GapConvention
    mode: Mode
    match: float
    mismatch: float
    free_ends: Iterable[FreeEnd]
    preset: Preset


class Scoring:
    """Matrix, gap costs, mode and free ends together.

    Parameters
    ----------
    alphabet : {"protein", "dna"}, default "protein"
    matrix : str, path or Matrix, default "BLOSUM62" (dna: "NUC44")
    gaps : (open, extend), default what is published for the matrix (BLOSUM62: (11, 1))
        A gap of k residues costs ``open + k * extend``.
    gap_convention : {"ncbi", "emboss"}
        With ``"emboss"`` a gap of k residues costs ``open + (k - 1) * extend``, as in EMBOSS and parasail.
    mode : {"local", "global", "semiglobal"}, default "local"
    match, mismatch : float
        Of nucleotides, in place of a matrix.
    free_ends : of "qbegin", "qend", "sbegin", "send"
        Ends that may stay unaligned at no cost; semiglobal mode has all four.
    preset : {"blastp", "blastn", "ssearch", "emboss-needle", "emboss-water"}
        The scoring of another program.

    Raises
    ------
    InputError
        Unknown words, costs that are negative, a matrix of the other alphabet.

    Examples
    --------
    >>> Scoring(matrix="BLOSUM50", gaps=(10, 2))
    Scoring(matrix='BLOSUM50', gaps=(10, 2), mode='local')
    """

    _core: _alnus.Scoring

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

    @property
    def alphabet(self) -> Alphabet:
        """``"protein"`` or ``"dna"``."""
        return cast(Alphabet, self._core.alphabet)

    @property
    def matrix_name(self) -> str:
        """The matrix' name, or ``"2/-3"`` and the like for match and mismatch."""
        return self._core.matrix.name

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The matrix' scores: the query's letter, then the subject's, in the order of ``letters``."""
        return self._core.matrix.values

    @property
    def letters(self) -> str:
        """The letters of ``values``, in their order."""
        return self._core.matrix.letters

    @property
    def gaps(self) -> tuple[float, float]:
        """(open, extend): a gap of k residues costs open + k * extend."""
        return self._core.gaps

    @property
    def mode(self) -> Mode:
        """``"local"``, ``"global"`` or ``"semiglobal"``."""
        return cast(Mode, self._core.mode)

    @property
    def free_ends(self) -> tuple[str, ...]:
        """The ends that may stay unaligned at no cost."""
        return tuple(self._core.free_ends)

    @property
    def preset(self) -> str:
        """The preset, or an empty str."""
        return self._words["preset"] or ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scoring) and self._core.equals(other._core)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_scoring, (self._words,))

    def __repr__(self) -> str:
        opening, extending = (decimal("A gap cost", cost) for cost in self.gaps)
        return f"Scoring(matrix={self.matrix_name!r}, gaps=({opening}, {extending}), mode={self.mode!r})"


def _scoring(words_of_scoring: dict[str, Any]) -> Scoring:
    return Scoring(**words_of_scoring)


def _costs(gaps: Any) -> tuple[str, str]:
    if gaps is None:
        return "", ""
    try:
        opening, extending = gaps
    except (TypeError, ValueError):
        raise InputError(f"gaps is {gaps!r}; it takes two numbers, (open, extend).") from None
    return decimal("gaps[0]", opening), decimal("gaps[1]", extending)


def decimal(name: str, value: Any) -> str:
    """The number as the library reads it: no exponent, exact for whole numbers and short decimals."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} is {value!r}; it must be a number.") from None
    if not np.isfinite(number):
        raise InputError(f"{name} is {value!r}; it must be finite.")
    return str(np.format_float_positional(number, trim="-"))


_made: dict[Any, Scoring] = {}  # by alphabet and words
_MOST_MADE = 64


def scoring_of(scoring: Scoring | None, alphabet: str, words_of_call: ScoringWords) -> Scoring:
    """The scoring that a function's arguments say."""
    unknown = [name for name in words_of_call if name not in ScoringWords.__annotations__]
    if unknown:
        raise TypeError(f"There is no argument {unknown[0]!r}.")
    if scoring is not None:
        if words_of_call:
            raise InputError(f"Give either scoring or {', '.join(words_of_call)}, not both.")
        if not isinstance(scoring, Scoring):
            raise InputError(f"scoring is {scoring!r}; it must be a Scoring.")
        if scoring.alphabet != alphabet:
            raise InputError(f"The scoring is for {scoring.alphabet} sequences, and these are {alphabet}.")
        return scoring
    key: Any = alphabet if not words_of_call else (alphabet, *words_of_call.items())
    try:
        made = _made.get(key)
    except TypeError:  # a list among the words, say
        key, made = None, None
    if made is None:
        made = Scoring(alphabet=cast(Alphabet, alphabet), **words_of_call)
        # A file may change; a matrix that is compiled in does not.
        chosen = made._words["matrix"]
        if key is not None and (chosen is None or not chosen._text) and len(_made) < _MOST_MADE:
            _made[key] = made
    return made
