"""The files of all pairs, as the compiled module takes them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from alnus._arguments import flag, number, path, word
from alnus._errors import InputError
from alnus._options import Value

Path = str | os.PathLike[str]


def pair_files(
    *,
    output: Path | None,
    format: str,
    header: bool,
    matrices: Mapping[Value, Path] | None,
    matrix_type: str | None,
    square: bool,
    phylip: Path | None,
    edges: Path | None,
    edge_threshold: float | None,
    checkpoint: Path | None,
) -> dict[str, Any]:
    """Return the arguments that name files and say how they look, without those that are not given."""
    if flag("square", square) and matrices is None:
        raise InputError("square is for matrices, and none is wanted.")
    if matrices is not None and not isinstance(matrices, Mapping):
        raise InputError(f"matrices is {matrices!r}; it must be a dict of value to path.")
    files: dict[str, Any] = {
        "output": None if output is None else path("output", output),
        "format": word("format", format),
        "header": flag("header", header),
        "matrices": {word("matrices", value): path("matrices", file) for value, file in (matrices or {}).items()},
        "matrix_type": word("matrix_type", matrix_type),
        "square": flag("square", square),
        "phylip": None if phylip is None else path("phylip", phylip),
        "edges": None if edges is None else path("edges", edges),
        "edge_threshold": number("edge_threshold", edge_threshold),
        "checkpoint": None if checkpoint is None else path("checkpoint", checkpoint),
    }
    return {name: value for name, value in files.items() if value is not None}


def wants_rows_alone(files: Mapping[str, Any]) -> bool:
    """Return True if no matrix, no distances and no edges are wanted."""
    return not files["matrices"] and "phylip" not in files and "edges" not in files
