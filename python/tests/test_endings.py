"""Python ends, forks, or has other threads while streams and calls are open; damaged pickles are refused."""

from __future__ import annotations

import pytest
from support import run_script

import alnus

# With 64 MiB of memory a batch of the stream is a hundredth of the pairs. The first batch therefore comes soon, also
# under sanitizers, and the stream's thread still has work when the process forks.
BEGIN = """
import os, sys, threading, time, alnus
session = alnus.Session(devices="cpu", threads=2, memory="64M")
x = ["MKVLAWQRYT" * 30] * 2000
def quietly(work):
    def run():
        try: work()
        except alnus.Cancelled: pass
    return threading.Thread(target=run, daemon=True)
def stream(): return session.all_pairs(x, detail="score", significance=False)
"""
ENDS = {
    "a stream": "quietly(lambda: [None for _ in stream()]).start(); time.sleep(0.2)",
    "digests": "quietly(lambda: [alnus.Database(x).digest() for _ in range(2000)]).start(); time.sleep(0.2)",
    "an open stream and a child that ends": """
open_one = stream(); next(open_one)
child = os.fork()
if child == 0: sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
""",
    "an open stream that a child drops": """
open_one = stream(); next(open_one); time.sleep(0.2)
child = os.fork()
if child == 0:
    try: next(open_one)
    except alnus.OutputError: pass
    else: os._exit(1)
    del open_one
    alnus.align("MKV", "MKV")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
""",
    "a call of the parent and a child that ends": """
quietly(lambda: session.pdist(x, mode="global")).start(); time.sleep(0.2)
child = os.fork()
if child == 0: sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
""",
}


@pytest.mark.parametrize("name", ENDS)
def test_python_ends_quietly(name: str) -> None:
    done = run_script(BEGIN + ENDS[name], timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_stream_of_another_thread_does_not_hide_ones_own() -> None:
    done = run_script(
        BEGIN
        + """
mine = stream(); next(mine)
other = threading.Thread(target=lambda: session.all_pairs(["MKV"] * 2))
other.start(); other.join()
for call in (lambda: session.search(x[:1], x[:1]), lambda: session.align("MKV" * 3000, "MKV" * 3000)):
    try: call()
    except alnus.InputError as error: assert "under way" in str(error)
    else: raise SystemExit("no error")
mine.close()
print(session.align("MKV" * 3000, "MKV" * 3000).score)
""",
        timeout=60,
    )
    assert int(done.stdout) == 3000 * (5 + 5 + 4)


def test_damaged_rows_are_refused() -> None:
    rows = alnus.align(["MKVLAW", "MKV"], ["MKVLAW", "MKV"])
    _, (_, load, *arguments) = rows.__reduce__()
    state = arguments[0]
    columns = list(state[0])
    assert load(*arguments).cigars == rows.cigars
    for damaged in (
        ([b"", *columns[1:]], *state[1:]),
        ([*columns[:-2], columns[-2][:-8] + (1 << 40).to_bytes(8, "little"), columns[-1]], *state[1:]),
        (columns, [0, 5], *state[2:]),
        (columns, *state[1:4], 7, *state[5:]),
    ):
        with pytest.raises(alnus.InputError, match="damaged"):
            load(damaged, *arguments[1:])
