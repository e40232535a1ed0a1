"""Helpers of the tests with other programs."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALNUS = os.environ.get("ALNUS_PROGRAM", ROOT / "build" / "release" / "src" / "alnus")


def run(*command, text=None, folder=None):
    """Runs a program with `text` as its standard input, and returns its standard output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, input=text or "", cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def alnus(*arguments):
    return run(ALNUS, *arguments, "--quiet")
