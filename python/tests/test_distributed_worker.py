"""Inputs, the program and the commands of a worker of a job on many machines. No test needs Dask."""

from __future__ import annotations

import json
import os
import pathlib
import sys
import tempfile
import time
from types import SimpleNamespace
from typing import Any

import pytest
from test_distributed_simulation import Cluster, of_error
from test_distributed_units import NoCluster

import alnus
from alnus.distributed import JobError, __main__, _deadline, _dispatch, _slurm, _worker
from alnus.distributed._command import Command, of_arguments, of_keywords, path_of, refuse_repeated
from alnus.distributed._deadline import Deadline
from alnus.distributed._folder import InputFile
from alnus.distributed._program import (
    error_of,
    in_one_line,
    keep_messages_out_of,
    messages_of,
    program,
    refusal,
    version_of,
    with_names,
)

# ---- Inputs ----


@pytest.fixture
def inputs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The working folder of a test, where copies of inputs have a folder of their own."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_the_same_by_size_and_time_or_by_its_bytes(inputs: pathlib.Path) -> None:
    path = inputs / "s.fa"
    path.write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")
    assert (file.name, file.path, file.size) == ("s.fa", str(path), 7)
    assert file.modified == path.stat().st_mtime_ns

    def same(data: bytes, later: int) -> bool:
        path.write_bytes(data)
        modified = file.modified + later
        os.utime(path, ns=(modified, modified))
        assert _worker._is_here(file) == _worker._is_the_same(str(path), file)
        return _worker._is_the_same(str(path), file)

    assert same(b">a\nMKV\n", 0)
    assert same(b">a\nMKV\n", 10**9)
    for other in (b">a\nMKVL\n", b">a\nMK\n", b""):
        assert not same(other, 0), "the size differs"
        assert not same(other, 10**9)
    assert not same(b">a\nMKW\n", 2 * 10**9)
    path.unlink()
    assert not _worker._is_the_same(str(path), file)
    assert not _worker._is_here(file)


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 20, 35])
def test_a_worker_gets_a_copy_of_what_it_does_not_see(
    size: int, inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_dispatch, "_AT_ONCE", 10)
    content = bytes(range(size))
    (inputs / "s.fa").write_bytes(content)
    (inputs / "other.fa").write_bytes(b">a\nMKV\n")
    files = [InputFile.of("s.fa"), InputFile.of("other.fa")]

    def answer(address: str, number: int) -> Any:
        return {"missing": [files[0].digest]} if (address, number) == ("b", 1) else None

    cluster = Cluster({"a": 1e9, "b": 1e9}, [10**9] * 40, answer, inputs=files)
    cluster.run_job(monkeypatch)
    assert cluster.dispatcher.done_cells == 40 * 10**9
    assert cluster.dispatcher.lost == 0
    copy = _worker._place_of(files[0])
    assert copy != files[0].path
    assert pathlib.Path(copy).read_bytes() == content
    assert os.listdir(os.path.dirname(copy)) == ["s.fa"]
    assert _worker._place_of(files[1]) == files[1].path, "the worker sees this one"
    (inputs / "s.fa").unlink()
    assert _worker._is_here(files[0])


