"""Pictures of results with matplotlib, which is imported when a function is called.

Each function draws into the Axes ``ax``, or into a new figure of a fitting size, and returns the Axes. In a
figure of your own there is room for labels if the figure was made with ``layout="constrained"``.

>>> import alnus
>>> import alnus.plot
>>> pair = alnus.align("MKVLAWQRYT", "MKVLARYT", mode="global")
>>> alnus.plot.alignment(pair).figure.savefig("pair.png")  # doctest: +SKIP
"""

from __future__ import annotations

from alnus.plot._alignment import alignment
from alnus.plot._dots import dot_plot
from alnus.plot._heat import heat_map
from alnus.plot._histogram import score_histogram

__all__ = ["alignment", "dot_plot", "heat_map", "score_histogram"]
