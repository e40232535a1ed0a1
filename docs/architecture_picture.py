"""Draws docs/architecture.svg: writes the file beside itself, or with --check compares it."""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER / "papers"))

from picture import BLUE_INK, DONE, INK, LIGHT, WHITE, Picture

ROOM = "#f2f4f7"
GAP, BOX, STEP = 4, 42, 62  # between rooms; the height of a step's box; from one step to the next

# The rooms from left to right: the name, the width, and what the room holds, line by line.
ROOMS = [
    ("callers", 84, ("program,", "Python")),
    ("include/ alnus", 88, ("public API",)),
    ("api", 70, ("options,", "inputs")),
    ("jobs", 70, ("outputs,", "parts")),
    ("session", 84, ("calls,", "devices")),
    ("graph", 80, ("clusters,", "splits")),
    ("io", 84, ("readers,", "writers")),
    ("core", 88, ("sequences,", "matrices")),
    ("engine", 100, ("plans, runs,", "collects")),
    ("stats", 72, ("E-values",)),
    ("cpu", 58, ("vector", "units")),
    ("cuda", 58, ("GPUs",)),
]
# The steps of a search: the first and the last room that take part, and the words.
STEPS = [
    ("io", "io", ("read,", "check")),
    ("core", "core", ("sort by", "length")),
    ("session", "session", ("choose", "devices")),
    ("engine", "engine", ("plan", "tiles")),
    ("cpu", "cuda", ("score", "all pairs")),
    ("engine", "engine", ("keep the", "best hits")),
    ("engine", "stats", ("adjust scores to", "composition")),
    ("stats", "stats", ("judge",)),
    ("cpu", "cuda", ("align", "the hits")),
    ("io", "io", ("write", "rows")),
]


def layers():
    """{folder: folders that it may include}, and what one file of the engine may include besides."""
    text = (FOLDER.parent / "tests" / "layers.cmake").read_text()
    allowed = {name: words.split() for name, words in re.findall(r"set\(may_include_(\w+) ([\w ]+)\)", text)}
    registry = re.search(r"list\(APPEND allowed ([\w ]+)\)", text)[1].split()
    return allowed, registry


def places():
    """{room: (left, right)}."""
    found, x = {}, 8
    for name, width, _ in ROOMS:
        found[name] = (x, x + width)
        x += width + (GAP if name != "callers" else 5 * GAP)
    return found


def draw_rooms(p, place, top, bottom):
    left, right = place["api"][0], place["cuda"][1]
    p.box(left - 2, top - 26, right - left + 4, bottom - top + 30, WHITE, stroke=INK, stroke_width=2)
    p.text((left + right) / 2, top - 12, "src: the library, libalnus", 14, weight="bold")
    for name, width, words in ROOMS:
        x = place[name][0]
        p.box(x, top, width, bottom - top, ROOM)
        heads = name.split()
        for k, line in enumerate(heads):
            p.text(x + width / 2, top + 16 + 18 * k, line, 14, weight="bold")
        for k, line in enumerate(words, len(heads) - 1):
            p.text(x + width / 2, top + 36 + 16 * k, line, 13)


def box_of(step, place, y):
    first, last, words = step
    x = place[first][0] + 3
    return x, y, place[last][1] - 3 - x, words


def draw_step(p, number, box):
    x, y, width, words = box
    p.box(x, y, width, BOX, LIGHT, stroke=INK)
    p.add("circle", cx=x + 13, cy=y + BOX / 2, r=10, fill=BLUE_INK)
    p.text(x + 13, y + BOX / 2, number, 12, fill=WHITE, weight="bold")
    for k, line in enumerate(words):
        p.text(x + 27, y + BOX / 2 + 16 * (k - (len(words) - 1) / 2), line, 13, "start")


def draw_way(p, x1, y1, x2, y2):
    """From below one box to the top of another, through the free height between the two."""
    if x1 == x2:
        return p.arrow(x1, y1, x2, y2, BLUE_INK)
    middle = (y1 + y2) / 2 - 2
    p.line(x1, y1, x1, middle, BLUE_INK)
    p.line(x1, middle, x2, middle, BLUE_INK)
    p.arrow(x2, middle, x2, y2, BLUE_INK)


