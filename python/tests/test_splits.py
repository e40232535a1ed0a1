"""Clusters, splits, their certificates and folds for cross-validation."""

from __future__ import annotations

import itertools
import json
import pathlib
import random
from typing import Any

import numpy as np
import pytest

import alnus
from alnus.model_selection import SimilarityKFold

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
RELATION = "whole:60"


def families(count: int, members: int, seed: int = 1) -> list[str]:
    """Return random sequences, each with variants that differ in a tenth of their letters, family by family."""
    draw = random.Random(seed)
    sequences = []
    for _ in range(count):
        parent = draw.choices(LETTERS, k=60)
        for _ in range(members):
            child = list(parent)
            for place in draw.sample(range(60), 6):
                child[place] = draw.choice(LETTERS)
            sequences.append("".join(child))
    return sequences


FAMILIES = families(10, 4)


def similar_pairs(sequences: list[str], percent: float) -> set[tuple[int, int]]:
    """Return the pairs that are similar, by the highest identity of each pair."""
    pairs = np.array(list(itertools.combinations(range(len(sequences)), 2)))
    highest = alnus.identity_range(sequences, sequences, pairs, denominator="end_gaps", preset="emboss-needle")[:, 1]
    return {(int(a), int(b)) for (a, b), one in zip(pairs, highest, strict=True) if 100 * one >= percent}


def test_clusters_are_the_families() -> None:
    for promise in ("components", "representatives"):
        found = alnus.cluster(FAMILIES, relation=RELATION, promise=promise)  # type: ignore[arg-type]
        assert len(found) == 10 and found.sizes.tolist() == [4] * 10
        assert [found.labels[i] for i in range(40)] == [found.labels[i - i % 4] for i in range(40)]
    assert repr(found) == "<Clusters: 40 sequences in 10 clusters>"


def test_both_promises_hold() -> None:
    draw = random.Random(3)
    sequences = families(6, 6, seed=2)
    for k in range(6):  # a mixture of two members of each family
        both = zip(sequences[6 * k], sequences[6 * k + 1], strict=True)
        sequences.append("".join(draw.choice(pair) for pair in both))
    similar = similar_pairs(sequences, 80)
    apart = alnus.cluster(sequences, relation="whole:80")
    assert all(apart.labels[a] == apart.labels[b] for a, b in similar)
    for choice in ("greedy", "set_cover"):
        found = alnus.cluster(sequences, relation="whole:80", promise="representatives", choice=choice, identities=True)  # type: ignore[arg-type]
        chosen = {int(one) for one in found.representatives}
        assert not any(a in chosen and b in chosen for a, b in similar)
        assert found.identity is not None
        for i, representative in enumerate(found.representative.tolist()):
            assert i == representative or (min(i, representative), max(i, representative)) in similar
            assert found.identity[i] >= 80


def test_priorities_choose_representatives() -> None:
    priority = [i % 4 == 2 for i in range(40)]
    found = alnus.cluster(FAMILIES, relation=RELATION, promise="representatives", priority=priority)
    assert all(i % 4 == 2 for i in found.representatives)


def test_files_of_clusters(tmp_path: pathlib.Path) -> None:
    tsv, clstr = tmp_path / "c.tsv", tmp_path / "c.clstr"
    alnus.cluster(FAMILIES, relation=RELATION, promise="representatives", tsv=tsv, clstr=clstr)
    rows = [line.split("\t") for line in tsv.read_text().splitlines()]
    assert len(rows) == 40 and sum(a == b for a, b in rows) == 10
    assert clstr.read_text().count(">Cluster") == 10


def test_a_split_keeps_similar_sequences_together() -> None:
    made = alnus.split(FAMILIES, 5, relation=RELATION)
    assert made.sizes == {str(k): 8 for k in range(1, 6)}
    assert all(made.subset_of[a] == made.subset_of[b] for a, b in similar_pairs(FAMILIES, 60))
    assert sorted(np.concatenate([made.indices(name) for name in made.names]).tolist()) == list(range(40))
    assert repr(made).startswith("<Split of 40 sequences (1: 8, ")


