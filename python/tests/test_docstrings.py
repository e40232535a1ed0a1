"""The examples in docstrings print what they say, and everything that is public has a docstring."""

from __future__ import annotations

import copy
import doctest
import importlib
import inspect
import pathlib
import pkgutil
from typing import Any

import numpy as np
import pytest

import alnus

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def names_of_modules() -> list[str]:
    return [
        "alnus",
        *(one.name for one in pkgutil.walk_packages(alnus.__path__, "alnus.") if "._alnus" not in one.name),
    ]


def examples() -> list[doctest.DocTest]:
    """The docstrings with examples, each once. Examples may use the package's names without "alnus.", and ``np``."""
    found: dict[tuple[Any, ...], doctest.DocTest] = {}
    for name in names_of_modules():
        try:
            module = importlib.import_module(name)
        except ImportError:  # an optional package is not installed
            continue
        names = {one: getattr(alnus, one) for one in alnus.__all__}
        names.update(vars(module), alnus=alnus, np=np)
        names.update((one, getattr(alnus, one)) for one in alnus.__all__)
        for test in doctest.DocTestFinder(exclude_empty=True).find(module, globs=names):
            if test.examples:
                found.setdefault((test.docstring,), test)
    return list(found.values())


EXAMPLES = examples()


@pytest.mark.filterwarnings("ignore:Matplotlib is building")
@pytest.mark.parametrize("test", EXAMPLES, ids=[test.name for test in EXAMPLES])
def test_examples_print_what_they_say(
    test: doctest.DocTest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if ".plot" in test.name:
        pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    failed, tried = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    assert tried > 0 and failed == 0, "".join(said)


def test_there_are_examples() -> None:
    names = {one.name.split(".")[-1] for one in EXAMPLES}
    assert {
        "search",
        "align",
        "align_pairs",
        "all_pairs",
        "pdist",
        "Database",
        "Scoring",
        "Matrix",
        "Session",
    } <= names


def test_all_that_is_public_has_a_docstring() -> None:
    without = []
    for name in alnus.__all__:
        value = getattr(alnus, name)
        if not inspect.getdoc(value):
            without.append(name)
        if inspect.isclass(value):
            for member, one in vars(value).items():
                is_member = inspect.isfunction(one) or isinstance(one, property | staticmethod | classmethod)
                if not member.startswith("_") and is_member and not inspect.getdoc(getattr(value, member, one)):
                    without.append(f"{name}.{member}")
    assert without == []


def test_functions_of_the_module_have_the_signatures_of_methods() -> None:
    for name in (
        "search",
        "align",
        "align_pairs",
        "all_pairs",
        "write_all_pairs",
        "pdist",
        "cdist",
        "z_values",
        "identity_range",
        "calibrate",
        "cluster",
        "split",
        "audit",
        "verify",
        "cost_of_search",
        "cost_of_align",
        "cost_of_all_pairs",
        "make_database",
    ):
        function, method = getattr(alnus, name), getattr(alnus.Session, name)
        ours, theirs = inspect.signature(function).parameters, inspect.signature(method).parameters
        assert list(ours) == list(theirs)[1:] and function.__doc__ == method.__doc__
        assert function.__name__ == name and function.__module__ == "alnus"


def test_signatures_are_used_as_others_are() -> None:
    signature = inspect.signature(alnus.align)
    assert "evalue" in signature.bind("MKVLAW", "MKVAW", evalue=1).arguments
    assert copy.copy(signature) == signature.replace() == inspect.signature(alnus.default_session().align)


def test_dir_shows_what_is_public() -> None:
    assert set(alnus.__all__) <= set(dir(alnus)) and alnus.__all__ == sorted(alnus.__all__)
    assert all(hasattr(alnus, name) for name in alnus.__all__)
    assert alnus.__version__.count(".") == 2


def test_versions_for_issue_reports(capsys: pytest.CaptureFixture[str]) -> None:
    alnus.show_versions()
    text = capsys.readouterr().out
    assert alnus.__version__ in text and "NumPy" in text and "cpu" in text
