"""All pairs: batches and files equal the program's, and streams end when they are stopped or dropped."""

from __future__ import annotations

import gc
import json
import pathlib
import threading
from typing import Any

import numpy as np
import pytest
from inputs import family, write_fasta
from support import FULL, Program

import alnus

COLUMNS = "6 qseqid sseqid score bitscore evalue qstart qend sstart send sstrand cigar"


@pytest.fixture(scope="session")
def proteins_of_all_pairs(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    folder = tmp_path_factory.mktemp("allpairs")
    first = {f"a{k} title": one for k, one in enumerate(family(21, 20))}
    second = {f"b{k}": one for k, one in enumerate(family(22, 7))}
    return write_fasta(folder / "a.fasta", first), write_fasta(folder / "b.fasta", second)


@pytest.fixture(scope="session")
def genes(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    sequences = {f"g{k}": one for k, one in enumerate(family(23, 14, "ACGT"))}
    return write_fasta(tmp_path_factory.mktemp("genes") / "g.fasta", sequences)


def batches(stream: alnus.PairStream, folder: pathlib.Path, outfmt: str) -> bytes:
    text = b""
    for rows in stream:
        rows.write(folder / "batch", outfmt)
        text += (folder / "batch").read_bytes()
    return text


@pytest.mark.parametrize(
    "words, options",
    [
        ({}, ()),
        ({"with_self": True}, ("--self",)),
        ({"mode": "global", "stats": "none"}, ("--mode", "global", "--stats", "none")),
        ({"mode": "semiglobal", "stats": "none"}, ("--mode", "semiglobal", "--stats", "none")),
        ({"min_score": 30}, ("--min-score", 30)),
        ({"min_identity": 50.0, "denominator": "shorter"}, ("--min-identity", 50, "--identity", "shorter")),
        ({"denominator": "end_gaps", "min_identity": 20}, ("--identity", "end-gaps", "--min-identity", 20)),
        ({"evalue": 1e-3}, ("--evalue", 1e-3)),
        ({"min_coverage": 60, "coverage_of": "shorter"}, ("--min-coverage", 60, "--coverage-of", "shorter")),
        ({"min_length": 25}, ("--min-length", 25)),
        ({"detail": "score"}, ("--detail", "score")),
        (
            {"gaps": (10.5, 0.5), "stats": "none"},
            ("--gap-open", 10.5, "--gap-extend", 0.5, "--stats", "none"),
        ),
    ],
    ids=str,
)
def test_batches_are_the_programs_rows(
    program: Program, proteins_of_all_pairs: Any, tmp_path: pathlib.Path, words: Any, options: Any
) -> None:
    file = proteins_of_all_pairs[0]
    expected = program.text("allpairs", file, *options, "--outfmt", COLUMNS)
    assert batches(alnus.all_pairs(file, **words), tmp_path, COLUMNS) == expected
    assert len(expected) > 0


def test_shortcuts_change_no_rows(program: Program, proteins_of_all_pairs: Any, tmp_path: pathlib.Path) -> None:
    file = proteins_of_all_pairs[0]
    words = {"mode": "global", "min_identity": 20, "denominator": "longer"}
    options = ("--mode", "global", "--min-identity", 20, "--identity", "longer", "--no-shortcuts")
    expected = program.text("allpairs", file, *options, "--outfmt", COLUMNS)
    for shortcuts in (True, False):
        with alnus.Session(devices="cpu", shortcuts=shortcuts) as session:
            assert batches(session.all_pairs(file, **words), tmp_path, COLUMNS) == expected


def test_two_sets_are_the_programs_rows(program: Program, proteins_of_all_pairs: Any, tmp_path: pathlib.Path) -> None:
    a, b = proteins_of_all_pairs
    expected = program.text("allpairs", a, "--against", b, "--outfmt", COLUMNS)
    assert batches(alnus.all_pairs(a, b), tmp_path, COLUMNS) == expected


@pytest.mark.parametrize("strand", ["plus", "minus", "both"])
def test_pairs_of_dna_are_the_programs_rows(
    program: Program, genes: pathlib.Path, tmp_path: pathlib.Path, strand: Any
) -> None:
    expected = program.text("allpairs", genes, "--alphabet", "dna", "--strand", strand, "--outfmt", COLUMNS)
    assert batches(alnus.all_pairs(genes, alphabet="dna", strand=strand), tmp_path, COLUMNS) == expected


@pytest.mark.parametrize(
    "name, words, options",
    [
        ("rows.tsv", {"output": "rows.tsv", "format": COLUMNS}, ("-o", "rows.tsv", "--outfmt", COLUMNS)),
        (
            "rows.csv",
            {"output": "rows.csv", "format": "10", "header": True},
            ("-o", "rows.csv", "--outfmt", "10", "--header"),
        ),
        ("rows.jsonl", {"output": "rows.jsonl", "format": "jsonl"}, ("-o", "rows.jsonl", "--outfmt", "jsonl")),
        ("rows.txt", {"output": "rows.txt", "format": "0"}, ("-o", "rows.txt", "--outfmt", "0")),
        ("rows.xml", {"output": "rows.xml", "format": "5"}, ("-o", "rows.xml", "--outfmt", "5")),
        ("m.npy", {"matrices": {"identity": "m.npy"}}, ("--matrix-out", "identity:m.npy")),
        ("m.npy.ids", {"matrices": {"identity": "m.npy"}}, ("--matrix-out", "identity:m.npy")),
        ("m.npy", {"matrices": {"score": "m.npy"}}, ("--matrix-out", "score:m.npy")),
        (
            "m.npy",
            {"matrices": {"distance": "m.npy"}, "denominator": "mean"},
            ("--matrix-out", "distance:m.npy", "--identity", "mean"),
        ),
        ("m.npy", {"matrices": {"score": "m.npy"}, "square": True}, ("--matrix-out", "score:m.npy", "--square")),
        ("p.phy", {"phylip": "p.phy"}, ("--phylip", "p.phy")),
        ("e.tsv", {"edges": "e.tsv", "edge_threshold": 40}, ("--edges", "e.tsv", "--edge-threshold", 40)),
        ("e.npz", {"edges": "e.npz", "edge_threshold": 40}, ("--edges", "e.npz", "--edge-threshold", 40)),
        (
            "e.csv",
            {"edges": "e.csv", "edge_value": "score", "edge_threshold": 30},
            ("--edges", "e.csv", "--matrix-value", "score", "--edge-threshold", 30),
        ),
        (
            "e.tsv",
            {"edges": "e.tsv", "edge_value": "distance", "edge_threshold": 0.5, "min_length": 10},
            ("--edges", "e.tsv", "--matrix-value", "distance", "--edge-threshold", 0.5, "--min-length", 10),
        ),
    ],
    ids=str,
)
def test_files_are_the_programs_files(
    program: Program, proteins_of_all_pairs: Any, tmp_path: pathlib.Path, name: str, words: Any, options: Any
) -> None:
    file, names = proteins_of_all_pairs[0], ("output", "phylip", "edges")
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    ours = {key: tmp_path / "ours" / value if key in names else value for key, value in words.items()}
    if "matrices" in words:
        ours["matrices"] = {value: tmp_path / "ours" / one for value, one in words["matrices"].items()}
    counted = alnus.write_all_pairs(file, **ours)
    edges = ours.get("edges")
    if isinstance(edges, pathlib.Path) and edges.suffix == ".tsv":
        assert counted["edges"] == len(edges.read_text().splitlines())
    known = ("rows.", "m.npy", "p.phy", "e.")
    theirs = [
        w
        if not isinstance(w, str) or not w.split(":")[-1].startswith(known)
        else ":".join([*w.split(":")[:-1], str(tmp_path / "theirs" / w.split(":")[-1])])
        for w in options
    ]
    program.text("allpairs", file, *theirs)
    assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert counted["pairs"] == (210 if words.get("square") else 190)
    assert sorted(p.name for p in (tmp_path / "ours").iterdir()) == sorted(
        p.name for p in (tmp_path / "theirs").iterdir()
    )


def test_the_nearest_are_the_programs(program: Program, proteins_of_all_pairs: Any, tmp_path: pathlib.Path) -> None:
    first, second = proteins_of_all_pairs
    for against in ((), ("--against", second)):
        rows, edges = tmp_path / "rows", tmp_path / "edges.npz"
        options = ("--mode", "global", "--top-k", "3", "--matrix-value", "distance", "--identity", "longer")
        program.run("allpairs", first, *against, *options, "--outfmt", COLUMNS, "-o", rows, "--edges", edges)
        others = against[1:]
        words: Any = {"mode": "global", "top_k": 3, "denominator": "longer"}
        stream = alnus.all_pairs(first, *others, value="distance", **words)
        assert batches(stream, tmp_path, COLUMNS) == rows.read_bytes()
        alnus.write_all_pairs(
            first,
            *others,
            output=tmp_path / "r",
            format=COLUMNS,
            edges=tmp_path / "e.npz",
            edge_value="distance",
            **words,
        )
        assert (tmp_path / "r").read_bytes() == rows.read_bytes()
        assert (tmp_path / "e.npz").read_bytes() == edges.read_bytes()
        values = alnus.cdist(first, *others, **words) if others else alnus.pdist(first, **words)
        loaded = pytest.importorskip("scipy.sparse").load_npz(edges)
        np.testing.assert_allclose(values.toarray(), loaded.toarray(), rtol=1e-6)
        assert set(np.diff(values.indptr)) == {3}


def test_the_nearest_by_score_are_the_default(
    program: Program, proteins_of_all_pairs: Any, tmp_path: pathlib.Path
) -> None:
    first, _ = proteins_of_all_pairs
    program.run("allpairs", first, "--top-k", "2", "--outfmt", COLUMNS, "-o", tmp_path / "rows")
    assert batches(alnus.all_pairs(first, top_k=2), tmp_path, COLUMNS) == (tmp_path / "rows").read_bytes()
    alnus.write_all_pairs(first, output=tmp_path / "r", format=COLUMNS, top_k=2)
    assert (tmp_path / "r").read_bytes() == (tmp_path / "rows").read_bytes()


@pytest.mark.parametrize("wrong", [0, -1, 2**32, 1.5, True, "3"])
def test_top_k_is_a_whole_number_from_1(wrong: Any) -> None:
    with pytest.raises(alnus.InputError, match="top_k"):
        alnus.pdist(["MKV", "MKW"], top_k=wrong)


def test_a_value_is_for_top_k() -> None:
    with pytest.raises(alnus.InputError, match="top_k"):
        alnus.all_pairs(["MKV", "MKW"], value="distance")


def test_the_nearest_are_no_dense_matrix(tmp_path: pathlib.Path) -> None:
    with pytest.raises(alnus.InputError, match="top_k"):
        alnus.pdist(["MKV", "MKW"], top_k=1, format="condensed")  # type: ignore[call-overload]
    with pytest.raises(alnus.InputError, match="top_k"):
        alnus.write_all_pairs(["MKV", "MKW"], matrices={"score": tmp_path / "m.npy"}, top_k=1)
    assert not list(tmp_path.iterdir())


def test_a_rectangle_has_ids_of_rows_and_columns(
    program: Program, proteins_of_all_pairs: Any, tmp_path: pathlib.Path
) -> None:
    a, b = proteins_of_all_pairs
    alnus.write_all_pairs(a, b, matrices={"score": tmp_path / "r.npy"})
    program.text("allpairs", a, "--against", b, "--matrix-out", f"score:{tmp_path / 'p.npy'}")
    for end in ("", ".rows.ids", ".columns.ids"):
        assert (tmp_path / f"r.npy{end}").read_bytes() == (tmp_path / f"p.npy{end}").read_bytes()
    assert np.load(tmp_path / "r.npy").shape == (20, 7)
    assert (np.load(tmp_path / "r.npy") == alnus.cdist(a, b, value="score")).all()


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "tsv"])
def test_a_matrix_is_a_table_by_its_name(tmp_path: pathlib.Path, suffix: str) -> None:
    pandas = pytest.importorskip("pandas")
    names = ["plain", "with,comma", "NA", "sp|P1|X"]
    sequences = dict(zip(names, family(6, 4), strict=True))
    counted = alnus.write_all_pairs(
        sequences, matrices={"distance": tmp_path / f"d.{suffix}", "score": tmp_path / "s.npy"}, mode="global"
    )
    assert counted["pairs"] == 10  # each sequence is aligned with itself, too
    assert {file.name for file in tmp_path.iterdir()} == {f"d.{suffix}", "s.npy", "s.npy.ids"}
    separator = "\t" if suffix == "tsv" else ","
    frame = pandas.read_csv(tmp_path / f"d.{suffix}", index_col=0, keep_default_na=False, sep=separator)
    assert list(frame.index) == list(frame.columns) == names
    distances = alnus.pdist(sequences, mode="global").astype(np.float32)
    assert frame.to_numpy(dtype=np.float32)[np.triu_indices(4, 1)].tolist() == distances.tolist()
    assert np.diagonal(frame).tolist() == [0] * 4


