"""Sets of sequences of the compiled module, made of what a user has in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from alnus import _alnus
from alnus._arguments import check_index, word
from alnus._errors import InputError
from alnus._fasta import Fasta, begins_fasta
from alnus._following import quiet, warn
from alnus._texts import Buffer, Texts, check_no_table, check_order, is_arrow, is_missing

if TYPE_CHECKING:
    from alnus._session import Session
    from alnus._session_base import SessionBase

NAME = "sequences"  # the name of a set that has none


def session_of(session: Session | None) -> Session:
    """Return the session, or that of the module's functions if there is none."""
    from alnus._default import default_session

    return default_session() if session is None else session


def labelled(
    given: Texts | Buffer | Fasta, ids: Iterable[str] | None, titles: Iterable[str] | None, sequences: Any = None
) -> Texts | Buffer | Fasta:
    """Return the sequences with these ids and titles, where they are not None, in place of their own.

    ``sequences`` is what the user gave as sequences. Raises InputError for what is no list of str, for columns of
    pandas that have another index than the sequences, and for FASTA, which has ids and titles in its headers.
    """
    if ids is None and titles is None:
        return given
    if isinstance(given, Fasta):
        raise InputError(f"{given.name} is FASTA, which has ids and titles in its headers; leave ids and titles out.")
    return given._replace(
        ids=given.ids if ids is None else _listed("ids", ids, sequences),
        titles=given.titles if titles is None else _listed("titles", titles, sequences),
    )


def made(
    given: Texts | Buffer | Fasta,
    alphabet: str | None,
    mask: list[str],
    name: str,
    *,
    stated: bool,
    session: SessionBase | None = None,
) -> _alnus.Database:
    """Make a set of sequences, and warn of letters that were replaced or removed.

    ``stated`` is True if the user has stated the alphabet. Otherwise each call that takes the set checks whether its
    letters look like the other alphabet, as it does with a file. ``session`` reads FASTA and masks.
    """
    if isinstance(given, Fasta):
        # An alphabet that the other input has decided is stated only if it is dna, as with a path.
        choice = alphabet if stated or alphabet == "dna" else None
        using = session_of(None) if session is None else session
        return using._core.open_text(given.text, given.name, alphabet=choice or "", mask=mask, listeners=quiet)
    kind = _guessed(given) if alphabet == "auto" else alphabet or "protein"
    if isinstance(given, Buffer):
        arrays = given.letters, given.offsets
        core, odd = _alnus.Database.of_bytes(*arrays, given.ids, given.titles, kind, name, stated)
    else:
        core, odd = _alnus.Database.of_texts(given.letters, given.ids, given.titles, kind, name, stated)
    unknown, first, gaps, digits, first_digits, alignment = odd
    if unknown > 0 and stated:
        read_as = "N" if kind == "dna" else "X"
        warn(
            f"{name}: {unknown} letters outside the {kind} alphabet, read as {read_as}; the first is in "
            f"{_record(core, first)}."
        )
    if gaps > 0:
        warn(f"{name}: {gaps} gap letters (- or .) removed.")
    if digits > 0:
        warn(
            f"{name}: digits beside letters in {digits} of the sequences; the digits are left out. The first is "
            f"{_record(core, first_digits)}. Correct letters that were misread (O as 0, I as 1)."
        )
    if alignment:
        warn(alignment)
    if mask:
        using = session_of(None) if session is None else session
        core = _alnus.masked(using._core, core, mask=mask, listeners=quiet)
    return core


def _record(core: _alnus.Database, index: int) -> str:
    """Return how warnings name a sequence: by its number from 1, and by its id."""
    id = core.id(index)
    return f"record {index + 1}" + (f", {id[:80]!r}" if id else "")


def is_path(value: Any) -> bool:
    """Return True for a path object, and for a str with a dot, a slash or a backslash that is no FASTA.

    A str of letters with ``.`` for gaps therefore counts as a path, too.
    """
    if type(value) is not str and isinstance(value, os.PathLike):  # looking for __fspath__ takes longer
        return True
    if not isinstance(value, str) or not ("." in value or "/" in value or "\\" in value):
        return False
    return not begins_fasta(value)


def two_texts_alphabet(a: str | bytes, b: str | bytes, alphabet: str | None) -> str:
    """Return the alphabet of two texts that are aligned with each other.

    Raises InputError if ``alphabet`` is None and the letters of both texts together look like DNA, or those of a long
    ``a`` alone. Gives a warning if those of a long ``b`` alone do.
    """
    word("alphabet", alphabet)
    if alphabet is not None and alphabet != "auto":
        return alphabet
    guessed, of_a, of_b = _alnus.guess_of_two(a, b)
    if alphabet is None:
        if guessed == "dna":
            raise InputError(
                "Both sequences look like dna, and would be aligned as proteins. Choose alphabet='dna', or "
                "alphabet='protein' if these are proteins."
            )
        _check_two_texts(len(a) >= _LETTERS_OF_A_GENE and of_a == "dna", len(b) >= _LETTERS_OF_A_GENE and of_b == "dna")
    return guessed


# A text of fewer letters may be a peptide that has the letters ACGTUN alone.
_LETTERS_OF_A_GENE = 30


def _check_two_texts(a_is_gene: bool, b_is_gene: bool) -> None:
    """Check two texts of which one may be a gene and the other a protein, as the library checks two sets."""
    if a_is_gene:
        raise InputError(
            f"a looks like dna, but b holds a protein. {_alnus.translate_first}. If both are proteins, say so with "
            "alphabet='protein'."
        )
    if b_is_gene:
        warn("b looks like dna and is aligned as protein, untranslated; for nucleotides choose alphabet='dna'.")


def check_ids_of_fasta(core: _alnus.Database, file: str) -> None:
    """Raise InputError if FASTA, or a database file made of it, cannot hold the ids. ``file`` names what is written."""
    place = core.find_id_with(" \t")
    if place is not None:
        raise InputError(
            f"The id {core.id(place)!r} of {core.name} has a blank, and FASTA and database files end an id there: "
            f"{file} cannot hold it. Give ids without blanks."
        )


def _guessed(given: Texts | Buffer) -> str:
    if isinstance(given, Buffer):
        return _alnus.guess_of_bytes(given.letters)
    return _alnus.guess_of_texts(given.letters)


def _listed(argument: str, texts: Iterable[str], sequences: Any) -> list[str]:
    if isinstance(texts, str):
        raise InputError(f"{argument} is one str; it takes a list of them.")
    check_no_table(texts, argument, "one of its columns")
    check_order(texts, argument)
    check_index(argument, texts, sequences)
    try:
        listed: list[str] = cast(Any, texts).to_pylist() if is_arrow(texts) else list(texts)
    except TypeError:
        raise InputError(f"{argument} is {texts!r}; it takes a list of str.") from None
    wrong = [k for k, one in enumerate(listed) if not isinstance(one, str | bytes)]
    for k in wrong:
        if is_missing(listed[k]):
            raise InputError(f"{argument}[{k}] is missing ({listed[k]}). Give a str for each sequence.")
    if wrong:
        raise InputError(
            f"{argument}[{wrong[0]}] is {type(listed[wrong[0]]).__name__}, not str. Give a list of str, or a column or "
            "an array by .astype(str)."
        )
    return listed
