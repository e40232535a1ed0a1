"""The arguments that functions have for the options of the library's tables."""

import inspect
import pathlib

import pytest

import alnus
from alnus import _alnus
from alnus._options import FilterWords
from alnus._pair_files import FileWords
from alnus._statistics import StatisticsWords


def test_every_option_is_an_argument() -> None:
    tables = _alnus.options()
    assert set(tables["filter"]) | {"denominator"} == set(FilterWords.__annotations__)
    assert set(tables["statistics"]) | set(tables["shuffle"]) | {"dbsize", "seed"} == set(
        StatisticsWords.__annotations__
    )
    assert set(tables["outputs"]) == set(FileWords.__annotations__)
    assert set(tables["search"]) <= set(inspect.signature(alnus.search).parameters)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_target_seqs": 0}, "max_target_seqs is 0; it must be from 1 to 4294967295"),
        ({"min_score": "high"}, "min_score is 'high'; it must be a number"),
        ({"composition": 1}, "composition is 1; it must be a str"),
        ({"shuffles": 9, "stats": "zvalue"}, "shuffles is 9; it must be from 10 to 4294967295"),
    ],
)
def test_values_are_checked(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(alnus.InputError, match=message):
        alnus.search(["MKVLAW"], ["MKVLAW"], **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"edges": 3}, "edges is 3; it must be a path"),
        ({"square": "yes"}, "square is 'yes'; it must be True or False"),
        ({"edge_threshold": "low"}, "edge_threshold is 'low'; it must be a number"),
        ({"phylip_names": "long", "phylip": "x.phy"}, "There is no phylip_names 'long'"),
    ],
)
def test_outputs_are_checked(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(alnus.InputError, match=message):
        alnus.write_all_pairs(["MKVLAW"] * 2, **arguments)  # type: ignore[arg-type]


def test_names_of_phylip_may_be_strict(tmp_path: pathlib.Path) -> None:
    sequences = {"sequence_with_a_long_id": "MKVLAW", "b": "MKHLAW"}
    whole = "sequence_with_a_long_id"
    for names, first in ((None, whole), ("relaxed", whole), ("strict", whole[:10])):
        alnus.write_all_pairs(sequences, phylip=tmp_path / "d.phy", phylip_names=names)
        assert (tmp_path / "d.phy").read_text().splitlines()[1] == first


def test_none_is_as_not_given() -> None:
    sets = ["MKVLAWQRYT"], ["MKVLAWQRYT", "MKVLAWQRY"]
    given = alnus.search(*sets, evalue=None, min_score=None, composition=None, shuffles=None)
    assert given.score.tolist() == alnus.search(*sets).score.tolist()
    assert given.summary["max_target_seqs"] == 500
