"""Keys of any type: whether they are there, when they expire, which there are."""

from __future__ import annotations

from hashlib import sha1
from typing import Final

from simulation.store.commands.patterns import compile_pattern
from simulation.store.commands.shape import Command, all_keys, first_key, two_keys
from simulation.store.values.keyspace import TYPES, Keyspace, StoredValue
from simulation.store.values.replies import (
    MOST,
    OK,
    Simple,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    read_int,
    refuse_syntax,
)


def delete(space: Keyspace, words: Words) -> StoreReply:
    """DEL key … and UNLINK key …."""
    count = 0
    for key in words[1:]:
        if space.find(key) is not None:
            space.remove(key)
            count += 1
    return count


def count_existing(space: Keyspace, words: Words) -> StoreReply:
    """EXISTS key …; a key that is named twice counts twice. TOUCH answers the same."""
    return sum(space.find(key) is not None for key in words[1:])


def name_type(space: Keyspace, words: Words) -> StoreReply:
    """TYPE key."""
    value = space.find(words[1])
    return Simple("none" if value is None else TYPES[type(value)])


def expire_in_seconds(space: Keyspace, words: Words) -> StoreReply:
    """EXPIRE key seconds."""
    return _expire(space, words, 1000, True)


def expire_in_ms(space: Keyspace, words: Words) -> StoreReply:
    """PEXPIRE key ms."""
    return _expire(space, words, 1, True)


def expire_at_second(space: Keyspace, words: Words) -> StoreReply:
    """EXPIREAT key second."""
    return _expire(space, words, 1000, False)


def expire_at_ms(space: Keyspace, words: Words) -> StoreReply:
    """PEXPIREAT key ms."""
    return _expire(space, words, 1, False)


def _expire(space: Keyspace, words: Words, factor: int, is_relative: bool) -> StoreReply:
    number = read_int(words[2])
    at = number * factor + (space.now if is_relative else 0)
    if not -MOST // factor <= number <= MOST // factor or not -MOST <= at <= MOST:
        raise StoreRefusal(f"invalid expire time in '{words[0].decode().lower()}' command")
    if len(words) > 3:
        if words[3].upper() in (b"NX", b"XX", b"GT", b"LT"):
            raise Unmodelled("an expiry that depends on the one before")
        raise StoreRefusal(f"Unsupported option {words[3].decode(errors='replace')}")
    if space.find(words[1]) is None:
        return 0
    if at <= space.now:
        space.remove(words[1])
    else:
        space.expires[words[1]] = at
        space.touch(words[1])
    return 1


def persist(space: Keyspace, words: Words) -> StoreReply:
    """PERSIST key."""
    if space.find(words[1]) is None or words[1] not in space.expires:
        return 0
    del space.expires[words[1]]
    space.touch(words[1])
    return 1


def _find_expiry(space: Keyspace, key: bytes) -> int:
    """Return when a key expires in ms, -1 for never, -2 for a missing key."""
    if space.find(key) is None:
        return -2
    return space.expires.get(key, -1)


def measure_ms(space: Keyspace, words: Words) -> StoreReply:
    """PTTL key."""
    at = _find_expiry(space, words[1])
    return at if at < 0 else max(0, at - space.now)


def measure_seconds(space: Keyspace, words: Words) -> StoreReply:
    """TTL key."""
    at = _find_expiry(space, words[1])
    return at if at < 0 else (max(0, at - space.now) + 500) // 1000


def tell_expiry(space: Keyspace, words: Words) -> StoreReply:
    """PEXPIRETIME key."""
    return _find_expiry(space, words[1])


def rename(space: Keyspace, words: Words) -> StoreReply:
    """RENAME key new; the new key has the expiry of the old one."""
    old, new = words[1], words[2]
    value = space.find(old)
    if value is None:
        raise StoreRefusal("no such key")
    if old == new:
        return OK
    at = space.expires.get(old)
    if space.find(new) is not None:
        space.remove(new)
    space.remove(old)
    space.put(new, value)
    if at is not None:
        space.expires[new] = at
    return OK


