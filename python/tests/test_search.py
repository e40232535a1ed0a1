"""search: its rows, their order, and what can be done with them."""

from __future__ import annotations

import inspect
import pathlib
from typing import Any

import numpy as np
import pytest
from inputs import family, write_fasta
from support import FULL, Program

import alnus
from alnus import _alnus
from alnus._columns import COLUMN_NAMES

EXAMPLES = pathlib.Path("/usr/share/doc/mmseqs2/example-data")
Files = tuple[pathlib.Path, pathlib.Path]


def test_every_pair_is_compared_and_the_best_are_listed() -> None:
    queries, subjects = family(51, 6), family(51, 40)
    rows = alnus.search(queries, subjects, stats="none", max_target_seqs=40, detail="score")
    every = alnus.cdist(queries, subjects, value="score")
    for query in range(6):
        part = rows[rows.query == query]
        order = sorted(range(40), key=lambda k: (-every[query, k], k))
        order = [k for k in order if every[query, k] > 0]
        assert part.subject.tolist() == order
        assert part.score.tolist() == every[query, order].tolist()
    assert rows.first_row.tolist() == [int((rows.query < q).sum()) for q in range(7)]


def test_limits_leave_the_best(proteins: Files) -> None:
    every = alnus.search(*proteins)
    assert (every.evalue <= 10).all()
    few = alnus.search(*proteins, max_target_seqs=3)
    assert np.bincount(few.query, minlength=3).tolist() == [3, 3, 3]
    for query in range(3):
        assert few[few.query == query].subject.tolist() == every[every.query == query].subject.tolist()[:3]
    good = alnus.search(*proteins, evalue=1e-3)
    assert good.subject.tolist() == every[every.evalue <= 1e-3].subject.tolist()
    high = alnus.search(*proteins, min_score=50)
    assert sorted(zip(high.query, high.subject, strict=True)) == sorted(
        (q, s) for q, s, score in zip(every.query, every.subject, every.score, strict=True) if score >= 50
    )


def test_evalues_are_the_programs_to_the_last_digit(program: Program, proteins: Files) -> None:
    import json

    rows = alnus.search(*proteins)
    lines = [json.loads(line) for line in program.text("search", *proteins, "--outfmt", "jsonl").splitlines()]
    assert rows.evalue.tolist() == pytest.approx([line["evalue"] for line in lines], rel=1e-9)
    assert rows.bits.tolist() == pytest.approx([line["bitscore"] for line in lines], rel=1e-9)
    assert rows.adjusted_score.tolist() == pytest.approx([line["adjusted_score"] for line in lines], rel=1e-9)
    assert (rows.query_id == [line["qseqid"] for line in lines]).all()
    assert "spouge" in rows.statistics


def test_z_values_of_a_search_are_the_programs(program: Program, proteins: Files, tmp_path: pathlib.Path) -> None:
    words = ("--stats", "zvalue", "--shuffles", 100, "--max-target-seqs", 3)
    rows = alnus.search(*proteins, stats="zvalue", shuffles=100, max_target_seqs=3)
    columns = "6 qseqid sseqid zscore zscore_se zfit evalue"
    rows.write(tmp_path / "rows", columns)
    assert (tmp_path / "rows").read_bytes() == program.text("search", *proteins, *words, "--outfmt", columns)
    assert not np.isnan(rows.zscore).any()


@pytest.mark.skipif(not FULL, reason="ALNUS_FULL_TESTS=1 runs it")
def test_a_search_of_real_proteins_is_the_programs(program: Program, tmp_path: pathlib.Path) -> None:
    files = EXAMPLES / "QUERY.fasta.gz", EXAMPLES / "DB.fasta.gz"
    if not files[0].exists():
        pytest.skip("needs Debian's package mmseqs2-examples")
    rows = alnus.search(*files, evalue=1e-3)
    rows.write(tmp_path / "rows")
    assert (tmp_path / "rows").read_bytes() == program.text("search", *files, "--evalue", 1e-3)


