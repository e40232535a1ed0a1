"""Objects of other packages that are made from results have the results' values."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from inputs import AMINO_ACIDS, family, mutated, random_letters, reverse_complement

import alnus
from alnus import adapters

# ---- scikit-bio ----


def test_skbio_distance_matrix() -> None:
    pytest.importorskip("skbio")
    database = alnus.Database(family(1, 6), ids=list("abcdef"))
    distances = alnus.pdist(database, mode="global")
    matrix = adapters.to_skbio_distance_matrix(distances, database)
    assert matrix.ids == tuple("abcdef")
    assert matrix["a", "b"] == distances[0] and matrix["b", "a"] == distances[0]
    assert matrix["e", "f"] == distances[-1]
    assert list(matrix.condensed_form()) == list(distances)
    assert adapters.to_skbio_distance_matrix([0.5]).ids == ("0", "1")


@pytest.mark.parametrize(
    ("distances", "ids", "text"),
    [
        ([0.1, 0.2], None, "shape"),
        ([[0.0, 0.1], [0.1, 0.0]], None, "shape"),
        ([0.1], ["a"], "1 ids for 2"),
        ([0.1, 0.2, 0.3], ["a", "b", "a"], "'a' occurs twice"),
        ([0.1], ["a", None], r"ids\[1\] is None"),
        ([0.1], [float("nan"), "a"], r"ids\[0\] is nan"),
    ],
)
def test_skbio_mistakes(distances: Any, ids: Any, text: str) -> None:
    pytest.importorskip("skbio")
    with pytest.raises(alnus.InputError, match=text):
        adapters.to_skbio_distance_matrix(distances, ids)


# ---- Biopython ----


def _same_as_pair(pair: alnus.Pair) -> Any:
    made: Any = adapters.to_biopython_alignment(pair)
    query, subject = pair.aligned
    assert (made[0], made[1]) == (subject, query)
    assert made.score == pair.score
    assert (made.target.id, made.query.id) == (pair.subject_id, pair.query_id)
    assert str(made.target.seq) == pair._rows.subjects[pair.subject]
    assert str(made.query.seq) == pair._rows.queries[pair.query]
    assert made.length == pair.length
    return made


@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
def test_biopython_alignment(mode: Any) -> None:
    pytest.importorskip("Bio")
    chooser = random.Random(3)
    queries = [random_letters(chooser, AMINO_ACIDS, 60) for _ in range(20)]
    subjects = [mutated(chooser, query[5:50], AMINO_ACIDS, 0.1, 0.15) for query in queries]
    for pair in alnus.align(queries, subjects, mode=mode):
        made = _same_as_pair(pair)
        assert made.coordinates[0][[0, -1]].tolist() == [pair.subject_begin, pair.subject_end]
        assert made.coordinates[1][[0, -1]].tolist() == [pair.query_begin, pair.query_end]


def test_biopython_coordinates_on_the_minus_strand() -> None:
    """The coordinates are those of Biopython's own alignment of the same sequences on the minus strand."""
    align = pytest.importorskip("Bio.Align")
    chooser = random.Random(4)
    subject = random_letters(chooser, "ACGT", 200)
    query = "AAAA" + reverse_complement(subject[50:90] + subject[93:140]) + "CC"
    arguments: dict[str, Any] = {"match": 2, "mismatch": -3, "gaps": (5, 2), "alphabet": "dna"}
    pair = alnus.align([query], [subject], strand="both", **arguments)[0]
    assert pair.strand == -1
    made = _same_as_pair(pair)
    aligner = align.PairwiseAligner(
        mode="local", match_score=2, mismatch_score=-3, open_gap_score=-7, extend_gap_score=-2
    )
    theirs = aligner.align(subject, query, strand="-")[0]
    assert made.score == theirs.score
    assert made.coordinates.tolist() == theirs.coordinates.tolist()
    assert made.format("sam").split("\t")[1] == "16"


def test_biopython_mistakes() -> None:
    pytest.importorskip("Bio")
    with pytest.raises(alnus.InputError, match="detail='alignment'"):
        adapters.to_biopython_alignment(alnus.align("MKVLAW", "MKVAW", detail="score"))
    rows: Any = alnus.align(["MKVLAW"], ["MKVAW"])
    with pytest.raises(alnus.InputError, match=r"rows\[0\]"):
        adapters.to_biopython_alignment(rows)


# ---- scirpy ----


