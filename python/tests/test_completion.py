"""Completion in IPython and Jupyter shows what is public, and help() names every keyword."""

from __future__ import annotations

import inspect
import json
import pydoc
import re
from typing import Any

import pytest
from support import run_script

import alnus
from alnus._columns import COLUMNS

SUBMODULES = {"adapters", "distributed", "model_selection", "plot"}

# Completes each of the texts in the standard input as IPython does, with jedi and without it, and prints the results.
IN_IPYTHON = """
import json, sys
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

config = Config()
config.HistoryManager.enabled = False
shell = InteractiveShell(config=config)
shell.run_cell('''
import alnus
database = alnus.Database(["MKVLAW"])
rows = alnus.search(database, database, stats="none")
pair = rows[0]
session = alnus.Session()
stream = alnus.all_pairs(database)
matrix, scoring = alnus.Matrix("BLOSUM62"), alnus.Scoring()
''')
found = {}
shell.Completer.jedi_compute_type_timeout = 0
for with_jedi in (False, True):
    shell.Completer.use_jedi = with_jedi
    for text in json.loads(sys.argv[1]):
        with provisionalcompleter():
            words = [one.text.lstrip(".") for one in shell.Completer.completions(text, len(text))]
        found[f"{text} {with_jedi}"] = words
print(json.dumps(found))
"""

METHODS = {
    "search",
    "align",
    "align_pairs",
    "all_pairs",
    "write_all_pairs",
    "pdist",
    "cdist",
    "z_values",
    "calibrate",
    "cluster",
    "split",
    "audit",
    "verify",
}
# What must be shown for each text. Attributes: these and no other ones without an underscore.
ATTRIBUTES: dict[str, set[str]] = {
    "alnus.": {*alnus.__all__, *SUBMODULES},
    "alnus.plot.": {"alignment", "dot_plot", "heat_map", "score_histogram"},
    "alnus.adapters.": {"AlnusDistanceCalculator", "to_biopython_alignment", "to_skbio_distance_matrix"},
    "alnus.distributed.": {"Job", "JobError", "Plan", "Status", "all_pairs", "search"},
    "stream.": {"close", "is_open"},
}
AMONG_OTHERS: dict[str, set[str]] = {
    "rows.": {*COLUMNS, "query", "subject", "query_id", "cigars", "to_pandas", "summary", "histogram", "scoring"},
    "pair.": {*COLUMNS, "query", "subject", "query_id", "cigar", "aligned", "identity"},
    "rows.gap_o": {"gap_opens"},
    "alnus.Database.": {"open", "read", "from_buffer", "ids"},
    "database.": {"ids", "lengths", "alphabet", "write", "from_buffer"},
    "matrix.": {"names", "values", "alphabet", "symmetric"},
    "scoring.": {"mode", "gaps", "free_ends", "preset"},
    "session.": {*METHODS, "open", "counters", "devices"},
}
KEYWORDS: dict[str, set[str]] = {
    "alnus.search(database, database, mo": {"mode="},
    "alnus.search(database, database, shuf": {"shuffles=", "shuffled="},
    "session.search(database, database, mo": {"mode="},
    "alnus.align('MKV', 'MKV', gap": {"gaps=", "gap_convention="},
    "alnus.align_pairs(database, database, [], low": {"low_complexity="},
    "alnus.all_pairs(database, min_": {"min_score=", "min_identity=", "min_coverage=", "min_length="},
    "session.write_all_pairs(database, mat": {"matrix=", "matrices=", "matrix_type=", "match="},
    "alnus.pdist(database, mo": {"mode="},
    "alnus.cdist(database, database, fr": {"free_ends="},
    "alnus.z_values(database, database, mis": {"mismatch="},
    "alnus.identity_range(database, database, pres": {"preset="},
    "alnus.calibrate(mo": {"mode="},
    "alnus.plot.heat_map(database, mo": {"mode="},
    "alnus.plot.heat_map(database, va": {"value="},
}


@pytest.fixture(scope="module")
def completed() -> dict[str, list[str]]:
    pytest.importorskip("IPython")
    pytest.importorskip("jedi")
    words = [*ATTRIBUTES, *AMONG_OTHERS, *KEYWORDS]
    found: dict[str, list[str]] = json.loads(run_script(IN_IPYTHON, json.dumps(words)).stdout)
    return found


@pytest.mark.parametrize("with_jedi", [False, True], ids=["IPython", "jedi"])
def test_ipython_shows_what_is_public(completed: dict[str, list[str]], with_jedi: bool) -> None:
    for text, names in ATTRIBUTES.items():
        shown = {name for name in completed[f"{text} {with_jedi}"] if not name.startswith("_")}
        assert shown == names, text
    for text, names in (*AMONG_OTHERS.items(), *KEYWORDS.items()):
        assert names <= set(completed[f"{text} {with_jedi}"]), text


