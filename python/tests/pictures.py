"""What tests look for in pictures: texts, whether they overlap, and whether they lie within the figure."""

from __future__ import annotations

from typing import Any

import matplotlib

matplotlib.use("Agg")


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def overlaps(artists: list[Any]) -> bool:
    """True if two of the texts overlap by more than a pixel."""
    if not artists:
        return False
    artists[0].figure.canvas.draw()
    boxes = [artist.get_window_extent().padded(-0.5) for artist in artists]
    return any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def inside(artists: list[Any]) -> bool:
    """True if all of the texts lie in the figure."""
    figure = artists[0].figure.figure
    figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    boxes = [artist.get_window_extent() for artist in artists]
    return all(b.x0 >= -1 and b.y0 >= -1 and b.x1 <= width + 1 and b.y1 <= height + 1 for b in boxes)


def all_inside(ax: Any) -> bool:
    """True if every label, title, number and legend of the Axes, and of Axes within them, lies in the figure."""
    found = []
    for one in (ax, *ax.child_axes):
        found += [*one.texts, one.title, one._left_title, one._right_title, one.xaxis.label, one.yaxis.label]
        for axis in (one.xaxis, one.yaxis) if one.axison else ():
            low, high = sorted(axis.get_view_interval())
            ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
            found += [label for place, label in ticks if low <= place <= high]
        if one.get_legend() is not None:
            found += one.get_legend().get_texts()
    shown = [text for text in found if text.get_text()]
    return bool(shown) and inside(shown)
