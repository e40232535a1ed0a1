"""What pictures show, as numbers: the dots, bars, colours and lines that alnus.plot computes, without matplotlib."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import alnus
from alnus.plot import _alignment, _dots, _heat, _histogram, _values
from alnus.plot._axes import short

squareform = pytest.importorskip("scipy.spatial.distance").squareform

_COMPLEMENT = str.maketrans("ACGT", "TGCA")


class _Axes:
    """Axes that keep what is drawn into them."""

    def imshow(self, dots: Any, **settings: Any) -> None:
        self.dots, self.settings = dots, settings

    def plot(self, x: list[float], y: list[float], **_: Any) -> None:
        self.x, self.y = x, y


# ---- Dot plots ----


def _window_sums(scoring: alnus.Scoring, a: str, b: str, window: int, strand: str) -> np.ndarray:
    """The sum of the scores of each window of b with each window of a, place by place."""
    place = {letter: k for k, letter in enumerate(scoring.letters)}
    sums = np.empty((len(b) - window + 1, len(a) - window + 1))
    for row, column in np.ndindex(sums.shape):
        other = b[row : row + window]
        if strand == "minus":
            other = other.translate(_COMPLEMENT)[::-1]
        pairs = zip(a[column : column + window], other, strict=True)
        sums[row, column] = sum(scoring.values[place[x], place[y]] for x, y in pairs)
    return sums


@pytest.mark.parametrize("strand", ["plus", "minus"])
@pytest.mark.parametrize("window", [1, 2, 5, 9])
def test_dots_are_the_best_sums_of_windows(window: int, strand: str) -> None:
    draw = random.Random(window)
    scoring = alnus.Scoring(alphabet="dna")
    a, b = ("".join(draw.choices("ACGT", k=length)) for length in (14, 9))
    sums = _window_sums(scoring, a, b, window, strand)
    found = dict(_dots._sums(scoring, a, b.lower(), window, strand))
    assert sorted(found) == list(range(len(sums)))
    assert np.allclose([found[row] for row in range(len(sums))], sums)
    begin = window / 2  # residue 1 is from 0.5 to 1.5, so that the dot of the first window begins here
    for across, down in [(1, 1), (2, 3), (len(sums[0]), len(sums)), (4, 1)]:
        ax: Any = _Axes()
        lowest = float(np.median(sums))
        _dots._draw(ax, scoring, a, b, window, (across, down), lowest, strand)
        best = np.array(
            [
                [sums[row : row + down, column : column + across].max() for column in range(0, len(sums[0]), across)]
                for row in range(0, len(sums), down)
            ]
        )
        assert ax.dots.shape == best.shape
        assert (np.ma.getmaskarray(ax.dots) == (best < lowest)).all()
        assert np.allclose(ax.dots.filled(0), np.where(best < lowest, 0, best))
        rows, columns = best.shape
        assert ax.settings["extent"] == (
            begin,
            begin + columns * across,
            begin + rows * down,
            begin,
        )
        assert ax.settings["vmin"] < lowest < ax.settings["vmax"]
        assert ax.settings["vmax"] == max(float(best.max()), lowest + 1)
        assert ax.settings["label"] == f"{strand} strand"


@pytest.mark.parametrize("window", [1, 2, 3, 5, 8])
def test_a_dot_of_chance_is_as_rare_as_was_asked_for(window: int) -> None:
    scoring = alnus.Scoring()
    a, b = "AARNDWWKLM", "ACDYKK"
    place = {letter: k for k, letter in enumerate(scoring.letters)}
    one: dict[int, float] = {}
    for x in a:
        for y in b:
            score = int(scoring.values[place[x], place[y]])
            one[score] = one.get(score, 0) + 1 / (len(a) * len(b))
    sums = {0: 1.0}
    for _ in range(window):
        further: dict[int, float] = {}
        for total, chance in sums.items():
            for score, also in one.items():
                further[total + score] = further.get(total + score, 0) + chance * also
        sums = further
    for chance in (0.8888, 0.3141, 0.0271, 0.00314):
        found = _dots._threshold(scoring, a, b, window, chance)
        assert found == int(found)
        assert sum(p for total, p in sums.items() if total >= found) <= chance
        assert sum(p for total, p in sums.items() if total >= found - 1) > chance
    assert _dots._threshold(scoring, a, b, window, -1) == window * scoring.values.max()


def test_letters_that_a_matrix_does_not_have_are_its_last() -> None:
    scoring = alnus.Scoring()
    assert _dots._codes(scoring, "ARND").tolist() == _dots._codes(scoring, "arnd").tolist() == [0, 1, 2, 3]
    assert _dots._codes(scoring, "1\u20ac").tolist() == [len(scoring.letters) - 1] * 2


def test_the_shape_of_a_dot_plot() -> None:
    assert [_dots._step(windows) for windows in (1, 399, 400, 401, 800, 801)] == [1, 1, 1, 2, 2, 3]
    assert _dots._shape(100, 100) == pytest.approx((6.1, 6.1))
    assert _dots._shape(50, 100) == pytest.approx((6.1, 3.35))
    assert _dots._shape(1000, 10) == pytest.approx((2.8, 6.1))
    assert _dots._strands(None, "dna") == _dots._strands("both", "dna") == ["plus", "minus"]
    assert _dots._strands(None, "protein") == _dots._strands("plus", "protein") == ["plus"]
    assert _dots._strands("minus", "dna") == ["minus"]
    for strand, kind, text in [("up", "dna", "There is no strand 'up'"), ("both", "protein", "no minus strand")]:
        with pytest.raises(alnus.InputError, match=text):
            _dots._strands(strand, kind)


def test_letters_without_names_have_no_ids() -> None:
    for value in ("MKV", b"MKV", ["MKV", "MKW"], ("MKV", b"MKW"), []):
        assert not _dots._has_ids(value)
    for value in (">a\nMKV\n", b">a\nMKV\n", "./s.fa", [">a", "MKV"], {"a": "MKV"}, [("a", "MKV")]):
        assert _dots._has_ids(value)


@pytest.mark.parametrize("strand", ["plus", "minus"])
def test_the_path_goes_from_end_to_end(strand: Any, session: alnus.Session) -> None:
    query, subject = "TTACGGATCCATTGCAGGT", "ACGGATCATTGCAGG"
    if strand == "minus":
        query = query.translate(_COMPLEMENT)[::-1]
    pair = session.align(query, subject, alphabet="dna", strand=strand, match=2, mismatch=-3, gaps=(2, 1))
    assert pair.cigar.count("I") == 1, pair.cigar
    ax: Any = _Axes()
    _dots._draw_path(ax, pair)
    ends = [pair.query_begin + 0.5, pair.query_end + 0.5]
    assert [ax.x[0], ax.x[-1]] == (ends if strand == "plus" else ends[::-1])
    assert [ax.y[0], ax.y[-1]] == [pair.subject_begin + 0.5, pair.subject_end + 0.5]
    steps = list(zip(np.diff(ax.x), np.diff(ax.y), strict=True))
    assert (steps[1][0], steps[1][1]) == (1 if strand == "plus" else -1, 0), "a residue of the query alone"
    assert all(abs(across) == down for across, down in (steps[0], steps[2]))


# ---- Histograms ----


def test_widths_of_bars_are_the_next_of_1_2_and_5() -> None:
    widths = [factor * 10**power for power in range(5) for factor in (1, 2, 5)]
    for least in [0, 0.5, 3.5, 5.5, 9999, *widths[:-1], *(width + 0.01 for width in widths[:-1])]:
        assert _histogram._bar(least) == next(width for width in widths if width >= least)


@pytest.mark.parametrize("length", [1, 20, 363, 364, 365, 728, 729, 1819, 1821, 5000])
@pytest.mark.parametrize(("left", "right"), [(0, 1), (0, 0.5)])
def test_panels_end_with_a_whole_bar(length: int, left: float, right: float) -> None:
    panel = _histogram._panel(-7, length - 7, left, right)
    assert (panel.first, panel.left, panel.right) == (-7, left, right)
    assert panel.bar == _histogram._bar(length / (364 * (right - left)))
    assert (panel.end + 7) % panel.bar == 0
    assert 0 <= panel.end - (length - 7) < panel.bar
    edges = _histogram._edges_in(panel)
    assert (edges[0], edges[-1]) == (-7.5, panel.end - 0.5)
    assert set(np.diff(edges)) == {panel.bar}


def test_bars_have_the_counts_of_their_scores() -> None:
    draw = np.random.default_rng(1)
    counts = draw.integers(0, 9, 900).astype(float)
    lowest = -20
    panels = [_histogram._panel(-15, 40, 0, 0.7), _histogram._panel(40, 880, 0.75, 1)]
    assert [panel.bar for panel in panels] == [1, 10]
    expected = []
    for panel in panels:
        for first in range(panel.first, panel.end, panel.bar):
            begin = first - lowest
            expected.append(counts[max(begin, 0) : begin + panel.bar].sum())
        expected.append(np.nan)
    bars = _histogram._in_bars(panels, lowest, counts)
    assert np.array_equal(bars, expected[:-1], equal_nan=True)
    edges = _histogram._edges(panels, 2)
    assert len(edges) == len(bars) + 1
    assert (np.diff(edges) > 0).all()
    assert (edges[0], edges[-1]) == (-15.5 / 2, (panels[1].end - 0.5) / 2)
    assert (np.diff(edges) < 1e-9).sum() == 1, "the break is a tiny bar"


@pytest.mark.parametrize("bar", [1, 2, 5])
def test_the_curve_of_chance_counts_what_a_bar_would(bar: int) -> None:
    expected = np.array([0.05, 0.5, 4, 8, 1, 0.05])
    middles, curve = _histogram._in_a_bar(3, expected, bar)
    begins = range(3 - bar + 1, 3 + len(expected))
    assert middles.tolist() == [begin + (bar - 1) / 2 for begin in begins]
    of_score = dict(enumerate(expected, 3))
    sums = [sum(of_score.get(score, 0) for score in range(begin, begin + bar)) for begin in begins]
    assert curve == pytest.approx(sums)


def test_the_curve_of_chance_is_drawn_where_it_is_seen() -> None:
    expected = np.array([0.05, 0.5, 4, 8, 1, 0.05])
    whole = _histogram._whole(0, 20)
    x, y = _histogram._chance([whole], 3, expected)
    assert x.tolist() == [4, 5, 6, 7]
    assert y == pytest.approx(expected[1:5])
    for first, end, shown in [(5, 20, [5, 6, 7]), (4, 20, [4, 5, 6, 7]), (0, 6, [4, 5]), (0, 7, [4, 5, 6])]:
        assert _histogram._chance([whole._replace(first=first, end=end)], 3, expected)[0].tolist() == shown
    two = [whole._replace(end=5), whole._replace(first=5)]
    assert np.array_equal(_histogram._chance(two, 3, expected)[0], [4, np.nan, 5, 6, 7], equal_nan=True)
    x, y = _histogram._chance([whole._replace(first=8)], 3, expected)
    assert len(x) == len(y) == 0


def _panels(size: int, more: dict[int, tuple[int, int]], expected: dict[int, float] | None = None) -> list[Any]:
    """The panels of 20 scores from 5 on with 50 pairs each, of ``more`` pairs and hits, and of expected pairs."""
    pairs, hits, chance = np.zeros(size), np.zeros(size), np.zeros(size if expected else 0)
    pairs[5:25] = 50
    for score, (count, of_hits) in more.items():
        pairs[score], hits[score] = count, of_hits
    for score, number in (expected or {}).items():
        chance[score] = number
    return _histogram._panels(-3, pairs, hits, chance)


def test_the_axis_is_broken_before_hits_that_are_far_away() -> None:
    tail = _histogram._MAIN_PART + _histogram._BREAK
    assert _panels(600, {500: (1, 1)}) == [
        _histogram._Panel(2, 27, 0, _histogram._MAIN_PART, 1),
        _histogram._Panel(27, 502, tail, 1, 5),
    ]
    assert _panels(600, {79: (1, 1)}) == [_histogram._Panel(2, 77, 0, 1, 1)], "it is seen without a break"
    for score, panels in [(79, 1), (80, 2)]:
        assert len(_panels(600, {score: (1, 1)})) == panels
    for number, score, end in [(0.5, 140, 47), (0.49, 140, 27)]:
        first, _ = _panels(600, {score: (1, 1)}, {40: number})
        assert first.end == end, "where pairs are expected there is no break"
    assert len(_panels(600, {139: (1, 1)}, {40: 0.5})) == 1
    for count, panels in [(111, 2), (112, 1)]:
        assert len(_panels(600, {300: (count, count)})) == panels, "a tenth of the pairs are many"
    for count, panels in [(1, 2), (2, 1)]:
        assert len(_panels(600, {300: (count, 0)})) == panels, "a thousandth of the pairs are no hits"
    nothing = np.zeros(9)
    assert _histogram._panels(4, nothing, nothing, np.zeros(0)) == [_histogram._Panel(4, 24, 0, 1, 1)]


def test_a_range_of_scores() -> None:
    assert _histogram._range((1, 2), 10) == (10, 21)
    assert _histogram._range((-0.25, 0.25), 10) == (-3, 4)
    wrong: list[Any] = [(2, 2), (3, 2), (None, 2), (1, None), 5, (1, 2, 3)]
    for one in wrong:
        with pytest.raises(alnus.InputError, match="scores"):
            _histogram._range(one, 1)
    assert [_histogram._text(score) for score in (1234.5, 2.0, -1000000.0)] == ["1,234.5", "2", "-1,000,000"]


def test_how_many_hits_are_shown() -> None:
    class Hits(list[int]):
        summary: dict[str, int]

    hits: Any = Hits([1])
    hits.summary = {}
    assert _histogram._hits(hits, 1) == "1 hit"
    hits += [2, 3]
    assert _histogram._hits(hits, 3) == "3 hits"
    hits.summary = {"full_queries": 1, "max_target_seqs": 5000}
    assert _histogram._hits(hits, 2) == "2 of 3 hits,\nat most 5,000 of a query"


# ---- Heat maps ----


@pytest.mark.parametrize("count", [1, 2, 3, 6])
@pytest.mark.parametrize("kind", ["identity", "distance", "score", "score_distance"])
def test_condensed_and_square_arrays_are_the_same_values(count: int, kind: Any) -> None:
    condensed = np.random.default_rng(count).uniform(0.1, 0.9, count * (count - 1) // 2)
    found = _values.values_of_array(condensed, kind, None)
    diagonal = {"identity": 1.0, "distance": 0.0, "score": np.nan, "score_distance": 0.0}[kind]
    square = squareform(condensed) if count > 1 else np.zeros((1, 1))
    np.fill_diagonal(square, diagonal)
    assert np.array_equal(found.square, square, equal_nan=True)
    assert found.names == [str(k) for k in range(count)]
    if kind == "identity":
        assert found.distances() == pytest.approx(1 - condensed)
    elif kind == "score":
        assert found.distances() == pytest.approx(condensed.max(initial=0) - condensed)
    else:
        assert found.distances() == pytest.approx(condensed)
    np.fill_diagonal(square, 0.95 if kind in ("identity", "score") else 0)
    assert np.array_equal(_values.values_of_array(square, kind, ["n"] * count).square, square)


def test_distances_from_what_cannot_be_aligned_are_a_little_more_than_the_others() -> None:
    unaligned = 2147483647
    for given, expected in [
        ([5, unaligned, 7], [5, 7.7, 7]),
        ([0.5, unaligned, 0.25], [0.5, 1.1, 0.25]),
        ([unaligned] * 3, [1.1] * 3),
        ([5, unaligned - 1, 7], [5, unaligned - 1, 7]),
        ([-2, 0, 7], [0, 0, 7]),
    ]:
        values = _values.values_of_array(np.array(given, dtype=float), "score_distance", None)
        assert values.distances() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("values", "kind", "text"),
    [
        ([0, 1], "distance", "neither condensed nor square"),
        ([0, 1, 1, 0], "score", "neither condensed nor square"),
        ([[0, 1, 2]], "score", "neither condensed nor square"),
        ([1.1], "identity", "Identities are from 0 to 1"),
        ([-0.1], "identity", "Identities are from 0 to 1"),
        ([-0.1], "distance", "Distances are 0 or more"),
        ([10.1], "distance", "A distance is 10.1, but"),
        ([np.nan], "score", "infinite or no number"),
        ([np.inf], "score", "infinite or no number"),
        ([[0, 1], [0.5, 0]], "distance", "not symmetric"),
        ([[1, 0.5], [0.5, 1]], "distance", "The diagonal has higher values"),
        ([[0, 0.5], [0.5, 0]], "identity", "The diagonal is 0"),
        ([[0, 5], [5, 0]], "score", "The diagonal is 0"),
        ([0.5], None, "does not tell what its values are"),
        ([0.5], "length", "There is no value 'length'; choose identity, distance, score or score_distance"),
    ],
    ids=str,
)
def test_arrays_that_are_no_such_values(values: Any, kind: Any, text: str) -> None:
    with pytest.raises(alnus.InputError, match=text):
        _values.values_of_array(np.array(values, dtype=float), kind, None)


def test_arrays_that_may_be_such_values() -> None:
    good: list[tuple[Any, Any]] = [
        ([0.0], "identity"),
        ([1.0], "identity"),
        ([0.0], "distance"),
        ([10.0], "distance"),
        ([-5.0], "score"),
        ([-5.0], "score_distance"),
        ([[1.0]], "distance"),
        ([[0.5, 0.5], [0.5, 0.5]], "distance"),
        ([[0.0, 0.5], [0.5, 0.1]], "identity"),
    ]
    for values, kind in good:
        assert len(_values.values_of_array(np.array(values), kind, None).square) in (1, 2)


def test_numbers_are_told_from_sequences() -> None:
    pandas = pytest.importorskip("pandas")
    numbers: list[Any] = [[1, 2.5], [[1, 2], [3, 4]], [np.float64(1)], np.zeros(3), pandas.DataFrame([[1.0]])]
    numbers += [np.zeros(3, dtype=np.uint8), np.zeros(3, dtype=bool), [np.zeros(2), np.zeros(2)]]
    for values in numbers:
        assert isinstance(_values.array_of(values), np.ndarray)
    for values in (["MKV"], [], {"a": "MKV"}, np.array(["MKV"]), [["MKV"]], [[]], pandas.Series(["MKV"]), "MKV"):
        assert _values.array_of(values) is None
    with pytest.raises(alnus.InputError, match="different lengths"):
        _values.array_of([[1, 2], [3]])


@pytest.mark.parametrize(
    ("kind", "shown", "limits"),
    [
        ("identity", [50, 90], (0, 100)),
        ("identity", [50, 100.0001], (0, 100.0001)),
        ("distance", [0.2, 0.5], (0, 1)),
        ("distance", [0.2, 3], (0, 3)),
        ("score", [5, 9], (5, 9)),
        ("score", [-5, -9], (-9, -5)),
        ("score", [5, 5], (5, 6)),
        ("score", [np.nan], (0, 1)),
        ("score_distance", [3, 7, np.nan], (0, 7)),
        ("score_distance", [-2, 7], (-2, 7)),
        ("score_distance", [0, 0], (0, 1)),
    ],
)
def test_the_ends_of_the_colours(kind: Any, shown: list[float], limits: tuple[float, float]) -> None:
    assert _heat._limits(np.array(shown, dtype=float), _values.KINDS[kind]) == pytest.approx(limits)


def test_names_that_are_too_small_to_read_are_left_out() -> None:
    assert _heat._font(1.8, 3) == 9.0
    assert _heat._font(9.0, 100) == pytest.approx(0.85 * 72 * 9 / 100)
    assert _heat._font(9.0, 137) >= 4.0
    assert _heat._font(9.0, 138) == 0.0
    assert [short("a" * length, 5) for length in (4, 5, 6)] == ["aaaa", "aaaaa", "aaaa…"]


# ---- Alignments ----


@pytest.mark.parametrize(
    ("columns", "length", "found"),
    [
        (None, 10, (0, 10)),
        (None, 2000, (0, 2000)),
        ((0, 0), 10, (0, 0)),
        ((3, 5), 10, (3, 5)),
        ((3, 99), 10, (3, 10)),
        ((10, 10), 10, (10, 10)),
        ((500, 2500), 3000, (500, 2500)),
    ],
)
def test_the_columns_that_are_shown(columns: Any, length: int, found: tuple[int, int]) -> None:
    assert _alignment._columns(columns, length) == found


@pytest.mark.parametrize(
    ("columns", "length"), [(None, 2001), ((499, 2500), 3000), ((11, 12), 10), ((5, 4), 10), ((-1, 4), 10), (5, 10)]
)
def test_columns_that_cannot_be_shown(columns: Any, length: int) -> None:
    with pytest.raises(alnus.InputError, match="column"):
        _alignment._columns(columns, length)


@pytest.mark.parametrize("strand", ["plus", "minus"])
@pytest.mark.parametrize("width", [1, 4, 7, 15, 16, 60])
def test_the_lines_of_an_alignment(width: int, strand: Any, session: alnus.Session) -> None:
    query, subject = "TTACGGATCCATTGCAGGT", "ACGGATCATTGCAGG"
    if strand == "minus":
        query = query.translate(_COMPLEMENT)[::-1]
    pair = session.align(query, subject, alphabet="dna", strand=strand, match=2, mismatch=-3, gaps=(2, 1))
    assert len(pair.aligned[0]) == 16
    for begin, end in [(0, 16), (5, 12)]:
        blocks = _alignment._blocks(pair, width, (begin, end))
        assert "".join(block.query for block in blocks) == pair.aligned[0][begin:end]
        assert "".join(block.subject for block in blocks) == pair.aligned[1][begin:end]
        assert [len(block.query) for block in blocks[:-1]] == [width] * (len(blocks) - 1)
        assert 0 < len(blocks[-1].query) <= width
        for block in blocks:
            assert len(block.marks) == len(block.query) == len(block.subject)
            for letters, aligned, (first, last), turned in [
                (query, block.query, block.query_places, strand == "minus"),
                (subject, block.subject, block.subject_places, False),
            ]:
                residues = aligned.replace("-", "")
                if not residues:
                    assert first == last
                elif turned:
                    assert letters[last - 1 : first].translate(_COMPLEMENT)[::-1] == residues
                else:
                    assert letters[first - 1 : last] == residues


def test_the_title_of_an_alignment(session: alnus.Session) -> None:
    pair = session.align("MKVLAWQRYT", "MKVLARYT", mode="global")
    assert _alignment._title(pair).startswith("score 26")
    assert _alignment._residues("-A-B-") == 2
    assert _alignment._blocks(pair, 60, None)[0].marks == "|||||  |||"
