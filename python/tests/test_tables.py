"""Tables of rows have the identities, coverages and titles that are asked for, in pandas, polars and Arrow alike."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import alnus

Files = tuple[pathlib.Path, pathlib.Path]
DENOMINATORS = ["alignment", "ungapped", "shorter", "longer", "mean", "end_gaps"]
SEQUENCES = ["query", "subject", "shorter", "longer", "both"]


def columns_of(rows: alnus.Rows, **words: Any) -> list[dict[str, list[Any]]]:
    """The columns as each kind of table has them."""
    tables: list[dict[str, list[Any]]] = [{name: list(column) for name, column in rows.to_dict(**words).items()}]
    tables.append(rows.to_pandas(**words).to_dict(orient="list"))
    tables.append(rows.to_polars(**words).to_dict(as_series=False))
    tables.append(rows.to_arrow(**words).to_pydict())
    return tables


def test_one_denominator_is_one_column(proteins: Files) -> None:
    for package in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(package)
    hits = alnus.search(*proteins, evalue=1e-5)
    before = list(hits.to_dict())
    for table in columns_of(hits, identity="shorter", coverage="subject", titles=True, cigars=True):
        assert list(table) == [*before, "cigar", "identity", "coverage", "query_title", "subject_title"]
        assert table["identity"] == hits.identity("shorter").tolist()
        assert table["coverage"] == hits.coverage("subject").tolist()
        assert table["query_title"] == ["the first, with a title" if pair.query == 0 else "" for pair in hits]
        assert table["subject_title"][0] == 'of query 1, <"1"> & more'
    for table in columns_of(hits):
        assert list(table) == before


def test_a_list_is_a_column_for_each(proteins: Files) -> None:
    hits = alnus.search(*proteins, evalue=1e-5)
    table = hits.to_dict(identity=DENOMINATORS, coverage=tuple(SEQUENCES))  # type: ignore[arg-type]
    for one in DENOMINATORS:
        assert (table[f"identity_{one}"] == hits.identity(one)).all()  # type: ignore[arg-type]
    for one in SEQUENCES:
        assert (table[f"coverage_{one}"] == hits.coverage(one)).all()  # type: ignore[arg-type]
    assert "identity" not in table and "coverage" not in table
    assert list(hits.to_dict(identity=[], coverage=[])) == list(hits.to_dict())


def test_coverage_is_the_share_between_the_first_and_the_last_aligned_residue(proteins: Files) -> None:
    hits = alnus.search(*proteins, evalue=10)
    query = (hits.query_end - hits.query_begin) / hits.queries.lengths[hits.query]  # type: ignore[operator]
    subject = (hits.subject_end - hits.subject_begin) / hits.subjects.lengths[hits.subject]  # type: ignore[operator]
    assert len(hits) > 8 and np.unique(query).size > 4
    expected = {"query": query, "subject": subject, "both": np.minimum(query, subject)}
    shorter = hits.queries.lengths[hits.query] < hits.subjects.lengths[hits.subject]
    expected |= {"shorter": np.where(shorter, query, subject), "longer": np.where(shorter, subject, query)}
    for of, values in expected.items():
        assert hits.coverage(of).tolist() == values.tolist()  # type: ignore[arg-type]
    none = alnus.align(["MKV", ""], ["WWW", "MKV"])
    assert none.coverage("both").tolist()[1] == 0 and none.coverage("query").tolist()[1] == 0


def test_titles_come_row_by_row() -> None:
    hits = alnus.search(">q the query\nMKVLAW\n", ">b of b\nMKVLAW\n>a\nMKVLAW\n", stats="none")
    assert hits.subject_title.tolist() == ["of b", ""] and hits.query_title.tolist() == ["the query"] * 2
    assert hits[::-1].subject_title.tolist() == ["", "of b"]
    assert hits.query_title.dtype == object


@pytest.mark.parametrize(
    "words",
    [
        {"identity": "shortest"},
        {"identity": ["alignment", "none"]},
        {"identity": True},
        {"coverage": "target"},
        {"coverage": 1},
        {"titles": "query"},
        {"cigars": "yes"},
    ],
    ids=str,
)
def test_other_words_are_errors(words: Any) -> None:
    rows = alnus.align(["MKVLAW"], ["MKVLAW"])
    with pytest.raises(alnus.InputError, match=next(iter(words)).removesuffix("s") + "|denominator"):
        rows.to_dict(**words)


def test_rows_without_alignments_have_neither() -> None:
    rows = alnus.align(["MKVLAW"], ["MKVLAW"], detail="ends")
    for words in ({"identity": "alignment"}, {"coverage": "query"}, {"cigars": True}):
        with pytest.raises(alnus.InputError, match="detail='alignment'"):
            rows.to_dict(**words)  # type: ignore[arg-type]
    assert rows.to_dict(titles=True)["query_title"].tolist() == [""]


def test_no_rows_have_the_types_of_rows() -> None:
    for package in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(package)
    some, none = (
        alnus.search({"q": "MKVLAWHEAG"}, {"s": "MKVLAWHEAG"}, evalue=1e9, min_score=score) for score in (1, 1000)
    )
    assert len(some) == 1 and len(none) == 0
    of = {"cigars": True, "titles": True, "identity": "shorter", "coverage": ["query"]}
    assert some.to_pandas(**of).dtypes.to_dict() == none.to_pandas(**of).dtypes.to_dict()
    assert some.to_polars(**of).schema == none.to_polars(**of).schema
    assert some.to_arrow(**of).schema == none.to_arrow(**of).schema
