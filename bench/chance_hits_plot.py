#!/usr/bin/env python3
"""Draw pictures of chance hits: how many were found beside how many were due.

    bench/chance_hits_plot.py

Reads docs/results/chance-hits.tsv, which has the tables of docs/results/statistics.md, and writes
chance-hits-proteins.svg and chance-hits-dna.svg beside it. A line shows one method; for each limit it has the sum of
the null databases that belong to the line. The grey band has 95% of independent counts: 1.96 standard deviations of a
Poisson count on either side of the number that is due. A count of 0 is drawn at the lower edge. The same table gives
pictures with the same bytes. Needs Debian's package python3-matplotlib.
"""
import csv
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from matplotlib import pyplot

FOLDER = Path(__file__).resolve().parents[1] / "docs/results"
ZERO = 0.25  # the place on the logarithmic axis where a count of 0 is drawn
HALF_BAND = 1.96  # half the height of the grey band, in standard deviations


@dataclass
class Line:
    label: str
    method: str
    null: str  # the beginning of the names of the null databases that the line sums
    marker: str
    dashes: str
    colour: str


@dataclass
class Picture:
    name: str
    panels: dict[str, list[Line]]  # the lines of each panel, by its title
    highest: float  # the upper end of the vertical axis


def dna(null: str) -> list[Line]:
    two_three, nuc44 = "match 2, mismatch -3, gaps 5/2", "NUC44 10/6"
    return [Line("match 2, mismatch -3, default options", two_three, null, "o", "-", "#000000"),
            Line("NUC44 10/6, default options", nuc44, null, "s", "-", "#0072b2"),
            Line("match 2, mismatch -3, unadjusted", two_three + ", neither option", null, "D", "--", "#777777"),
            Line("NUC44 10/6, unadjusted", nuc44 + ", neither option", null, "^", "--", "#56b4e9"),
            Line("alnus --preset blastn", "--preset blastn", null, "v", ":", "#d55e00"),
            Line("blastn -task blastn", "blastn -task blastn", null, "X", ":", "#009e73")]


PERMUTED = "proteins, permutation "
PICTURES = [
    Picture("proteins", {"": [
        Line("default, ten permutations", "default", "proteins, ten permutations", "o", "-", "#000000"),
        Line("default, reversed proteins", "default", "proteins, reversed", "s", "-", "#0072b2"),
        Line("unadjusted", "spouge, unadjusted", PERMUTED, "^", "--", "#56b4e9"),
        Line("unadjusted, --mask seg", "spouge, unadjusted, --mask seg", PERMUTED, "v", "--", "#009e73"),
        Line("regression", "regression", PERMUTED, "D", ":", "#777777"),
        Line("regression, --mask seg", "regression, --mask seg", PERMUTED, "P", ":", "#d55e00"),
        Line("zvalue (E <= 1 alone)", "zvalue, the best 100 scores of each query", PERMUTED, "*", "none", "#cc3399"),
    ]}, 2e5),
    Picture("dna", {"shuffled twice": dna("DNA, two shuffles"), "reversed": dna("DNA, reversed")}, 2e5),
]


def counts(rows: list[dict[str, str]], line: Line) -> list[tuple[float, float]]:
    """Return (number due, number found) for each limit of a line, from the lowest limit up."""
    sums: dict[float, list[float]] = defaultdict(lambda: [0, 0])
    for row in rows:
        if row["method"] == line.method and row["null"].startswith(line.null):
            of_limit = sums[float(row["limit"])]
            of_limit[0] += float(row["due"])
            of_limit[1] += float(row["found"])
    return [(due, found) for _, (due, found) in sorted(sums.items())]


def draw(picture: Picture, rows: list[dict[str, str]]) -> None:
    figure, grid = pyplot.subplots(1, len(picture.panels), figsize=(7.2, 5.2), sharey=True, squeeze=False)
    for axes, (title, lines) in zip(grid[0], picture.panels.items()):
        for line in lines:
            due, found = zip(*counts(rows, line))
            axes.plot(due, [max(number, ZERO) for number in found], label=line.label, marker=line.marker,
                      linestyle=line.dashes, linewidth=1.2, color=line.colour, clip_on=False, zorder=3,
                      markersize=12 if line.marker == "*" else 6, markeredgecolor="white", markeredgewidth=0.5)
        first, last = 0.35, picture.highest / 2
        band = [first * (last / first) ** (k / 400) for k in range(401)]
        axes.fill_between(band, [max(due - HALF_BAND * math.sqrt(due), ZERO) for due in band],
                          [due + HALF_BAND * math.sqrt(due) for due in band], color="#dddddd", linewidth=0,
                          label="95% of independent counts")
        axes.plot([first, last], [first, last], color="black", linewidth=0.7, label="as many as are due")
        axes.set(xscale="log", yscale="log", xlim=(first, last), ylim=(ZERO, picture.highest), title=title,
                 xlabel="hits due by chance")
        powers = [10.0 ** k for k in range(6)]
        axes.set_xticks(powers[:5], [f"{power:,.0f}" for power in powers[:5]])
        axes.set_yticks([ZERO, *powers], ["0", *(f"{power:,.0f}" for power in powers)])
        axes.minorticks_off()
        axes.grid(color="#eeeeee", linewidth=0.6)
        axes.set_axisbelow(True)
    grid[0][0].set_ylabel("hits found")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=2, frameon=False)
    figure.tight_layout(rect=(0, 0.02 + 0.038 * math.ceil(len(labels) / 2), 1, 1))
    figure.savefig(FOLDER / f"chance-hits-{picture.name}.svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def main() -> None:
    with open(FOLDER / "chance-hits.tsv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    pyplot.rc("svg", hashsalt="alnus", fonttype="path")
    pyplot.rc("font", family="DejaVu Sans", size=9)
    pyplot.rc("axes.spines", top=False, right=False)
    for picture in PICTURES:
        draw(picture, rows)


if __name__ == "__main__":
    main()
