"""Debian's Slurm on this machine runs a job array of parts, and starts workers."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from support import Program

import alnus


def test_parts_and_workers_of_slurm_have_the_bytes_of_one_process(program: Program) -> None:
    folders = [str(pathlib.Path(alnus.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        ["bash", pathlib.Path(__file__).with_name("slurm.sh"), program.path, sys.executable],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))},
    )
    if done.returncode == 77:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("the same bytes") == 2


def test_without_slurm_a_message_says_so(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    from alnus.distributed.__main__ import main

    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["allpairs", "set.fasta", "-o", "rows", "--outdir", str(tmp_path / "run"), "--slurm", "2"]) == 1
    assert "There is no command sbatch here" in capsys.readouterr().err
    assert main(["allpairs", "set.fasta", "-o", "rows", "--outdir", str(tmp_path / "run"), "--slurm", "0"]) == 1
    assert "need one worker or more" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
