"""The inputs of these tests are those of the Python package's tests, and those of repeats.py."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python" / "tests"))

from inputs import nucleotides, proteins  # noqa: E402, F401
from repeats import repeats_of_proteins, repeats_of_reads  # noqa: E402, F401
