"""Audits: what leaks from one set into another, and out of clusters, as tables and numbers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from alnus import _alnus
from alnus._arguments import path
from alnus._clusters import Clusters, Split, texts_of
from alnus._errors import InputError
from alnus._sequences import Database
from alnus._tables import Columns, Fields, Table, objects

if TYPE_CHECKING:
    import numpy.typing as npt

_EQUAL = 255  # the number of the relation of records that are equal and have no other relation


class Audit(Fields):
    """What leaks from earlier sets into later ones. It is true if nothing leaks.

    Records are numbered in each set, from 0, as they were given; those of ``splits``, in the one set that was given. In
    the tables ``id`` and ``set`` are the id of a record of a later set and the name of that set, and ``record`` is its
    number.

    Attributes
    ----------
    leaks : Table
        A row for each similar pair: ``id``, ``set``, ``earlier_id``, ``earlier_set``, ``relation`` (the first one that
        the pair has, or "equal"), ``value`` (identity in percent, E-value, score or score distance, as in the
        threshold of the relation), ``record``, ``earlier_record``.
    nearest : Table
        A row for each record of the later sets: ``id``, ``set``, ``nearest_id``, ``nearest_set``, ``evalue``, ``bits``,
        ``identity`` and ``identity_shorter`` (identical residues divided by the columns of the alignment and by the
        shorter sequence), ``coverage`` and ``nearest_coverage``, all four from 0 to 1, ``strand``, ``begin``, ``end``,
        ``nearest_begin``, ``nearest_end``, ``cigar``, ``record``, ``nearest_record``. Where no E-value is low enough,
        numbers are NaN or -1 and texts are None.
    equal : Table
        A row for each record that is equal to earlier ones, with the first of these: ``id``, ``set``, ``other_id``,
        ``other_set``, ``record``, ``other_record``.
    contained : Table
        A row for each record that is a piece of a longer one of another set, with the columns of ``equal``.
    counts : Table
        How many pairs of two sets are similar, by the first relation that they have: ``set``, ``earlier_set``,
        ``relation``, ``records``, ``pairs``.
    strata : Table
        The records of each later set by the E-value of the nearest one: ``set``, ``evalue_above``, ``evalue_to``,
        ``records``. Above 0.001, the first stratum of each set, no nearest record is significant.
    sets : list of dict
        ``name``, ``records`` and ``residues`` of each set; of later ones also ``compared`` (pairs), ``leaking`` (its
        records that are similar to an earlier one), ``leaking_earlier`` (the earlier ones), ``equal``,
        ``equal_earlier``, ``contained``, ``contained_earlier``, and the list ``identities`` (records whose
        ``identity_shorter`` is up to 0.1, up to 0.2 and so on).
    relations : list of str
        The relations.
    pairs, cells : int
        The pairs and cells that were computed.
    statistics : str
        How E-values are computed, in words.
    seconds : float
        How long the call took.
    """

    leaks: Table
    nearest: Table
    equal: Table
    contained: Table
    counts: Table
    strata: Table
    sets: list[dict[str, Any]]
    relations: list[str]
    pairs: int
    cells: int
    statistics: str
    seconds: float

    def __bool__(self) -> bool:
        return len(self.leaks) == 0

    def __repr__(self) -> str:
        said = ", ".join(f"{one['name']}: {one['leaking']:,} of {one['records']:,} leak" for one in self.sets[1:])
        return f"<Audit: {said}>"


class ClusterAudit(Fields):
    """Similar sequences of different clusters. It is true if the clusters keep their promise.

    Attributes
    ----------
    across : Table
        A row for each similar pair of different clusters: ``id``, ``other_id``, ``cluster``, ``other_cluster``,
        ``relation``, ``value``, ``record``, ``other_record``, as in ``Audit.leaks``.
    representatives : Table
        The rows of those pairs whose sequences are both representatives.
    unrepresented : uint32 array
        The sequences that are not similar to the representative of their cluster.
    records, left_out, records_across : int
        Sequences with a cluster, without one, and in pairs of different clusters.
    clusters : int
        The clusters.
    relations : list of str
        The relations.
    similar, pairs, cells : int
        Similar pairs of sequences with a cluster, and the pairs and cells that were computed.
    statistics : str
        How E-values are computed, in words.
    holds : bool
        True if the promise holds.
    seconds : float
        How long the call took.
    """

    across: Table
    representatives: Table
    unrepresented: npt.NDArray[np.uint32]
    records: int
    left_out: int
    records_across: int
    clusters: int
    relations: list[str]
    similar: int
    pairs: int
    cells: int
    statistics: str
    holds: bool
    seconds: float

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        said = "holds" if self.holds else "does not hold"
        return f"<ClusterAudit: {len(self.across):,} similar pairs of different clusters; the promise {said}>"


class AuditedSet:
    """A set of an audit: its name, its records, and what these are called in the tables.

    ``numbers`` are the numbers of the records in the set that was given, if this is a subset of it.
    """

    def __init__(self, name: str, database: Database, numbers: npt.NDArray[np.int64] | None = None) -> None:
        self.name = name
        self.database = database
        self.numbers = numbers

    def given(self, records: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the numbers of records as they were given."""
        return records if self.numbers is None else self.numbers[records]


