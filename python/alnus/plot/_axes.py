"""Axes, colours, names and their sizes, which all pictures share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

# Okabe and Ito's colours, which colour-blind people can tell apart.
BLUE = "#0072B2"
ORANGE = "#D55E00"
GREY = "#B8BEC4"
BLACK = "#222222"

_LONGEST_NAME = 28


def new_axes(width: float, height: float) -> Axes:
    """Return the Axes of a new figure of this size in inches."""
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout="constrained").add_subplot()


def make_room(ax: Axes) -> None:
    """Enlarge a figure that this package made until the labels at the right and below lie in it.

    The constrained layout leaves too little room for labels of Axes that keep their aspect.
    """
    figure = ax.figure.figure
    slack = 0.04 * float(figure.dpi)
    for _ in range(6):
        figure.draw_without_rendering()
        labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.yaxis.label]
        boxes = [label.get_window_extent() for label in labels if label.get_text()]
        right = max((box.x1 for box in boxes), default=0.0) + slack - figure.bbox.x1
        below = slack - min((box.y0 for box in boxes), default=slack)
        if right <= 0 and below <= 0:
            return
        width, height = figure.get_size_inches()
        figure.set_size_inches(width + max(right, 0) / figure.dpi, height + max(below, 0) / figure.dpi)


def with_layout(ax: Axes) -> Axes:
    """Return the Axes of a caller, whose figure gets the constrained layout if it has none: labels have room in it."""
    figure = ax.figure.figure
    if figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")
    return ax


def size_of(ax: Axes) -> tuple[float, float]:
    """Return the width and the height, in inches, that the figure's layout gives the Axes."""
    ax.figure.figure.draw_without_rendering()
    box = ax.get_window_extent()
    return float(box.width) / float(ax.figure.dpi), float(box.height) / float(ax.figure.dpi)


def short(name: str, longest: int = _LONGEST_NAME) -> str:
    """Return the name, cut to ``longest`` characters if it is longer, so that the picture has room."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


def width_of(text: str, points: float) -> float:
    """Return the width of a text of one line in inches, in the default font at this size."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=points), False)
    return float(width) / 72


def narrow(name: str, inches: float, points: float) -> str:
    """Return the name, cut so that it is not wider than this in the default font."""
    shown = name
    while len(shown) > 1 and width_of(shown, points) > inches:
        shown = short(name, min(len(shown) - 1, int(len(shown) * inches / width_of(shown, points)) + 1))
    return shown


def fit(texts: list[Text]) -> None:
    """Cut labels and titles so that they end within the figure. Layout engines leave no room for long ones."""
    for text in texts:
        whole = text.get_text()
        for _ in range(4):  # the text is cut a bit too long if its letters differ in width
            figure = text.figure.figure
            figure.draw_without_rendering()
            box, room = text.get_window_extent(), figure.bbox
            upright = text.get_rotation() == 90
            begin, end = (box.y0, box.y1) if upright else (box.x0, box.x1)
            over = max(-begin, end - (room.y1 if upright else room.x1))
            if over <= 0:
                break
            sides = (
                2 if (text.get_verticalalignment() if upright else text.get_horizontalalignment()) == "center" else 1
            )
            fraction = 1 - sides * over / (end - begin)
            text.set_text(short(whole, max(2, int(len(text.get_text()) * fraction) - 1)))
