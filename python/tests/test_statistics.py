"""Z-values, E-values and calibrations: they equal those of the program, and wrong ones are refused."""

from __future__ import annotations

import json
import math
import pathlib
from typing import Any

import numpy as np
import pytest
from inputs import family, write_fasta
from support import FULL, Program

import alnus

COLUMNS = "6 qseqid sseqid score zscore zscore_se zfit"


@pytest.mark.parametrize("mode", ["local", "global", "semiglobal"])
@pytest.mark.parametrize("shuffled", ["query", "subject", "both"])
def test_z_values_are_the_programs(program: Program, tmp_path: pathlib.Path, mode: Any, shuffled: Any) -> None:
    a = write_fasta(tmp_path / "a.fasta", {f"a{k}": one for k, one in enumerate(family(61, 6))})
    b = write_fasta(tmp_path / "b.fasta", {f"b{k}": one for k, one in enumerate(family(62, 6))})
    words = (
        "--mode",
        mode,
        "--stats",
        "zvalue",
        "--shuffles",
        60,
        "--shuffle",
        shuffled,
        "--dbsize",
        "10000,50",
    )
    lines = [json.loads(one) for one in program.text("align", a, b, *words, "--outfmt", "jsonl").splitlines()]
    values = alnus.z_values(a, b, mode=mode, shuffles=60, shuffled=shuffled)
    rows = alnus.align(
        a, b, mode=mode, stats="zvalue", shuffles=60, shuffled=shuffled, significance=True, dbsize=(1e4, 50)
    )
    assert len(values.z) == 6
    for line, number in zip(lines, rows.query, strict=True):
        assert values.z[number] == pytest.approx(line["zscore"], rel=1e-12)
        assert values.standard_error[number] == pytest.approx(line["zscore_se"], rel=1e-12)
    assert rows.zscore.tolist() == values.z[rows.query].tolist()
    assert rows.evalue.tolist() == pytest.approx([line["evalue"] for line in lines], rel=1e-12)
    rows.write(tmp_path / "rows", COLUMNS)
    assert (tmp_path / "rows").read_bytes() == program.text("align", a, b, *words, "--outfmt", COLUMNS)
    sides = {"both": {"query", "subject"}}.get(shuffled, {shuffled})
    assert set(values.side) <= sides
    assert (values.log_p <= 0).all()


def test_a_z_value_depends_on_its_pair_and_the_seed_alone() -> None:
    a, b = family(63, 8), family(64, 8)
    every = alnus.z_values(a, b, shuffles=50)
    some = alnus.z_values(a, b, [[5, 5], [2, 2], [5, 5]], shuffles=50)
    assert some.z.tolist() == every.z[[5, 2, 5]].tolist()
    one = alnus.Session(devices="cpu", threads=1, isa="portable").z_values(a, b, shuffles=50)
    assert one.z.tolist() == every.z.tolist() and one.log_p.tolist() == every.log_p.tolist()
    assert alnus.z_values(a, b, shuffles=50, seed=2).z.tolist() != every.z.tolist()


def test_there_is_no_z_value_where_shuffling_changes_nothing() -> None:
    values = alnus.z_values(["W", "WWWW", "MKVLAWQRYT"], ["MKV", "MKVLAW", ""], shuffles=20, shuffled="query")
    assert np.isnan(values.z).all()
    assert len(alnus.z_values([], [], shuffles=20).z) == 0


def test_relatives_stand_out() -> None:
    chosen = family(65, 2, longest=60, shortest=60)
    values = alnus.z_values([chosen[0]], [chosen[1]], shuffles=200)
    assert values.z[0] > 5 and values.log_p[0] < -5


def test_e_values_grow_with_the_database() -> None:
    queries, subjects = family(66, 3), family(66, 9)
    small = alnus.search(queries, subjects, dbsize=1e6, evalue=1e9)
    large = alnus.search(queries, subjects, dbsize=1e9, evalue=1e12)
    assert len(small) == len(large) and np.allclose(large.evalue, 1000 * small.evalue, rtol=1e-6)
    none = alnus.search(queries, subjects, stats="none")
    assert none.evalue is None or np.isnan(none.evalue).all()


@pytest.fixture(scope="module")
def calibration(session: alnus.Session) -> alnus.Calibration:
    return session.calibrate(precision=0.1, length=100)


def test_a_calibration_knows_the_published_parameters_roughly(calibration: alnus.Calibration) -> None:
    assert calibration.lambda_.value == pytest.approx(0.267, rel=0.15)
    assert 0.005 < calibration.K.value < 0.4 and calibration.lambda_.error < 0.05 and calibration.H > 0
    assert calibration.pairs > 0 and calibration.seconds > 0 and calibration.alpha.value > 0
    assert "lambda" in repr(calibration)


def test_a_calibration_becomes_text_and_back(calibration: alnus.Calibration) -> None:
    again = alnus.Calibration.from_json(calibration.to_json())
    assert again == calibration and again.lambda_ == calibration.lambda_ and again.to_json() == calibration.to_json()
    for bad in ("", "{", "{}", "[]", calibration.to_json().replace("lambda", "lambdo"), "null", "5"):
        with pytest.raises(alnus.InputError):
            alnus.Calibration.from_json(bad)
    with pytest.raises(alnus.InputError):
        alnus.Calibration.from_json(5)  # type: ignore[arg-type]