def draw_search(p, place, top):
    """Returns where the last step ends."""
    x, right = place["callers"]
    for k, name in enumerate(("src/cli", "python/", "src/bench")):
        p.box(x + 3, top + 36 * k, right - x - 6, 28, WHITE, name, 13, stroke=INK)
    door, door_right = place["include/ alnus"]
    p.box(door + 3, top, door_right - door - 6, 64, LIGHT, stroke=INK)
    p.text((door + door_right) / 2, top + 24, "Session::", 13)
    p.text((door + door_right) / 2, top + 40, "search", 13)
    for k in range(2):
        p.arrow(right - 3, top + 36 * k + 14, door + 2, top + 36 * k + 14, BLUE_INK)
    from_x, from_y = (door + door_right) / 2, top + 64
    y = top + 84
    for number, step in enumerate(STEPS, 1):
        box = box_of(step, place, y)
        to_x = box[0] + box[2] / 2
        if number == 7:  # straight down from the step above, which is in the first of the two rooms
            to_x = from_x
        draw_way(p, from_x, from_y, to_x, y)
        draw_step(p, number, box)
        from_x, from_y = box[0] + box[2] / 2, y + BOX
        y += STEP
    x_box, y_box = box[0], y - STEP + BOX / 2
    p.box(x + 3, y_box - 16, right - x - 6, 32, WHITE, "rows, files", 13, stroke=INK)
    p.arrow(x_box, y_box, right - 2, y_box, BLUE_INK)
    return from_y


def draw_layers(p, top):
    allowed, registry = layers()
    columns = ["alnus", *(name for name in allowed if name != "main")]
    rows = [*allowed, "python"]
    names = {"main": "src/main.cpp", "python": "python/src"}
    width, height, x0, y0 = 56, 24, 148, top + 62
    p.heading(8, top, "Which folder may include which (tests/layers.cmake; ctest: layers)")
    for k, name in enumerate(columns):
        x = x0 + (k + 0.5) * width
        if name == "alnus":
            p.text(x, y0 - 28, "include/", 13)
        p.text(x, y0 - 12, name, 13)
    for row, name in enumerate(rows):
        y = y0 + row * height
        p.text(x0 - 10, y + height / 2, names.get(name, f"src/{name}"), 13, "end")
        for k, column in enumerate(columns):
            x = x0 + k * width
            own = column == name
            p.box(x, y, width, height, DONE if own else WHITE)
            if own:
                continue
            if name == "engine" and column in registry:
                p.add("circle", cx=x + width / 2, cy=y + height / 2, r=6, fill=WHITE, stroke=BLUE_INK, stroke_width=2)
            elif column == "alnus" or column in allowed.get(name, ()):
                p.add("circle", cx=x + width / 2, cy=y + height / 2, r=7, fill=BLUE_INK)
    y = y0 + len(rows) * height + 22
    p.box(148, y - 8, 24, 16, DONE)
    p.text(180, y, "the folder itself", 13, "start")
    p.add("circle", cx=320, cy=y, r=7, fill=BLUE_INK)
    p.text(334, y, "may include", 13, "start")
    p.add("circle", cx=446, cy=y, r=6, fill=WHITE, stroke=BLUE_INK, stroke_width=2)
    p.text(460, y, "in src/engine/registry.cpp alone", 13, "start")
    return y + 20


def draw():
    place = places()
    top = 34
    bottom = top + 74 + 84 + len(STEPS) * STEP - (STEP - BOX) + 14
    height = bottom + 44 + 62 + 24 * (len(layers()[0]) + 1) + 42
    p = Picture("architecture", place["cuda"][1] + 10, height, "The folders of alnus, and the way of a search through them")
    draw_rooms(p, place, top, bottom)
    draw_search(p, place, top + 74)
    draw_layers(p, bottom + 40)
    return p.svg()


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: architecture_picture.py [--check]")
    path = FOLDER / "architecture.svg"
    if not check:
        path.write_text(draw())
    elif not path.exists() or path.read_text() != draw():
        sys.exit("docs/architecture.svg is not what docs/architecture_picture.py draws")


if __name__ == "__main__":
    main()
