"""The blocks of documents that can be run, in Python and the shell, and small data for them."""

from __future__ import annotations

import contextlib
import doctest
import gzip
import io
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE_DATA = Path(os.environ.get("ALNUS_EXAMPLE_DATA", "/usr/share/doc/mmseqs2/example-data"))
PROTEINS = EXAMPLE_DATA / "DB.fasta.gz"
needs_proteins = pytest.mark.skipif(not PROTEINS.exists(), reason="Debian's package mmseqs2-examples is not installed")

_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
_FAMILIES = ("GN=KLK6", "GN=TMPRSS9", "GN=F12 ", "GN=PRSS", "GN=RAS1", "GN=SERPINB", "Adenylate kinase")


class Block(NamedTuple):
    """A block of Python: its line in the document, its code, and what the document says that it prints."""

    line: int
    code: str
    output: str | None


def recipes(document: Path) -> dict[str, list[Block]]:
    """The blocks of a document by the heading of the second level that they stand below.

    If a block stands above the first such heading, all blocks are listed under the name "".
    """
    text = document.read_text()
    found: dict[str, list[Block]] = {}
    heads = [(match.start(), match[1]) for match in re.finditer(r"^## (.*)$", text, re.MULTILINE)]
    for match in _BLOCK.finditer(text):
        block = Block(text.count("\n", 0, match.start(1)), match[1], match[2])
        if "" in found or match.start() < heads[0][0]:
            found.setdefault("", []).append(block)
        else:
            head = max((place, name) for place, name in heads if place < match.start())[1]
            found.setdefault(head, []).append(block)
    return found


def run(document: Path, blocks: list[Block], check: bool = True) -> list[str]:
    """Runs blocks that share their variables, and returns what each prints.

    With ``check``, the printed text must be what the document says, in which "..." stands for any text.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    checker = doctest.OutputChecker()
    for block in blocks:
        # Blank lines before the code give tracebacks the document's line numbers.
        code = compile("\n" * block.line + block.code, str(document), "exec")
        with contextlib.redirect_stdout(io.StringIO()) as stdout:
            exec(code, names)
        printed.append(stdout.getvalue())
        if check and block.output is not None:
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            same = checker.check_output(block.output, printed[-1], flags)
            assert same, f"line {block.line} says\n{block.output}\nand the code prints\n{printed[-1]}"
    return printed


class Command(NamedTuple):
    """A shell command: its line in the document, its text, and what the document says that it prints."""

    line: int
    command: str
    output: str


class Fence(NamedTuple):
    """A block of code: its line in the document, its language, its lines, and the line above it."""

    line: int
    language: str
    lines: list[str]
    above: str


def _fences(text: str) -> list[Fence]:
    found = []
    lines = text.splitlines()
    opened = None
    for number, line in enumerate(lines, start=1):
        if not line.startswith("```"):
            continue
        if opened is None:
            opened = number
        else:
            language = lines[opened - 1].removeprefix("```")
            found.append(Fence(opened, language, lines[opened : number - 1], lines[opened - 2] if opened > 1 else ""))
            opened = None
    return found


def _commands(fence: Fence) -> list[Command]:
    found: list[Command] = []
    for number, line in enumerate(fence.lines, start=fence.line + 1):
        if line.startswith("$ "):
            found.append(Command(number, line[2:], ""))
        elif found[-1].command.endswith("\\") and not found[-1].output:
            found[-1] = found[-1]._replace(command=found[-1].command + "\n" + line)
        else:
            found[-1] = found[-1]._replace(output=found[-1].output + line + "\n")
    return found


def commands(document: Path) -> list[Command]:
    """The commands of a document's ``console`` blocks; a command is a line that begins with "$ "."""
    fences = _fences(document.read_text())
    return [command for fence in fences if fence.language == "console" for command in _commands(fence)]


