#!/usr/bin/env python3
"""Convert a C++ header for Doxygen: every comment becomes documentation, in which nothing is a command or a tag.

as_doxygen.py FILE: prints the header. A comment on lines of its own belongs to the code that follows it, a comment
behind code to that code. Tables of options (kOptions, kOutputOptions) are left out: Sphinx cannot read texts of several
string literals.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_TABLE_OF_OPTIONS = re.compile(
    r"^(?://[^\n]*\n)*template <[\w ]*>\ninline constexpr std::tuple k\w*Options(<\w+>)? =.*?;\n",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(r"^(?P<code>.*?)//(?P<text> .*)$")


def converted(line: str) -> str:
    found = _COMMENT.match(line)
    if not found or found["text"].startswith(" ----"):  # no comment, or a heading within a class
        return line
    text = re.sub(r"([\\@<>&#%$|*])", r"\\\1", found["text"])
    mark = "///<" if found["code"].strip() else "///"
    return f"{found['code']}{mark}{text}"


print("/// \\file")  # the first comment documents the whole header
header = _TABLE_OF_OPTIONS.sub("", Path(sys.argv[1]).read_text())
print("\n".join(converted(line) for line in header.splitlines()))