def test_a_session_keeps_its_calibrations(session: alnus.Session, calibration: alnus.Calibration) -> None:
    assert session.calibrate(precision=0.1, length=100).to_json() == calibration.to_json()


def test_an_added_calibration_judges_searches(calibration: alnus.Calibration) -> None:
    scoring = alnus.Scoring(matrix="BLOSUM50", gaps=(10, 2))
    queries = family(67, 2)
    session = alnus.Session(devices="cpu", threads=2)
    other = session.calibrate(matrix="BLOSUM50", gaps=(10, 2), precision=0.1, length=100)
    fresh = alnus.Session(devices="cpu", threads=2)
    fresh.add_calibration(scoring, other)
    rows = fresh.search(queries, queries, scoring=scoring, composition="none", low_complexity="none")
    bits = (other.lambda_.value * rows.score - math.log(other.K.value)) / math.log(2)
    assert np.allclose(rows.bits, bits, rtol=1e-9)


def test_a_calibration_is_added_to_a_scoring(session: alnus.Session, calibration: alnus.Calibration) -> None:
    with pytest.raises((alnus.InputError, TypeError)):
        session.add_calibration("BLOSUM62", calibration)  # type: ignore[arg-type]
    with pytest.raises((alnus.InputError, TypeError)):
        session.add_calibration(alnus.Scoring(), None)  # type: ignore[arg-type]


def test_a_cache_of_calibrations_is_a_directory(tmp_path: pathlib.Path) -> None:
    session = alnus.Session(devices="cpu", threads=2, calibration_cache=tmp_path / "cache")
    first = session.calibrate(precision=0.1, length=100)
    assert len(list((tmp_path / "cache").iterdir())) == 1
    again = alnus.Session(devices="cpu", calibration_cache=tmp_path / "cache")
    assert again.calibrate(precision=0.1, length=100).to_json() == first.to_json()


@pytest.mark.skipif(not FULL, reason="ALNUS_FULL_TESTS=1 runs it")
def test_a_calibration_is_the_programs(program: Program) -> None:
    theirs = json.loads(program.text("calibrate", "--precision", 0.1, "--no-cache", "--json"))
    ours = alnus.calibrate(precision=0.1, anew=True)
    for name, estimate in (("lambda", ours.lambda_), ("K", ours.K), ("alpha", ours.alpha)):
        one = theirs["parameters"][name]
        assert (one["value"], one["standard_error"]) == tuple(estimate)
    assert theirs["pairs"] == ours.pairs


@pytest.mark.parametrize(
    "words",
    [
        {"precision": 0.0},
        {"precision": 1},
        {"precision": "fine"},
        {"precision": math.nan},
        {"length": 0},
        {"length": 1.5},
        {"length": 2**40},
        {"background": "ACGT"},
        {"background": {"A": 1, "AB": 2}},
        {"background": {"A": math.nan}},
        {"background": {"A": "x"}},
        {"background": {}},
        {"background": {"A": -1.0, "R": 2.0}},
        {"mode": "global"},
        {"alphabet": "rna"},
        {"gaps": (0, 0)},
    ],
    ids=str,
)
def test_calibrations_that_make_no_sense_are_refused(session: alnus.Session, words: Any) -> None:
    with pytest.raises(alnus.InputError):
        session.calibrate(**{"precision": 0.1, "length": 100, **words})


def test_presets_are_scorings_of_other_programs() -> None:
    assert repr(alnus.Scoring()) == "Scoring(matrix='BLOSUM62', gaps=(11, 1), mode='local')"
    ssearch = alnus.Scoring(preset="ssearch")
    assert (ssearch.matrix_name, ssearch.gaps, ssearch.preset) == ("BLOSUM50", (10, 2), "ssearch")
    needle = alnus.Scoring(preset="emboss-needle")
    assert needle.gaps == (9.5, 0.5) and needle.free_ends == ("qbegin", "qend", "sbegin", "send")
    assert alnus.Scoring(gaps=(12, 1), gap_convention="emboss").gaps == (11, 1)
    assert alnus.Scoring(gaps=(12, 1), gap_convention="emboss") == alnus.Scoring()
    assert alnus.Scoring(alphabet="dna", match=2, mismatch=-3, gaps=(5, 2)).matrix_name == "2/-3"
    assert alnus.Scoring() != alnus.Scoring(mode="global")
    assert alnus.Matrix("blosum62") == alnus.Matrix("BLOSUM62") or alnus.Matrix("blosum62").name == "BLOSUM62"
    assert alnus.Matrix("BLOSUM62").symmetric and "VTML200" in alnus.Matrix.names()


def test_every_matrix_has_its_letters() -> None:
    for name in alnus.Matrix.names():
        matrix = alnus.Matrix(name)
        assert matrix.values.shape == (len(matrix.letters),) * 2 and matrix.alphabet in ("protein", "dna")
        assert matrix == alnus.Matrix(name) and hash(matrix) == hash(alnus.Matrix(name))
