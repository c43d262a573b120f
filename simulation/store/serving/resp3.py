"""What answers look like in RESP3: maps, and doubles, where RESP2 has lists and texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from simulation.store.values.replies import StoreReply, Words


def _make_map(reply: StoreReply) -> StoreReply:
    """Return a map of names and values in turns."""
    if not isinstance(reply, list):
        return reply
    return dict(zip(reply[::2], reply[1::2], strict=True))  # type: ignore[arg-type]


def _make_double(reply: StoreReply) -> StoreReply:
    return float(reply) if isinstance(reply, bytes) else reply


def _make_doubles(reply: StoreReply) -> StoreReply:
    return [_make_double(one) for one in reply] if isinstance(reply, list) else reply


def _make_pairs(reply: StoreReply) -> StoreReply:
    """Return members and scores as pairs."""
    if not isinstance(reply, list):
        return reply
    return [[one, _make_double(at)] for one, at in zip(reply[::2], reply[1::2], strict=True)]


def _make_streams(reply: StoreReply) -> StoreReply:
    """Return a map of keys to entries."""
    if not isinstance(reply, list):
        return reply
    return {one[0]: one[1] for one in reply}  # type: ignore[index, misc]


_BY_NAME: Final[dict[bytes, Callable[[StoreReply], StoreReply]]] = {
    b"HGETALL": _make_map,
    b"XINFO": _make_map,
    b"HELLO": _make_map,
    b"ZSCORE": _make_double,
    b"ZINCRBY": _make_double,
    b"ZMSCORE": _make_doubles,
    b"XREAD": _make_streams,
    b"XREADGROUP": _make_streams,
}
_WITH_SCORES: Final = frozenset((b"ZRANGE", b"ZREVRANGE", b"ZRANGEBYSCORE", b"ZREVRANGEBYSCORE"))


def translate(words: Words, reply: StoreReply) -> StoreReply:
    """Return an answer to a command as RESP3 has it."""
    name = words[0].upper()
    if name in _BY_NAME:
        return _BY_NAME[name](reply)
    if name in _WITH_SCORES:
        shows = any(word.upper() == b"WITHSCORES" for word in words[4:])
        return _make_pairs(reply) if shows else reply
    if name == b"ZPOPMIN":
        return _make_pairs(reply) if len(words) > 2 else _make_first_double(reply)
    if name == b"ZADD":
        return _make_double(reply)
    if len(words) > 1 and (name, words[1].upper()) in (
        (b"CONFIG", b"GET"),
        (b"CLIENT", b"TRACKINGINFO"),
    ):
        return _make_map(reply)
    return reply


def _make_first_double(reply: StoreReply) -> StoreReply:
    return [reply[0], _make_double(reply[1])] if isinstance(reply, list) and reply else reply
