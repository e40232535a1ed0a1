"""A database file that another program shortens or overwrites ends the accesses to it by errors, not by SIGBUS."""

from __future__ import annotations

import pathlib
import signal

import pytest
from inputs import family, write_fasta
from support import run_script

import alnus

# Each access reads from a database of a mapped file: `data`, or `rows` of it that were made before.
ACCESSES = """
    "len": lambda: len(data) == count or fail(),
    "lengths": lambda: data.lengths.sum() == data.residues or fail(),
    "repr": lambda: repr(data),
    "slice": lambda: data[2:5],
    "index": lambda: data[count - 1],
    "last": lambda: data[-1],
    "letters of a slice": lambda: data[2:5][1],
    "step": lambda: data[::2],
    "numbers": lambda: data[[count - 1, 0]],
    "mask": lambda: data[data.lengths > 50],
    "iteration": lambda: list(data),
    "ids": lambda: data.ids,
    "titles": lambda: data.titles,
    "headers": lambda: data.headers,
    "buffer": lambda: data.to_buffer(),
    "file order": lambda: data.in_file_order(),
    "digest": lambda: data.digest(),
    "digest of a slice": lambda: data[1:].digest(),
    "pickle": lambda: pickle.dumps(data),
    "pickle of a slice": lambda: pickle.dumps(data[3:9]),
    "FASTA": lambda: data.write(folder / "x.fasta"),
    "database file": lambda: data.write(folder / "y.alnus"),
    "search in it": lambda: alnus.search(["MKVLAW"], data, stats="none"),
    "search with a slice": lambda: alnus.search(data[1:], ["MKVLAW"], stats="none"),
    "search in a part of it": lambda: alnus.search(["MKVLAW"], data[1:], stats="none"),
    "search with it": lambda: alnus.search(data, ["MKVLAW"], stats="none"),
    "align": lambda: alnus.align(data[:2], ["MKVLAW"] * 2),
    "align_pairs": lambda: alnus.align_pairs(data, data, [[0, 1]]),
    "pdist": lambda: alnus.pdist(data, value="score"),
    "pdist of a slice": lambda: alnus.pdist(data[1:], value="score"),
    "cdist": lambda: alnus.cdist(["MKVLAW"], data, value="score"),
    "all_pairs": lambda: list(alnus.all_pairs(data, significance=False)),
    "write_all_pairs": lambda: alnus.write_all_pairs(data, output=folder / "x.tsv"),
    "z_values": lambda: alnus.z_values(data, data, [[0, 1]], shuffles=10),
    "identity_range": lambda: alnus.identity_range(data, data, [[0, 1]]),
    "prepare": lambda: alnus.default_session().prepare(data),
    "ids of rows": lambda: rows.subject_id,
    "titles of rows": lambda: rows.subject_title,
    "rows as text": lambda: repr(rows),
    "table of rows": lambda: rows.to_dict(),
    "aligned": lambda: rows[0].aligned,
    "pair as text": lambda: str(rows[0]),
    "pair for Biopython": lambda: to_biopython_alignment(rows[0]),
    "rows as FASTA": lambda: rows.to_fasta("regions"),
    "rows as table": lambda: rows.write(folder / "rows.tsv"),
    "rows as SAM": lambda: rows.write(folder / "rows.sam", "sam"),
    "rows as report": lambda: rows.write(folder / "rows.txt", "0"),
    "rows as JSON lines": lambda: rows.write(folder / "rows.jsonl", "jsonl"),
    "pickled rows": lambda: pickle.dumps(rows),
"""

SCRIPT = (
    """
import os, pathlib, pickle, sys
import alnus
from alnus.adapters import to_biopython_alignment

file, folder, harm = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
whole = file.read_bytes()
used = folder / "used.alnus"
made = 0

def fail():
    raise AssertionError

def opened():
    global made
    used.unlink(missing_ok=True)
    used.write_bytes(whole)
    return alnus.Database.open(used)

count = len(alnus.Database.open(file))
data = opened()
accesses = {"""
    + ACCESSES
    + """}
for name, access in accesses.items():
    data = opened()
    rows = alnus.search([alnus.Database.open(file)[5]], data, stats="none")
    print(name, end=" ", flush=True)
    if harm == "shorten":
        os.truncate(used, 4096)
    else:
        with used.open("r+b") as stream:
            stream.seek(4096)
            stream.write(bytes(value ^ 1 for value in whole[4096:]))
        os.utime(used, (1e9, 1e9))
    try:
        access()
        print("gave a result")
    except alnus.DatabaseError as error:
        print(error)
print(*sorted(one.name for one in folder.iterdir()))
"""
)
# These read nothing of what a file maps.
HARMLESS = {"len", "lengths", "repr", "slice"}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("shortened")
    sequences = {f"s{k} the title of sequence {k}": letters for k, letters in enumerate(family(81, 300))}
    alnus.make_database(write_fasta(folder / "x.fasta", sequences), folder / "x.alnus")
    return folder / "x.alnus"


