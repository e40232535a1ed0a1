"""The files of all pairs, as the compiled module takes them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, cast

from alnus._arguments import flag, memory_size, path, word
from alnus._errors import InputError
from alnus._option_tables import files_of, options_of
from alnus._option_words import OutputOptionWords
from alnus._options import PairsWords, Value

Path = str | os.PathLike[str]


class WritingWords(OutputOptionWords, PairsWords, total=False):
    """The arguments of outputs, scoring, statistics and filters."""


def split_files(more: WritingWords) -> tuple[OutputOptionWords, PairsWords]:
    """Return the arguments of outputs, and the others."""
    files: dict[str, Any] = {name: value for name, value in more.items() if name in OutputOptionWords.__annotations__}
    rest: dict[str, Any] = {name: value for name, value in more.items() if name not in files}
    return cast(OutputOptionWords, files), cast(PairsWords, rest)


def pair_files(
    *,
    output: Path | None,
    format: str,
    header: bool,
    matrices: Mapping[Value, Path] | None,
    report: Path | None = None,
    report_size: int | str = "100M",
    checkpoint: Path | None,
    more: OutputOptionWords,
) -> dict[str, Any]:
    """Return the arguments that name files and say how they look, without those that are not given."""
    files = options_of("outputs", more)
    if files.get("square") and matrices is None:
        raise InputError("square is for matrices, and none is wanted.")
    if matrices is not None and not isinstance(matrices, Mapping):
        raise InputError(f"matrices is {matrices!r}; it must be a dict of value to path.")
    files |= {
        "output": None if output is None else path("output", output),
        "format": word("format", format),
        "header": flag("header", header),
        "matrices": {word("matrices", value): path("matrices", file) for value, file in (matrices or {}).items()},
        "report": None if report is None else path("report", report),
        "report_size": memory_size("report_size", report_size),
        "checkpoint": None if checkpoint is None else path("checkpoint", checkpoint),
    }
    return {name: value for name, value in files.items() if value is not None}


def names_of_outputs() -> str:
    """Return the arguments that name files of results, for messages."""
    *names, last = "output", "matrices", "report", *files_of("outputs")
    return f"{', '.join(names)} or {last}"


def wants_rows_alone(files: Mapping[str, Any]) -> bool:
    """Return True if no output other than rows is wanted."""
    return not files["matrices"] and not any(name in files for name in ("report", *files_of("outputs")))
