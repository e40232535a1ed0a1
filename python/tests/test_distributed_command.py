"""How ``python -m alnus.distributed`` ends: refused by Slurm, out of time, by a signal; and what its log ends with."""

from __future__ import annotations

import glob
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import time

import pytest
from distributed_support import fasta, is_alive
from support import Program, run_script

import alnus
from alnus._versions import build_name

pytest.importorskip("distributed")

from alnus.distributed import JobError, __main__, _dispatch, all_pairs

QUOTES = "A name or value with blanks stands in quotation marks."


@pytest.fixture
def words(program: Program, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments of a small job, but for its workers."""
    monkeypatch.setenv("ALNUS_PROGRAM", program.path)
    sequences = fasta(tmp_path / "set.fasta", 12, 1)
    return ["allpairs", sequences, "-o", "rows", "--outdir", str(tmp_path / "run"), "--devices", "cpu"]


# ---- Slurm ----


def commands_of_slurm(folder: pathlib.Path, sbatch: str) -> None:
    """Writes an sbatch that is this shell script, and an scancel that lists the jobs that it cancels."""
    folder.mkdir()
    for name, script in [("sbatch", sbatch), ("scancel", f'echo "$@" >> {folder}/cancelled')]:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)


REFUSAL = """
echo "sbatch: error: invalid partition specified: nopart" >&2
echo "sbatch: error: Batch job submission failed: Invalid partition name specified" >&2
exit 1
"""


@pytest.mark.parametrize(
    ("sbatch", "text"),
    [
        (
            REFUSAL,
            "sbatch ended with code 1: invalid partition specified: nopart; Batch job submission failed: "
            "Invalid partition name specified.",
        ),
        ("echo closed today; exit 7", "sbatch ended with code 7: closed today."),
        ("exit 3", "sbatch ended with code 3, silently."),
        ("echo hello", "sbatch failed: Could not parse job id from submission command output."),
    ],
    ids=["partition", "on standard output", "silent", "no number"],
)
def test_jobs_that_slurm_refuses(
    sbatch: str,
    text: str,
    words: list[str],
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("dask_jobqueue")
    commands_of_slurm(tmp_path / "bin", sbatch)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    assert __main__.main([*words, "--slurm", "2", "--partition", "nopart"]) == 5
    told = capfd.readouterr().err
    assert told.startswith(f"alnus: error: Slurm takes no job: {text}")
    assert told.count("\n") == 1, "no traceback"
    assert not (tmp_path / "bin" / "cancelled").exists()


# ---- The time at which machines are taken away ----


@pytest.mark.parametrize(
    ("seconds", "code", "text"),
    [
        ("tomorrow", 1, "The environment variable ALNUS_DEADLINE is 'tomorrow'; it must be the time at which"),
        ("nan", 1, "The environment variable ALNUS_DEADLINE is 'nan'; it must be"),
        ("inf", 1, "The environment variable ALNUS_DEADLINE is 'inf'; it must be"),
        ("3600", 5, "the time of the workers is up (ALNUS_DEADLINE=3600, which is 1970-01-01 01:00:00 UTC)"),
        ("-1", 5, "the time of the workers is up (ALNUS_DEADLINE=-1, "),
    ],
)
@pytest.mark.parametrize("workers", ["--local", "--slurm"])
def test_a_wrong_deadline_ends_the_command_at_once(
    workers: str,
    seconds: str,
    code: int,
    text: str,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ALNUS_DEADLINE", seconds)
    assert __main__.main([*words, workers, "1"]) == code
    assert text in capsys.readouterr().err


def test_a_deadline_that_is_too_near(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SLURM_JOB_END_TIME", str(int(time.time()) + 20))
    assert __main__.main([*words, "--local", "1"]) == 5
    assert re.search(r"workers begin nothing in their last 30 s, and (19|20) s are left", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("5", r"gets no work: its time is up \(ALNUS_DEADLINE=5"),
        ("x", "The environment variable ALNUS_DEADLINE is 'x'"),
    ],
)
def test_workers_out_of_time_cannot_be_used(
    value: str, text: str, program: Program, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client, LocalCluster

    monkeypatch.setenv("ALNUS_PROGRAM", program.path)
    monkeypatch.setenv("ALNUS_DEADLINE", value)
    monkeypatch.setattr(_dispatch, "_GRACE", 0.5)
    sequences = fasta(tmp_path / "set.fasta", 12, 1)
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        job = all_pairs(sequences, outdir=tmp_path / "run", client=client, output="rows", devices="cpu")
        with pytest.warns(alnus.AlnusWarning, match=text), pytest.raises(JobError, match=f"No worker.*{text}"):
            job.result(timeout=60)
        assert job.status().workers == 0


# ---- Signals ----


def environment(program: str) -> dict[str, str]:
    folders = [str(pathlib.Path(alnus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "ALNUS_PROGRAM": program, "PYTHONPATH": os.pathsep.join(filter(None, folders))}


# A program that writes a file when it is asked for parts, or for the merge, and then does nothing until it is ended.
_WAITING = """#!/bin/sh
case "$*" in
  *"--devices cpu"|--version) exec {program} "$@" ;;
  {when}*) echo $$ > {folder}/waits; exec sleep 100 ;;
