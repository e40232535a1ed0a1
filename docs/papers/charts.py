"""Charts of what the papers measured, and of what `alnus bench papers` wrote on an H200 (../papers.md)."""

import functools
import math
import pathlib
import sys
from typing import NamedTuple

from picture import FAINT, INK, WHITE, Picture

GRID = "#e3e7ec"
# Okabe and Ito's colours, which the colour-blind tell apart. Markers tell curves apart without them.
SKY, GREEN, BLUE, VERMILION = "#56b4e9", "#009e73", "#0072b2", "#d55e00"
MARKERS = {  # paths around the point
    "circle": "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "square": "m-3.5,-3.5h7v7h-7z",
    "diamond": "m0,-5l5,5l-5,5l-5,-5z",
    "up": "m0,-5l4.5,8.5h-9z",
    "down": "m0,5l4.5,-8.5h-9z",
}


class Style(NamedTuple):
    label: str
    colour: str
    marker: str
    filled: bool = True
    joined: bool = True


class Curve(NamedTuple):
    style: Style
    points: list  # (x, y)


class Panel(NamedTuple):
    heading: str
    curves: list

    def values(self):
        return [y for curve in self.curves for _, y in curve.points]


class Axis(NamedTuple):
    """From the first tick to the last."""
    title: str
    ticks: list
    log: bool

    def place(self, value, start, end):
        first, last, value = (math.log(v) if self.log else v for v in (self.ticks[0], self.ticks[-1], value))
        return start + (end - start) * (value - first) / (last - first)


def decades(title, values):
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return Axis(title, [10.0 ** k for k in range(first, last + 1)], True)


def from_zero(title, values):
    step = next(s for k in range(9) for s in (10 ** k, 2 * 10 ** k, 5 * 10 ** k) if 6 * s >= max(values))
    return Axis(title, [k * step for k in range(math.ceil(max(values) / step) + 1)], False)


def tick_label(value):
    return f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:.9f}".rstrip("0")


def draw_marker(p, x, y, style):
    p.add("path", d=f"M{x:.1f},{y:.1f}{MARKERS[style.marker]}", fill=style.colour if style.filled else WHITE,
          stroke=style.colour, stroke_width=1.5)


def draw_panel(p, panel, x_axis, y_axis, left, top, width, height):
    right, bottom = left + width, top + height
    p.heading(left + width / 2, top - 40, panel.heading, "middle")
    p.text(left - 8, top - 18, y_axis.title, 13, "end", FAINT)
    for tick in y_axis.ticks:
        y = y_axis.place(tick, bottom, top)
        p.line(left, y, right, y, GRID, 1)
        p.text(left - 8, y, tick_label(tick), 13, "end")
    p.line(left, bottom, right, bottom, FAINT, 1)
    for tick in x_axis.ticks:
        x = x_axis.place(tick, left, right)
        p.line(x, bottom, x, bottom + 5, FAINT, 1)
        p.text(x, bottom + 17, tick_label(tick), 13)
    p.text(left + width / 2, bottom + 38, x_axis.title, 13, fill=FAINT)
    for style, points in panel.curves:
        places = [(x_axis.place(x, left, right), y_axis.place(y, bottom, top)) for x, y in points]
        if style.joined:
            p.add("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places), fill="none",
                  stroke=style.colour, stroke_width=1.5)
        for x, y in places:
            draw_marker(p, x, y, style)


def draw_legend(p, styles, top):
    x = left = 30
    for style in styles:
        width = 64 + 7.7 * len(style.label)  # about what the letters take
        if x + width > p.width:
            x, top = left, top + 24
        if style.joined:
            p.line(x, top, x + 30, top, style.colour, 1.5)
        draw_marker(p, x + 15, top, style)
        p.text(x + 38, top, style.label, 14, "start")
        x += width


