"""What calls would cost: the numbers are those of the calls, and the texts are for people."""

from __future__ import annotations

import json
import pathlib
import pickle

import numpy as np
import pytest
from inputs import family, write_fasta
from support import Program

import alnus

SESSION = alnus.Session(devices="cpu", threads=1)


def named(sequences: list[str]) -> dict[str, str]:
    return {f"s{number}": letters for number, letters in enumerate(sequences)}


def test_a_search_has_the_cost_that_was_told() -> None:
    queries, database = family(1, 7), family(2, 30)
    cost = SESSION.cost_of_search(queries, database, max_target_seqs=5)
    hits = SESSION.search(queries, database, max_target_seqs=5)
    assert (cost.pairs, cost.cells) == (hits.summary["pairs"], hits.summary["cells"])
    assert (cost.queries, cost.subjects, cost.rows, cost.edges) == (7, 30, 35, None)
    assert len(hits) <= cost.rows and cost.output_bytes > 35 * 40
    assert cost.devices == ("cpu",) and 0 < cost.seconds < 10
    assert SESSION.cost_of_search(queries, database, max_target_seqs=5, format="0").output_bytes > cost.output_bytes


def test_the_statistics_of_a_scoring_that_would_be_found_first_count() -> None:
    queries, database = family(1, 7), family(2, 30)
    usual = SESSION.cost_of_search(queries, database)
    assert usual.calibration_seconds == 0 and "simulation" not in str(usual)
    for cost in (
        SESSION.cost_of_search(queries, database, gaps=(7, 3)),
        SESSION.cost_of_align(queries[0], database[0], gaps=(7, 3), significance=True),
        SESSION.cost_of_all_pairs(database, gaps=(7, 3)),
    ):
        assert 10 < cost.calibration_seconds < 3600 and cost.seconds > cost.calibration_seconds
        assert "are a simulation that finds the statistics of the scoring, once" in str(cost)
    assert SESSION.cost_of_search(queries, database, gaps=(7, 3), stats="none").calibration_seconds == 0


def test_strands_of_dna_count() -> None:
    one = SESSION.cost_of_search(["ACGTACGTAC"], ["ACGTTTACGTAC"] * 5, alphabet="dna", strand="plus")
    both = SESSION.cost_of_search(["ACGTACGTAC"], ["ACGTTTACGTAC"] * 5, alphabet="dna")
    assert (one.cells, both.cells) == (600, 1200)


def test_alignments_have_the_cost_that_was_told() -> None:
    assert SESSION.cost_of_align("MKVLAW", "MKVW").cells == 24
    assert SESSION.cost_of_align(["MKVLAW", "MK"], ["MKVW", "MKW"]).cells == 30
    pairs = np.array([[0, 1], [0, 0], [1, 1]])
    cost = SESSION.cost_of_align(["MKVLAW", "MK"], ["MKVW", "MKW"], pairs)
    assert (cost.pairs, cost.cells, cost.rows) == (3, 18 + 24 + 6, 3)


def test_all_pairs_have_the_cost_that_was_told(tmp_path: pathlib.Path) -> None:
    sequences = family(3, 20)
    for name in ("identity.npy", "identity.csv"):
        files = {"matrices": {"identity": tmp_path / name}, "mode": "global"}
        cost = SESSION.cost_of_all_pairs(sequences, **files)
        assert not list(tmp_path.iterdir())
        counted = SESSION.write_all_pairs(sequences, **files)
        assert (cost.pairs, cost.cells, cost.rows) == (counted["pairs"], counted["cells"], 0)
        size = (tmp_path / name).stat().st_size
        assert cost.output_bytes == size if name.endswith("npy") else size / 2 < cost.output_bytes < size * 2
        for file in tmp_path.iterdir():
            file.unlink()
    of_rows = SESSION.cost_of_all_pairs(sequences, mode="global", detail="score")
    assert (of_rows.pairs, of_rows.rows) == (190, 190)
    assert SESSION.cost_of_all_pairs(sequences, sequences[:3], top_k=2).rows == 40
    edges = SESSION.cost_of_all_pairs(sequences, edges="e.tsv", edge_threshold=50, min_coverage=50)
    assert (edges.edges, edges.rows) == (190, 0)


def test_it_is_said_as_by_a_dry_run(tmp_path: pathlib.Path, program: Program) -> None:
    queries = write_fasta(tmp_path / "q.fa", named(family(4, 6)))
    database = write_fasta(tmp_path / "d.fa", named(family(5, 1200, shortest=5, longest=9)))
    cost = SESSION.cost_of_search(queries, database)
    text = program.text("search", queries, database, "--dry-run", "--devices", "cpu", "-t", "1").decode()
    assert str(cost).splitlines() == text.splitlines()
    assert "pairs: 7,200" in str(cost) and "on this CPU if nothing else runs" in str(cost)
    assert repr(cost) == (
        f"<Cost: less than a second on this CPU if nothing else runs; 7,200 pairs, {cost.cells:,} cells>"
    )


def test_what_is_not_known_before_a_search_is_said(tmp_path: pathlib.Path, program: Program) -> None:
    queries, database = family(1, 7), family(2, 30)
    usual = SESSION.cost_of_search(queries, database)
    assert not usual.any_rows and not usual.any_alignments
    cost = SESSION.cost_of_search(queries, database, max_hsps="all", min_length=9)
    assert cost.any_rows and cost.any_alignments and cost.cells == usual.cells
    aligned = SESSION.cost_of_align(queries[:1], database[:1], max_hsps="all", min_length=9)
    assert aligned.any_rows and not aligned.any_alignments
    files = write_fasta(tmp_path / "q.fa", named(queries)), write_fasta(tmp_path / "d.fa", named(database))
    cost = SESSION.cost_of_search(*files, max_hsps="all", min_length=9)
    options = ("--max-hsps", "all", "--min-length", 9, "--dry-run", "--devices", "cpu", "-t", 1)
    assert str(cost).splitlines() == program.text("search", *files, *options).decode().splitlines()
    assert "if each pair has 16" in str(cost) and "pairs that are aligned for filters come on top" in str(cost)


def test_it_is_numbers_for_a_server() -> None:
    cost = alnus.cost_of_search(["MKVLAW"], ["MKVW"])
    fields = json.loads(json.dumps(cost._asdict()))
    assert fields["cells"] == 24 and fields["devices"] == list(cost.devices)
    assert pickle.loads(pickle.dumps(cost)) == cost


def test_what_the_call_would_refuse_is_refused() -> None:
    with pytest.raises(alnus.InputError, match="max_target_seqs"):
        SESSION.cost_of_search(["MK"], ["MK"], max_target_seqs=0)
    with pytest.raises(alnus.InputError, match="7x"):
        SESSION.cost_of_search(["MK"], ["MK"], format="7x")
    with pytest.raises(alnus.InputError, match="pairs"):
        SESSION.cost_of_align(["MK"], ["MK"], [[0, 1]])
    with pytest.raises(alnus.InputError, match="top_k"):
        SESSION.cost_of_all_pairs(["MK", "ML"], matrices={"score": "m.npy"}, top_k=1)
    with pytest.raises(alnus.InputError, match="square is for matrices"):
        SESSION.cost_of_all_pairs(["MK", "ML"], square=True)
