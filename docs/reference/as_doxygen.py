#!/usr/bin/env python3
"""A header as Doxygen reads it: every comment becomes documentation, and nothing in it is a command or a tag.

as_doxygen.py FILE: prints it. A comment in lines of its own belongs to what follows it, one behind code to that code.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_COMMENT = re.compile(r"^(?P<code>.*?)//(?P<text> .*)$")


def converted(line: str) -> str:
    found = _COMMENT.match(line)
    if not found or found["text"].startswith(" ----"):  # a line that divides a class
        return line
    text = re.sub(r"([\\@<>&#%$|*])", r"\\\1", found["text"])
    mark = "///<" if found["code"].strip() else "///"
    return f"{found['code']}{mark}{text}"


print("/// \\file")  # the first comment is of the header
print("\n".join(converted(line) for line in Path(sys.argv[1]).read_text().splitlines()))