def audit_of(sets: list[AuditedSet], found: dict[str, Any]) -> Audit:
    """Return an audit of what the library has found."""
    relations = found["relations"]
    names = [one.name for one in sets]
    nearest = found["nearest"]

    def sides(table: Columns, *prefixes: str) -> tuple[Columns, Columns]:
        texts: Columns = {}
        numbers: Columns = {}
        for prefix in prefixes:
            of_set, records = table[f"{prefix}set"], table[f"{prefix}record"]
            texts[f"{prefix}id"] = _ids(sets, of_set, records)
            texts[f"{prefix}set"] = objects([None if one < 0 else names[one] for one in of_set.tolist()])
            numbers[f"{prefix}record"] = _given(sets, of_set, records)
        return texts, numbers

    def leaks() -> Columns:
        texts, numbers = sides(found["leaks"], "", "earlier_")
        return {**texts, **_relation_and_value(found["leaks"], relations), **numbers}

    def pairs(table: Columns) -> Columns:
        texts, numbers = sides(table, "", "other_")
        return {**texts, **numbers}

    def nearest_table() -> Columns:
        sizes = [len(one.database) for one in sets[1:]]
        table: Columns = {
            "set": np.repeat(np.arange(1, len(sets)), sizes),
            "record": np.concatenate([np.arange(size) for size in sizes]),
        }
        for name in nearest[1]:
            parts = [one[name] for one in nearest[1:]]
            is_text = isinstance(parts[0], list)
            table[name] = objects([text for part in parts for text in part]) if is_text else np.concatenate(parts)
        texts, numbers = sides(table, "", "nearest_")
        return {**texts, **{name: one for name, one in table.items() if name not in {**texts, **numbers}}, **numbers}

    def counts() -> Columns:
        later, earlier, relation, records, of_pairs = (
            zip(*found["counts"], strict=True) if found["counts"] else [()] * 5
        )
        return {
            "set": objects([names[one] for one in later]),
            "earlier_set": objects([names[one] for one in earlier]),
            "relation": objects(list(relation)),
            "records": np.array(records, dtype=np.int64),
            "pairs": np.array(of_pairs, dtype=np.int64),
        }

    limits = [np.inf, *found["evalue_limits"], 0.0]
    strata = [
        (one.name, limits[k + 1], limits[k], count)
        for one, audited in zip(sets[1:], found["sets"][1:], strict=True)
        for k, count in enumerate(audited.pop("strata"))
    ]

    def strata_table() -> Columns:
        of_set, above, to, records = zip(*strata, strict=True)
        return {
            "set": objects(list(of_set)),
            "evalue_above": np.array(above),
            "evalue_to": np.array(to),
            "records": np.array(records, dtype=np.int64),
        }

    for one, audited in zip(sets, found["sets"], strict=True):
        audited["name"] = one.name
    return Audit(
        leaks=Table(len(found["leaks"]["record"]), leaks),
        nearest=Table(sum(len(one.database) for one in sets[1:]), nearest_table),
        equal=Table(len(found["equal"]["record"]), lambda: pairs(found["equal"])),
        contained=Table(len(found["contained"]["record"]), lambda: pairs(found["contained"])),
        counts=Table(len(found["counts"]), counts),
        strata=Table(len(strata), strata_table),
        sets=found["sets"],
        relations=relations,
        **{name: found[name] for name in ("pairs", "cells", "statistics", "seconds")},
    )


