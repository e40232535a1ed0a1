"""Draws the pictures of these pages: writes the SVG files beside itself, or with --check compares them."""

import pathlib
import sys

import charts
from picture import BLUE, BLUE_INK, DONE, FAINT, GREEN, LIGHT, NOW, RED, RED_INK, WHITE, Picture

FOLDER = pathlib.Path(__file__).resolve().parent


def dependencies():
    p = Picture("sw-cuda-dependencies", 720, 330, "What a cell needs, and which cells are independent")
    side, x0, y0 = 38, 70, 60

    def middle(column, row):
        return x0 + (column + 0.5) * side, y0 + (row + 0.5) * side

    p.grid(x0, y0, 6, 6, side, side, lambda column, row: (DONE, NOW, WHITE)[(column + row > 4) + (column + row > 5)])
    p.text(x0 + 3 * side, 26, "subject, j")
    p.arrow(x0 + 3 * side - 60, 44, x0 + 3 * side + 60, 44, FAINT)
    p.text(8, y0 + 3 * side - 64, "query, i", anchor="start")
    p.arrow(40, y0 + 3 * side - 50, 40, y0 + 3 * side + 50, FAINT)
    x, y = middle(3, 2)
    for column, row in ((2, 1), (3, 1), (2, 2)):
        from_x, from_y = middle(column, row)
        p.arrow(from_x, from_y, from_x + 0.72 * (x - from_x), from_y + 0.72 * (y - from_y))
    p.legend(340, 66, (DONE, "computed"), (NOW, "one anti-diagonal: independent of each other"), (WHITE, "to come"))
    p.note(340, 166, "A cell needs H at the upper left and a score,", "H and F of the cell above,",
           "H and E of the cell at the left.")
    p.note(340, 240, "Six rows have at most six independent cells.",
           "The subjects of a database are all independent.")
    return p


def read_matrix(name):
    """{(query letter, subject letter): score}."""
    path = FOLDER.parents[1] / "data" / "matrices" / f"{name}.txt"
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {(row[0], letter): score for row in lines[1:] for letter, score in zip(lines[0], row[1:])}


def query_profile():
    p = Picture("sw-cuda-profile", 760, 300, "The query profile, four scores to a word")
    query, letters, scores = "MPKIIEAI", "ARND", read_matrix("BLOSUM50")
    x0, y0, w, h = 200, 80, 56, 34
    p.text(x0 - 14, y0 - 17, "query", anchor="end")
    for k, letter in enumerate(query):
        p.text(x0 + (k + 0.5) * w, y0 - 17, letter, 16, weight="bold")
    for row, letter in enumerate(letters):
        p.text(x0 - 14, y0 + (row + 0.5) * h, f"subject has {letter}", anchor="end")
    p.grid(x0, y0, 8, 4, w, h, lambda column, row: LIGHT if row == 1 else WHITE,
           lambda column, row: scores[query[column], letters[row]])
    for word in range(2):
        p.frame(x0 + 4 * word * w, y0 + h, 4 * w, h)
    p.text(x0 + 4 * w, y0 + 4 * h + 14, "…", 18)
    p.text(x0 + 2 * w, 26, "32 bits: four scores, one fetch", fill=RED_INK)
    p.text(x0 + 6 * w, 26, "the next four", fill=RED_INK)
    p.note(60, 258, "A column of the matrix in which the subject has R reads the row of R from left to right:",
           "consecutive addresses, and nothing looks up the query's residue.")
    return p


