"""Clusters, splits and checked certificates, as arrays and numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from alnus._arguments import shown
from alnus._errors import InputError
from alnus._tables import Columns, Fields, Tabular, objects
from alnus._texts import is_missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from alnus._sequences import Database


class Clusters(Fields, Tabular):
    """Clusters of similar sequences, which are numbered as they were given.

    ``to_pandas()``, ``to_polars()`` and ``to_arrow()`` make a table of it, with a row for each sequence.

    Attributes
    ----------
    representative : uint32 array
        For each sequence the index of the representative of its cluster.
    representatives : uint32 array
        The representatives, one for each cluster.
    identity : float64 array or None
        With ``identities``: for each sequence its identity with its representative in percent, or NaN.
    equal : int
        How many sequences are equal to an earlier one.
    similar, pairs, cells : int
        Similar pairs, and the pairs and cells that were computed.
    statistics : str
        How E-values are computed, in words.
    seconds : float
        How long the call took.
    """

    representative: npt.NDArray[np.uint32]
    representatives: npt.NDArray[np.uint32]
    identity: npt.NDArray[np.float64] | None
    equal: int
    similar: int
    pairs: int
    cells: int
    statistics: str
    seconds: float
    _database: Database

    def to_dict(self) -> Columns:
        """Return ``id``, ``cluster`` (as ``labels``), ``representative`` (its id) and ``identity``, if it is wanted."""
        ids = objects(self._database.ids)
        columns: Columns = {"id": ids, "cluster": self.labels, "representative": ids[self.representative]}
        if self.identity is not None:
            columns["identity"] = self.identity
        return columns

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """For each sequence the number of its cluster, from 0, as scikit-learn's clusterings have it."""
        numbers = np.zeros(len(self.representative), dtype=np.int64)
        numbers[self.representatives] = np.arange(len(self.representatives))
        return numbers[self.representative]

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """The number of sequences of each cluster."""
        return np.bincount(self.labels, minlength=len(self.representatives))

    def __len__(self) -> int:
        return len(self.representatives)

    def __repr__(self) -> str:
        return f"<Clusters: {len(self.representative):,} sequences in {len(self):,} clusters>"


class Split(Fields, Tabular):
    """Subsets of a set, with no two similar sequences in different subsets.

    ``to_pandas()``, ``to_polars()`` and ``to_arrow()`` make a table of it, with a row for each sequence.

    Attributes
    ----------
    subset_of : int64 array
        For each sequence the number of its subset, from 0; -1 if the sequence was removed.
    subsets : list of dict
        ``name``, ``records``, ``residues`` and ``similar`` (similar pairs within it) of each subset.
    components, largest : int
        Components of similar sequences, and the sequences of the largest one.
    equal : int
        How many sequences are equal to an earlier one.
    removed, removal_cost, lower_bound : int
        Removed sequences, their cost with priorities, and the least cost for the assignment that was found.
    similar, pairs, cells : int
        Similar pairs, and the pairs and cells that were computed.
    statistics : str
        How E-values are computed, in words.
    seconds : float
        How long the call took.
    """

    subset_of: npt.NDArray[np.int64]
    subsets: list[dict[str, Any]]
    components: int
    largest: int
    equal: int
    removed: int
    removal_cost: int
    lower_bound: int
    similar: int
    pairs: int
    cells: int
    statistics: str
    seconds: float
    _database: Database
    _labels: Sequence[tuple[str, Sequence[str]]]

    def to_dict(self) -> Columns:
        """Return ``id``, ``subset`` (its name, or None if the sequence was removed), and each column of labels.

        A list of labels is the column ``label``.
        """
        names = self.names
        columns: Columns = {
            "id": objects(self._database.ids),
            "subset": objects([names[one] if one >= 0 else None for one in self.subset_of.tolist()]),
        }
        for name, texts in self._labels:
            columns[name or "label"] = objects([text or None for text in texts])
        return columns

    @property
    def names(self) -> list[str]:
        """The names of the subsets."""
        return [one["name"] for one in self.subsets]

    @property
    def sizes(self) -> dict[str, int]:
        """The number of sequences of each subset, by its name."""
        return {one["name"]: one["records"] for one in self.subsets}

    def indices(self, name: str | int) -> npt.NDArray[np.int64]:
        """Return the indices of the sequences of a subset, which is named or numbered."""
        number = self.names.index(name) if isinstance(name, str) else name
        return np.flatnonzero(self.subset_of == number)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {size:,}" for name, size in self.sizes.items())
        return f"<Split of {len(self.subset_of):,} sequences ({sizes}; {self.removed:,} removed)>"


class CertificateCheck(Fields):
    """What was checked of a certificate. It is true if nothing fails.

    Attributes
    ----------
    failures : list of str
        What does not hold, a sentence each.
    relations : list of str
        The relations of the certificate.
    records, removed, compared : int
        Sequences of the subsets, removed ones, and those that were compared.
    similar, pairs, cells : int
        Similar pairs of different subsets, and the pairs and cells that were computed.
    statistics : str
        How E-values are computed, in words.
    seconds : float
        How long the call took.
    """

    failures: list[str]
    relations: list[str]
    records: int
    removed: int
    compared: int
    similar: int
    pairs: int
    cells: int
    statistics: str
    seconds: float

    def __bool__(self) -> bool:
        return not self.failures

    def __repr__(self) -> str:
        return f"<CertificateCheck: {'holds' if self else f'{len(self.failures)} failures'}>"


def texts_of(name: str, values: Any, size: int) -> list[str]:
    """Return a text for each sequence; an empty one where the value is None or NaN."""
    if values is None:
        return []
    if isinstance(values, (str, os.PathLike)):
        raise InputError(f"{name} is {shown(values)}; it must be a list with a value for each sequence.")
    texts = ["" if is_missing(value) else str(value) for value in values]
    if len(texts) != size:
        raise InputError(f"{name} has {len(texts):,} values for {size:,} sequences.")
    return texts


def numbers_of(name: str, values: Any, size: int) -> list[float]:
    """Return a number for each sequence."""
    if values is None:
        return []
    numbers = [float(value) for value in np.asarray(values, dtype=np.float64).ravel()]
    if len(numbers) != size:
        raise InputError(f"{name} has {len(numbers):,} values for {size:,} sequences.")
    return numbers


def columns_of_labels(labels: Any, size: int) -> list[tuple[str, list[str]]]:
    """Return the names and texts of columns of labels: of one list, of a dict, or of a DataFrame."""
    if labels is None:
        return []
    if isinstance(labels, Mapping) or (hasattr(labels, "columns") and hasattr(labels, "__getitem__")):
        names = list(labels) if isinstance(labels, Mapping) else list(labels.columns)
        return [(str(name), texts_of(f"labels[{name!r}]", labels[name], size)) for name in names]
    return [("", texts_of("labels", labels, size))]