def test_a_table_of_two_sets_has_no_diagonal(tmp_path: pathlib.Path) -> None:
    rows, columns = {"a": "MKVLAW", "b": "MKVLA"}, {"c": "MKWLAW"}
    table = tmp_path / "m.tsv"
    counted = alnus.write_all_pairs(rows, columns, matrices={"score": table}, mode="global")
    assert counted["pairs"] == 2
    scores = alnus.cdist(rows, columns, value="score", mode="global")[:, 0]
    assert table.read_text() == "\tc\n" + "".join(
        f"{name}\t{score:g}\n" for name, score in zip("ab", scores, strict=True)
    )


def test_several_outputs_of_one_run_agree(proteins_of_all_pairs: Any, tmp_path: pathlib.Path) -> None:
    file = proteins_of_all_pairs[0]
    matrices = {value: tmp_path / f"{value}.npy" for value in ("score", "identity", "distance")}
    alnus.write_all_pairs(file, matrices=matrices, phylip=tmp_path / "p", edges=tmp_path / "e", edge_threshold=0.0)
    identity, distance = np.load(matrices["identity"]), np.load(matrices["distance"])
    assert np.allclose(distance, 1 - identity / 100, atol=1e-6)
    assert np.allclose(identity / 100, alnus.pdist(file, value="identity"), atol=1e-6)
    assert (np.load(matrices["score"]) == alnus.pdist(file, value="score")).all()
    assert (tmp_path / "p").read_text().split()[0] == "20"