def chart(name, title, x_axis, y_axis, panels, columns=1, height=280, one_scale=True):
    styles = dict.fromkeys(curve.style for panel in panels for curve in panel.curves)
    rows = math.ceil(len(panels) / columns)
    cell_width, cell_height = 790 / columns, height + 124
    p = Picture(name, 800, round(rows * cell_height + 60), title)
    for k, panel in enumerate(panels):
        values = [value for other in panels for value in other.values()] if one_scale else panel.values()
        draw_panel(p, panel, x_axis, y_axis(values), k % columns * cell_width + 88,
                   k // columns * cell_height + 64, cell_width - 110, height)
    draw_legend(p, sorted(styles, key=lambda style: style.filled), rows * cell_height + 14)
    return p


@functools.cache
def tables():
    """Rows of cells, the head first, by paper, table and series."""
    found = {}
    for line in (pathlib.Path(__file__).resolve().parents[1] / "papers.md").read_text().splitlines():
        if line.startswith("## "):
            paper = line[3:]
        elif line.startswith("### "):
            table, series = line[4:].split(":")[0], None
        elif line.startswith("**"):
            series = line.strip("*")
        elif line.startswith("| ") and not line.startswith("| all as one batch"):
            rows = found.setdefault((paper, table, series), [])
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def number(text):
    """Of "4.65", "1,154", ">6", "~7.5", "1k"; None where nothing is told."""
    text = text.lstrip("<>~").replace(",", "")
    return None if text == "-" else 1024.0 * float(text[:-1]) if text.endswith("k") else float(text)


def curve(style, y, x, paper, table, series):
    """`x`, `y`: columns."""
    where = f"papers.md: {paper}, {table}, {series}"
    if (paper, table, series) not in tables():
        sys.exit(f"{where}: no such table")
    head, *rows = tables()[paper, table, series]
    for column in (x, y):
        if column not in head:
            sys.exit(f"{where}: no column {column}")
    points = [(number(row[head.index(x)]), number(row[head.index(y)])) for row in rows]
    points = [point for point in points if None not in point]
    if not points:
        sys.exit(f"{where}: nothing in column {y}")
    return Curve(style, points)


def method_style(name):
    return Style(f"{name}, H200", VERMILION, "square")


ALNUS = Style("alnus, H200", BLUE, "circle")


def sw_cuda():
    one = Style("SW-CUDA, one 8800 GTX", INK, "circle", filled=False)
    two = Style("SW-CUDA, two", INK, "square", filled=False)
    here = method_style("method sw-cuda")

    def panel(heading, table, *others):
        of = functools.partial(curve, x="Length", paper="sw-cuda-2008", table=table, series="SW-Cuda, one GPU")
        return Panel(heading, [of(one, "paper MCUPS"), of(two, "SW-Cuda, two GPUs MCUPS"),
                               *(of(style, column) for style, column in others),
                               of(here, "sw-cuda MCUPS"), of(ALNUS, "alnus MCUPS")])

    blast = Style("BLAST", GREEN, "up", filled=False)
    ssearch = Style("SSEARCH", SKY, "down", filled=False)
    farrar = Style("Farrar", GREEN, "diamond", filled=False)
    return chart("sw-cuda-speed", "Speed by the length of the query, in 2008 and on an H200",
                 Axis("residues of the query", [0, 100, 200, 300, 400, 500, 600], False),
                 functools.partial(decades, "MCUPS"),
                 [panel("Swiss-Prot, December 2006 (figure 3)", "Table 2",
                        (blast, "BLAST MCUPS"), (ssearch, "SSEARCH MCUPS")),
                  panel("Swiss-Prot 49.1 (figure 4)", "Table 3", (farrar, "Farrar MCUPS"))], columns=2, height=360)


def band_sweep():
    of = functools.partial(curve, x="Length", paper="band-sweep-2009", table="Figure 4", series="LR, one GPU")
    then = functools.partial(Style, colour=INK, filled=False, joined=False)
    return chart("band-sweep-speed", "Speed by the length of the query, in 2009 and on an H200",
                 Axis("residues of the query", [10, 20, 50, 100, 200, 500, 1000], True),
                 functools.partial(decades, "GCUPS"),
                 [Panel("subjects of 999 residues at most (figure 4)",
                        [of(then("one GPU of a 9800 GX2", marker="circle"), "paper GCUPS"),
                         of(then("both", marker="square"), "LR, two GPUs GCUPS"),
                         of(method_style("method band-sweep"), "band-sweep GCUPS"),
                         of(ALNUS, "alnus GCUPS")])], height=320)


def cudaswpp2():
    costs = {"10-2k": Style("gaps 10-2k", SKY, "circle"), "20-2k": Style("20-2k", BLUE, "square"),
             "40-3k": Style("40-3k", INK, "up")}
    simt = Style("SIMT, gaps 10-2k", VERMILION, "diamond")

    of = functools.partial(curve, x="Length", paper="cudaswpp2-2010")

    def partitioned(who, table):
        return [of(style, f"{who} GCUPS", table=table, series=f"Partitioned, gaps {cost}")
                for cost, style in costs.items()]

    def kernels(heading, table, of_partitioned, of_simt):
        return Panel(heading, [*partitioned(of_partitioned, table),
                               of(simt, f"{of_simt} GCUPS", table=table, series="SIMT, gaps 10-2k")])

    return chart("cudaswpp2-speed", "Speed by the length of the query, in 2010 and on an H200",
                 Axis("residues of the query", [100, 200, 400, 800, 1600, 3200, 6400], True),
                 functools.partial(from_zero, "GCUPS"),
                 [kernels("then: GTX 280 (figure 4)", "Table 1", "paper", "paper"),
                  kernels("then: GTX 295, two GPUs (figure 5)", "Table 2", "paper", "paper"),
                  kernels("now: the two methods, H200", "Table 1", "cudasw2-striped", "cudasw2-simt"),
                  Panel("now: alnus, H200", partitioned("alnus", "Table 1"))],
                 columns=2, height=260, one_scale=False)


def prefix_max_scan():
    of = functools.partial(curve, x="DBseq length", paper="prefix-max-scan-2011", table="Table III",
                           series="Our method")
    return chart("prefix-max-scan-time", "Time by the length of the subjects, in 2011 and on an H200",
                 Axis("residues of each of 100 subjects", [128 * 2 ** k for k in range(7)], True),
                 functools.partial(decades, "ms"),
                 [Panel("a query of 128 residues (figure 12)",
                        [of(Style("CUDASW++, first kernel", GREEN, "up", filled=False),
                            "CUDASW++ first kernel ms"),
                         of(Style("second kernel", SKY, "down", filled=False), "CUDASW++ second kernel ms"),
                         of(Style("prefix max scan, Tesla C1060", INK, "circle", filled=False), "paper ms"),
                         of(method_style("method prefix-scan"), "prefix-scan ms"),
                         of(ALNUS, "alnus ms")])], height=320)


def gpu_pairalign():
    def panel(mode):
        of = functools.partial(curve, x="# of sequences", paper="gpu-pairalign-2011", table="Figure 6", series=mode)
        return Panel(mode, [of(Style("gpu-pairAlign, GTX 280", INK, "circle", filled=False), "paper ms/pair"),
                            of(method_style("method pairalign-bits"), "pairalign-bits ms/pair"),
                            of(ALNUS, "alnus ms/pair")])

    return chart("gpu-pairalign-time",
                 "Time of an alignment by the number of sequences, in 2011 and on an H200",
                 Axis("sequences, all pairs", [16, 32, 64, 128, 256, 512], True),
                 functools.partial(decades, "ms/pair"),
                 [panel("global NW"), panel("semiglobal NW"), panel("SW")], columns=3, height=320)


CHARTS = [sw_cuda, band_sweep, cudaswpp2, prefix_max_scan, gpu_pairalign]