def test_jedi_completes_every_public_class_and_object() -> None:
    jedi = pytest.importorskip("jedi")
    database = alnus.Database(["MKVLAW", "MKHLAW"])
    rows = alnus.search(database, database, stats="none", score_histogram=True)
    objects: dict[str, Any] = {name: getattr(alnus, name) for name in alnus.__all__}
    objects |= {
        "rows": rows,
        "pair": rows[0],
        "histogram": rows.histogram,
        "database": database,
        "matrix": alnus.Matrix("BLOSUM62"),
        "scoring": rows.scoring,
        "session": alnus.Session(devices="cpu"),
        "stream": alnus.Session(devices="cpu").all_pairs(database),
        "values": alnus.z_values(database, database, shuffles=10),
        "plan": alnus.distributed.Plan(1, 1),
        "job": alnus.distributed.Job,
    }
    for name, value in objects.items():
        public = {one for one in dir(value) if not one.startswith("_")}
        if inspect.isfunction(value):
            continue
        shown = {one.name for one in jedi.Interpreter(f"{name}.", [objects]).complete()}
        assert public <= shown, name
    # What is inside of what: the values of properties are known by their types.
    for text, name in (("rows.queries.", "ids"), ("rows.scoring.", "mode"), ("pair.query_id.", "upper")):
        assert name in {one.name for one in jedi.Interpreter(text, [objects]).complete()}, text


def test_jedi_knows_the_results_of_calls_without_running_them() -> None:
    jedi = pytest.importorskip("jedi")
    for text, name in (
        ("alnus.", "plot"),
        ("alnus.plot.", "heat_map"),
        ("alnus.search('a', 'b').", "evalue"),
        ("alnus.align('a', 'b').", "cigar"),
        ("alnus.Session().search('a', 'b').", "evalue"),
        ("alnus.Database([]).", "ids"),
    ):
        shown = {one.name for one in jedi.Script(f"import alnus\n{text}").complete()}
        assert name in shown and not {"functools", "inspect", "annotations"} & shown, text


def test_imports_are_not_public() -> None:
    def public(module: Any) -> set[str]:
        return {name for name in dir(module) if not name.startswith("_")}

    assert public(alnus) == {*alnus.__all__, *SUBMODULES}
    for name in SUBMODULES:
        module = getattr(alnus, name)
        assert public(module) == set(module.__all__), name


def test_submodules_are_imported_when_they_are_used() -> None:
    done = run_script(
        """
        import sys, alnus
        def imported(): return sorted({name for name in sys.modules if name.startswith("alnus.") and "._" not in name})
        print(imported(), {"adapters", "distributed", "plot"} <= set(dir(alnus)), imported())
        print(alnus.plot.__name__, alnus.adapters.__name__, alnus.distributed.__name__)
        print([name for name in ("matplotlib", "scipy", "dask", "distributed", "Bio", "skbio") if name in sys.modules])
        try:
            alnus.plots
        except AttributeError as error:
            print(error)
        """
    )
    assert done.stdout.splitlines() == [
        "[] True []",
        "alnus.plot alnus.adapters alnus.distributed",
        "[]",
        "module 'alnus' has no attribute 'plots'",
    ]


def _functions() -> dict[str, Any]:
    functions = {f"alnus.{name}": getattr(alnus, name) for name in alnus.__all__}
    functions |= {f"alnus.plot.{name}": getattr(alnus.plot, name) for name in alnus.plot.__all__}
    functions |= {f"Session.{name}": one for name, one in inspect.getmembers(alnus.Session) if name in METHODS}
    return {name: one for name, one in functions.items() if inspect.isfunction(one)}


@pytest.mark.parametrize("name", _functions())
def test_help_names_every_keyword(name: str) -> None:
    function = _functions()[name]
    parameters = inspect.signature(function).parameters.values()
    assert not [one for one in parameters if one.kind is one.VAR_KEYWORD]
    explained = inspect.getdoc(function) or ""
    if "explains the" not in explained:  # another function's help has the arguments
        for one in parameters:
            assert one.name == "self" or re.search(rf"\b{one.name}\b", explained), one.name


def test_help_shows_a_keyword_in_a_line_with_its_type() -> None:
    text = pydoc.render_doc(alnus.search, renderer=pydoc.plaintext)
    assert "\nsearch(\n    queries: Any,\n    database: Any,\n    *,\n" in text
    assert "\n    mode: Mode | None = None,\n" in text and "\n) -> Rows\n" in text
    assert "Unpack" not in text and "**more" not in text


def test_none_is_a_keyword_that_is_not_given() -> None:
    nothing: dict[str, Any] = {
        name: None
        for name, one in inspect.signature(alnus.all_pairs).parameters.items()
        if one.default is None and name not in ("against", "top_k", "value", "scoring", "alphabet", "strand")
    }
    assert {"mode", "matrix", "stats", "seed", "min_length", "denominator"} <= set(nothing)
    sequences = ["MKVLAWQRYT", "MKVLARYT"]
    [rows] = alnus.all_pairs(sequences, **nothing)
    [same] = alnus.all_pairs(sequences)
    assert rows.to_dict(cigars=True).keys() == same.to_dict(cigars=True).keys()
    assert rows.score.tolist() == same.score.tolist() and rows.evalue.tolist() == same.evalue.tolist()
    scoring = alnus.Scoring(mode="global")
    assert alnus.align(*sequences, scoring=scoring, mode=None, gaps=None).score == 26
    with pytest.raises(alnus.InputError, match="either scoring or mode, not both"):
        alnus.align(*sequences, scoring=scoring, mode="global", gaps=None)
    with pytest.raises(TypeError, match="no argument 'mod'"):
        alnus.align(*sequences, mod=None)
