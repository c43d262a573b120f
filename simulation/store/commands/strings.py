"""Strings, with and without an expiry."""

from __future__ import annotations

from typing import Final

from simulation.store.commands.shape import Command, all_keys, first_key
from simulation.store.values.keyspace import Keyspace
from simulation.store.values.replies import (
    LEAST,
    MOST,
    NOT_AN_INTEGER,
    OK,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    read_int,
    refuse_syntax,
)

UNITS: Final = {b"EX": (1000, True), b"PX": (1, True), b"EXAT": (1000, False), b"PXAT": (1, False)}
"""Milliseconds of a unit of an expiry, and whether it counts from now on."""


def get_string(space: Keyspace, words: Words) -> StoreReply:
    """GET key."""
    return space.read_string(words[1])


def get_many(space: Keyspace, words: Words) -> StoreReply:
    """MGET key …; nil for a key of another type."""
    found = [space.find(key) for key in words[1:]]
    return [one if type(one) is bytes else None for one in found]


def set_string(space: Keyspace, words: Words) -> StoreReply:
    """SET key value with NX, XX, GET, KEEPTTL and the four forms of an expiry."""
    if len(words) == 3:
        key = words[1]
        if space.expires:
            space.find(key)
            space.expires.pop(key, None)
        space.put(key, words[2])
        return OK
    return _set_with_options(space, words)


def _set_with_options(space: Keyspace, words: Words) -> StoreReply:
    options, at = _read_options(space, words)
    key = words[1]
    before = space.read_string(key) if b"GET" in options else space.find(key)
    if (b"NX" in options and before is not None) or (b"XX" in options and before is None):
        return before if b"GET" in options else None
    if at is not None and at <= space.now:
        if before is not None:
            space.remove(key)
    else:
        space.put(key, words[2])
        if at is not None:
            space.expires[key] = at
        elif b"KEEPTTL" not in options:
            space.expires.pop(key, None)
    return before if b"GET" in options else OK


def _read_options(space: Keyspace, words: Words) -> tuple[set[bytes], int | None]:
    """Return the options without a value, and the time of the expiry."""
    options: set[bytes] = set()
    until: tuple[bytes, bytes] | None = None
    place = 3
    while place < len(words):
        word = words[place].upper()
        if word in UNITS:
            if until is not None or b"KEEPTTL" in options or place + 1 >= len(words):
                raise refuse_syntax()
            until = (word, words[place + 1])
            place += 1
        elif word in (b"NX", b"XX", b"GET", b"KEEPTTL"):
            options.add(word)
        elif word == b"IFEQ":
            raise Unmodelled("SET … IFEQ")
        else:
            raise refuse_syntax()
        place += 1
    if {b"NX", b"XX"} <= options or (until is not None and b"KEEPTTL" in options):
        raise refuse_syntax()
    return options, None if until is None else read_time(space, *until, "set")


def read_time(space: Keyspace, unit: bytes, word: bytes, name: str) -> int:
    """Return the moment at which a key expires, in ms; raises `StoreRefusal`."""
    factor, is_relative = UNITS[unit]
    number = read_int(word)
    if number <= 0 or number > MOST // factor:
        raise StoreRefusal(f"invalid expire time in '{name}' command")
    return number * factor + (space.now if is_relative else 0)


def set_if_missing(space: Keyspace, words: Words) -> StoreReply:
    """SETNX key value."""
    if space.find(words[1]) is not None:
        return 0
    space.put(words[1], words[2])
    return 1


def set_for_seconds(space: Keyspace, words: Words) -> StoreReply:
    """SETEX key seconds value."""
    at = read_time(space, b"EX", words[2], "setex")
    space.put(words[1], words[3])
    space.expires[words[1]] = at
    return OK


def get_and_delete(space: Keyspace, words: Words) -> StoreReply:
    """GETDEL key."""
    found = space.read_string(words[1])
    if found is not None:
        space.remove(words[1])
    return found


def append(space: Keyspace, words: Words) -> StoreReply:
    """APPEND key value; an empty value is no change, but makes the key."""
    before = space.read_string(words[1])
    if before is None:
        space.put(words[1], words[2])
        return len(words[2])
    after = before + words[2]
    space.put(words[1], after)
    return len(after)


def measure(space: Keyspace, words: Words) -> StoreReply:
    """STRLEN key."""
    return len(space.read_string(words[1]) or b"")


def increase(space: Keyspace, words: Words) -> StoreReply:
    """INCR key."""
    return add_number(space, words[1], 1)


def decrease(space: Keyspace, words: Words) -> StoreReply:
    """DECR key."""
    return add_number(space, words[1], -1)


def increase_by(space: Keyspace, words: Words) -> StoreReply:
    """INCRBY key number."""
    return add_number(space, words[1], read_int(words[2]))


def add_number(space: Keyspace, key: bytes, number: int) -> int:
    """Add to the number in a string; raises `StoreRefusal`."""
    found = space.read_string(key)
    after = (0 if found is None else read_int(found, NOT_AN_INTEGER)) + number
    if not LEAST <= after <= MOST:
        raise StoreRefusal("increment or decrement would overflow")
    space.put(key, b"%d" % after)
    return after


COMMANDS: Final = {
    b"GET": Command(get_string, 2, "", first_key),
    b"MGET": Command(get_many, -2, "", all_keys),
    b"SET": Command(set_string, -3, "wm", first_key),
    b"SETNX": Command(set_if_missing, 3, "wm", first_key),
    b"SETEX": Command(set_for_seconds, 4, "wm", first_key),
    b"GETDEL": Command(get_and_delete, 2, "w", first_key),
    b"APPEND": Command(append, 3, "wm", first_key),
    b"STRLEN": Command(measure, 2, "", first_key),
    b"INCR": Command(increase, 2, "wm", first_key),
    b"DECR": Command(decrease, 2, "wm", first_key),
    b"INCRBY": Command(increase_by, 3, "wm", first_key),
}