def test_fractions_names_labels_groups_and_fixed_subsets() -> None:
    labels = ["even" if i // 4 % 2 == 0 else None for i in range(40)]
    groups = ["g" if i in (0, 39) else None for i in range(40)]
    fixed = ["test" if i == 5 else None for i in range(40)]
    made = alnus.split(
        FAMILIES,
        fractions=[6, 4],
        names=["train", "test"],
        relation=RELATION,
        labels={"parity": labels},
        groups=groups,
        fixed=fixed,
    )
    assert made.sizes == {"train": 24, "test": 16}
    assert made.subset_of[0] == made.subset_of[39]
    assert made.names[made.subset_of[5]] == "test"
    assert sum(labels[i] == "even" for i in made.indices("train")) == 12


def test_sequences_are_removed_only_if_that_is_allowed() -> None:
    chain = families(1, 1)  # each sequence has five letters of a random one in place of those of the one before
    for step in range(11):
        before, new = chain[-1], families(1, 1, seed=step + 10)[0]
        here = slice(5 * step, 5 * step + 5)
        chain.append(before[: here.start] + new[here] + before[here.stop :])
    with pytest.raises(alnus.InputError, match="component of similar records has 12 of 12 records"):
        alnus.split(chain, 2, relation="whole:90", tolerance=0.5)
    made = alnus.split(chain, 2, relation="whole:90", tolerance=0.5, allow_removal=True)
    assert 1 <= made.lower_bound <= made.removed == (made.subset_of < 0).sum() <= 2
    similar = similar_pairs(chain, 90)
    kept = {i for i in range(12) if made.subset_of[i] >= 0}
    assert all(made.subset_of[a] == made.subset_of[b] for a, b in similar if a in kept and b in kept)


def test_a_certificate_is_verified(tmp_path: pathlib.Path) -> None:
    certificate = tmp_path / "split.json"
    made = alnus.split(FAMILIES, 5, relation=RELATION, certificate=certificate, fasta=tmp_path / "part")
    subsets = [made.names[one] for one in made.subset_of]
    check = alnus.verify(certificate, FAMILIES, subsets=subsets)
    assert check and check.pairs == 640 and check.records == check.compared == 40 and check.relations == [RELATION]
    files = {name: tmp_path / f"part.{name}.fasta" for name in made.names}
    assert alnus.verify(certificate, files, sample=3).compared == 3
    assert alnus.verify(certificate, offline=True)
    swapped = {"1": "2", "2": "1"}
    moved = alnus.verify(certificate, FAMILIES, subsets=[swapped.get(one, one) for one in subsets])
    assert not moved and "subset '1'" in moved.failures[0] and moved.pairs == 0
    text: dict[str, Any] = json.loads(certificate.read_text())
    text["predicate"]["edges"]["within"] += 1
    certificate.write_text(json.dumps(text))
    assert "predicate_sha256" in alnus.verify(certificate, offline=True).failures[0]


def test_methods_say_what_was_compared(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "methods.md"
    made = alnus.split(FAMILIES, 5, relation=RELATION, methods=file)
    text = file.read_text()
    assert "The 40 sequences were split into 5 subsets of 8 sequences" in text and "at least 60%" in text
    assert "(640 pairs) was compared" in text and text.count("**") == 8 and text.count("[Authors: ") == 3
    for one in made.subsets:
        assert f"- {one['name']}: 8 sequences, {one['residues']} residues" in text


def test_similar_pairs_are_kept_and_taken(tmp_path: pathlib.Path) -> None:
    kept = tmp_path / "kept"
    certificates = []
    for number, stored in enumerate([{}, {"checkpoint": kept}, {"checkpoint": kept}, {"edges": kept / "edges.csv"}]):
        path = tmp_path / f"{number}.json"
        relation = None if "edges" in stored else RELATION
        made = alnus.split(FAMILIES, 5, relation=relation, certificate=path, **stored)  # type: ignore[arg-type]
        assert made.pairs == (780 if number < 2 else 0)
        certificates.append(path.read_bytes())
    assert certificates == certificates[:1] * 4
    found = alnus.cluster(FAMILIES, edges=kept / "edges.csv")
    assert found.pairs == 0 and found.labels.tolist() == alnus.cluster(FAMILIES, relation=RELATION).labels.tolist()
    with pytest.raises(alnus.InputError, match="leave relation out"):
        alnus.cluster(FAMILIES, edges=kept / "edges.csv", relation="whole:70")
    with pytest.raises(alnus.InputError, match="relation is empty"):
        alnus.cluster(FAMILIES, relation="")


def test_folds_have_no_similar_sequences_in_common() -> None:
    folds = SimilarityKFold(5, relation=RELATION, stratify=True)
    y = [i // 20 for i in range(40)]
    similar = similar_pairs(FAMILIES, 60)
    seen = []
    for train, test in folds.split(FAMILIES, y):
        assert len(train) == 32 and len(test) == 8
        assert not any((a in train) != (b in train) for a, b in similar)
        assert sum(y[i] for i in test) == 4
        seen += test.tolist()
    assert sorted(seen) == list(range(40)) and folds.get_n_splits() == 5
    features = np.zeros((40, 3))
    again = SimilarityKFold(5, relation=RELATION, sequences=FAMILIES).split(features)
    assert sum(len(test) for _, test in again) == 40


def test_cross_val_score_takes_the_folds() -> None:
    pytest.importorskip("sklearn")
    from sklearn.model_selection import cross_val_score
    from sklearn.neighbors import KNeighborsClassifier

    counts = np.array([[one.count(letter) for letter in LETTERS] for one in FAMILIES])
    y = np.arange(40) // 4 % 2
    cv = SimilarityKFold(5, relation=RELATION, sequences=FAMILIES)
    scores = cross_val_score(KNeighborsClassifier(1), counts, y, cv=cv)
    assert scores.shape == (5,) and np.isfinite(scores).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 2, "fractions": [1, 1]}, "either k"),
        ({}, "either k"),
        ({"k": 2, "relation": "whole:0.3"}, "write whole:30"),
        ({"k": 2, "relation": ""}, "relation"),
        ({"k": 2, "tolerance": 5}, "fraction from 0 to 1"),
        ({"k": 2, "labels": ["a"]}, "1 values for 40 sequences"),
        ({"k": 2, "names": ["a"]}, "1 name, but there are 2 subsets"),
        ({"k": 2, "names": ["a", "a"]}, "Two subsets have the name"),
        ({"k": 2, "fixed": ["x"] * 40}, "There is no subset 'x'|fixed in the subset 'x'"),
        ({"k": 2, "matrix": "PAM30"}, "matrix is for the relations"),
        ({"k": 41}, "40 records cannot make 41 subsets"),
    ],
)
def test_mistakes_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(alnus.InputError, match=message):
        alnus.split(FAMILIES, **arguments)
