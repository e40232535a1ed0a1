"""Pickles that were changed on their way are refused, or give what was pickled; they never crash."""

from __future__ import annotations

import os
import pickle
import random
import resource
from collections.abc import Iterator
from typing import Any

import pytest
from inputs import family

import alnus

COUNT = 200 if os.environ.get("ALNUS_FULL_TESTS") == "1" else 40
OTHERS: list[Any] = [None, [], [0], [2**63], [2**64 - 1] * 4, 7, -1, 2**40, "x", b"", (), [()], [("a", (1,))]]
MEMORY = 256 << 20  # bytes above what the honest ones take


def results() -> list[Any]:
    proteins = family(81, 6)
    found = alnus.search(proteins[:3], proteins, score_histogram=True)
    dna = {f"s{k}": one for k, one in enumerate(["ACGTTGCAAC", "GTTGCAACGT", "ACGTTGAACG"])}
    return [
        found,
        found[0],
        alnus.search(proteins[:2], proteins, detail="ends", stats="none"),
        alnus.align(proteins[:3], proteins[3:], identity_ranges=["shorter"]),
        alnus.search(dna, dna, alphabet="dna", strand="both", stats="none"),
        alnus.Database(proteins, name="mine"),
        alnus.Scoring(matrix="BLOSUM80", gaps=(10, 2)),
    ]


def shown(value: Any) -> Any:
    """Everything of a result that its user can see."""
    if isinstance(value, alnus.Database):
        return value.name, value.alphabet, value.headers, list(value)
    if isinstance(value, alnus.Scoring):
        return repr(value), value.mode
    if isinstance(value, alnus.Pair):
        return shown(value._rows._alone(value._index))
    core, first_row = value._core.state(), value.first_row
    of_query = None if first_row is None else first_row.tolist()
    cigars = value.cigars if value._core.has_cigars else None
    return repr(core), of_query, repr(value.summary), shown(value.queries), shown(value.subjects), cigars


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def test_changed_bytes_are_refused_or_do_not_matter() -> None:
    kept = [(pickle.dumps(value), shown(value)) for value in results()]
    for data, honest in kept:
        assert shown(pickle.loads(data)) == honest
    chance, before, refused = random.Random(43), peak(), 0
    for _ in range(COUNT):
        data, honest = chance.choice(kept)
        changed = bytearray(data)
        for _ in range(chance.choice([1, 1, 1, 4])):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        try:
            found = shown(pickle.loads(bytes(changed)))
        except Exception:  # pickle itself raises anything for bytes that are no pickle
            refused += 1
        else:
            assert found == honest
    assert refused > COUNT / 2
    assert peak() < before + MEMORY


def forged_columns(columns: list[bytes], chance: random.Random) -> list[bytes]:
    """The columns of rows with one of them changed."""
    changed = list(columns)
    place = chance.randrange(len(changed))
    column = bytearray(changed[place])
    odd = chance.choice([0, 1, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1, chance.getrandbits(64)])
    kind = chance.randrange(4)
    if not column or kind == 0:
        column += odd.to_bytes(8, "little") * chance.randrange(1, 4)
    elif kind == 1:
        del column[-8 * chance.randrange(1, 3) :]
    else:
        at, size = chance.randrange(len(column)) // 8 * 8, min(len(column), chance.choice([1, 4, 8]))
        column[at : at + size] = odd.to_bytes(8, "little")[:size]
    changed[place] = bytes(column)
    return changed


def forged_states(rows: alnus.Rows, count: int) -> Iterator[tuple[Any, ...]]:
    """States of rows that somebody has changed, who has made the digest anew."""
    state = rows._core.state()
    chance = random.Random(44)
    for _ in range(count):
        kind = chance.randrange(6)
        if kind > 1:
            yield (forged_columns(state[0], chance), *state[1:])
            continue
        place = chance.randrange(len(state))
        other = chance.choice(OTHERS)
        yield (*state[:place], other, *state[place + 1 :]) if kind == 0 else state[:place]


@pytest.mark.parametrize("which", [0, 2, 3, 4])
def test_forged_rows_are_refused_or_can_be_used(which: int) -> None:
    rows, before, refused = results()[which], peak(), 0
    _, (_, load, _, *rest) = rows.__reduce__()
    for state in forged_states(rows, COUNT):
        try:
            forged = load(state, *rest)
        except alnus.InputError:
            refused += 1
            continue
        shown(forged)
        forged.to_pandas()
        for row in forged:
            str(row)
    assert refused > COUNT / 4
    assert peak() < before + MEMORY


def test_what_is_missing_is_named() -> None:
    rows = alnus.align(["MKVLAW"], ["MKVLAW"])
    _, (_, load, state, *rest) = rows.__reduce__()
    for wrong, what in (
        (state[:-1], "lack something"),
        ((state[0][:-1], *state[1:]), "columns are missing"),
        ((*state[:7], "no", *state[8:]), "another type"),
        ((*state[:4], 7, *state[5:]), "a word is unknown"),
    ):
        with pytest.raises(alnus.InputError, match=f"damaged: .*{what}"):
            load(wrong, *rest)
    database = alnus.Database(["ACGT"], alphabet="dna")
    with pytest.raises(alnus.InputError, match="another alphabet"):
        load(state, database, database, *rest[2:])
    data = bytearray(pickle.dumps(rows))
    score = rows._core.state()[0][3]
    at = bytes(data).index(score)
    data[at] ^= 1
    with pytest.raises(alnus.InputError, match="This pickle is damaged: its digest does not match"):
        pickle.loads(bytes(data))
