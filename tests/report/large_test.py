"""Reports with many rows: what assistive programs are told, and the memory of the tab."""

from __future__ import annotations

import random

import pytest
from conftest import launched
from made_files import made_search, pair_rows, write_made
from report_fixture import Report, Table

ROWS = 250_000


def many_rows(count: int) -> Report:
    """Rows without alignments: two numbers each."""
    records, _ = pair_rows([f"s{k}" for k in range(100)], random.Random(1), 1)
    columns = {"query": [k % 100 for k in range(count)], "subject": [(k * 7) % 100 for k in range(count)]}
    columns["score"] = [count - k for k in range(count)]
    return Report("align", "Many rows", records, None, [Table("pairs", "Pairs", columns)])


def accessibility_tree(page, title: str) -> str:
    """The tree that Chromium gives assistive programs, as its own page chrome://accessibility shows it."""
    shown = page.context.new_page()
    shown.goto("chrome://accessibility")
    shown.get_by_label(f"Show accessibility tree for {title}").click()
    shown.get_by_text("ariaRowCount").first.wait_for(state="attached")
    text = shown.locator("body").inner_text()
    shown.close()
    return text


@pytest.mark.full
def test_the_tree_says_how_many_rows_there_are(browser, tmp_path):
    path = write_made(tmp_path, "report", many_rows(ROWS))
    other = launched(browser.browser_type, "--force-renderer-accessibility")
    page = other.new_context().new_page()
    page.goto(f"file://{path}#pairs")
    page.locator("html.ready").wait_for()
    page.locator("main table").focus()
    page.keyboard.press("End")
    page.wait_for_timeout(300)
    tree = accessibility_tree(page, "Many rows")
    other.close()
    grid = next(line for line in tree.split("\n") if "ariaRowCount" in line)
    assert "ariaRowCount=250001" in grid
    cells = [line for line in tree.split("\n") if "ariaCellRowIndex=250001" in line]
    assert any("name='250000'" in line for line in cells)


@pytest.mark.full
def test_more_rows_than_the_tallest_element_holds(tmp_path, opened):
    count = 700_000
    page = opened(write_made(tmp_path, "report", many_rows(count)), "#pairs")
    height = page.locator("main .grid").evaluate("grid => grid.scrollHeight")
    assert height < 16_000_000
    page.locator("main table").focus()
    for key, row in (("End", count + 1), ("ArrowUp", count), ("Home", 2), ("ArrowDown", 3)):
        page.keyboard.press(key)
        index = (
            "Number(document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).ariaRowIndex)"
        )
        assert page.evaluate(index) == row
    page.locator("main .grid").evaluate("grid => { grid.scrollTop = grid.scrollHeight; }")
    page.wait_for_timeout(200)
    assert page.locator("main tbody tr[data-at]").last.get_attribute("aria-rowindex") == str(count + 1)


# Opens all queries one after the other, each with an alignment.
OPEN_ALL = """async () => {
  for (let query = 1; query <= 60; query++) {
    location.hash = `#query=${query}&hit=1`;
    const there = () => document.querySelector("main h2")?.textContent.startsWith(`Query ${query}:`);
    while (!there() || !document.querySelector(".alignment pre")) await new Promise((next) => setTimeout(next, 5));
  }
}"""


def megabytes(page) -> float:
    """The script's memory after a collection of garbage."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6


@pytest.mark.full
def test_memory_does_not_grow_with_the_queries_that_were_opened(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", made_search(60, 100)))
    found = []
    for _ in range(2):
        page.evaluate(OPEN_ALL)
        page.locator("section.alignment pre").wait_for()
        found.append(megabytes(page))
    assert found[1] < found[0] * 1.1 + 2
    assert found[1] < 60


def test_a_query_is_shown_while_all_rows_are_read(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", made_search(100, 100)), "#query=3")
    page.evaluate("location.hash = '#hits'; setTimeout(() => { location.hash = '#query=3'; }, 1)")
    page.wait_for_timeout(500)
    assert page.locator("main h2").inner_text() == "Query 3: query3"
    assert page.locator("nav [aria-current]").inner_text() == "Queries"
    page.evaluate("location.hash = '#hits'")
    page.locator("main table[aria-rowcount='10001']").wait_for()


def test_rows_are_right_after_scrolling(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", many_rows(5000)), "#pairs")
    page.locator("main .grid").evaluate("grid => { grid.scrollTop = 2000 * 26; }")
    row = page.locator("main tbody tr[aria-rowindex='2005']")
    row.wait_for()
    assert row.inner_text().split()[0] == "2004"
    page.locator("main th[data-column=score] button").click()
    page.locator("main th[data-column=score] button").click()
    first = page.locator("main tbody tr[data-at='0']")
    assert first.inner_text().split()[0] == "5000"
