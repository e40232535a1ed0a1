"""Jobs on several workers: outputs have the bytes of one process, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from distributed_support import Processes, fasta, is_alive, slow_program
from support import FULL, Program

import alnus

distributed = pytest.importorskip("distributed")

from alnus.distributed import Job, JobError, _dispatch, _worker, all_pairs, search  # noqa: E402


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("inputs")
    return {
        "queries": fasta(folder / "queries.fasta", 25, 1),
        "database": fasta(folder / "database.fasta", 600, 1),
        "set": fasta(folder / "set.fasta", 150, 2),
        "others": fasta(folder / "others.fasta", 60, 2),
    }


@contextlib.contextmanager
def cluster(program: str, workers: int, processes: bool = True) -> Iterator[distributed.Client]:
    before = os.environ.get("ALNUS_PROGRAM")
    os.environ["ALNUS_PROGRAM"] = program
    try:
        with (
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=processes,
                dashboard_address=":0",
                memory_limit="2GiB",
            ) as local,
            distributed.Client(local) as client,
        ):
            yield client
    finally:
        os.environ.pop("ALNUS_PROGRAM")
        if before is not None:
            os.environ["ALNUS_PROGRAM"] = before


@pytest.fixture(scope="module")
def client(program: Program) -> Iterator[distributed.Client]:
    with cluster(program.path, 4) as of_four:
        yield of_four


def run(call: Any, *inputs: str, **keywords: Any) -> list[str]:
    job: Job = call(*inputs, task_seconds=0.2, threads=1, **keywords)
    return job.result(timeout=300)


def contents(paths: list[str]) -> dict[str, bytes]:
    return {pathlib.Path(path).name: pathlib.Path(path).read_bytes() for path in paths}


SEARCHES: dict[str, list[str]] = {
    "table": ["--outfmt", "6 std cigar adjscore"],
    "report": ["--outfmt", "0", "--evalue", "1e-3"],
    "regression": ["--stats", "regression", "--outfmt", "7"],
    "karlin": ["--stats", "karlin", "--max-target-seqs", "3"],
    "zvalue": ["--stats", "zvalue", "--shuffles", "10", "--outfmt", "6 std zscore", "--max-target-seqs", "5"],
    "none": ["--stats", "none", "--outfmt", "jsonl", "--max-target-seqs", "4"],
}


def keywords_of(words: list[str]) -> dict[str, str]:
    return {words[k].lstrip("-").replace("-", "_"): words[k + 1] for k in range(0, len(words), 2)}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_have_the_bytes_of_one_process(
    name: str, program: Program, client: Any, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    words = SEARCHES[name]
    expected = program.text("search", files["queries"], files["database"], *words, "--quiet")
    found = run(
        search,
        files["queries"],
        files["database"],
        outdir=tmp_path / "run",
        client=client,
        output="hits",
        **keywords_of(words),
    )
    assert expected
    assert contents(found) == {"hits": expected}


PAIRS: dict[str, dict[str, Any]] = {
    "rows, matrix and edges": {
        "mode": "global",
        "output": "rows.tsv",
        "matrix_out": ["m.npy", "score:s.npy"],
        "edges": "edges.tsv",
        "edge_threshold": 30,
    },
    "distances": {
        "mode": "global",
        "phylip": "d.phy",
        "matrix_value": "distance",
        "square": True,
        "matrix_out": "q.npy",
    },
    "two sets": {"against": "others", "output": "rows.txt", "outfmt": "0", "evalue": 1e-5, "matrix_out": "m.npy"},
}


@pytest.mark.parametrize("name", PAIRS)
def test_all_pairs_have_the_bytes_of_one_process(
    name: str, program: Program, client: Any, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    keywords = dict(PAIRS[name])
    if "against" in keywords:
        keywords["against"] = files[keywords["against"]]
    found = run(all_pairs, files["set"], outdir=tmp_path / "run", client=client, **keywords)
    alone = tmp_path / "alone"
    alone.mkdir()
    words: list[str] = []
    for keyword, value in keywords.items():
        for one in value if isinstance(value, list) else [value]:
            words.append("--" + keyword.replace("_", "-"))
            if one is not True:
                words.append(str(one))
    subprocess.run([program.path, "allpairs", files["set"], *words, "--quiet"], cwd=alone, check=True)
    assert contents(found) == {path.name: path.read_bytes() for path in alone.iterdir()}


def test_workers_of_different_speeds(program: Program, files: dict[str, str], tmp_path: pathlib.Path) -> None:
    slow = slow_program(tmp_path / "slow", program.path, 0, 20)
    expected = program.text("allpairs", files["set"], "--quiet")
    with cluster(slow, 8) as client:
        job = all_pairs(
            files["set"], outdir=tmp_path / "run", client=client, output="rows", task_seconds=0.1, threads=1
        )
        found = job.result(timeout=300)
    assert contents(found) == {"rows": expected}


# ---- Workers, and jobs that continue ----


def pairs_of(count: int) -> int:
    return count * (count - 1) // 2


def test_workers_in_one_process_have_a_program_each(
    program: Program, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    expected = program.text("allpairs", files["set"], "--quiet")
    slow = slow_program(tmp_path / "slow", program.path, 15, 15)
    with cluster(slow, 3, processes=False) as client:
        found = run(all_pairs, files["set"], outdir=tmp_path / "run", client=client, output="rows")
    assert contents(found) == {"rows": expected}
    assert len(list((tmp_path / "run" / "parts").glob("*.jsonl"))) == 3


def test_a_cancelled_job_goes_on(program: Program, tmp_path: pathlib.Path) -> None:
    slow = slow_program(tmp_path / "slow", program.path, 2, 2)
    sequences = fasta(tmp_path / "set.fasta", 450, 4)

    def begin(client: Any) -> Job:
        return all_pairs(
            sequences,
            outdir=tmp_path / "run",
            client=client,
            output="rows",
            task_seconds=0.5,
            threads=1,
            duplicates=False,
        )

    with cluster(slow, 2) as client:
        job = begin(client)
        while job.status().cells_done == 0:
            time.sleep(0.05)
        job.cancel()
        with pytest.raises(alnus.Cancelled):
            job.result(timeout=60)
        assert job.status().state == "cancelled"
        assert 0 < job.pairs_computed() < pairs_of(450)
        job = begin(client)
        found = job.result(timeout=300)
    assert contents(found) == {"rows": program.text("allpairs", sequences, "--quiet")}
    assert job.pairs_computed() == pairs_of(450)


def test_a_command_that_is_interrupted_leaves_no_program(program: Program, tmp_path: pathlib.Path) -> None:
    sequences = fasta(tmp_path / "set.fasta", 400, 9)
    slow = slow_program(tmp_path / "slow", program.path, 20, 20)
    command = [sys.executable, "-m", "alnus.distributed", "allpairs", sequences, "--local", "2", "--devices", "cpu"]
    command += ["--task-seconds", "1"]
    folders = [str(pathlib.Path(alnus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "ALNUS_PROGRAM": slow,
        "PYTHONPATH": os.pathsep.join(filter(None, folders)),
    }
    running = subprocess.Popen(
        [*command, "--output", "rows", "--outdir", str(tmp_path / "run")], env=environment, stderr=subprocess.PIPE
    )
    parts = tmp_path / "run" / "parts"
    while running.poll() is None and not list(parts.glob("*.jsonl")):
        time.sleep(0.05)
    children = _children_of({running.pid})
    assert children
    running.send_signal(signal.SIGINT)  # to this process alone; a terminal would send it to its programs, too
    assert running.wait(timeout=300) == 130, running.stderr and running.stderr.read()
    deadline = time.monotonic() + 60
    while any(is_alive(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(is_alive(child) for child in children)


def test_a_finished_job_computes_nothing_again(client: Any, files: dict[str, str], tmp_path: pathlib.Path) -> None:
    keywords = {"outdir": tmp_path / "run", "client": client, "output": "rows"}
    first = contents(run(all_pairs, files["set"], **keywords))
    ledgers = {path: path.read_bytes() for path in (tmp_path / "run" / "parts").glob("*.jsonl")}
    (tmp_path / "run" / "rows").unlink()
    assert contents(run(all_pairs, files["set"], **keywords)) == first
    assert {path: path.read_bytes() for path in (tmp_path / "run" / "parts").glob("*.jsonl")} == ledgers


def test_a_damaged_part_is_computed_again(client: Any, files: dict[str, str], tmp_path: pathlib.Path) -> None:
    # No range is computed twice: of two copies only one would be damaged.
    keywords = {"outdir": tmp_path / "run", "client": client, "output": "rows", "duplicates": False}
    first = contents(run(all_pairs, files["set"], **keywords))
    part = max((tmp_path / "run" / "parts").glob("*.parts"), key=lambda path: path.stat().st_size)
    damaged = bytearray(part.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    part.write_bytes(damaged)
    assert contents(run(all_pairs, files["set"], **keywords)) == first
    assert (tmp_path / "run" / "parts" / "dropped.jsonl").exists()


def test_a_folder_is_of_one_job(client: Any, files: dict[str, str], tmp_path: pathlib.Path) -> None:
    run(all_pairs, files["set"], outdir=tmp_path, client=client, output="rows")
    with pytest.raises(alnus.InputError, match="it was begun without --mode, and this has --mode global"):
        run(all_pairs, files["set"], outdir=tmp_path, client=client, output="rows", mode="global")
    changed = tmp_path / "set.fasta"
    changed.write_bytes(pathlib.Path(files["set"]).read_bytes())
    run(all_pairs, str(changed), outdir=tmp_path / "two", client=client, output="rows")
    changed.write_bytes(pathlib.Path(files["set"]).read_bytes() + b">more\nMKV\n")
    with pytest.raises(alnus.InputError, match="has other contents"):
        run(all_pairs, str(changed), outdir=tmp_path / "two", client=client, output="rows")


def test_one_process_at_a_time_works_in_a_folder(
    program: Program, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    with cluster(slow_program(tmp_path / "slow", program.path, 20, 20), 1) as client:
        keywords: dict[str, Any] = {"outdir": tmp_path / "run", "client": client, "output": "rows", "task_seconds": 0.1}
        with all_pairs(files["set"], **keywords), pytest.raises(alnus.OutputError, match="Another process works"):
            all_pairs(files["set"], **keywords)


# ---- Errors ----


def message_of(program: Program, *words: str) -> str:
    done = subprocess.run([program.path, *words], capture_output=True, text=True)
    assert done.returncode == 1
    return done.stderr.strip().splitlines()[-1].removeprefix("alnus: error: ")


@pytest.mark.parametrize(
    "keywords", [{"matrix": "BLOSUM99"}, {"mode": "globl"}, {"min_identity": 200}, {"evalue": 1, "mode": "global"}]
)
def test_errors_are_those_of_the_single_machine(
    keywords: dict[str, Any], program: Program, client: Any, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    words = [word for key, value in keywords.items() for word in ("--" + key.replace("_", "-"), str(value))]
    expected = message_of(program, "allpairs", files["set"], *words)
    with pytest.raises(alnus.InputError) as error:
        run(all_pairs, files["set"], outdir=tmp_path, client=client, output="rows", **keywords)
    assert str(error.value) == expected


def test_what_jobs_cannot_be(client: Any, files: dict[str, str], tmp_path: pathlib.Path) -> None:
    for keywords, text in [
        ({"output": "rows", "checkpoint": "x"}, "--checkpoint cannot be used here"),
        ({"output": "rows", "part": "1/2"}, "--part cannot be used here"),
        ({"mode": "global"}, "needs a file for its results"),
        ({"edges": "e", "edge_threshold": 3, "outfmt": "6"}, "The rows need a file"),
        ({"output": files["set"]}, "is one of the inputs, which would be lost"),
        ({"output": "rows", "no_such_option": 3}, "--no-such-option"),
        ({"output": "rows.xlsx"}, "alnus writes no spreadsheets"),
        ({"output": "rows.csv", "outfmt": "7"}, "this output is a table with tabs"),
    ]:
        with pytest.raises(alnus.InputError, match=text):
            run(all_pairs, files["set"], outdir=tmp_path / "run", client=client, **keywords)
    with pytest.raises(alnus.InputError, match="Cannot read nothing"):
        run(all_pairs, "nothing.fasta", outdir=tmp_path / "run", client=client, output="rows")


def test_a_wrong_option_leaves_the_folder_to_the_right_one(
    client: Any, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    with pytest.raises(alnus.InputError):
        run(all_pairs, files["set"], outdir=tmp_path, client=client, output="rows", outfmt="6 foo")
    assert run(all_pairs, files["set"], outdir=tmp_path, client=client, output="rows", outfmt="6 score")
    # The memory limit belongs to the machine: with another limit it is the same job.
    again = run(all_pairs, files["set"], outdir=tmp_path, client=client, output="rows", outfmt="6 score", memory="1G")
    assert [pathlib.Path(path).name for path in again] == ["rows"]


def test_workers_without_the_devices_get_no_work(
    client: Any, files: dict[str, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan needs no device, so that the job begins."""
    if glob.glob("/dev/nvidia*"):
        pytest.skip("there is a card")
    monkeypatch.setattr(_dispatch, "_GRACE", 1.0)
    job = all_pairs(files["set"], outdir=tmp_path, client=client, output="rows", devices="cuda", retries=0)
    assert job.plan.cells > 0
    with (
        pytest.warns(alnus.AlnusWarning, match=r"gets no work: .*(cuda|GPU)"),
        pytest.raises(JobError, match=r"No worker can be used.*(cuda|GPU)"),
    ):
        job.result(timeout=60)
    assert job.status().cells_done == 0


