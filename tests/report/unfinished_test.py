"""A run that ends early leaves no report, or a complete one; names that cannot be are refused."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import FULL
from made_files import mutant, random_letters
from program import is_complete, run
from saved_test import assert_same_table, proteins, write_fasta

ONE_SENTENCE = re.compile(r"alnus: error: [^\n]+\n")
CANNOT_WRITE = 255  # docs/cli.md, exit codes


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A search whose report takes a while to write."""
    source = random.Random(61)
    folder = tmp_path_factory.mktemp("unfinished")
    queries = [(f"q{k}", random_letters(source, 60)) for k in range(60)]
    write_fasta(folder / "q.fasta", queries)
    write_fasta(folder / "s.fasta", [(f"s{k}", mutant(source, queries[k % 60][1], 0.6)) for k in range(600)])
    return folder


SEARCH = ["search", "q.fasta", "s.fasta", "--max-target-seqs", "600", "--stats", "none", "--outfmt",
          "6 saccver qstart", "-o", "rows.tsv", "--report", "report.html"]  # fmt: skip


def started(alnus: Path, folder: Path) -> subprocess.Popen:
    for name in ("report.html", "rows.tsv"):
        (folder / name).unlink(missing_ok=True)
    return subprocess.Popen([alnus, *SEARCH], cwd=folder, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_killed(end, alnus, folder):
    begin = time.monotonic()
    started(alnus, folder).communicate()
    whole = time.monotonic() - begin
    assert is_complete(folder / "report.html")
    table = (folder / "rows.tsv").read_bytes()
    # The report is written at the end.
    moments = [k / 16 for k in range(1, 18)] if FULL else [0.5, 0.9, 0.95]
    killed = 0
    for moment in moments:
        process = started(alnus, folder)
        time.sleep(whole * moment)
        process.send_signal(end)
        _, log = process.communicate()
        killed += process.returncode != 0
        assert process.returncode in (0, -signal.SIGKILL, 128 + signal.SIGTERM)
        # A run may end after its outputs are complete, or between the moments when one and the other appear.
        report, rows = folder / "report.html", folder / "rows.tsv"
        assert not report.exists() or is_complete(report)
        assert not rows.exists() or rows.read_bytes() == table
        if process.returncode == 128 + signal.SIGTERM:
            names = {path.name for path in folder.iterdir()}
            assert names - {"report.html", "rows.tsv"} == {"q.fasta", "s.fasta"}
            assert log.endswith("Ended by SIGTERM: no unfinished output was kept.\n")
        for path in folder.glob(".*"):  # what SIGKILL leaves
            path.unlink()
    assert killed > 0


def limited(alnus: Path, folder: Path, most: int) -> subprocess.CompletedProcess:
    """A run whose files have at most this many bytes, as on a disk that is full."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run([alnus, *SEARCH, "--quiet"], cwd=folder, capture_output=True, text=True, preexec_fn=limit)


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_full_disk(share, alnus, folder):
    run(alnus, *SEARCH, folder=folder)
    size = (folder / "report.html").stat().st_size
    assert 0.9 * size > (folder / "rows.tsv").stat().st_size
    for name in ("report.html", "rows.tsv"):
        (folder / name).unlink()
    done = limited(alnus, folder, int(size * share))
    assert done.returncode == CANNOT_WRITE
    assert ONE_SENTENCE.fullmatch(done.stderr), done.stderr
    assert "report.html" in done.stderr or share == 0.1
    assert sorted(path.name for path in folder.iterdir()) == ["q.fasta", "s.fasta"]


def test_a_device_that_is_full(alnus, tmp_path):
    proteins(tmp_path)
    os.symlink("/dev/full", tmp_path / "full.html")
    log = run(alnus, "search", "q.fasta", "s.fasta", "--quiet", "-o", "rows.tsv", "--report", "full.html",
              folder=tmp_path, code=CANNOT_WRITE)  # fmt: skip
    assert ONE_SENTENCE.fullmatch(log)
    assert "full.html" in log
    assert not (tmp_path / "rows.tsv").exists()


REFUSED = {
    "an input": (["--report", "q.fasta"], "q.fasta"),
    "an input by a link": (["--report", "link.html"], "link.html"),
    "another format": (["--report", "hits.csv"], "hits.csv"),
    "a table": (["--report", "hits.tsv"], "hits.tsv"),
    "a picture": (["--report", "hits.svg"], "hits.svg"),
    "the other output": (["-o", "same.html", "--report", "same.html"], "same.html"),
    "the picture of scores": (["--score-plot", "x.svg", "--report", "./x.svg"], "x.svg"),
    "too small": (["--report", "x.html", "--report-size", "2000"], "--report-size"),
    "no report": (["--report-size", "20M"], "--report"),
    "for one query after the other": (["--interactive", "--report", "x.html"], "--report"),
}


OF_SEARCH = ("the picture of scores", "for one query after the other")
CALLS = [(command, why) for command in ("search", "allpairs", "align") for why in REFUSED
         if command == "search" or why not in OF_SEARCH]  # fmt: skip


@pytest.mark.parametrize(("command", "why"), CALLS)
def test_refused_names(command, why, alnus, tmp_path):
    words, named = REFUSED[why]
    files = proteins(tmp_path)
    before = [path.read_bytes() for path in files]
    os.symlink("q.fasta", tmp_path / "link.html")
    inputs = ["q.fasta"] if command == "allpairs" else ["q.fasta", "s.fasta"]
    more = ["--all"] if command == "align" else []
    log = run(alnus, command, *inputs, *more, "--quiet", *words, folder=tmp_path, code=1)
    assert ONE_SENTENCE.fullmatch(log)
    assert named in log
    assert [path.read_bytes() for path in files] == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "q.fasta", "s.fasta"]


def test_a_folder_that_is_not_there(alnus, tmp_path):
    proteins(tmp_path)
    log = run(alnus, "search", "q.fasta", "s.fasta", "--quiet", "--report", "there/x.html", folder=tmp_path,
              code=CANNOT_WRITE)  # fmt: skip
    assert ONE_SENTENCE.fullmatch(log)


def test_a_report_on_standard_output(alnus, tmp_path):
    proteins(tmp_path)
    words = ["search", "q.fasta", "s.fasta", "--quiet", "-o", "rows.tsv"]
    done = subprocess.run([alnus, *words, "--report", "-"], cwd=tmp_path, capture_output=True)
    if done.returncode != 0:
        assert ONE_SENTENCE.fullmatch(done.stderr.decode())
        return
    (tmp_path / "given.html").write_bytes(done.stdout)
    assert is_complete(tmp_path / "given.html")


def test_a_report_replaces_an_older_one(alnus, tmp_path, reader):
    proteins(tmp_path)
    (tmp_path / "report.html").write_text("older")
    words = ["search", "q.fasta", "s.fasta", "-o", "rows.tsv", "--report", "report.html"]
    run(alnus, *words, "--stats", "none", folder=tmp_path)
    run(alnus, *words, folder=tmp_path)
    assert_same_table(reader(tmp_path / "report.html"), (tmp_path / "rows.tsv").read_bytes(), [])