def test_a_few_real_proteins_find_themselves(tmp_path: pathlib.Path) -> None:
    file = EXAMPLES / "QUERY.fasta.gz"
    if not file.exists():
        pytest.skip("needs Debian's package mmseqs2-examples")
    queries = alnus.Database.open(file)
    assert len(queries) == 500
    rows = alnus.search(queries[:8], queries[:100], max_target_seqs=1)
    assert rows.query_id.tolist() == rows.subject_id.tolist() == queries.ids[:8]
    assert (rows.identity() == 1).all() and (rows.evalue < 1e-10).all()


def test_columns_are_those_of_the_library() -> None:
    assert sorted(COLUMN_NAMES) == sorted(_alnus.row_columns)
    described = [line.split(" : ")[0] for line in (inspect.getdoc(alnus.Rows) or "").splitlines()]
    assert [name for name in described if name in COLUMN_NAMES] == list(COLUMN_NAMES)


def test_columns_are_read_only_views_that_outlive_their_rows(proteins: Files) -> None:
    rows = alnus.search(*proteins)
    score, evalue = rows.score, rows.evalue
    copy = score.copy()
    for column in (score, evalue, rows.query, rows.query_begin):
        assert not column.flags.writeable
        with pytest.raises(ValueError):
            column[0] = 1
    assert np.shares_memory(rows.score, rows.score)
    del rows
    alnus.search(*proteins)
    assert (score == copy).all()


def test_rows_are_chosen_by_numbers_slices_and_masks(proteins: Files) -> None:
    rows = alnus.search(*proteins)
    count = len(rows)
    assert rows[-1].score == rows.score[-1] and rows[np.int64(2)].score == rows.score[2]
    assert rows[2:10:3].score.tolist() == rows.score[2:10:3].tolist()
    assert rows[::-1].score.tolist() == rows.score[::-1].tolist()
    assert rows[[3, 3, -1]].cigars == [rows.cigars[3], rows.cigars[3], rows.cigars[-1]]
    assert rows[rows.evalue < 1e-5].score.tolist() == rows.score[rows.evalue < 1e-5].tolist()
    assert len(rows[[]]) == len(rows[5:5]) == len(rows[np.zeros(count, dtype=bool)]) == 0
    assert [pair.score for pair in rows] == rows.score.tolist()
    for wrong in (count, -count - 1, 10**30):
        with pytest.raises(IndexError, match="no row"):
            rows[wrong]
    with pytest.raises(IndexError):
        rows[[0, count]]
    for bad in ("score", 1.5, None, [[0]], [0.5], np.zeros(count + 1, dtype=bool), {}, True):
        with pytest.raises((alnus.InputError, TypeError)):
            rows[bad]  # type: ignore[index]


def test_tables_have_the_columns(proteins: Files) -> None:
    import pandas
    import polars
    import pyarrow

    rows = alnus.search(*proteins)
    columns = rows.to_dict(cigars=True)
    assert list(columns)[:3] == ["query_id", "subject_id", "score"] and list(columns)[-1] == "cigar"
    by_pandas, by_polars = rows.to_pandas(cigars=True), rows.to_polars(cigars=True)
    by_arrow = rows.to_arrow(cigars=True)
    assert isinstance(by_pandas, pandas.DataFrame) and isinstance(by_polars, polars.DataFrame)
    assert list(by_pandas.columns) == by_polars.columns == by_arrow.column_names == list(columns)
    for name, column in columns.items():
        expected = list(column) if isinstance(column, list) else column.tolist()
        assert by_pandas[name].tolist() == by_polars[name].to_list() == by_arrow[name].to_pylist() == expected
    assert pyarrow.table(rows).num_rows == polars.DataFrame(rows).height == len(rows)
    empty = alnus.search(*proteins, min_score=10000)
    assert len(empty.to_pandas()) == empty.to_polars().height == pyarrow.table(empty).num_rows == 0


