"""Rows.report() and write_all_pairs(report=...) write the HTML reports that the program writes."""

from __future__ import annotations

import base64
import json
import pathlib
import pickle
import re
import zlib
from typing import Any

import pytest
from support import Program

import alnus

Files = tuple[pathlib.Path, pathlib.Path]


def block(path: pathlib.Path, name: str) -> Any:
    """A block of the report, as docs/report-format.md describes it."""
    found = re.search(f'<script type="application/vnd.alnus.report" id="{name}">([^<]*)</script>', path.read_text())
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def command_line(path: pathlib.Path) -> str:
    line = dict(block(path, "index")["run"]["facts"])["Command line"]
    assert isinstance(line, str)
    return line


@pytest.mark.parametrize("more", [{}, {"max_hsps": 2}, {"stats": "none"}, {"score_histogram": True}])
def test_a_search_writes_the_bytes_of_the_program(
    more: dict[str, Any], program: Program, proteins: Files, session: alnus.Session, tmp_path: pathlib.Path
) -> None:
    queries, subjects = proteins
    options = {"max_hsps": ["--max-hsps", "2"], "stats": ["--stats", "none"]}
    options["score_histogram"] = ["--score-plot", str(tmp_path / "plot.svg")]
    words = [word for name in more for word in options[name]]
    files = ["-o", str(tmp_path / "hits.tsv"), "--report", str(tmp_path / "program.html")]
    program.run("search", queries, subjects, *words, *files)
    rows = session.search(str(queries), str(subjects), **more)
    rows.report(tmp_path / "python.html", command_line=command_line(tmp_path / "program.html"))
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "program.html").read_bytes()


def test_all_pairs_write_the_bytes_of_the_program(
    program: Program, proteins: Files, session: alnus.Session, tmp_path: pathlib.Path
) -> None:
    subjects = proteins[1]
    program.run("allpairs", subjects, "--mode", "global", "--report", tmp_path / "program.html")
    session.write_all_pairs(str(subjects), mode="global", report=tmp_path / "python.html")
    of_program, of_python = block(tmp_path / "program.html", "index"), block(tmp_path / "python.html", "index")
    del of_program["run"]["facts"][0]
    assert of_program == of_python
    assert block(tmp_path / "program.html", "pairs-rows-0") == block(tmp_path / "python.html", "pairs-rows-0")
    for rows in session.all_pairs(str(subjects), mode="global"):
        rows.report(tmp_path / "rows.html")
        assert block(tmp_path / "rows.html", "index") == of_python


def test_chosen_and_unpickled_rows(proteins: Files, session: alnus.Session, tmp_path: pathlib.Path) -> None:
    rows = session.search(str(proteins[0]), str(proteins[1]))
    few = rows[rows.bits > rows.bits.mean()]
    few.report(tmp_path / "few.html")
    index = block(tmp_path / "few.html", "index")
    assert index["kind"] == "search"
    assert index["shown"]["rows"] == len(few) < len(rows)
    assert index["run"]["notes"] == []
    backwards = rows[::-1]
    backwards.report(tmp_path / "backwards.html")
    index = block(tmp_path / "backwards.html", "index")
    assert index["kind"] == "align"
    shown = block(tmp_path / "backwards.html", "pairs-rows-0")
    assert [index["queries"]["id"][query] for query in shown["query"]] == backwards.query_id.tolist()
    pickle.loads(pickle.dumps(rows)).report(tmp_path / "again.html")
    assert block(tmp_path / "again.html", "hits-rows-0") == {
        **block(tmp_path / "again.html", "hits-rows-0"),
        "score": rows.score.tolist(),
    }


def test_a_bound_keeps_the_best_hits_of_each_query(
    session: alnus.Session, tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]
) -> None:
    query = "MKVLAWQRYTHEAGAWGHEEPAWHEAE" * 40
    subjects = {f"s{k:05} {'title ' * 200}{k * 7919 % 10007}": query[: 30 + k % 1000] for k in range(6000)}
    rows = session.search({"a": query, "b": query[::-1]}, subjects, max_target_seqs=6000, evalue=1e9, detail="score")
    rows.report(tmp_path / "all.html")
    assert block(tmp_path / "all.html", "index")["shown"]["sentence"] == ""
    assert (tmp_path / "all.html").stat().st_size > 1 << 20
    rows.report(tmp_path / "bounded.html", size="1M")
    index = block(tmp_path / "bounded.html", "index")
    assert (tmp_path / "bounded.html").stat().st_size <= 1 << 20
    assert index["queries"]["hits"][0] == index["queries"]["hits"][1] < 6000
    assert index["shown"]["sentence"].startswith("This report has the best ")


def test_further_alignments_alone(proteins: Files, session: alnus.Session, tmp_path: pathlib.Path) -> None:
    rows = session.search(str(proteins[0]), str(proteins[1]), max_hsps=3, evalue=1e9)
    further = rows[rows.hsp > 1]
    assert len(further) > 0
    further.report(tmp_path / "further.html")
    index = block(tmp_path / "further.html", "index")
    assert index["shown"]["rows"] == sum(index["queries"]["rows"]) == len(further)
    hits = {(int(row.query), int(row.subject)) for row in further}
    assert index["queries"]["hits"] == [sum(query == one for query, _ in hits) for one in range(3)]


def test_wrong_arguments(proteins: Files, session: alnus.Session, tmp_path: pathlib.Path) -> None:
    rows = session.search(str(proteins[0]), str(proteins[1]))
    with pytest.raises(alnus.InputError, match=r"an HTML report, and \.csv promises"):
        rows.report(tmp_path / "hits.csv")
    with pytest.raises(alnus.InputError, match="at least 1,048,576 bytes"):
        rows.report(tmp_path / "hits.html", size="10K")
    with pytest.raises(alnus.InputError, match=r"format is 6\.5; it must be a str"):
        rows.report(tmp_path / "hits.html", format=6.5)  # type: ignore[arg-type]
    (tmp_path / "queries").write_bytes(proteins[0].read_bytes())
    with pytest.raises(alnus.InputError, match="one of the inputs"):
        session.search(str(tmp_path / "queries"), str(proteins[1])).report(tmp_path / "queries")
    with pytest.raises(alnus.InputError, match="checkpoint cannot go on"):
        session.write_all_pairs(
            str(proteins[1]), output=tmp_path / "o.tsv", report=tmp_path / "r.html", checkpoint=tmp_path / "ledger"
        )
    with pytest.raises(alnus.InputError, match="report shows rows and matrices"):
        session.write_all_pairs(
            str(proteins[1]), mode="global", edges=tmp_path / "e.tsv", edge_threshold=50.0, report=tmp_path / "r.html"
        )
    assert not list(tmp_path.glob("*.html*"))