def run_commands(document: Path, folder: Path, program: str) -> None:
    """Runs a document's commands in the folder, one after the other, and compares what they print.

    Each Python block between the commands is a script of its own; the ``text`` block after it has what it prints.
    """
    path = os.pathsep.join([str(Path(program).parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    fences = _fences(document.read_text())
    for fence, after in zip(fences, [*fences[1:], None], strict=True):
        if fence.language == "console":
            for line, command, output in _commands(fence):
                _run(line, ["bash", "-c", command], output, folder, environment)
        elif fence.language == "python":
            follows = after and after.language == "text" and after.line == fence.line + len(fence.lines) + 3
            output = "\n".join(after.lines) + "\n" if follows else ""
            _run(fence.line, [sys.executable, "-c", "\n".join(fence.lines)], output, folder, environment)


def _run(line: int, words: list[str], output: str, folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"line {line}: {done.stderr}"
    checker = doctest.OutputChecker()
    same = checker.check_output(output, done.stdout, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert same, f"line {line} says\n{output}\nand the command prints\n{done.stdout}"


def reasons_not_to_run(document: Path) -> list[str]:
    """The reasons why the ``sh`` and ``r`` blocks of a document are not run, from the comment above each block."""
    reasons = []
    for fence in _fences(document.read_text()):
        if fence.language in ("sh", "r"):
            reason = re.fullmatch(r"<!-- not run: (.+) -->", fence.above)
            assert reason, f"{document.name}, line {fence.line}: no comment above says why this block is not run"
            reasons.append(reason[1])
    return reasons


def records(path: Path) -> list[tuple[str, str]]:
    """Header and letters of each record of a FASTA file."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    parts = text.split(">")[1:]
    return [(head, "".join(lines.split())) for head, _, lines in (part.partition("\n") for part in parts)]


def write_fasta(path: Path, listed: list[tuple[str, str]]) -> None:
    path.write_text("".join(f">{head}\n{letters}\n" for head, letters in listed))


def write_data(folder: Path) -> None:
    """Writes the files that the documents name: real proteins, random DNA, reads of that DNA, and receptors."""
    proteins = records(PROTEINS)
    relatives = [one for one in proteins if any(word in one[0] for word in _FAMILIES)]
    others = [one for k, one in enumerate(proteins) if k % 200 == 0 and one not in relatives]
    write_fasta(folder / "proteins.fasta", relatives + others)
    (folder / "queries.fasta").write_bytes((ROOT / "data/queries/queries_farrar.fasta").read_bytes())
    write_fasta(folder / "train.fasta", relatives[::2] + others[:60])
    write_fasta(folder / "test.fasta", relatives[1::8] + others[60:80])
    write_fasta(folder / "genome_a.fasta", relatives[::2])
    write_fasta(folder / "genome_b.fasta", relatives[1::2])
    chance = random.Random(7)
    genome = "".join(chance.choice("ACGT") for _ in range(3000))
    write_fasta(folder / "genome.fasta", [("chromosome", genome)])
    (folder / "reads.fastq").write_text("".join(_read(genome, number, chance) for number in range(20)))
    (folder / "receptors.csv").write_text(
        "cell,cdr3\n" + "".join(f"cell{number},{cdr3}\n" for number, cdr3 in enumerate(_CDR3S))
    )


def _read(genome: str, number: int, chance: random.Random) -> str:
    begin = chance.randrange(len(genome) - 150)
    letters = list(genome[begin : begin + 150])
    for _ in range(3):
        letters[chance.randrange(150)] = chance.choice("ACGT")
    read = "".join(letters)
    if number % 2:
        read = read.translate(str.maketrans("ACGT", "TGCA"))[::-1]
    return f"@read{number}\n{read}\n+\n{'I' * 150}\n"


_CDR3S = (
    "CASSIRSSYEQYF",
    "CASSIRSAYEQYF",
    "CASSSRSSYEQYF",
    "CASSIGSSYEQYF",
    "CASSLAPGATNEKLFF",
    "CASSLAPGTTNEKLFF",
    "CASSPVTGGIYGYTF",
    "CASSPQTGGIYGYTF",
    "CASSLGQAYEQYF",
    "CASSLGQGYEQYF",
    "CASSLGQAYEQYF",
    "CASSFSTCSANYGYTF",
    "CSARDGTGNGYTF",
    "CSARDRTGNGYTF",
    "CASSQDRGGYEQYF",
    "CASSYSTGELFF",
)
