"""The Snakefile of docs/how-to/pipeline.md: its commands run, and the whole file where snakemake is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import documents
import pytest
from support import Program

_PAGE = documents.ROOT / "docs/how-to/pipeline.md"
_PARTS = 4

pytestmark = documents.needs_proteins


@pytest.fixture
def folder(document_data: Path, tmp_path: Path) -> Path:
    (tmp_path / "proteins.fasta").symlink_to(document_data / "proteins.fasta")
    return tmp_path


def snakefile() -> str:
    found = re.findall(r"^```py\n(.*?)^```$", _PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def shell_of(rule: str) -> str:
    """The command of a rule, with its names in braces."""
    body = re.search(rf"^rule {rule}:\n((?:    .*\n?)+)", snakefile(), re.MULTILINE)
    assert body, f"there is no rule {rule}"
    command = body[1].split("shell:")[1]
    return "".join(re.findall(r'"([^"]*)"', command))


def environment(program: Program) -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(program.path).parent}{os.pathsep}{os.environ['PATH']}"}


def expected(program: Program, folder: Path) -> bytes:
    words = ["--mode", "global", "--edges", "whole.tsv", "--edge-threshold", "40", "--quiet"]
    subprocess.run([program.path, "allpairs", "proteins.fasta", *words], cwd=folder, check=True)
    return (folder / "whole.tsv").read_bytes()


def test_the_commands_of_the_rules(program: Program, folder: Path) -> None:
    assert f"PARTS = {_PARTS}\n" in snakefile()
    for name in ("parts", "logs"):
        (folder / name).mkdir()
    parts = [f"parts/{number}.part" for number in range(1, _PARTS + 1)]
    commands = [
        shell_of("part").format(
            input="proteins.fasta",
            output=part,
            log=f"logs/{number}.log",
            threads=2,
            wildcards=SimpleNamespace(number=number),
            params=SimpleNamespace(parts=_PARTS),
        )
        for number, part in enumerate(parts, start=1)
    ]
    commands.append(shell_of("merge").format(input=" ".join(parts), output="edges.tsv", log="logs/merge.log"))
    for command in commands:
        subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=environment(program), check=True)
    assert (folder / "edges.tsv").read_bytes() == expected(program, folder)
    for log in (folder / "logs").iterdir():
        assert "This was alnus " in log.read_text().splitlines()[-1]


def test_the_line_that_starts_a_rule_anew(tmp_path: Path) -> None:
    found = re.findall(r"`(\[ -e [^`]*)`", _PAGE.read_text())
    assert len(found) == 1
    outputs = ["edges of all.tsv", "identity.npy"]
    command = found[0].replace("DIR", "run").format(output=outputs)
    (tmp_path / "run").mkdir()
    ledger, part = tmp_path / "run/ledger.json", tmp_path / f"{outputs[0]}.alnus-part"
    for interrupted in (True, False):
        ledger.touch()
        part.touch() if interrupted else part.unlink()
        subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=tmp_path, check=True)
        assert ledger.exists() == interrupted


def test_the_snakefile(program: Program, folder: Path) -> None:
    snakemake = shutil.which("snakemake") or shutil.which("snakemake", path=str(Path(sys.executable).parent))
    if snakemake is None:
        pytest.skip("snakemake is not installed")
    (folder / "Snakefile").write_text(snakefile())
    done = subprocess.run(
        [snakemake, "--cores", "2", "--quiet"], cwd=folder, env=environment(program), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "edges.tsv").read_bytes() == expected(program, folder)
