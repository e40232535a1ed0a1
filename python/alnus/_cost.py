"""The expected cost of a call."""

from typing import NamedTuple

from alnus import _alnus


class Cost(NamedTuple):
    """What a call is expected to cost. ``str(cost)`` says it in lines for people, as the program's ``--dry-run`` does.

    Attributes
    ----------
    queries, subjects : int
        Sequences on both sides; for all pairs of one set, both are the set.
    pairs : int
        Pairs that are scored or aligned, each once.
    cells : int
        Cells of the dynamic programming matrices of all pairs, strands and shuffles together.
    seconds : float
        Expected seconds, with the devices that would compute the call, if nothing else runs.
    devices : tuple of str
        The names of these devices.
    rows : int
        The most rows of the result, unless ``any_rows`` is true.
    edges : int or None
        The most edges; None if no edges are wanted.
    output_bytes : int
        Expected bytes of all files together, without edges: of ``rows`` rows in the format, and of matrices.
    calibration_seconds : float
        How many of the ``seconds`` find the statistics of the scoring by simulation, which the call would do first.
    any_rows : bool
        Whether a pair may have any number of rows (``max_hsps="all"``, ``max_differences``): ``rows`` counts 16.
    any_alignments : bool
        Whether filters of a search look at the alignments of pairs. How many pairs are aligned for them is not known
        before the search, and ``seconds`` does not count them.

    Examples
    --------
    >>> from alnus import Session
    >>> session = Session(devices="cpu")
    >>> cost = session.cost_of_search(["MKVLAWQRYT"], ["AMKVLAWQRYTHEWA"] * 300, stats="none")
    >>> cost.pairs, cost.cells, cost.rows
    (300, 45000, 300)
    >>> cost
    <Cost: less than a second on this CPU if nothing else runs; 300 pairs, 45,000 cells>
    """

    queries: int
    subjects: int
    pairs: int
    cells: int
    seconds: float
    devices: tuple[str, ...]
    rows: int
    edges: int | None
    output_bytes: int
    calibration_seconds: float = 0.0
    any_rows: bool = False
    any_alignments: bool = False

    def __str__(self) -> str:
        return _alnus.describe_cost(self._asdict()).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Cost: {_alnus.expected_time(self._asdict())}; {self.pairs:,} pairs, {self.cells:,} cells>"
