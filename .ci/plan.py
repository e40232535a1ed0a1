#!/usr/bin/env python3
"""Plans what .ci/run checks besides the tests: sanitizers, fuzzers, and the files for clang-tidy (docs/testing.md).

    .ci/plan.py checks MINUTES SCALE   a line for each check that fits: preset, label, part, parts, minutes
    .ci/plan.py everything             the same for all checks, whole
    .ci/plan.py numbers PART PARTS WITHOUT
                                       the numbers of the tests in a part, as ctest's --tests-information wants them,
                                       but for names that the pattern WITHOUT finds; standard input is what `ctest -N`
                                       prints without --exclude-regex, which would number the other tests anew;
                                       nothing, if there are none
    .ci/plan.py tidy                   a line for each source that clang-tidy looks at
    .ci/plan.py tidy-everything        the same for all sources

What was chosen, why, and what is left for later landings goes to standard error.
"""

import functools
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Check:
    """The tests with a label, under the sanitizer of a preset."""

    preset: str
    label: str


@dataclass(frozen=True)
class Cost:
    """Minutes on two cores of an AMD EPYC with nothing cached: docs/testing.md has the commands."""

    build: float  # of what only this check needs
    run: float


COSTS = {
    Check("asan", "core"): Cost(0.5, 0.1),
    Check("asan", "stats"): Cost(0.2, 0.1),
    Check("asan", "io"): Cost(1.0, 1.3),
    Check("asan", "cpu"): Cost(0.3, 6.8),
    Check("asan", "engine"): Cost(1.0, 2.4),
    Check("asan", "graph"): Cost(0.3, 0.3),
    Check("asan", "api"): Cost(1.3, 3.5),
    Check("asan", "cli"): Cost(1.6, 4.5),
    Check("asan", "bench"): Cost(1.0, 0.9),
    Check("asan", "cuda_emulation"): Cost(2.0, 7.0),
    Check("asan", "python"): Cost(1.5, 2.5),
    Check("tsan", "core"): Cost(0.5, 0.5),
    Check("tsan", "engine"): Cost(1.0, 3.5),
    Check("tsan", "api"): Cost(1.3, 11.0),
    Check("fuzz", "fuzz"): Cost(0.5, 6.3),
}
# What all checks of a preset need: the library, and what tests share.
PRESET_BUILD = {"asan": 4.0, "tsan": 4.0, "fuzz": 3.3}


@dataclass(frozen=True)
class Share:
    """Some of a check's tests: those that `part_of` puts into the part."""

    check: Check
    part: int = 0
    parts: int = 1

    def __str__(self) -> str:
        share = f", part {self.part + 1} of {self.parts}" if self.parts > 1 else ""
        return f"{self.check.preset} {self.check.label}{share}"


def part_of(name: str, parts: int) -> int:
    """The part of a test or source, by its name, so that those that come and go move no other to another part."""
    return zlib.crc32(name.encode()) % parts


def whole(preset: str, *labels: str) -> list[Share]:
    return [Share(Check(preset, label)) for label in labels]


def half(part: int, preset: str, label: str) -> list[Share]:
    return [Share(Check(preset, label), part, 2)]


# Every landing has the next turn, so that five landings in a row have run everything.
TURNS = [
    whole("asan", "cuda_emulation", "python"),
    whole("asan", "core", "stats", "io", "cpu", "engine", "graph", "bench"),
    whole("tsan", "core", "engine") + half(0, "tsan", "api"),
    whole("asan", "api", "cli"),
    half(1, "tsan", "api") + whole("fuzz", "fuzz"),
]

# The layers that call a layer, directly or through others.
USERS = {
    "core": ["stats", "io", "cpu", "cuda_emulation", "engine", "graph", "api", "cli", "bench", "python"],
    "stats": ["io", "cuda_emulation", "engine", "api", "cli", "bench", "python"],
    "io": ["api", "cli", "bench", "python"],
    "cpu": ["engine", "api", "cli", "bench", "python"],
    "cuda_emulation": [],
    "engine": ["api", "cli", "bench", "python"],
    "graph": ["api", "cli", "python"],
    "api": ["cli", "python"],
    "cli": ["bench"],
    "bench": [],
    "python": [],
    "fuzz": [],
}