def test_a_finished_checkpoint_is_only_checked_and_can_be_extended(program: Program, tmp_path: pathlib.Path) -> None:
    sequences = {f"s{k}": one for k, one in enumerate(family(24, 18))}
    old = write_fasta(tmp_path / "old.fasta", dict(list(sequences.items())[:12]))
    new = write_fasta(tmp_path / "new.fasta", dict(list(sequences.items())[12:]))
    whole = write_fasta(tmp_path / "whole.fasta", sequences)

    def files(name: str) -> dict[str, Any]:
        return {
            "matrices": {"identity": tmp_path / f"{name}.npy"},
            "edges": tmp_path / f"{name}.tsv",
            "edge_threshold": 30,
            "checkpoint": tmp_path / f"{name}.run",
            "output": tmp_path / f"{name}.rows",
            "format": "6 qseqid sseqid score cigar",
        }

    first = alnus.write_all_pairs(old, **files("x"))
    assert first["pairs"] == 66 and not first["finished_before"]
    again = alnus.write_all_pairs(old, **files("x"))
    assert again["finished_before"]
    more = alnus.write_all_pairs(old, add=new, **files("x"))
    assert more["pairs"] == 153 - 66
    alnus.write_all_pairs(whole, **files("y"))
    for end in ("npy", "npy.ids", "tsv", "rows"):
        assert (tmp_path / f"x.{end}").read_bytes() == (tmp_path / f"y.{end}").read_bytes(), end
    with pytest.raises(alnus.Error, match=r"matrix|BLOSUM"):
        alnus.write_all_pairs(whole, matrix="BLOSUM80", **files("y"))
    ledger = tmp_path / "y.run" / "ledger.json"
    text = json.loads(ledger.read_text())
    assert text
    ledger.write_text(ledger.read_text().replace("1", "2", 1))
    with pytest.raises(alnus.Error, match="ledger"):
        alnus.write_all_pairs(whole, **files("y"))


