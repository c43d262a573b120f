"""All projections as they are stored, to be compared with what a rebuild makes of the streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from redis import Redis

PATTERN: Final = "{projections}:*"

LEFT_OUT: Final = ("{projections}:waiting", "{projections}:inbox")
"""Beginnings of keys that a rebuild does not make: a dispatcher keeps the first for itself, and
inboxes tell what happened, which a rebuild does not tell again."""


RESERVED: Final = ("{projections}:quota:", "{projections}:offers:")
"""Beginnings of keys in which a score above 0 is the end of a reservation: it counts no game, and
stays after its end until its player takes a place again (`events/people/reserve.lua`)."""


PUT_OFF: Final = "{projections}:finished"
"""Where there is an archive, the moments in it say when the archiver looks again: a rebuild lets it
look at once."""


def read_lists(redis: Redis, archives: bool = False) -> dict[str, Any]:
    """Return the value of each key of the projections."""
    found: dict[str, Any] = {}
    client: Any = redis
    for key in sorted(client.scan_iter(match=PATTERN, count=1000)):
        name = key.decode()
        value: Any = None if name.startswith(LEFT_OUT) else _read(client, key)
        if name.startswith(RESERVED):
            value = {member: score for member, score in value.items() if not score}
        if value:
            found[name] = value
    if archives and PUT_OFF in found:
        found[PUT_OFF] = set(found[PUT_OFF])
    return found


def _read(client: Any, key: bytes) -> Any:
    kind = client.type(key)
    if kind == b"hash":
        return client.hgetall(key)
    if kind == b"zset":
        return dict(client.zrange(key, 0, -1, withscores=True))
    if kind == b"set":
        return client.smembers(key)
    if kind == b"list":
        return client.lrange(key, 0, -1)
    if kind == b"stream":
        return client.xrange(key)
    return client.get(key)


def compare_lists(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each key that differs."""
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was != now:
            yield f"{name}: {_shorten(was, now)}"


def _shorten(was: Any, now: Any) -> str:
    if isinstance(was, dict) and isinstance(now, dict):
        keys = [key for key in sorted(was.keys() | now.keys()) if was.get(key) != now.get(key)]
        return "; ".join(f"{key!r} was {was.get(key)!r}, is {now.get(key)!r}" for key in keys)[:300]
    return f"was {was!r}, is {now!r}"[:300]
