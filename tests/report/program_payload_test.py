"""Names that the program reads from files and from its command line are text in its report, and nothing else."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

from conftest import FULL
from made_files import random_letters
from payload_test import ELEMENTS, assert_nothing_ran, shown_names
from payloads import PAYLOADS
from program import index_of, run, text_of, without_policy

REFUSED = [0, *range(2, 9), *range(11, 13), *range(14, 32), 127]
# Bytes that the program refuses in headers are in its command line alone, which has no NUL.
TEXTS = [payload.translate(dict.fromkeys(REFUSED)) for payload in PAYLOADS]
NAMES = [payload.replace("\0", "") for payload in PAYLOADS]
SOURCE = random.Random(51)
LETTERS = [random_letters(SOURCE, 40) for _ in TEXTS]
SCRIPTS_IN_PAGE = 1


def as_id(text: str) -> str:
    """An id ends at the first blank. HTML takes a slash in its place."""
    return "".join("/" if one in " \t\n\r\v\f" else one for one in text)


def as_file_name(text: str) -> str:
    """A path whose folders are made; what begins with a hyphen or a slash would be something else."""
    return f"f/{text.strip('/')}"


def write_files(folder: Path, name: str = "names.fasta", count: int = len(TEXTS)) -> None:
    """Each payload is an id and a title of a query and of its subject."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [*zip(TEXTS, LETTERS, strict=True)][:count]
    path.write_bytes("".join(f">{as_id(text)} {text}\n{letters}\n" for text, letters in records).encode())


def assert_no_markup(path: Path, page) -> None:
    """The elements of the document are those of the template."""
    text = text_of(path)
    rest = text[: text.index("<script>")] + text[text.index('<main id="plain"') :]
    assert rest.count("<script") == rest.count('<script type="application/vnd.alnus.report"')
    assert page.locator("script:not([type])").count() == SCRIPTS_IN_PAGE
    assert_nothing_ran(page)


def test_names_of_records(alnus, tmp_path, opened):
    write_files(tmp_path)
    run(alnus, "search", "names.fasta", "names.fasta", "--stats", "none", "--max-target-seqs", "1", "-o", "rows.tsv",
        "--report", "report.html", folder=tmp_path)  # fmt: skip
    path = without_policy(tmp_path / "report.html")
    queries = index_of(path)["queries"]
    assert queries["id"] == [as_id(text) for text in TEXTS]
    assert queries["title"] == TEXTS
    page = opened(path)
    for number, text in enumerate(TEXTS) if FULL else [*enumerate(TEXTS)][::9]:
        page.evaluate(f"location.hash = '#query={number + 1}&hit=1'")
        page.locator("main h2", has_text=f"Query {number + 1}:").wait_for()
        page.locator("section.alignment pre").wait_for()
        assert shown_names(page, "main h2 .given") == [as_id(text)]
        given = shown_names(page, "section.alignment .given")
        assert given.count(f"{as_id(text)} {text}") == 2
        assert_nothing_ran(page)
    for place in ("hits", "run", "queries"):
        page.evaluate(f"location.hash = '#{place}'")
        page.wait_for_timeout(100)
        assert_no_markup(path, page)


def test_names_of_records_without_scripts(alnus, tmp_path, opened):
    write_files(tmp_path)
    run(alnus, "search", "names.fasta", "names.fasta", "--stats", "none", "--max-target-seqs", "1", "-o", "rows.tsv",
        "--report", "report.html", folder=tmp_path)  # fmt: skip
    page = opened(without_policy(tmp_path / "report.html"), ready=False, java_script_enabled=False)
    assert page.locator(ELEMENTS).count() == 0
    cells = page.locator("#plain table").last.locator("td:first-child").all_text_contents()
    # Control characters are no part of HTML.
    controls = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)], "\ufffd")
    assert cells == [as_id(text).translate(controls) for text in TEXTS]


def isolated(name: str) -> str:
    """The name in a longer text: what would change the direction of the text around it is replaced."""
    text, changed = re.subn("[\u202a-\u202e\u2066-\u2069]", "\ufffd", name)
    return f"\u2068{text}\u2069" if changed else name


