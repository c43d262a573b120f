"""Sets. Their members have no defined order; here it is that in which they came."""

from __future__ import annotations

from typing import Final

from simulation.store.commands.shape import Command, all_keys, first_key
from simulation.store.values.keyspace import Keyspace, SetValue
from simulation.store.values.replies import StoreRefusal, StoreReply, Words, read_int, refuse_syntax


def add_members(space: Keyspace, words: Words) -> StoreReply:
    """SADD key member …; how many are new."""
    found = space.read_set(words[1])
    if found is None:
        value = SetValue(dict.fromkeys(words[2:]))
        space.put(words[1], value)
        return len(value)
    before = len(found)
    for member in words[2:]:
        found[member] = None
    if len(found) != before:
        space.touch(words[1])
    return len(found) - before


def remove_members(space: Keyspace, words: Words) -> StoreReply:
    """SREM key member …."""
    found = space.read_set(words[1])
    if found is None:
        return 0
    before = len(found)
    for member in words[2:]:
        found.pop(member, None)
    removed = before - len(found)
    if removed:
        space.drop_if_empty(words[1], found)
    return removed


def list_members(space: Keyspace, words: Words) -> StoreReply:
    """SMEMBERS key."""
    return [*(space.read_set(words[1]) or ())]


def count_members(space: Keyspace, words: Words) -> StoreReply:
    """SCARD key."""
    return len(space.read_set(words[1]) or ())


def has_member(space: Keyspace, words: Words) -> StoreReply:
    """SISMEMBER key member."""
    return int(words[2] in (space.read_set(words[1]) or ()))


def has_members(space: Keyspace, words: Words) -> StoreReply:
    """SMISMEMBER key member …."""
    found = space.read_set(words[1]) or ()
    return [int(member in found) for member in words[2:]]


def intersect(space: Keyspace, words: Words) -> StoreReply:
    """SINTER key …."""
    sets = [space.read_set(key) for key in words[1:]]
    if any(one is None for one in sets):
        return []
    first, *others = [one or SetValue() for one in sets]
    return [member for member in first if all(member in other for other in others)]


def unite(space: Keyspace, words: Words) -> StoreReply:
    """SUNION key …."""
    sets = [space.read_set(key) or SetValue() for key in words[1:]]
    return [*dict.fromkeys(member for one in sets for member in one)]


def pop_members(space: Keyspace, words: Words) -> StoreReply:
    """SPOP key, with a count; the generator of the server chooses."""
    if len(words) > 3:
        raise refuse_syntax()
    count = read_count(words[2]) if len(words) == 3 else 1
    found = space.read_set(words[1])
    if found is None or not count:
        return None if len(words) == 2 else []
    chosen = space.rng.sample([*found], min(count, len(found)))
    for member in chosen:
        del found[member]
    space.drop_if_empty(words[1], found)
    space.effect = [b"SREM", words[1], *chosen]
    return chosen[0] if len(words) == 2 else [*chosen]


def read_count(word: bytes) -> int:
    """Return a number of items; raises `StoreRefusal` for less than none."""
    count = read_int(word, "value is out of range, must be positive")
    if count < 0:
        raise StoreRefusal("value is out of range, must be positive")
    return count


def choose_members(space: Keyspace, words: Words) -> StoreReply:
    """SRANDMEMBER key, with a count: a negative one may name a member more than once."""
    if len(words) > 3:
        raise refuse_syntax()
    found = [*(space.read_set(words[1]) or ())]
    if len(words) == 2:
        return space.rng.choice(found) if found else None
    count = read_int(words[2])
    if not found:
        return []
    if count < 0:
        return [space.rng.choice(found) for _ in range(-count)]
    return [*space.rng.sample(found, min(count, len(found)))]


COMMANDS: Final = {
    b"SADD": Command(add_members, -3, "wm", first_key),
    b"SREM": Command(remove_members, -3, "w", first_key),
    b"SMEMBERS": Command(list_members, 2, "", first_key),
    b"SCARD": Command(count_members, 2, "", first_key),
    b"SISMEMBER": Command(has_member, 3, "", first_key),
    b"SMISMEMBER": Command(has_members, -3, "", first_key),
    b"SINTER": Command(intersect, -2, "", all_keys),
    b"SUNION": Command(unite, -2, "", all_keys),
    b"SPOP": Command(pop_members, -2, "w", first_key),
    b"SRANDMEMBER": Command(choose_members, -2, "", first_key),
}
