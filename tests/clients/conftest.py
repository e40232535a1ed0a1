"""The inputs of these tests are those of the Python package's tests."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python" / "tests"))

from inputs import nucleotides, proteins  # noqa: E402, F401
