"""Masks, lists of indices and slices with a step choose sequences of a database."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from inputs import write_fasta

import alnus


def test_masks_indices_and_steps_choose_sequences() -> None:
    letters = ["MKvLAW", "MKHLAWQ", "", "WWQRYT"]
    database = alnus.Database(letters, ids=list("abcd"), titles=["first", "", "", ""], name="mine")
    mask = database.lengths >= 6
    for which in (mask, mask.tolist(), [0, 1, 3], np.array([0, 1, -1], dtype=np.int8), (0, 1, 3)):
        chosen = database[which]
        assert chosen.headers == ["a first", "b", "d"] and list(chosen) == ["MKvLAW", "MKHLAWQ", "WWQRYT"]
        assert chosen.name == "mine" and chosen.residues == 19
    assert database[[3, 0, 3]].ids == ["d", "a", "d"] and database[::-2].ids == ["d", "b"]
    assert len(database[[]]) == len(database[mask & ~mask]) == 0
    for wrong in ([4], [-5], np.array([2**63], dtype=np.uint64)):
        with pytest.raises(IndexError, match="no sequence"):
            database[wrong]
    bad: list[Any] = [
        "a",
        1.0,
        None,
        True,
        [True],
        np.ones((4, 1), dtype=bool),
        [[0]],
        [[0], [1, 2]],
        [0.0],
        np.array(1),
    ]
    for which in bad:
        with pytest.raises(alnus.InputError, match="sequence"):
            database[which]


def test_chosen_sequences_count_in_the_order_in_which_they_are_chosen(tmp_path: pathlib.Path) -> None:
    file = write_fasta(tmp_path / "x.fasta", {"a": "MKV", "b": "MKVLAWQRYT", "c": "MKVLAW"})
    alnus.make_database(file, tmp_path / "x.alnus")
    database = alnus.Database.open(tmp_path / "x.alnus")
    assert database.ids == ["b", "c", "a"] and database.in_file_order().ids == ["a", "b", "c"]
    chosen = database[[1, 2, 0]]
    assert chosen.ids == chosen.in_file_order().ids == ["c", "a", "b"]
    assert alnus.pdist(chosen, value="score").tolist() == alnus.pdist(list(chosen), value="score").tolist()
    again = pickle.loads(pickle.dumps(chosen))
    file.unlink()
    (tmp_path / "x.alnus").unlink()
    assert again.ids == chosen.ids and list(again) == list(chosen)


def test_all_pairs_number_the_sequences_of_a_database_file_as_the_database_does(tmp_path: pathlib.Path) -> None:
    letters = {"a": "MKV", "b": "MKVLAWQRYT", "c": "MKVLAW", "d": "WWWYRQ"}
    alnus.make_database(write_fasta(tmp_path / "x.fasta", letters), tmp_path / "x.alnus")
    database = alnus.Database.open(tmp_path / "x.alnus")
    assert database.ids == ["b", "c", "d", "a"]
    for of in (database, database[1:], database[:2]):
        alone = [letters[name] for name in of.ids]
        assert alnus.pdist(of, value="score").tolist() == alnus.pdist(alone, value="score").tolist()
        assert alnus.cdist(of, ["MKVL"], value="score").tolist() == alnus.cdist(alone, ["MKVL"], value="score").tolist()
        assert alnus.cdist(["MKVL"], of, value="score").tolist() == alnus.cdist(["MKVL"], alone, value="score").tolist()
        found = alnus.pdist(of, value="score", cutoff=10, format="pairs")
        assert [part.tolist() for part in found] == [
            part.tolist() for part in alnus.pdist(alone, value="score", cutoff=10, format="pairs")
        ]
        for rows in alnus.all_pairs(of):
            assert rows.query_id.tolist() == [of.ids[k] for k in rows.query.tolist()]
            assert rows.subject_id.tolist() == [of.ids[k] for k in rows.subject.tolist()]
    by_file = alnus.pdist(list(letters.values()), value="score").tolist()
    assert alnus.pdist(tmp_path / "x.alnus", value="score").tolist() == by_file


def test_chosen_reads_keep_their_qualities_and_their_alphabet(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "x.fastq"
    file.write_text("@a\nACGTACGTAA\n+\n!I#I~IIII5\n@b\nACGTCCGTAA\n+\nIIIIIIII65\n@c\n\n+\n\n")
    chosen = alnus.Database.open(file, alphabet="dna")[[2, 1]]
    assert chosen.alphabet == "dna"
    alnus.search(chosen, ["ACGTCCGTAA"], stats="none").write(tmp_path / "x.sam", "sam")
    (line,) = [line for line in (tmp_path / "x.sam").read_text().splitlines() if line.startswith("b\t")]
    assert line.split("\t")[10] == "IIIIIIII65"
    with pytest.raises(alnus.InputError, match="looks like dna"):
        alnus.pdist(alnus.Database(["ACGTACGT", "ACGTACGA"])[[0, 1]])


def test_headers_of_files_keep_bytes_that_ids_may_not_have(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "nr.fasta"
    file.write_bytes(b">a one\x01b the same\nMKV\n>c\nMKVLAW\n")
    database = alnus.Database.open(file)
    for copy in (database[[True, True]], pickle.loads(pickle.dumps(database))):
        assert copy.headers == database.headers and "\x01" in copy.headers[0]