def buffers():
    p = Picture("sw-cuda-columns", 760, 410, "Four cells of a column at a time")
    h, y0 = 34, 70
    y = y0 + 6 * h

    def column(x, title, below, fill, what):
        p.heading(x + 50, 28, title, "middle")
        p.text(x + 50, 50, below, 13, fill=FAINT)
        p.grid(x, y0, 1, 8, 100, h, lambda _, row: fill[row > 3], lambda _, row: f"{what} of {row + 1}", 13)
        p.frame(x, y0 + 4 * h, 100, 4 * h)

    column(40, "profile", "row of the letter", (GREEN, GREEN), "score")
    column(230, "load buffer", "column j - 1", (BLUE, BLUE), "H, E")
    column(440, "cells", "column j", (DONE, NOW), "H, E, F")
    column(630, "store buffer", "column j", (BLUE, WHITE), "H, E")
    p.arrow(332, y, 438, y, BLUE_INK)
    p.text(385, y - 14, "128 bits", 13, fill=BLUE_INK)
    p.arrow(542, y, 628, y, BLUE_INK)
    p.text(585, y - 14, "128 bits", 13, fill=BLUE_INK)
    bottom = y0 + 8 * h + 30
    p.line(90, y0 + 8 * h + 2, 90, bottom, BLUE_INK)
    p.line(90, bottom, 490, bottom, BLUE_INK)
    p.arrow(490, bottom, 490, y0 + 8 * h + 3, BLUE_INK)
    p.text(290, bottom - 13, "32 bits", 13, fill=BLUE_INK)
    p.arrow(556, y0 + 3 * h, 556, y0 + 4.9 * h)
    p.note(549, y0 + 2.0 * h, "h_north,", "f_north", size=13)
    return p


def bands():
    p = Picture("band-sweep-bands", 760, 390, "The matrix in horizontal bands of twelve rows")
    x0, y0, width, band, row, at = 110, 64, 384, 72, 6, 9
    side = 16
    for k in range(4):
        p.box(x0, y0 + k * band, width, band, DONE if k < 2 else WHITE)
    p.box(x0, y0 + 2 * band, at * side, band, DONE)
    p.grid(x0 + at * side, y0 + 2 * band, 1, 12, side, row, lambda *_: NOW)
    for k in (1, 2):
        p.line(x0 + (at * side if k == 2 else 0), y0 + k * band, x0 + width, y0 + k * band, BLUE_INK, 4)
    p.line(x0, y0 + 3 * band, x0 + at * side, y0 + 3 * band, BLUE_INK, 4)
    p.text(x0 + width / 2, 24, "subject, one column after the other")
    p.arrow(x0 + width / 2 - 60, 44, x0 + width / 2 + 60, 44, FAINT)
    for k in range(4):
        p.text(x0 - 12, y0 + (k + 0.5) * band, f"{12 * k + 1} to {12 * k + 12}", 13, "end")
    p.text(x0 - 12, 44, "query", 13, "end", weight="bold")
    p.legend(520, 70, (DONE, "computed"), (NOW, "twelve cells under way"), (WHITE, "to come"))
    p.line(520, 156, 544, 156, BLUE_INK, 4)
    p.note(552, 156, "H and F of a band's last row,", "in device memory, a word", "for each column")
    p.note(520, 240, "H and E of the column at the", "left: twelve words of each", "thread, in shared memory")
    return p


def traffic():
    p = Picture("band-sweep-traffic", 800, 400, "Where the values of a column of twelve cells come from and go")
    side = 62
    device, shared, register = BLUE, GREEN, RED

    def panel(x, title, above, below):
        p.heading(x + 1.5 * side + 20, 26, title, "middle")
        y = 56
        step = side + 20

        def value(column, row, fill, values):
            p.box(x + column * step, y + row * step, side, side, fill)
            p.text(x + column * step + side / 2, y + row * step + side / 2, values, 13)

        value(0, 0, register, "H")
        value(1, 0, above, "H, F")
        value(0, 1, shared, "H, E")
        value(1, 1, NOW, "cell")
        value(2, 1, shared, "H, E")
        value(1, 2, below, "H, F")
        p.arrow(x + side, y + side, x + step - 1, y + step - 1)
        p.arrow(x + step + side / 2, y + side, x + step + side / 2, y + step - 1)
        p.arrow(x + side, y + step + side / 2, x + step - 1, y + step + side / 2)
        p.arrow(x + step + side, y + step + side / 2, x + 2 * step - 1, y + step + side / 2)
        p.arrow(x + step + side / 2, y + step + side, x + step + side / 2, y + 2 * step - 1)

    panel(20, "first row", device, register)
    panel(286, "rows 2 to 11", register, register)
    panel(552, "row 12", register, device)
    p.legend(40, 318, (device, "device memory"), (shared, "shared memory"), (register, "registers"))
    p.note(240, 326, "In both memories a pair of values is one 32-bit word.",
           "Device memory is touched twice in a column of twelve cells:",
           "8 bytes, two thirds of a byte for each cell.")
    return p


