"""The hashes of states and events, and the chain of the events (`docs/ledger.md`). No Redis.

A state hash is made with orjson, because a hash is made for every event: orjson writes an identity
byte for byte as `engine.canonical` does, several times as fast, and the engine itself stays within
the standard library. `events.audit` hashes with the engine, so every verification compares the two.

Each event names the hash of the event before it. An event is stored as canonical JSON with `schema`
in front, so the hash of a stored event is the hash of its text without `schema`: nothing has to be
written again. Events of schema 0 and 1 come from before the chain. They were stored in any order of
keys and have no `prev`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson

from cartulary.engine.canonical import JsonText, canonical_hash
from cartulary.engine.core import State
from cartulary.events.model.types import (
    GAME_ABORTED,
    GAME_CREATED,
    GAME_SCORED,
    GAME_STARTED,
    MOVE_MADE,
    SEAT_LEFT,
    SEAT_TAKEN,
    Json,
)

GENESIS: Final = "0" * 64
"""The `prev` of the first event of a game."""

LARGEST: Final = 2**53 - 1
"""The largest amount of a number in an event: every JSON reader has integers up to it."""

CHAINED: Final = 2
"""The first schema of events that have a `prev`, of all types from before the chain."""

BEFORE_CHAIN: Final = frozenset(
    {GAME_CREATED, SEAT_TAKEN, SEAT_LEFT, GAME_STARTED, MOVE_MADE, GAME_SCORED, GAME_ABORTED}
)
"""The types from before the chain; events of every other type have a `prev` in every schema."""

_new_tuple = tuple.__new__
"""Makes a named tuple in half the time of its own constructor, for what each event makes."""

_SEALED: Final = re.compile(rb'\{"schema":(?:[2-9]|[1-9][0-9]+),')
_ADDED: Final = frozenset({"schema", "hash", "upcast", "masked"})
"""Keys that the store or the delivery adds to an event: the hash does not cover them."""
_CANONICAL: Final = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER

PIECE = 2047
"""Bytes; `hashlib` releases the interpreter lock from one more on."""


class Sealed(NamedTuple):
    """An event as it is appended: its type, the hash of the event before, its text and its hash."""

    type: str
    prev: str
    text: bytes
    hash: str


def view_and_hash(state: State[Any]) -> tuple[bytes, str]:
    """Return `view_text(state)` and `state.state_hash()`, for the price of the latter."""
    view = view_text(state)
    identity = {"view": orjson.Fragment(view), **state.beyond_view()}
    return view, hash_text(_canonical(identity))


def view_text(state: State[Any]) -> bytes:
    """Return `state.view()` as canonical JSON, as it is sent to clients."""
    parts = state.view_parts()
    for key, part in parts.items():
        if type(part) is JsonText:
            parts[key] = orjson.Fragment(part.encode())
    # A copy: tables keep the text, and orjson gives a text in up to three times its memory.
    return b"%b" % _canonical(parts)


def hash_text(text: bytes) -> str:
    """Return the SHA-256 of a text in hex.

    Hashes a longer text in pieces: else hashlib lets other threads run, which takes longer.
    """
    if len(text) <= PIECE:
        return hashlib.sha256(text).hexdigest()
    digest = hashlib.sha256()
    for start in range(0, len(text), PIECE):
        digest.update(text[start : start + PIECE])
    return digest.hexdigest()


def _canonical(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def seal(event: Json, schema: int) -> Sealed:
    """Return an event that has its `prev`, and nothing that delivery adds, as it is appended.

    Raises `TypeError` for a number beyond `LARGEST` and for text that is no Unicode.
    """
    text = orjson.dumps(event, option=_CANONICAL)
    stored = b'{"schema":%d,%b' % (schema, text[1:])
    return _new_tuple(Sealed, (event["type"], event["prev"], stored, hash_text(text)))


def hash_event(event: Json) -> str:
    """Return the hash of an event as it was appended: 64 hex digits.

    SHA-256 of the canonical JSON, without `schema` and without what delivery adds.
    """
    return canonical_hash({key: value for key, value in event.items() if key not in _ADDED})


def hash_stored(text: bytes) -> str:
    """Return the hash of the text of a stored event; raises `ValueError` for what is no event."""
    if found := _SEALED.match(text):
        return hash_text(b"{" + text[found.end() :])
    event = orjson.loads(text)
    if type(event) is not dict:
        raise ValueError(f"{type(event).__name__} is no event")
    return hash_event(event)


class Break(NamedTuple):
    """An event that is not as it was appended, and why."""

    version: int
    detail: str


class Links(NamedTuple):
    """The chain of a whole stream, entry `n - 1` being that of version `n`.

    `hashes`: of the events, None for what is no event. `named`: the hash that comes next to each
    event, which is the `prev` of the next event, and for the last event the hash that the store
    remembers; None where there is no such hash. `chained_from`: the version of the first event
    that has a `prev`, None without such an event.
    """

    hashes: list[str | None]
    named: list[str | None]
    chained_from: int | None

    def is_broken(self, version: int) -> bool:
        """Return whether an event has another hash than the hash that comes next to it."""
        named = self.named[version - 1]
        if named is None:
            last = version == len(self.hashes)
            return not last and self.chained_from is not None and version >= self.chained_from
        return named != self.hashes[version - 1]


def read_links(texts: Sequence[bytes], head: str | None) -> Links:
    """Return the chain of the texts of a stream; `head` is the hash of the last event, if known."""
    prevs = [read_field(text, "prev") for text in texts]
    start = next((n for n, prev in enumerate(prevs, start=1) if prev is not None), None)
    return Links([hash_or_none(text) for text in texts], [*prevs[1:], head], start)


def find_break(texts: Sequence[bytes], links: Links) -> Break | None:
    """Return the first event of a stream that is not as it was appended, None for a whole chain."""
    for version, text in enumerate(texts, start=1):
        if links.is_broken(version):
            return _name_culprit(texts, links, version)
        if fault := _find_fault(version, text):
            return Break(version, fault)
    return None


def _name_culprit(texts: Sequence[bytes], links: Links, version: int) -> Break:
    """Return which of the two events of a broken link was changed.

    It is the later event when only its `prev` was changed: with the right `prev` it has the hash
    that comes next to it.
    """
    found, named = links.hashes[version - 1], links.named[version - 1]
    if version < len(texts):
        if named is None:
            return Break(version + 1, "it does not name the event before it")
        mended = hash_or_none(texts[version].replace(named.encode(), str(found).encode(), 1))
        if mended == links.named[version]:
            return Break(version + 1, f"it names {named}, the event before it has the hash {found}")
    return Break(version, f"it has the hash {found}, the next link names {named}")


def _find_fault(version: int, text: bytes) -> str | None:
    """Say why a text cannot be what was appended, None when it can."""
    try:
        event = orjson.loads(text)
        schema = event.pop("schema")
        chained = schema >= CHAINED or event["type"] not in BEFORE_CHAIN
        if chained != ("prev" in event):
            return (
                f"an event of schema {schema}, " + ("" if "prev" in event else "not ") + "chained"
            )
        if not chained:
            return None
        if seal(event, schema).text != text:
            return "its text is not the canonical one"
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return repr(error)
    if version == 1 and event["prev"] != GENESIS:
        return "the first event names an event before it"
    return "a number is no integer" if has_float(event) else None


def has_float(value: Any) -> bool:
    """Return whether a JSON value holds a number that is no integer."""
    if isinstance(value, dict):
        return any(map(has_float, value.values()))
    if isinstance(value, list):
        return any(map(has_float, value))
    return isinstance(value, float)


def read_field(text: bytes, name: str) -> str | None:
    """Return a field of the text of an event, None unless it is a string."""
    try:
        value = orjson.loads(text).get(name)
    except (ValueError, AttributeError):
        return None
    return value if isinstance(value, str) else None


def hash_or_none(text: bytes) -> str | None:
    """Return the hash of the text of a stored event, None for what is no event."""
    try:
        return hash_stored(text)
    except ValueError:
        return None
