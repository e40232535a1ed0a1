"""Names from files are text: they do not run and are no markup, even where the page has no policy."""

from __future__ import annotations

import random

from conftest import FULL
from made_files import pair_rows, write_made
from payloads import PAYLOADS
from report_fixture import Report, write_report

ELEMENTS = (
    "img, iframe, object, embed, base, link, form, video, math, body *[onload], *[onerror], *[onbegin], style + style"
)
# What somebody may put into a file by hand.
INJECTED = "<script>window.ran = 1</script>"
HANDLER = "<details open ontoggle='window.ran = 1'></details>"


def report_of(payloads: list[str], title: str = "Payloads") -> Report:
    """A search whose queries and subjects have these ids and titles, as well as its inputs and command lines."""
    records, table = pair_rows(payloads, random.Random(2), len(payloads))
    for record, payload in zip(records, payloads, strict=True):
        record.title = f"title {payload}"
    table.name, table.title, table.by_query = "hits", "Hits", True
    facts = [("Command", f"alnus search {payload}") for payload in payloads]
    inputs = [
        {"role": payload, "name": payload, "records": 1, "residues": 1, "digest": payload} for payload in payloads
    ]
    sections = [
        {"kind": "table", "title": payloads[0], "columns": payloads[:2], "rows": [[one, one] for one in payloads]},
        {"kind": "bars", "title": "bars", "label": "", "unit": "", "rows": [[one, 1, ""] for one in payloads]},
        {"kind": "document", "title": "document", "name": payloads[-1], "text": "\n".join(payloads)},
    ]  # fmt: skip
    return Report("search", title, records, records, [table], facts=facts, inputs=inputs, sections=sections)


def assert_nothing_ran(page, images: int = 0) -> None:
    assert page.evaluate("window.ran") is None
    assert page.locator(ELEMENTS).count() == images


def shown_names(page, selector: str) -> list[str]:
    return page.evaluate("selector => [...document.querySelectorAll(selector)].map((one) => one.textContent)", selector)


def test_payloads_are_text(tmp_path, opened):
    page = opened(write_made(tmp_path, "report", report_of(PAYLOADS), policy=False))
    for k, payload in enumerate(PAYLOADS if FULL else PAYLOADS[::7]):
        number = PAYLOADS.index(payload)
        page.evaluate(f"location.hash = '#query={number + 1}&hit=1'")
        page.locator("main h2", has_text=f"Query {number + 1}:").wait_for()
        page.locator("section.alignment pre").wait_for()
        assert shown_names(page, "main h2 .given") == [payload]
        assert f"{payload} title {payload}" in shown_names(page, "section.alignment .given")
        assert_nothing_ran(page)
        assert k < len(PAYLOADS)
    page.evaluate("location.hash = '#hits'")
    page.locator(".all table").wait_for()
    page.evaluate("location.hash = '#run'")
    page.locator("main dl").wait_for()
    commands = [f"alnus search {payload}" for payload in PAYLOADS]
    assert shown_names(page, "main dd")[: len(PAYLOADS)] == commands
    assert_nothing_ran(page)


def test_a_payload_as_title(tmp_path, opened):
    page = None
    for payload in PAYLOADS if FULL else PAYLOADS[1::12]:
        path = write_made(tmp_path, "report", report_of(["a", "b"], payload), policy=False)
        page = opened(path) if page is None else page
        page.goto("about:blank")
        page.goto(f"file://{path}")
        page.locator("html.ready").wait_for()
        assert_nothing_ran(page)
        # Control characters are no part of HTML.
        shown = "".join("\ufffd" if ord(one) < 32 or 127 <= ord(one) < 160 else one for one in payload)
        assert page.evaluate("[document.querySelector('h1').textContent, document.title.length > 0]") == [shown, True]


def test_payloads_are_text_without_scripts(tmp_path, opened):
    page = opened(
        write_made(tmp_path, "report", report_of(PAYLOADS), policy=False), ready=False, java_script_enabled=False
    )
    assert page.locator(ELEMENTS).count() == 0
    text = page.locator("#plain").inner_text()
    assert all(payload in text for payload in PAYLOADS[:44])


def test_direction_of_a_name_ends_with_it(tmp_path, opened):
    """The text before a name and the text behind it stay where they are beside a plain name."""
    places = []
    for name in ("plain", "\u202eplain", "\u2067plain\u2069\u2069\u202e"):
        path = write_made(tmp_path, "report", report_of([name, "b"]))
        page = opened(path, "#query=1&hit=1")
        page.locator("section.alignment pre").wait_for()
        script = """() => { const line = [...document.querySelectorAll(".alignment > p")][0];
            const range = document.createRange(); range.selectNode(line.firstChild);
            const [text, name] = [range.getBoundingClientRect(), line.querySelector(".given").getBoundingClientRect()];
            return [text.left, text.right <= name.left + 1]; }"""
        places.append(page.evaluate(script))
    assert places[0] == places[1] == places[2]
    assert places[0][1]


def test_an_injected_script_does_not_run(tmp_path, opened):
    with_policy = opened(write_report(report_of(["a", "b"]), tmp_path / "with.html", inject=INJECTED + HANDLER))
    with_policy.wait_for_timeout(100)
    assert with_policy.evaluate("window.ran") is None
    without = opened(write_report(report_of(["a", "b"]), tmp_path / "without.html", policy=False, inject=INJECTED))
    assert without.evaluate("window.ran") == 1
