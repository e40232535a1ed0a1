"""What users look up in results: the rows of a sequence, and columns under the names that other programs have."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from alnus._arguments import shown, word
from alnus._errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

    from alnus import _alnus

# What takes the place of a column of BLAST's tables, or of an attribute that people expect.
_IN_PLACE_OF = {
    "pident": "identity()",
    "identities": "identity()",
    "pident_min": "identity_range()[:, 0]",
    "pident_max": "identity_range()[:, 1]",
    "nident": "identical",
    "matches": "identical",
    "mismatch": "mismatches",
    "gapopen": "gap_opens",
    "gaps": "gap_residues",
    "bitscore": "bits",
    "e_value": "evalue",
    "hsps": "hsp",
    "hsp_num": "hsp",
    "hsp_number": "hsp",
    "scores": "score",
    "evalues": "evalue",
    "cigar": "cigars",
    "qcovs": "coverage('query')",
    "qcovhsp": "coverage('query')",
    "scov": "coverage('subject')",
    "scovhsp": "coverage('subject')",
    "qseqid": "query_id",
    "qaccver": "query_id",
    "query_ids": "query_id",
    "sseqid": "subject_id",
    "saccver": "subject_id",
    "subject_ids": "subject_id",
    "target": "subject",
    "target_id": "subject_id",
    "qstart": "query_begin",
    "query_start": "query_begin",
    "qend": "query_end",
    "sstart": "subject_begin",
    "subject_start": "subject_begin",
    "send": "subject_end",
    "qlen": "queries.lengths[rows.query]",
    "slen": "subjects.lengths[rows.subject]",
    "qtitle": "query_title",
    "stitle": "subject_title",
}


def in_place_of(name: str, owner: str, kind: type, columns: Collection[str]) -> str:
    """Return a sentence, preceded by a blank, that says what to use for the column ``name``; empty if none is known.

    ``owner`` is what the sentence calls the object that the user has; the object is a ``kind`` and has the ``columns``.
    """
    other = _IN_PLACE_OF.get(name.lower(), name.lower())
    attribute = re.split(r"\W", other)[0]
    return f" Use {owner}.{other}." if attribute in columns or hasattr(kind, attribute) else ""


def places_of(what: str, which: Any, database: _alnus.Database) -> npt.NDArray[np.integer[Any]]:
    """Return the indices of the sequences that a user names by an index or by an id, of which there may be several.

    ``what`` is the word for one of the sequences, for messages. Raises IndexError for an index out of range, and
    InputError for an id that no sequence has, and for what is neither.
    """
    if isinstance(which, str):
        found = database.places_of_id(word(what, which) or "")
        if len(found) == 0:
            raise InputError(f"There is no {what} with the id {which!r} among {len(database)}. An index is an int.")
        return found
    if isinstance(which, bool | np.bool_) or not hasattr(which, "__index__") or np.ndim(which) > 0:
        raise InputError(f"{what} is {shown(which)}; it takes the index of one {what}, an int, or its id, a str.")
    index = int(which.__index__())
    if not 0 <= index < len(database):
        raise IndexError(f"There is no {what} {index} among {len(database)}, which count from 0.")
    return np.array([index])
