#!/usr/bin/env python3
"""Measure the page of alnus' HTML report in Chromium, and print a Markdown table of medians.

    bench/report_page.py ALNUS [--runs 5] [--cpu-runs 3] [--folder FOLDER] [--cpu-only]

ALNUS is the program. The folder keeps the files that are made: A, the program's report of Debian's 500 proteins
(mmseqs2-examples) against its 20,000 with 500 hits each; B, that of 500 made queries with 500 mutants each, of about
250 columns at 25 to 60% identity; heat maps of 2,000 and 5,000 sequences, made by the tests' reference writer. The
search for B takes 10^13 cells, and so some minutes.

The CPU time that a report adds is the difference of medians: user and system time of the search with --report and
without it, in turns. --cpu-only measures that alone. Needs numpy and playwright from PyPI and Debian's chromium.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "report"))

from made_files import LETTERS, made_matrix, write_made  # noqa: E402
from report_fixture import positive_letters  # noqa: E402

if "--cpu-only" not in sys.argv:
    from playwright.sync_api import Browser, Page, sync_playwright

EXAMPLES = Path("/usr/share/doc/mmseqs2/example-data")
# Milliseconds from an action to the second frame after its end, when what changed is on the screen, and the longest
# time in which the page answered nothing. The page's policy allows no text as code, so both stand in the program.
TIMED = """async () => {
  const frames = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  let longest = 0, last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const begin = performance.now();
  ACTION;
  while (!(DONE)) await new Promise((next) => setTimeout(next, 1));
  await frames();
  clearInterval(beat);
  return [performance.now() - begin, longest];
}"""


def header(title: str) -> str:
    return f"document.querySelector('main th[data-column={title}] button').click()"


def sorted_by(title: str) -> str:
    return f"document.querySelector('main th[data-column={title}]').ariaSort !== 'none'"


FILTER = """const box = document.querySelector('main input[type=search]'); box.value = 'kinase evalue<1';
box.dispatchEvent(new Event('input'))"""
FILTERED = "/ of /.test(document.querySelector('main .count').textContent)"


def megabytes(browser: Browser, page: Page) -> float:
    """Resident memory of the tab's process after a collection of garbage."""
    page.context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
    page.wait_for_timeout(300)
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = []
    for process in processes:
        if process["type"] == "renderer":
            lines = Path(f"/proc/{process['id']}/status").read_text().splitlines()
            sizes.append(int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1000)
    return max(sizes)


def opened(browser: Browser, path: Path) -> tuple[Page, dict[str, float]]:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"file://{path}", wait_until="commit")
    page.wait_for_selector("html.ready", timeout=60_000)
    first = page.evaluate("performance.getEntriesByName('shown')[0].startTime")
    page.wait_for_load_state()
    return page, {"first rows, s": first / 1000}


def timed(page: Page, action: str, done: str) -> tuple[float, float]:
    taken, longest = page.evaluate(TIMED.replace("ACTION", action).replace("DONE", done))
    return taken / 1000, longest / 1000


def measure_search(browser: Browser, path: Path) -> dict[str, float]:
    page, found = opened(browser, path)
    found["memory, first rows, MB"] = megabytes(browser, page)
    there = "document.querySelector('h2:not(aside h2)').textContent.startsWith('Query 250:')"
    found["another query opened, s"], _ = timed(page, "location.hash = '#query=250'", there)
    rows = "document.querySelector('.all table')?.getAttribute('aria-rowcount') === '250001'"
    found["all rows, s"], found["all rows: longest pause, s"] = timed(page, "location.hash = '#hits'", rows)
    found["memory, all rows, MB"] = megabytes(browser, page)
    for what, column in (("a number", "bitscore"), ("a quotient", "pident"), ("a name", "saccver")):
        found[f"sorted by {what}, s"], _ = timed(page, header(column), sorted_by(column))
    found["filtered, s"], _ = timed(page, FILTER, FILTERED)
    page.context.close()
    page, _ = opened(browser, path)
    for query in range(1, 501):
        page.evaluate(f"location.hash = '#query={query}&hit=1'")
        page.locator("main h2", has_text=f"Query {query}:").wait_for()
    found["memory, every query opened, MB"] = megabytes(browser, page)
    page.context.close()
    return found


def measure_matrix(browser: Browser, path: Path) -> dict[str, float]:
    page, _ = opened(browser, path)
    page.locator("main output", has_text="identity").wait_for()
    drawn = page.evaluate("performance.getEntriesByName('drawn')[0].startTime") / 1000
    page.context.close()
    return {"heat map drawn, s": drawn}


def unpacked(name: str, folder: Path) -> Path:
    path = folder / name
    if not path.exists():
        path.write_bytes(gzip.decompress((EXAMPLES / f"{name}.gz").read_bytes()))
    return path


QUERIES, MUTANTS, COLUMNS = 500, 500, 250
OPTIONS = {
    "A": ["--max-target-seqs", "500", "--evalue", "1e9"],
    "B": ["--max-target-seqs", str(MUTANTS), "--evalue", "10"],
}