def layouts():
    p = Picture("cudaswpp2-profiles", 760, 350, "Sequential and striped layout of a query in vectors")
    side, y0 = 42, 86
    colours = (BLUE, GREEN, LIGHT, RED)

    def layout(x, title, residue):
        p.heading(x + 2 * side, 24, title, "middle")
        for lane in range(4):
            p.text(x + (lane + 0.5) * side, y0 - 36, "lane", 13, fill=FAINT)
            p.text(x + (lane + 0.5) * side, y0 - 18, lane, 13, fill=FAINT)
        for vector in range(4):
            p.text(x - 10, y0 + (vector + 0.5) * side, f"vector {vector + 1}", 13, "end", FAINT)
        p.grid(x, y0, 4, 4, side, side, lambda lane, vector: colours[(residue(lane, vector) - 1) // 4],
               lambda lane, vector: residue(lane, vector), 16)

    layout(100, "sequential", lambda lane, vector: 4 * vector + lane + 1)
    layout(480, "striped", lambda lane, vector: 4 * lane + vector + 1)
    for vector in range(4):
        p.arrow(110, y0 + (vector + 0.82) * side, 258, y0 + (vector + 0.82) * side, RED_INK)
    for lane in range(4):
        p.arrow(480 + (lane + 0.84) * side, y0 + 8, 480 + (lane + 0.84) * side, y0 + 4 * side - 6, RED_INK)
    p.note(50, 284, "F runs along each vector:", "every residue waits for the one", "before it in the same vector.")
    p.note(390, 284, "F runs from vector to vector, in all lanes at", "once. What enters a lane from the one before",
           "is corrected afterwards, where it matters: lazy F.")
    return p


def partitions():
    p = Picture("cudaswpp2-partitions", 800, 400, "Partitions of the query pass H and F on")
    x0, y0, side, high, at = 130, 70, 34, 92, 6
    for k in range(3):
        p.box(x0, y0 + k * high, 12 * side, high, DONE if k == 0 else WHITE)
        p.text(x0 - 12, y0 + (k + 0.5) * high - 9, f"partition {k + 1}", anchor="end")
        p.text(x0 - 12, y0 + (k + 0.5) * high + 11, "256 rows", 13, "end", FAINT)
    p.box(x0, y0 + high, at * side, high, DONE)
    p.box(x0 + at * side, y0 + high, side, high, NOW)
    for y, columns in ((y0 + high, 12), (y0 + 2 * high, at)):
        for column in range(columns):
            last, first = ("B", "C") if (column, columns) == (at, 12) else (None, None)
            p.box(x0 + column * side, y - 18, side, 18, BLUE, last, 13)
            p.box(x0 + column * side, y, side, 18, GREEN, first, 13)
            p.arrow(x0 + (column + 0.84) * side, y - 10, x0 + (column + 0.84) * side, y + 12, RED_INK)
    p.text(x0 + 6 * side, 24, "subject, one column after the other")
    p.arrow(x0 + 6 * side - 60, 46, x0 + 6 * side + 60, 46, FAINT)
    p.legend(570, 70, (DONE, "computed"), (NOW, "column at work"), (BLUE, "last row: H is right"),
             (GREEN, "F of the row below"))
    p.note(570, 190, "F of C is the larger of", "H of B - open - extend and", "F of B - extend.")
    p.note(570, 268, "If lazy F ended early, F of B", "may be too low. But then", "F of B is H of B - open at most,",
           "and F of C comes from H.")
    p.text(x0 + 6 * side, y0 + 3 * high + 28,
           "H and E of a column: registers; H and F between partitions: device memory", 13, fill=FAINT)
    return p


def cell_blocks():
    p = Picture("cudaswpp2-cell-blocks", 760, 370, "Cell blocks of four rows and four columns")
    side, x0, y0 = 24, 150, 96
    p.grid(x0, y0, 12, 8, side, side, lambda column, row: NOW if 4 <= column < 8 and row >= 4 else
           DONE if row < 4 or column < 4 else WHITE)
    for column in range(3):
        for row in range(2):
            p.frame(x0 + 4 * column * side, y0 + 4 * row * side, 4 * side, 4 * side)
    for column, letters in enumerate(("MKVL", "AATR", "GHSD")):
        p.grid(x0 + 4 * column * side, y0 - 34, 4, 1, side, side, lambda *_: LIGHT if column == 1 else WHITE,
               lambda k, _: letters[k])
        p.frame(x0 + 4 * column * side, y0 - 34, 4 * side, side)
    p.text(x0 + 6 * side, 24, "subject: four residues to a word (uchar4)")
    for row in range(2):
        p.note(x0 - 16, y0 + (4 * row + 1.6) * side, "four", "residues", anchor="end")
    p.text(x0 - 16, y0 - 22, "query", anchor="end", weight="bold")
    p.line(x0, y0 + 4 * side, x0 + 12 * side, y0 + 4 * side, BLUE_INK, 4)
    p.line(x0 + 8 * side, y0 + 4 * side, x0 + 8 * side, y0 + 8 * side, RED_INK, 4)
    p.legend(490, 64, (DONE, "computed"), (NOW, "sixteen cells under way"), (LIGHT, "fetched once for all of them"))
    p.line(490, 160, 514, 160, BLUE_INK, 4)
    p.note(522, 160, "H and F of the row above,", "in device memory")
    p.line(490, 212, 514, 212, RED_INK, 4)
    p.note(522, 212, "H and E of the last column,", "in registers")
    p.note(60, 324, "For each of the four columns one word of the profile (char4) has the scores of the four rows:",
           "five fetches bring what sixteen cells need of the sequences.")
    return p


def scan():
    p = Picture("prefix-max-scan-tree", 820, 480, "A prefix maximum in up-sweep and down-sweep")
    w, h, x0, y0, step = 68, 30, 170, 50, 62
    ranges = {k: (k, k) for k in range(1, 9)}
    stages = [("input", []), ("up, distance 1", [(1, 2), (3, 4), (5, 6), (7, 8)]),
              ("up, distance 2", [(2, 4), (6, 8)]), ("up, distance 4", [(4, 8)]),
              ("down, distance 2", [(4, 6)]), ("down, distance 1", [(2, 3), (4, 5), (6, 7)])]
    for row, (title, moves) in enumerate(stages):
        y, above = (y0 + k * step + (30 if k > 3 else 0) for k in (row, row - 1))
        for source, target in moves:
            ranges[target] = (ranges[source][0], ranges[target][1])
        p.text(x0 - 16, y + h / 2, title, anchor="end")
        for k, (first, last) in ranges.items():
            p.box(x0 + (k - 1) * (w + 8), y, w, h, GREEN if first == 1 else WHITE,
                  f"{first} to {last}" if first < last else f"{first}")
        for source, target in moves:
            from_x, to_x = (x0 + (k - 1) * (w + 8) + w / 2 for k in (source, target))
            p.arrow(from_x, above + h + 1, to_x - 6, y - 2, RED_INK)
    p.line(40, y0 + 4 * step, 780, y0 + 4 * step, FAINT, 1, stroke_dasharray="6 4")
    p.text(164, y0 + 4 * step - 12, "the paper's text", 13, "end", FAINT)
    p.text(164, y0 + 4 * step + 14, "what it takes besides", 13, "end", FAINT)
    p.note(40, 24, "Numbers are the elements whose maximum a place holds.")
    p.legend(170, 444, (GREEN, "all elements from the first to this one"))
    return p


def scanned_row():
    p = Picture("prefix-max-scan-row", 820, 420, "One row of the matrix: three formulae")
    w, h, x0, n = 66, 34, 200, 8

    def row(y, title, label, fill, first=None):
        p.text(x0 - w - 18, y + h / 2, title, anchor="end")
        if first:
            p.box(x0 - w, y, w, h, BLUE, first, 13)
        p.grid(x0, y, n, 1, w, h, lambda *_: fill, lambda k, _: label.format(k + 1), 13)

    row(40, "row i - 1", "H({})", DONE, "H(0)")
    row(130, "H'", "H'({})", LIGHT)
    row(230, "scan", "L({})", GREEN)
    row(330, "row i", "H({})", NOW, "H(0)")
    for k in range(n):
        x = x0 + (k + 0.5) * w
        p.arrow(x, 75, x, 128)
        p.arrow(x - w, 75, x - 8, 128, FAINT)
        p.arrow(x, 265, x, 328)
        if k + 1 < n:
            p.arrow(x, 165, x + w - 12, 228, RED_INK)
        p.arrow(x, 165, x, 228, RED_INK)
    p.text(760, 94, "(a)", weight="bold")
    p.text(760, 194, "(b)", weight="bold")
    p.text(760, 290, "(c)", weight="bold")
    p.text(x0 + n * w / 2, 392,
           "a thread for each column; (b) is the prefix maximum, in steps that all threads wait for")
    return p


def slices():
    p = Picture("prefix-max-scan-slices", 800, 360, "A block of threads for each alignment, slices of 512 columns")
    x0, y0, w, h = 60, 70, 110, 150

    def matrix(x, title, count, current, rows):
        p.heading(x, 24, title)
        p.text(x + count * w / 2, 50, "subject", 13, fill=FAINT)
        for k in range(count):
            p.box(x + k * w, y0, w, h, DONE if k < current else WHITE)
            p.text(x + (k + 0.5) * w, y0 + h + 16, f"{512 * k + 1} to {512 * k + 512}", 12)
        p.box(x + current * w, y0, w, rows, DONE)
        p.box(x + current * w, y0 + rows, w, 12, NOW)
        for k in range(1, count):
            if k <= current:
                p.line(x + k * w, y0, x + k * w, y0 + h, BLUE_INK, 4)

    matrix(x0, "block 1: query and subject 1", 3, 1, 64)
    matrix(x0 + 3 * w + 60, "block 2: query and subject 2", 2, 0, 108)
    p.text(740, y0 + h / 2, "…", 24)
    p.text(30, y0 + h / 2, "query", 13, fill=FAINT)
    p.legend(60, 266, (NOW, "a row of 512 cells under way, a thread each, in shared memory"), (DONE, "computed"))
    p.line(60, 326, 84, 326, BLUE_INK, 4)
    p.note(92, 326, "last column of a slice, in device memory: H of the left border for the next one")
    return p


def windows():
    p = Picture("gpu-pairalign-windows", 820, 400, "Windows, blocks and threads of all pairs")
    x0, y0, side = 60, 60, 60
    p.heading(x0, 24, "all pairs of a set")
    for row in range(5):
        for column in range(row + 1):
            x, y = x0 + column * side, y0 + row * side
            p.box(x, y, side, side, NOW if (column, row) == (1, 3) else LIGHT if column < row else WHITE)
            if column == row:
                p.add("polygon", points=f"{x},{y} {x},{y + side} {x + side},{y + side}", fill=LIGHT, stroke=FAINT)
    p.arrow(24, y0 + 20, 24, y0 + 270, FAINT)
    p.note(60, 376, "longest sequences first, on both sides", size=13)
    p.heading(410, 24, "a window: 80 x 80 pairs")
    p.grid(410, y0, 5, 5, 32, 32, lambda column, row: NOW if (column, row) == (3, 1) else LIGHT)
    p.line(x0 + 2 * side, y0 + 3 * side, 410, y0, FAINT, 1)
    p.line(x0 + 2 * side, y0 + 4 * side, 410, y0 + 160, FAINT, 1)
    p.heading(620, 180, "a block: 16 x 16 pairs")
    p.grid(620, 200, 16, 16, 10, 10, lambda *_: LIGHT)
    p.line(410 + 4 * 32, y0 + 32, 620, 200, FAINT, 1)
    p.line(410 + 4 * 32, y0 + 64, 620, 360, FAINT, 1)
    p.note(620, 376, "a thread for each pair", size=13)
    p.note(410, 272, "An idle device takes", "the window with most", "work that is left.")
    return p


def eight():
    p = Picture("gpu-pairalign-eight", 800, 420, "Eight cells a step, and the word of their directions")
    x0, y0, side, at = 60, 70, 20, 7
    for k in range(3):
        p.box(x0, y0 + 80 * k, 320, 80, DONE if k < 1 else WHITE)
        p.text(x0 - 8, y0 + 80 * k + 40, "8 rows", 13, "end")
    p.box(x0, y0 + 80, at * side, 80, DONE)
    p.grid(x0 + at * side, y0 + 80, 1, 8, side, 10, lambda *_: NOW)
    p.line(x0 + at * side, y0 + 80, x0 + 320, y0 + 80, BLUE_INK, 4)
    p.line(x0, y0 + 160, x0 + at * side, y0 + 160, BLUE_INK, 4)
    p.text(x0 + 160, 24, "one sequence, in columns")
    p.arrow(x0 + 100, 46, x0 + 220, 46, FAINT)
    p.line(430, 80, 454, 80, BLUE_INK, 4)
    p.note(462, 80, "H and the score of a vertical gap,", "16 bits each: a word read, a word written")
    p.note(462, 140, "H and the score of a horizontal gap", "of the eight rows: shared memory")
    p.note(462, 200, "and one word of directions written:", "12 bytes for eight cells, 8 without directions")
    names = ("B up", "B left", "C up", "C left")
    w = 22
    p.text(60, 344, "row", 13, "end")
    for k in range(8):
        p.text(70 + (4 * k + 2) * w, 328, k + 1, 13, weight="bold")
    p.grid(70, 340, 32, 1, w, 26, lambda column, _: (BLUE, GREEN, LIGHT, RED)[column % 4])
    for k in range(8):
        p.frame(70 + 4 * k * w, 340, 4 * w, 26)
    for k, name in enumerate(names):
        p.box(70 + 120 * k, 386, 16, 16, (BLUE, GREEN, LIGHT, RED)[k])
        p.text(94 + 120 * k, 394, name, 14, "start")
    p.text(770, 394, "32 bits", 14, "end", FAINT)
    return p


def walk():
    """Local, match 4, mismatch -3, a gap's first residue 3, each other 1: the best score is 6."""
    p = Picture("gpu-pairalign-walk", 800, 470, "The walk as printed, and as it must be")
    across, down = "AAA", "ACACA"
    bits = [["0011", "0011", "0011"], ["0010", "0011", "0011"], ["1011", "1011", "1011"], ["0010", "0010", "0011"],
            ["1011", "1011", "1011"]]
    w, h, y0 = 74, 52, 96

    def panel(x, title, path, rows):
        p.heading(x + 1.5 * w, 28, title, "middle")
        for k, letter in enumerate(across):
            p.text(x + (k + 0.5) * w, y0 - 18, letter, 16, weight="bold")
        for k, letter in enumerate(down):
            p.text(x - 18, y0 + (k + 0.5) * h, letter, 16, weight="bold")
        p.grid(x, y0, 3, 5, w, h, lambda column, row: LIGHT if (column, row) in path else WHITE)
        for row in range(5):
            for column in range(3):
                p.text(x + column * w + 6, y0 + (row + 1) * h - 13, bits[row][column], 13, "start")
        for (a, b), (c, d) in zip(path, path[1:]):
            p.arrow(x + (a + 0.72) * w, y0 + b * h + 26, x + (c + 0.72) * w, y0 + (d + 1) * h - 14, RED_INK)
        for k, line in enumerate(rows):
            p.text(x + 1.5 * w, y0 + 5 * h + 28 + 20 * k, line, 15)

    panel(90, "as printed", [(2, 4), (1, 3), (1, 2), (1, 1), (0, 0)], ["A A - - A", "A C A C A", "4 - 3 - 4 + 4 = 1"])
    panel(400, "asking the cell it comes from", [(2, 4), (1, 3), (1, 2), (0, 1), (0, 0)],
          ["A - A - A", "A C A C A", "4 - 3 + 4 - 3 + 4 = 6"])
    p.note(652, 110, "bits of a cell:", "C up, C left,", "B up, B left", size=13)
    p.note(652, 190, "B up and B left:", "to the diagonal", size=13)
    p.note(652, 254, "C up: the gap that", "goes up from this", "cell goes on for", "one more residue", size=13)
    return p


PICTURES = [dependencies, query_profile, buffers, bands, traffic, layouts, partitions, cell_blocks, scanned_row, scan,
            slices, windows, eight, walk, *charts.CHARTS]


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: draw.py [--check]")
    drawn = {f"{picture.name}.svg": picture.svg() for picture in (draw() for draw in PICTURES)}
    if not check:
        for name, svg in drawn.items():
            (FOLDER / name).write_text(svg)
        return
    found = {path.name: path.read_text() for path in FOLDER.glob("*.svg")}
    different = sorted(name for name in drawn.keys() | found.keys() if drawn.get(name) != found.get(name))
    if different:
        sys.exit(f"not what draw.py draws: {', '.join(different)}")
    pages = "".join(page.read_text() for page in FOLDER.glob("*.md"))
    unseen = [name for name in drawn if f"]({name})" not in pages]
    if unseen:
        sys.exit(f"on no page: {', '.join(unseen)}")


if __name__ == "__main__":
    main()
