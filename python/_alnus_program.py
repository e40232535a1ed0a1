"""The command ``alnus``: becomes the program that the package contains.

The program lies beside the library that it shares with the package's module, for which it looks by its own path
($ORIGIN). From the folder of commands there is no such path that always holds: a wheel of the stable ABI does not know
for which Python it will be installed, and each system has its own name for the folder of packages. This module belongs
to no package, so that the command starts without NumPy.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "alnus", "bin", "alnus")
    os.execv(program, ["alnus", *sys.argv[1:]])
