"""pdist and cdist: every value is that of an alignment of the pair alone, and values come in SciPy's order."""

from __future__ import annotations

import itertools
import pathlib
import random
import warnings
from typing import Any, cast

import numpy as np
import pytest
from inputs import AMINO_ACIDS, family, random_letters, write_fasta
from scipy.spatial.distance import squareform
from support import FULL, Program

import alnus

DENOMINATORS: list[Any] = ["alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"]
SIZES = [0, 1, 2, 3, 31, 32, 33, 65, 100] + ([127, 128, 129, 257, 500] if FULL else [])


def with_odd_ones(seed: int, count: int) -> list[str]:
    """Sequences, some of which are empty, of one residue, or equal."""
    sequences = family(seed, count, shortest=5, longest=40)
    for place, letters in ((3, ""), (7, "W"), (11, ""), (12, sequences[0] if sequences else "")):
        if place < count:
            sequences[place] = letters
    return sequences


def pairs_of(count: int) -> np.ndarray:
    return np.array(list(itertools.combinations(range(count), 2)), dtype=np.int64).reshape(-1, 2)


def test_words_may_have_dashes_or_underscores() -> None:
    texts, pdist = ["MKVLAW", "MKVW", "KVLAWQ"], cast(Any, alnus.pdist)
    expected = alnus.pdist(texts, mode="global", value="score_distance").tolist()
    for value in ("score_distance", "score-distance"):
        assert pdist(texts, mode="global", value=value, denominator="end-gaps").tolist() == expected
        with pytest.raises(alnus.InputError, match="score distances are 0 or more"):
            pdist(texts, mode="global", value=value, cutoff=-1)


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
def test_scores_are_those_of_the_pairs_in_condensed_order(count: int, mode: Any) -> None:
    if count == 0:
        pytest.skip("tested on its own")
    sequences = with_odd_ones(count, count)
    values = alnus.pdist(sequences, value="score", mode=mode, alphabet="protein")
    assert values.dtype == np.float64 and values.shape == (count * (count - 1) // 2,)
    rows = alnus.align_pairs(sequences, sequences, pairs_of(count), mode=mode, detail="score", alphabet="protein")
    assert values.tolist() == rows.score.tolist()
    if count > 1:
        square = squareform(values)
        i, j = count // 3, count - 1
        assert square[i, j] == values[count * i - i * (i + 1) // 2 + j - i - 1]


@pytest.mark.parametrize("count", [0, 1])
def test_few_sequences_have_no_values(count: int) -> None:
    assert alnus.pdist(["MKVLAW"] * count).shape == (0,)


@pytest.mark.parametrize("denominator", DENOMINATORS)
@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
def test_identities_are_counted_from_the_aligned_letters(denominator: Any, mode: Any) -> None:
    sequences = with_odd_ones(5, 26)
    values = alnus.pdist(sequences, value="identity", mode=mode, denominator=denominator)
    expected = []
    for (i, j), value in zip(pairs_of(26), values, strict=True):
        # The longer sequence takes the query's place. If both have the same length, either may.
        a, b = (i, j) if len(sequences[i]) >= len(sequences[j]) else (j, i)
        orders = [(a, b)] if len(sequences[a]) != len(sequences[b]) else [(a, b), (b, a)]
        possible = []
        for q, s in orders:
            pair = alnus.align(sequences[q], sequences[s], mode=mode, alphabet="protein")
            one, other = pair.aligned
            same = sum(x == y for x, y in zip(one, other, strict=True))
            gaps = one.count("-") + other.count("-")
            m, n = len(sequences[q]), len(sequences[s])
            outside = m + n - 2 * (len(one) - gaps) - gaps
            below = {
                "alignment": len(one),
                "ungapped": len(one) - gaps,
                "shorter": min(m, n),
                "longer": max(m, n),
                "mean": (m + n) / 2,
                "end_gaps": len(one) + outside,
            }[denominator]
            possible.append(same / below if below else 0.0)
        expected.append(min(possible, key=lambda one: abs(one - value)))
    assert np.allclose(values, expected, rtol=0, atol=1e-12)


def test_a_distance_is_one_minus_the_identity() -> None:
    sequences = with_odd_ones(6, 40)
    identity = alnus.pdist(sequences, value="identity", mode="global")
    distance = alnus.pdist(sequences, value="distance", mode="global")
    assert np.allclose(distance, 1 - identity, rtol=0, atol=1e-15)
    assert (alnus.pdist(sequences, mode="global") == distance).all()
    assert distance.min() >= 0 and distance.max() == 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 70), (33, 65), (65, 33), (3, 129)])
