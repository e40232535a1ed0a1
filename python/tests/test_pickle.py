"""Results, databases, scorings and sessions are the same after pickle, in files and in other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from inputs import family, write_fasta

import alnus

Files = tuple[pathlib.Path, pathlib.Path]


def again(value: Any) -> Any:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        pickle.loads(pickle.dumps(value, protocol))
    return pickle.loads(pickle.dumps(value))


def test_a_database_of_memory_comes_back_as_it_was() -> None:
    database = alnus.Database(["MKvLAW", "", "WW"], list("abc"), titles=["the first", "", ""], name="mine")
    other = again(database)
    assert list(other) == list(database) and other.headers == database.headers
    assert other.name == "mine" and other.digest() == database.digest()
    assert again(database[1:]).ids == ["b", "c"]
    dna = alnus.Database(["ACGT"], alphabet="dna")
    assert again(dna).alphabet == "dna"
    assert list(again(alnus.Database(["MKwvTF"], mask=["lower"]))) == ["MKXXTF"]
    odd = alnus.Database(["MK"], ids=["ü\u4e00"])
    assert again(odd).ids == odd.ids


def test_qualities_come_back(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "x.fastq"
    file.write_text("@a\nACGTACGTAA\n+\n!I#I~IIII5\n@b\nACGTCCGTAA\n+\nIIIIIIII65\n@c\n\n+\n\n")
    reads = alnus.Database.open(file, alphabet="dna")[1:].in_file_order()  # a database in memory, without the file
    file.unlink()

    def sam(database: alnus.Database) -> list[str]:
        alnus.search(database, {"s": "ACGTACGTAA"}, alphabet="dna", stats="none").write(tmp_path / "x.sam", "sam")
        return [line for line in (tmp_path / "x.sam").read_text().splitlines() if not line.startswith("@")]

    assert sam(reads)[0].split("\t")[10] == "IIIIIIII65"
    assert sam(again(reads)) == sam(reads) == sam(again(again(reads)))


def test_places_in_files_come_back(tmp_path: pathlib.Path) -> None:
    database = alnus.Database(family(75, 6))
    assert again(database)._core.ordinals() is None
    part = again(database[2:5])
    assert part._core.ordinals().tolist() == [2, 3, 4] and list(part) == list(database[2:5])
    assert list(part.in_file_order()) == list(part)
    write_fasta(tmp_path / "x.fasta", {"short": "MK", "long": "MKVLAW", "middle": "MKVL"})
    alnus.make_database(tmp_path / "x.fasta", tmp_path / "x.alnus")
    pair = alnus.search({"q": "MKVLAW"}, tmp_path / "x.alnus", stats="none")[0]
    subjects = pair._rows._alone(0).subjects
    assert again(subjects)._core.ordinals().tolist() == subjects._core.ordinals().tolist() == [1]


def test_damaged_pickles_of_databases_are_errors() -> None:
    _, (_, function, *state) = alnus.Database(["ACGT", "AC"], alphabet="dna")[:].__reduce__()
    letters, offsets, headers, _, _, *rest = state
    assert list(function(*state)) == ["ACGT", "AC"]
    for wrong in (
        (letters, offsets[:-1], headers, None, None),
        (letters[:3], offsets, headers, None, None),
        (letters, offsets, headers[:1], None, None),
        (letters, offsets, headers, np.full(5, 70, np.uint8), None),
        (letters, offsets, headers, np.full(6, 127, np.uint8), None),
        (letters, offsets, headers, None, np.zeros(1, np.uint32)),
        (letters, offsets, headers, None, np.zeros(2, np.uint32)),
    ):
        with pytest.raises(alnus.InputError):
            function(*wrong, *rest)


@pytest.mark.parametrize("name", ["x.fasta", "x.alnus"])
def test_a_database_of_a_file_is_opened_again(tmp_path: pathlib.Path, name: str) -> None:
    fasta = write_fasta(tmp_path / "x.fasta", {f"s{k}": one for k, one in enumerate(family(71, 30))})
    alnus.make_database(fasta, tmp_path / "x.alnus")
    database = alnus.Database.open(tmp_path / name)
    data = pickle.dumps(database)
    assert len(data) < 1000
    other = pickle.loads(data)
    assert list(other) == list(database) and other.digest() == database.digest()
    assert again(database[3:9]).ids == database[3:9].ids
    assert again(database[3:9][1:3]).ids == database[4:6].ids
    assert again(database.in_file_order()).ids == database.in_file_order().ids
    fasta.write_text(">s0\nMKV\n")
    alnus.make_database(fasta, tmp_path / "x.alnus")
    with pytest.raises(alnus.InputError, match=f"{name} has changed"):
        pickle.loads(data)
    (tmp_path / name).unlink()
    with pytest.raises(alnus.Error, match=name):
        pickle.loads(data)


def test_a_mask_and_an_alphabet_come_back(tmp_path: pathlib.Path) -> None:
    file = write_fasta(tmp_path / "x.fasta", {"a": "ACGTacgtACGT"})
    database = alnus.Database.open(file, alphabet="dna", mask=["lower"])
    assert list(again(database)) == list(database) == ["ACGTNNNNACGT"] and again(database).alphabet == "dna"


def test_matrices_and_scorings_come_back(tmp_path: pathlib.Path) -> None:
    identity = 2 * np.eye(4) - 1
    file = tmp_path / "own.matrix"
    lines = ["  " + " ".join("ARNDCQEGHILKMFPSTWYV")]
    lines += [
        f"{one} " + " ".join("3" if one == two else "-1" for two in "ARNDCQEGHILKMFPSTWYV")
        for one in "ARNDCQEGHILKMFPSTWYV"
    ]
    file.write_text("\n".join(lines) + "\n")
    matrices = [
        alnus.Matrix("BLOSUM62"),
        alnus.Matrix("NUC44"),
        alnus.Matrix(file),
        alnus.Matrix.from_array(identity, "ACGT", alphabet="dna", name="mine"),
    ]
    file.unlink()
    for matrix in matrices:
        other = again(matrix)
        assert other == matrix and hash(other) == hash(matrix) and other.name == matrix.name
        assert (other.values == matrix.values).all() and other.alphabet == matrix.alphabet
    scorings = [
        alnus.Scoring(),
        alnus.Scoring(matrix=matrices[2], gaps=(10.5, 0.25), mode="semiglobal"),
        alnus.Scoring(alphabet="dna", match=2, mismatch=-3, gaps=(5, 2)),
        alnus.Scoring(mode="global", free_ends=["qbegin"]),
        alnus.Scoring(preset="emboss-needle"),
        alnus.Scoring(alphabet="dna", preset="blastn"),
        alnus.Scoring(gaps=(12, 1), gap_convention="emboss"),
    ]
    for scoring in scorings:
        other = again(scoring)
        assert other == scoring and repr(other) == repr(scoring) and other.preset == scoring.preset
        assert copy.deepcopy(scoring) == scoring


def test_rows_and_pairs_come_back(proteins: Files, nucleotides: Files) -> None:
    for rows in (
        alnus.search(*proteins, score_histogram=True),
        alnus.search(*nucleotides, alphabet="dna"),
        alnus.search(*proteins, detail="score"),
        alnus.search(*proteins, min_score=10000),
        alnus.align(*proteins[:1] * 2, mode="global"),
        alnus.search(*proteins, stats="zvalue", shuffles=20, max_target_seqs=2),
        alnus.search(*proteins, gaps=(10.5, 0.5), stats="none", identity_ranges=["alignment"]),
    ):
        other = again(rows)
        assert repr(other) == repr(rows) and other.summary == rows.summary and other.statistics == rows.statistics
        aligned = rows.identical is not None
        columns, others = rows.to_dict(cigars=aligned), other.to_dict(cigars=aligned)
        assert list(columns) == list(others)
        for name, column in columns.items():
            np.testing.assert_array_equal(column, others[name])
        assert (other.first_row is None) == (rows.first_row is None)
        if rows.first_row is not None:
            assert other.first_row.tolist() == rows.first_row.tolist()
        if len(rows) > 3:
            pair = again(rows[3])
            assert repr(pair) == repr(rows[3]) and str(pair) == str(rows[3])
        if rows.histogram is not None:
            assert (other.histogram.pairs == rows.histogram.pairs).all()


def test_a_pair_is_small_however_many_rows_there_were() -> None:
    rows = alnus.align(["MKVLAWQRYT"] * 2000, ["MKVLAWQRYT"] * 2000)
    assert len(pickle.dumps(rows[5])) < len(pickle.dumps(rows)) / 20


def test_identity_ranges_come_back(proteins: Files) -> None:
    rows = alnus.search(*proteins, identity_ranges=["alignment", "shorter"])
    assert (again(rows).identity_range("shorter") == rows.identity_range("shorter")).all()


def test_sessions_and_values_come_back() -> None:
    session = alnus.Session(devices="cpu", threads=1, memory="64M")
    assert repr(again(session)) == repr(session) and again(session).align("MKV", "MKV").score == 14
    values = alnus.z_values(["MKVLAWQRYT"], ["MKVLAWQRYT"], shuffles=20)
    other = again(values)
    assert isinstance(other, alnus.ZValues) and other.z.tolist() == values.z.tolist()
    calibration = session.calibrate(precision=0.1, length=100)
    assert again(calibration) == calibration


def test_errors_come_back() -> None:
    for one in (
        alnus.InputError,
        alnus.DatabaseError,
        alnus.DeviceError,
        alnus.OutOfMemoryError,
        alnus.OutputError,
    ):
        assert type(again(one("text"))) is one and str(again(one("text"))) == "text"


def test_streams_and_cores_do_not_pretend_to_be_pickled() -> None:
    stream = alnus.Session(devices="cpu").all_pairs(["MKV", "MKW"], stats="none")
    with pytest.raises(TypeError):
        pickle.dumps(stream)
    stream.close()


def _searched(arguments: tuple[alnus.Session, alnus.Database, alnus.Scoring]) -> alnus.Rows:
    session, database, scoring = arguments
    return session.search(database, database, scoring=scoring, stats="none")


def test_other_processes_get_and_return_objects() -> None:
    session = alnus.Session(devices="cpu", threads=1)
    databases = [alnus.Database(family(seed, 5)) for seed in (72, 73, 74)]
    scoring = alnus.Scoring(mode="global")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(_searched, [(session, database, scoring) for database in databases])
    for rows, database in zip(found, databases, strict=True):
        assert rows.score.tolist() == _searched((session, database, scoring)).score.tolist()


def test_files_hold_what_was_written(tmp_path: pathlib.Path) -> None:
    database = alnus.Database(["MKvLAW" * 50, "W", "MKHLAW"], list("abc"), titles=["the first", "", ""])
    for name in ("x.fasta", "x.fasta.gz", "x.fa.zst", "x.alnus"):
        database.write(tmp_path / name)
        other = alnus.Database.open(tmp_path / name).in_file_order()
        assert other.headers == database.headers
        assert [one.upper() for one in other] == [one.upper() for one in database]
    assert list(alnus.Database.open(tmp_path / "x.fasta")) == list(database)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.alnus", "x.fa.zst", "x.fasta", "x.fasta.gz"]
    dna = alnus.Database(["ACGTNACGT"], alphabet="dna")
    dna.write(tmp_path / "y.alnus")
    assert alnus.Database.open(tmp_path / "y.alnus").alphabet == "dna"


@pytest.mark.parametrize("name", ["x.fasta", "x.alnus"])
def test_sets_without_sequences_are_refused_or_written(tmp_path: pathlib.Path, name: str) -> None:
    try:
        alnus.Database([]).write(tmp_path / name)
    except alnus.Error:
        assert not (tmp_path / name).exists()
    else:
        assert (tmp_path / name).exists()
