"""Pictures of results by matplotlib, which is imported when a function is called.

Each function draws into the Axes that you give as ``ax``, or into a new figure of a size that fits, and returns the
Axes. A figure of yours that has no layout engine gets the one of ``layout="constrained"``, so that there is room for
labels; labels that are too long for the figure are cut and end in "…".

>>> import alnus
>>> pair = alnus.align("MKVLAWQRYT", "MKVLARYT", mode="global")
>>> alnus.plot.alignment(pair).figure.savefig("pair.png")  # doctest: +SKIP
"""

from alnus.plot._alignment import alignment
from alnus.plot._dots import dot_plot
from alnus.plot._heat import heat_map
from alnus.plot._histogram import score_histogram

__all__ = ["alignment", "dot_plot", "heat_map", "score_histogram"]
