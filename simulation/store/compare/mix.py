"""Random operations on sorted sets and on streams, and the mix of all operations."""

from __future__ import annotations

import random
from typing import Final

from simulation.store.compare.operations import (
    NAMES,
    Make,
    RandomOperation,
    maybe,
    name_member,
    pick_key,
    pick_place,
    set_string,
    use_hash,
    use_key,
    use_list,
    use_server,
    use_set,
    use_string,
    write_value,
)


def _score(rng: random.Random) -> bytes:
    chance = rng.random()
    if chance < 0.7:
        return b"%d" % rng.randrange(-3, 12)
    odd = (
        b"1.5",
        b"-2.25",
        b"0.1",
        b"1e20",
        b"inf",
        b"-inf",
        b"3.0",
        b"1.2e-5",
        b"5e18",
        b"1795717967682",
        b"1e-9",
    )
    return rng.choice((*odd, b"nan", b"x", b"17179869184.5", b"123456789012345678"))


def _bound(rng: random.Random) -> bytes:
    chance = rng.random()
    if chance < 0.25:
        return rng.choice((b"-inf", b"+inf"))
    if chance < 0.28:
        return rng.choice((b"", b"(", b"x", b"(x"))
    return rng.choice((b"", b"(")) + b"%d" % rng.randrange(-3, 12)


def _lex(rng: random.Random) -> bytes:
    if rng.random() < 0.3:
        return rng.choice((b"-", b"+"))
    if rng.random() < 0.03:
        return rng.choice((b"m1", b"", b"*"))
    return rng.choice((b"[", b"(")) + name_member(rng)


def _limit(rng: random.Random) -> list[bytes]:
    if rng.random() < 0.6:
        return []
    return [b"LIMIT", b"%d" % rng.randrange(-1, 4), b"%d" % rng.randrange(-1, 5)]


def _entry_id(rng: random.Random) -> bytes:
    chance = rng.random()
    if chance < 0.1:
        return rng.choice(
            (b"0", b"0-0", b"0-1", b"x", b"1-x", b"5", b"(3", b"18446744073709551615")
        )
    return b"%d-%d" % (rng.randrange(1, 60), rng.randrange(3))


def _end(rng: random.Random, sign: bytes) -> bytes:
    if rng.random() < 0.4:
        return sign
    return rng.choice((b"", b"", b"(")) + _entry_id(rng)


# -- sorted sets ----------------------------------------------------------------------------------


def use_sorted(rng: random.Random) -> RandomOperation:
    """Add to sorted sets, remove from them, count."""
    key, member = pick_key("zset", rng), name_member(rng)
    name = rng.choice(
        b"ZADD ZADD ZADD ZREM ZCARD ZSCORE ZMSCORE ZRANK ZREVRANK ZCOUNT"
        b" ZREMRANGEBYSCORE ZREMRANGEBYRANK ZINCRBY ZUNIONSTORE ZPOPMIN".split()
    )
    if name == b"ZADD":
        options = [
            *maybe(rng, rng.choice((b"NX", b"XX"))),
            *maybe(rng, rng.choice((b"GT", b"LT"))),
        ]
        options += [*maybe(rng, b"CH", chance=0.2), *maybe(rng, b"INCR", chance=0.1)]
        return RandomOperation(
            [name, key, *options, _score(rng), member, *maybe(rng, b"3", name_member(rng))]
        )
    if name in (b"ZCOUNT", b"ZREMRANGEBYSCORE"):
        return RandomOperation([name, key, _bound(rng), _bound(rng)])
    if name == b"ZREMRANGEBYRANK":
        return RandomOperation(
            [name, key, *((b"0", b"-9") if rng.random() < 0.6 else (pick_place(rng), b"2"))]
        )
    if name == b"ZINCRBY":
        return RandomOperation([name, key, _score(rng), member])
    if name == b"ZUNIONSTORE":
        sources = [rng.choice((pick_key("zset", rng), rng.choice(NAMES["set"]))) for _ in range(2)]
        weights = maybe(rng, b"WEIGHTS", b"2", b"0.5")
        joined = maybe(rng, b"AGGREGATE", rng.choice((b"MAX", b"MIN", b"SUM")), chance=0.6)
        return RandomOperation([name, key, b"2", *sources, *weights, *joined])
    if name in (b"ZREM", b"ZMSCORE"):
        return RandomOperation([name, key, member, *maybe(rng, name_member(rng))])
    if name == b"ZPOPMIN":
        return RandomOperation([name, key, *maybe(rng, b"%d" % rng.randrange(-1, 3))])
    return RandomOperation([name, key] if name == b"ZCARD" else [name, key, member])


def use_range(rng: random.Random) -> RandomOperation:
    """Ranges by place and by score."""
    key = pick_key("zset", rng)
    name = rng.choice((b"ZRANGE", b"ZREVRANGE", b"ZRANGEBYSCORE", b"ZREVRANGEBYSCORE", b"ZRANGE"))
    shown = maybe(rng, b"WITHSCORES", chance=0.5)
    if name in (b"ZRANGEBYSCORE", b"ZREVRANGEBYSCORE"):
        return RandomOperation([name, key, _bound(rng), _bound(rng), *shown, *_limit(rng)])
    if name == b"ZRANGE" and rng.random() < 0.4:
        turned = maybe(rng, b"REV", chance=0.5)
        by_score = [b"BYSCORE", *turned, *_limit(rng), *shown]
        return RandomOperation([name, key, _bound(rng), _bound(rng), *by_score])
    return RandomOperation([name, key, pick_place(rng), pick_place(rng), *shown])


