"""Everything that a store holds: what a refused request may not change."""

from __future__ import annotations

from typing import Any

from cartulary.events.people.rows import USED
from cartulary.events.server import keys
from cartulary.events.store import Store


def stored(store: Store) -> dict[bytes, bytes]:
    """Return everything that is stored, key by key.

    But not counts of rate limits, looks, presence, and the days on which tokens were used: a
    refused request leaves those as well.
    """
    # Not by a scan: it passes over a key when another key expires meanwhile.
    names: Any = store.redis.keys("*")
    counted = [
        key
        for key in names
        if not key.startswith((f"{keys.LIMITS}:".encode(), b"tokens:", b"presence:"))
        and not key.endswith(b":looked")
    ]
    with store.redis.pipeline(transaction=False) as pipe:
        for key in counted:
            pipe.dump(key)
        dumped = zip(counted, pipe.execute(), strict=True)
    # A key that has just expired has no value.
    kept: dict[bytes, bytes] = {key: value for key, value in dumped if value is not None}
    for key in [name for name in names if name.startswith(b"tokens:")]:
        rows: Any = store.redis.hgetall(key)
        kept[key] = b" ".join(sorted(name for name in rows if not name.endswith(USED.encode())))
    return kept