def test_tables_without_rows_have_the_same_columns(proteins: Files) -> None:
    rows, empty = alnus.search(*proteins), alnus.search(*proteins, min_score=10000)
    assert list(rows.to_dict()) == list(empty.to_dict()) == list(rows[:0].to_dict())


def test_fasta_of_what_was_found(proteins: Files) -> None:
    rows = alnus.search(*proteins, evalue=1e-5)
    text = rows.to_fasta()
    assert text.count("\n>") + 1 == len(set(rows.subject)) and text.startswith(">relative")
    assert rows.to_fasta("alignments").count("\n>") + 1 == 2 * len(rows)
    first = rows.to_fasta("regions").split("\n>")[0].split("\n", 1)
    assert first[0] == f">{rows.subject_id[0]}/{rows.subject_begin[0] + 1}-{rows.subject_end[0]}"
    assert first[1].replace("\n", "") == rows[0].aligned[1].replace("-", "")
    with pytest.raises(alnus.InputError, match="subjects"):
        rows.to_fasta("subject")  # type: ignore[arg-type]


def test_a_histogram_counts_every_pair(proteins: Files) -> None:
    rows = alnus.search(*proteins, score_histogram=True)
    assert isinstance(rows.histogram, alnus.Histogram)
    assert int(rows.histogram.pairs.sum()) * rows.histogram.stride == 84
    best = rows.histogram.lowest + np.flatnonzero(rows.histogram.pairs).max() / rows.histogram.scale
    assert best == rows.score.max()
    assert alnus.search(*proteins).histogram is None


def test_a_summary_counts(proteins: Files) -> None:
    summary = alnus.search(*proteins).summary
    assert summary["pairs"] == 84 and summary["cells"] > 1e6 and summary["seconds"] >= 0
    none = alnus.search({"q": "WWWWW"}, {"s": "AAAAA"}, stats="none").summary
    assert none["without_hits"] == 1 and none["without_hits_ids"] == ["q"] and none["cut_tie_ids"] == []


def test_many_devices_options_give_the_same_rows(proteins: Files) -> None:
    expected = alnus.search(*proteins).to_dict(cigars=True)
    options: list[dict[str, Any]] = [
        {"devices": "cpu", "threads": 1},
        {"devices": "cpu", "isa": "portable"},
        {"devices": "cpu", "isa": "sse41", "memory": "16M"},
        {"devices": "cpu", "method": "interseq"},
    ]
    for one in options:
        session = alnus.Session(**one)
        database = alnus.Database.open(proteins[1], session=session)
        session.prepare(database)
        found = session.search(proteins[0], database).to_dict(cigars=True)
        for name, column in expected.items():
            assert list(found[name]) == list(column), (one, name)
        session.release(database)
        assert session.counters()["calls"] >= 1 and session.devices()[0]["name"] == "cpu"


def test_masks_hide_residues(tmp_path: pathlib.Path) -> None:
    assert list(alnus.Database(["MKwvTF"], mask=["lower"])) == ["MKXXTF"]
    file = write_fasta(tmp_path / "m.fasta", {"a": "MKVLAWQqqqqqqqqqqqRYTHEW"})
    assert alnus.Database.open(file, mask=["lower"])[0] == "MKVLAWQXXXXXXXXXXXRYTHEW"
    assert "X" in alnus.Database(["MKVLAW" + "Q" * 30 + "RYTHEW"], mask=["seg"])[0]
    assert "N" in alnus.Database(["ACGGT" + "A" * 100 + "GTCAT"], mask=["dust"], alphabet="dna")[0]
    with pytest.raises(alnus.InputError, match="lower"):
        alnus.Database(["MKV"], mask=["lowr"])  # type: ignore[list-item]


def test_one_place_of_a_short_query_is_told() -> None:
    genome = "".join(np.random.default_rng(7).choice(list("ACGT"), 20_000))
    with pytest.warns(alnus.AlnusWarning, match="Each pair has one alignment") as said:
        alnus.search([genome[50:70], genome[90:110]], [genome], alphabet="dna", stats="none")
    assert len(said) == 1 and said[0].filename == __file__