def test_names_of_files_and_the_command_line(alnus, tmp_path, opened):
    names = [as_file_name(name) for name in NAMES]
    pairs = list(zip(names[::2], names[1::2], strict=True))
    page = still = None
    for one, other in pairs if FULL else pairs[::6]:
        write_files(tmp_path, one, 3)
        write_files(tmp_path, other, 3)
        run(
            alnus, "search", one, other, "--stats", "none", "-o", "rows.tsv", "--report", "report.html", folder=tmp_path
        )
        path = without_policy(tmp_path / "report.html")
        index = index_of(path)
        assert [given["name"] for given in index["run"]["inputs"]] == [one, other]
        assert index["title"] == f"Search: {isolated(one)} in {isolated(other)}"
        # One page after the other in the same tab.
        if page is None:
            page = opened(path, "#run")
            still = opened(path, ready=False, java_script_enabled=False)
        else:
            page.goto("about:blank")
            page.goto(f"file://{path}#run")
            still.goto("about:blank")
            still.goto(f"file://{path}")
        page.locator("main dl").wait_for()
        assert_no_markup(path, page)
        facts = shown_names(page, "main dd")
        assert facts[0] == index["run"]["facts"][0][1]
        starts = [f"{within_a_sentence(name)}: " for name in (one, other)]
        assert [fact[: len(start)] for fact, start in zip(facts[-2:], starts, strict=True)] == starts
        assert still.locator(ELEMENTS).count() == 0
        assert still.locator("script:not([type])").count() == SCRIPTS_IN_PAGE


def within_a_sentence(name: str) -> str:
    """The direction of a name ends with it."""
    inside = name.translate(dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd"))
    return f"\u2068{inside}\u2069"


BROKEN = [b"\x80", b"\xff\xfe<b>", b"\xc3", b"\xed\xa0\x80<i>", b"\xf0\x9f\x92", b"\xc0\xaf", b"<u>\xe2\x28\xa1"]


def test_bytes_that_are_not_utf8(alnus, tmp_path, opened, reader):
    name = b"f\xff\xc3<b>x.fasta".decode("utf-8", "surrogateescape")
    records = [b">q%d%s title %s end\n%s\n" % (k, one, one, LETTERS[k].encode()) for k, one in enumerate(BROKEN)]
    (tmp_path / name).write_bytes(b"".join(records))
    run(alnus, "search", name, name, "--stats", "none", "-o", "rows.tsv", "--outfmt", "6 std qtitle stitle", "--report",
        "report.html", folder=tmp_path)  # fmt: skip
    path = tmp_path / "report.html"
    index = index_of(path)
    replaced = [one.decode("utf-8", "replace") for one in BROKEN]
    assert index["queries"]["id"] == [f"q{k}{one}" for k, one in enumerate(replaced)]
    assert index["queries"]["title"] == [f"title {one} end" for one in replaced]
    assert index["run"]["inputs"][0]["name"] == os.fsencode(name).decode("utf-8", "replace")
    assert os.fsencode(name).decode("utf-8", "replace") in index["run"]["facts"][0][1]
    table = (tmp_path / "rows.tsv").read_bytes()
    assert reader(path).decode() == table.decode("utf-8", "replace")
    page = opened(without_policy(path), "#query=2&hit=1")
    page.locator("section.alignment pre").wait_for()
    assert shown_names(page, "main h2 .given") == [f"q1{replaced[1]}"]
    assert_nothing_ran(page)
    assert page.locator("#page b, #page i, #page u").count() == 0


def test_a_script_put_into_the_file_by_hand_does_not_run(alnus, tmp_path, opened):
    write_files(tmp_path)
    run(alnus, "search", "names.fasta", "names.fasta", "-o", "rows.tsv", "--report", "report.html", folder=tmp_path)
    injected = "<script>window.ran = 1</script><details open ontoggle='window.ran = 1'></details>"
    path = tmp_path / "report.html"
    path.write_bytes(text_of(path).replace("</body>", f"{injected}</body>").encode())
    page = opened(path)
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran") is None
    open_page = opened(without_policy(path))
    assert open_page.evaluate("window.ran") == 1
