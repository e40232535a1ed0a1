"""Runs pytest on a file of tests by build/python, the virtual environment that scripts/test makes."""

import filecmp
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
FOLDER = pathlib.Path(__file__).resolve().parent
VENV = FOLDER.parents[1] / "build" / "python"

try:
    current = filecmp.cmp(FOLDER.parent / "requirements.txt", VENV / "requirements.txt", shallow=False)
except FileNotFoundError:
    current = False
if not current:
    print("skipped: build/python has not the packages of tests/requirements.txt; scripts/test installs them")
    sys.exit(SKIPPED)
python = VENV / "bin" / "python"
# The run gets a folder of its own, because two runs at a time may delete each other's files in pytest's usual folder.
with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.call([python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp",
                              pathlib.Path(folder) / "tests", *sys.argv[1:]]))
