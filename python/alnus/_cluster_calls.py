"""The methods of a session that cluster and split a set by the similarity of its sequences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from alnus import _alnus
from alnus._arguments import flag, number, path, shown, whole, word
from alnus._clusters import CertificateCheck, Clusters, Split, columns_of_labels, numbers_of, texts_of
from alnus._errors import InputError
from alnus._following import ProgressArgument, listeners
from alnus._options import LARGEST, Strand
from alnus._scoring import Alphabet, Scoring, ScoringWords, scoring_of
from alnus._sequences import Database, database_of, numbered_as_given
from alnus._session_base import SessionBase
from alnus._signatures import spelled_out

if TYPE_CHECKING:
    import numpy.typing as npt

Path = str | os.PathLike[str]
Promise = Literal["components", "representatives"]
Choice = Literal["greedy", "set_cover"]
RELATION = "whole:30,part:30"


class ClusterCalls(SessionBase):
    """The methods of a session that cluster and split a set by the similarity of its sequences."""

    @spelled_out
    def cluster(
        self,
        sequences: Any,
        *,
        relation: str | None = None,
        promise: Promise = "components",
        choice: Choice = "greedy",
        priority: npt.ArrayLike | None = None,
        identities: bool = False,
        tsv: Path | None = None,
        clstr: Path | None = None,
        edges: Path | None = None,
        checkpoint: Path | None = None,
        strand: Strand | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Clusters:
        """Cluster sequences by their similarity, comparing every pair (docs/splits.md).

        Parameters
        ----------
        sequences
            A set of sequences of the kinds that :meth:`search` takes.
        relation : str, optional
            What makes two sequences similar, by default "whole:30,part:30", or with ``edges`` their relations: one of
            these relations, separated by commas. ``whole:T`` and ``part:T`` are identities in percent, ``related:E`` an
            E-value, ``score:S`` and ``score-distance:S`` scores (docs/allpairs.md). Equal sequences are always similar.
        promise : {"components", "representatives"}, default "components"
            What holds for all clusters. ``"components"``: no two sequences of different clusters are similar.
            ``"representatives"``: each member is similar to its representative, and no two representatives are similar.
        choice : {"greedy", "set_cover"}, default "greedy"
            How representatives are chosen: the longest sequence that is similar to none so far, or the sequence that is
            similar to the most sequences without a representative.
        priority : array of numbers, optional
            A number for each sequence: sequences with a higher number become representatives first. Default: longer
            sequences come first.
        identities : bool, default False
            True: ``Clusters.identity`` is wanted; with ``promise="representatives"`` alone.
        tsv, clstr : path, optional
            Files of the clusters, as MMseqs2 and CD-HIT write them. ``clstr`` needs ``promise="representatives"``.
        edges : path, optional
            A table of edges that ``alnus allpairs --relation`` or ``alnus merge`` wrote. Its pairs are the similar
            ones, and nothing is compared (docs/splits.md).
        checkpoint : path, optional
            A directory in which the similar pairs are kept: an interrupted call goes on from there, and one with other
            options compares nothing again.
        strand : {"plus", "minus", "both"}, optional
            The strands of the longer sequence of each pair that are aligned. Default: both for DNA.
        scoring, alphabet, progress
            The same as for :meth:`search`; ``scoring`` is for the relations of scores alone.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        Clusters

        Examples
        --------
        >>> found = cluster(["MKVLAWQRYT", "MKVLAWQRYS", "GGGGPPPPGG"], relation="whole:80")
        >>> found.labels.tolist(), found.representatives.tolist()
        ([0, 0, 1], [0, 2])
        """
        self._check_free()
        database = one_set(sequences, self, alphabet)
        relation = _relation_of(relation, edges, {"strand": strand, "scoring": scoring, **more})
        of_call = scoring_of_relation(relation, scoring, database.alphabet, more)
        with listeners(progress) as listening:
            found = _alnus.cluster(
                self._core,
                database._core,
                of_call._core,
                relation=relation,
                strand=word("strand", strand),
                promise=word("promise", promise) or "components",
                choice=word("choice", choice) or "greedy",
                priority=numbers_of("priority", priority, len(database)),
                identities=flag("identities", identities),
                tsv="" if tsv is None else path("tsv", tsv),
                clstr="" if clstr is None else path("clstr", clstr),
                edges="" if edges is None else path("edges", edges),
                checkpoint="" if checkpoint is None else path("checkpoint", checkpoint),
                listeners=listening,
            )
        return Clusters(**found, _database=database)

    @spelled_out
    def split(
        self,
        sequences: Any,
        k: int | None = None,
        *,
        fractions: Sequence[float] | None = None,
        names: Sequence[str] | None = None,
        relation: str | None = None,
        tolerance: float | tuple[int, int] = 0.05,
        labels: Any = None,
        groups: Any = None,
        fixed: Any = None,
        allow_removal: bool = False,
        priority: npt.ArrayLike | None = None,
        seed: int = 1,
        csv: Path | None = None,
        certificate: Path | None = None,
        methods: Path | None = None,
        report: Path | None = None,
        graph_part: Path | None = None,
        fasta: Path | None = None,
        ids: Path | None = None,
        edges: Path | None = None,
        checkpoint: Path | None = None,
        strand: Strand | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Split:
        """Split a set such that no two sequences of different subsets are similar, comparing every pair.

        Parameters
        ----------
        sequences
            A set of sequences of the kinds that :meth:`search` takes. Their ids must differ.
        k : int, optional
            How many subsets there are, all of one size. Give either ``k`` or ``fractions``.
        fractions : list of float, optional
            The share of the sequences that each subset gets, such as ``[0.8, 0.1, 0.1]``.
        names : list of str, optional
            The names of the subsets. Default: "1", "2", ...
        relation : str, optional
            What makes two sequences similar, as for :meth:`cluster`.
        tolerance : float or (int, int), default 0.05
            By which fraction of its share a subset may be smaller or larger, from 0 to 1; or the lowest and the highest
            number of sequences of every subset.
        labels : list of labels, dict of name to such a list, or DataFrame, optional
            Labels of the sequences, which are spread over the subsets. None and NaN are no labels.
        groups : list, optional
            A group for each sequence, or None: the sequences of a group go to one subset.
        fixed : list, optional
            The name of the subset that each sequence must go to, or None.
        allow_removal : bool, default False
            True: sequences may be removed, as few as are found to do, where whole components do not fit.
        priority : array of whole numbers from 0, optional
            Removing a sequence costs 1 and its priority.
        seed : int, default 1
            The seed of the search for subsets. Equal seeds give equal subsets on every machine.
        csv, certificate, methods, report, graph_part : path, optional
            Files of the split: ids and subsets, its certificate (docs/certificate.md), a paragraph for the methods of a
            paper with answers to DOME's questions on data splits, and GraphPart's table.
        fasta, ids : path, optional
            What the names of the files of subsets begin with: ``PREFIX.NAME.fasta``, ``PREFIX.NAME.ids``.
        edges, checkpoint : path, optional
            The same as for :meth:`cluster`.
        strand, scoring, alphabet, progress
            The same as for :meth:`cluster`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        Split

        Raises
        ------
        InputError
            If a component of similar sequences is too large for a subset, or components do not fit.

        Examples
        --------
        >>> made = split(["MKVLAWQRYT", "MKVLAWQRYS", "GGGGPPPPGG", "GGGGPPPPGA"], 2, relation="whole:80")
        >>> bool(made.subset_of[0] == made.subset_of[1]), made.sizes
        (True, {'1': 2, '2': 2})
        """
        self._check_free()
        database = one_set(sequences, self, alphabet)
        relation = _relation_of(relation, edges, {"strand": strand, "scoring": scoring, **more})
        of_call = scoring_of_relation(relation, scoring, database.alphabet, more)
        if (k is None) == (fractions is None):
            raise InputError("Give either k, the number of subsets, or fractions.")
        shares = [1.0] * whole("k", k, 2, 10_000) if k is not None else [float(one) for one in fractions or ()]
        bounds = None
        if isinstance(tolerance, tuple | list):
            if len(tolerance) != 2:
                raise InputError(f"tolerance is {tolerance!r}; it takes a fraction, or (lowest, highest).")
            bounds = (whole("tolerance", tolerance[0], 0, LARGEST), whole("tolerance", tolerance[1], 0, LARGEST))
        columns = columns_of_labels(labels, len(database))
        percent = 5.0 if bounds else 100 * _fraction("tolerance", tolerance)
        files = _alnus.SplitFiles(
            csv="" if csv is None else path("csv", csv),
            graph_part="" if graph_part is None else path("graph_part", graph_part),
            fasta="" if fasta is None else path("fasta", fasta),
            ids="" if ids is None else path("ids", ids),
            certificate="" if certificate is None else path("certificate", certificate),
            methods="" if methods is None else path("methods", methods),
            report="" if report is None else path("report", report),
        )
        with listeners(progress) as listening:
            found = _alnus.split(
                self._core,
                database._core,
                of_call._core,
                relation=relation,
                strand=word("strand", strand),
                fractions=shares,
                names=[str(name) for name in names or ()],
                tolerance=percent,
                bounds=bounds,
                labels=columns,
                groups=texts_of("groups", groups, len(database)),
                fixed=texts_of("fixed", fixed, len(database)),
                allow_removal=flag("allow_removal", allow_removal),
                priority=numbers_of("priority", priority, len(database)),
                seed=whole("seed", seed, 0, 2**64 - 1),
                files=files,
                edges="" if edges is None else path("edges", edges),
                checkpoint="" if checkpoint is None else path("checkpoint", checkpoint),
                listeners=listening,
            )
        return Split(**found, _database=database, _labels=columns)

    @spelled_out
    def verify(
        self,
        certificate: Path,
        sequences: Any = None,
        *,
        subsets: Any = None,
        offline: bool = False,
        sample: int | None = None,
        seed: int = 1,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> CertificateCheck:
        """Check what a certificate of :meth:`split` says, comparing the sequences of different subsets again.

        Parameters
        ----------
        certificate : path
            The certificate.
        sequences : dict of name to set, or a set, optional
            A set of sequences for each subset (the names do not matter); or one set of all, with ``subsets``. Optional
            only with ``offline``.
        subsets : list, optional
            The name of the subset of each sequence, or None for a sequence that was removed.
        offline : bool, default False
            True: check digests and sums alone.
        sample : int, optional
            Compare so many random sequences, each with all sequences of the other subsets. Default: all.
        seed : int, default 1
            The seed of the random sequences.
        scoring, alphabet, progress
            The same as for :meth:`cluster`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        CertificateCheck
            It is true if everything holds that was checked.
        """
        self._check_free()
        if sequences is None and subsets is not None:
            raise InputError("subsets tells the subset of each of the sequences, which are missing.")
        if subsets is None and sequences is not None and not isinstance(sequences, Mapping):
            raise InputError("Give a dict of a set for each subset, or one set with subsets.")
        if offline and sample is not None:
            raise InputError("With offline no sequences are compared; leave sample out.")
        given: Iterable[Any] = () if sequences is None else [sequences] if subsets is not None else sequences.values()
        databases = [one_set(one, self, alphabet) for one in given]
        of_call = scoring_of(scoring, databases[0].alphabet if databases else "protein", more)
        with listeners(progress) as listening:
            found = _alnus.verify(
                self._core,
                path("certificate", certificate),
                [one._core for one in databases],
                [] if subsets is None else texts_of("subsets", subsets, len(databases[0])),
                of_call._core,
                offline=flag("offline", offline),
                sample=0 if sample is None else whole("sample", sample, 1, LARGEST),
                seed=whole("seed", seed, 0, 2**64 - 1),
                listeners=listening,
            )
        return CertificateCheck(**found)


def one_set(sequences: Any, session: SessionBase, alphabet: Alphabet | None) -> Database:
    """Return a set that is numbered as it was given, and a file in its own order."""
    database = numbered_as_given(sequences, database_of(sequences, session, alphabet=alphabet, name="sequences"))
    return database if database._core.ordinals() is None else database.in_file_order()


def _relation_of(relation: str | None, edges: Path | None, compared: Mapping[str, Any]) -> str:
    """Return the relations of a call; an empty text means those of the edges. ``compared``: how pairs are compared."""
    if relation is None:
        if edges is None:
            return RELATION
        for name, value in compared.items():
            if value is not None:
                raise InputError(f"{name} says how sequences are compared, and edges are there; leave it out.")
        return ""
    if not relation:
        raise InputError("relation is empty; it must be a str such as " + repr(RELATION) + ".")
    return relation


def scoring_of_relation(relation: str, scoring: Scoring | None, alphabet: str, words: ScoringWords) -> Scoring:
    """Return the scoring of a call, which only the relations of scores follow."""
    if not isinstance(relation, str):
        raise InputError(f"relation is {shown(relation)}; it must be a str such as {RELATION!r}.")
    given = [name for name, value in {"scoring": scoring, **words}.items() if value is not None]
    if given and "score" not in relation:
        raise InputError(f"{given[0]} is for the relations score and score-distance, and relation is {relation!r}.")
    return scoring_of(scoring, alphabet, words)


def _fraction(name: str, value: Any) -> float:
    given = number(name, value)
    if given is None or not 0 <= given <= 1 or np.isnan(given):
        raise InputError(f"{name} is {shown(value)}; it must be a fraction from 0 to 1.")
    return given
