"""What the tests of the program's own reports share: running it, and reading the files that it writes."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import zlib
from pathlib import Path
from typing import Any

BLOCK = re.compile(r'<script type="application/vnd\.alnus\.report" id="([^"]+)">([^<]*)</script>\n')
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n')
COMMAND = "Command line"


def run(program: Path, *words: object, folder: Path, code: int = 0) -> str:
    """Runs the program in a folder, and returns what it wrote to standard error."""
    # surrogateescape: words may have bytes that are not UTF-8.
    done = subprocess.run([os.fsencode(program), *(os.fsencode(str(word)) for word in words)], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
    log = done.stderr.decode("utf-8", "surrogateescape")
    assert done.returncode == code, log
    return log


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


def bytes_of_block(data: str) -> bytes:
    return zlib.decompress(base64.b64decode(data, validate=True))


def blocks_of(path: Path) -> dict[str, Any]:
    """All blocks in the order of the file, decoded; those of a matrix are bytes."""
    found = {}
    for name, data in BLOCK.findall(text_of(path)):
        assert name not in found
        raw = bytes_of_block(data)
        found[name] = raw if name.startswith("matrix-") else json.loads(raw)
    return found


def index_of(path: Path) -> dict[str, Any]:
    return blocks_of(path)["index"]


def without_command_line(path: Path) -> tuple[str, dict[str, Any]]:
    """The file without its index and without the row of the command line where scripts are off, and the index without
    the command line. All other blocks stay as they are in the file."""
    text = text_of(path)
    data = dict(BLOCK.findall(text))["index"]
    index = json.loads(bytes_of_block(data))
    facts = index["run"]["facts"]
    assert facts[0][0] == COMMAND
    index["run"]["facts"] = facts[1:]
    text, rows = re.subn(f"<tr><td>{COMMAND}</td><td>[^<]*</td></tr>\n", "", text)
    assert rows == 1
    return text.replace(data, ""), index


def is_complete(path: Path) -> bool:
    """True if the file has all its blocks and the end of the document."""
    if not text_of(path).endswith("</html>\n"):
        return False
    blocks = blocks_of(path)
    tables = blocks["index"]["tables"]
    return all(
        sum(len(block["subject"]) for name, block in blocks.items() if name.startswith(f"{table['name']}-rows-"))
        == table["rows"]
        for table in tables
    )


def without_policy(path: Path) -> Path:
    """A copy of a report in which the page's policy is missing."""
    text, removed = POLICY.subn("", text_of(path))
    assert removed == 1
    copy = path.with_name(f"open_{path.name}")
    copy.write_bytes(text.encode())
    return copy
