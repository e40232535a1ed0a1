"""Fixtures that several files of tests share."""

from __future__ import annotations

import os
import pathlib
import shutil

import documents
import pytest
from inputs import nucleotides, proteins  # noqa: F401
from support import FULL, Program

import alnus

try:
    import hypothesis
except ImportError:
    collect_ignore = ["test_hypothesis.py"]
else:
    checks = [hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large]
    hypothesis.settings.register_profile(
        "sample",
        max_examples=25,
        deadline=None,
        suppress_health_check=checks,
        derandomize=True,
        database=None,
    )
    hypothesis.settings.register_profile(
        "full", max_examples=5000, deadline=None, suppress_health_check=checks, database=None
    )
    hypothesis.settings.load_profile("full" if FULL else "sample")


@pytest.fixture(scope="session")
def program() -> Program:
    path = os.environ.get("ALNUS_PROGRAM", "")
    if not path:
        pytest.skip("ALNUS_PROGRAM does not name the program")
    if not os.access(path, os.X_OK) and shutil.which(path) is None:
        pytest.skip(f"there is no program {path}")
    return Program(path)


@pytest.fixture(scope="session")
def session() -> alnus.Session:
    """A session that computes on the CPU alone, whatever devices the machine has."""
    return alnus.Session(devices="cpu", threads=2, memory="1G")


@pytest.fixture(scope="session")
def document_data(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the files that the documents name."""
    folder = tmp_path_factory.mktemp("documents")
    documents.write_data(folder)
    return folder
