"""Sorted sets: what adds, removes and counts members."""

from __future__ import annotations

import math
from typing import Final

from simulation.store.commands.shape import Command, first_key, read_range
from simulation.store.values.keyspace import Keyspace, SetValue, StoredValue
from simulation.store.values.replies import (
    StoreRefusal,
    StoreReply,
    Words,
    read_float,
    read_int,
    refuse_syntax,
    refuse_type,
    write_float,
)
from simulation.store.values.sorted_set import SortedSet, read_bound

NOT_A_NUMBER: Final = "resulting score is not a number (NaN)"


def read_sorted(space: Keyspace, key: bytes) -> SortedSet | None:
    """Return a sorted set; raises `StoreRefusal` for another type."""
    value: StoredValue = space.find(key)
    if value is not None and type(value) is not SortedSet:
        raise refuse_type()
    return value


def add_members(space: Keyspace, words: Words) -> StoreReply:
    """ZADD key score member … with NX, XX, GT, LT, CH, INCR."""
    place = 2
    options: set[bytes] = set()
    while place < len(words) and (word := words[place].upper()) in _OPTIONS:
        options.add(word)
        place += 1
    pairs = words[place:]
    if not pairs or len(pairs) % 2:
        raise refuse_syntax()
    _check_options(options, len(pairs))
    scores = [read_float(word) for word in pairs[::2]]
    found = read_sorted(space, words[1])
    if found is None and b"XX" in options:
        return None if b"INCR" in options else 0
    value = SortedSet() if found is None else found
    added = changed = 0
    answer: float | None = None
    for score, member in zip(scores, pairs[1::2], strict=True):
        before = value.scores.get(member)
        answer = _choose_score(before, score, options)
        if answer is None or answer == before:
            continue
        value.put(member, answer)
        added += before is None
        changed += 1
    if changed:
        if found is None:
            space.put(words[1], value)
        else:
            space.touch(words[1])
    if b"INCR" in options:
        return None if answer is None else write_float(answer)
    return changed if b"CH" in options else added


_OPTIONS: Final = frozenset((b"NX", b"XX", b"GT", b"LT", b"CH", b"INCR"))


def _check_options(options: set[bytes], count: int) -> None:
    if {b"NX", b"XX"} <= options:
        raise StoreRefusal("XX and NX options at the same time are not compatible")
    if len(options & {b"GT", b"LT", b"NX"}) > 1:
        raise StoreRefusal("GT, LT, and/or NX options at the same time are not compatible")
    if b"INCR" in options and count > 2:
        raise StoreRefusal("INCR option supports a single increment-element pair")


def _choose_score(before: float | None, score: float, options: set[bytes]) -> float | None:
    """Return the score that a member gets, None where an option keeps it from getting one."""
    if before is None:
        return None if b"XX" in options else score
    if b"NX" in options:
        return None
    after = before + score if b"INCR" in options else score
    if math.isnan(after):
        raise StoreRefusal(NOT_A_NUMBER)
    if (b"GT" in options and after <= before) or (b"LT" in options and after >= before):
        return None
    return after


def increase(space: Keyspace, words: Words) -> StoreReply:
    """ZINCRBY key number member."""
    number = read_float(words[2])
    found = read_sorted(space, words[1])
    value = SortedSet() if found is None else found
    after = value.scores.get(words[3], 0.0) + number
    if math.isnan(after):
        raise StoreRefusal(NOT_A_NUMBER)
    if words[3] not in value.scores:
        after = number
    value.put(words[3], after)
    if found is None:
        space.put(words[1], value)
    else:
        space.touch(words[1])
    return write_float(after)


def remove_members(space: Keyspace, words: Words) -> StoreReply:
    """ZREM key member …."""
    found = read_sorted(space, words[1])
    if found is None:
        return 0
    removed = sum(found.discard(member) for member in words[2:])
    if removed:
        space.drop_if_empty(words[1], found)
    return removed


def count_members(space: Keyspace, words: Words) -> StoreReply:
    """ZCARD key."""
    return len(read_sorted(space, words[1]) or ())


def get_score(space: Keyspace, words: Words) -> StoreReply:
    """ZSCORE key member."""
    found = read_sorted(space, words[1])
    score = None if found is None else found.scores.get(words[2])
    return None if score is None else write_float(score)


def get_scores(space: Keyspace, words: Words) -> StoreReply:
    """ZMSCORE key member …."""
    found = read_sorted(space, words[1])
    scores = [None if found is None else found.scores.get(member) for member in words[2:]]
    return [None if score is None else write_float(score) for score in scores]


