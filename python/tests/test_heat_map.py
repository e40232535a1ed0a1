"""Heat maps show the values that they are given, in the order of the clusters, with their names."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from inputs import family

import alnus

plt = pytest.importorskip("matplotlib.pyplot")
squareform = pytest.importorskip("scipy.spatial.distance").squareform
pictures = pytest.importorskip("pictures")
plot = pytest.importorskip("alnus.plot")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


def _names(ax: Any) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def _trees(ax: Any) -> list[Any]:
    return [child for child in ax.child_axes if child.get_label() == "dendrogram"]


def test_heat_map_shows_identities_in_the_order_of_the_clusters() -> None:
    sequences = family(10, 8)
    names = [f"s{k}" for k in range(8)]
    ax = plot.heat_map(dict(zip(names, sequences, strict=True)))
    [image] = ax.images
    order = [names.index(name) for name in _names(ax)]
    assert sorted(order) == list(range(8))
    identities = squareform(alnus.pdist(sequences, mode="global", value="identity"))
    np.fill_diagonal(identities, 1)
    assert np.allclose(image.get_array(), 100 * identities[np.ix_(order, order)])
    assert image.get_clim() == (0, 100)
    for pair in range(0, 8, 2):  # relatives stand side by side
        assert abs(order.index(pair) - order.index(pair + 1)) == 1
    assert len(pictures.texts(ax)) == 64 and pictures.texts(ax)[0] == "100"


def _bar(ax: Any) -> tuple[str, list[str]]:
    """The title of the bar that explains the colours, and the numbers at its ends and in its middle."""
    [bar] = [child for child in ax.child_axes if child.get_label() == "colours"]
    return bar.get_title(loc="left"), [label.get_text() for label in bar.get_xticklabels()]


def _color(ax: Any, row: str, column: str) -> tuple[float, ...]:
    [image] = ax.images
    names = _names(ax)
    return tuple(image.cmap(image.norm(image.get_array()[names.index(row), names.index(column)])))


def test_what_pdist_gave_is_shown_as_the_distances_that_it_is() -> None:
    sequences = family(10, 8)
    names = [f"s{k}" for k in range(8)]
    distances = alnus.pdist(sequences, mode="global")
    ax = plot.heat_map(distances, names, value="distance")
    order = [names.index(name) for name in _names(ax)]
    assert np.allclose(ax.images[0].get_array(), squareform(distances)[np.ix_(order, order)])
    assert _bar(ax) == ("distance", ["0", "0.5", "1"])
    assert pictures.texts(ax)[0] == "0.00"
    assert pictures.texts(ax)[1] == f"{squareform(distances)[order[0], order[1]]:.2f}"
    with pytest.raises(alnus.InputError, match="value='distance' for what pdist"):
        plot.heat_map(distances, names)


def test_distances_and_identities_have_the_same_order_tree_and_colours() -> None:
    sequences = family(10, 8)
    names = [f"s{k}" for k in range(8)]
    distances = alnus.pdist(sequences, mode="global")
    identities = alnus.pdist(sequences, mode="global", value="identity")
    of_sequences = plot.heat_map(dict(zip(names, sequences, strict=True)))
    maps = [
        plot.heat_map(distances, names, value="distance"),
        plot.heat_map(identities, names, value="identity"),
        plot.heat_map(squareform(distances), names, value="distance"),
        plot.heat_map(dict(zip(names, sequences, strict=True)), value="distance"),
    ]
    for ax in maps:
        assert _names(ax) == _names(of_sequences)
        ours, theirs = _trees(ax)[0].collections[0], _trees(of_sequences)[0].collections[0]
        assert np.allclose(ours.get_segments(), theirs.get_segments())
        for column in names:
            # A colour map has 256 colours, and a value at the border of two may get either.
            assert _color(ax, "s3", column) == pytest.approx(_color(of_sequences, "s3", column), abs=0.02)
    assert _color(maps[0], "s3", "s3") == _color(of_sequences, "s3", "s3")


def test_heat_map_of_scores_and_score_distances() -> None:
    sequences = family(13, 6)
    names = [f"s{k}" for k in range(6)]
    scores = alnus.pdist(sequences, mode="global", value="score")
    of_array = plot.heat_map(scores, names, value="score")
    of_sequences = plot.heat_map(dict(zip(names, sequences, strict=True)), value="score")
    assert _names(of_array) == _names(of_sequences) and _bar(of_array)[0] == "score"
    order = [names.index(name) for name in _names(of_array)]
    shown, whole = of_array.images[0].get_array(), of_sequences.images[0].get_array()
    assert shown.mask.diagonal().all() and len(pictures.texts(of_array)) == 30
    assert np.array_equal(shown.filled(0), squareform(scores)[np.ix_(order, order)])
    with_themselves = alnus.align(sequences, sequences, mode="global").score
    assert whole.diagonal().tolist() == with_themselves[order].tolist()
    for pair in range(0, 6, 2):
        assert abs(order.index(pair) - order.index(pair + 1)) == 1
    far = alnus.pdist(sequences, mode="global", value="score_distance")
    ax = plot.heat_map(far, names, value="score_distance")
    assert _bar(ax) == ("score distance", ["0", f"{far.max() / 2:.4g}", f"{far.max():.4g}"])
    assert ax.images[0].get_array().diagonal().tolist() == [0] * 6


def test_dendrogram_joins_the_closest_first() -> None:
    ax = plot.heat_map(np.array([0.9, 0.2, 0.3]), ["a", "b", "c"], value="identity")
    [tree] = _trees(ax)
    segments = tree.collections[0].get_segments()
    places = {name: k for k, name in enumerate(_names(ax))}
    joined = {round(y) for y in segments[0][:, 1]}
    assert joined == {places["a"], places["b"]}
    assert segments[0][1][0] == pytest.approx(0.1) and segments[1][1][0] == pytest.approx(0.75)


def test_heat_map_of_numbers() -> None:
    condensed = np.array([0.1, 0.6, 0.7])
    of_distances = plot.heat_map(condensed, list("abc"), value="distance", cluster=False)
    assert of_distances.images[0].get_array()[0].tolist() == pytest.approx([0, 0.1, 0.6])
    assert _names(of_distances) == list("abc") and _trees(of_distances) == []
    square = np.array([[1, 0.9], [0.9, 1]])
    ax = plot.heat_map(square, value="identity")
    assert ax.images[0].get_array()[0].tolist() == pytest.approx([100, 90])
    assert _trees(plot.heat_map(square, value="identity", dendrogram=False)) == []
    assert np.array_equal(
        ax.images[0].get_array(), plot.heat_map(square.tolist(), value="identity").images[0].get_array()
    )
    whole = plot.heat_map([20, 30, 40], value="score", cluster=False)
    assert whole.images[0].get_array().filled(-1).tolist() == [[-1, 20, 30], [20, -1, 40], [30, 40, -1]]
    beyond = plot.heat_map([0.5, 1.5, 2.0], value="distance")  # such as distances with Kimura's correction
    assert _bar(beyond) == ("distance", ["0", "1", "2"])


def test_heat_map_of_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    square = np.array([[0, 0.1, 0.6], [0.1, 0, 0.7], [0.6, 0.7, 0]])
    frame = pandas.DataFrame(square, index=list("xyz"), columns=list("xyz"))
    ax = plot.heat_map(frame, value="distance", cluster=False)
    assert _names(ax) == list("xyz")
    assert ax.images[0].get_array().tolist() == square.tolist()
    with pytest.raises(alnus.InputError, match="does not tell what its values are"):
        plot.heat_map(frame)
    ids = pandas.Series(family(10, 3), index=list("xyz"))
    assert sorted(_names(plot.heat_map(ids))) == list("xyz")


@pytest.mark.parametrize("count", [1, 2, 3, 13, 40])
def test_names_do_not_overlap(count: int) -> None:
    names = [f"sp|P{k:05}|A_LONG_NAME_OF_A_PROTEIN_{k}" for k in range(count)]
    chance = np.random.default_rng(count)
    ax = plot.heat_map(chance.random(count * (count - 1) // 2), names, value="distance")
    assert len(_names(ax)) == count
    assert all(len(name) <= 28 for name in _names(ax))
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels()]
    assert not pictures.overlaps(ax.get_yticklabels()) and not pictures.overlaps(ax.get_xticklabels())
    assert pictures.inside(labels) and pictures.all_inside(ax)
    if count < 13:
        assert not pictures.overlaps(ax.texts)


def test_many_sequences_have_no_names() -> None:
    count = 500
    chance = np.random.default_rng(1)
    names = [f"sequence {k}" for k in range(count)]
    ax = plot.heat_map(chance.random(count * (count - 1) // 2), names, value="distance")
    assert _names(ax) == [] and pictures.texts(ax) == []
    assert ax.get_ylabel() == "500 sequences"
    assert ax.images[0].get_array().shape == (500, 500)
    assert len(_trees(ax)[0].collections[0].get_segments()) == 499


def test_heat_map_in_a_figure_of_the_caller() -> None:
    figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
    ax = plot.heat_map(family(11, 20), ax=axes[0])
    assert ax is axes[0] and len(_names(ax)) == 20
    assert not pictures.overlaps(ax.get_yticklabels())
    assert _names(plot.heat_map(family(11, 100), ax=axes[1])) == []
    assert figure.axes == list(axes)


def test_heat_map_arguments_of_pdist(session: alnus.Session) -> None:
    sequences = family(12, 4)
    ax = plot.heat_map(sequences, cluster=False, mode="local", denominator="shorter", session=session)
    first = alnus.align(sequences[0], sequences[1], mode="local").identity("shorter")
    assert ax.images[0].get_array()[0][1] == pytest.approx(100 * first, abs=1e-4)


@pytest.mark.parametrize(
    ("values", "arguments", "text"),
    [
        (np.array([0.1, 0.2]), {"value": "distance"}, "neither condensed nor square"),
        (np.ones((2, 3)), {"value": "identity"}, "neither condensed nor square"),
        (np.array([35.0]), {"value": "identity"}, "divided by 100"),
        (np.array([np.nan]), {"value": "identity"}, "infinite or no number"),
        (np.array([np.inf]), {"value": "distance"}, "infinite or no number"),
        (np.array([-0.1]), {"value": "distance"}, "0 or more"),
        (np.array([0.1, 35, 20]), {"value": "distance"}, "A distance is 35, .*value='score' for scores, .*'score_dis"),
        (np.array([[1, 0.2], [0.3, 1]]), {"value": "identity"}, "not symmetric"),
        (np.array([[0, 0.2], [0.2, 0]]), {"value": "identity"}, "diagonal is 0"),
        (np.array([[0, 8], [8, 0]]), {"value": "score"}, "diagonal is 0"),
        (np.array([[1, 0.2], [0.2, 1]]), {"value": "distance"}, "identities or scores"),
        (np.array([0.1]), {}, "does not tell what its values are"),
        (np.array([3]), {}, "does not tell what its values are"),
        ([0.1], {}, "does not tell what its values are"),
        ([[0, 0.1], [0.1]], {"value": "distance"}, "different lengths"),
        (np.array([0.1]), {"labels": ["a"], "value": "distance"}, "1 labels for 2"),
        (np.array([0.1]), {"mode": "local", "value": "distance"}, "mode is for sequences"),
        (np.array([0.1]), {"session": alnus.default_session(), "value": "distance"}, "session is for sequences"),
        (np.array([0.1]), {"value": "similarity"}, "no value 'similarity'; choose identity, distance, score or"),
        (["MKV", "MKW"], {"value": "score-distance"}, "no value 'score-distance'"),
        (np.array([0.1]), {"value": 3}, "must be a str"),
        (np.array([0.1]), {"method": "nearest", "value": "distance"}, "nearest"),
        (np.array([0.1]), {"cmap": "virids", "value": "distance"}, "no such colour map"),
        ([], {}, "no sequence"),
    ],
)
def test_heat_map_mistakes(values: Any, arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(alnus.InputError, match=text):
        plot.heat_map(values, **arguments)


def test_labels_of_another_index_are_refused() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"seq": ["MKV", "WWQ", "PPG"], "name": list("abc")})
    mixed = frame.sort_values("seq", ascending=False)
    with pytest.raises(alnus.InputError, match=r"^labels has an index of its own"):
        plot.heat_map(mixed.seq, frame.name)
    assert _names(plot.heat_map(mixed.seq, mixed.name, cluster=False)) == ["b", "c", "a"]
    assert _names(plot.heat_map([0.1, 0.2, 0.3], mixed.name, value="distance", cluster=False)) == ["b", "c", "a"]


def test_a_sparse_array_is_refused() -> None:
    sparse = alnus.pdist(family(12, 4), mode="global", cutoff=0.9)
    with pytest.raises(alnus.InputError, match="lacks the values of most pairs"):
        plot.heat_map(sparse, value="distance")


WIDE = ["W" * 28, "sp|P00001|A_LONG_NAME_OF_A_PROTEIN with a title", "a$x$b", "short", "ÄÖÜ " * 9, "i" * 40]


@pytest.mark.parametrize(
    ("own", "value"),
    [
        ("new", "identity"),
        ("new", "distance"),
        ("new", "score"),
        ("new", "score_distance"),
        ("plain", "identity"),
        ("constrained", "distance"),
        ("small", "score"),
    ],
)
def test_all_that_is_written_lies_in_the_picture(own: str, value: str) -> None:
    ax = None
    if own == "plain":
        ax = plt.subplots()[1]
    elif own == "constrained":
        ax = plt.subplots(figsize=(5, 4), layout="constrained")[1]
    elif own == "small":
        ax = plt.subplots(2, 2)[1][0, 1]
    ax = plot.heat_map(dict(zip(WIDE, family(14, len(WIDE)), strict=True)), value=value, ax=ax)
    assert len(_names(ax)) == len(WIDE) and pictures.all_inside(ax)
    assert "a$x$b" in _names(ax) and not any(label.get_parse_math() for label in ax.get_yticklabels())
    if own != "small":
        assert not pictures.overlaps(ax.texts)


@pytest.mark.parametrize("count", [2, 10, 20, 30, 40, 60])
def test_all_names_of_many_sequences_lie_in_the_picture(count: int) -> None:
    values = np.random.default_rng(1).uniform(0.6, 1, count * (count - 1) // 2)
    ax = plot.heat_map(values, [f"sample {k}" for k in range(count)], value="distance")
    for _ in range(3):  # each drawing makes the layout anew
        assert pictures.all_inside(ax)
    ax.figure.savefig(io.BytesIO(), dpi=200)
    assert pictures.all_inside(ax)


def test_sequences_that_nothing_can_be_aligned_with_are_grey() -> None:
    with pytest.warns(alnus.AlnusWarning):
        distances = alnus.pdist(["CASSLGF", "CASSLGY", "", "CASSPGY"], value="score_distance")
    ax = plot.heat_map(distances, value="score_distance", cluster=False)
    shown = ax.images[0].get_array()
    assert shown.mask.tolist() == [[2 in (row, column) and row != column for column in range(4)] for row in range(4)]
    assert ax.images[0].norm.vmax == distances[distances < 2147483647].max()


def test_numbers_that_would_be_too_small_are_left_out_unless_wanted() -> None:
    scores = np.arange(66) * 10_000_000
    assert pictures.texts(plot.heat_map(scores, value="score")) == []
    assert len(pictures.texts(plot.heat_map(scores, value="score", numbers=True))) == 132


def test_numbers_can_be_read_on_any_colour() -> None:
    for cmap in ("Greys", "Greys_r"):
        ax = plot.heat_map([0.02, 0.9, 0.9], value="distance", cmap=cmap)
        for text in ax.texts:
            column, row = text.get_position()
            image = ax.images[0]
            shade = image.cmap(image.norm(image.get_array()[row, column]))[0]
            assert (text.get_color() == "white") == (shade < 0.5)


def test_score_distances_of_blank_and_half_unknown_sequences_keep_the_tree() -> None:
    distances = np.array([4, 2147483647, 20, 2147483647, 22, 2147483647], dtype=float)  # the third is blank
    ax = plot.heat_map(distances, list("abcd"), value="score_distance")
    shown = ax.images[0].get_array()
    assert (ax.images[0].norm.vmin, ax.images[0].norm.vmax) == (0, 22)
    assert np.ma.count_masked(shown) == 6
    (tree,) = [one for one in ax.child_axes if one.get_label() == "dendrogram"]
    assert tree.get_xlim()[0] < 30  # not 2147483647
    assert {"a", "b"} in [set(_names(ax)[k : k + 2]) for k in range(3)]
    negative = plot.heat_map(np.array([-3.0, 5, 7]), value="score_distance")
    assert (negative.images[0].norm.vmin, negative.images[0].norm.vmax) == (-3, 7)
    with pytest.raises(alnus.InputError, match="0 or more"):
        plot.heat_map(np.array([-0.1]), value="distance")
