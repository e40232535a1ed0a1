"""The script in docs/report-format.md reads reports back into the program's table."""

from __future__ import annotations

import re

import pytest
from conftest import FULL
from made_files import made_pairs, search_report, write_made
from report_fixture import PAGE, SCRIPTS, policy_hash, write_report
from saved_test import ALL, CASES, QUICK, assert_same_table, nucleotides, programs_table


@pytest.mark.parametrize("name", CASES if FULL else QUICK)
def test_the_pages_script_reads_the_programs_table(name, alnus, tmp_path, reader):
    make, options = CASES[name]
    files = make(tmp_path)
    report = search_report(alnus, *files, tmp_path, *options)
    report.alphabet = "dna" if make is nucleotides else "protein"
    report.output = {"columns": ALL, "header": True, "left_out": []}
    found = reader(write_made(tmp_path, "report", report))
    assert_same_table(found, programs_table(alnus, files, tmp_path, options, ALL, header=True), ALL)


def test_pieces_of_letters_may_go_on_in_the_next_block(tmp_path, reader, monkeypatch, opened):
    monkeypatch.setattr("report_fixture.LETTERS_PER_BLOCK", 37)
    report = made_pairs(200)
    path = write_made(tmp_path, "report", report)
    wanted = [report.queries[query].letters for query in report.tables[0].columns["query"]]
    assert reader(path, "qseq").decode().split("\n")[:-1] == wanted
    page = opened(path, "#pairs=5")
    page.locator(".alignment pre").wait_for()
    assert wanted[4][:20] in page.locator(".alignment pre").inner_text()


def test_the_template_and_the_scripts_are_as_the_writer_needs_them():
    template = (PAGE / "page.html").read_text()
    assert sorted(re.findall(r"\{\{(\w+)\}\}", template)) == sorted(
        ["policy", "title", "title", "style", "first_blocks", "script", "plain", "blocks"]
    )
    script = "".join((PAGE / name).read_text() for name in SCRIPTS)
    style = (PAGE / "page.css").read_text()
    assert sorted(path.name for path in PAGE.glob("*.js")) == sorted(SCRIPTS)
    for text in (script, style, template):
        assert "{{" not in re.sub(r"\{\{\w+\}\}", "", text) or text is not template
    # What would end the element, or take text for markup or code.
    for word in (
        "</script",
        "<!--",
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "new Function",
        "http:",
    ):
        assert word not in script.replace("http://www.w3.org/2000/svg", "")
    assert "</style" not in style
    assert "url(" not in style


def test_the_policy_names_the_script_and_the_style(tmp_path):
    text = write_report(made_pairs(3), tmp_path / "report.html").read_bytes().decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1)
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL).group(1)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL).group(1)
    assert policy == f"default-src 'none'; script-src {policy_hash(script)}; style-src {policy_hash(style)}"
    assert text.index('id="index"') < text.index("<script>") < text.index('id="pairs-gaps-0"')