def find_rank(space: Keyspace, words: Words) -> StoreReply:
    """ZRANK key member, and ZREVRANK."""
    if len(words) > 3:
        raise refuse_syntax()
    found = read_sorted(space, words[1])
    place = None if found is None else found.find_place(words[2])
    if place is None or found is None:
        return None
    return place if words[0].upper() == b"ZRANK" else len(found) - 1 - place


def count_scores(space: Keyspace, words: Words) -> StoreReply:
    """ZCOUNT key low high."""
    low, high = read_bound(words[2]), read_bound(words[3])
    found = read_sorted(space, words[1])
    if found is None:
        return 0
    start, stop = found.find_scores(low, high)
    return stop - start


def remove_scores(space: Keyspace, words: Words) -> StoreReply:
    """ZREMRANGEBYSCORE key low high."""
    low, high = read_bound(words[2]), read_bound(words[3])
    found = read_sorted(space, words[1])
    return 0 if found is None else _remove(space, words[1], found, *found.find_scores(low, high))


def remove_places(space: Keyspace, words: Words) -> StoreReply:
    """ZREMRANGEBYRANK key first last."""
    read_int(words[2]), read_int(words[3])
    found = read_sorted(space, words[1])
    if found is None:
        return 0
    return _remove(space, words[1], found, *read_range(words[2], words[3], len(found)))


def _remove(space: Keyspace, key: bytes, found: SortedSet, start: int, stop: int) -> int:
    removed = len(found.cut_out(start, stop)) if start < stop else 0
    if removed:
        space.drop_if_empty(key, found)
    return removed


def store_union(space: Keyspace, words: Words) -> StoreReply:
    """ZUNIONSTORE destination count key … with WEIGHTS and AGGREGATE."""
    count = read_int(words[2])
    if count < 1:
        raise StoreRefusal("at least 1 input key is needed for 'zunionstore' command")
    if count > len(words) - 3:
        raise refuse_syntax()
    names = words[3 : 3 + count]
    weights, aggregate = _read_union(words[3 + count :], count)
    sources = [_read_scores(space, key) for key in names]
    made = SortedSet()
    for source, weight in zip(sources, weights, strict=True):
        for member, score in source.items():
            weighed = _clean(score * weight)
            before = made.scores.get(member)
            made.put(member, weighed if before is None else _join(aggregate, before, weighed))
    existed = space.find(words[1]) is not None
    if made:
        if existed:
            space.remove(words[1])
        space.put(words[1], made)
    elif existed:
        space.remove(words[1])
    return len(made)


def _read_scores(space: Keyspace, key: bytes) -> dict[bytes, float]:
    value = space.find(key)
    if type(value) is SetValue:
        return dict.fromkeys(value, 1.0)
    found = read_sorted(space, key)
    return {} if found is None else found.scores


def _read_union(words: Words, count: int) -> tuple[list[float], bytes]:
    weights, aggregate, place = [1.0] * count, b"SUM", 0
    while place < len(words):
        option, rest = words[place].upper(), words[place + 1 :]
        if option == b"WEIGHTS" and len(rest) >= count:
            weights = [read_float(word, "weight value is not a float") for word in rest[:count]]
            place += 1 + count
        elif option == b"AGGREGATE" and rest and rest[0].upper() in (b"SUM", b"MIN", b"MAX"):
            aggregate = rest[0].upper()
            place += 2
        else:
            raise refuse_syntax()
    return weights, aggregate


def _join(aggregate: bytes, one: float, other: float) -> float:
    if aggregate == b"SUM":
        return _clean(one + other)
    return max(one, other) if aggregate == b"MAX" else min(one, other)


def _clean(score: float) -> float:
    """Return 0 for what is no number: 0 times infinity, infinity less infinity."""
    return 0.0 if math.isnan(score) else score


def find_union_keys(words: Words) -> Words:
    """Return the destination and the sources."""
    try:
        count = int(words[2])
    except ValueError:
        count = 0
    return [words[1], *words[3 : 3 + max(0, count)]]


COMMANDS: Final = {
    b"ZADD": Command(add_members, -4, "wm", first_key),
    b"ZINCRBY": Command(increase, 4, "wm", first_key),
    b"ZREM": Command(remove_members, -3, "w", first_key),
    b"ZCARD": Command(count_members, 2, "", first_key),
    b"ZSCORE": Command(get_score, 3, "", first_key),
    b"ZMSCORE": Command(get_scores, -3, "", first_key),
    b"ZRANK": Command(find_rank, -3, "", first_key),
    b"ZREVRANK": Command(find_rank, -3, "", first_key),
    b"ZCOUNT": Command(count_scores, 4, "", first_key),
    b"ZREMRANGEBYSCORE": Command(remove_scores, 4, "w", first_key),
    b"ZREMRANGEBYRANK": Command(remove_places, 4, "w", first_key),
    b"ZUNIONSTORE": Command(store_union, -4, "wm", find_union_keys),
}
