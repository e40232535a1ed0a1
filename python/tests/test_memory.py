"""Calls do not leak memory or objects."""

from __future__ import annotations

from support import FULL, run_script

COUNT = 10_000 if FULL else 1000

MEASURED = """
import gc, os, sys
import alnus
def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
session = alnus.Session(devices="cpu", threads=2)
a, b = "MKVLAWQRYTHEW" * 3, "MKHLAWQRYTEW" * 3
database = alnus.Database([a, b] * 4)
def call(k):
{call}
for k in range({count} // 4): call(k)
before = resident()
for k in range({count}): call(k)
print(resident() - before)
"""


def grown(call: str, count: int = COUNT) -> float:
    """By how many MiB a process grows in ``count`` runs of the call, after some runs that are not counted."""
    return float(run_script(MEASURED.format(call=f"    {call}", count=count), timeout=300).stdout)


def test_memory_is_flat_over_many_alignments() -> None:
    assert grown("session.align(a, b)") < 4
    assert grown("session.align([a], [b])") < 4


def test_memory_is_flat_over_many_searches() -> None:
    assert grown("session.search([a], database)") < 6
    assert grown("session.search({str(k): a}, database)[0].aligned") < 6


def test_memory_is_flat_over_many_errors() -> None:
    call = """
    for bad in ([None], ["MK" + chr(0xD800)], "missing.fasta"):
        try: session.search(bad, database)
        except alnus.InputError: pass"""
    assert grown("pass" + call) < 4


def test_memory_is_flat_over_many_sessions_and_streams() -> None:
    assert grown("alnus.Session(devices='cpu', threads=2).pdist(database)", COUNT // 10) < 6
    assert grown("next(session.all_pairs(database, stats='none'))", COUNT // 4) < 6
    assert grown("session.pdist(database); session.cdist(database, database)", COUNT // 4) < 6


def test_no_objects_are_left_behind() -> None:
    done = run_script(
        """
        from alnus import _alnus
        _alnus.set_leak_warnings(True)
        import pickle, warnings
        import alnus
        warnings.simplefilter("ignore")
        x = {"a": "MKVLAWQRYT", "b": "MKHLAWQR", "c": "WWQRYT"}
        rows = alnus.search(x, x, stats="zvalue", shuffles=20, score_histogram=True)
        print(rows, rows[0], rows._repr_html_(), rows[rows.score > 3].cigars, rows.to_fasta("alignments"))
        columns = rows.to_dict(cigars=True)
        view = rows.score
        pickle.loads(pickle.dumps((rows, rows[0], alnus.Session(devices="cpu"))))
        pickle.loads(pickle.dumps((alnus.Scoring(), alnus.Database(x))))
        pair = alnus.align("MKVLAW", "MKVAW")
        alnus.align(["MKV"], ["MKV"], significance=True, identity_ranges=["shorter"])
        alnus.pdist(x), alnus.cdist(x, x), alnus.identity_range(x, x), alnus.z_values(x, x, shuffles=10)
        calibration = alnus.calibrate(precision=0.1, length=100, progress=lambda one: None)
        stream = alnus.all_pairs(x, progress=lambda one: None)
        next(stream)
        del stream
        with alnus.Session(devices="cpu").all_pairs(x) as other:
            list(other)
        for bad in ([None], 5, "missing.fasta", ["MK" + chr(0xd800)]):
            try:
                alnus.search(bad, x)
            except alnus.InputError as error:
                kept = error
        try:
            alnus.pdist(x, progress=lambda one: 1 / 0)
        except ZeroDivisionError as error:
            kept = error
        """
    )
    assert done.stderr == ""
