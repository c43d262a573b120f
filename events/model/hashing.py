"""The state hash of the engine, made with orjson: a hash is made for every event.

orjson writes an identity byte for byte as `engine.canonical` does, several times as fast; the
engine itself stays within the standard library. `events.audit` hashes with the engine, so every
verification compares the two.
"""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from cartulary.engine.canonical import JsonText
from cartulary.engine.core import State

PIECE = 2047
"""Bytes; `hashlib` releases the interpreter lock from one more on."""


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
