"""Sets in memory that have empty sequences or repeated ids give the warnings that files give."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import alnus

EMPTY = ["CASSL", "", "CASSF"]


def said(call: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("alphabet", [None, "protein"])
@pytest.mark.parametrize("ids", [None, ["a", "b", "c"]])
def test_empty_sequences_are_warned_of_once(alphabet: Any, ids: Any) -> None:
    given: Any = EMPTY if ids is None else dict(zip(ids, EMPTY, strict=True))
    place = "record 2, '1'" if ids is None else "record 2, 'b'"
    calls: dict[str, Callable[[], object]] = {
        "sequences": lambda: alnus.pdist(given, mode="global", alphabet=alphabet),
        "a": lambda: alnus.cdist(given, ["CASS"], mode="global", alphabet=alphabet),
        "queries": lambda: alnus.search(given, ["CASS"], stats="none", alphabet=alphabet),
        "database": lambda: alnus.search(["CASS"], given, stats="none", alphabet=alphabet),
    }
    for name, call in calls.items():
        assert said(call) == [f"1 record of {name} ({place}) without a sequence."]
    database = alnus.Database(given, alphabet=alphabet)
    assert len(said(lambda: alnus.pdist(database, mode="global"))) == 1
    assert said(lambda: alnus.pdist(database, mode="global")) == []
    two = ["CASSL", "CASSF"]
    assert said(lambda: alnus.pdist(two, mode="global", alphabet=alphabet)) == []


@pytest.mark.parametrize("alphabet", [None, "protein"])
def test_repeated_ids_are_warned_of(alphabet: Any) -> None:
    pandas = pytest.importorskip("pandas")
    for given, id in ({5: "MKV", "5": "MKW"}, "5"), (pandas.Series(["MKV", "MKW"], index=["s", "s"]), "s"):
        texts = said(lambda given=given: alnus.pdist(given, mode="global", alphabet=alphabet))
        assert len(texts) == 1 and f"(record 2, {id!r}) has the id of an earlier record" in texts[0]