# Layers of files by the beginning of their path; the first that fits counts. Other files concern no sanitizer.
LAYERS_OF_PATHS = [
    ("include/alnus/", ["core"]),
    ("src/cuda/", ["cuda_emulation"]),
    ("src/papers/", ["cuda_emulation"]),
    ("src/without_cuda.cpp", ["engine"]),
    ("tests/cuda", ["cuda_emulation"]),
    ("tests/device/", ["cpu", "cuda_emulation"]),
    ("tests/support/", ["core"]),
    ("python/alnus/", ["python"]),
    ("python/src/", ["python"]),
    ("python/tests/", ["python"]),
    ("fuzz/", ["fuzz"]),
    ("src/io/", ["io", "fuzz"]),
    ("src/session/", ["api"]),  # these two are tested through the API
    ("src/jobs/", ["api"]),
    *((f"{folder}/{layer}/", [layer]) for folder in ("src", "tests") for layer in USERS),
]


@dataclass(frozen=True)
class Landing:
    """The file .ci/landing, which .ci/next writes: the landing's number, and the commit that it is based on."""

    number: int
    base: str

    @classmethod
    def parse(cls, text: str) -> "Landing":
        words = dict(line.split() for line in text.splitlines() if line and not line.startswith("#"))
        return cls(int(words["landing"]), words["base"])


def layers_of(paths: Iterable[str]) -> list[str]:
    """The layers that have these files, lowest first."""
    touched = set()
    for path in paths:
        touched.update(next((layers for prefix, layers in LAYERS_OF_PATHS if path.startswith(prefix)), []))
    return [layer for layer in USERS if layer in touched]


def wanted(paths: Iterable[str], number: int) -> list[tuple[Share, str]]:
    """What a change of these files asks for, most urgent first, each with the reason.

    The layers that the change touches come first, whole. Those that use them follow with a fifth of their tests, which
    is another fifth with each landing.
    """
    touched = layers_of(paths)
    users = [layer for layer in USERS if layer not in touched and any(layer in USERS[below] for below in touched)]
    return [
        *((Share(check), "changed") for layer in touched for check in COSTS if check.label == layer),
        *((fifth(check, number), "uses what is changed") for layer in users for check in COSTS if check.label == layer),
    ]


