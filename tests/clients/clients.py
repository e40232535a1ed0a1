"""What the tests with other programs share."""

import os
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALNUS = os.environ.get("ALNUS_PROGRAM", ROOT / "build" / "release" / "src" / "alnus")
AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"


def run(*command, text=None, folder=None):
    """The program's standard output; `text` is its standard input."""
    words = [str(word) for word in command]
    done = subprocess.run(words, input=text or "", cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def alnus(*arguments):
    return run(ALNUS, *arguments, "--quiet")


def write_fasta(path, sequences):
    """A file of {header: letters}."""
    path.write_text("".join(f">{header}\n{letters}\n" for header, letters in sequences.items()))
    return path


def random_letters(chooser: random.Random, alphabet, length):
    return "".join(chooser.choices(alphabet, k=length))


def mutated(chooser: random.Random, letters, alphabet, substitutions, gaps):
    """A relative: at each letter, `gaps` is the chance of a deletion or insertion, `substitutions` that of a change."""
    result = []
    for letter in letters:
        chance = chooser.random()
        if chance < gaps / 2:
            continue
        if chance < gaps:
            result.append(chooser.choice(alphabet))
        result.append(chooser.choice(alphabet) if chooser.random() < substitutions else letter)
    return "".join(result)
