"""The arguments that functions have for the options of the library's tables."""

import inspect
import os
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

import alnus
from alnus._option_tables import OPTIONS

WORDS = pathlib.Path(__file__).resolve().parents[1] / "alnus/_option_words.py"
HEAD = '''"""The options of the library's tables as arguments of functions.

``ALNUS_UPDATE_GOLDEN=1 ctest --preset release -R python_option_tables`` writes this file.
"""

from __future__ import annotations

import os
from typing import Literal, TypedDict
'''
CLASSES = {
    "search": "Search",
    "align": "Align",
    "differences": "Difference",
    "filter": "Filter",
    "outputs": "Output",
    "statistics": "Statistics",
    "shuffle": "Shuffle",
}


def classes() -> str:
    text = HEAD
    for table, name in CLASSES.items():
        text += f"\n\nclass {name}OptionWords(TypedDict, total=False):\n"
        for option, one in OPTIONS[table].items():  # functions leave out shuffles=None themselves
            none = " | None" if one.takes_none() or table == "shuffle" else ""
            text += f"    {option}: {one.type()}{none}\n"
    return text


def test_every_option_is_an_argument() -> None:
    assert set(CLASSES) == set(OPTIONS)
    if os.environ.get("ALNUS_UPDATE_GOLDEN"):
        WORDS.write_text(classes())
    assert WORDS.read_text() == classes()


@pytest.mark.parametrize(
    ("function", "tables"),
    [
        (alnus.search, ("search", "differences", "statistics", "shuffle")),
        (alnus.align, ("align", "differences", "statistics", "shuffle")),
        (alnus.all_pairs, ("filter", "statistics", "shuffle")),
        (alnus.write_all_pairs, ("filter", "outputs", "statistics", "shuffle")),
        (alnus.cost_of_search, ("search", "differences", "statistics", "shuffle")),
        (alnus.cost_of_align, ("align", "differences", "statistics", "shuffle")),
        (alnus.cost_of_all_pairs, ("filter", "outputs", "statistics", "shuffle")),
    ],
)
def test_functions_take_and_describe_options(function: Callable[..., Any], tables: tuple[str, ...]) -> None:
    shown = inspect.signature(function).parameters
    parameters = (inspect.getdoc(function) or "").split("Parameters\n----------\n")[1].split("\n\n")[0]
    heads = [line.split(" : ")[0] for line in parameters.splitlines() if not line.startswith(" ")]
    described = [name for head in heads for name in head.split(", ")]
    for table in tables:
        for name, option in OPTIONS[table].items():
            has_default = table == "differences" or (table in ("search", "align") and not option.takes_none())
            expected = option.default if has_default else None
            assert shown[name].default == expected
            assert described.count(name) == 1


def test_options_are_described_by_their_help() -> None:
    text = inspect.getdoc(alnus.search) or ""
    assert "max_target_seqs : int, default 500\n    Most hits that are listed for a query" in text
    assert "evalue : float, optional\n    List no hits with a larger E-value. Default: 10.\n" in text
    assert text.index("min_score : ") < text.index("matrix, gaps, ")
    assert 'max_hsps : int or "all", default 1\n' in text
    assert 'coverage_of : {"shorter", "longer", "query", "subject", "both"}, default "both"\n' in text
    assert "max_differences : int, optional\n" in text and "substitutions_only : bool, default False\n" in text


def test_descriptions_name_arguments() -> None:
    text = OPTIONS["filter"]["min_identity"].described("min_identity")
    assert "``denominator``" in text and "--" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_target_seqs": 0}, "max_target_seqs is 0; it must be from 1 to 4294967295"),
        ({"min_score": "high"}, "min_score is 'high'; it must be a number"),
        ({"max_hsps": "some"}, "max_hsps is 'some'; it must be a whole number, or \"all\""),
        ({"min_length": 0}, "min_length is 0; it must be from 1 to 4294967295"),
        ({"max_differences": 1001}, "max_differences is 1001; it must be from 0 to 1000"),
        ({"max_differences": 2, "substitutions_only": "yes"}, "substitutions_only is 'yes'; it must be True or False"),
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
