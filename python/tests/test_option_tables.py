"""The arguments that functions have for the options of the library's tables."""

import inspect

import pytest

import alnus
from alnus import _alnus
from alnus._options import FilterWords
from alnus._statistics import StatisticsWords


def test_every_option_is_an_argument() -> None:
    tables = _alnus.options()
    assert set(tables["filter"]) | {"denominator"} == set(FilterWords.__annotations__)
    assert set(tables["statistics"]) | set(tables["shuffle"]) | {"dbsize", "seed"} == set(
        StatisticsWords.__annotations__
    )
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


def test_none_is_as_not_given() -> None:
    sets = ["MKVLAWQRYT"], ["MKVLAWQRYT", "MKVLAWQRY"]
    given = alnus.search(*sets, evalue=None, min_score=None, composition=None, shuffles=None)
    assert given.score.tolist() == alnus.search(*sets).score.tolist()
    assert given.summary["max_target_seqs"] == 500