def _receptors(count: int, seed: int) -> list[str]:
    """Different sequences, many of which differ from another one by a residue or two."""
    chooser = random.Random(seed)
    made = ["CASS" + random_letters(chooser, AMINO_ACIDS, 6) + "YEQYF" for _ in range(count // 4)]
    made += [mutated(chooser, chooser.choice(made), AMINO_ACIDS, 0.08, 0.03) for _ in range(3 * count // 4)]
    return sorted(set(made))


def _expected(a: Sequence[str], b: Sequence[str], cutoff: int, scoring: alnus.Scoring) -> np.ndarray:
    """The values that the calculator must store: distance + 1 up to the cutoff, and 0 above it."""
    own = [
        np.array([alnus.align(one, one, alphabet="protein", scoring=scoring).score for one in listed])
        for listed in (a, b)
    ]
    scores = alnus.cdist(a, b, value="score", scoring=scoring, alphabet="protein")
    distances = np.minimum.outer(*own) - scores
    return np.where(distances <= cutoff, distances + 1, 0).astype(int)


def test_distances_of_receptors() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    a, b = _receptors(40, 5), _receptors(24, 6)
    calculator = adapters.AlnusDistanceCalculator(cutoff=12)
    scoring = alnus.Scoring(gaps=(0, 11), mode="global")
    of_one = calculator.calc_dist_mat(np.array(a))
    of_two = calculator.calc_dist_mat(np.array(a), np.array(b))
    for made, expected in ((of_one, _expected(a, a, 12, scoring)), (of_two, _expected(a, b, 12, scoring))):
        assert sparse.isspmatrix_csr(made) and made.dtype == np.uint8
        assert made.toarray().tolist() == expected.tolist()
        assert (made.data > 0).all() and made.has_canonical_format
    assert of_one.diagonal().tolist() == [1] * len(a)
    assert len(a) < of_one.nnz < len(a) ** 2


def test_distances_with_another_scoring_and_session(session: alnus.Session) -> None:
    pytest.importorskip("scipy")
    receptors = _receptors(24, 7)
    scoring = alnus.Scoring(matrix="PAM30", gaps=(9, 1), mode="global")
    made = adapters.AlnusDistanceCalculator(30, scoring=scoring, session=session).calc_dist_mat(receptors)
    assert made.toarray().tolist() == _expected(receptors, receptors, 30, scoring).tolist()


def _missing(kind: str) -> Any:
    if kind in ("NA", "NaT"):
        return getattr(pytest.importorskip("pandas"), kind)
    return {"None": None, "nan": float("nan"), "NumPy's nan": np.float64("nan"), "masked": np.ma.masked}[kind]


@pytest.mark.parametrize("kind", ["None", "nan", "NA", "NaT", "NumPy's nan", "masked"])
def test_a_missing_receptor_is_no_peptide(kind: str) -> None:
    pytest.importorskip("scipy")
    calculator = adapters.AlnusDistanceCalculator()
    whole, listed = ["CASSF", "CASSLF"], ["CASSF", _missing(kind)]
    for missing in (listed, np.array(listed, dtype=object)):
        with pytest.raises(alnus.InputError, match=r"seqs\[1\]"):
            calculator.calc_dist_mat(missing)
        with pytest.raises(alnus.InputError, match=r"seqs2\[1\]"):
            calculator.calc_dist_mat(whole, missing)
        with pytest.raises(alnus.InputError, match=r"sequences\[1\]"):
            alnus.pdist(missing, alphabet="protein")
    if kind != "masked":
        pandas = pytest.importorskip("pandas")
        with pytest.raises(alnus.InputError, match=r"seqs\[1\]"):
            calculator.calc_dist_mat(pandas.Series(listed, dtype=object))
        if kind != "NaT":
            with pytest.raises(alnus.InputError, match=r"seqs\[1\]"):
                calculator.calc_dist_mat(pandas.Series(listed, dtype="string"))


def test_masked_arrays_and_texts_of_missing_values_are_no_peptides() -> None:
    pytest.importorskip("scipy")
    calculator = adapters.AlnusDistanceCalculator()
    masked = np.ma.array(["CASSF", "CASSLF"], mask=[False, True])
    with pytest.raises(alnus.InputError, match=r"seqs\[1\]"):
        calculator.calc_dist_mat(masked)
    with pytest.raises(alnus.InputError, match=r"sequences\[1\]"):
        alnus.pdist(masked)
    texts = np.array(["CASSF", np.nan])  # NumPy writes "nan"
    assert texts.dtype.kind == "U"
    for call in (calculator.calc_dist_mat, alnus.pdist, alnus.Database):
        with pytest.raises(alnus.InputError, match=r"\[1\] is the text 'nan'.*missing"):
            call(texts)
    pandas = pytest.importorskip("pandas")
    for text in ("nan", "None", "<NA>", "NaT"):
        with pytest.raises(alnus.InputError, match=f"'{text}'"):
            alnus.search(pandas.Series(["CASSF", text]), ["CASSF"])
    assert list(alnus.Database(np.array(["NAN", "NANA", "nana"]))) == ["NAN", "NANA", "nana"]
    assert list(alnus.Database(["nan"])) == ["nan"]  # a list has the sequences that its owner wrote


def test_no_receptors() -> None:
    pytest.importorskip("scipy")
    calculator = adapters.AlnusDistanceCalculator()
    assert calculator.calc_dist_mat([]).shape == (0, 0)
    assert calculator.calc_dist_mat(["CASSF"], []).shape == (1, 0)


def test_calculator_mistakes() -> None:
    for cutoff in (-1, 255, 2.5):
        with pytest.raises(alnus.InputError, match="cutoff"):
            adapters.AlnusDistanceCalculator(cutoff)  # type: ignore[arg-type]
    with pytest.raises(alnus.InputError, match="dna"):
        adapters.AlnusDistanceCalculator(scoring=alnus.Scoring(alphabet="dna"))


def test_calculator_is_one_class() -> None:
    kind = adapters.AlnusDistanceCalculator
    assert kind is adapters.AlnusDistanceCalculator
    assert isinstance(pickle.loads(pickle.dumps(kind(7))), kind)
    assert "scirpy" in (kind.__doc__ or "")
    with pytest.raises(AttributeError, match="no attribute"):
        adapters.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_scirpy_takes_it() -> None:
    metrics = pytest.importorskip("scirpy.ir_dist.metrics")
    ir_dist = pytest.importorskip("scirpy").ir_dist
    receptors = _receptors(40, 8)
    calculator = adapters.AlnusDistanceCalculator(cutoff=15)
    assert isinstance(calculator, metrics.DistanceCalculator)
    ours = ir_dist.sequence_dist(receptors + receptors[:3], metric=calculator, cutoff=15)
    pytest.importorskip("parasail")
    theirs = ir_dist.sequence_dist(receptors + receptors[:3], metric="alignment", cutoff=15, n_jobs=1)
    assert (ours.toarray() == theirs.toarray()).all()
