"""The state hash of the engine, made with orjson: a hash is made for every event.

orjson writes an identity byte for byte as `engine.canonical` does, several times as fast; the
engine itself stays within the standard library. `events.audit` hashes with the engine, so every
verification compares the two.
"""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from engine.core import State
from events.types import Json


def view_and_hash(state: State[Any]) -> tuple[Json, str]:
    """Return `state.view()` and `state.state_hash()` for the price of the latter."""
    identity = state.identity()
    canonical = orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)
    return identity["view"], hashlib.sha256(canonical).hexdigest()
