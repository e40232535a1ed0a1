"""The arguments that functions have for the options of the library's tables."""

import ast
import inspect
import os
import pathlib
import re
import textwrap

import pytest

import alnus
from alnus import _alnus
from alnus._option_tables import OPTIONS, Option

WORDS = pathlib.Path(__file__).resolve().parents[1] / "alnus/_option_words.py"
HEAD = '''"""The options of the library's tables as arguments of functions, and their descriptions for docstrings.

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
TABLES = {  # by the names of the functions that take their options
    "search": ("search", "differences", "statistics", "shuffle"),
    "align": ("align", "differences", "statistics", "shuffle"),
    "all_pairs": ("filter", "statistics", "shuffle"),
    "write_all_pairs": ("filter", "outputs", "statistics", "shuffle"),
    "cost_of_search": ("search", "differences", "statistics", "shuffle"),
    "cost_of_align": ("align", "differences", "statistics", "shuffle"),
    "cost_of_all_pairs": ("filter", "outputs", "statistics", "shuffle"),
}
SAME_AS = {"cost_of_search": "search", "cost_of_align": "align"}


def classes() -> str:
    text = HEAD
    for table, name in CLASSES.items():
        text += f"\n\nclass {name}OptionWords(TypedDict, total=False):\n"
        for option, one in OPTIONS[table].items():  # functions leave out shuffles=None themselves
            none = " | None" if one.takes_none() or table == "shuffle" else ""
            text += f"    {option}: {one.type()}{none}\n"
    return text


def parameters_of(docstring: str) -> list[str]:
    parameters = docstring.split("Parameters\n----------\n")[1].split("\n\n")[0]
    heads = [line.split(" : ")[0] for line in parameters.splitlines() if not line.startswith(" ")]
    return [name for head in heads for name in head.split(", ")]


def described(name: str, option: Option) -> str:
    kind, *of = option.takes
    quoted = [f'"{one}"' for one in of[0]] if kind == "word" else []
    shown = f"{{{', '.join(quoted)}}}" if quoted else {"whole": "int", "number": "float", "flag": "bool"}.get(kind)
    if kind == "whole" and of[2]:
        shown = f'int or "{of[2]}"'
    default = f'"{option.default}"' if isinstance(option.default, str) else option.default
    after = ", optional" if option.default is None else f", default {default}"
    text = f"{option.help}."
    if option.default is None and option.default_text:
        text += f" Default: {option.default_text}."
    text = re.sub(r"--([a-z-]+)", lambda found: f"``{_alnus.argument_name(found[1].replace('-', '_'))}``", text)
    return f"{name} : {shown or 'path'}{after}\n{textwrap.indent(textwrap.fill(text, 108), '    ')}\n"


def described_for(function: str) -> str:
    """The options that a function takes, without those that the docstring in its source describes."""
    source = ast.parse(textwrap.dedent(inspect.getsource(getattr(alnus, function)))).body[0]
    assert isinstance(source, ast.FunctionDef)
    known = parameters_of(ast.get_docstring(source) or "")
    options = {name: one for table in TABLES[function] for name, one in OPTIONS[table].items() if name not in known}
    if function not in SAME_AS:
        return "".join(described(name, one) for name, one in options.items())
    heads = textwrap.wrap(", ".join(options), 112)
    return "".join(f"{head.rstrip(',')}\n    The same as for :meth:`{SAME_AS[function]}`.\n" for head in heads)


def descriptions() -> str:
    texts = {function: described_for(function) for function in TABLES}
    entries = [f'    "{function}": """\\\n{text}""",\n' for function, text in texts.items() if text]
    return "\n\nDESCRIBED = {  # by the names of functions\n" + "".join(entries) + "}\n"


def test_every_option_is_an_argument_and_described() -> None:
    assert set(CLASSES) == set(OPTIONS)
    text = classes() + descriptions()
    if os.environ.get("ALNUS_UPDATE_GOLDEN"):
        WORDS.write_text(text)
    assert WORDS.read_text() == text


@pytest.mark.parametrize("function", TABLES)
def test_functions_take_and_describe_options(function: str) -> None:
    shown = inspect.signature(getattr(alnus, function)).parameters
    parameters = parameters_of(inspect.getdoc(getattr(alnus, function)) or "")
    for table in TABLES[function]:
        for name, option in OPTIONS[table].items():
            has_default = table == "differences" or (table in ("search", "align") and not option.takes_none())
            expected = option.default if has_default else None
            assert shown[name].default == expected
            assert parameters.count(name) == 1


def test_options_are_described_by_their_help() -> None:
    text = inspect.getdoc(alnus.search) or ""
    assert "max_target_seqs : int, default 500\n    Most hits that are listed for a query" in text
    assert "evalue : float, optional\n    List no hits with a larger E-value. Default: 10.\n" in text
    assert text.index("min_score : ") < text.index("matrix, gaps, ")
    assert 'max_hsps : int or "all", default 1\n' in text
    assert 'coverage_of : {"shorter", "longer", "query", "subject", "both"}, default "both"\n' in text
    assert "max_differences : int, optional\n" in text and "substitutions_only : bool, default False\n" in text
    assert "in percent (0 to 100); see ``denominator``." in text


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