def test_rectangles_have_the_scores_of_the_pairs(shape: tuple[int, int]) -> None:
    a, b = with_odd_ones(7, shape[0]), with_odd_ones(8, shape[1])
    values = alnus.cdist(a, b, value="score")
    assert values.shape == shape and values.dtype == np.float64
    every = np.array(list(itertools.product(range(shape[0]), range(shape[1]))))
    assert values.ravel().tolist() == alnus.align_pairs(a, b, every, detail="score").score.tolist()


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0)])
def test_rectangles_of_nothing_have_their_shape(shape: tuple[int, int]) -> None:
    assert alnus.cdist(["MKV"] * shape[0], ["MKW"] * shape[1]).shape == shape


def test_a_rectangle_of_a_set_with_itself_is_its_square() -> None:
    sequences = with_odd_ones(9, 35)
    square = alnus.cdist(sequences, sequences, mode="global", value="score")
    assert (square[np.triu_indices(35, 1)] == alnus.pdist(sequences, mode="global", value="score")).all()
    assert (square == square.T).all()


def test_decimals_are_exact() -> None:
    sequences = family(10, 30)
    values = alnus.pdist(sequences, value="score", gaps=(10.5, 0.5), mode="global")
    rows = alnus.align_pairs(sequences, sequences, pairs_of(30), gaps=(10.5, 0.5), mode="global")
    assert rows.score.dtype == np.float64
    assert values.tolist() == rows.score.tolist()
    assert (values * 2 == np.round(values * 2)).all() and (values != np.round(values)).any()


@pytest.mark.parametrize("value", ["score", "identity", "distance"])
@pytest.mark.parametrize("strand", ["plus", "minus", "both"])
def test_values_of_dna_are_the_programs(program: Program, tmp_path: pathlib.Path, value: Any, strand: Any) -> None:
    file = write_fasta(tmp_path / "g.fasta", {f"g{k}": one for k, one in enumerate(family(11, 20, "ACGT"))})
    matrix = tmp_path / "m.npy"
    program.text("allpairs", file, "--alphabet", "dna", "--strand", strand, "--matrix-out", f"{value}:{matrix}")
    ours = alnus.pdist(file, alphabet="dna", strand=strand, value=value)
    theirs = np.load(matrix) / (100 if value == "identity" else 1)
    assert np.allclose(ours, theirs, rtol=0, atol=0 if value == "score" else 1e-6)


@pytest.mark.parametrize("denominator", DENOMINATORS)
def test_values_of_proteins_are_the_programs(program: Program, tmp_path: pathlib.Path, denominator: Any) -> None:
    a = write_fasta(tmp_path / "a.fasta", {f"a{k}": one for k, one in enumerate(with_odd_ones(12, 34))})
    b = write_fasta(tmp_path / "b.fasta", {f"b{k}": one for k, one in enumerate(with_odd_ones(13, 12))})
    matrix, words = tmp_path / "m.npy", ("--identity", denominator.replace("_", "-"))
    program.text("allpairs", a, "--matrix-out", f"identity:{matrix}", *words)
    ours = alnus.pdist(a, value="identity", denominator=denominator)
    assert ((100 * ours).astype(np.float32) == np.load(matrix)).all()
    program.text("allpairs", a, "--against", b, "--matrix-out", f"distance:{matrix}", *words)
    ours = alnus.cdist(a, b, value="distance", denominator=denominator)
    assert np.allclose(ours, np.load(matrix), rtol=0, atol=1e-6)


def test_a_path_counts_in_the_order_of_its_fasta_and_a_database_in_its_own(tmp_path: pathlib.Path) -> None:
    sequences = {f"s{k}": one for k, one in enumerate(family(14, 25))}
    fasta = write_fasta(tmp_path / "s.fasta", sequences)
    database = alnus.make_database(fasta, tmp_path / "s.alnus")
    assert database.ids != list(sequences)
    for file in (fasta, tmp_path / "s.alnus", database.in_file_order()):
        values = alnus.pdist(file, value="score")
        assert (values == alnus.pdist(list(sequences.values()), value="score")).all()
    assert (alnus.pdist(database, value="score") == alnus.pdist(list(database), value="score")).all()
    square = alnus.cdist(tmp_path / "s.alnus", fasta, value="score")
    assert (square == alnus.cdist(list(sequences.values()), list(sequences.values()), value="score")).all()


