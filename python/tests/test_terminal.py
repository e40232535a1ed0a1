"""The progress bar fits the width of the terminal."""

from __future__ import annotations

import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios

import pytest
from inputs import family, write_fasta
from support import Program


@pytest.mark.parametrize("width", [120, 80, 40, 20])
def test_a_bar_is_narrower_than_the_terminal(width: int, tmp_path: pathlib.Path, program: Program) -> None:
    write_fasta(tmp_path / "set.fasta", {f"s{number}": letters for number, letters in enumerate(family(3, 5000))})
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    words = ["allpairs", "set.fasta", "-o", "rows.tsv", "--mode", "global", "-t", "1", "--isa", "portable"]
    with subprocess.Popen([program.path, *words], cwd=tmp_path, stderr=terminal, stdin=subprocess.DEVNULL) as running:
        os.close(terminal)
        shown = b""
        while not (bars := re.findall(rb"\x1b\[K(\d+%[^\r\n]* left)\r", shown)):
            shown += os.read(screen, 4096)
        running.terminate()
        running.wait(60)
    os.close(screen)
    line = bars[-1].decode()
    assert len(line) < width, line
    assert ("[" in line) == (width >= 80), line
