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
# A folder of its own: what two runs keep in the usual one, either may delete.
with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.call([python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp",
                              pathlib.Path(folder) / "tests", *sys.argv[1:]]))
