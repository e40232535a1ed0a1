"""Draws speed.svg, the picture of the README, from the table of results/choosing.md and one figure of results/h200.md.

`python3 -B docs/speed_picture.py` writes it; with --check it is compared instead.
"""

import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "papers"))

from picture import BLUE_INK, FAINT, INK, Picture  # noqa: E402

GREY = "#b8c0ca"


def rows():
    """Program, seconds, and the share of alnus' pairs that it finds."""
    tables = (DOCS / "results/choosing.md").read_text()
    host = re.search(r"^- machine: (.*)$", tables, re.M)[1]
    found = []
    for line in re.findall(r"^\| (.*) \|$", tables.split("## All pairs")[0], re.M):
        cells = [cell.strip() for cell in line.split("|")]
        if re.fullmatch(r"[\d.]+", cells[1]):
            found.append((cells[0], float(cells[1]), cells[5]))
    gpu = re.search(r"500 queries against 20,000 proteins, names and E-values: ([\d.]+) s", (DOCS / "results/h200.md").read_text())
    return host, sorted([("alnus, one H200", float(gpu[1]), found[0][2]), *found], key=lambda row: row[1])


def draw():
    host, bars = rows()
    left, top, step, width = 220, 78, 34, 440
    p = Picture("speed", 820, top + step * len(bars) + 40, "Seconds for 500 queries against 20,000 proteins, by program")
    p.heading(20, 24, "500 queries against 20,000 proteins: seconds, and what is found")
    p.text(20, 50, f"Two cores ({host}) unless a GPU is named. Found: the share of alnus' hits with E-values up to 0.001.",
           13, "start", FAINT)
    longest = bars[-1][1]
    for k, (name, seconds, share) in enumerate(bars):
        y = top + k * step
        ours = name.startswith("alnus")
        length = max(2, width * seconds / longest)
        p.text(left - 12, y + 12, name, 14, "end", weight="bold" if ours else "normal")
        p.add("rect", x=left, y=y, width=round(length, 1), height=24, fill=BLUE_INK if ours else GREY)
        told = "finds all" if ours else f"finds {share}"
        p.text(left + length + 8, y + 12, f"{seconds:.{1 if seconds > 1 else 2}f} s, {told}", 13, "start", INK)
    return p


def main():
    target, text = DOCS / "speed.svg", draw().svg()
    if "--check" in sys.argv[1:]:
        sys.exit(0 if target.read_text() == text else f"{target} is not what results/choosing.md says; draw it again.")
    target.write_text(text)


if __name__ == "__main__":
    main()