def test_an_interrupted_run_goes_on(tmp_path: pathlib.Path) -> None:
    sequences = family(25, 1000, shortest=200, longest=400)  # takes about a second, in which progress is told ten times
    words: dict[str, Any] = {"checkpoint": tmp_path / "run", "matrices": {"score": tmp_path / "m.npy"}}
    session = alnus.Session(devices="cpu", threads=2, memory="4M")

    class Enough(Exception):
        pass

    def stop(progress: alnus.Progress) -> None:
        if 0.01 < progress.fraction < 1:
            raise Enough

    with pytest.raises(Enough):
        session.write_all_pairs(sequences, progress=stop, **words)
    assert not (tmp_path / "m.npy").exists()
    counted = session.write_all_pairs(sequences, **words)
    assert 0 <= counted["first_row"] < 1000
    assert (np.load(tmp_path / "m.npy") == alnus.pdist(sequences, value="score")).all()


def test_batches_arrive_while_the_rest_is_computed_and_together_are_all() -> None:
    count = 1500 if FULL else 300
    sequences = family(26, count, shortest=10, longest=30)
    session = alnus.Session(devices="cpu", threads=2, memory="2M")
    seen = np.zeros((count, count), dtype=int)
    number = 0
    for rows in session.all_pairs(sequences, mode="global", significance=False, detail="score"):
        seen[rows.query, rows.subject] += 1
        assert (rows.query < rows.subject).all()
        assert (np.lexsort((rows.query, rows.subject)) == np.arange(len(rows))).all()
        number += 1
    assert number > 1
    assert (seen == np.triu(np.ones((count, count), dtype=int), 1)).all()