def test_values_are_the_same_with_any_threads_memory_and_instructions() -> None:
    sequences = with_odd_ones(15, 90)
    expected = alnus.pdist(sequences, value="score")
    for options in ({"threads": 1}, {"memory": "200K"}, {"isa": "portable"}, {"isa": "sse41", "threads": 2}):
        session = alnus.Session(devices="cpu", **options)  # type: ignore[arg-type]
        assert (session.pdist(sequences, value="score") == expected).all(), options


def test_one_long_sequence_among_short_ones_is_right() -> None:
    chooser = random.Random(16)
    sequences = [random_letters(chooser, AMINO_ACIDS, length) for length in (3, 5000, 10, 200, 1)]
    values = alnus.pdist(sequences, value="score", mode="global", alphabet="protein")
    expected = [
        alnus.align(sequences[i], sequences[j], mode="global", alphabet="protein").score for i, j in pairs_of(5)
    ]
    assert values.tolist() == expected


@pytest.mark.skipif(not FULL, reason="ALNUS_FULL_TESTS=1 runs it")
def test_real_proteins_have_the_programs_values(program: Program, tmp_path: pathlib.Path) -> None:
    file = pathlib.Path("/usr/share/doc/mmseqs2/example-data/QUERY.fasta.gz")
    if not file.exists():
        pytest.skip("needs Debian's package mmseqs2-examples")
    program.text("allpairs", file, "--matrix-out", f"score:{tmp_path / 'm.npy'}")
    assert (alnus.pdist(file, value="score") == np.load(tmp_path / "m.npy")).all()


def test_sequences_of_x_that_are_compared_are_told() -> None:
    def told(*sets: list[str], **words: Any) -> list[str]:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            (alnus.pdist if len(sets) == 1 else alnus.cdist)(*sets, mode="global", **words)
        return [str(one.message) for one in seen if "X alone" in str(one.message)]

    [said] = told(["MKVLAW", "XXXX", "", "XXX"])
    assert said.startswith("X alone: 2 sequences of ") and "(the first is '1')" in said
    assert len(told(["MKVLAW", "XXXX"], ["XXX"], value="identity")) == 1
    assert told(["MKVLAW", "XXXX", ""]) == told(["XXX"], ["MKVLAW", ""]) == []
    assert told(["MKVLAW", "XXXX", "XXX"], value="score") == []


def test_score_distances_that_join_unrelated_sequences_are_warned_of() -> None:
    masked = {"a": "CASSLGQF", "b": "CXXXXXXF", "c": "CXXXXXXC"}
    unknown = r"^Half of the letters or more are X: 2 sequences of sequences \(the first is 'b'\)"
    with pytest.warns(alnus.AlnusWarning, match=unknown) as said:
        alnus.pdist(masked, value="score_distance", mode="global")
    assert len(said) == 1
    with pytest.warns(alnus.AlnusWarning, match=unknown):
        alnus.pdist(masked, value="score_distance", mode="global", cutoff=5)
    with pytest.warns(alnus.AlnusWarning, match="Half of the letters or more"):
        alnus.cdist(["CASSLGQF"], masked, value="score_distance", mode="global")
    with pytest.warns(
        alnus.AlnusWarning, match="^A score distance is relative .* a local alignment.*Choose mode global"
    ):
        alnus.pdist(["CASSLGQF", "CASSF"], value="score_distance")


def test_global_mode_warns_of_evalues_only_if_a_highest_one_is_given() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in alnus.all_pairs(["MKVLAW", "MKHLAW"], mode="global"):
            assert len(rows) == 1
        alnus.search(["MKVLAW"], ["MKHLAW"], mode="global")
    with pytest.warns(alnus.AlnusWarning, match="and evalue does not filter"):
        alnus.search(["MKVLAW"], ["MKHLAW"], mode="global", evalue=5)
