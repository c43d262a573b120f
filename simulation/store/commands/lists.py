"""Lists, and the commands that wait for an item."""

from __future__ import annotations

from itertools import islice
from typing import Final

from simulation.store.commands.sets import read_count
from simulation.store.commands.shape import (
    Command,
    all_but_last,
    first_key,
    read_range,
    two_keys,
)
from simulation.store.values.keyspace import Keyspace, ListValue
from simulation.store.values.replies import (
    BLOCKED,
    OK,
    Blocked,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    read_float,
    read_int,
    refuse_syntax,
)


def push_right(space: Keyspace, words: Words) -> StoreReply:
    """RPUSH key item …."""
    found = _read_or_make(space, words[1])
    found.extend(words[2:])
    space.touch(words[1])
    return len(found)


def push_left(space: Keyspace, words: Words) -> StoreReply:
    """LPUSH key item …; the last one is the first of the list then."""
    found = _read_or_make(space, words[1])
    found.extendleft(words[2:])
    space.touch(words[1])
    return len(found)


def _read_or_make(space: Keyspace, key: bytes) -> ListValue:
    found = space.read_list(key)
    if found is None:
        found = ListValue()
        space.put(key, found)
        space.dirty -= 1
    return found


def pop_left(space: Keyspace, words: Words) -> StoreReply:
    """LPOP key, with a count."""
    return _pop(space, words, True)


def pop_right(space: Keyspace, words: Words) -> StoreReply:
    """RPOP key, with a count."""
    return _pop(space, words, False)


def _pop(space: Keyspace, words: Words, from_left: bool) -> StoreReply:
    if len(words) > 3:
        raise StoreRefusal(f"wrong number of arguments for '{words[0].decode().lower()}' command")
    count = read_count(words[2]) if len(words) == 3 else None
    found = space.read_list(words[1])
    if found is None:
        return None
    if count == 0:
        return []
    taken: list[StoreReply] = [
        found.popleft() if from_left else found.pop() for _ in range(min(count or 1, len(found)))
    ]
    space.drop_if_empty(words[1], found)
    return taken[0] if count is None else taken


def measure(space: Keyspace, words: Words) -> StoreReply:
    """LLEN key."""
    return len(space.read_list(words[1]) or ())


def get_item(space: Keyspace, words: Words) -> StoreReply:
    """LINDEX key place."""
    found = space.read_list(words[1])
    place = read_int(words[2]) if found is not None else 0
    if found is None or not -len(found) <= place < len(found):
        return None
    return found[place]


def get_range(space: Keyspace, words: Words) -> StoreReply:
    """LRANGE key first last."""
    read_int(words[2]), read_int(words[3])
    found = space.read_list(words[1])
    if found is None:
        return []
    return [*islice(found, *_order(read_range(words[2], words[3], len(found))))]


def _order(ends: tuple[int, int]) -> tuple[int, int]:
    return ends[0], max(ends)


def trim(space: Keyspace, words: Words) -> StoreReply:
    """LTRIM key first last."""
    read_int(words[2]), read_int(words[3])
    found = space.read_list(words[1])
    if found is None:
        return OK
    start, stop = read_range(words[2], words[3], len(found))
    kept = ListValue(islice(found, start, max(start, stop)))
    found.clear()
    found.extend(kept)
    space.drop_if_empty(words[1], found)
    return OK


def remove_item(space: Keyspace, words: Words) -> StoreReply:
    """LREM key count item: from the left, from the right for a negative count, all for 0."""
    count = read_int(words[2])
    found = space.read_list(words[1])
    if found is None:
        return 0
    left = -1 if count == 0 else abs(count)
    kept: list[bytes] = []
    for item in reversed(found) if count < 0 else found:
        if item == words[3] and left:
            left -= 1
        else:
            kept.append(item)
    removed = len(found) - len(kept)
    if removed:
        found.clear()
        found.extend(reversed(kept) if count < 0 else kept)
        space.drop_if_empty(words[1], found)
    return removed


def find_item(space: Keyspace, words: Words) -> StoreReply:
    """LPOS key item, without options."""
    if len(words) > 3:
        raise Unmodelled("LPOS with options")
    found = space.read_list(words[1])
    return found.index(words[2]) if found is not None and words[2] in found else None


def move(space: Keyspace, words: Words) -> StoreReply:
    """LMOVE source destination LEFT|RIGHT LEFT|RIGHT."""
    from_left, to_left = _read_end(words[3]), _read_end(words[4])
    found = space.read_list(words[1])
    if found is None:
        return None
    target = space.read_list(words[2])
    item = found.popleft() if from_left else found.pop()
    if target is None:
        target = _read_or_make(space, words[2])
    if to_left:
        target.appendleft(item)
    else:
        target.append(item)
    space.touch(words[2])
    space.drop_if_empty(words[1], found)
    return item


def _read_end(word: bytes) -> bool:
    ends = {b"LEFT": True, b"RIGHT": False}
    if word.upper() not in ends:
        raise refuse_syntax()
    return ends[word.upper()]


def read_timeout(word: bytes) -> float:
    """Return seconds to wait, 0 for ever; raises `StoreRefusal`."""
    seconds = read_float(word, "timeout is not a float or out of range")
    if seconds < 0:
        raise StoreRefusal("timeout is negative")
    if seconds * 1000 > 2**63 - 1:
        raise StoreRefusal("timeout is out of range")
    return seconds


def wait_for_item(space: Keyspace, words: Words) -> StoreReply | Blocked:
    """BLPOP key … seconds, and BRPOP: the key and the item."""
    read_timeout(words[-1])
    for key in words[1:-1]:
        found = space.read_list(key)
        if found is not None:
            item = found.popleft() if words[0].upper() == b"BLPOP" else found.pop()
            space.drop_if_empty(key, found)
            name = b"LPOP" if words[0].upper() == b"BLPOP" else b"RPOP"
            space.effect = [name, key]
            return [key, item]
    return BLOCKED


def wait_and_move(space: Keyspace, words: Words) -> StoreReply | Blocked:
    """BLMOVE source destination LEFT|RIGHT LEFT|RIGHT seconds."""
    _read_end(words[3]), _read_end(words[4])
    read_timeout(words[5])
    if space.read_list(words[1]) is None:
        return BLOCKED
    item = move(space, words)
    space.effect = [b"LMOVE", *words[1:5]]
    return item


COMMANDS: Final = {
    b"RPUSH": Command(push_right, -3, "wm", first_key),
    b"LPUSH": Command(push_left, -3, "wm", first_key),
    b"LPOP": Command(pop_left, -2, "w", first_key),
    b"RPOP": Command(pop_right, -2, "w", first_key),
    b"LLEN": Command(measure, 2, "", first_key),
    b"LINDEX": Command(get_item, 3, "", first_key),
    b"LRANGE": Command(get_range, 4, "", first_key),
    b"LTRIM": Command(trim, 4, "w", first_key),
    b"LREM": Command(remove_item, 4, "w", first_key),
    b"LPOS": Command(find_item, -3, "", first_key),
    b"LMOVE": Command(move, 5, "wm", two_keys),
    b"BLPOP": Command(wait_for_item, -3, "w", all_but_last),
    b"BRPOP": Command(wait_for_item, -3, "w", all_but_last),
    b"BLMOVE": Command(wait_and_move, 6, "wm", two_keys),
}