@pytest.mark.parametrize("when", ["before it is sent", "while it is sent"])
def test_an_input_that_was_changed_ends_the_job(
    when: str, inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")
    if when == "before it is sent":
        (inputs / "s.fa").write_bytes(b">a\nMKW\n")
    else:
        monkeypatch.setattr(_worker, "receive", lambda *_: False)
    cluster = Cluster({"a": 1e9}, [5] * 4, lambda *_: {"missing": [file.digest]}, inputs=[file])
    with pytest.raises(alnus.InputError, match=r"^s\.fa was changed while the job ran"):
        cluster.run_job(monkeypatch)


def test_inputs_that_cannot_be_sent_end_the_job(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")

    def receive(*_: Any) -> bool:
        raise OSError("No space")

    monkeypatch.setattr(_worker, "receive", receive)
    cluster = Cluster({"a": 1e9}, [5] * 4, lambda *_: {"missing": [file.digest]}, inputs=[file], retries=2)
    with pytest.raises(JobError, match=r"^Inputs cannot be sent to a: No space$"):
        cluster.run_job(monkeypatch)
    assert len(cluster.given) == 3


def test_bytes_of_another_file_are_no_copy(inputs: pathlib.Path) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    file = InputFile.of("s.fa")
    assert _worker.receive(file, "w", 0, b">a\nM")
    assert not _worker.receive(file, "w", 4, b"KW\n")
    assert list((inputs / "temporary").rglob("s.fa*")) == []
    assert _worker.receive(file, "w", 0, b">a\nM")
    assert list((inputs / "temporary").rglob("s.fa")) == [], "it is not whole yet"
    assert _worker.receive(file, "w", 4, b"KV\n")
    [copy] = (inputs / "temporary").rglob("s.fa*")
    assert copy.read_bytes() == b">a\nMKV\n"


# ---- The program of a worker ----

_PROGRAM = """#!/bin/sh
echo "$CUDA_VISIBLE_DEVICES $XDG_CACHE_HOME $*" >> begun
echo '{"gcups": 2.5}'
while read request; do
  case $request in
    1-1) echo "alnus: warning: odd letters in $2" >&2; echo '{"first": 1, "cells": 5}' ;;
    2-3) echo '{"stopped": true}' ;;
    4-4) echo "alnus: error: no space for $2" >&2; exit 4 ;;
    5-5) exit 7 ;;
    6-6) kill -9 $$ ;;
  esac
done
"""


def test_a_worker_keeps_its_program_from_range_to_range(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inputs / "program").write_text(_PROGRAM)
    (inputs / "program").chmod(0o755)
    monkeypatch.setenv("ALNUS_PROGRAM", str(inputs / "program"))
    (inputs / "s.fa").write_text(">a\nMKV\n")
    (inputs / "run" / "parts").mkdir(parents=True)
    command = of_arguments("allpairs", ["s.fa", "-o", "rows", "--memory", "1G"])
    order = _worker.Order(
        f"units {inputs}", command, [InputFile.of("s.fa")], 9, str(inputs / "run"), "/cache", "w", "3"
    )
    for _ in range(2):
        told = _worker.compute(order, 1, 1)
        name = told["worker"]
        assert told == {
            "first": 1,
            "cells": 5,
            "file": f"{name}.parts",
            "worker": name,
            "best": 2.5e9,
            "messages": [("warning", "odd letters in s.fa")],
        }
    assert _worker.compute(order, 2, 3) == {"stopped": True}
    place, target = inputs / "s.fa", inputs / "run" / "parts" / f"{name}.parts"
    [begun] = (inputs / "begun").read_text().splitlines()
    assert begun == (f"3 /cache allpairs {place} --memory 1G --outfmt 6 --part -/9 -o {target} --no-progress")
    lines = (inputs / "run" / "parts" / f"{name}.jsonl").read_text().splitlines()
    kept = {"first": 1, "cells": 5, "file": f"{name}.parts", "worker": name}
    assert [json.loads(one) for one in lines] == [kept, kept]
    assert _worker.compute(order, 4, 4) == of_error("no space for s.fa", 4)
    assert _worker.compute(order, 5, 5) == of_error("Its program ended with code 7.", 7)
    assert _worker.compute(order, 6, 6) == of_error("Its program was ended by the signal SIGKILL.", -9)
    assert len((inputs / "begun").read_text().splitlines()) == 3, "another program takes the place of one that ended"
    _worker.compute(order, 1, 1)
    running = _worker._running[order.job, "w"]
    _worker.stop(order.job, "w", 7)
    assert _worker.compute(order, 7, 8) == {"stopped": True}, "it was stopped before it began"
    _worker.end(order.job, "w")
    assert running._process.wait(timeout=20) == 0
    assert _worker.compute(order, 1, 1) == {"stopped": True}
    (inputs / "s.fa").unlink()
    assert _worker.compute(order, 1, 1) == {"missing": [order.inputs[0].digest]}


def test_a_worker_without_a_program_says_so(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALNUS_PROGRAM", "/nowhere/alnus")
    command = of_arguments("allpairs", ["s.fa", "-o", "rows", "--memory", "1G"])
    order = _worker.Order(f"none {inputs}", command, [], 9, str(inputs), "/cache", "w")
    assert _worker.compute(order, 1, 1) == of_error("No such file or directory: /nowhere/alnus", None)


def test_the_memory_of_a_program_leaves_room_for_the_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    mebi, gibi = 1 << 20, 1 << 30

    def memory(limit: int | None, sequences: int) -> int:
        worker = SimpleNamespace(memory_manager=SimpleNamespace(memory_limit=limit))
        monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(get_worker=lambda: worker))
        return _worker._memory(sequences)

    assert memory(None, 5) == memory(0, 5) == 8 * gibi, "there is no limit"
    assert memory(3 * gibi, 256 * mebi) == int(0.8 * 2 * gibi)
    assert memory(100 * gibi, 5) == 8 * gibi
    assert memory(gibi, 300 * mebi) == 256 * mebi
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(get_worker=lambda: None))
    assert _worker._memory(5) == 8 * gibi, "this is no worker"


@pytest.mark.parametrize(("named", "cards"), [("2, 5", ["2", "5"]), ("", []), (" ,", []), ("GPU-x", ["GPU-x"])])
def test_cards_are_those_that_the_variable_names(named: str, cards: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", named)
    assert _worker._cards() == cards


def test_signals_have_names_or_numbers() -> None:
    assert [_worker._name_of(number) for number in (9, 15, 35)] == ["SIGKILL", "SIGTERM", "35"]


def test_what_a_program_has_written(inputs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = "alnus: reads\nalnus: warning: odd\nother\nalnus: error: first\nalnus: error: /w/s.fa is bad\nUsage: x\n"
    assert messages_of(log) == [("info", "reads"), ("warning", "odd")]
    assert error_of(log) == "/w/s.fa is bad"
    assert error_of("one\ntwo\n\n") == "two"
    assert error_of("") == error_of("\n") == ""
    assert with_names(log, {"s.fa": "/w/s.fa"}).count("error: s.fa is bad") == 1
    assert in_one_line(ValueError(" a\n  b ")) == "a b"
    for code, kind in [(2, alnus.DatabaseError), (1, alnus.InputError), (None, alnus.InputError)]:
        assert type(refusal(code, "x")) is kind
    told = inputs / "told"
    told.write_text("#!/bin/sh\necho 'alnus 1.2.3, of today'\n")
    told.chmod(0o755)
    assert version_of(str(told)) == "1.2.3"
    monkeypatch.setenv("ALNUS_PROGRAM", str(told))
    assert program() == str(told)


def test_messages_stay_out_of_the_inputs(inputs: pathlib.Path) -> None:
    (inputs / "s.fa").write_bytes(b">a\nMKV\n")
    (inputs / "log").write_bytes(b"")
    kept = os.dup(2)
    try:
        with open(inputs / "log", "ab") as log:
            os.dup2(log.fileno(), 2)
        keep_messages_out_of(["none.fa", "s.fa"])
        with pytest.raises(alnus.InputError, match="Standard error goes to one of the inputs, log"):
            keep_messages_out_of(["s.fa", "log"])
        keep_messages_out_of(["s.fa", "log"])  # messages go elsewhere now
    finally:
        os.dup2(kept, 2)
        os.close(kept)


# ---- Commands ----


def test_the_arguments_of_the_processes_of_a_job() -> None:
    command = of_arguments(
        "search",
        [
            "q.fa",
            "d.fa",
            "--matrix",
            "m.txt",
            "--quiet",
            "-t",
            "3",
            "--mode",
            "global",
            "-o",
            "rows",
            "--score-plot=p.svg",
            "--no-progress",
            "-T",
            "-1",
        ],
    )
    places = {"q.fa": "/w/q.fa", "m.txt": "/w/m.txt"}
    results = ["--mode", "global", "-T", "-1"]
    end = ["--outfmt", "6", "--score-plot", "/run/p.svg", "--part", "-/9", "-o", "/run/parts/f", "--no-progress"]
    begin = ["search", "/w/q.fa", "d.fa", "--matrix", "/w/m.txt"]
    assert command.of_parts(places, 9, "/run", "f") == [*begin, "-t", "3", *results, *end]
    plan = command.of_plan(places, 9, "/run")
    assert plan == [*begin, *results, *end[:7], "/run/parts/nothing", end[8], "--devices", "cpu"]
    assert command.of_merge("/run", "/run/places.tsv") == [
        "merge",
        "--list",
        "/run/places.tsv",
        "--no-progress",
        "--database-name=d.fa",
        "--output",
        "/run/rows",
        "--score-plot",
        "/run/p.svg",
    ]
    identity = command.identity()
    assert identity["options"] == ["--matrix", "m.txt", *results]
    others = of_arguments(
        "search",
        [
            "q.fa",
            "d.fa",
            "--matrix",
            "m.txt",
            "-t9",
            "--mode",
            "global",
            "-T",
            "-1",
            "-o",
            "rows",
            "--score-plot",
            "p.svg",
        ],
    )
    assert others.identity() == identity, "the machine and the log say nothing of results"
    formatted = of_arguments("allpairs", ["s.fa", "-o", "rows", "--outfmt", "7", "--matrix"])
    assert formatted.of_parts({}, 2, "/run", "f")[1:5] == ["s.fa", "--outfmt", "7", "--matrix"]
    edges = of_arguments("allpairs", ["s.fa", "--edges", "-1", "--against", "o.fa"])
    assert edges.outputs == [("--edges", "-1")], "a number is a name"
    assert "--outfmt" not in edges.of_parts({}, 2, "/run", "f")
    assert "--database-name=o.fa" in edges.of_merge("/run", "p")
    alone = of_arguments("allpairs", ["s.fa", "--edges", "e"])
    assert "--database-name=s.fa" in alone.of_merge("/run", "p")


def test_inputs_of_a_job_are_files(inputs: pathlib.Path) -> None:
    (inputs / "m.txt").write_text("")
    (inputs / "BLOSUM62").mkdir()
    options = ["--matrix", "BLOSUM62", "--against", "m.txt", "--mode", "m.txt", "--matrix"]
    assert Command("allpairs", ["none.fa"], options).all_inputs() == ["none.fa", "m.txt"]


def test_keywords_are_options() -> None:
    given = {"output": pathlib.Path("rows"), "square": True, "header": False, "strand": None, "min_score": 3}
    command = of_keywords("allpairs", ["s.fa"], given | {"matrix_out": {"score": "s.npy"}, "edges": ("e",)})
    assert command.options == ["--square", "--min-score", "3"]
    assert command.outputs == [("--output", "rows"), ("--matrix-out", "score:s.npy"), ("--edges", "e")]
    assert command.listed
    assert not of_keywords("allpairs", ["s.fa"], {"edges": "e"}).listed


@pytest.mark.parametrize(
    ("name", "words", "text"),
    [
        ("allpairs", ["s.fa"], "A job needs a file for its results: --output, --matrix-out, "),
        ("search", ["q.fa", "d.fa", "--score-plot", "p.svg"], "The rows need a file"),
        ("allpairs", ["s.fa", "--edges", "e", "--header"], "The rows need a file"),
        ("allpairs", ["-", "-o", "r"], "Standard input cannot be sent to workers"),
        ("allpairs", ["s.fa", "-o", "r", "-t1", "--threads", "2"], "--threads is given twice"),
        ("allpairs", ["s.fa", "-o", "r", "-t", "1", "-t", "2", "-t3"], "--threads is given 3 times"),
        ("allpairs", ["s.fa", "-o", "r", "--memory", "1G", "--memory=2G"], "--memory is given twice"),
        ("allpairs", ["s.fa", "-o", "r", "--output", "t"], "--output is given twice"),
        ("allpairs", ["s.fa", "-o", "r", "--part", "1/2"], "--part cannot be used here"),
    ],
    ids=str,
)
def test_commands_that_no_job_can_have(name: str, words: list[str], text: str) -> None:
    with pytest.raises(alnus.InputError) as error:
        of_arguments(name, words)
    assert str(error.value).startswith(text)


def test_counts_of_options() -> None:
    refuse_repeated({"--mode": 1})
    for count, text in [(2, "twice, and takes one value. Leave out one of them."), (3, "3 times, and")]:
        with pytest.raises(alnus.InputError) as error:
            refuse_repeated({"--mode": count})
        assert str(error.value).startswith(f"--mode is given {text}")


def test_names_of_matrices_may_begin_with_values() -> None:
    assert path_of("--matrix-out", "score:s.npy") == "s.npy"
    for option, name in [("--matrix-out", "s.npy"), ("--matrix-out", "./a:s.npy"), ("--edges", "a:e")]:
        assert path_of(option, name) == name


@pytest.mark.parametrize(("workers", "threads"), [(1, "5"), (2, "2"), (5, "1"), (7, "1")])
def test_local_workers_share_the_processors(workers: int, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(5)))
    words = ["allpairs", "s.fa", "-o", "rows", "--outdir", "run"]
    local = ["--local", str(workers)]
    assert __main__._read([*words, *local])[1].options == ["--threads", threads]
    for own in (["-t3"], ["--threads=3"], ["--threads", "3"]):
        assert "".join(__main__._read([*words, *local, *own])[1].options) in ("-t3", "--threads3")
    assert __main__._read([*words, "--slurm", str(workers)])[1].options == []
    command = __main__._read(["allpairs", "-o", "rows", "--outdir", "run", *local, "--", "-s.fa"])[1]
    assert command.inputs == ["-s.fa"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--local 1", ""),
        ("--local 0", "--local and --slurm need one worker or more."),
        ("--slurm 0", "--local and --slurm need one worker or more."),
        ("--slurm 1 --cpus 1", ""),
        ("--slurm 1 --cpus 0", "--cpus needs one processor or more."),
        ("--slurm 1 --worker-memory 1GiB --walltime 1:00 --partition p --slurm-directive=--x", ""),
        ("--local 1 --cpus 1", "--cpus is about the jobs of Slurm: add --slurm N, or leave it out."),
        ("--local 1 --partition p", "--partition is about the jobs of Slurm: add --slurm N, or leave it out."),
        ("--scheduler tcp://x:1 --slurm-directive=--x", "--slurm-directive is about the jobs of Slurm: "),
    ],
)
def test_options_of_workers(words: str, text: str) -> None:
    arguments = __main__._read(["allpairs", "s.fa", "-o", "rows", "--outdir", "run", *words.split()])[0]
    if not text:
        __main__._check(arguments)
        return
    with pytest.raises(alnus.InputError) as error:
        __main__._check(arguments)
    assert str(error.value).startswith(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1031, ""),
        (1030, ""),
        (1029, "workers begin nothing in their last 30 s, and 29 s are left"),
        (1001, "workers begin nothing in their last 30 s, and 1 s are left"),
        (1000, "the time of the workers is up"),
        (999, "the time of the workers is up"),
    ],
)
def test_workers_that_are_taken_away_soon(seconds: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(time=lambda: 1000.0, strftime=time.strftime, gmtime=time.gmtime)
    monkeypatch.setattr(_deadline, "time", clock)
    monkeypatch.delenv("ALNUS_DEADLINE", raising=False)
    monkeypatch.setenv("SLURM_JOB_END_TIME", str(seconds))
    words = ["allpairs", "s.fa", "-o", "rows", "--outdir", "run"]
    local = __main__._read([*words, "--local", "1"])[0]
    for other in (["--scheduler", "tcp://x:1"], ["--slurm", "1"]):
        assert __main__._deadline_of(__main__._read([*words, *other])[0]) is None, "other jobs have other times"
    if text:
        with pytest.raises(JobError) as error:
            __main__._deadline_of(local)
        assert str(error.value).startswith(f"Nothing is computed: {text} (SLURM_JOB_END_TIME={seconds}, ")
    else:
        assert __main__._deadline_of(local) == Deadline("SLURM_JOB_END_TIME", seconds)


def test_a_merge_may_go_on_when_the_workers_are_gone() -> None:
    class Merging:
        waits = 0

        def result(self, timeout: float) -> list[str]:
            self.waits += 1
            if self.waits < 3:
                raise TimeoutError
            return ["rows"]

        def status(self) -> Any:
            return SimpleNamespace(state="merging")

    job: Any = Merging()
    assert __main__._wait(job, False, Deadline("ALNUS_DEADLINE", 5.0)) == ["rows"]


def test_why_slurm_refuses_a_job() -> None:
    def reason(code: int, stdout: str, stderr: str) -> str:
        text = f"Command exited.\nExit code: {code}\nCommand:\nsbatch x\nstdout:\n{stdout}\nstderr:\n{stderr}\n"
        return _slurm._reason(RuntimeError(text))

    assert reason(1, "", "sbatch: error: bad name.\n\nsbatch: more") == "sbatch ended with code 1: bad name; more."
    assert reason(7, "closed today\n", "") == "sbatch ended with code 7: closed today."
    assert reason(3, "", "") == "sbatch ended with code 3, silently."
    assert _slurm._reason(RuntimeError("no\nnumber")) == "sbatch failed: no number"
    jobs = _slurm.Jobs(NoCluster(), [], ["closed", "closed", "full"])  # type: ignore[arg-type]
    with pytest.raises(JobError, match=r"^Slurm takes no job: closed full$"):
        jobs.submit(3)