def use_lex(rng: random.Random) -> RandomOperation:
    """Ranges of members, in sorted sets whose scores are all 0."""
    key = rng.choice(NAMES["lex"])
    if rng.random() < 0.4:
        return RandomOperation([b"ZADD", key, b"0", name_member(rng), b"0", name_member(rng)])
    name = rng.choice((b"ZRANGEBYLEX", b"ZREVRANGEBYLEX", b"ZLEXCOUNT", b"ZREMRANGEBYLEX", b"ZREM"))
    if name == b"ZREM":
        return RandomOperation([name, key, name_member(rng)])
    limit = _limit(rng) if name in (b"ZRANGEBYLEX", b"ZREVRANGEBYLEX") else []
    if name == b"ZREMRANGEBYLEX":
        return RandomOperation([name, key, b"[m7", b"+"])
    return RandomOperation([name, key, _lex(rng), _lex(rng), *limit])


# -- streams --------------------------------------------------------------------------------------


def use_stream(rng: random.Random) -> RandomOperation:
    """Commands of streams but those of groups."""
    key = pick_key("stream", rng)
    name = rng.choice(
        b"XADD XADD XADD XADD XLEN XRANGE XREVRANGE XDEL XREAD XTRIM XSETID XINFO".split()
    )
    if name == b"XADD":
        return _add_entry(key, rng)
    if name in (b"XRANGE", b"XREVRANGE"):
        ends = [_end(rng, b"-"), _end(rng, b"+")]
        count = maybe(rng, b"COUNT", b"%d" % rng.randrange(-1, 5), chance=0.5)
        return RandomOperation([name, key, *(ends if name == b"XRANGE" else ends[::-1]), *count])
    if name == b"XREAD":
        count = maybe(rng, b"COUNT", b"%d" % rng.randrange(4), chance=0.5)
        second = pick_key("stream", rng)
        return RandomOperation([name, *count, b"STREAMS", key, second, _entry_id(rng), b"$"])
    if name == b"XTRIM":
        return RandomOperation([name, key, b"MAXLEN", *maybe(rng, rng.choice((b"~", b"="))), b"7"])
    if name == b"XSETID":
        return RandomOperation([name, key, _entry_id(rng)])
    if name == b"XINFO":
        return RandomOperation([name, b"STREAM", key], "stream")
    return RandomOperation([name, key] if name == b"XLEN" else [name, key, _entry_id(rng)])


def _add_entry(key: bytes, rng: random.Random) -> RandomOperation:
    options = maybe(rng, b"NOMKSTREAM", chance=0.1)
    if rng.random() < 0.15:
        options += [b"MAXLEN", *maybe(rng, rng.choice((b"~", b"="))), b"%d" % rng.randrange(12)]
    entry_id = rng.choice((_entry_id(rng), b"%d-*" % rng.randrange(60), b"59-*"))
    return RandomOperation(
        [b"XADD", key, *options, entry_id, b"f", write_value(rng), *maybe(rng, b"g", b"1")]
    )


def fill_stream(rng: random.Random) -> RandomOperation:
    """Add to a stream of its own with many entries, whose nodes are trimmed as wholes."""
    words = [b"XADD", b"t:many", b"MAXLEN", b"~", b"%d" % rng.choice((50, 120, 300)), b"9999-*"]
    field = rng.choice((b"item", b"item", b"item", b"other"))
    return RandomOperation([*words, field, write_value(rng) * rng.choice((1, 1, 3))])


def use_group(rng: random.Random) -> RandomOperation:
    """Commands of groups of readers."""
    key, group = pick_key("stream", rng), b"g%d" % rng.randrange(2)
    reader = b"r%d" % rng.randrange(3)
    name = rng.choice(b"XGROUP XREADGROUP XREADGROUP XACK XAUTOCLAIM XPENDING".split())
    if name == b"XGROUP":
        if rng.random() < 0.15:
            return RandomOperation([name, b"DESTROY", key, group])
        made = maybe(rng, b"MKSTREAM", chance=0.5)
        return RandomOperation(
            [name, b"CREATE", key, group, rng.choice((b"0", b"$", b"7-1")), *made]
        )
    if name == b"XREADGROUP":
        count = maybe(rng, b"COUNT", b"%d" % rng.randrange(4), chance=0.7)
        after = b">" if rng.random() < 0.7 else _entry_id(rng)
        return RandomOperation([name, b"GROUP", group, reader, *count, b"STREAMS", key, after])
    if name == b"XACK":
        return RandomOperation([name, key, group, _entry_id(rng), *maybe(rng, _entry_id(rng))])
    if name == b"XAUTOCLAIM":
        idle = rng.choice((b"0", b"0", b"100000000"))
        count = maybe(rng, b"COUNT", b"%d" % rng.randrange(0, 4), chance=0.6)
        return RandomOperation([name, key, group, reader, idle, _end(rng, b"-"), *count])
    if rng.random() < 0.5:
        return RandomOperation([name, key, group])
    ends = [_end(rng, b"-"), _end(rng, b"+"), b"5"]
    return RandomOperation([name, key, group, *ends, *maybe(rng, reader)], "idle")


WEIGHTED: Final[dict[Make, int]] = {
    set_string: 8,
    use_string: 8,
    use_key: 8,
    use_hash: 14,
    use_set: 10,
    use_list: 12,
    use_sorted: 14,
    use_range: 8,
    use_lex: 5,
    use_stream: 16,
    fill_stream: 3,
    use_group: 12,
    use_server: 2,
}
_MAKERS: Final = [*WEIGHTED]
_WEIGHTS: Final = [*WEIGHTED.values()]


def make_operations(rng: random.Random, count: int) -> list[RandomOperation]:
    """Return random operations."""
    return [make(rng) for make in rng.choices(_MAKERS, _WEIGHTS, k=count)]
