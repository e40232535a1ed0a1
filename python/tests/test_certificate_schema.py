"""The schema of certificates fits the certificate that the C++ tests write, and refuses changed ones."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from typing import Any

import pytest
from documents import ROOT

jsonschema = pytest.importorskip("jsonschema")

_SCHEMA = json.loads((ROOT / "docs/schema/certificate-v1.json").read_text())
_CERTIFICATE = json.loads((ROOT / "tests/data/golden/certificate.json").read_text())


def errors(certificate: Any) -> list[str]:
    return [error.json_path for error in jsonschema.Draft202012Validator(_SCHEMA).iter_errors(certificate)]


def changed(path: str, value: Any) -> Any:
    """The certificate with another value; path is of keys and numbers, with slashes."""
    certificate = copy.deepcopy(_CERTIFICATE)
    *before, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    place = certificate
    for key in before:
        place = place[key]
    place[last] = value
    return certificate


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(_SCHEMA)


def test_the_schema_fits_certificates() -> None:
    assert errors(_CERTIFICATE) == []
    assert errors(changed("predicate/nearest_identities", None)) == []
    assert errors(changed("predicate/edges/sum_sha256", None)) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("_type", "x"),
        ("more", 1),
        ("subject/0/digest/sha256", "0" * 64),
        ("predicate/kind", "merge"),
        ("predicate/more", 1),
        ("predicate/subsets/1/records", -1),
        ("predicate/subsets/1/records", 1.5),
        ("predicate/subsets/1/name", ""),
        ("predicate/subsets/1/contents_sha256", "abc"),
        ("predicate/subsets/1/ids_sha256", "abc"),
        ("predicate/relations/0/kind", "similar"),
        ("predicate/relations/0/parameters/mode", 1),
        ("predicate/removed/ids/1", None),
        ("predicate/edges/origin", "x"),
        ("predicate/nearest_across/0/pair/value", 29.8),
        ("predicate/nearest_identities/bins/0/from", 101),
        ("predicate/files/0/name", "a/b"),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(path: str, value: Any) -> None:
    assert errors(changed(path, value)) != []


@pytest.mark.parametrize("key", sorted(_CERTIFICATE["predicate"]))
def test_no_member_may_be_missing(key: str) -> None:
    certificate = copy.deepcopy(_CERTIFICATE)
    del certificate["predicate"][key]
    assert errors(certificate) == ["$.predicate"]


def test_the_digest_of_the_predicate_is_as_documented() -> None:
    predicate = copy.deepcopy(_CERTIFICATE["predicate"])
    seal = predicate.pop("predicate_sha256")
    text = json.dumps(predicate, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == seal


def test_digests_of_contents_are_as_documented() -> None:
    block = re.search(r"```python\n(.*?)```", (ROOT / "docs/certificate.md").read_text(), re.DOTALL)
    assert block
    names: dict[str, Any] = {}
    exec(block[1], names)
    assert names["sequence_digest"]("ACGT") == "aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2"
    # tests/io/set_digests_test.cpp has the same digest.
    digest = "fb2f03425bec650f7e5e6485a41195730c9f08bf025b22ce7ac116ccc6d9f214"
    assert names["sum_sha256"]([]) == "0" * 64
    # tests/io/set_digests_test.cpp has the same sum.
    many = [(f"r{k}", f"r{k * k % 777}") for k in range(1000)]
    assert names["sum_sha256"](many) == "459f482986c6bb4c3e464c19afcb559fd88dbade7dc0dbc6d9f86d2ad708c212"
    assert names["contents_sha256"]({"a": "MKVLAWRS", "b": "ACDE", "c": "WW"}) == digest