def fifth(check: Check, number: int) -> Share:
    """A fifth of a check: another one with each landing, and with each turn that is the check's own."""
    return Share(check, (number + number // len(TURNS)) % len(TURNS), len(TURNS))


class Plan:
    """Shares of checks, one of each check, that fit into a number of minutes."""

    def __init__(self, number: int, minutes: float, scale: float) -> None:
        self.number = number  # of the landing
        self.minutes = minutes  # that are left
        self.scale = scale  # how many times slower this machine is than that of COSTS
        self.shares: dict[Check, tuple[Share, str]] = {}
        self.left: list[tuple[Share, str]] = []
        for share in TURNS[number % len(TURNS)]:
            self.add(share, "due")

    def cost(self, share: Share) -> float:
        """How many minutes longer the run takes with this share."""
        check = share.check
        minutes = COSTS[check].run / share.parts
        if check in self.shares:
            minutes -= COSTS[check].run / self.shares[check][0].parts
        else:
            minutes += COSTS[check].build
        if all(other.preset != check.preset for other in self.shares):
            minutes += PRESET_BUILD[check.preset]
        return minutes * self.scale

    def add(self, share: Share, why: str) -> None:
        """Takes the share if it fits; if not, a fifth of the check, which runs in any case of what is due."""
        for candidate in (share, fifth(share.check, self.number)):
            if share.check in self.shares and self.shares[share.check][0].parts <= candidate.parts:
                break  # at least as much is planned already
            if self.cost(candidate) <= self.minutes or (why == "due" and candidate != share):
                self._take(candidate, why)
                break
        planned = self.shares.get(share.check)
        if planned is None or planned[0].parts > share.parts:
            self.left.append((share, why))

    def _take(self, share: Share, why: str) -> None:
        self.minutes -= self.cost(share)
        self.shares[share.check] = (share, why)


def plan_checks(paths: Iterable[str], number: int, minutes: float, scale: float) -> Plan:
    plan = Plan(number, minutes, scale)
    for share, why in wanted(paths, number):
        plan.add(share, why)
    return plan


def when_due(check: Check, number: int) -> list[int]:
    """The next landings in which the rotation has the check."""
    later = range(number + 1, number + 1 + len(TURNS))
    return [n for n in later if any(share.check == check for share in TURNS[n % len(TURNS)])]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def changed_files(landing: Landing) -> list[str]:
    """Files that differ from the landing's base: all files, if the base is not in this clone."""
    try:
        return git("diff", "--name-only", landing.base, "HEAD").split()
    except subprocess.CalledProcessError:
        print(f"The base {landing.base} in .ci/landing is not in this clone: all files count.", file=sys.stderr)
        return git("ls-files").split()


# clang-tidy takes six to eight seconds a source on two cores; it takes minutes for each source of src/cpu.
MOST_TIDY = 60


def tidy_sources() -> list[str]:
    sources = git("ls-files", "src/*.cpp", "python/src/*.cpp").split()
    return [source for source in sources if not source.startswith("src/cpu/")]


# Where `#include "..."` looks, behind the folder of the file itself.
INCLUDED_FROM = ("include", "src")


def including(sources: list[str], changed: set[str], text_of: Callable[[str], str | None]) -> set[str]:
    """The sources that include a changed file, directly or through others. `text_of`: a file's text, or None."""
    included: dict[str, list[str]] = {}

    def files_of(path: str) -> list[str]:
        if path not in included:
            names = re.findall(r'^#include "(.+)"', text_of(path) or "", re.MULTILINE)
            folders = (os.path.dirname(path), *INCLUDED_FROM)
            places = [os.path.join(folder, name) for name in names for folder in folders]
            included[path] = [place for place in places if text_of(place) is not None]
        return included[path]

    def reaches(source: str) -> bool:
        seen, waiting = {source}, [source]
        while waiting:
            for path in files_of(waiting.pop()):
                if path in changed:
                    return True
                if path not in seen:
                    seen.add(path)
                    waiting.append(path)
        return False

    return {source for source in sources if reaches(source)}


@functools.cache
def text_of_file(path: str) -> str | None:
    file = ROOT / path
    return file.read_text() if file.is_file() else None


def plan_tidy(sources: list[str], changed: set[str], users: set[str], number: int) -> tuple[list[str], list[str]]:
    """The sources for this landing, and those that wait: first a fifth of all, then changed ones, then users."""
    chosen = [source for source in sources if part_of(source, len(TURNS)) == number % len(TURNS)]
    others = [source for source in sources if source in changed and source not in chosen]
    others += [source for source in sources if source in users and source not in chosen + others]
    room = max(0, MOST_TIDY - len(chosen))
    return chosen + others[:room], others[room:]


def print_checks(minutes: float, scale: float) -> None:
    landing = Landing.parse((ROOT / ".ci/landing").read_text())
    plan = plan_checks(changed_files(landing), landing.number, minutes, scale)
    total = minutes - plan.minutes
    print(f"Landing {landing.number}, since {landing.base}: {total:.0f} of {minutes:.0f} minutes.", file=sys.stderr)
    for share, why in plan.shares.values():
        print(f"  runs: {share} ({why})", file=sys.stderr)
        print(share.check.preset, share.check.label, share.part, share.parts)
    for share, why in plan.left:
        due = ", ".join(map(str, when_due(share.check, landing.number)))
        print(f"  left: {share} ({why}); the turns of landings {due} have it", file=sys.stderr)


def print_numbers(part: int, parts: int, without: str) -> None:
    tests = re.findall(r"^ *Test +#(\d+): (\S+)", sys.stdin.read(), re.MULTILINE)
    numbers = [number for number, name in tests if part_of(name, parts) == part and not re.search(without, name)]
    if numbers:
        print("0,0,0", *numbers, sep=",")  # neither a first number nor a last one nor a step, but these


def print_tidy() -> None:
    landing = Landing.parse((ROOT / ".ci/landing").read_text())
    changed = set(changed_files(landing))
    sources = tidy_sources()
    users = including(sources, changed, text_of_file)
    chosen, waiting = plan_tidy(sources, changed, users, landing.number)
    print(*chosen, sep="\n")
    print(f"clang-tidy: {len(chosen)} sources; {len(waiting)} that the change concerns wait.", file=sys.stderr)
    for source in waiting:
        print(f"  waits: {source}", file=sys.stderr)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["checks", minutes, scale]:
            print_checks(float(minutes), float(scale))
        case ["everything"]:
            for check in COSTS:
                print(check.preset, check.label, 0, 1)
        case ["numbers", part, parts, without]:
            print_numbers(int(part), int(parts), without)
        case ["tidy"]:
            print_tidy()
        case ["tidy-everything"]:
            print(*tidy_sources(), sep="\n")
        case _:
            sys.exit(__doc__)
