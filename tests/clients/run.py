"""Runs pytest on a file of tests by build/python, the virtual environment that scripts/test makes."""

import filecmp
import os
import pathlib
import sys

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
FOLDER = pathlib.Path(__file__).resolve().parent
VENV = FOLDER.parents[1] / "build" / "python"

try:
    current = filecmp.cmp(FOLDER / "requirements.txt", VENV / "requirements.txt", shallow=False)
except FileNotFoundError:
    current = False
if not current:
    print("skipped: build/python has not the packages of tests/clients/requirements.txt; scripts/test installs them")
    sys.exit(SKIPPED)
python = VENV / "bin" / "python"
os.execv(python, [python, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-q", *sys.argv[1:]])