def cluster_audit_of(
    database: Database, names: list[str], cluster_of: npt.NDArray[np.int64], found: dict[str, Any]
) -> ClusterAudit:
    """Return an audit of clusters, of what the library has found."""

    def table_of(pairs: Columns) -> Table:
        def columns() -> Columns:
            ids: Columns = {}
            clusters: Columns = {}
            for prefix in ("", "other_"):
                records = pairs[f"{prefix}record"]
                ids[f"{prefix}id"] = objects(database._core.some_ids(records.astype(np.uint32)))
                clusters[f"{prefix}cluster"] = objects([names[one] for one in cluster_of[records].tolist()])
            numbers = {name: pairs[name] for name in ("record", "other_record")}
            return {**ids, **clusters, **_relation_and_value(pairs, found["relations"]), **numbers}

        return Table(len(pairs["record"]), columns)

    found = {**found, "across": table_of(found["across"]), "representatives": table_of(found["representatives"])}
    return ClusterAudit(**found)


def subsets_of(database: Database, splits: Any) -> list[AuditedSet]:
    """Return the subsets of a set, the largest first. ``splits`` is a file, or has the name of each one's subset."""
    names, _, set_of = _sets_of("splits", database, splits)
    sizes = np.bincount(set_of[set_of >= 0], minlength=len(names))
    order = [int(one) for one in np.argsort(-sizes, kind="stable") if sizes[one] > 0]
    if len(order) < 2:
        raise InputError(
            f"splits has {len(order)} subset{'' if len(order) == 1 else 's'}; an audit compares two or more."
        )
    numbers = [np.flatnonzero(set_of == one) for one in order]
    return [AuditedSet(names[one], database[of], of) for one, of in zip(order, numbers, strict=True)]


def clusters_of(database: Database, clusters: Any) -> tuple[list[str], list[int], npt.NDArray[np.int64]]:
    """Return names and representatives (-1: none) of clusters, and the number of each record's cluster (-1: none)."""
    if not isinstance(clusters, Clusters):
        return _sets_of("clusters", database, clusters)
    if len(clusters.representative) != len(database):
        raise InputError(f"clusters has {len(clusters.representative):,} values for {len(database):,} sequences.")
    return (
        database._core.some_ids(clusters.representatives),
        [int(one) for one in clusters.representatives],
        clusters.labels,
    )


def _sets_of(name: str, database: Database, given: Any) -> tuple[list[str], list[int], npt.NDArray[np.int64]]:
    if isinstance(given, str | os.PathLike):
        names, representatives, of_file = _alnus.record_sets(path(name, given), database._core)
        return names, representatives, of_file
    if isinstance(given, Split):
        given = [None if one < 0 else given.names[one] for one in given.subset_of]
    texts = texts_of(name, given, len(database))
    numbers: dict[str, int] = {}
    set_of = np.array([numbers.setdefault(one, len(numbers)) if one else -1 for one in texts], dtype=np.int64)
    return list(numbers), [-1] * len(numbers), set_of


def _relation_and_value(table: Columns, relations: Sequence[str]) -> Columns:
    names = [relations[one] if one != _EQUAL else "equal" for one in table["relation"].tolist()]
    return {"relation": objects(names), "value": table["value"]}


def _ids(
    sets: list[AuditedSet], of_set: npt.NDArray[np.int64], records: npt.NDArray[np.int64]
) -> npt.NDArray[np.object_]:
    ids = objects([None] * len(records))
    for number, one in enumerate(sets):
        here = np.flatnonzero(of_set == number)
        ids[here] = objects(one.database._core.some_ids(records[here].astype(np.uint32)))
    return ids


def _given(
    sets: list[AuditedSet], of_set: npt.NDArray[np.int64], records: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    given = records.copy()
    for number, one in enumerate(sets):
        here = of_set == number
        given[here] = one.given(records[here])
    return given
