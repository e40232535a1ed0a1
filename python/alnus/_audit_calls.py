"""The method of a session that looks for similar sequences in different sets or clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from alnus import _alnus
from alnus._arguments import number, word
from alnus._audits import Audit, AuditedSet, ClusterAudit, audit_of, cluster_audit_of, clusters_of, subsets_of
from alnus._cluster_calls import RELATION, Promise, one_set, scoring_of_relation
from alnus._errors import InputError
from alnus._following import ProgressArgument, listeners
from alnus._making import NAME
from alnus._options import Strand
from alnus._overload import overload
from alnus._scoring import Alphabet, Scoring, ScoringWords
from alnus._sequences import database_of, databases_of, numbered_as_given
from alnus._session_base import SessionBase
from alnus._signatures import spelled_out

if TYPE_CHECKING:
    from alnus._overload_words import AuditWords


class AuditCalls(SessionBase):
    """The method of a session that looks for similar sequences in different sets or clusters."""

    @overload
    def audit(
        self,
        sequences: Any,
        *later: Any,
        splits: Any = None,
        clusters: None = None,
        evalue: float = 10,
        **more: Unpack[AuditWords],
    ) -> Audit: ...
    @overload
    def audit(
        self, sequences: Any, *, clusters: Any, promise: Promise | None = None, **more: Unpack[AuditWords]
    ) -> ClusterAudit: ...
    @spelled_out
    def audit(
        self,
        sequences: Any,
        *later: Any,
        splits: Any = None,
        clusters: Any = None,
        promise: Promise | None = None,
        relation: str = RELATION,
        evalue: float = 10,
        strand: Strand | None = None,
        scoring: Scoring | None = None,
        alphabet: Alphabet | None = None,
        progress: ProgressArgument = False,
        **more: Unpack[ScoringWords],
    ) -> Any:
        """Find sequences that are similar to one of another set, comparing every pair (docs/audit.md).

        ``audit(train, test)`` compares two sets, and ``audit(train, validation, test)`` each later set with all sets
        before it. ``audit(sequences, splits=...)`` compares the subsets of one set, each with the larger ones, and
        ``audit(sequences, clusters=...)`` looks for similar sequences of different clusters.

        Parameters
        ----------
        sequences, *later
            Sets of sequences of the kinds that :meth:`search` takes.
        splits : list or path, optional
            The name of the subset of each sequence, or None; or a file that tells it (docs/memberships.md).
        clusters : Clusters, list or path, optional
            The clusters of a set: what :meth:`cluster` returned, the name or number of the cluster of each sequence,
            or None; or a file that tells it.
        promise : {"components", "representatives"}, optional
            What ``clusters`` keep, as for :meth:`cluster`. Default: ``"components"``.
        relation : str, default "whole:30,part:30"
            What makes two sequences similar, as for :meth:`cluster`. Identities are in percent.
        evalue : float, default 10
            The largest E-value of a nearest sequence. It has no influence on what leaks.
        strand, scoring, alphabet, progress
            The same as for :meth:`cluster`.
        matrix, gaps, gap_convention, mode, match, mismatch, free_ends, preset
            The arguments of :class:`Scoring`, in place of ``scoring``.

        Returns
        -------
        Audit, or ClusterAudit with ``clusters``
            It is true if nothing leaks, or if the promise holds.

        Examples
        --------
        >>> found = audit({"a": "MKVLAWQRYT"}, {"b": "MKVLAWQRYS", "c": "GGGGPPPPGG"}, relation="whole:80")
        >>> bool(found), found.leaks["id"].tolist(), found.sets[1]["leaking"]
        (False, ['b'], 1)
        >>> clusters = audit(["MKVLAWQRYT", "MKVLAWQRYS"], clusters=[1, 2], relation="whole:80")
        >>> clusters.holds, len(clusters.across)
        (False, 1)
        """
        self._check_free()
        one = [name for name, value in (("splits", splits), ("clusters", clusters)) if value is not None]
        if len(one) > 1:
            raise InputError("Give either splits or clusters.")
        if one and later:
            raise InputError(f"{one[0]} is about the sequences of one set, and {1 + len(later)} are given.")
        if not one and not later:
            raise InputError("An audit compares two sets or more; of one set it needs splits or clusters.")
        if promise is not None and clusters is None:
            raise InputError("promise says what clusters keep; it needs clusters.")
        if not one:
            sets = self._audited_sets([sequences, *later], alphabet)
        else:
            database = one_set(sequences, self, alphabet)
            sets = subsets_of(database, splits) if splits is not None else [AuditedSet("sequences", database)]
        of_call = scoring_of_relation(relation, scoring, sets[0].database.alphabet, more)
        if clusters is None:
            with listeners(progress) as listening:
                found = _alnus.audit(
                    self._core,
                    [each.database._core for each in sets],
                    of_call._core,
                    relation=relation,
                    strand=word("strand", strand),
                    evalue=10.0 if (limit := number("evalue", evalue)) is None else limit,
                    listeners=listening,
                )
            return audit_of(sets, found)
        names, representatives, cluster_of = clusters_of(database, clusters)
        with listeners(progress) as listening:
            found = _alnus.audit_clusters(
                self._core,
                database._core,
                cluster_of,
                representatives,
                names,
                of_call._core,
                relation=relation,
                strand=word("strand", strand),
                promise=word("promise", promise),
                listeners=listening,
            )
        return cluster_audit_of(database, names, cluster_of, found)

    def _audited_sets(self, given: list[Any], alphabet: Alphabet | None) -> list[AuditedSet]:
        """Return sets that are numbered as they were given, and are of one alphabet."""
        names = [f"set {number}" for number in range(1, len(given) + 1)]
        databases = [*databases_of(given[0], given[1], self, alphabet=alphabet, names=(names[0], names[1]))]
        known = databases[0].alphabet
        for value, name in zip(given[2:], names[2:], strict=True):
            databases.append(database_of(value, self, alphabet=alphabet, name=name, other=known))
        sets = []
        for value, database, name in zip(given, databases, names, strict=True):
            numbered = numbered_as_given(value, database)
            numbered = numbered if numbered._core.ordinals() is None else numbered.in_file_order()
            sets.append(AuditedSet(name if numbered.name == NAME else numbered.name, numbered))
        return sets