def test_jobs_without_cells_end(program: Program, client: Any, tmp_path: pathlib.Path) -> None:
    one = tmp_path / "one.fasta"
    one.write_text(">one\nMKV\n")
    found = run(all_pairs, str(one), outdir=tmp_path / "run", client=client, edges="e", edge_threshold=3)
    assert contents(found) == {"e": b""}
    empty = tmp_path / "empty.fasta"
    empty.write_text(">a\n>b\n>c\n")
    found = run(search, str(empty), str(one), outdir=tmp_path / "two", client=client, output="hits", outfmt="0")
    assert contents(found) == {"hits": program.text("search", str(empty), str(one), "--outfmt", "0", "--quiet")}


# ---- What happens to workers ----


def see_no_files() -> None:

    _worker._is_the_same = lambda *_: False


def test_workers_get_copies_of_files_that_they_do_not_see(
    program: Program, files: dict[str, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    expected = program.text("search", files["queries"], files["database"], "--outfmt", "0", "--quiet")
    with cluster(program.path, 2) as client:
        client.run(see_no_files)
        found = run(
            search,
            files["queries"],
            files["database"],
            outdir=tmp_path / "run",
            client=client,
            output="hits",
            outfmt="0",
        )
    assert contents(found) == {"hits": expected}, "reports name the database as the job was given it"
    copies = [path.name for path in (tmp_path / f"alnus-inputs-{os.getuid()}").glob("*/*")]
    assert sorted(copies) == ["database.fasta", "queries.fasta"]


def be_older() -> None:
    alnus.__version__ = "0.0.1"


def test_workers_of_another_version_get_no_work(
    program: Program, files: dict[str, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cluster(program.path, 2) as client:
        client.run(be_older)
        monkeypatch.setattr(_dispatch, "_GRACE", 1.0)
        with (
            pytest.warns(alnus.AlnusWarning, match="it gets no work"),
            pytest.raises(JobError, match="it gets no work"),
        ):
            run(all_pairs, files["set"], outdir=tmp_path, client=client, output="rows")


def test_a_worker_without_the_package_is_told_of(
    program: Program, files: dict[str, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    with Processes(program.path, 0) as processes:
        monkeypatch.setitem(processes.environment, "PYTHONPATH", "")
        monkeypatch.chdir(tmp_path)  # python -m finds what is in its working folder, which ctest has beside the package
        imported = subprocess.run([sys.executable, "-c", "import alnus"], env=processes.environment, cwd=tmp_path)
        if imported.returncode == 0:
            pytest.skip("alnus is installed in the environment of all Python processes")
        processes.workers.append(processes._start_worker())
        with Client(processes.address, timeout="60s") as client:
            client.wait_for_workers(1, timeout=60)
            with (
                all_pairs(files["set"], outdir=tmp_path, client=client, output="rows") as job,
                pytest.warns(
                    alnus.AlnusWarning,
                    match=r"tcp://.* ended before it answered\. .*alnus is (probably )?not installed",
                ),
                pytest.raises(TimeoutError),
            ):
                job.result(timeout=5)


def lose_program() -> None:
    os.environ["ALNUS_PROGRAM"] = "/nowhere/alnus"


def test_workers_without_a_program_are_told_of(
    program: Program, files: dict[str, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cluster(slow_program(tmp_path / "slow", program.path, 10, 10), 2) as client:
        first = sorted(client.nthreads())[0]
        client.run(lose_program, workers=[first])
        with pytest.warns(alnus.AlnusWarning, match=f"{first} cannot be used.*nowhere"):
            run(all_pairs, files["set"], outdir=tmp_path / "one", client=client, output="rows")
        client.run(lose_program)
        monkeypatch.setattr(_dispatch, "_GRACE", 1.0)
        with pytest.warns(alnus.AlnusWarning), pytest.raises(JobError, match="No worker can be used"):
            run(all_pairs, files["set"], outdir=tmp_path / "two", client=client, output="rows")


def programs_of_workers(client: Any) -> list[int]:
    """The process ids of the programs that the workers run."""
    return _children_of(set(client.run(os.getpid).values()))


def _children_of(parents: set[int]) -> list[int]:
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            status = (path / "status").read_text()
            if "State:\tZ" not in status and int(status.split("PPid:")[1].split()[0]) in parents:
                found.append(int(path.name))
    return found


@pytest.mark.parametrize("processes", [True, False])
def test_a_program_that_hangs_holds_nobody_up(program: Program, tmp_path: pathlib.Path, processes: bool) -> None:
    sequences = fasta(tmp_path / "set.fasta", 300, 5)
    expected = program.text("allpairs", sequences, "--quiet")
    with cluster(program.path, 2, processes) as client:
        job = all_pairs(sequences, outdir=tmp_path / "run", client=client, output="rows", task_seconds=0.1, threads=1)
        hung = None
        while hung is None:
            time.sleep(0.02)
            for program_of_worker in programs_of_workers(client)[:1]:
                with contextlib.suppress(ProcessLookupError):  # the program may have ended in the meantime
                    os.kill(program_of_worker, signal.SIGSTOP)
                    hung = program_of_worker
        try:
            found = job.result(timeout=300)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(hung, signal.SIGKILL)
    assert contents(found) == {"rows": expected}
    ledgers = [json.loads(line) for path in (tmp_path / "run" / "parts").glob("*.jsonl") for line in path.open()]
    times = Counter((line["first"], line["last"]) for line in ledgers)
    assert max(times.values()) <= 2, "what is done is not repeated"


def test_programs_of_a_killed_client_end(program: Program, files: dict[str, str], tmp_path: pathlib.Path) -> None:
    slow = slow_program(tmp_path / "slow", program.path, 50, 50)
    with cluster(slow, 1) as client:
        script = (
            "import sys, distributed, alnus.distributed as ad\n"
            "client = distributed.Client(sys.argv[1])\n"
            "job = ad.all_pairs(sys.argv[2], outdir=sys.argv[3], client=client, output='rows', task_seconds=0.1)\n"
            "job.result()\n"
        )
        folders = [str(pathlib.Path(alnus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
        words = [client.scheduler.address, files["set"], str(tmp_path / "run")]
        for _ in range(2):
            process = subprocess.Popen([sys.executable, "-c", script, *words], env=environment)
            while not programs_of_workers(client):
                time.sleep(0.05)
            time.sleep(1.0)
            process.kill()
            process.wait()
        end = time.monotonic() + 60
        while len(programs_of_workers(client)) > 1 and time.monotonic() < end:
            time.sleep(0.2)
        assert len(programs_of_workers(client)) <= 1


def end_soon(seconds: float) -> None:
    os.environ["ALNUS_DEADLINE"] = str(time.time() + seconds)


def test_nothing_is_begun_that_cannot_end_in_time(
    program: Program, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    with cluster(program.path, 2) as client:
        first = sorted(client.nthreads())[0]
        client.run(end_soon, 1.5, workers=[first])  # too few seconds for a first range
        job = all_pairs(files["set"], outdir=tmp_path, client=client, output="rows", task_seconds=0.2, threads=1)
        job.result(timeout=300)
        name = client.run(os.getpid, workers=[first])[first]
    ledgers = [json.loads(line) for path in (tmp_path / "parts").glob("*.jsonl") for line in path.open()]
    of_first = [line for line in ledgers if f"-{name}-" in line["worker"]]
    assert of_first == []
    assert len(ledgers) > 1


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_that_goes(
    ending: signal.Signals, program: Program, files: dict[str, str], tmp_path: pathlib.Path
) -> None:
    slow = slow_program(tmp_path / "slow", program.path, 5, 5)
    with cluster(slow, 3) as client:
        job = all_pairs(
            files["set"], outdir=tmp_path / "run", client=client, output="rows", task_seconds=0.1, threads=1
        )
        while job.status().cells_done == 0:
            time.sleep(0.05)
        os.kill(next(iter(client.run(os.getpid).values())), ending)
        found = job.result(timeout=300)
    assert contents(found) == {"rows": program.text("allpairs", files["set"], "--quiet")}


def test_a_full_disk(program: Program, files: dict[str, str], tmp_path: pathlib.Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("only root may mount a small disk")
    try:
        others = disk / "others"
        with contextlib.suppress(OSError), others.open("wb", buffering=0) as file:
            for _ in range(17 << 8):
                file.write(bytes(4096))
        with others.open("r+b") as file:
            file.truncate(others.stat().st_size - (96 << 10))  # 96 KiB of the disk are free
        with cluster(program.path, 2) as client:
            keywords: dict[str, Any] = {"outdir": disk / "run", "client": client, "output": tmp_path / "rows"}
            with pytest.raises((JobError, alnus.OutputError), match="No space left"):
                run(all_pairs, files["set"], retries=2, **keywords)
            others.unlink()
            found = run(all_pairs, files["set"], **keywords)
        assert contents(found) == {"rows": program.text("allpairs", files["set"], "--quiet")}
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_workers_and_the_scheduler_are_killed(program: Program, tmp_path: pathlib.Path) -> None:
    """The full tests run the job 20 times, two minutes each; otherwise it runs once, for some seconds."""
    runs, count, between = (20, 3700, 5.0) if FULL else (1, 500, 2.0)
    sequences = fasta(tmp_path / "set.fasta", count, 3, (300, 700) if FULL else (200, 400))
    alone = tmp_path / "alone"
    alone.mkdir()
    words = ["--mode", "global", "--edges", "e.tsv", "--edge-threshold", "30", "--matrix-out", "score:s.npy"]
    subprocess.run([program.path, "allpairs", sequences, *words, "--quiet"], cwd=alone, check=True)
    expected = {path.name: path.read_bytes() for path in alone.iterdir()}
    for number in range(runs):
        folder = tmp_path / f"run{number}"
        with Processes(program.path, 4) as processes:
            schedulers = _survive(processes, sequences, words, folder, between, 2 if FULL else 1)
        found = {name: (folder / name).read_bytes() for name in expected}
        assert found == expected
        ledgers = [json.loads(line) for path in (folder / "parts").glob("*.jsonl") for line in path.open()]
        # A range that a worker wrote, but whose answer was lost with a killed scheduler, is computed again. The
        # ledgers count it twice.
        lost = schedulers * len(processes.workers) * 2 * max(line["pairs"] for line in ledgers)
        assert pairs_of(count) <= sum(line["pairs"] for line in ledgers) <= pairs_of(count) + lost


def _survive(
    processes: Processes,
    sequences: str,
    words: list[str],
    folder: pathlib.Path,
    between: float,
    kills_of_scheduler: int,
) -> int:
    """Runs a job to its end while workers and schedulers are killed; returns how often a scheduler was killed."""
    command = [sys.executable, "-m", "alnus.distributed", "allpairs", sequences, *words, "--outdir", str(folder)]
    command += ["--scheduler", processes.address, "--task-seconds", "1", "--no-duplicates", "--threads", "1"]
    draw = random.Random(str(folder))
    begun = time.monotonic()
    next_kill, schedulers = begun + between, 0
    job = subprocess.Popen(command, env=processes.environment, stderr=subprocess.PIPE)
    while job.poll() != 0:
        assert time.monotonic() - begun < 600, job.stderr and job.stderr.read()
        if job.poll() is not None:
            job = subprocess.Popen(command, env=processes.environment, stderr=subprocess.PIPE)
        processes.restart_the_ended()
        if time.monotonic() > next_kill:
            next_kill += between
            processes.kill_worker(draw.randrange(len(processes.workers)))
            if schedulers < kills_of_scheduler:
                schedulers += 1
                processes.kill_scheduler()
        time.sleep(0.1)
    assert schedulers == kills_of_scheduler, "the job was too short"
    return schedulers
