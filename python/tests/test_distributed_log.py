"""What the log of ``python -m alnus.distributed`` has: what one process would say, and failures with what follows."""

from __future__ import annotations

import pathlib
import random
import subprocess
import warnings
from collections import Counter

import pytest
from distributed_support import LETTERS, is_alive
from support import Program

from alnus.distributed import _worker
from alnus.distributed._command import of_arguments
from alnus.distributed._folder import InputFile
from alnus.distributed._program import messages_of, with_names

pytest.importorskip("distributed")

from alnus.distributed import __main__


def records(path: pathlib.Path, letters: str, lengths: range, seed: int) -> None:
    draw = random.Random(seed)
    path.write_text("".join(f">{path.stem}{n}\n{''.join(draw.choices(letters, k=n))}\n" for n in lengths))


@pytest.fixture
def place(program: Program, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The working folder of a test, with inputs."""
    monkeypatch.setenv("ALNUS_PROGRAM", program.path)
    monkeypatch.chdir(tmp_path)
    records(tmp_path / "set.fa", LETTERS, range(60, 66), 1)
    records(tmp_path / "short.fa", LETTERS, range(10, 16), 2)
    records(tmp_path / "long.fa", LETTERS, range(1600, 1603), 3)
    records(tmp_path / "dna.fa", "ACGT", range(60, 66), 4)
    return tmp_path


def run(words: list[str]) -> int:
    return __main__.main([*words, "--devices", "cpu", "--outdir", "run", "--local", "2", "--task-seconds", "0.001"])


def warnings_in(log: str) -> list[str]:
    return [text for severity, text in messages_of(log) if severity == "warning"]


# ---- What one process would say ----


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ("allpairs set.fa --mode global --edges e.tsv --edge-threshold 0.4", ["15 edges in e.tsv."]),
        ("search set.fa dna.fa -o rows", ["Statistics: ", "6 queries (such as "]),
        ("search short.fa long.fa -o rows", ["Statistics: "]),
        ("allpairs set.fa --against short.fa --mode global -o rows", ["There are no E-values for mode global"]),
    ],
)
def test_the_log_has_what_one_process_says(
    words: str, counts: list[str], program: Program, place: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = subprocess.run([program.path, *words.split(), "--devices", "cpu"], capture_output=True, text=True)
    assert run(words.split()) == alone.returncode == 0
    told = with_names(capsys.readouterr().err, {"e.tsv": str(place / "run" / "e.tsv")})
    assert warnings_in(told) == warnings_in(alone.stderr)
    of_alone, of_job = messages_of(alone.stderr), messages_of(told)
    assert max(Counter(of_job).values()) == 1
    for begin in counts:
        expected = [one for one in of_alone if one[1].startswith(begin)]
        assert len(expected) == 1
        assert expected[0] in of_job
    assert f"{alone.stderr.split(' pairs, ')[-2].split(' ')[-1]} pairs, " in of_job[-2][1], "the counts of the merge"


@pytest.mark.parametrize(
    "twice",
    [
        ["-o", "a", "-o", "b"],
        ["-o", "a", "--output=b", "-o", "c"],
        ["-o", "a", "-t", "1", "--threads", "2"],
        ["-o", "a", "-t1", "-t2"],
        ["-o", "a", "--devices", "cpu", "--devices", "cpu"],
        ["--mode", "global", "--edges", "e.tsv", "--edges", "e2.tsv"],
    ],
    ids=" ".join,
)
def test_options_given_twice_are_refused_before_the_work(
    twice: list[str], program: Program, place: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = subprocess.run([program.path, "allpairs", "set.fa", *twice], capture_output=True, text=True)
    assert __main__.main(["allpairs", "set.fa", *twice, "--outdir", "run", "--local", "1"]) == alone.returncode == 1
    assert capsys.readouterr().err == alone.stderr
    assert not (place / "run" / "job.json").exists()


def test_a_damaged_database_ends_with_2(
    program: Program, place: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.text("makedb", "set.fa", "-o", "set.alnus", "--quiet")
    whole = (place / "set.alnus").read_bytes()
    (place / "set.alnus").write_bytes(whole[:-100])
    words = ["search", "short.fa", "set.alnus", "-o", "rows"]
    alone = subprocess.run([program.path, *words], capture_output=True, text=True)
    assert run(words) == alone.returncode == 2
    assert capsys.readouterr().err == alone.stderr


def test_warnings_of_dask_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for quiet, text in [(False, "alnus: warning: The port is in use. Another one is taken.\n"), (True, "")]:
        with __main__._messages_to_the_log(quiet):
            warnings.warn("The port is in use.\n  Another one is taken.", UserWarning, stacklevel=1)
        assert capsys.readouterr().err == text


# ---- Failures from which a job recovers ----


def test_a_killed_program_is_told_of(
    program: Program, place: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killed = place / "killed"
    killed.write_text(
        f'#!/bin/sh\ncase "$*" in *"--devices cpu"|merge*|--version) exec {program.path} "$@" ;; esac\n'
        f'if mkdir {place}/once 2>/dev/null; then kill -9 $$; fi\nexec {program.path} "$@"\n'
    )
    killed.chmod(0o755)
    monkeypatch.setenv("ALNUS_PROGRAM", str(killed))
    words = ["allpairs", "set.fa", "-o", "rows", "--outdir", "run", "--local", "1", "--threads", "1"]
    assert __main__.main([*words, "--no-duplicates"]) == 0
    log = capsys.readouterr().err
    assert " s; 1 range lost, 0 repeated. This was " in log.splitlines()[-1]
    told = warnings_in(log)
    assert len(told) == 1
    assert told[0].startswith("The worker inproc://")
    assert " failed: Its program was ended by the signal SIGKILL. Its part" in told[0]
    assert told[0].endswith(" computed again.")


def test_a_damaged_part_is_told_of(place: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["allpairs", "set.fa", "--edges", "e.tsv", "--mode", "global", "--edge-threshold", "1"]
    assert run(words) == 0
    expected = (place / "run" / "e.tsv").read_bytes()
    part = max((place / "run" / "parts").glob("*.parts"), key=lambda path: path.stat().st_size)
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    capsys.readouterr()
    assert run(words) == 0
    log = capsys.readouterr().err
    assert " s; 1 range lost, " in log.splitlines()[-1]
    told = warnings_in(log)
    assert len(told) == 1, told
    assert told[0].startswith(f"{part} is damaged from byte ")
    assert told[0].endswith(" of the job will be computed again.")
    assert (place / "run" / "e.tsv").read_bytes() == expected


# ---- Requests that come late ----


@pytest.mark.parametrize("when", ["before", "while the program starts"])
def test_a_request_that_comes_when_its_job_has_ended_starts_nothing(
    when: str, place: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "run" / "parts").mkdir(parents=True)
    command = of_arguments("allpairs", ["set.fa", "-o", "rows", "--devices", "cpu", "--memory", "256M"])
    inputs = [InputFile.of("set.fa")]
    order = _worker.Order(f"ended {when}", command, inputs, 10, str(place / "run"), str(place / "cache"), "w")
    made: list[_worker.Running] = []

    class Noted(_worker.Running):
        def __init__(self, order: _worker.Order) -> None:
            super().__init__(order)
            made.append(self)
            _worker.end(order.job, order.worker)

    monkeypatch.setattr(_worker, "Running", Noted)
    if when == "before":
        _worker.end(order.job, order.worker)
    assert _worker.compute(order, 1, 10) == {"stopped": True}
    assert (order.job, order.worker) not in _worker._running
    for one in made:
        one._process.wait(timeout=20)
        assert not is_alive(one._process.pid)
    assert len(made) == (0 if when == "before" else 1)
