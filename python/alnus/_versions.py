"""What an issue report should say."""

from __future__ import annotations

import platform
import sys
from typing import Any

import numpy

from alnus import _alnus


def devices() -> list[dict[str, Any]]:
    """What this machine offers: a dict for each backend, ``"cpu"`` and ``"cuda"``.

    Returns
    -------
    list of dict
        name, available, unavailable_because (a phrase), devices (each with name, description, memory_bytes and
        gcups), isas (instruction sets of the CPU) and methods.

    Examples
    --------
    >>> [backend["name"] for backend in devices() if backend["available"]][0]
    'cpu'
    """
    return _alnus.backends()


def show_versions() -> None:
    """Prints versions, processor and devices, for an issue report."""
    print(f"alnus      {_alnus.version()}")
    print(f"Python     {sys.version.split()[0]} ({platform.python_implementation()})")
    print(f"NumPy      {numpy.__version__}")
    print(f"system     {platform.platform()}")
    print(f"processor  {_alnus.processor_name() or platform.processor()}")
    for backend in devices():
        if not backend["available"]:
            print(f"{backend['name']:<10} not available: {backend['unavailable_because']}")
        for device in backend["devices"]:
            print(f"{device['name']:<10} {device['description']}")