def list_matching(space: Keyspace, words: Words) -> StoreReply:
    """KEYS pattern."""
    pattern = compile_pattern(words[1])
    return [key for key in space.list_keys() if pattern is None or pattern.match(key)]


def scan(space: Keyspace, words: Words) -> StoreReply:
    """SCAN cursor with MATCH, COUNT and TYPE.

    The order is that in which the keys were made, and the cursor the number of the next one: a key
    that is there all the time comes once, as a server promises, and no hash decides.
    """
    cursor = read_int(words[1], "invalid cursor")
    count, pattern, type_ = _read_scan(words)
    found: list[StoreReply] = []
    for key, serial in list(space.serials.items()):
        if serial < cursor:
            continue
        if count == 0:
            return [b"%d" % serial, found]
        count -= 1
        value = space.find(key)
        if (
            value is not None
            and (pattern is None or pattern.match(key))
            and (type_ is None or TYPES[type(value)] == type_)
        ):
            found.append(key)
    return [b"0", found]


def _read_scan(words: Words) -> tuple[int, StoredValue, str | None]:
    count, pattern, type_ = 10, None, None
    for place in range(2, len(words), 2):
        if place + 1 >= len(words):
            raise refuse_syntax()
        option, value = words[place].upper(), words[place + 1]
        if option == b"COUNT":
            count = read_int(value)
            if count < 1:
                raise refuse_syntax()
        elif option == b"MATCH":
            pattern = compile_pattern(value)
        elif option == b"TYPE":
            type_ = value.decode(errors="replace").lower()
        else:
            raise refuse_syntax()
    return count, pattern, type_


def choose_key(space: Keyspace, words: Words) -> StoreReply:
    """RANDOMKEY; the generator of the server decides."""
    keys = list(space.list_keys())
    return space.rng.choice(keys) if keys else None


def count_keys(space: Keyspace, words: Words) -> StoreReply:
    """DBSIZE; what has expired counts until it is deleted."""
    return len(space.data)


def empty(space: Keyspace, words: Words) -> StoreReply:
    """FLUSHDB, with ASYNC or SYNC."""
    if len(words) > 2 or (len(words) == 2 and words[1].upper() not in (b"ASYNC", b"SYNC")):
        raise refuse_syntax()
    space.clear()
    space.dirty += 1
    return OK


def dump(space: Keyspace, words: Words) -> StoreReply:
    """DUMP key: bytes that are equal for equal values. No server reads them."""
    value = space.find(words[1])
    if value is None:
        return None
    written = repr((TYPES[type(value)], value)).encode()
    return b"\0" + sha1(written, usedforsecurity=False).digest() + written


COMMANDS: Final = {
    b"DEL": Command(delete, -2, "w", all_keys),
    b"UNLINK": Command(delete, -2, "w", all_keys),
    b"EXISTS": Command(count_existing, -2, "", all_keys),
    b"TYPE": Command(name_type, 2, "", first_key),
    b"EXPIRE": Command(expire_in_seconds, -3, "w", first_key),
    b"PEXPIRE": Command(expire_in_ms, -3, "w", first_key),
    b"EXPIREAT": Command(expire_at_second, -3, "w", first_key),
    b"PEXPIREAT": Command(expire_at_ms, -3, "w", first_key),
    b"PERSIST": Command(persist, 2, "w", first_key),
    b"PTTL": Command(measure_ms, 2, "", first_key),
    b"TTL": Command(measure_seconds, 2, "", first_key),
    b"PEXPIRETIME": Command(tell_expiry, 2, "", first_key),
    b"RENAME": Command(rename, 3, "w", two_keys),
    b"KEYS": Command(list_matching, 2),
    b"SCAN": Command(scan, -2),
    b"RANDOMKEY": Command(choose_key, 1),
    b"DBSIZE": Command(count_keys, 1),
    b"FLUSHDB": Command(empty, -1, "w"),
    b"DUMP": Command(dump, 2, "", first_key),
}
