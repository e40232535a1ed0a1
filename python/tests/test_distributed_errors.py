"""What alnus.distributed refuses before anything is computed, and what it does with damaged files. No worker starts."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import pytest
from support import run_script
from test_distributed_ranges import line

import alnus
from alnus.distributed import Status, __main__, all_pairs
from alnus.distributed._command import Command, of_arguments, of_keywords
from alnus.distributed._folder import Folder
from alnus.distributed._pool import Range


@pytest.fixture
def sequences(tmp_path: pathlib.Path) -> str:
    path = tmp_path / "set.fasta"
    path.write_text(">a\nMKVLAHEAGAWGHEE\n>b\nMKVLAHEAGAWGHEA\n")
    return str(path)


def error_of(sequences: str, outdir: pathlib.Path, **keywords: Any) -> str:
    """The text of the error that a job ends with before it looks at its client."""
    with pytest.raises(alnus.InputError) as error:
        all_pairs(sequences, outdir=outdir, client=_NoClient(), **keywords)
    return str(error.value)


class _NoClient:
    """A client that nothing may be asked of."""


# ---- Outputs ----


JOB_FILES = [
    "job.json",
    "lock",
    "places.tsv",
    "job.json.new",
    "places.tsv.new",
    "./lock",
    "parts/x",
    "cache/x",
    "parts/../lock",
]


@pytest.mark.parametrize("name", JOB_FILES)
def test_inputs_do_not_have_names_of_the_jobs_files(name: str, sequences: str, tmp_path: pathlib.Path) -> None:
    for folder in ("parts", "cache"):
        (tmp_path / "run" / folder).mkdir(parents=True)
    place = tmp_path / "run" / name
    place.write_bytes(pathlib.Path(sequences).read_bytes())
    text = error_of(str(place), tmp_path / "run", output="e.tsv")
    assert "has the name of a file that the job keeps" in text and name.split("/")[-1] in text
    assert place.read_bytes() == pathlib.Path(sequences).read_bytes()


def test_parts_without_their_job_are_not_taken_for_those_of_another(tmp_path: pathlib.Path) -> None:
    folder = Folder(str(tmp_path / "run"), 4, lambda text: None)
    command = of_arguments("allpairs", ["set.fasta", "-o", "rows.tsv"])
    folder.take_up(command, [])
    (tmp_path / "run" / "parts" / "worker").write_bytes(b"a part")
    (tmp_path / "run" / "job.json").unlink()
    with pytest.raises(alnus.InputError, match=r"has parts, but no job.json that says of which job"):
        folder.take_up(command, [])
    folder.close()


@pytest.mark.parametrize("name", JOB_FILES)
def test_outputs_do_not_have_names_of_the_jobs_files(name: str, sequences: str, tmp_path: pathlib.Path) -> None:
    for folder in ("parts", "cache"):
        (tmp_path / "run" / folder).mkdir(parents=True)
    for keywords in ({"output": name}, {"matrix_out": f"score:{name}"}, {"edges": name, "edge_threshold": 30}):
        assert "has the name of a file that the job keeps there" in error_of(sequences, tmp_path / "run", **keywords)
    assert not (tmp_path / "run" / "job.json").exists()


def test_outputs_that_cannot_be_written_are_refused_before_the_work(sequences: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, text in [
        ("none/rows", "there is no folder"),
        (tmp_path / "folder", "is a folder"),
        ("rows.tsv.bz2", "not as .bz2"),
        (sequences, "is one of the inputs"),
    ]:
        assert text in error_of(sequences, tmp_path / "run", output=name)
    assert "Two outputs have the name" in error_of(
        sequences, tmp_path / "run", output="x", edges="x", edge_threshold=30
    )
    assert not (tmp_path / "run").exists()


def test_a_folder_whose_list_of_parts_cannot_be_read_is_refused(sequences: str, tmp_path: pathlib.Path) -> None:
    for name in ("a\tb", "a\nb"):
        assert "has a tab or a line end" in error_of(sequences, tmp_path / name, output="rows")
        assert not (tmp_path / name).exists()


def test_only_names_of_matrices_begin_with_values() -> None:
    command = of_keywords("allpairs", ["s.fa"], {"output": "a:b.tsv", "matrix_out": ["score:s.npy", "./x:y.npy"]})
    words = command.of_merge("/run", "/run/places.tsv")
    assert words[-6:] == [
        "--output",
        "/run/a:b.tsv",
        "--matrix-out",
        "score:/run/s.npy",
        "--matrix-out",
        "/run/./x:y.npy",
    ]


# ---- Damaged files of a job ----


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe", b"[" * 100_000], ids=str)
def test_a_damaged_description_of_the_job(content: bytes, tmp_path: pathlib.Path) -> None:
    folder = Folder(str(tmp_path), 100, print)
    command = Command("allpairs", ["s.fa"], outputs=[("--output", "rows")])
    folder.take_up(command, [])
    folder.take_up(command, [])
    (tmp_path / "job.json").write_bytes(content)
    with pytest.raises(alnus.OutputError, match=r"job\.json, which says .* is damaged\. Remove the folder"):
        folder.take_up(command, [])
    folder.close()


@pytest.mark.parametrize(
    "command",
    [3, {}, {"name": "allpairs", "inputs": ["s.fa"], "options": [], "outputs": [["-o"]]}, {"name": "search"}],
    ids=str,
)
def test_a_damaged_command_in_the_description(command: Any, tmp_path: pathlib.Path) -> None:
    folder = Folder(str(tmp_path), 100, print)
    folder.take_up(Command("allpairs", ["s.fa"], outputs=[("--output", "rows")]), [])
    told = json.loads((tmp_path / "job.json").read_text())
    (tmp_path / "job.json").write_text(json.dumps(told | {"command": command}))
    with pytest.raises(alnus.OutputError, match=r"is damaged\. Remove the folder"):
        folder.take_up(Command("allpairs", ["s.fa"], outputs=[("--output", "rows")]), [])
    folder.close()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
@pytest.mark.parametrize(
    "name", ["lock", "job.json", "job.json.new", "places.tsv", "places.tsv.new", "parts/dropped.jsonl"]
)
def test_what_is_no_file_in_the_place_of_a_file(name: str, make: Any, sequences: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "run" / "parts").mkdir(parents=True)
    make(tmp_path / "run" / name)
    kind = "a named pipe" if make is os.mkfifo else "a folder"
    with pytest.raises(alnus.OutputError) as error:
        all_pairs(sequences, outdir=tmp_path / "run", client=_NoClient(), output="rows")
    assert str(error.value).startswith(f"{tmp_path / 'run' / name} is {kind}, where the job has a file.")


@pytest.mark.parametrize("name", ["parts", "cache"])
def test_what_is_no_folder_in_the_place_of_a_folder(name: str, sequences: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "run").mkdir()
    os.mkfifo(tmp_path / "run" / name)
    with pytest.raises(alnus.OutputError, match=f"run/{name} is a named pipe, where the job has a folder"):
        all_pairs(sequences, outdir=tmp_path / "run", client=_NoClient(), output="rows")


def test_inputs_that_can_be_read_once(sequences: str, tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = str(tmp_path / "pipe")
    for inputs, keywords in [([pipe], {}), ([sequences], {"against": pipe}), ([sequences], {"matrix": pipe})]:
        with pytest.raises(alnus.InputError, match=f"Cannot read {pipe}: it is a named pipe"):
            all_pairs(*inputs, outdir=tmp_path / "run", client=_NoClient(), output="rows", **keywords)
    assert "it is a device" in error_of("/dev/zero", tmp_path / "run", output="rows")


def test_the_first_difference_of_two_commands_is_told(tmp_path: pathlib.Path) -> None:
    begun = ["s.fa", "--mode", "global", "--gap-open", "-1", "--square", "-o", "rows", "--matrix-out", "a.npy"]
    folder = Folder(str(tmp_path), 100, print)
    folder.take_up(of_arguments("allpairs", begun), [])

    def difference(words: list[str], name: str = "allpairs") -> str:
        with pytest.raises(alnus.InputError) as error:
            folder.take_up(of_arguments(name, words), [])
        return str(error.value).split("is of another job: it was begun ")[1].split(". Go on")[0]

    def changed(old: str, *new: str) -> list[str]:
        place = begun.index(old)
        return [*begun[:place], *new, *begun[place + 1 :]]

    assert difference(["s.fa", "d.fa", *begun[1:]], "search") == "by allpairs, and this is search"
    assert difference(changed("s.fa", "t.fa")) == "with the input s.fa, and this has t.fa"
    assert difference(changed("global", "local")) == "with --mode global, and this has --mode local"
    assert difference(changed("-1", "-2")) == "with --gap-open -1, and this has --gap-open -2"
    assert difference(changed("--square")) == "with --square, and this has no --square"
    assert difference([*begun, "--strand", "both"]) == "without --strand, and this has --strand both"
    assert difference(changed("rows", "others")) == "with --output rows, and this has --output others"
    more = [*begun, "--matrix-out", "score:b.npy"]
    assert difference(more) == "with --matrix-out a.npy, and this has --matrix-out a.npy --matrix-out score:b.npy"
    folder.take_up(of_arguments("allpairs", ["s.fa", "-o", "rows", "--square", *begun[1:5], *begun[8:]]), [])
    folder.close()


def test_damaged_lines_of_ledgers_do_not_count(tmp_path: pathlib.Path) -> None:
    told: list[str] = []
    folder = Folder(str(tmp_path), 100, told.append)
    parts = tmp_path / "parts"
    (parts / "w.parts").write_bytes(bytes(100))
    good = json.loads(line(1, 4, 0, 10))
    wrong: list[Any] = [7, None, [], {}, "text", good | {"first": 0}, good | {"last": 0}, good | {"last": 101}]
    wrong += [good | {key: value} for key in good for value in (None, "x" if key not in ("file", "worker") else 3, [])]
    wrong += [good | {"begin": 11}, good | {"begin": -1}, good | {"end": 1 << 70}, good | {"file": "../w.parts"}]
    wrong += [good | {"devices": value} for value in (None, "cpu", [3])]
    lines = [json.dumps(one) + "\n" for one in wrong] + ["no JSON\n", "[" * 100_000 + "\n", "\xff\n"]
    (parts / "w.jsonl").write_text(line(5, 9, 10, 20) + "".join(lines) + line(1, 4, 0, 10))
    (parts / "dropped.jsonl").write_text('[]\n{"file": "w.parts"}\n{"file": [], "begin": 1}\n')
    assert [record.range for record in folder.records()] == [Range(1, 4), Range(5, 9)]
    of_ledger = [text for text in told if f"{parts / 'w.jsonl'} is damaged at byte " in text]
    assert len(of_ledger) == len(lines)
    assert len(told) == len(lines) + 3, "those of the list of dropped records are told, too"
    folder.records()
    assert len(told) == len(lines) + 3, "each is told once"
    folder.drop(folder.records()[0])
    assert [record.range for record in folder.records()] == [Range(5, 9)]
    folder.close()


def test_a_ledger_that_cannot_be_read(tmp_path: pathlib.Path) -> None:
    folder = Folder(str(tmp_path), 100, print)
    (tmp_path / "parts" / "w.jsonl").mkdir()
    with pytest.raises(alnus.OutputError, match=r"Cannot read .*w\.jsonl: Is a directory"):
        folder.records()
    folder.close()


def test_a_program_that_is_no_alnus(sequences: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALNUS_PROGRAM", "/bin/true")
    assert "/bin/true did not say how the job is cut" in error_of(sequences, tmp_path / "run", output="rows")


# ---- The command ----


@pytest.mark.parametrize(("name", "value"), [("task_seconds", 0), ("task_seconds", float("nan")), ("retries", -1)])
def test_numbers_that_make_no_sense(name: str, value: float, sequences: str, tmp_path: pathlib.Path) -> None:
    assert error_of(sequences, tmp_path / "run", output="rows", **{name: value}).startswith(f"{name} is {value};")


def test_two_dashes_end_the_options() -> None:
    assert of_arguments("search", ["-o", "hits"], ["-q.fa", "-db"]).inputs == ["-q.fa", "-db"]
    assert of_arguments("search", ["q.fa", "-o", "hits"], ["-db"]).inputs == ["q.fa", "-db"]
    words = of_arguments("search", ["-o", "hits"], ["-q.fa", "-db"]).of_merge("/run", "/run/places.tsv")
    assert "--database-name=-db" in words
    with pytest.raises(alnus.InputError, match="takes QUERIES and DB first"):
        of_arguments("search", ["-o", "hits"], ["-q.fa"])


class _SlowJob:
    def __init__(self) -> None:
        self.waits = 3

    def result(self, timeout: float) -> list[str]:
        self.waits -= 1
        if self.waits:
            raise TimeoutError
        return ["rows"]

    def status(self) -> Status:
        return Status("running", 1, 4, 2, 1.5, 1.0, 3.0, 0, 0)


def test_progress_can_be_off(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(__main__, "_TELL", -1.0)
    job: Any = _SlowJob()
    assert __main__._wait(job, True) == ["rows"]
    assert capsys.readouterr().err == "alnus: 25.0% by 2 workers, 1.5 GCUPS, about 3 s left.\n" * 2
    job = _SlowJob()
    assert __main__._wait(job, False) == ["rows"]
    assert capsys.readouterr().err == ""
    assert of_arguments("allpairs", ["s.fa", "-o", "x", "--no-progress"]).identity()["options"] == []


def test_messages_show_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    __main__._say("run\x1b[31m\n/rows: done")
    assert capsys.readouterr().err == "alnus: run\\x1b[31m\\x0a/rows: done\n"
    assert str(alnus.InputError("no \x1b[31m\x9b.fa")) == "no \\x1b[31m\\xc2\\x9b.fa"


# ---- Closed descriptors ----


def test_closed_descriptors_are_opened_before_files_are() -> None:
    done = run_script("""
        import os, stat, sys
        out = os.dup(1)
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        from alnus.distributed._program import open_closed_descriptors
        open_closed_descriptors()
        told = []
        for descriptor in (0, 1, 2):
            assert stat.S_ISCHR(os.fstat(descriptor).st_mode)
            try:
                os.read(0, 1) if descriptor == 0 else os.write(descriptor, b"x")
            except OSError as error:
                told.append(error.strerror)
        os.write(out, repr(told).encode())
    """)
    assert done.stdout == repr(["Bad file descriptor"] * 3)


def test_inputs_and_options_must_be_paths_or_words(sequences: str, tmp_path: pathlib.Path) -> None:
    database = alnus.Database({"a": "MKVLAW"})
    for given in (database, ["MKVLAW"], None):
        with pytest.raises(alnus.InputError, match=r"sequences is \w+; workers read files.*Database\.write\(\)"):
            all_pairs(given, outdir=tmp_path / "job", client=_NoClient(), output="rows.tsv")  # type: ignore[arg-type]
    said = error_of(sequences, tmp_path / "job", output="rows.tsv", against=database)
    assert said.startswith("against is Database; workers run the program")
    assert error_of(sequences, tmp_path / "job", output=database).startswith("output is Database")