esac
exec {program} "$@"
"""


@pytest.mark.parametrize(
    ("number", "when", "times"),
    [(signal.SIGTERM, "allpairs", 2), (signal.SIGHUP, "allpairs", 1), (signal.SIGTERM, "merge", 1)],
)
def test_signals_stop_the_workers_and_keep_the_work(
    number: signal.Signals, when: str, times: int, program: Program, tmp_path: pathlib.Path
) -> None:
    waiting = tmp_path / "waiting"
    waiting.write_text(_WAITING.format(program=program.path, when=when, folder=tmp_path))
    waiting.chmod(0o755)
    sequences = fasta(tmp_path / "set.fasta", 12, 1)
    command = [sys.executable, "-m", "alnus.distributed", "allpairs", sequences, "-o", "rows", "--local", "1"]
    running = subprocess.Popen(
        [*command, "--outdir", str(tmp_path / "run")],
        env=environment(str(waiting)),
        stderr=subprocess.PIPE,
        text=True,
    )
    waits = tmp_path / "waits"
    while running.poll() is None and not (waits.exists() and waits.read_text()):
        time.sleep(0.02)
    for _ in range(times):  # timeout sends a signal twice
        running.send_signal(number)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 128 + number, told
    assert told == (
        f"alnus: ended by {number.name}. What is computed is kept in {tmp_path / 'run'}; the same command goes on from "
        "there.\n"
    )
    assert not is_alive(int(waits.read_text()))


# ---- Arguments ----


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (["extra"], f"alnus allpairs does not take the argument 'extra'. {QUOTES}"),
        (["--square=3"], f"alnus allpairs does not take the argument '3'. {QUOTES}"),
        (["--walltime", "01:00:00"], "--walltime is about the jobs of Slurm: add --slurm N, or leave it out."),
        (["--worker-memory", "1GiB"], "--worker-memory is about the jobs of Slurm: add --slurm N, or leave it out."),
        (["--local", "2"], "--local is given twice, and takes one value. Leave out one of them."),
        (["--outdir", "a", "--outdir=b"], "--outdir is given 3 times, and takes one value. Leave out all but one."),
    ],
    ids=str,
)
def test_wrong_arguments_end_the_command(
    more: list[str], text: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert __main__.main([*words, "--local", "1", *more]) == 1
    assert capsys.readouterr().err == f"alnus: error: {text}\n"


def test_an_empty_outdir(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["" if before == "--outdir" else word for before, word in zip(["", *words], words, strict=False)]
    assert __main__.main([*words, "--local", "1"]) == 1
    assert capsys.readouterr().err == "alnus: error: --outdir is empty; it must name the folder of the job.\n"


def test_no_message_is_appended_to_an_input(words: list[str], program: Program) -> None:
    before = pathlib.Path(words[1]).read_bytes()
    with open(words[1], "ab") as log:
        done = subprocess.run(
            [sys.executable, "-m", "alnus.distributed", *words, "--local", "1"],
            env=environment(program.path),
            stderr=log,
            start_new_session=True,
        )
    assert done.returncode == 1
    assert pathlib.Path(words[1]).read_bytes() == before


def test_local_workers_without_the_device_end_the_command_at_once(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if glob.glob("/dev/nvidia*"):
        pytest.skip("there is a card")
    began = time.monotonic()
    assert __main__.main([*words[:-1], "cuda", "--local", "2"]) == 5
    assert time.monotonic() - began < 20
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("alnus: error: No worker can be used. The worker inproc://")
    assert "There is no GPU" in lines[-1]
    assert not any(" failed: " in line for line in lines), "each worker is asked once"


# ---- The last line of the log ----


def test_the_last_line_of_the_log(
    words: list[str], program: Program, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = subprocess.run(
        [program.path, *words[:2], "-o", str(tmp_path / "rows"), "--devices", "cpu", "--threads", "1"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr.splitlines()[-1]
    for _ in range(2):  # the second command finds all computed
        assert __main__.main([*words, "--local", "1", "--threads", "1"]) == 0
        last = capsys.readouterr().err.splitlines()[-1]
        assert last.startswith(f"alnus: {tmp_path / 'run' / 'rows'}: 66 pairs, ")
        assert f"This was alnus {build_name()} on cpu (1 thread, " in last
        assert last.split(" on cpu ")[1] == alone.split(" on cpu ")[1]
    assert ", 66 pairs, " in alone


# ---- What is refused at once, and what is not there ----


@pytest.fixture
def sequences(tmp_path: pathlib.Path) -> str:
    path = tmp_path / "set.fasta"
    path.write_text(">a\nMKVLAHEAGAWGHEE\n>b\nMKVLAHEAGAWGHEA\n")
    return str(path)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["serch", "--outdir", "run", "--local", "1"],
        ["allpairs", "s.fa", "--local", "1"],
        ["allpairs", "s.fa", "--outdir", "run"],
        ["allpairs", "s.fa", "--outdir", "run", "--local", "x"],
        ["allpairs", "s.fa", "--outdir", "run", "--local", "0"],
        ["allpairs", "s.fa", "--outdir", "run", "--local", "1", "--slurm", "1"],
        ["allpairs", "s.fa", "--outdir", "run", "--local", "1", "--task-seconds"],
        ["allpairs", "s.fa", "--outdir", "run", "--scheduler", "nonsense://x"],
    ],
    ids=" ".join,
)
def test_wrong_options_end_with_1(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(words) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("alnus: error: ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("package", ["dask", "distributed"])
def test_without_dask_the_error_says_what_to_install(package: str, sequences: str, tmp_path: pathlib.Path) -> None:
    script = """
        import sys
        sys.modules[sys.argv[1]] = None
        import alnus
        from alnus.distributed import __main__, all_pairs
        try:
            all_pairs(sys.argv[4], outdir=sys.argv[3], output="rows")
        except alnus.Error as error:
            assert "pip install" in str(error), error
        sys.exit(__main__.main(["allpairs", sys.argv[4], "--outdir", sys.argv[3], *sys.argv[2].split(), "-o", "rows"]))
    """
    done = run_script(script, package, "--local 1", tmp_path / "run", sequences, check=False)
    assert done.returncode == 5, done.stderr
    assert done.stderr.startswith(
        f"alnus: error: alnus.distributed needs the package {package}, which is not installed"
    )
    assert "pip install dask distributed dask-jobqueue" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_job_without_standard_error(program: Program, sequences: str, tmp_path: pathlib.Path) -> None:
    words = [sys.executable, "-m", "alnus.distributed", "allpairs", sequences, "-o", "rows", "--local", "1"]
    expected = program.text("allpairs", sequences)
    folders = [str(pathlib.Path(alnus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    run_script(
        """
        import os, subprocess, sys
        for descriptor in (0, 2):
            os.close(descriptor)
        os.execv(sys.argv[1], sys.argv[1:])
        """,
        *words,
        "--devices",
        "cpu",
        "--outdir",
        tmp_path / "run",
        PYTHONPATH=os.pathsep.join(filter(None, folders)),
    )
    assert (tmp_path / "run" / "rows").read_bytes() == expected
    assert (tmp_path / "run" / "lock").read_bytes() == b""
    assert stat.S_ISREG((tmp_path / "run" / "job.json").stat().st_mode)
