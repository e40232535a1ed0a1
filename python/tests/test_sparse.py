"""Sparse values and score distances equal the values of dense results."""

from __future__ import annotations

import math
import pathlib
import warnings
from typing import Any

import numpy as np
import pytest
from inputs import family

import alnus

SEQUENCES = [*family(101, 40), "", "W"]
OTHERS = family(102, 13)
CUTOFFS: list[tuple[Any, list[float]]] = [
    ("score", [0, 20, 40, 1000]),
    ("identity", [0, 0.3, 0.57, 1]),
    ("distance", [0, 0.43, 0.7, 1]),
    ("score_distance", [0, 5, 50, 200, 1e6]),
]


def passes(values: np.ndarray, value: str, cutoff: float) -> np.ndarray:
    if value == "identity":
        return values >= cutoff - 1e-12
    return values >= cutoff if value == "score" else values <= cutoff + 1e-12


@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
def test_score_distances_are_what_scores_lack_of_self_scores(mode: Any) -> None:
    square = alnus.cdist(SEQUENCES, SEQUENCES, value="score", mode=mode, alphabet="protein")
    own = np.diag(square)
    expected = np.minimum.outer(own, own) - square
    missing = np.array([sequence == "" for sequence in SEQUENCES])
    expected[missing[:, None] | missing] = 2**31 - 1
    values = alnus.pdist(SEQUENCES, value="score_distance", mode=mode, alphabet="protein")
    assert values.tolist() == expected[np.triu_indices(len(own), 1)].tolist()
    part = alnus.cdist(SEQUENCES[:5], SEQUENCES, value="score_distance", mode=mode, alphabet="protein")
    assert part.tolist() == expected[:5].tolist()


@pytest.mark.parametrize("value, cutoffs", CUTOFFS)
@pytest.mark.parametrize("mode", ["local", "global"])
def test_pairs_of_one_set_are_those_that_pass(value: Any, cutoffs: list[float], mode: Any) -> None:
    dense = alnus.pdist(SEQUENCES, value=value, mode=mode, alphabet="protein")
    i, j = np.triu_indices(len(SEQUENCES), 1)
    for cutoff in cutoffs:
        words: dict[str, Any] = {"value": value, "cutoff": cutoff, "mode": mode, "alphabet": "protein"}
        chosen = passes(dense, value, cutoff)
        first, second, values = alnus.pdist(SEQUENCES, format="pairs", **words)
        order = np.lexsort((second, first))
        assert first[order].tolist() == i[chosen].tolist() and second[order].tolist() == j[chosen].tolist()
        np.testing.assert_allclose(values[order], dense[chosen], rtol=0, atol=1e-12)
        sparse = alnus.pdist(SEQUENCES, **words)
        assert sparse.format == "csr" and sparse.nnz == 2 * chosen.sum()
        assert sparse.shape == (len(SEQUENCES),) * 2
        full = sparse.toarray()
        np.testing.assert_allclose(full[i[chosen], j[chosen]], dense[chosen], rtol=0, atol=1e-12)
        assert (full == full.T).all()
        assert (alnus.pdist(SEQUENCES, format="coo", **words).toarray() == full).all()


