"""The program that the package contains, which workers run as a process of their own."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess

import alnus


def program() -> str:
    """Its path. ALNUS_PROGRAM names another one."""
    named = os.environ.get("ALNUS_PROGRAM")
    within = os.path.join(os.path.dirname(os.path.abspath(alnus.__file__)), "bin", "alnus")
    found = named or (within if os.path.exists(within) else shutil.which("alnus"))
    if not found:
        raise FileNotFoundError("There is no program alnus: neither in the package nor on the PATH.")
    return found


@functools.cache
def version_of(path: str) -> str:
    """What `alnus --version` says of itself."""
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return told.split()[1].rstrip(",;")
