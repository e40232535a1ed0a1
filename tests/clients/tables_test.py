"""Tables and JSON lines, read by pandas, polars and jq."""

import io
import json

import pandas
import polars
import pytest

from clients import alnus, run

STANDARD = ["qaccver", "saccver", "pident", "length", "mismatch", "gapopen", "qstart", "qend", "sstart", "send",
            "evalue", "bitscore"]


def search(files, *options):
    return alnus("search", *files, "--evalue", "1e-5", *options)


def test_a_table_is_read_with_the_names_of_its_columns(proteins):
    text = search(proteins)
    by_pandas = pandas.read_csv(io.StringIO(text), sep="\t", names=STANDARD)
    by_polars = polars.read_csv(io.StringIO(text), separator="\t", has_header=False, new_columns=STANDARD)
    assert len(by_pandas) == len(by_polars) == 8
    assert by_pandas["bitscore"].tolist() == by_polars["bitscore"].to_list()
    assert set(by_pandas["qaccver"]) == {"q1", "q3"}


@pytest.mark.parametrize("outfmt, separator", [("6", "\t"), ("10", ",")])
def test_a_header_names_the_columns(proteins, outfmt, separator):
    text = search(proteins, "--outfmt", f"{outfmt} std stitle", "--header")
    by_pandas = pandas.read_csv(io.StringIO(text), sep=separator)
    quote = '"' if outfmt == "10" else None
    by_polars = polars.read_csv(io.StringIO(text), separator=separator, quote_char=quote)
    assert by_pandas.columns.tolist() == by_polars.columns == STANDARD + ["stitle"]
    assert by_pandas["length"].tolist() == by_polars["length"].to_list()
    assert by_pandas["stitle"][4] == by_polars["stitle"][4] == 'of query 3, <"0"> & more'
    without = search(proteins, "--outfmt", f"{outfmt} std stitle")
    assert text == separator.join([*STANDARD, "stitle"]) + "\n" + without


def test_a_header_stands_above_no_rows(proteins):
    text = alnus("search", *proteins, "--min-score", 10000, "--header")
    assert pandas.read_csv(io.StringIO(text), sep="\t").columns.tolist() == STANDARD


def test_unknown_values_are_missing_values(proteins):
    text = alnus("search", *proteins, "--stats", "none", "--outfmt", "6 qaccver evalue", "--header")
    assert pandas.read_csv(io.StringIO(text), sep="\t")["evalue"].isna().all()
    by_polars = polars.read_csv(io.StringIO(text), separator="\t", null_values="NA")
    assert by_polars["evalue"].null_count() == len(by_polars) > 0


def test_all_pairs_and_given_pairs_have_headers(proteins):
    for command in ("allpairs", proteins[1]), ("align", "--all", *proteins):
        text = alnus(*command, "--header", "--outfmt", "6 qaccver saccver score")
        table = pandas.read_csv(io.StringIO(text), sep="\t")
        assert table.columns.tolist() == ["qaccver", "saccver", "score"]
        assert table["score"].min() > 0 and len(table) > 50


def test_jq_reads_json_lines(proteins):
    chosen = run("jq", "-c", 'select(.qseqid == "q3") | [.sseqid, .qtitle, .pident]',
                 text=search(proteins, "--outfmt", "jsonl"))
    rows = [json.loads(line) for line in chosen.splitlines()]
    assert [row[0] for row in rows] == [f"relative3.{k}" for k in range(4)]
    title = run("jq", "-r", "-s", ".[0].qtitle", text=search(proteins, "--outfmt", "jsonl"))
    assert title == "the first, with a title\n"


def test_pandas_reads_json_lines(proteins):
    table = pandas.read_json(io.StringIO(search(proteins, "--outfmt", "jsonl")), lines=True)
    assert len(table) == 8 and table["bitscore"].min() > 50


def test_headers_lose_their_trailing_blanks(proteins):
    report = search(proteins, "--outfmt", "0")
    assert "Query= q1 the first, with a title\n" in report
