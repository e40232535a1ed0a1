"""Cross-validation whose folds have no similar sequences in common, for scikit-learn and its like."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from alnus._errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

    from alnus._session import Session

__all__ = ["SimilarityKFold"]


class SimilarityKFold:
    """Folds of a set of sequences, such that no test sequence is similar to a training sequence.

    It is a splitter as scikit-learn's ``cross_val_score`` and ``GridSearchCV`` take them (``cv``).

    Parameters
    ----------
    n_splits : int, default 5
        The number of folds.
    sequences : optional
        The sequences, if the ``X`` of :meth:`split` has features instead: any set that :func:`alnus.search` takes, with
        as many elements as ``X``. In nested cross-validation ``X`` itself must have the sequences.
    stratify : bool, default False
        True: the labels ``y`` are spread over the folds.
    session : Session, optional
        The session that compares the sequences. Default: :func:`alnus.default_session`.
    **options
        Arguments of :func:`alnus.split`, such as ``relation``, ``tolerance`` and ``allow_removal``. Removed sequences
        are in no fold.

    Examples
    --------
    >>> from alnus.model_selection import SimilarityKFold
    >>> folds = SimilarityKFold(2, relation="whole:80")
    >>> X = ["MKVLAWQRYT", "MKVLAWQRYS", "GGGGPPPPGG", "GGGGPPPPGA"]
    >>> sorted(sorted(test.tolist()) for train, test in folds.split(X))
    [[0, 1], [2, 3]]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        sequences: Any = None,
        stratify: bool = False,
        session: Session | None = None,
        **options: Any,
    ) -> None:
        for name in ("k", "fractions", "groups", "labels", "names"):
            if name in options:
                raise InputError(f"SimilarityKFold has no argument {name}: n_splits, y and groups say this.")
        self.n_splits = n_splits
        self.sequences = sequences
        self.stratify = stratify
        self.session = session
        self.options = options

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds. The arguments are ignored."""
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Yield for each fold the indices of the training sequences and those of the test sequences.

        ``X`` has the sequences, unless they were given before. The sequences of one of ``groups`` are in one fold.
        """
        from alnus._default import default_session
        from alnus._sequences import Database

        session = default_session() if self.session is None else self.session
        sequences = X if self.sequences is None else self.sequences
        if isinstance(sequences, (str, os.PathLike)):
            sequences = Database.open(sequences)
        if self.sequences is not None and len(sequences) != len(X):
            raise InputError(f"X has {len(X):,} elements, and there are {len(sequences):,} sequences.")
        if self.stratify and y is None:
            raise InputError("stratify=True needs y, the labels that are spread over the folds.")
        made = session.split(
            list(sequences) if isinstance(sequences, np.ndarray) else sequences,
            self.n_splits,
            labels=y if self.stratify else None,
            groups=groups,
            **self.options,
        )
        for fold in range(self.n_splits):
            test = made.subset_of == fold
            yield np.flatnonzero(~test & (made.subset_of >= 0)), np.flatnonzero(test)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"SimilarityKFold(n_splits={self.n_splits}{given})"


def __dir__() -> list[str]:
    return __all__
