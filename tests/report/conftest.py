"""Tests of the HTML report's page in Chromium, which Debian's package has; Playwright from PyPI drives it.

The quick tier takes a sample of cases. ALNUS_FULL_TESTS=1 takes all of them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report_fixture import ROOT

playwright = pytest.importorskip("playwright.sync_api")

CHROMIUM = "/usr/bin/chromium"
ALNUS = Path(os.environ.get("ALNUS_PROGRAM", ROOT / "build" / "release" / "src" / "alnus"))
FULL = os.environ.get("ALNUS_FULL_TESTS") == "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("full") and not FULL:
            item.add_marker(pytest.mark.skip(reason="with ALNUS_FULL_TESTS=1"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: runs with ALNUS_FULL_TESTS=1 only")


@pytest.fixture(scope="session")
def alnus() -> Path:
    if not ALNUS.exists():
        pytest.skip(f"there is no program {ALNUS}")
    return ALNUS


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bytes]:
    """reader(report, *columns): the table that the script in docs/report-format.md reads from a report."""
    text = (ROOT / "docs" / "report-format.md").read_text()
    path = tmp_path_factory.mktemp("reader") / "read_report.py"
    path.write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1))

    def read(report: Path, *columns: str) -> bytes:
        command = [sys.executable, str(path), str(report), *columns]
        return subprocess.run(command, check=True, capture_output=True).stdout

    return read


@pytest.fixture(scope="session")
def browser() -> Iterator[playwright.Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no chromium")
    with playwright.sync_playwright() as play:
        started = launched(play.chromium)
        yield started
        started.close()


def launched(chromium: playwright.BrowserType, *options: str) -> playwright.Browser:
    return chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *options])


@pytest.fixture
def opened(browser: playwright.Browser) -> Iterator[Callable[..., playwright.Page]]:
    """opened(path, address="", **options of the context): the page, after its first rows are shown. At the end no
    script has failed, and no request has left the page."""
    contexts, errors, requests, paths = [], [], [], []

    def opened_page(path: Path, address: str = "", *, ready: bool = True, **options: object) -> playwright.Page:
        paths.append(path)
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"file://{path}{address}")
        if ready:
            page.locator("html.ready").wait_for(timeout=30_000)
        return page

    yield opened_page
    for context in contexts:
        context.close()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:///", "blob:null/", "blob:file:"))] == []
    files = {url.split("#")[0] for url in requests if url.startswith("file:")}
    assert files <= {path.as_uri() for path in paths}


def saved(page: playwright.Page, button: str, columns: str = "output", header: bool = False) -> bytes:
    """The file that a button of the menu "Save" makes."""
    menu = page.locator("main details.menu", has=page.locator("summary", has_text="Save"))
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    menu.locator(f"fieldset:has(legend:text('Columns')) input[value={columns}]").check()
    menu.locator("input[type=checkbox]").set_checked(header)
    with page.expect_download(timeout=60_000) as download:
        menu.get_by_role("button", name=button, exact=True).click()
    return Path(download.value.path()).read_bytes()
