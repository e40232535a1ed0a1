"""Results as objects of other packages. A package is imported when a function that needs it is called.

>>> import alnus
>>> from alnus.adapters import to_biopython_alignment
>>> pair = alnus.align("MKVLAWQRYT", "MKVLARYT", mode="global")
>>> print(to_biopython_alignment(pair))  # doctest: +SKIP
subject           0 MKVLA--RYT  8
                  0 |||||--||| 10
query             0 MKVLAWQRYT 10
<BLANKLINE>
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from alnus._arguments import whole
from alnus._errors import InputError
from alnus._making import made
from alnus._pair import Pair, runs
from alnus._scoring import Scoring
from alnus._sequences import Database
from alnus._texts import Texts, is_missing, letters_of, of_column

if TYPE_CHECKING:
    from Bio.Align import Alignment
    from scipy.sparse import csr_matrix
    from skbio import DistanceMatrix

    from alnus._session import Session

__all__ = ["AlnusDistanceCalculator", "to_biopython_alignment", "to_skbio_distance_matrix"]

_GREATEST = 254  # the greatest distance that scirpy can store, which is distance + 1 as uint8


def to_skbio_distance_matrix(condensed: npt.ArrayLike, ids: Database | Iterable[str] | None = None) -> DistanceMatrix:
    """Make a DistanceMatrix of scikit-bio, for its trees, ordinations and tests.

    Parameters
    ----------
    condensed : float array of n * (n - 1) / 2 numbers
        Distances as ``pdist(..., value="distance")`` gives them.
    ids : list of n different str, or Database, optional
        The ids of the sequences, or the Database that the distances are of. Default: "0", "1" and so on.

    Raises
    ------
    InputError
        If the array has another shape, if there are not n ids, if an id is missing (None, NaN and the like), or if an
        id occurs twice.

    Examples
    --------
    >>> float(to_skbio_distance_matrix([0.2, 0.5, 0.6], ["a", "b", "c"])["a", "b"])
    0.2
    """
    from scipy.spatial.distance import squareform
    from skbio import DistanceMatrix

    distances = np.asarray(condensed, dtype=np.float64)
    count = round((1 + (1 + 8 * distances.size) ** 0.5) / 2)
    if distances.ndim != 1 or count * (count - 1) // 2 != distances.size:
        raise InputError(f"An array of shape {distances.shape} is no condensed matrix; pdist() gives one.")
    if isinstance(ids, Database):
        ids = ids.ids
    given: list[Any] = list(range(count)) if ids is None else list(ids)
    missing = next((k for k, name in enumerate(given) if is_missing(name)), None)
    if missing is not None:
        raise InputError(f"ids[{missing}] is {given[missing]!r}, which is no id.")
    names = [str(name) for name in given]
    if len(names) != count:
        raise InputError(f"There are {len(names)} ids for {count} sequences.")
    if len(set(names)) != count:
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"The id {twice!r} occurs twice; scikit-bio wants different ids.")
    return DistanceMatrix(squareform(distances), names)


def to_biopython_alignment(pair: Pair) -> Alignment:
    """Make an Alignment of Biopython, which has the subject as its target and both sequences whole.

    If the query was aligned on its minus strand, the query's coordinates decrease, as Biopython has it.
    ``alignment.score`` is the pair's score.

    Raises
    ------
    InputError
        If the pair's alignment was not computed.

    Examples
    --------
    >>> import alnus
    >>> pair = alnus.align("MKVLAWQRYT", "MKVLARYT", mode="global")
    >>> to_biopython_alignment(pair).coordinates.tolist()
    [[0, 5, 5, 8], [0, 5, 7, 10]]
    """
    from Bio.Align import Alignment
    from Bio.Seq import Seq
    from Bio.SeqRecord import SeqRecord

    if not isinstance(pair, Pair):
        raise InputError(f"An Alignment is made of a Pair, not of {type(pair).__name__}; rows[0] is one.")
    rows = pair._rows
    if not rows._core.has_cigars:
        raise InputError("This pair has no alignment; choose detail='alignment'.")
    minus = pair.strand == -1
    step = -1 if minus else 1
    query, subject = [pair.query_end if minus else pair.query_begin], [pair.subject_begin]
    last = ""
    for length, operation in runs(pair.cigar):
        # Biopython's coordinates do not distinguish columns with equal residues from those with different ones.
        kind = operation if operation in "ID" else "M"
        along = (0 if kind == "D" else step * length, 0 if kind == "I" else length)
        if kind == last:
            query[-1] += along[0]
            subject[-1] += along[1]
        else:
            query.append(query[-1] + along[0])
            subject.append(subject[-1] + along[1])
        last = kind
    records = [
        SeqRecord(Seq(database[place]), id=name, description="")
        for database, place, name in (
            (rows.subjects, pair.subject, pair.subject_id),
            (rows.queries, pair.query, pair.query_id),
        )
    ]
    made: Any = cast(Any, Alignment)(records, np.array([subject, query], dtype=np.int64))
    made.score = pair.score
    return cast("Alignment", made)


class _Calculator:
    """The methods of :class:`AlnusDistanceCalculator`, which explains them, without scirpy's base class."""

    DTYPE = "uint8"

    def __init__(
        self,
        cutoff: int = 10,
        *,
        scoring: Scoring | None = None,
        session: Session | None = None,
    ) -> None:
        self.cutoff = whole("cutoff", cutoff, 0, _GREATEST)
        if scoring is None:
            scoring = Scoring(matrix="BLOSUM62", gaps=(0, 11), mode="global")
        if scoring.alphabet != "protein":
            raise InputError("The scoring is for dna sequences; clonotypes are told apart by amino acids.")
        self.scoring = scoring
        self.session = session

    def calc_dist_mat(
        self, seqs: Sequence[str] | npt.NDArray[Any], seqs2: Sequence[str] | npt.NDArray[Any] | None = None
    ) -> csr_matrix:
        """Compute the distances of all pairs of ``seqs``, or of ``seqs`` with ``seqs2``.

        Returns
        -------
        csr_matrix of uint8, of shape (len(seqs), len(seqs2 or seqs))
            The distance + 1 of each pair whose distance is at most the cutoff. Other pairs are not stored.

        Raises
        ------
        InputError
            If a sequence is missing (None, NaN, pandas' NA and the like), or is no str; the message names it.
        """
        from scipy.sparse import csr_matrix, identity

        from alnus import default_session

        shape = len(seqs), len(seqs if seqs2 is None else seqs2)
        if min(shape) == 0:
            return csr_matrix(shape, dtype=self.DTYPE)
        session = default_session() if self.session is None else self.session
        first = _clonotypes(seqs, "seqs")
        arguments: dict[str, Any] = {
            "value": "score_distance",
            "cutoff": self.cutoff,
            "format": "csr",
            "scoring": self.scoring,
        }
        if seqs2 is None:
            found = session.pdist(first, **arguments)
        else:
            found = session.cdist(first, _clonotypes(seqs2, "seqs2"), **arguments)
        # scirpy's distances are whole numbers. A distance with decimals, which few matrices give, is rounded up.
        data = (np.maximum(np.ceil(found.data), 0) + 1).astype(self.DTYPE)
        made = csr_matrix((data, found.indices, found.indptr), shape=shape)
        # pdist leaves out the pairs of a sequence with itself, whose distance is 0.
        return made if seqs2 is not None else csr_matrix(made + identity(shape[0], self.DTYPE, "csr"))


