"""What users look up in results and databases: rows of a sequence, masks of pandas, columns of other programs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import alnus

QUERIES = [("a", "MKVLAWQRYTHEW"), ("b", "MKHLAWQRYTHEW"), ("a", "MKVLAWQRYTH"), ("7", "PPGPPGPPGPPG")]
SUBJECTS = {"x": "MKVLAWQRYTHEW", "y": "MKVLAWQRYTHEWPPGPPGPPGPPG"}


@pytest.fixture(scope="module")
def rows() -> alnus.Rows:
    return alnus.search(QUERIES, SUBJECTS, stats="none")


def test_the_rows_of_a_query_are_found_by_its_index_and_by_its_id(rows: alnus.Rows) -> None:
    assert set(rows.of_query(1).query.tolist()) == {1}
    assert set(rows.of_query(np.int64(1)).query.tolist()) == {1}
    assert set(rows.of_query("b").query.tolist()) == {1}
    assert set(rows.of_query("a").query.tolist()) == {0, 2}  # both of this id
    assert rows.of_query("7").query_id.tolist() == rows.of_query(3).query_id.tolist() == ["7"]
    assert set(rows.of_subject("y").subject.tolist()) == set(rows.of_subject(1).subject.tolist()) == {1}


@pytest.mark.parametrize("index", [4, 99, -1])
def test_an_index_out_of_range_is_an_error(rows: alnus.Rows, index: int) -> None:
    with pytest.raises(IndexError, match=rf"no query {index} among 4"):
        rows.of_query(index)
    with pytest.raises(IndexError, match=rf"no subject {index} among 2"):
        rows.of_subject(index)


@pytest.mark.parametrize("other", [1.5, None, True, b"a", [0, 1], np.array([1])])
def test_what_is_neither_index_nor_id_is_an_error(rows: alnus.Rows, other: Any) -> None:
    with pytest.raises(alnus.InputError, match=r"it takes the index of one query, an int, or its id, a str"):
        rows.of_query(other)


def test_an_id_that_no_sequence_has_is_an_error(rows: alnus.Rows) -> None:
    with pytest.raises(alnus.InputError, match=r"no query with the id '1' among 4"):
        rows.of_query("1")
    with pytest.raises(alnus.InputError, match=r"no subject with the id 'a' among 2"):
        rows.of_subject("a")
    with pytest.raises(alnus.InputError, match="no text"):
        rows.of_query("\ud800")


def test_a_mask_with_an_index_of_its_own_is_not_used_by_position(rows: alnus.Rows) -> None:
    frame = rows.to_pandas()
    best = frame["score"] > 50
    assert rows[best].score.tolist() == rows.score[rows.score > 50].tolist()
    turned = frame.sort_values("score")["score"] > 50
    for which in (rows, rows.queries):
        size = len(which)
        with pytest.raises(alnus.InputError, match=r"index of its own.*\.to_numpy\(\)"):
            which[turned.iloc[:size]]
        with pytest.raises(alnus.InputError, match=r"not 0 to"):
            which[pd.Series([True] * size, index=[f"s{k}" for k in range(size)])]
    assert len(rows[turned.to_numpy()]) == turned.sum()
    # Numbers say themselves what they choose, whatever the index beside them is.
    chosen = pd.Series(rows.query)[rows.score > 50]
    assert rows.queries[chosen].ids == rows.query_id[rows.score > 50].tolist()


def test_columns_of_other_programs_are_named(rows: alnus.Rows) -> None:
    for name, other in [("pident", "rows.identity()"), ("bitscore", "rows.bits"), ("Score", "rows.score")]:
        with pytest.raises(AttributeError, match=rf"no column '{name}'\. Use {re.escape(other)}\.$"):
            getattr(rows, name)
        with pytest.raises(alnus.InputError, match=re.escape(other)):
            rows[name]  # type: ignore[call-overload]
    with pytest.raises(alnus.InputError, match=r"columns are attributes\. Use rows\.score\."):
        rows["score"]  # type: ignore[call-overload]
    with pytest.raises(alnus.InputError, match=r"rows\.to_pandas\(\)"):
        rows["colour"]  # type: ignore[call-overload]
    with pytest.raises(AttributeError, match=r"Use pair\.bits\.$"):
        _ = rows[0].bitscore
    with pytest.raises(AttributeError, match=r"A pair has no 'qcovs'\.$"):
        _ = rows[0].qcovs
    with pytest.raises(AttributeError, match=r"no column 'colour'\.$"):
        _ = rows.colour
    with pytest.raises(alnus.InputError, match=r"database\.ids\.index\('a'\)"):
        rows.queries["a"]  # type: ignore[call-overload]