@pytest.mark.parametrize("value, cutoffs", CUTOFFS)
def test_pairs_of_two_sets_are_those_that_pass(value: Any, cutoffs: list[float]) -> None:
    dense = alnus.cdist(SEQUENCES, OTHERS, value=value, alphabet="protein")
    for cutoff in cutoffs:
        words: dict[str, Any] = {"value": value, "cutoff": cutoff, "alphabet": "protein"}
        i, j = np.nonzero(passes(dense, value, cutoff))
        first, second, values = alnus.cdist(SEQUENCES, OTHERS, format="pairs", **words)
        order = np.lexsort((second, first))
        assert first[order].tolist() == i.tolist() and second[order].tolist() == j.tolist()
        np.testing.assert_allclose(values[order], dense[i, j], rtol=0, atol=1e-12)
        sparse = alnus.cdist(SEQUENCES, OTHERS, **words)
        assert sparse.shape == dense.shape and sparse.nnz == len(i)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_sequences_have_few_pairs(count: int) -> None:
    sequences = ["MKVLAW"] * count
    sparse = alnus.pdist(sequences, value="distance", cutoff=0)
    assert sparse.shape == (count, count) and sparse.nnz == count * (count - 1)
    pairs = alnus.pdist(sequences, cutoff=0, format="pairs")
    assert [len(one) for one in pairs] == [count * (count - 1) // 2] * 3


@pytest.mark.parametrize(
    "words",
    [
        {"format": "csr"},
        {"format": "condensed", "cutoff": 1},
        {"format": "rectangle"},
        {"format": "crs", "cutoff": 1},
        {"cutoff": math.nan},
        {"cutoff": "much"},
        {"cutoff": True},
        {"format": 5, "cutoff": 1},
        {"value": "score_distnce"},
    ],
    ids=str,
)
def test_formats_and_cutoffs_that_make_no_sense_are_refused(words: Any) -> None:
    with pytest.raises(alnus.InputError):
        alnus.pdist(OTHERS, **words)


@pytest.mark.parametrize("value", ["identity", "distance"])
@pytest.mark.parametrize("cutoff", [30, 1.01, -0.01, np.float32(40), math.inf, -math.inf])
def test_a_cutoff_of_fractions_is_a_fraction(value: Any, cutoff: Any) -> None:
    meant = {30: r" from 0 to 1: write 0\.3 for 30%", 40: r" from 0 to 1: write 0\.4 for 40%"}
    said = rf"cutoff is .+, but (identities|distances) are fractions{meant.get(cutoff, '; it must be from 0 to 1')}\."
    for words in ({}, {"format": "pairs"}, {"top_k": 1}):
        with pytest.raises(alnus.InputError, match=said):
            alnus.pdist(OTHERS, value=value, cutoff=cutoff, **words)
        with pytest.raises(alnus.InputError, match=said):
            alnus.cdist(OTHERS, OTHERS, value=value, cutoff=cutoff, **words)


def test_filters_in_percent_are_from_0_to_100(tmp_path: pathlib.Path) -> None:
    for wrong in ({"min_identity": 101}, {"min_identity": -1}, {"min_coverage": 100.5}):
        with pytest.raises(alnus.InputError, match="percent from 0 to 100"):
            list(alnus.all_pairs(OTHERS, **wrong))
        with pytest.raises(alnus.InputError, match="percent from 0 to 100"):
            alnus.write_all_pairs(OTHERS, output=tmp_path / "x.tsv", **wrong)


def test_a_cutoff_at_an_identity_has_its_pairs() -> None:
    sequences = ["MKVLAW"[:k] + "PPPPPP"[k:] for k in range(7)] + ["MKV", "MKA", "MKP"]
    for denominator in ("alignment", "shorter", "longer"):
        values = alnus.pdist(sequences, value="identity", mode="global", denominator=denominator)
        for cutoff in set(values.tolist()):
            found = alnus.pdist(
                sequences, value="identity", mode="global", denominator=denominator, cutoff=cutoff, format="pairs"
            )
            assert len(found[2]) == (values >= cutoff).sum()


def test_warnings_of_cutoffs_name_arguments_of_pdist() -> None:
    with pytest.warns(alnus.AlnusWarning, match="cutoff is relative to the aligned columns") as said:
        alnus.pdist(OTHERS, value="identity", cutoff=0.5, format="pairs")
    (warning,) = said
    assert str(warning.message).endswith("Divide by more than those columns: denominator shorter, longer or mean.")
    with pytest.warns(alnus.AlnusWarning, match=r"^A cutoff of 0\.5% identity drops next to nothing\.$"):
        alnus.pdist(OTHERS, value="identity", cutoff=0.005, format="pairs", denominator="longer")


@pytest.mark.parametrize("value", ["score", "identity", "distance", "score_distance"])
@pytest.mark.parametrize("others", [None, OTHERS])
def test_the_nearest_of_each_row_are_those_of_the_dense_values(value: Any, others: Any) -> None:
    words: Any = {"mode": "global", "value": value, "alphabet": "protein", "denominator": "longer"}
    dense = alnus.cdist(SEQUENCES, others or SEQUENCES, **words)
    allowed = np.ones(dense.shape, bool) if others else ~np.eye(len(dense), dtype=bool)
    allowed[:, [sequence == "" for sequence in others or SEQUENCES]] = False
    near = -dense if "distance" in value else dense
    for top_k in (1, 4, 1000):
        found = (
            alnus.cdist(SEQUENCES, others, top_k=top_k, **words)
            if others
            else alnus.pdist(SEQUENCES, top_k=top_k, **words)
        )
        assert found.shape == dense.shape
        for row in range(len(dense)):
            if SEQUENCES[row] == "":
                assert found.indptr[row] == found.indptr[row + 1]
                continue
            columns = found.indices[found.indptr[row] : found.indptr[row + 1]]
            assert allowed[row, columns].all() and len(set(columns)) == min(top_k, allowed[row].sum())
            assert found.data[found.indptr[row] : found.indptr[row + 1]].tolist() == dense[row, columns].tolist()
            left_out = np.setdiff1d(np.flatnonzero(allowed[row]), columns)
            if len(left_out) > 0:
                assert near[row, left_out].max() <= near[row, columns].min()


def test_a_cutoff_leaves_some_of_the_nearest() -> None:
    words: Any = {"mode": "global", "value": "identity", "alphabet": "protein"}
    nearest = alnus.pdist(SEQUENCES, top_k=3, **words)
    some = alnus.pdist(SEQUENCES, top_k=3, cutoff=0.4, **words)
    nearest.data[nearest.data < 0.4] = 0
    nearest.eliminate_zeros()
    assert (some != nearest).nnz == 0 and 0 < some.nnz < 3 * len(SEQUENCES)


@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
@pytest.mark.parametrize("missing, alphabet", [("", "protein"), ("XXXX", "protein"), ("NNNN", "dna")])
def test_a_missing_sequence_is_far_from_everything(mode: Any, missing: str, alphabet: Any) -> None:
    sequences = ["ACGTACGA", missing, "ACGTACGT", missing]
    words: Any = {"value": "score_distance", "mode": mode, "alphabet": alphabet}
    with pytest.warns(alnus.AlnusWarning, match="Nothing can be aligned with them"):
        dense = alnus.cdist(sequences, sequences, **words)
    far = np.zeros((4, 4), bool)
    far[[1, 3]] = far[:, [1, 3]] = True
    assert (dense[far] == 2**31 - 1).all() and (dense[~far] < 100).all()
    with pytest.warns(alnus.AlnusWarning, match=r"2 sequences .*the first is '1'"):
        first, second, _ = alnus.pdist(sequences, cutoff=1e9, format="pairs", **words)
    assert first.tolist() == [0] and second.tolist() == [2]
    for value in ("score_distance", "distance", "score"):
        with pytest.warns(alnus.AlnusWarning, match="nobody's neighbours"):
            near = alnus.pdist(sequences, top_k=3, **{**words, "value": value})
        places = near.tocoo()
        assert places.row.tolist() == [0, 2] and places.col.tolist() == [2, 0]


def test_local_distances_give_a_warning() -> None:
    said = r"^The (distance|identity) of a pair is relative to the aligned columns, and a local alignment may be only"
    for value in ("distance", "identity"):
        with pytest.warns(alnus.AlnusWarning, match=said) as found:
            alnus.pdist(OTHERS, value=value)
        assert str(found[0].message).endswith("columns: denominator shorter, longer or mean. Or choose mode global.")
        with pytest.warns(alnus.AlnusWarning, match=said):
            alnus.cdist(OTHERS, OTHERS, value=value)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alnus.pdist(OTHERS, mode="global")
        alnus.pdist(OTHERS, denominator="longer")
        alnus.pdist(OTHERS, value="score")
