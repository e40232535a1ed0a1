"""The artists, labels and data of pictures."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inputs import AMINO_ACIDS, family, mutated, random_letters, reverse_complement
from support import Program

import alnus

plt = pytest.importorskip("matplotlib.pyplot")
pytest.importorskip("scipy")
pictures = pytest.importorskip("pictures")
plot = pytest.importorskip("alnus.plot")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


# ---- Dot plots ----


def _dots(ax: Any, strand: str = "plus") -> Any:
    [image] = [one for one in ax.images if one.get_label() == f"{strand} strand"]
    return image.get_array()


def _window_sums(a: str, b: str, window: int, scoring: alnus.Scoring) -> np.ndarray:
    place = {letter: k for k, letter in enumerate(scoring.letters)}
    scores = scoring.values[np.ix_([place[x] for x in a], [place[y] for y in b])].T
    return np.array(
        [
            [np.trace(scores[i : i + window, j : j + window]) for j in range(len(a) - window + 1)]
            for i in range(len(b) - window + 1)
        ]
    )


def test_dots_are_sums_of_windows() -> None:
    chooser = random.Random(1)
    a, b = random_letters(chooser, AMINO_ACIDS, 40), random_letters(chooser, AMINO_ACIDS, 30)
    dots = _dots(plot.dot_plot(a, b, window=5, threshold=-1000))
    sums = _window_sums(a, b, 5, alnus.Scoring())
    assert dots.shape == (26, 36)
    assert np.allclose(dots.filled(-1e9), sums)
    some = _dots(plot.dot_plot(a, b, window=5, threshold=3))
    assert (some.mask == (sums < 3)).all()


def test_few_dots_are_of_chance() -> None:
    chooser = random.Random(2)
    a, b = random_letters(chooser, AMINO_ACIDS, 390), random_letters(chooser, AMINO_ACIDS, 390)
    dots = _dots(plot.dot_plot(a, b))
    assert 0 < dots.count() / dots.size < 1 / 1500


def test_long_sequences_have_at_most_400_dots_in_a_line() -> None:
    chooser = random.Random(3)
    a, b = random_letters(chooser, AMINO_ACIDS, 3000), random_letters(chooser, AMINO_ACIDS, 1000)
    b = b[:500] + a[2000:2200] + b[700:]
    ax = plot.dot_plot(a, b)
    dots = _dots(ax)
    assert max(dots.shape) <= 400
    down, across = np.nonzero(~dots.mask)
    left, right, bottom, top = ax.images[0].get_extent()
    x = left + (across + 0.5) * (right - left) / dots.shape[1]
    y = top + (down + 0.5) * (bottom - top) / dots.shape[0]
    common = np.abs(x - 2000 - (y - 500)) < 20
    assert common.mean() > 0.6 and common.sum() >= 20
    assert dots.count() < 300


def test_dots_of_dna_on_both_strands() -> None:
    genome = random_letters(random.Random(4), "ACGT", 300)
    other = genome[:100] + reverse_complement(genome[100:200]) + genome[200:]
    ax = plot.dot_plot(genome, other, alphabet="dna")
    plus, minus = _dots(ax, "plus"), _dots(ax, "minus")
    for place in (0, 80, 200, 289):
        assert not plus.mask[place, place]
    for place in (100, 150, 189):  # b's window at 289 - place is the reverse complement of a's window at place
        assert not minus.mask[place, 289 - place]
    assert minus.count() < 120 and plus.count() < 240
    assert len(plot.dot_plot(genome, other, alphabet="dna", strand="plus").images) == 1


def test_dots_of_a_pair_have_its_alignment() -> None:
    rows = alnus.align({"one": "MKVLAWQRYTMKVLAWQRYT"}, {"other": "MKVLAWQRMKVLAWQRYT"}, mode="global")
    ax = plot.dot_plot(rows[0], window=5)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("one", "other")
    [line] = ax.lines
    assert (line.get_xdata()[0], line.get_ydata()[0]) == (0.5, 0.5)
    assert (line.get_xdata()[-1], line.get_ydata()[-1]) == (20.5, 18.5)
    assert ax.get_xlim() == (0.5, 20.5) and ax.get_ylim() == (18.5, 0.5)
    assert len(plot.dot_plot(rows[0], window=5, path=False).lines) == 0


def test_path_on_the_minus_strand_runs_upwards() -> None:
    genome = random_letters(random.Random(5), "ACGT", 200)
    read = reverse_complement(genome[50:120])
    [line] = plot.dot_plot(alnus.align([read], [genome], alphabet="dna", strand="both")[0]).lines
    assert (line.get_xdata()[0], line.get_ydata()[0]) == (70.5, 50.5)
    assert (line.get_xdata()[-1], line.get_ydata()[-1]) == (0.5, 120.5)


def test_dots_of_a_sequence_with_itself() -> None:
    dots = _dots(plot.dot_plot("MKVLAWQRYTHE" * 2, window=12))
    assert not dots.mask[0, 0] and not dots.mask[0, 12] and not dots.mask[12, 0]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"a": "MKV", "b": "MKVLAWQRYTHE"}, "shorter than a window"),
        ({"a": ["MKV", "MKV"], "b": "MKV"}, "takes one of each"),
        ({"a": "MKVLAWQRYTHE", "window": 0}, "window"),
        ({"a": "MKVLAWQRYTHE", "strand": "both"}, "no minus strand"),
        ({"a": "ACGTACGTACGTA", "alphabet": "dna", "strand": "up"}, "no strand 'up'"),
    ],
)
def test_dot_plot_mistakes(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(alnus.InputError, match=text):
        plot.dot_plot(**arguments)


def test_dots_of_a_set_have_the_alphabet_of_the_set(tmp_path: Path) -> None:
    genome = random_letters(random.Random(4), "ACGT", 60)
    file = tmp_path / "genome.fasta"
    file.write_text(f">genome\n{genome}\n")
    made = str(tmp_path / "genome.alnus")
    alnus.make_database(str(file), made, alphabet="dna")
    for one in (alnus.Database.open(file, alphabet="dna"), alnus.Database([genome], alphabet="dna"), made):
        labels = [image.get_label() for image in plot.dot_plot(one).images]
        assert labels == ["plus strand", "minus strand"]
        assert len(plot.dot_plot(one, genome).images) == 2
    for unknown in (str(file), file, genome, [genome], {"genome": genome}):
        with pytest.raises(alnus.InputError, match="dna"):
            plot.dot_plot(unknown)
        with pytest.raises(alnus.InputError, match="dna"):
            plot.dot_plot(unknown, genome)
        assert len(plot.dot_plot(unknown, alphabet="dna").images) == 2
        assert len(plot.dot_plot(unknown, alphabet="auto").images) == 2
        assert len(plot.dot_plot(unknown, alphabet="protein").images) == 1
        plt.close("all")


def test_dots_of_a_file(tmp_path: Path) -> None:
    names = ["one", "two", "three"]
    letters = [random_letters(random.Random(k), AMINO_ACIDS, 30) for k in range(3)]
    file = tmp_path / "proteins.fasta"
    for count, shown in ((1, ("one", "one")), (2, ("one", "two"))):
        file.write_text("".join(f">{names[k]}\n{letters[k]}\n" for k in range(count)))
        ax = plot.dot_plot(str(file))
        assert (ax.get_xlabel(), ax.get_ylabel()) == shown
    file.write_text("".join(f">{name}\n{one}\n" for name, one in zip(names, letters, strict=True)))
    with pytest.raises(alnus.InputError, match="a has 3 sequences; a dot plot takes one"):
        plot.dot_plot(str(file))
    with pytest.raises(alnus.InputError, match="no_such"):
        plot.dot_plot("no_such.fasta")


def test_axes_of_letters_without_names() -> None:
    ax = plot.dot_plot("MKVLAWQRYTHE", ["MKVLAWQRYTHF"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("first sequence (residue)", "second sequence (residue)")
    assert plot.dot_plot("MKVLAWQRYTHE").get_ylabel() == "sequence (residue)"


LONG = "sp|P00001|QUITE_A_LONG_NAME_OF_A_PROTEIN_THAT_DOES_NOT_END"


@pytest.mark.parametrize(
    ("own", "across", "down"),
    [("new", 30, 300), ("new", 300, 30), ("new", 200, 200), ("plain", 30, 300), ("small", 200, 200)],
)
def test_names_at_dots_lie_in_the_picture(own: str, across: int, down: int) -> None:
    chooser = random.Random(15)
    a, b = ({LONG: random_letters(chooser, AMINO_ACIDS, length)} for length in (across, down))
    ax = None if own == "new" else plt.subplots()[1] if own == "plain" else plt.subplots(2, 2)[1][1, 0]
    ax = plot.dot_plot(a, b, ax=ax)
    assert pictures.all_inside(ax)
    assert all(label.get_text().startswith("sp|") for label in (ax.xaxis.label, ax.yaxis.label))
    dollars = plot.dot_plot({"a$b$c": "MKVLAWQRYTHE"})
    assert dollars.get_xlabel() == "a$b$c" and not dollars.xaxis.label.get_parse_math()


# ---- Histograms ----


@pytest.fixture(scope="module")
def hits() -> alnus.Rows:
    chooser = random.Random(6)
    query = random_letters(chooser, AMINO_ACIDS, 150)
    subjects = [random_letters(chooser, AMINO_ACIDS, 200) for _ in range(500)]
    subjects += [mutated(chooser, query, AMINO_ACIDS, 0.4, 0.02) for _ in range(5)]
    return alnus.search({"q": query}, subjects, evalue=1e-3, score_histogram=True)


def _bars(ax: Any) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return {
        patch.get_label(): (patch.get_data().values, patch.get_data().edges)
        for patch in ax.patches
        if hasattr(patch, "get_data")
    }


def _in_the_bars(curve: Any, edges: np.ndarray) -> np.ndarray:
    """What the curve of chance says at the middle of each bar."""
    middles = (edges[:-1] + edges[1:]) / 2
    return np.interp(middles, curve.get_xdata(), curve.get_ydata(), left=0, right=0)


def test_histogram_counts_all_pairs(hits: alnus.Rows) -> None:
    assert len(hits) == 5
    ax = plot.score_histogram(hits)
    bars = _bars(ax)
    assert list(bars) == ["pairs", "5 hits"]
    for name, count in (("pairs", 505), ("5 hits", 5)):
        values, edges = bars[name]
        assert values[values >= 1].sum() == count
        assert edges[0] <= hits.score.min() and edges[-1] >= hits.score.max()
    assert ax.get_yscale() == "log"
    [curve] = ax.lines
    assert curve.get_label() == "expected by chance"
    assert _in_the_bars(curve, bars["pairs"][1]).sum() == pytest.approx(505, rel=0.02)
    assert ax.get_title() == "1 query and 505 subjects"
    assert "BLOSUM62" in ax.get_xlabel()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["pairs", "5 hits", "expected by chance"]


def test_histogram_of_some_scores(hits: alnus.Rows) -> None:
    assert hits.histogram is not None
    ax = plot.score_histogram(hits, scores=(20, 60))
    values, edges = _bars(ax)["pairs"]
    assert np.diff(edges).tolist() == [1.0] * len(values)
    assert ax.get_xlim()[0] == 19.5
    first = int(20 - hits.histogram.lowest)
    assert [v for v in values if v >= 1] == [float(n) for n in hits.histogram.pairs[first : first + 41] if n]
    assert "0 of 5 hits" in _bars(ax)


def test_histogram_of_chosen_hits(hits: alnus.Rows) -> None:
    assert "1 hit" in _bars(plot.score_histogram(hits[:1]))


def test_histogram_of_decimals() -> None:
    found = alnus.search(["MKVLAWQRYT"], family(9, 60), gaps=(10.5, 0.5), score_histogram=True, stats="none")
    ax = plot.score_histogram(found)
    values, edges = _bars(ax)["pairs"]
    assert values[values >= 1].sum() == 60
    assert (np.diff(edges) % 0.5 == 0).all()
    assert len(ax.lines) == 0


def test_chance_is_a_curve_however_wide_the_bars_are(hits: alnus.Rows) -> None:
    chooser = random.Random(7)
    query = random_letters(chooser, AMINO_ACIDS, 600)
    subjects = [random_letters(chooser, AMINO_ACIDS, 200) for _ in range(200)]
    rows = alnus.search({"q": query}, [*subjects, query], evalue=1e-3, score_histogram=True)
    counted = rows.histogram
    assert counted is not None
    ax = plot.score_histogram(rows, scores=(0, 9999))
    values, edges = _bars(ax)["pairs"]
    assert edges[1] - edges[0] >= 20 and (values >= 1).sum() < 6 and edges[-1] > 9999
    [curve] = ax.lines
    x, y = curve.get_xdata(), curve.get_ydata()
    assert np.diff(x).tolist() == [1.0] * (len(x) - 1)  # a point for each score
    assert len(x) > 40 and (np.diff(np.sign(np.diff(y))) != 0).sum() == 1  # it rises and falls once
    scores = counted.lowest + np.arange(len(counted.pairs))
    in_bars = np.histogram(scores, edges, weights=counted.expected)[0]
    seen = in_bars > 1
    assert _in_the_bars(curve, edges)[seen] == pytest.approx(in_bars[seen], rel=1e-6)
    assert ax.get_ylim()[1] > y.max() and ax.get_ylim()[1] > values.max()


def test_hits_far_away_do_not_squeeze_the_bars_of_chance() -> None:
    chooser = random.Random(8)
    query = random_letters(chooser, AMINO_ACIDS, 600)
    subjects = [random_letters(chooser, AMINO_ACIDS, 200) for _ in range(200)]
    rows = alnus.search({"q": query}, [*subjects, query], evalue=1e-3, score_histogram=True)
    ax = plot.score_histogram(rows)
    values, edges = _bars(ax)["pairs"]
    [gap] = np.flatnonzero(np.isnan(values))
    assert set(np.diff(edges[: gap + 1])) == {1.0} and edges[gap + 1] == pytest.approx(edges[gap])
    assert (values[:gap] >= 1).sum() > 15 and values[values >= 1].sum() == 201
    assert _bars(ax)["1 hit"][0][gap + 1 :].max() == 1
    wide = edges[-1] - edges[-2]
    assert wide > 1 and f"bars of 1, then of {wide:g})" in ax.get_xlabel()
    places = ax.transAxes.inverted().transform(ax.transData.transform([(x, 1) for x in edges]))[:, 0]
    assert places[gap] == pytest.approx(0.7) and 0.02 < places[gap + 1] - places[gap] < 0.05
    ticks = ax.get_xticks()
    assert (ticks < edges[gap]).sum() >= 3 and (ticks > edges[gap]).sum() >= 2 and pictures.all_inside(ax)


@pytest.mark.parametrize(("length", "gaps"), [(600, (11, 1)), (300, (10.5, 0.5)), (60, (11, 1))])
def test_histogram_has_the_bars_of_the_program(
    length: int, gaps: tuple[float, float], tmp_path: Path, program: Program
) -> None:
    chooser = random.Random(length)
    query = random_letters(chooser, AMINO_ACIDS, length)
    subjects = [random_letters(chooser, AMINO_ACIDS, 200) for _ in range(300)]
    subjects += [mutated(chooser, query, AMINO_ACIDS, 0.4, 0.02), query]
    for name, letters in (("q", [query]), ("s", subjects)):
        (tmp_path / name).write_text("".join(f">{k}\n{one}\n" for k, one in enumerate(letters)))
    options = ["--gap-open", str(gaps[0]), "--gap-extend", str(gaps[1]), "--stats", "none", "--min-score", "100"]
    program.run("search", tmp_path / "q", tmp_path / "s", *options, "--score-plot", tmp_path / "scores.svg")
    text = (tmp_path / "scores.svg").read_text()
    rows = alnus.search([query], subjects, gaps=gaps, stats="none", min_score=100, score_histogram=True)
    ax = plot.score_histogram(rows)
    for name, (values, edges) in zip(("pairs", "hits"), _bars(ax).values(), strict=True):
        groups = re.findall(rf'<g class="{name}".*?</g>', text, re.DOTALL)
        drawn = [float(x) for group in groups for x in re.findall(r'<rect x="([0-9.]+)"', group)]
        lefts = [(x, 1) for x in edges[:-1][values >= 1]]
        places = ax.transAxes.inverted().transform(ax.transData.transform(lefts))[:, 0]
        assert drawn == pytest.approx(116 + 820 * places, abs=0.02)


def test_histogram_says_that_a_query_has_as_many_hits_as_it_may() -> None:
    query, *subjects = family(8, 30)
    for most, said in ((4, "4 hits,\nat most 4 of a query"), (100, "29 hits")):
        rows = alnus.search([query], subjects, evalue=1e9, max_target_seqs=most, score_histogram=True)
        assert said in _bars(plot.score_histogram(rows))
        assert rows.summary["max_target_seqs"] == most and rows.summary["full_queries"] == (most == 4)


def test_histogram_cuts_a_long_name_of_a_matrix() -> None:
    letters = "ARNDCQEGHILKMFPSTWYV"
    matrix = alnus.Matrix.from_array(9 * np.eye(20) - 4, letters, name="a$long$name" * 12)
    found = alnus.search(family(9, 1), family(9, 9), matrix=matrix, gaps=(11, 1), stats="none", score_histogram=True)
    ax = plot.score_histogram(found)
    assert "…, bars of" in ax.get_xlabel() and pictures.all_inside(ax)
    assert not ax.xaxis.label.get_parse_math()


def test_histogram_mistakes(hits: alnus.Rows) -> None:
    with pytest.raises(alnus.InputError, match="score_histogram=True"):
        plot.score_histogram(alnus.search(["MKVLAW"], ["MKVLAW"], stats="none"))
    for scores in ((3,), (5, 2), "x"):
        with pytest.raises(alnus.InputError, match="scores"):
            plot.score_histogram(hits, scores=scores)


# ---- Alignments ----


def _letters(ax: Any, row: int) -> str:
    """The monospaced letters of a row, from left to right."""
    found = [
        (text.get_position()[0], text.get_text())
        for text in ax.texts
        if text.get_position()[1] == row and text.get_family() == ["monospace"]
    ]
    return "".join(letter for _, letter in sorted(found))


def _places(ax: Any) -> list[str]:
    return [text for text in pictures.texts(ax) if text.isdigit()]


def test_alignment_shows_both_sequences() -> None:
    pair = alnus.align({"a": "MKVLAWQRYT"}, {"b": "MKILARYT"}, mode="global")[0]
    ax = plot.alignment(pair)
    assert (_letters(ax, 0), _letters(ax, 2)) == pair.aligned
    assert _letters(ax, 1).count("|") == pair.identical and _letters(ax, 1).count("+") == 1
    assert [text for text in pictures.texts(ax) if len(text) == 1 and text in "ab"] == ["a", "b"]
    assert _places(ax) == ["1", "10", "1", "8"]
    assert "80" not in ax.get_title(loc="left") and "identity 7/10" in ax.get_title(loc="left")
    image = ax.images[0].get_array()
    colors = {letter: tuple(image[0, k]) for k, letter in enumerate(pair.aligned[0])}
    assert colors["V"] == colors["L"] == colors["A"] == colors["M"]  # hydrophobic
    assert colors["K"] == colors["R"] and colors["K"] != colors["V"]
    assert all(image[2, k][3] == 0 for k, letter in enumerate(pair.aligned[1]) if letter == "-")
    assert [text.get_text() for text in ax.get_legend().get_texts()][:2] == ["hydrophobic", "aromatic"]


def test_alignment_is_wrapped() -> None:
    letters = random_letters(random.Random(13), AMINO_ACIDS, 130)
    pair = alnus.align({"a": letters}, {"b": letters})[0]
    ax = plot.alignment(pair, width=50)
    assert [len(_letters(ax, 4 * k)) for k in range(3)] == [50, 50, 30]
    assert _places(ax) == ["1", "50"] * 2 + ["51", "100"] * 2 + ["101", "130"] * 2
    some = plot.alignment(pair, columns=(100, 110), legend=False)
    assert _letters(some, 0) == letters[100:110] and some.get_legend() is None
    assert _places(some) == ["101", "110"] * 2


def test_alignment_on_the_minus_strand() -> None:
    genome = random_letters(random.Random(14), "ACGT", 200)
    read = reverse_complement(genome[50:120])
    pair = alnus.align({"read": read}, {"genome": genome}, alphabet="dna", strand="both")[0]
    ax = plot.alignment(pair)
    assert _letters(ax, 0) == genome[50:110]
    assert _places(ax) == ["70", "11", "51", "110", "10", "1", "111", "120"]
    assert "minus strand" in ax.get_title(loc="left")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["A", "C", "G", "T"]


def test_alignment_by_similarity() -> None:
    ax = plot.alignment(alnus.align("MKVLAW", "MKILGW", mode="global"), colors="similarity")
    image = ax.images[0].get_array()
    assert tuple(image[0, 0]) == tuple(image[0, 1]) != tuple(image[0, 2])
    assert image[0, 2][3] == 1 and image[0, 4][3] == 0


@pytest.mark.parametrize(("length", "names"), [(3, "q"), (30, "sp|P00762|TRY1_RAT_AND_MORE"), (300, "q")])
def test_letters_of_alignments_do_not_overlap(length: int, names: str) -> None:
    letters = random_letters(random.Random(15), AMINO_ACIDS, length)
    ax = plot.alignment(alnus.align({names: letters}, {names: letters}, mode="global")[0])
    of_first_rows = [text for text in ax.texts if text.get_position()[1] in (0, 2)]
    assert not pictures.overlaps(of_first_rows)
    assert pictures.inside([*ax.texts, *ax.get_legend().get_texts(), ax.title])


def test_alignment_in_a_figure_of_the_caller() -> None:
    letters = random_letters(random.Random(16), AMINO_ACIDS, 200)
    _, axes = plt.subplots(2, 2, figsize=(8, 6))
    ax = plot.alignment(alnus.align(letters, letters), ax=axes[0, 0])
    assert ax is axes[0, 0]
    assert max(text.get_fontsize() for text in ax.texts) < 6


def test_empty_alignment() -> None:
    ax = plot.alignment(alnus.align("AAAA", "WWWW"))
    assert pictures.texts(ax) == [] or all(not text.strip("|+ ") for text in pictures.texts(ax))


def test_alignment_mistakes() -> None:
    rows = alnus.align(["MKVLAW"], ["MKVLAW"])
    with pytest.raises(alnus.InputError, match=r"rows\[0\]"):
        plot.alignment(rows)
    with pytest.raises(alnus.InputError, match="detail='alignment'"):
        plot.alignment(alnus.align("MKVLAW", "MKVLAW", detail="score"))
    with pytest.raises(alnus.InputError, match="colors"):
        plot.alignment(rows[0], colors="rainbow")
    with pytest.raises(alnus.InputError, match="columns"):
        plot.alignment(rows[0], columns=(3,))
    long = "MKVLAWQRYT" * 500
    with pytest.raises(alnus.InputError, match="5,000 columns"):
        plot.alignment(alnus.align(long, long, mode="global"))


@pytest.mark.parametrize(
    ("own", "names"),
    [
        ("new", ("W" * 40, "a")),
        ("new", ("a$x$", "b$y$")),
        ("plain", ("W" * 40, LONG)),
        ("narrow", ("query", LONG)),
        ("small", ("W" * 40, LONG)),
    ],
)
def test_all_of_an_alignment_lies_in_the_picture(own: str, names: tuple[str, str]) -> None:
    a, b = family(16, 2)
    rows = alnus.search({names[0]: a}, {names[1]: b}, stats="zvalue", shuffles=100, evalue=1e9)
    sizes = {"plain": (6.4, 4.8), "narrow": (3, 3), "small": (4, 4)}
    ax = None if own == "new" else plt.subplots(*((2, 2) if own == "small" else (1, 1)), figsize=sizes[own])[1]
    ax = plot.alignment(rows[0], ax=ax[0, 0] if own == "small" else ax)
    assert pictures.all_inside(ax)
    if "$" in names[0]:
        assert {"a$x$", "b$y$"} <= set(pictures.texts(ax))
        assert not any(text.get_parse_math() for text in ax.texts if "$" in text.get_text())
