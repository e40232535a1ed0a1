"""The page for everyone: axe-core, the keyboard alone, printing, and viewers where scripts are off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import FULL
from made_files import made_audit, made_matrix, made_pairs, made_search, made_split, made_tiles, write_made
from report_fixture import Record

Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 360, "height": 700}},
    # A window at 200% zoom has half as many CSS pixels.
    "zoomed": {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2},
}
VIEWS = {
    "hit": (lambda: made_search(5, 30), "#query=2&hit=3"),
    "all": (lambda: made_search(5, 30), "#hits=7"),
    "run": (lambda: made_search(5, 30), "#run"),
    "pairs": (made_pairs, "#pairs=3"),
    "matrix": (lambda: made_matrix(60), "#matrix"),
    "tiles": (lambda: made_tiles(600, 10), "#matrix"),
    "audit": (made_audit, "#run"),
    "leaks": (made_audit, "#leaks=2"),
    "split": (made_split, "#run"),
}
# Light has all views. The other looks have those that between them have all parts of the page.
CASES = [(view, "light") for view in VIEWS]
CASES += [(view, "dark") for view in ("hit", "all", "matrix", "split")]
CASES += [(view, "narrow") for view in ("hit", "all", "tiles", "audit")]
CASES += [(view, "zoomed") for view in ("hit", "pairs")]
SAMPLE = [("hit", "light"), ("leaks", "dark"), ("all", "narrow")]


def with_score_plot(report):
    report.score_plot = {
        "title": "Scores", "subtitle": "all pairs", "x_label": "score", "note": "", "first_bin": 0, "bin_width": 2,
        "counts": [900, 1000, 300, 40, 5, 0, 1], "expected": [910.0, 990.0, 280.0, 33.0, 2.0, 0.1, 0.0],
        "hits": [0, 0, 0, 0, 2, 0, 1], "threshold": 8.0,
    }  # fmt: skip
    return report


@pytest.mark.parametrize(("view", "look"), CASES if FULL else SAMPLE)
def test_axe_finds_nothing(view, look, tmp_path, opened):
    make, address = VIEWS[view]
    page = opened(write_made(tmp_path, "report", with_score_plot(make())), address, **LOOKS[look])
    for menu in page.locator("main details.menu summary").all()[1:3]:
        menu.click()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    # Nothing but tables and pictures is wider than the window.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# The current row of the table that has the focus.
CURRENT = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"


def tab_to(page, selector: str, most: int = 80, key: str = "Tab") -> None:
    """Presses a key until an element has the focus."""
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate(f"document.activeElement.matches({selector!r})"):
            return
    raise AssertionError(f"the key {key} does not lead to {selector}")


def test_the_keyboard_alone_finds_and_saves_a_hit(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", made_search(30, 80)))
    tab_to(page, "aside input[type=search]")
    page.keyboard.type("query17")
    page.locator("aside .count", has_text="1 of 30").wait_for()
    tab_to(page, "aside table")
    page.keyboard.press("Enter")
    page.locator("main h2", has_text="Query 17:").wait_for()
    tab_to(page, "main input[type=search]")
    page.keyboard.type("mutant17_ pident>=30")
    page.locator("main .count", has_text=" of 80").wait_for()
    tab_to(page, "main th[data-column=evalue] button")
    page.keyboard.press("Enter")
    assert page.locator("main th[data-column=evalue]").get_attribute("aria-sort") == "ascending"
    tab_to(page, "main table[role=grid]", key="Shift+Tab")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Space"):
        page.keyboard.press(key)
    current = page.evaluate(f"{CURRENT}.innerText")
    assert "1 marked" in page.locator("main .count").inner_text()
    page.keyboard.press("Enter")
    page.locator("section.alignment pre").wait_for()
    assert page.evaluate("document.activeElement.closest('.alignment') !== null")
    subject = re.search(r"mutant17_\d+", current).group()
    assert subject in page.locator(".alignment h3").inner_text()
    assert re.search(r"#query=17&hit=\d+", page.evaluate("location.hash"))
    tab_to(page, ".alignment .toolbar button:nth-child(3)")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert subject in Path(download.value.path()).read_text()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('main table[role=grid]')")
    assert page.locator("section.alignment").is_hidden()


def test_the_focus_stays_while_rows_come_and_go(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", made_search(20, 100)), "#hits")
    page.locator("main table").focus()
    for key, row in (("End", 2001), ("Home", 2), ("PageDown", None), ("PageDown", None), ("ArrowDown", None)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.matches('main table')")
        current = page.evaluate(
            """() => { const row = CURRENT;
            const [one, frame] = [row, row.closest(".grid")].map((e) => e.getBoundingClientRect());
            return [Number(row.ariaRowIndex), one.top >= frame.top && one.bottom <= frame.bottom + 1]; }""".replace(
                "CURRENT", CURRENT
            )
        )
        assert current[1]
        assert row is None or current[0] == row
    page.mouse.move(700, 500)
    page.mouse.wheel(0, 20_000)
    page.wait_for_timeout(200)
    assert page.evaluate("document.activeElement.matches('main table')")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-activedescendant') !== null")


def test_the_picture_and_the_heat_map_have_keys(tmp_path, opened):
    page = opened(write_made(tmp_path, "search", made_search(3, 150)), "#query=2")
    tab_to(page, "svg.hits a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    assert "Hit 100:" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    page.locator(".alignment h3", has_text="Hit 100:").wait_for()
    page.get_by_role("button", name="Draw all 150 subjects").click()
    assert page.locator("svg.hits a").count() == 150

    page = opened(write_made(tmp_path, "matrix", made_matrix(50)))
    tab_to(page, ".heat")
    report = made_matrix(50)
    order = report.matrix["order"]
    for key in ("ArrowDown", "ArrowDown", "End", "+", "-", "0"):
        page.keyboard.press(key)
    value = report.cells["cells"][2 * 50 - 1 + 49 - 2] / 2
    wanted = f"sequence{order[2] + 1} and sequence{order[49] + 1}: {value:.1f}% identity"
    assert page.locator("main output").inner_text() == wanted


def test_a_rectangle_has_its_own_columns(tmp_path, opened):
    report = made_matrix(3)
    report.subjects = [Record(f"column{k + 1}", "", "") for k in range(4)]
    del report.matrix["order"]
    report.matrix |= {"columns": 4, "triangle": False, "unit": "distance", "high": 1, "alike": "low"}
    report.cells["cells"] = bytes([*range(0, 120, 10)])
    page = opened(write_made(tmp_path, "report", report), "#matrix")
    tab_to(page, ".heat")
    for key in ("ArrowDown", "End"):
        page.keyboard.press(key)
    assert page.locator("main output").inner_text() == "sequence2 and column4: 0.350 distance"
    assert page.locator("main caption + tbody tr").first.inner_text().split() == ["column1", "0.200", "distance"]


def test_columns_of_a_rectangle_may_be_groups(tmp_path, opened):
    report = made_matrix(3)
    report.subjects = [Record(f"column{k + 1}", "", "") for k in range(11)]
    del report.matrix["order"]
    report.matrix |= {"columns": 4, "column_group": 3, "triangle": False}
    report.cells = {"cells": bytes([*range(0, 120, 10)]), "mean": bytes([*range(0, 60, 5)])}
    page = opened(write_made(tmp_path, "report", report), "#matrix")
    tab_to(page, ".heat")
    for key in ("ArrowDown", "End"):
        page.keyboard.press(key)
    assert page.locator("main output").inner_text() == "sequence2 and column10 … column11: 35.0% identity"
    assert "A cell stands for the pairs of 1 and 3 sequences." in page.locator("main").inner_text()
    page.get_by_label("Cells show the").select_option("mean")
    page.get_by_text("sequence2 and column10 … column11: 17.5% identity").wait_for()


def test_what_the_bound_left_out_is_said(tmp_path, opened):
    report = made_search(3, 10)
    sentence = "This report has the best 10 hits of each query: 30 of 300 rows."
    report.shown = {"rows": 30, "of": 300, "sentence": sentence}
    path = write_made(tmp_path, "report", report)
    for address in ("#query=1", "#hits", "#run"):
        page = opened(path, address)
        assert sentence in page.locator("main").inner_text()
    page = opened(path, ready=False, java_script_enabled=False)
    assert sentence in page.locator("#plain").inner_text()


def test_hits_are_addressed_by_query_hit_and_hsp(tmp_path, opened):
    report = made_search(3, 10)
    table = report.tables[0]
    table.columns["hsp"] = [1] * len(table)
    # The second alignment of the fourth hit of query 2.
    for values in (*table.columns.values(), table.cigars):
        values[14] = values[13]
    table.columns["hsp"][14] = 2
    table.columns["score"][14] -= 5
    page = opened(write_made(tmp_path, "report", report), "#query=2&hit=4&hsp=2")
    facts = page.locator(".alignment .facts").inner_text()
    assert f"score {table.columns['score'][14]} " in facts
    page.get_by_role("button", name="Previous", exact=True).click()
    page.locator(".alignment .facts", has_text=f"score {table.columns['score'][13]} ").wait_for()
    assert page.evaluate("location.hash") == "#query=2&hit=4&hsp=1"
    page.go_back()
    page.locator(".alignment .facts", has_text=f"score {table.columns['score'][14]} ").wait_for()


def test_print_has_the_run_and_the_rows(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", made_search(30, 80)), "#hits")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("main tbody tr[data-at]").count() == 2000
    assert page.locator(".printed-run").is_visible()
    assert page.locator("main thead").evaluate("head => getComputedStyle(head).display") == "table-header-group"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("main tbody tr[data-at]").count() < 100


def test_a_summary_is_there_without_scripts(tmp_path, opened):
    report = made_search(30, 80)
    page = opened(write_made(tmp_path, "report", report), ready=False, java_script_enabled=False)
    assert page.locator("#plain table").nth(1).locator("tr").count() == 1 + 30 * (1000 // 30)
    assert "open it in a browser" in page.locator("#plain").inner_text()
    assert "alnus search made.fasta mutants.fasta" in page.locator("#plain").inner_text()
    assert page.locator("#page").inner_text() == ""


def test_queries_without_hits_are_shown(tmp_path, opened):
    report = made_search(3, 10)
    report.queries.append(type(report.queries[0])("alone", "has no hits", "ACDEF"))
    page = opened(write_made(tmp_path, "report", report), "#query=4")
    assert "5 residues, no hits" in page.locator("main").inner_text()
    page.locator("aside select").select_option("without")
    page.locator("aside .count", has_text="1 of 4 queries").wait_for()


def test_a_file_that_was_cut_says_so(tmp_path, opened):
    path = write_made(tmp_path, "report", made_search(40, 100))
    path.write_bytes(path.read_bytes()[: path.read_text().index('id="hits-rows-1"') - 200])
    page = opened(path)
    page.evaluate("location.hash = '#query=40'")
    page.locator("#error", has_text="This file is incomplete").wait_for()
