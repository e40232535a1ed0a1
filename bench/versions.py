#!/usr/bin/env python3
"""Time two builds of alnus with the same arguments, in turn.

versions.py OLD NEW RUNS -- ARGUMENTS...: runs each build RUNS times. Prints the median seconds of both, and their ratio
old / new, which is above 1 if the new build is faster.
"""
import statistics
import subprocess
import sys
import time


def seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> None:
    old, new, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    arguments = sys.argv[sys.argv.index("--") + 1:]
    times: dict[str, list[float]] = {old: [], new: []}
    for turn in range(runs + 1):
        for program in (old, new) if turn % 2 else (new, old):
            taken = seconds([program, *arguments])
            if turn > 0:
                times[program].append(taken)
    before, after = statistics.median(times[old]), statistics.median(times[new])
    print(f"old {before:.3f} s, new {after:.3f} s, old / new {before / after:.3f}: {' '.join(arguments)}", flush=True)


if __name__ == "__main__":
    main()
