"""Jobs, failures, Slurm, signals, arguments and folders of jobs on many machines, without other machines or Dask."""

from __future__ import annotations

import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from support import Program
from test_distributed_ranges import line

import alnus
from alnus.distributed import Job, JobError, Plan, Status, __main__, _dispatch, _job, _slurm, _worker
from alnus.distributed._command import Command, of_arguments, of_keywords
from alnus.distributed._deadline import Deadline, deadline
from alnus.distributed._folder import Folder, Record
from alnus.distributed._pool import Pool, Range
from alnus.distributed._rule import Speed
from alnus.distributed._signals import Ended, ended_by_signals

# ---- The command ----


def test_the_module_is_a_command(tmp_path: pathlib.Path) -> None:
    """Python looks for a module in its working folder, too, which must not be one with packages."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "alnus.distributed", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    shown = run("--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "alnus.distributed" in shown.stdout
    refused = run("search", "q.fa", "db.fa", "--outdir", "o", "--outdir", "p")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "error: " in refused.stderr


# ---- Jobs ----


def test_hours_and_what_is_left_of_a_job() -> None:
    assert Plan(9, 36 * 10**12).hours(2, 5.0) == 1.0
    job = object.__new__(Job)
    job.plan, job._began, job._state = Plan(9, 10**10), time.monotonic(), "running"
    job._lost, job._repeated, job._done_cells = 3, 4, 10**9
    job._dispatcher = None
    status = job.status()
    assert (status.cells_done, status.cells, status.workers, status.gcups) == (10**9, 10**10, 0, 0.0)
    assert (status.seconds_left, status.lost, status.repeated) == (0.0, 3, 4)
    running: Any = SimpleNamespace(done_cells=4 * 10**9, speed=2e9, workers=7, lost=10, repeated=20)
    job._dispatcher = running
    status = job.status()
    assert (status.cells_done, status.workers, status.gcups, status.seconds_left) == (4 * 10**9, 7, 2.0, 3.0)
    assert (status.lost, status.repeated) == (13, 24)
    assert 0 <= status.seconds < 60
    assert __main__._progress(status) == "40.0% by 7 workers, 2.0 GCUPS, about 3 s left."
    assert [__main__._count(number, "cell") for number in (0, 1, 2000)] == ["0 cells", "1 cell", "2,000 cells"]


def test_the_files_of_a_job(tmp_path: pathlib.Path) -> None:
    job = object.__new__(Job)
    job._command = Command("allpairs", ["s.fa"], [], [("--matrix-out", "score:s.npy"), ("--output", "rows")])
    folder: Any = SimpleNamespace(path=str(tmp_path))
    job._folder = folder
    (tmp_path / "s.npy.rows.ids").write_text("")
    assert job.files() == [str(tmp_path / name) for name in ("s.npy", "s.npy.rows.ids", "rows")]


@pytest.mark.parametrize(("byte", "found"), [(0, 0), (9, 0), (10, 1), (19, 1), (20, None), (None, None)])
def test_a_damaged_part_is_the_one_that_has_the_byte(
    byte: int | None, found: int | None, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = f"/run/parts/w.parts is damaged from byte {byte} on"
    said = "No space." if byte is None else damaged
    (tmp_path / "program").write_text(f"#!/bin/sh\necho 'alnus: error: {said}' >&2\nexit 5\n")
    (tmp_path / "program").chmod(0o755)
    monkeypatch.setattr(_job, "program", lambda: str(tmp_path / "program"))
    told: list[tuple[str, str]] = []
    job: Any = object.__new__(Job)
    job._command = Command("allpairs", ["s.fa"], [], [("--output", "rows")])
    job._folder = SimpleNamespace(path=str(tmp_path), write_places=lambda records: "places.tsv")
    job._merging, job._cancelled, job._messages = threading.Lock(), False, told
    of = [("v.parts", 0), ("w.parts", 0), ("w.parts", 10)]
    records = [Record(Range(k, k), name, begin, begin + 10, 1, 1, 1.0, "w") for k, (name, begin) in enumerate(of, 1)]
    if found is None:
        with pytest.raises(alnus.OutputError, match=said):
            job._merge(records)
        assert told == []
        return
    assert job._merge(records) is records[found + 1]
    assert told == [("warning", f"{damaged}: part {found + 2} of the job will be computed again.")]


@pytest.mark.parametrize("seed", range(5))
def test_of_records_that_overlap_the_first_counts(seed: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(seed)
    ranges = [Range(first, min(30, first + draw.randrange(5))) for first in draw.choices(range(1, 31), k=40)]
    taken: list[Range] = []
    for one in ranges:
        if all(one.last < other.first or other.last < one.first for other in taken):
            taken.append(one)
    folder = Folder(str(tmp_path), 30, print)
    (tmp_path / "parts" / "w.parts").write_bytes(bytes(10))
    (tmp_path / "parts" / "w.jsonl").write_text("".join(line(*one, 0, 10) for one in ranges))
    assert [record.range for record in folder.records()] == sorted(taken)
    assert folder.pairs_computed() == len(ranges)
    assert all(folder.has(one) for one in ranges)
    assert not folder.has(Range(1, 30))
    folder.close()


# ---- Workers ----


def test_a_worker_that_is_not_measured_counts_as_the_others() -> None:
    dispatcher = object.__new__(_dispatch.Dispatcher)
    usable = {"host": "here"}
    dispatcher._workers = {
        "a": _dispatch._Of("a", known=Speed(3.0, True), **usable),
        "b": _dispatch._Of("b", known=Speed(5.0, True), **usable),
        "c": _dispatch._Of("c", **usable),
        "d": _dispatch._Of("d"),  # has not answered yet, so that its host is not known
        "e": _dispatch._Of("e", known=Speed(7.0, True), refused=True, **usable),
    }
    assert dispatcher._expected_speed() == 12.0
    assert dispatcher.speed == 8.0


def test_workers_of_one_machine_share_the_cards_that_they_see(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALNUS_PROGRAM", program.path)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2, 5")
    told = _worker.probe()
    assert told["cards"] == ["2", "5"]
    dispatcher = object.__new__(_dispatch.Dispatcher)
    dispatcher._one_card_each = True
    dispatcher._workers = {name: _dispatch._Of(name) for name in "abc"}
    for one in dispatcher._workers.values():
        dispatcher._know(one, _dispatch._Answer(one.address, value=told))
    assert [one.card for one in dispatcher._workers.values()] == ["2", "5", "2"]


def test_an_environment_without_the_package_is_named() -> None:
    advice = f"installed in its environment or the scheduler's. Install {alnus.__version__} in both."
    assert _dispatch._why(RuntimeError("No module named 'alnus'")) == f"alnus is not {advice}"
    text = "Error during deserialization of the task graph. This"
    assert _dispatch._why(RuntimeError(f"{text}\nfrequently")) == (
        f"alnus is probably not {advice} The error is: {text} frequently"
    )
    assert _dispatch._why(RuntimeError("a\nb")) == "a b"


# ---- Failures ----


def test_a_worker_without_the_device_is_given_up_whatever_failed_before() -> None:
    dispatcher = object.__new__(_dispatch.Dispatcher)
    dispatcher._copies, dispatcher._finished = Counter(), set()
    dispatcher._pool = Pool([5, 5])
    dispatcher._failures, dispatcher._retries, dispatcher.lost = 0, 20, 0
    dispatcher._others_may_come = True
    dispatcher._told, told = set(), []
    dispatcher._warn = told.append
    worker = _dispatch._Of("a", host="here", failures=1)
    for code in (255, 3):
        given = dispatcher._pool.next(5)
        assert not worker.refused
        dispatcher._fail(worker, _dispatch._Task(given, None, 0.0), "There is no GPU.", code)
    assert worker.refused
    assert told == [
        "The worker a failed: There is no GPU. Its part 1 is computed again.",
        "The worker a gets no work: There is no GPU.",
    ]
    assert dispatcher._pool.left == 10
    working = _dispatch._Of("b", host="here", known=Speed(1.0, True), failures=5)
    dispatcher._fail(working, _dispatch._Task(dispatcher._pool.next(5), None, 0.0), "The GPU is busy.", 3)
    assert not working.refused


def test_what_becomes_of_the_range_of_a_worker_that_fails_or_goes() -> None:
    dispatcher = object.__new__(_dispatch.Dispatcher)
    told: list[str] = []
    dispatcher._pool, dispatcher._copies, dispatcher._finished = Pool([5, 5, 5]), Counter(), set()
    dispatcher._failures, dispatcher._retries, dispatcher.lost = 0, 20, 0
    dispatcher._warn, dispatcher._is_recorded = told.append, lambda _: False
    future: Any = type("Future", (), {"release": lambda self: None})()
    two = dispatcher._pool.next(10)
    dispatcher._copies[two] = 1  # another worker has the range, too
    dispatcher._fail(_dispatch._Of("a"), _dispatch._Task(two, future, 0.0), "No space.", None)
    dispatcher._lose(_dispatch._Of("b", tasks=[_dispatch._Task(two, future, 0.0)]))
    assert told == [
        "The worker a failed: No space. Its parts 1 to 2 are computed by another worker.",
        "The worker b is gone. Its parts 1 to 2 are computed again.",
    ]
    assert dispatcher.lost == 2


# ---- Slurm, and the time at which machines are taken away ----


class NoCluster:
    def scale(self, count: int) -> None:
        pass


def test_a_job_goes_on_with_the_jobs_that_slurm_takes() -> None:
    cluster: Any = NoCluster()
    jobs = _slurm.Jobs(cluster, ["7", "8"], ["sbatch ended with code 1: full."] * 3)
    assert jobs.submit(5) == (
        "Slurm has taken 2 jobs of 5, with which the work goes on: sbatch ended with code 1: full."
    )
    assert _slurm.Jobs(cluster, ["7", "8"]).submit(2) is None


def test_the_first_variable_that_is_set_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALNUS_DEADLINE", "SLURM_JOB_END_TIME"):
        monkeypatch.delenv(name, raising=False)
    assert deadline() is None
    monkeypatch.setenv("SLURM_JOB_END_TIME", "7")
    monkeypatch.setenv("ALNUS_DEADLINE", "")
    assert deadline() == Deadline("SLURM_JOB_END_TIME", 7.0)
    assert deadline(["ALNUS_DEADLINE"]) is None
    monkeypatch.setenv("ALNUS_DEADLINE", "1e9")
    assert deadline() == Deadline("ALNUS_DEADLINE", 1e9)
    assert str(Deadline("X", 1e300)).startswith("X=1")


def test_probes_tell_when_the_machine_goes(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALNUS_PROGRAM", program.path)
    monkeypatch.setenv("ALNUS_DEADLINE", "12.5")
    assert _worker.probe()["deadline"] == Deadline("ALNUS_DEADLINE", 12.5)


class _Running:
    """A job whose time ends while it runs."""

    folder = "/nowhere/run"

    def result(self, timeout: float) -> list[str]:
        raise TimeoutError

    def status(self) -> Any:
        return type("Status", (), {"state": "running"})


def test_the_command_ends_with_its_time() -> None:
    job: Any = _Running()
    with pytest.raises(JobError, match=r"The time of the workers is up \(ALNUS_DEADLINE=5, .*the same command"):
        __main__._wait(job, False, Deadline("ALNUS_DEADLINE", 5.0))


# ---- Signals ----


def test_a_signal_before_the_work(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)

    monkeypatch.setattr(__main__, "_read", read)
    assert __main__.main([]) == 143
    assert capsys.readouterr().err == "alnus: ended by SIGTERM. Nothing was computed; the same command begins anew.\n"
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_signals_that_arrive_at_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    at_once = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    told: list[Any] = []

    def run(*_: Any) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, at_once)
        for number in at_once:
            signal.pthread_kill(threading.get_ident(), number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, at_once)

    monkeypatch.setattr(__main__, "_run", run)
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    assert __main__.main(["allpairs", "s.fa", "-o", "rows", "--outdir", "run", "--local", "1"]) > 128
    assert capsys.readouterr().err.startswith("alnus: ended by SIG")
    assert not told


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_that_python_drops_ends_the_wait() -> None:
    job: Any = _Running()

    class Dropped:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.1)

    with pytest.raises(Ended) as ended, ended_by_signals() as check:
        Dropped()
        __main__._wait(job, False, None, check)
    assert ended.value.exit_code == 143


def test_ignored_signals_stay_ignored(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        time.sleep(0.01)

    monkeypatch.setattr(__main__, "_run", run)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        assert __main__.main(["allpairs", "s.fa", "-o", "rows", "--outdir", "run", "--local", "1"]) == 0
    finally:
        signal.signal(signal.SIGHUP, before)
    assert capsys.readouterr().err == ""


# ---- Arguments ----


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("allpairs", ["--mode", "global", "s.fa"], "SEQS is missing, and --mode stands in its place"),
        ("search", ["q.fa", "-o", "rows"], "DB is missing, and -o stands in its place"),
        ("search", [], "takes QUERIES and DB first, then its options; QUERIES is missing."),
        ("allpairs", ["s.fa", "-o"], "-o names no file."),
        ("allpairs", ["s.fa", "-o", "--mode", "global"], "-o names no file before --mode"),
        ("allpairs", ["s.fa", "--edges", "-e.tsv"], "--edges names no file before -e.tsv; a name that begins with - "),
        ("allpairs", ["s.fa", "--edges", "-e.tsv"], " follows --edges="),
        ("allpairs", ["s.fa", "--edges", ""], "--edges names no file."),
        ("allpairs", ["s.fa", "--matrix-out=score:"], "--matrix-out names no file."),
        ("allpairs", ["s.fa", "--edges", "-"], "--edges - is standard output, and the outputs of a job are files"),
        ("allpairs", ["s.fa", "-o", "/dev/stdout"], "--output /dev/stdout is standard output"),
        ("allpairs", ["s.fa", "-o", "r", "--dry-run"], "run alnus search or alnus allpairs with it"),
        ("allpairs", ["s.fa", "-orows"], "-orows is no option; a blank stands before the name: -o rows."),
        ("allpairs", ["s.fa", "-o", "rows", "--devices"], "--devices needs a value."),
        ("allpairs", ["s.fa", "-o", "rows", "--threads", "--square"], "--threads needs a value."),
    ],
)
def test_wrong_arguments_are_named(name: str, arguments: list[str], text: str) -> None:
    with pytest.raises(alnus.InputError) as error:
        of_arguments(name, arguments)
    assert text in str(error.value)


def test_names_that_follow_two_dashes_are_counted() -> None:
    with pytest.raises(alnus.InputError, match=r"the argument 't\.fa' is one too many"):
        of_arguments("allpairs", ["s.fa", "-o", "rows"], ["t.fa"])


def test_one_worker_is_no_plural() -> None:
    status = Status("running", 5, 10, 1, 2.0, 1.0, 3.0, 0, 0)
    assert __main__._progress(status) == "50.0% by 1 worker, 2.0 GCUPS, about 3 s left."


def test_an_output_given_twice_in_python() -> None:
    with pytest.raises(alnus.InputError, match="--output is given twice, and takes one value"):
        of_keywords("allpairs", ["set.fa"], {"output": ["a", "b"]})


# ---- The folder ----


def test_a_part_file_that_is_too_short_is_told_of_once(tmp_path: pathlib.Path) -> None:
    told: list[str] = []
    folder = Folder(str(tmp_path), 100, told.append)
    (tmp_path / "parts" / "w.parts").write_bytes(bytes(15))
    (tmp_path / "parts" / "w.jsonl").write_text(line(1, 4, 0, 10) + line(5, 9, 10, 20) + line(10, 12, 20, 30))
    for _ in range(2):
        assert len(folder.records()) == 1
    assert told == [
        f"{tmp_path}/parts/w.parts is damaged: it ends at byte 15, and 2 ranges of parts behind it will be computed "
        "again."
    ]
    folder.close()
    (tmp_path / "parts" / "x.parts").write_bytes(bytes(10))
    (tmp_path / "parts" / "x.jsonl").write_text(line(5, 12, 0, 10).replace("w.parts", "x.parts"))
    again = Folder(str(tmp_path), 100, told.append)
    assert len(again.records()) == 2
    assert len(told) == 1, "what was computed again is no longer missing"
    again.close()