@pytest.mark.parametrize(
    ("harm", "text"),
    [("shorten", "used.alnus became shorter while it was used: 4096 of"), ("change", "was changed while it was used")],
)
def test_every_access_ends_by_an_error(database: pathlib.Path, tmp_path: pathlib.Path, harm: str, text: str) -> None:
    pytest.importorskip("Bio")
    lines = run_script(SCRIPT, database, tmp_path, harm).stdout.splitlines()
    names = [line.split('"')[1] for line in ACCESSES.splitlines() if line.strip()]
    assert len(lines) == len(names) + 1
    for name, line in zip(names, lines[:-1], strict=True):
        assert line.startswith(name + " ")
        assert (line == f"{name} gave a result") if name in HARMLESS else text in line, line
    assert lines[-1] == "used.alnus"  # no output was left


def test_a_file_of_the_same_contents_is_still_used(database: pathlib.Path, tmp_path: pathlib.Path) -> None:
    script = """
        import os, pathlib, sys, alnus
        used = pathlib.Path(sys.argv[2]) / "used.alnus"
        used.write_bytes(pathlib.Path(sys.argv[1]).read_bytes())
        data = alnus.Database.open(used)
        before = data[7], data.ids
        os.utime(used, (1e9, 1e9))
        assert (data[7], data.ids) == before
        in_memory = alnus.Database.read(used)
        os.truncate(used, 4096)
        assert (in_memory[7], in_memory.ids) == before
        try:
            data[7]
        except alnus.DatabaseError as error:
            first = str(error)
        used.write_bytes(pathlib.Path(sys.argv[1]).read_bytes())
        try:
            data[7]
        except alnus.DatabaseError as error:
            print("could not be read while it was used" in str(error))
    """
    assert run_script(script, database, tmp_path).stdout == "True\n"


@pytest.mark.parametrize("when", ["before", "after"])
def test_other_handlers_still_get_what_is_theirs(database: pathlib.Path, tmp_path: pathlib.Path, when: str) -> None:
    script = """
        import faulthandler, mmap, os, pathlib, sys, alnus
        if sys.argv[3] == "before":
            faulthandler.enable()
        used = pathlib.Path(sys.argv[2]) / "used.alnus"
        used.write_bytes(pathlib.Path(sys.argv[1]).read_bytes())
        data = alnus.Database.open(used)
        if sys.argv[3] == "after":
            faulthandler.enable()
        os.truncate(used, 4096)
        try:
            data.ids
        except alnus.DatabaseError:
            print("error", flush=True)
        own = pathlib.Path(sys.argv[2]) / "own"
        own.write_bytes(bytes(20000))
        with own.open("r+b") as stream, mmap.mmap(stream.fileno(), 0) as mapped:
            os.truncate(own, 0)
            mapped[19000]
    """
    done = run_script(script, database, tmp_path, when, check=False)
    assert done.returncode == -signal.SIGBUS and done.stdout == "error\n"
    assert "Bus error" in done.stderr


def test_a_handler_of_python_is_called_for_signals_that_are_sent(database: pathlib.Path) -> None:
    script = """
        import os, signal, sys, alnus
        signal.signal(signal.SIGBUS, lambda *_: print("handled"))
        alnus.Database.open(sys.argv[1])
        os.kill(os.getpid(), signal.SIGBUS)
    """
    assert run_script(script, database).stdout == "handled\n"


def test_there_is_no_handler_without_a_mapped_file(database: pathlib.Path) -> None:
    script = """
        import pathlib, re, sys, alnus
        def caught():
            mask = re.search(r"^SigCgt:\\s*(\\w+)", pathlib.Path("/proc/self/status").read_text(), re.M)[1]
            return bool(int(mask, 16) >> 6 & 1)
        alnus.align("MKV", "MKV")
        alnus.Database.read(sys.argv[1]).ids
        print(caught())
        alnus.Database.open(sys.argv[1])
        print(caught())
    """
    assert run_script(script, database).stdout == "False\nTrue\n"
