"""Random operations on few keys, so that they meet: wrong types, missing keys, odd words too."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

LATER: Final = 4_102_444_800_000
"""The begin of the year 2100 in ms: a key that expires then stays for a whole comparison."""

NAMES: Final = {
    "string": [b"s:%d" % number for number in range(5)],
    "hash": [b"h:%d" % number for number in range(4)],
    "set": [b"e:%d" % number for number in range(4)],
    "zset": [b"z:%d" % number for number in range(4)],
    "lex": [b"x:%d" % number for number in range(2)],
    "list": [b"l:%d" % number for number in range(4)],
    "stream": [b"t:%d" % number for number in range(4)],
}
ALL_NAMES: Final = [name for kind, names in NAMES.items() if kind != "lex" for name in names]
"""Keys that commands of other types get, too. A range of members needs equal scores: what the
server answers for others is not defined."""


class RandomOperation(NamedTuple):
    """A command, and how its answer is compared.

    `order` is `none` where the server defines no order, `pairs` for names and values without one;
    `chance` where chance decides; `time` where the answer depends on the moment.
    """

    words: Sequence[bytes]
    order: str = ""


Make = Callable[[random.Random], RandomOperation]


def pick_key(kind: str, rng: random.Random) -> bytes:
    """Return a key of a kind, once in a while one of another kind."""
    return rng.choice(ALL_NAMES) if rng.random() < 0.02 else rng.choice(NAMES[kind])


def name_member(rng: random.Random) -> bytes:
    """Return a member, or a field: few of them, some of them numbers."""
    return b"m%d" % rng.randrange(8) if rng.random() < 0.8 else b"%d" % rng.randrange(-3, 40)


def write_value(rng: random.Random) -> bytes:
    """Return a value: short, a number, odd, or long."""
    chance = rng.random()
    if chance < 0.4:
        return b"%d" % rng.randrange(-5, 200)
    if chance < 0.5:
        return rng.choice((b"", b"1.5", b"-0", b"abc", b"\x00\xff\r\n", b"9223372036854775807"))
    if chance < 0.97:
        return b"value %d" % rng.randrange(100)
    return b"long" * rng.randrange(1, 400)


def pick_place(rng: random.Random) -> bytes:
    """Return a place in a list, mostly one."""
    return b"%d" % rng.randrange(-7, 9) if rng.random() < 0.99 else b"x"


def maybe(rng: random.Random, *words: bytes, chance: float = 0.3) -> list[bytes]:
    """Return words, or none."""
    return [*words] if rng.random() < chance else []


# -- strings and keys -----------------------------------------------------------------------------


def _expiry(rng: random.Random) -> list[bytes]:
    unit = rng.choice((b"EX", b"PX", b"EXAT", b"PXAT"))
    number = {
        b"EX": rng.choice((100_000, 100_000, 0, -1)),
        b"PX": rng.choice((100_000_000, 100_000_000, 0)),
        b"EXAT": rng.choice((LATER // 1000 + rng.randrange(99), 1000)),
        b"PXAT": rng.choice((LATER + rng.randrange(99), LATER + 5, 1_000)),
    }[unit]
    return [unit, b"%d" % number]


def set_string(rng: random.Random) -> RandomOperation:
    """SET in all its forms."""
    words = [b"SET", pick_key("string", rng), write_value(rng)]
    if rng.random() < 0.5:
        words += maybe(rng, rng.choice((b"NX", b"XX", b"xx", b"ODD")))
        words += maybe(rng, b"GET", chance=0.2) + maybe(rng, b"KEEPTTL", chance=0.2)
        words += _expiry(rng) if rng.random() < 0.4 else []
    return RandomOperation(words)


def use_string(rng: random.Random) -> RandomOperation:
    """Return another command of strings."""
    key = pick_key("string", rng)
    name = rng.choice(b"GET GET GETDEL STRLEN INCR DECR INCRBY APPEND SETNX MGET SETEX".split())
    if name == b"MGET":
        return RandomOperation([name, key, pick_key("string", rng), rng.choice(ALL_NAMES)])
    if name == b"INCRBY":
        return RandomOperation(
            [name, key, rng.choice((write_value(rng), b"%d" % rng.randrange(-9, 9)))]
        )
    if name == b"SETEX":
        return RandomOperation([name, key, rng.choice((b"100000", b"0", b"x")), write_value(rng)])
    if name in (b"APPEND", b"SETNX"):
        return RandomOperation([name, key, write_value(rng)])
    return RandomOperation([name, key])


def use_key(rng: random.Random) -> RandomOperation:
    """Commands for keys of any type."""
    key = rng.choice(ALL_NAMES)
    name = rng.choice(
        b"EXISTS DEL UNLINK TYPE EXPIRE PEXPIREAT PERSIST PTTL TTL PEXPIRETIME"
        b" RENAME PEXPIRE KEYS SCAN EXPIREAT DBSIZE".split()
    )
    if name in (b"EXPIRE", b"PEXPIRE"):
        return RandomOperation(
            [name, key, rng.choice((b"100000", b"100000000", b"0", b"-5", b"x"))]
        )
    if name in (b"PEXPIREAT", b"EXPIREAT"):
        at = LATER + rng.randrange(99)
        at = at if name == b"PEXPIREAT" else at // 1000
        return RandomOperation([name, key, rng.choice((b"%d" % at, b"%d" % at, b"1000"))])
    if name in (b"EXISTS", b"DEL", b"UNLINK"):
        return RandomOperation([name, key, *maybe(rng, rng.choice(ALL_NAMES))])
    if name == b"RENAME":
        return RandomOperation([name, key, _like(key, rng)])
    if name == b"KEYS":
        pattern = rng.choice((b"*", b"h:*", b"?:1", b"[a-h]:[^1]", b"s:[0-2]", b"\\s:1", b"x"))
        return RandomOperation([name, pattern], "none")
    if name == b"SCAN":
        return RandomOperation(
            [name, b"0", b"COUNT", b"1000", *maybe(rng, b"MATCH", b"*:1")], "scan"
        )
    if name == b"DBSIZE":
        return RandomOperation([name])
    return RandomOperation([name, key], "time" if name in (b"PTTL", b"TTL", b"PEXPIRETIME") else "")


def _like(key: bytes, rng: random.Random) -> bytes:
    """Return another key of the same kind."""
    return key[:2] + b"%d" % rng.randrange(2)


# -- hashes, sets, lists --------------------------------------------------------------------------


def use_hash(rng: random.Random) -> RandomOperation:
    """Commands of hashes."""
    key, field = pick_key("hash", rng), name_member(rng)
    name = rng.choice(
        b"HSET HSET HGET HMGET HGETALL HDEL HSETNX HLEN HKEYS HVALS HEXISTS HINCRBY"
        b" HINCRBYFLOAT".split()
    )
    if name == b"HSET":
        more = [b"h%d" % rng.randrange(9), write_value(rng)] * rng.randrange(3)
        return RandomOperation(
            [name, key, field, write_value(rng), *more, *maybe(rng, b"odd", chance=0.02)]
        )
    if name in (b"HGETALL", b"HKEYS", b"HVALS"):
        return RandomOperation([name, key], "pairs" if name == b"HGETALL" else "none")
    if name == b"HINCRBYFLOAT":
        amounts = (b"0.1", b"0.2", b"-1.75", b"3", b"1e3", b"x", b"0.333333333333", b"-0.05")
        return RandomOperation([name, key, b"sum", rng.choice(amounts)])
    if name == b"HINCRBY":
        return RandomOperation([name, key, field, b"%d" % rng.randrange(-9, 9)])
    if name == b"HSETNX":
        return RandomOperation([name, key, field, write_value(rng)])
    if name in (b"HMGET", b"HDEL"):
        return RandomOperation([name, key, field, *maybe(rng, name_member(rng))])
    return RandomOperation([name, key] if name == b"HLEN" else [name, key, field])


def use_set(rng: random.Random) -> RandomOperation:
    """Commands of sets."""
    key, member = pick_key("set", rng), name_member(rng)
    name = rng.choice(
        b"SADD SADD SADD SREM SMEMBERS SCARD SISMEMBER SMISMEMBER SINTER SUNION SPOP"
        b" SRANDMEMBER".split()
    )
    if name in (b"SMEMBERS", b"SINTER", b"SUNION"):
        more = [] if name == b"SMEMBERS" else [pick_key("set", rng)]
        return RandomOperation([name, key, *more], "none")
    if name in (b"SPOP", b"SRANDMEMBER"):
        count = b"%d" % rng.randrange(-2 if name == b"SRANDMEMBER" else 0, 4)
        return RandomOperation([name, key, *maybe(rng, count)], "chance")
    if name in (b"SADD", b"SREM", b"SMISMEMBER"):
        return RandomOperation([name, key, member, *maybe(rng, name_member(rng))])
    return RandomOperation([name, key] if name == b"SCARD" else [name, key, member])


def use_list(rng: random.Random) -> RandomOperation:
    """Commands of lists."""
    key = pick_key("list", rng)
    name = rng.choice(
        b"RPUSH RPUSH LPUSH LPOP RPOP LLEN LINDEX LRANGE LTRIM LREM LPOS LMOVE BLPOP BLMOVE".split()
    )
    ends = [rng.choice((b"LEFT", b"RIGHT", b"left")), rng.choice((b"RIGHT", b"LEFT"))]
    if name in (b"RPUSH", b"LPUSH"):
        return RandomOperation([name, key, name_member(rng), *maybe(rng, write_value(rng))])
    if name in (b"LPOP", b"RPOP"):
        return RandomOperation([name, key, *maybe(rng, b"%d" % rng.randrange(-1, 4))])
    if name in (b"LRANGE", b"LTRIM"):
        wide = name == b"LTRIM" and rng.random() < 0.7
        return RandomOperation(
            [name, key, *((b"0", b"9") if wide else (pick_place(rng), pick_place(rng)))]
        )
    if name == b"LREM":
        return RandomOperation([name, key, b"%d" % rng.randrange(-2, 3), name_member(rng)])
    if name in (b"LINDEX", b"LPOS"):
        return RandomOperation(
            [name, key, pick_place(rng) if name == b"LINDEX" else name_member(rng)]
        )
    if name == b"LMOVE":
        return RandomOperation([name, key, pick_key("list", rng), *ends])
    if name == b"BLPOP":  # in a transaction it does not wait
        return RandomOperation([b"BLPOP", key, b"0"], "blocking")
    if name == b"BLMOVE":
        return RandomOperation([b"BLMOVE", key, pick_key("list", rng), *ends, b"0"], "blocking")
    return RandomOperation([name, key])


def use_server(rng: random.Random) -> RandomOperation:
    """Commands about the connection."""
    words = rng.choice(
        (
            (b"PING",),
            (b"PING", b"text"),
            (b"ECHO", b"text"),
            (b"SELECT", b"0"),
            (b"SELECT", b"x"),
            (b"GET",),
            (b"UNWATCH",),
            (b"PUBLISH", b"channel", b"text"),
            (b"SPUBLISH", b"channel", b"text"),
            (b"CLIENT", b"SETNAME", b"name"),
            (b"CLIENT", b"GETNAME"),
            (b"CLIENT", b"LIST"),
            (b"CONFIG", b"GET", b"append*"),
            (b"SCRIPT", b"EXISTS", b"0" * 40),
        )
    )
    orders = {b"CONFIG": "pairs", b"LIST": "sessions"}
    return RandomOperation(words, orders.get(words[0], orders.get(words[-1], "")))
