"""Axes, colours and names that all pictures share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which colour-blind people can tell apart.
BLUE = "#0072B2"
ORANGE = "#D55E00"
GREY = "#B8BEC4"
BLACK = "#222222"

_LONGEST_NAME = 28


def axes_or_new(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the Axes that a caller gave, or, if ``ax`` is None, those of a new figure of this size in inches."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout="constrained").add_subplot()


def short(name: str, longest: int = _LONGEST_NAME) -> str:
    """Return the name, cut to ``longest`` characters if it is longer, so that the picture has room."""
    return name if len(name) <= longest else name[: longest - 1] + "…"