def _clonotypes(sequences: Iterable[Any], name: str) -> Database:
    letters = of_column([letters_of(one) for one in sequences], name)
    return Database._of_core(made(Texts(letters), "protein", [], name, stated=True))


def _calculator() -> type[Any]:
    """Make the class AlnusDistanceCalculator, as a subclass of scirpy's DistanceCalculator if scirpy is installed."""
    try:
        base = importlib.import_module("scirpy.ir_dist.metrics").DistanceCalculator
    except ImportError:
        bases: tuple[type[Any], ...] = (_Calculator,)
    else:
        bases = (_Calculator, base)
    return type("AlnusDistanceCalculator", bases, {"__doc__": _EXPLANATION, "__module__": __name__})


_EXPLANATION = """Distances of CDR3 sequences for scirpy: every pair is aligned, without a filter before it.

The distance of two sequences is min(S11, S22) - S12, by the scores of alignments from end to end, as in
scirpy's "alignment" metric. Sequences that are equal have distance 0.

Parameters
----------
cutoff : int, default 10, at most 254
    Pairs with a larger distance are left out.
scoring : Scoring, default BLOSUM62, a gap of k residues costs 11 * k, mode "global"
    As in scirpy, whose gap_open=11 and gap_extend=11 mean these costs.
session : Session, optional
    Default: that of the module's functions.

Examples
--------
``scirpy.pp.ir_dist(mdata, metric=AlnusDistanceCalculator(cutoff=15), sequence="aa")``
"""

if TYPE_CHECKING:
    AlnusDistanceCalculator = _Calculator
else:

    def __getattr__(name: str) -> Any:
        """Make AlnusDistanceCalculator when it is first used, because importing scirpy takes seconds."""
        if name != "AlnusDistanceCalculator":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = _calculator()
        return globals()[name]


def __dir__() -> list[str]:
    return __all__
