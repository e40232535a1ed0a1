"""Texts that stand for missing values, and names of files, among the sequences that a user gives."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import alnus

WORDS = ["nan", "NaN", "none", "None", "NaT", "NA", "null", "NULL", "<NA>", "n/a", "#N/A"]


@pytest.mark.parametrize("word", WORDS)
def test_a_column_refuses_the_texts_of_missing_values(word: str) -> None:
    for text, shown in ((word, word), (f" {word}\n", rf" {word}\\n")):
        texts = ["MKVLAW", text]
        columns = [pd.Series(texts), pl.Series(texts), pa.array(texts), np.array(texts), np.array(texts, dtype=object)]
        for column in columns:
            with pytest.raises(alnus.InputError, match=rf"sequences\[1\] is the text '{shown}'.*dropna"):
                alnus.Database(column)


@pytest.mark.parametrize("word", [word for word in WORDS if word.isalpha() and word != "NA"])
def test_a_list_and_a_dict_give_one_warning(word: str) -> None:
    labelled = r" \('b'\)"
    kinds: list[tuple[Any, str]] = [
        (["MKVLAW", word, word], ""),
        (["MKVLAW", f"{word} "], ""),
        ({"a": "MKVLAW", "b": word}, labelled),
        ([("a", "MKVLAW"), ("b", word)], labelled),
    ]
    for given, id in kinds:
        with pytest.warns(alnus.AlnusWarning, match=rf"^sequences\[1\]{id} is the text '{word} ?'") as caught:
            alnus.Database(given, alphabet="protein")
        assert len([one for one in caught if "is the text" in str(one.message)]) == 1


def test_peptides_in_a_list_give_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert alnus.Database(["NA", "NAN", "NONE", "NAVTEQ"]).lengths.tolist() == [2, 3, 4, 6]
        alnus.Database(pd.Series(["NAN", "NONE", " NAN ", "NAVTEQ"]))


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT, np.ma.masked])
def test_a_missing_value_in_a_list_is_called_missing(missing: Any) -> None:
    with pytest.raises(alnus.InputError, match=r"sequences\[1\] is missing \("):
        alnus.Database(["MKV", missing])
    for given in ({"a": "MKV", "b": missing}, [("a", "MKV"), ("b", missing)]):
        with pytest.raises(alnus.InputError, match=r"sequences\[1\] \('b'\) is missing \("):
            alnus.Database(given)
    with pytest.raises(alnus.InputError, match=r"sequences\[0\] is a tuple \(id, sequence\) whose id is missing"):
        alnus.Database([(missing, "MKV")])
    with pytest.raises(alnus.InputError, match=r"whose id is int; an id is a str"):
        alnus.Database([(1, "MKV")])


def test_names_of_files_are_no_sequences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("short.fasta", "proteins"):
        Path(name).write_text(">s\nMKVLAW\n")
    (tmp_path / "folder").mkdir()
    names: list[Any] = [["short.fasta", "other"], pd.Series(["short.fasta"]), np.array(["short.fasta"])]
    names += [pl.Series(["./short.fasta"])]
    labelled: list[Any] = [{"a": "short.fasta"}, [("a", str(tmp_path / "short.fasta"))]]
    says = r" is '.*short\.fasta'.*Database\.open\(.*make_data"
    for given in names:
        with pytest.raises(alnus.InputError, match=r"sequences\[0\]" + says):
            alnus.Database(given)
    for given in labelled:
        with pytest.raises(alnus.InputError, match=r"sequences\[0\] \('a'\)" + says):
            alnus.Database(given)
    with pytest.raises(alnus.InputError, match=r"queries\[0\] is 'short\.fasta'"):
        alnus.search(["short.fasta"], ["MKVLAW"])
    with pytest.raises(alnus.InputError, match=r"database\[1\] is 'short\.fasta'"):
        alnus.search(["MKVLAW"], ["MKVLAW", "short.fasta"])
    # Gaps, and names of nothing or of a folder, stay letters.
    with pytest.warns(alnus.AlnusWarning, match="gap letters"):
        assert alnus.Database(["MK.V", "shirt.fasta", "fold.er"]).lengths.tolist() == [3, 10, 6]


def test_a_text_that_is_the_name_of_a_file_gives_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("proteins").write_text(">s\nMKVLAW\n")
    with pytest.warns(alnus.AlnusWarning, match=r"queries is 'proteins', and there is a file.*'\./proteins'"):
        alnus.search("proteins", {"s": "MKVLAWQRYT"})
    with pytest.warns(alnus.AlnusWarning, match=r"^a is 'proteins'"):
        alnus.align("proteins", "MKVLAW")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert alnus.search("./proteins", {"s": "MKVLAW"}).queries.ids == ["s"]
        alnus.align("protein", "MKVLAW")


def test_a_file_that_was_read_is_at_its_end(tmp_path: Path) -> None:
    file = tmp_path / "a.fasta"
    file.write_text(">s\nMKVLAW\n")
    with open(file) as opened:
        assert len(alnus.Database(opened)) == 1
        with pytest.raises(alnus.InputError, match=r"a\.fasta is at its end.*seek\(0\)"):
            alnus.Database(opened)
        opened.seek(0)
        assert len(alnus.Database(opened)) == 1
    with pytest.raises(alnus.InputError, match=r"closed file\.$"):
        alnus.Database(opened)
    with pytest.raises(alnus.InputError, match="at its end"):
        text = io.StringIO(">s\nMKVLAW\n")
        alnus.Database(text)
        alnus.Database(text)


def test_messages_are_short_and_say_what_to_give() -> None:
    with pytest.raises(alnus.InputError, match=r"file is list, .*alnus\.Database\(\)") as caught:
        alnus.Database.open(["MKVLAWQRYT"] * 1000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200
    with pytest.raises(alnus.InputError, match=r"matrix is ndarray.*Matrix\.from_array"):
        alnus.align("MKV", "MKV", matrix=np.eye(24))  # type: ignore[arg-type]
    with pytest.raises(alnus.InputError, match=r"gaps is \(-11, -1\); gap costs are 0 or more"):
        alnus.align("MKV", "MKV", gaps=(-11, -1))
    with pytest.raises(alnus.InputError, match=r"gaps is a value of type list; it takes two"):
        alnus.align("MKV", "MKV", gaps=[1] * 1000)  # type: ignore[arg-type]
