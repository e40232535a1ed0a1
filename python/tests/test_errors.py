"""Mistakes raise an exception of a documented class, whose text names what is wrong."""

from __future__ import annotations

import math
import os
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from inputs import write_fasta

import alnus

A = ["MKVLAW", "MKHLAWQ"]
CLASSES = [
    (alnus.InputError, ValueError),
    (alnus.DatabaseError, OSError),
    (alnus.DeviceError, RuntimeError),
    (alnus.OutOfMemoryError, MemoryError),
    (alnus.OutputError, OSError),
]


@pytest.mark.parametrize("one, builtin", CLASSES)
def test_exceptions_are_of_alnus_and_of_a_class_of_python(one: type, builtin: type) -> None:
    assert issubclass(one, alnus.Error) and issubclass(one, builtin)


def test_other_classes_are_what_they_say() -> None:
    assert issubclass(alnus.Error, Exception) and issubclass(alnus.Cancelled, alnus.Error)
    assert issubclass(alnus.AlnusWarning, UserWarning)


UNKNOWN_WORDS: list[tuple[Callable[[], Any], str]] = [
    (lambda: alnus.align("MKV", "MKV", matrix="BLOSUM26"), "BLOSUM"),
    (lambda: alnus.Matrix("BLOSM62"), "BLOSUM62"),
    (lambda: alnus.align("MKV", "MKV", mode="globl"), "global"),  # type: ignore[call-overload]
    (lambda: alnus.align("MKV", "MKV", gap_convention="ncib"), "ncbi"),  # type: ignore[call-overload]
    (lambda: alnus.align("MKV", "MKV", preset="blatp"), "blastp"),  # type: ignore[call-overload]
    (lambda: alnus.align("MKV", "MKV", detail="scor"), "score"),  # type: ignore[call-overload]
    (lambda: alnus.align(A, A, detail="alignmnt"), "alignment"),
    (lambda: alnus.align("MKV", "MKV", mode="global", free_ends=["qbegn"]), "qbegin"),
    # type: ignore[call-overload]
    (lambda: alnus.search(["ACGT"], ["ACGT"], strand="pluss", alphabet="dna"), "plus"),  # type: ignore[arg-type]
    (lambda: alnus.search(A, A, stats="spoge"), "spouge"),  # type: ignore[arg-type]
    (lambda: alnus.search(A, A, composition="adjst"), "adjust"),  # type: ignore[arg-type]
    (lambda: alnus.search(A, A, low_complexity="nne"), "none"),  # type: ignore[arg-type]
    (lambda: alnus.search(A, A, count_strands="on"), "one"),  # type: ignore[arg-type]
    (lambda: alnus.search(A, A, identity_ranges=["shortr"]), "shorter"),  # type: ignore[list-item]
    (lambda: alnus.Database(A, alphabet="protien"), "protein"),  # type: ignore[arg-type]
    (lambda: alnus.search(A, A, alphabet="protien"), "protein"),  # type: ignore[arg-type]
    (lambda: alnus.pdist(A, value="distanc"), "distance"),  # type: ignore[arg-type]
    (lambda: alnus.pdist(A, denominator="end_gap"), "end_gaps"),  # type: ignore[arg-type]
    (lambda: alnus.z_values(A, A, shuffled="querry"), "query"),  # type: ignore[arg-type]
    (lambda: alnus.search(A, A, coverage_of="shortr", min_coverage=1), "shorter"),  # type: ignore[arg-type]
    (lambda: alnus.align(A, A, min_identity=1, denominator="longr"), "longer"),  # type: ignore[call-overload]
    (lambda: alnus.all_pairs(A, coverage_of="shortr", min_coverage=1), "shorter"),  # type: ignore[arg-type]
    (lambda: alnus.all_pairs(A, min_identity=1, denominator="longr"), "longer"),  # type: ignore[arg-type]
    (lambda: alnus.Session(devices="cpuu"), "cpu"),
    (lambda: alnus.Session(isa="avx"), "avx2"),
    (lambda: alnus.Session(method="intersq"), "interseq"),
    (lambda: alnus.align(A, A).identity("alignmet"), "alignment"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("number", range(len(UNKNOWN_WORDS)))
def test_unknown_words_propose_near_ones(number: int) -> None:
    call, near = UNKNOWN_WORDS[number]
    with pytest.raises(alnus.InputError, match=near):
        call()


@pytest.mark.parametrize("bad", [math.nan, "ten", b"1", True, [1], object(), {}], ids=repr)
@pytest.mark.parametrize("name", ["evalue", "min_score", "dbsize", "searchsp"])
def test_numbers_are_numbers(name: str, bad: Any) -> None:
    if name == "dbsize" and bad == [1]:
        bad = [1, 2, 3]
    with pytest.raises(alnus.InputError, match=name):
        alnus.search(A, A, **{name: bad})


@pytest.mark.parametrize("bad", [0, -1, 2**70, 1.5, "5", None, True, math.nan, np.float64(3)], ids=repr)
@pytest.mark.parametrize("name", ["max_target_seqs", "max_hsps", "shuffles", "threads"])
def test_whole_numbers_are_whole_and_in_their_range(name: str, bad: Any) -> None:
    if name == "threads" and bad is None:
        pytest.skip("None is the default")
    with pytest.raises(alnus.InputError, match=name):
        if name == "threads":
            alnus.Session(threads=bad)
        elif name == "shuffles":
            alnus.z_values(A, A, shuffles=bad)
        else:
            alnus.search(A, A, **{name: bad})


@pytest.mark.parametrize(
    "gaps",
    [(1,), (1, 2, 3), 5, "ab", (math.nan, 1), (math.inf, 1), (-1, 1), (1, -1), (10**400, 1), (None, 1), ("x", 1)],
    ids=repr,
)
def test_gap_costs_are_two_numbers(gaps: Any) -> None:
    with pytest.raises(alnus.InputError, match="gap"):
        alnus.align("MKV", "MKV", gaps=gaps)
    with pytest.raises(alnus.InputError, match="gap"):
        alnus.Scoring(gaps=gaps)


@pytest.mark.parametrize("size", ["", "x", "-1G", "0", 0, -5, math.nan, "1Z", 2**70, None, [], "1e400"], ids=repr)
def test_sizes_of_memory_are_sizes(size: Any) -> None:
    with pytest.raises(alnus.InputError, match="memory"):
        alnus.Session(memory=size)


def test_words_are_str() -> None:
    for bad in (5, b"global", ["global"], 1.5):
        with pytest.raises(alnus.InputError, match="mode"):
            alnus.align("MKV", "MKV", mode=bad)  # type: ignore[call-overload]
        with pytest.raises((alnus.InputError, TypeError)):
            alnus.align("MKV", "MKV", detail=bad)  # type: ignore[call-overload]
    with pytest.raises(alnus.InputError, match="progress"):
        alnus.search(A, A, progress=5)  # type: ignore[arg-type]
    with pytest.raises(alnus.InputError, match="scoring"):
        alnus.search(A, A, scoring="BLOSUM62")  # type: ignore[arg-type]
    with pytest.raises(alnus.InputError, match="not both"):
        alnus.search(A, A, scoring=alnus.Scoring(), mode="global")
    with pytest.raises(alnus.InputError, match="dna"):
        alnus.search(A, A, scoring=alnus.Scoring(alphabet="dna"))


@pytest.mark.parametrize(
    "call",
    [
        lambda: alnus.search(A, A, matirx="BLOSUM62"),  # type: ignore[call-arg]
        lambda: alnus.align("MKV", "MKV", gap_open=11),  # type: ignore[call-overload]
        lambda: alnus.align(A, A, gap_open=11),
        lambda: alnus.pdist(A, evalue=1),  # type: ignore[call-arg]
        lambda: alnus.all_pairs(A, max_target_seqs=5),  # type: ignore[call-arg]
        lambda: alnus.search(A),  # type: ignore[call-arg]
        lambda: alnus.search(A, A, 5),  # type: ignore[call-arg, misc]
        lambda: alnus.Session("cpu", 4),  # type: ignore[misc]
        lambda: alnus.Scoring("BLOSUM62"),  # type: ignore[misc]
        lambda: alnus.Database(),  # type: ignore[call-arg]
    ],
)
def test_unknown_arguments_are_type_errors(call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        call()


CPU = alnus.Session(devices="cpu")
UNKNOWN: list[tuple[Callable[[], Any], str]] = [
    (lambda: alnus.Session(thread=2), r"^Session\(\) has no argument 'thread'; did you mean threads\?$"),  # type: ignore[call-arg]
    (lambda: alnus.Database(A, alphabt="dna"), r"^Database\(\) .*did you mean alphabet"),  # type: ignore[call-arg]
    (lambda: alnus.Database.open("a.fa", masks=[]), r"^Database\.open\(\) .*did you mean mask"),  # type: ignore[call-arg]
    (lambda: CPU.open("a.fa", alphabt="dna"), r"^Session\.open\(\) .*did you mean alphabet"),  # type: ignore[call-arg]
    (lambda: alnus.Scoring(matirx="BLOSUM62"), r"^Scoring\(\) .*did you mean matrix"),  # type: ignore[call-arg]
    (lambda: alnus.search(A), r"^search\(\) missing 1 required"),  # type: ignore[call-arg]
    (lambda: CPU.search(A, A, 5), r"^search\(\) takes 3 positional"),  # type: ignore[call-arg, misc]
    (lambda: CPU.pdist(), r"^pdist\(\) missing 1 required"),  # type: ignore[call-overload]
    (lambda: CPU.prepare(), r"^Session\.prepare\(\) missing 1 required"),  # type: ignore[call-arg]
    (lambda: alnus.Session("cpu", 4), r"^Session\(\) takes"),  # type: ignore[misc]
]


@pytest.mark.parametrize("number", range(len(UNKNOWN)))
def test_type_errors_have_public_names_and_propose_arguments(number: int) -> None:
    call, says = UNKNOWN[number]
    with pytest.raises(TypeError, match=says) as caught:
        call()
    assert "Calls" not in str(caught.value) and "Base" not in str(caught.value)


def test_missing_files_are_errors_by_their_kind(tmp_path: pathlib.Path) -> None:
    queries = write_fasta(tmp_path / "queries.fasta", {"a": "MKVLAW"})
    for call in (
        lambda: alnus.Database.open(tmp_path / "no.fasta"),
        lambda: alnus.search(["MKV"], tmp_path / "no.fasta"),
        lambda: alnus.search(queries, tmp_path / "no.fasta"),
        lambda: alnus.cdist(queries, tmp_path / "no.fasta"),
    ):
        with pytest.raises(alnus.InputError, match=r"no\.fasta"):
            call()
    for call in (
        lambda: alnus.Database.open(tmp_path / "no.alnus"),
        lambda: alnus.search(["MKV"], tmp_path / "no.alnus"),
        lambda: alnus.search(queries, tmp_path / "no.alnus"),
    ):
        with pytest.raises(alnus.DatabaseError, match=r"no\.alnus"):
            call()


def test_cutoffs_that_no_pair_can_have_are_refused() -> None:
    for words, says in (
        ({"value": "score_distance", "cutoff": -1}, "cutoff is -1, but score distances are 0 or more"),
        ({"value": "distance", "cutoff": 40}, r"cutoff is 40, .*write 0\.4 for 40%"),
        ({"value": "identity", "cutoff": 97.5}, r"write 0\.975 for 97\.5%"),
        ({"value": "identity", "cutoff": -3}, r"cutoff is -3, but identities are fractions; it must be from 0 to 1\.$"),
        ({"value": "identity", "cutoff": 1.5}, r"cutoff is 1\.5, but .*it must be from 0 to 1\.$"),
        ({"value": "distance", "cutoff": -0.5}, r"cutoff is -0\.5, but .*it must be from 0 to 1\.$"),
    ):
        with pytest.raises(alnus.InputError, match=says):
            alnus.pdist(["MKV", "MKW"], **words)  # type: ignore[call-overload]
        with pytest.raises(alnus.InputError, match=says):
            alnus.cdist(["MKV", "MKW"], ["MKV"], **words)  # type: ignore[call-overload]
    assert alnus.pdist(["MKV", "MKV"], value="score_distance", cutoff=0, mode="global").nnz == 2
    assert alnus.pdist(["MKV", "MKW"], value="score", cutoff=-1, mode="global").nnz == 2


@pytest.mark.parametrize(
    "pairs",
    [
        [[0, 2]],
        [[2, 0]],
        [[-1, 0]],
        [[0, 2**40]],
        [[0, -(2**40)]],
        [[0]],
        [[0, 1, 1]],
        [0, 1],
        [[0.0, 1.0]],
        [["0", "1"]],
        [[True, False]],
        [[0, 1], [0]],
        [[None, 0]],
        np.zeros((1, 2, 1), dtype=int),
        "01",
        5,
        None,
        [[10**30, 0]],
        np.array([[np.nan, 0]]),
    ],
    ids=repr,
)
def test_pairs_are_indices_below_the_numbers_of_sequences(pairs: Any) -> None:
    with pytest.raises(alnus.InputError, match="pairs"):
        alnus.align_pairs(A, A, pairs)
    if pairs is not None:
        with pytest.raises(alnus.InputError, match="pairs"):
            alnus.z_values(A, A, pairs, shuffles=10)


def test_sets_of_different_sizes_have_no_pairs_element_by_element() -> None:
    with pytest.raises(alnus.InputError, match=r"2 sequences.*1"):
        alnus.align(A, ["MKV"])
    with pytest.raises(alnus.InputError, match=r"2 sequences.*1"):
        alnus.identity_range(A, ["MKV"])


def test_files_that_cannot_be_read_are_named(tmp_path: pathlib.Path) -> None:
    files = {
        "missing": tmp_path / "missing.fasta",
        "folder": tmp_path / "folder",
        "empty": tmp_path / "empty.fasta",
    }
    files["text"] = tmp_path / "text.fasta"
    files["record"] = tmp_path / "record.fasta"
    files["folder"].mkdir()
    files["empty"].write_text("")
    files["text"].write_text("hello")
    files["record"].write_bytes(b">a\nMKV\n>b\nMK\x00V\n")
    for file in files.values():
        for call in (alnus.Database.open, alnus.Database.read, lambda one: alnus.search(one, A), alnus.pdist):
            with pytest.raises(alnus.InputError) as caught:
                call(file)
            assert file.name in str(caught.value)
    with pytest.raises(alnus.InputError, match=r"record 2.*'b'"):
        alnus.Database.open(files["record"])
    with pytest.raises(alnus.InputError, match="zero"):
        alnus.Database.open("a\0b.fasta")
    with pytest.raises(alnus.InputError, match="path"):
        alnus.Database.open(5)  # type: ignore[arg-type]
    with pytest.raises(alnus.InputError):
        alnus.Matrix(tmp_path / "no.matrix")
    (tmp_path / "bad.matrix").write_text("  A R\nA 4 x\n")
    with pytest.raises(alnus.InputError, match=r"bad\.matrix"):
        alnus.Matrix(tmp_path / "bad.matrix")


def test_a_damaged_database_file_is_a_database_error(tmp_path: pathlib.Path) -> None:
    alnus.make_database(
        write_fasta(tmp_path / "x.fasta", {f"s{k}": "MKVLAWQRYT" * 30 for k in range(30)}), tmp_path / "x.alnus"
    )
    data = bytearray((tmp_path / "x.alnus").read_bytes())
    (tmp_path / "cut.alnus").write_bytes(data[: len(data) // 2])
    data[len(data) // 2] ^= 0xFF
    (tmp_path / "flipped.alnus").write_bytes(data)
    for name in ("cut", "flipped"):
        with pytest.raises(alnus.DatabaseError, match=name):
            alnus.search(A, alnus.Database.read(tmp_path / f"{name}.alnus"))
        with pytest.raises(alnus.DatabaseError, match=name):
            alnus.search(A, tmp_path / f"{name}.alnus")


def test_outputs_that_cannot_be_written_are_named(tmp_path: pathlib.Path) -> None:
    rows, database = alnus.search(A, A), alnus.Database(A)
    (tmp_path / "folder").mkdir()
    calls: list[Callable[[pathlib.Path], Any]] = [
        lambda file: rows.write(file),
        lambda file: database.write(file),
        lambda file: alnus.write_all_pairs(A, output=file, stats="none"),
        lambda file: alnus.write_all_pairs(A, edges=file, edge_value="score", edge_threshold=1),
    ]
    for file in (tmp_path / "missing" / "x", tmp_path / "folder"):
        for call in calls:
            with pytest.raises(alnus.Error) as caught:
                call(file)
            assert isinstance(caught.value, alnus.OutputError | alnus.InputError | alnus.DatabaseError)
            assert file.name in str(caught.value)
    for output in (tmp_path / "missing" / "x.alnus", tmp_path / "folder"):
        with pytest.raises(alnus.Error, match=output.name):
            alnus.make_database(write_fasta(tmp_path / "a.fasta", {"a": "MKVLAW"}), output)
    with pytest.raises(alnus.InputError, match="file"):
        rows.write(5)  # type: ignore[arg-type]
    assert sorted(os.listdir(tmp_path)) == ["a.fasta", "folder"]


def test_a_database_file_in_a_missing_folder_is_an_output_error(tmp_path: pathlib.Path) -> None:
    with pytest.raises(alnus.Error, match="missing"):
        alnus.Database(A).write(tmp_path / "missing" / "x.alnus")


def test_a_database_file_of_nothing_is_refused_by_its_name(tmp_path: pathlib.Path) -> None:
    with pytest.raises(alnus.InputError, match=r"x\.alnus"):
        alnus.Database([]).write(tmp_path / "x.alnus")


@pytest.mark.parametrize("bad", ["score", 5, ["score"]])
def test_matrices_are_a_dict(bad: Any) -> None:
    with pytest.raises(alnus.InputError, match="matrices"):
        alnus.write_all_pairs(A, matrices=bad)


def test_an_input_is_not_overwritten(tmp_path: pathlib.Path) -> None:
    file = write_fasta(tmp_path / "x.fasta", {"a": "MKVLAW", "b": "MKHLAWQ"})
    before = file.read_bytes()
    with pytest.raises(alnus.Error, match=r"x\.fasta"):
        alnus.make_database(file, file)
    with pytest.raises(alnus.Error, match=r"x\.fasta"):
        alnus.write_all_pairs(file, output=file, stats="none")
    assert file.read_bytes() == before


def test_outputs_of_all_pairs_that_make_no_sense_are_refused(tmp_path: pathlib.Path) -> None:
    x, y = tmp_path / "x", tmp_path / "y"
    calls: list[dict[str, Any]] = [
        {"edges": x},
        {"matrices": {"identty": x}},
        {"matrices": {5: x}},
        {"matrices": {"score": 5}},
        {"output": x, "phylip": x},
        {"matrices": {"score": x, "identity": x}},
        {"output": x, "format": "srspir"},
        {"output": x, "format": 5.5},
        {"phylip": x, "against": A},
        {
            "matrices": {"score": x},
            "gaps": (10.5, 0.5),
            "square": "yes",
            "checkpoint": y,
            "format": None,
            "add": 5,
        },
        {"add": A, "output": x},
        {"edges": x, "edge_threshold": math.nan},
        {"edges": x, "edge_threshold": "much"},
        {"edges": x, "edge_threshold": 1, "edge_value": "scor"},
    ]
    for words in calls:
        with pytest.raises((alnus.InputError, TypeError)):
            alnus.write_all_pairs(A, **words)
        assert not x.exists(), words


def test_all_pairs_without_an_output_are_refused() -> None:
    with pytest.raises(alnus.InputError, match="output"):
        alnus.write_all_pairs(A)


def test_matrices_of_decimal_scores_can_be_written(tmp_path: pathlib.Path) -> None:
    with pytest.raises(alnus.InputError, match="matrix_type float32"):
        alnus.write_all_pairs(A, matrices={"score": tmp_path / "m.npy"}, gaps=(10.5, 0.5))
    alnus.write_all_pairs(A, matrices={"score": tmp_path / "m.npy"}, matrix_type="float32", gaps=(10.5, 0.5))
    assert np.load(tmp_path / "m.npy").tolist() == alnus.pdist(A, value="score", gaps=(10.5, 0.5)).tolist()


@pytest.mark.parametrize("words", [{"output": "x", "format": "\ud800"}, {"matrices": {"\ud800": "x"}}], ids=repr)
def test_words_that_are_no_text_are_refused(
    words: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((alnus.InputError, TypeError)):
        alnus.write_all_pairs(A, **words)


def test_matrices_from_arrays_are_checked() -> None:
    good = 2 * np.eye(4) - 1
    matrix = alnus.Matrix.from_array(good, "ACGT", alphabet="dna")
    assert matrix.letters[:4] == "ACGT" and matrix.values[:4, :4].tolist() == good.tolist()
    assert (
        alnus.align(
            "ACGT",
            "ACGA",
            alphabet="dna",
            matrix=alnus.Matrix.from_array(good, "ACGT", alphabet="dna"),
            mode="global",
        ).score
        == 2
    )
    for values, letters, words in (
        (good, "ACG", {}),
        (good[:3], "ACGT", {}),
        (good * math.nan, "ACGT", {}),
        (good * math.inf, "ACGT", {}),
        (good, "AC T", {}),
        (good, "AAGT", {}),
        (good, 5, {}),
        (good, "ACGT", {"alphabet": "protein"}),
        (good * 1e30, "ACGT", {}),
        ([["a"]], "A", {}),
        (None, "ACGT", {}),
        (good, "ACG\u00c5", {}),
        (good, "ACG#", {}),
        (good, "ACGT", {"name": 5}),
    ):
        arguments: dict[str, Any] = {"alphabet": "dna", **words}
        with pytest.raises(alnus.InputError):
            alnus.Matrix.from_array(values, letters, **arguments)  # type: ignore[arg-type]


def test_a_matrix_of_the_other_alphabet_is_refused() -> None:
    with pytest.raises(alnus.InputError):
        alnus.align("MKV", "MKV", matrix="NUC44")
    with pytest.raises(alnus.InputError):
        alnus.align("ACGT", "ACGT", alphabet="dna", matrix="BLOSUM62")
    with pytest.raises(alnus.InputError, match="match"):
        alnus.align("ACGT", "ACGT", alphabet="dna", match=math.nan)


def test_a_gpu_that_is_not_there_is_a_device_error() -> None:
    backends = {one["name"]: one for one in alnus.devices()}
    if backends["cuda"]["available"]:
        pytest.skip("there is a GPU")
    with pytest.raises(alnus.DeviceError, match=r"driver|CUDA|cuda|GPU"):
        alnus.Session(devices="cuda").search(A, A)


@pytest.mark.parametrize("size", [4000, "4000", "4000B", 2**20 - 1], ids=repr)
def test_sizes_without_a_unit_are_not_tiny(size: Any) -> None:
    for name in ("memory", "device_memory"):
        with pytest.raises(alnus.InputError, match=f'{name} is .*bytes are too little. Give a unit, as in "4G"'):
            alnus.Session(**{name: size})


def test_misspelt_keywords_are_told() -> None:
    for call, arguments, near in (
        (alnus.search, {"max_target_seq": 5}, "max_target_seqs"),
        (alnus.Session().search, {"gap": (11, 1)}, "gaps"),
        (alnus.all_pairs, {"min_identiy": 90}, "min_identity"),
        (alnus.align, {"matirx": "BLOSUM62"}, "matrix"),
        (alnus.cost_of_search, {"max_targets": 5}, "max_target_seqs"),
    ):
        with pytest.raises(TypeError, match=f"did you mean {near}\\?"):
            call(["MKV"], ["MKV"], **arguments)
    with pytest.raises(TypeError, match=r"pdist\(\) has no argument 'xyz_q'; help\(pdist\) lists them\."):
        alnus.pdist(["MKV"], xyz_q=1)  # type: ignore[call-overload]
    of_classes: list[tuple[Any, str]] = [
        (alnus.Database.open, "Database.open"),
        (alnus.Database.read, "Database.read"),
        (alnus.Database.from_buffer, "Database.from_buffer"),
        (alnus.Session().open, "Session.open"),
        (alnus.Session().release, "Session.release"),
    ]
    for method, name in of_classes:
        with pytest.raises(TypeError) as caught:
            method("a.fa", xyz_q=1)
        assert str(caught.value) == f"{name}() has no argument 'xyz_q'; help({name}) lists them."


def test_empty_sets_are_told() -> None:
    for call, arguments in (
        (alnus.search, ([], ["MKV"])),
        (alnus.search, (["MKV"], {})),
        (alnus.pdist, ([],)),
        (alnus.cdist, (["MKV"], [])),
        (alnus.align, ([], [])),
    ):
        with pytest.warns(alnus.AlnusWarning) as told:
            call(*arguments)
        assert sum("no sequences, and nothing is aligned" in str(one.message) for one in told) == 1
