"""run.py LISTS FILE: runs pytest on a file of tests by build/python, the virtual environment that scripts/test makes.

LISTS, with commas between them, are the lists of packages (in tests/) that the environment must have been made of.
"""

import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
FOLDER = pathlib.Path(__file__).resolve().parent
VENV = FOLDER.parents[1] / "build" / "python"

lists = [FOLDER.parent / name for name in sys.argv[1].split(",")]
needed = "".join(path.read_text() for path in lists)
try:
    current = (VENV / "requirements.txt").read_text().startswith(needed)
except FileNotFoundError:
    current = False
if not current:
    names = " and ".join(f"tests/{path.name}" for path in lists)
    print(f"skipped: build/python lacks packages of {names}, which scripts/test installs")
    sys.exit(SKIPPED)
python = VENV / "bin" / "python"
# The run gets a folder of its own, because two runs at a time may delete each other's files in pytest's usual folder.
with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.call([python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp",
                              pathlib.Path(folder) / "tests", *sys.argv[2:]]))
