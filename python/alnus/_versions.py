"""Versions, processor and devices, for issue reports."""

from __future__ import annotations

import platform
import sys
from typing import Any

import numpy

from alnus import _alnus


def devices() -> list[dict[str, Any]]:
    """Return what this machine offers to compute with: a dict for each backend, ``"cpu"`` and ``"cuda"``.

    Returns
    -------
    list of dict
        The keys of each dict are ``name``; ``available``, a bool; ``unavailable_because``, a phrase that is empty if
        the backend is available; ``devices``, a list of dicts with ``name``, ``description``, ``memory_bytes`` and
        ``gcups`` (the expected speed, in 1e9 cells a second); ``isas``, the instruction sets of the CPU; and
        ``methods``, the names that ``Session(method=...)`` takes.

    Examples
    --------
    >>> [backend["name"] for backend in devices() if backend["available"]][0]
    'cpu'
    """
    return _alnus.backends()


def build_name() -> str:
    """Return the version of alnus with the commit, if it was built in a clone: "0.1.0 (commit 3097d79ce319)"."""
    commit = _alnus.commit()
    return _alnus.version() + (f" (commit {commit})" if commit else "")


def show_versions() -> None:
    """Print the versions of alnus, Python and NumPy, the system, the processor and the devices, for an issue report."""
    print(f"alnus      {build_name()}")
    print(f"Python     {sys.version.split()[0]} ({platform.python_implementation()})")
    print(f"NumPy      {numpy.__version__}")
    print(f"system     {platform.platform()}")
    print(f"processor  {_alnus.processor_name() or platform.processor()}")
    for backend in devices():
        if not backend["available"]:
            print(f"{backend['name']:<10} not available: {backend['unavailable_because']}")
        for device in backend["devices"]:
            print(f"{device['name']:<10} {device['description']}")