def made_fasta(folder: Path) -> tuple[Path, Path]:
    """The queries of B and their mutants. A letter that does not stay becomes, half of the time, one with which it
    scores above 0, so that a local alignment takes all columns; else any letter. Half of the mutants have three letters
    more."""
    queries, mutants = folder / "made.fasta", folder / "mutants.fasta"
    if mutants.exists():
        return queries, mutants
    source = np.random.default_rng(48)
    letters = np.frombuffer(LETTERS.encode(), dtype=np.uint8)
    alike = positive_letters("protein")
    # Four letters that score above 0 with each letter, some of them more than once.
    table = np.zeros((256, 4), dtype=np.uint8)
    for letter in LETTERS:
        others = [one for one in alike.get(letter, letter) if one in LETTERS] or [letter]
        table[ord(letter)] = [ord(others[k % len(others)]) for k in range(4)]
    with queries.open("wb") as of_queries, mutants.open("wb") as of_mutants:
        for query in range(QUERIES):
            whole = letters[source.integers(20, size=COLUMNS + 50)]
            of_queries.write(b">query%d made at random\n%s\n" % (query + 1, whole.tobytes()))
            part = np.broadcast_to(whole[25 : 25 + COLUMNS], (MUTANTS, COLUMNS))
            share = source.uniform(0.25, 0.6, size=(MUTANTS, 1))
            any_letter = letters[source.integers(20, size=part.shape)]
            changed = np.where(source.random(part.shape) < 0.5, table[part, source.integers(4, size=part.shape)],
                               any_letter)  # fmt: skip
            rows = np.where(source.random(part.shape) < share, part, changed)
            places = source.integers(50, 200, size=MUTANTS)
            for k, row in enumerate(rows):
                more = letters[source.integers(20, size=3 * (k % 2))].tobytes()
                text = row.tobytes()
                text = text[: places[k]] + more + text[places[k] :]
                of_mutants.write(b">mutant%d_%d\n%s\n" % (query + 1, k + 1, text))
    return queries, mutants


def inputs_of(name: str, folder: Path) -> tuple[Path, Path]:
    return made_fasta(folder) if name == "B" else (unpacked("QUERY.fasta", folder), unpacked("DB.fasta", folder))


def search(alnus: str, name: str, folder: Path, report: Path | None) -> float:
    """The user and system time of a search, in seconds."""
    words = [
        alnus,
        "search",
        *map(str, inputs_of(name, folder)),
        *OPTIONS[name],
        "-o",
        str(folder / "rows.tsv"),
        "--quiet",
    ]
    words += ["--report", str(report)] if report else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def added_by_reports(alnus: str, folder: Path, runs: int) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = {}
    for name in OPTIONS:
        inputs_of(name, folder)
        times = [(search(alnus, name, folder, None), search(alnus, name, folder, folder / "again.html"))
                 for _ in range(runs)]  # fmt: skip
        without, whole = (statistics.median(one) for one in zip(*times, strict=True))
        size = (folder / "again.html").stat().st_size / 1e6
        found[name] = [{"size, MB": size, "CPU time of the search, s": without, "CPU time that the report adds, s":
                        whole - without}]  # fmt: skip
        os.remove(folder / "again.html")
    return found


def made_files(alnus: str, folder: Path) -> dict[str, Path]:
    """The files that are measured; those that are there are taken."""
    paths = {name: folder / f"{name}.html" for name in OPTIONS}
    for name, path in paths.items():
        if not path.exists():
            search(alnus, name, folder, path)
    for sequences in (2000, 5000):
        path = folder / f"{sequences}_sequences.html"
        paths[f"{sequences:,} sequences"] = path
        if not path.exists():
            write_made(folder, path.stem, made_matrix(sequences))
    return paths


def print_table(found: dict[str, list[dict[str, float]]]) -> None:
    names = list(dict.fromkeys(key for runs in found.values() for key in runs[0]))
    print("| median |" + "".join(f" {name} |" for name in found))
    print("|---|" + "--:|" * len(found))
    for key in names:
        known = [[run[key] for run in runs if key in run] for runs in found.values()]
        cells = [f"{statistics.median(values):.3g}" if values else "" for values in known]
        print(f"| {key} |" + "".join(f" {cell} |" for cell in cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alnus")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "alnus_report_page")
    parser.add_argument("--cpu-runs", type=int, default=3)
    parser.add_argument("--cpu-only", action="store_true")
    asked = parser.parse_args()
    asked.folder = asked.folder.resolve()
    asked.folder.mkdir(parents=True, exist_ok=True)
    if asked.cpu_runs > 0:
        print_table(added_by_reports(asked.alnus, asked.folder, asked.cpu_runs))
    if asked.cpu_only:
        return
    paths = made_files(asked.alnus, asked.folder)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in paths}
    options: dict[str, Any] = {"executable_path": "/usr/bin/chromium", "args": ["--no-sandbox"]}
    for _ in range(asked.runs):
        for name, path in paths.items():
            with sync_playwright() as play:
                browser = play.chromium.launch(**options)
                values = (measure_search if name in "AB" else measure_matrix)(browser, path)
                found[name].append({"size, MB": path.stat().st_size / 1e6, **values})
                browser.close()
    print_table(found)


if __name__ == "__main__":
    main()