def test_a_stream_is_an_iterator_that_ends_once() -> None:
    stream = alnus.all_pairs(["MKVLAW", "MKHLAW", "MKWLAW"], stats="none")
    assert iter(stream) is stream and stream.is_open
    assert sum(len(rows) for rows in stream) == 3
    with pytest.raises(StopIteration):
        next(stream)
    assert not stream.is_open
    with pytest.raises(StopIteration):
        next(stream)
    stream.close()


def test_a_stream_closes_and_its_batches_stay() -> None:
    session = alnus.Session(devices="cpu", threads=2, memory="2M")
    with session.all_pairs(family(27, 300), stats="none", detail="score") as stream:
        rows = next(stream)
        copy = rows.score.copy()
    assert not stream.is_open and list(stream) == []
    assert (rows.score == copy).all()
    assert session.align(["MKVLAW"], ["MKVLAW"]).score.tolist() == [33]


def test_a_call_during_an_open_stream_is_an_error_and_after_it_is_none() -> None:
    session = alnus.Session(devices="cpu", threads=1)
    stream = session.all_pairs(family(28, 20), stats="none")
    calls: list[Any] = [
        lambda: session.search(["MKVLAW"], ["MKVLAW"]),
        lambda: session.align(["MKVLAW"], ["MKVLAW"]),
        lambda: session.align_pairs(["MKVLAW"], ["MKVLAW"], [[0, 0]]),
        lambda: session.pdist(["MKVLAW"]),
        lambda: session.cdist(["MKVLAW"], ["MKVLAW"]),
        lambda: session.all_pairs(["MKVLAW"]),
        lambda: session.z_values(["MKVLAW"], ["MKVLAW"], shuffles=10),
        lambda: session.identity_range(["MKVLAW"], ["MKVLAW"]),
        lambda: session.calibrate(precision=0.1),
    ]
    for call in calls:
        with pytest.raises(alnus.InputError, match="all_pairs"):
            call()
    assert session.align("MKVLAW", "MKVLAW").score == 33
    stream.close()
    assert session.pdist(["MKVLAW", "MKVLAW"]).tolist() == [0]


def test_a_dropped_stream_ends() -> None:
    session = alnus.Session(devices="cpu", threads=2, memory="2M")
    stream = session.all_pairs(family(29, 300), stats="none")
    next(stream)
    threads = threading.active_count()
    del stream
    gc.collect()
    assert session.pdist(["MKVLAW", "MKVLAW"]).tolist() == [0]
    assert threading.active_count() <= threads


def test_an_exception_in_the_loop_leaves_the_session_usable() -> None:
    session = alnus.Session(devices="cpu", threads=2, memory="2M")
    with pytest.raises(ZeroDivisionError):
        for _ in session.all_pairs(family(30, 200), stats="none"):
            1 / 0  # noqa: B018
    gc.collect()
    assert session.pdist(["MKVLAW", "MKVLAW"]).tolist() == [0]


def test_an_exception_of_progress_ends_the_stream() -> None:
    session = alnus.Session(devices="cpu", threads=2, memory="2M")

    def fail(progress: alnus.Progress) -> None:
        raise KeyError(progress.fraction)

    with pytest.raises(KeyError):
        for _ in session.all_pairs(family(31, 600, longest=200), stats="none", progress=fail):
            pass
    assert session.pdist(["MKVLAW", "MKVLAW"]).tolist() == [0]


def test_sets_of_no_and_one_sequence_have_no_pairs() -> None:
    for sequences in (["MKV"], [""]):
        assert sum(len(rows) for rows in alnus.all_pairs(sequences, stats="none")) == 0
    assert sum(len(rows) for rows in alnus.all_pairs(["MKV"], stats="none", with_self=True)) == 1


@pytest.mark.parametrize("rows", [{"format": "6 qseqid"}, {"header": True}])
def test_the_look_of_rows_needs_a_file_of_rows(rows: dict[str, Any], tmp_path: pathlib.Path) -> None:
    with pytest.raises(alnus.InputError, match="name the file of the rows by output"):
        alnus.Session(devices="cpu").write_all_pairs(["MKV", "MKL"], edges=tmp_path / "e.tsv", edge_threshold=1, **rows)
    assert not (tmp_path / "e.tsv").exists()
