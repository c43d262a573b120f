"""Streams: add, read, delete, and what is known of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from simulation.store.commands.shape import Command, first_key, keys_after, refuse_arity
from simulation.store.values.keyspace import Keyspace, StoredValue
from simulation.store.values.replies import (
    BLOCKED,
    OK,
    Blocked,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    read_int,
    refuse_syntax,
    refuse_type,
)
from simulation.store.values.stream import (
    FIRST_ID,
    LAST_ID,
    TRIMMED_AT_ONCE,
    EntryId,
    Fields,
    StreamValue,
)

BAD_ID: Final = "Invalid stream ID specified as stream command argument"
TOO_SMALL: Final = "The ID specified in XADD is equal or smaller than the target stream top item"
_MOST_PART: Final = 2**64 - 1


def read_stream(space: Keyspace, key: bytes) -> StreamValue | None:
    """Return a stream; raises `StoreRefusal` for another type."""
    value: StoredValue = space.find(key)
    if value is not None and type(value) is not StreamValue:
        raise refuse_type()
    return value


def write_id(entry_id: EntryId) -> bytes:
    """Return an id as clients read it."""
    return b"%d-%d" % entry_id


def read_id(word: bytes, missing: int = 0) -> EntryId:
    """Return an id; `missing` is its second part where a client leaves it out."""
    first, sign, second = word.partition(b"-")
    return _read_part(first), _read_part(second) if sign else missing


def _read_part(word: bytes) -> int:
    if not word.isdigit() or int(word) > _MOST_PART or (len(word) > 1 and word[:1] == b"0"):
        raise StoreRefusal(BAD_ID)
    return int(word)


def read_end(word: bytes, is_last: bool) -> EntryId:
    """Return an end of a range: `-`, `+`, an id, `(` before an id that is left out."""
    if word in (b"-", b"+"):
        return FIRST_ID if word == b"-" else LAST_ID
    is_open = word[:1] == b"(" and len(word) > 1
    found = read_id(word[is_open:], _MOST_PART if is_last else 0)
    if not is_open:
        return found
    if is_last:
        if found == FIRST_ID:
            raise StoreRefusal("invalid end ID for the interval")
        return (found[0], found[1] - 1) if found[1] else (found[0] - 1, _MOST_PART)
    if found == LAST_ID:
        raise StoreRefusal("invalid start ID for the interval")
    return follow(found)


def follow(entry_id: EntryId) -> EntryId:
    """Return the next possible id."""
    ms, number = entry_id
    return (ms, number + 1) if number < _MOST_PART else (ms + 1, 0)


def write_entry(entry_id: EntryId, fields: Fields) -> StoreReply:
    """Return an entry as clients read it."""
    return [write_id(entry_id), [*fields]]


def write_range(stream: StreamValue, start: int, stop: int) -> list[StoreReply]:
    """Return the entries of a slice."""
    entries = stream.entries
    return [write_entry(one, entries[one]) for one in stream.ids[start:stop]]


class _Trim(NamedTuple):
    most: int
    exactly: bool
    limit: int


def add_entry(space: Keyspace, words: Words) -> StoreReply:
    """XADD key with NOMKSTREAM and MAXLEN, an id (`*`, `5-*`, `5-1`), fields."""
    make, trim, place = _read_add(words)
    fields = tuple(words[place + 1 :])
    if place >= len(words) or not fields or len(fields) % 2:
        raise refuse_arity(words[0])
    wanted = _read_new_id(words[place])
    if wanted == FIRST_ID:
        raise StoreRefusal("The ID specified in XADD must be greater than 0-0")
    found = read_stream(space, words[1])
    if found is None and not make:
        return None
    stream = StreamValue() if found is None else found
    if stream.last == LAST_ID:
        raise StoreRefusal(
            "The stream has exhausted the last possible ID, unable to add more items"
        )
    entry_id = _choose_id(stream, wanted, space.now)
    stream.add(entry_id, fields)
    if found is None:
        space.put(words[1], stream)
    else:
        space.touch(words[1])
    if trim is not None:
        stream.trim(*trim)
    return write_id(entry_id)


def _read_add(words: Words) -> tuple[bool, _Trim | None, int]:
    """Return whether a stream is made, how it is trimmed, and the place of the id."""
    make, trim, place = True, None, 2
    while place < len(words):
        word = words[place].upper()
        if word == b"NOMKSTREAM":
            make = False
            place += 1
        elif word == b"MAXLEN":
            trim, place = _read_trim(words, place + 1)
        elif word in (b"MINID", b"LIMIT"):
            raise Unmodelled(f"XADD … {word.decode()}")
        else:
            break
    return make, trim, place


def _read_trim(words: Words, place: int) -> tuple[_Trim, int]:
    sign = words[place : place + 1]
    marked = sign in ([b"~"], [b"="], (b"~",), (b"=",))
    place += marked
    if place >= len(words):
        raise refuse_syntax()
    most = read_int(words[place])
    if most < 0:
        raise StoreRefusal("The MAXLEN argument must be >= 0.")
    exactly = not (marked and sign[0] == b"~")
    return _Trim(most, exactly, 0 if exactly else TRIMMED_AT_ONCE), place + 1


def _read_new_id(word: bytes) -> EntryId | int | None:
    """Return an id, the first part of an id that is to be completed, or None for any id."""
    if word == b"*":
        return None
    if word.endswith(b"-*"):
        return _read_part(word[:-2])
    return read_id(word)


def _choose_id(stream: StreamValue, wanted: EntryId | int | None, now: int) -> EntryId:
    if wanted is None:
        return (now, 0) if now > stream.last[0] else follow(stream.last)
    if isinstance(wanted, int):
        if wanted < stream.last[0] or (wanted, _MOST_PART) == stream.last:
            raise StoreRefusal(TOO_SMALL)
        if wanted > stream.last[0]:
            return wanted, 0
        return wanted, stream.last[1] + 1
    if wanted <= stream.last:
        raise StoreRefusal(TOO_SMALL)
    return wanted


def count_entries(space: Keyspace, words: Words) -> StoreReply:
    """XLEN key."""
    found = read_stream(space, words[1])
    return 0 if found is None else len(found)


def get_range(space: Keyspace, words: Words) -> StoreReply:
    """XRANGE key first last, and XREVRANGE key last first, with COUNT."""
    is_reversed = words[0].upper() == b"XREVRANGE"
    low, high = (words[3], words[2]) if is_reversed else (words[2], words[3])
    first, last = read_end(low, False), read_end(high, True)
    count = -1
    if len(words) > 4:
        if len(words) != 6 or words[4].upper() != b"COUNT":
            raise refuse_syntax()
        count = max(0, read_int(words[5]))
    found = read_stream(space, words[1])
    if found is None:
        return []
    if not count:
        return None
    start, stop = found.find_range(first, last)
    if count > 0:
        start, stop = (
            (max(start, stop - count), stop) if is_reversed else (start, min(stop, start + count))
        )
    answer = write_range(found, start, stop)
    return answer[::-1] if is_reversed else answer


def delete_entries(space: Keyspace, words: Words) -> StoreReply:
    """XDEL key id …."""
    found = read_stream(space, words[1])
    if found is None:
        return 0
    ids = [read_id(word) for word in words[2:]]
    deleted = sum(found.delete(entry_id) for entry_id in ids)
    if deleted:
        space.touch(words[1])
    return deleted


def trim_stream(space: Keyspace, words: Words) -> StoreReply:
    """XTRIM key MAXLEN count, with `~`."""
    if words[2].upper() != b"MAXLEN":
        raise Unmodelled("XTRIM without MAXLEN")
    trim, place = _read_trim(words, 3)
    if place != len(words):
        raise Unmodelled("XTRIM … LIMIT")
    found = read_stream(space, words[1])
    removed = 0 if found is None else found.trim(*trim)
    if removed:
        space.touch(words[1])
    return removed


def read_new(space: Keyspace, words: Words) -> StoreReply | Blocked:
    """XREAD with COUNT and BLOCK; `$` is the last id of now, `+` the last entry."""
    wanted = read_wanted(words, 1)
    answer: list[StoreReply] = []
    afters = [_find_after(space, *one) for one in zip(wanted.keys, wanted.ids, strict=True)]
    for key, after in zip(wanted.keys, afters, strict=True):
        stream = read_stream(space, key)
        if stream is not None and stream.ids and stream.ids[-1] > after:
            start, stop = stream.find_range(follow(after), LAST_ID)
            if wanted.most:
                stop = min(stop, start + wanted.most)
            answer.append([key, write_range(stream, start, stop)])
    return answer or (None if wanted.block is None else BLOCKED)


def _find_after(space: Keyspace, key: bytes, word: bytes) -> EntryId:
    """Return the id behind which a read begins."""
    stream = read_stream(space, key)
    if word not in (b"$", b"+"):
        return read_id(word)
    if stream is None:
        return FIRST_ID
    if word == b"$":
        return stream.last
    return precede(stream.ids[-1]) if stream.ids else stream.last


def precede(entry_id: EntryId) -> EntryId:
    """Return the id before one."""
    ms, number = entry_id
    return (ms, number - 1) if number else (ms - 1, _MOST_PART)


def resolve_ids(space: Keyspace, words: Words) -> list[bytes]:
    """Return the words of an XREAD with the ids of now in place of `$` and `+`."""
    if words[0].upper() != b"XREAD":
        return [*words]
    wanted = read_wanted(words, 1)
    ids: list[bytes] = []
    for key, word in zip(wanted.keys, wanted.ids, strict=True):
        stream = read_stream(space, key)
        last = FIRST_ID if stream is None else stream.last
        ids.append(write_id(last) if word in (b"$", b"+") else word)
    return [*words[: len(words) - len(ids)], *ids]


class WantedEntries(NamedTuple):
    """What a read asks for; `block` is the time in ms, 0 for ever, None not to wait at all."""

    keys: Words
    ids: Words
    most: int
    block: int | None


def read_wanted(words: Words, place: int) -> WantedEntries:
    """Return what stands from a place on: COUNT, BLOCK, then STREAMS with keys and ids."""
    count, block = 0, None
    while place < len(words):
        word = words[place].upper()
        if word == b"STREAMS":
            break
        if word == b"NOACK":
            raise Unmodelled("XREADGROUP … NOACK")
        if place + 1 >= len(words) or word not in (b"COUNT", b"BLOCK"):
            raise refuse_syntax()
        if word == b"COUNT":
            count = max(0, read_int(words[place + 1]))
        else:
            block = read_int(words[place + 1], "timeout is not an integer or out of range")
            if block < 0:
                raise StoreRefusal("timeout is negative")
        place += 2
    rest = words[place + 1 :]
    if not rest:
        raise refuse_syntax()
    if len(rest) % 2:
        name = words[0].decode().lower()
        ids = "ID, '+', or '$'" if name == "xread" else "ID or '>'"
        raise StoreRefusal(
            f"Unbalanced '{name}' list of streams: for each stream key an {ids} must be specified."
        )
    half = len(rest) // 2
    return WantedEntries(rest[:half], rest[half:], count, block)


def set_last_id(space: Keyspace, words: Words) -> StoreReply:
    """XSETID key id."""
    if len(words) > 3:
        raise Unmodelled("XSETID with options")
    last = read_id(words[2])
    found = read_stream(space, words[1])
    if found is None:
        raise StoreRefusal("no such key")
    if last < found.deleted:
        raise StoreRefusal(
            "The ID specified in XSETID is smaller than current max_deleted_entry_id"
        )
    if found.ids and last < found.ids[-1]:
        raise StoreRefusal("The ID specified in XSETID is smaller than the target stream top item")
    found.last = last
    space.touch(words[1])
    return OK


def describe(space: Keyspace, words: Words) -> StoreReply:
    """XINFO STREAM key."""
    if words[1].upper() != b"STREAM" or len(words) != 3:
        raise Unmodelled(f"XINFO {words[1].decode(errors='replace')}")
    found = read_stream(space, words[2])
    if found is None:
        raise StoreRefusal("no such key")
    ends: list[StoreReply] = [None, None]
    if found.ids:
        ends = [write_range(found, at, at + 1)[0] for at in (0, len(found) - 1)]
    return [
        *(b"length", len(found), b"radix-tree-keys", len(found.nodes)),
        *(b"radix-tree-nodes", len(found.nodes) + 1),
        *(b"last-generated-id", write_id(found.last)),
        *(b"max-deleted-entry-id", write_id(found.deleted)),
        *(b"entries-added", found.added),
        *(b"recorded-first-entry-id", write_id(found.ids[0] if found.ids else FIRST_ID)),
        *(b"groups", len(found.groups), b"first-entry", ends[0], b"last-entry", ends[1]),
    ]


def find_described(words: Words) -> Words:
    """Return the key of XINFO and of XGROUP: their second argument."""
    return words[2:3]


COMMANDS: Final = {
    b"XADD": Command(add_entry, -5, "wm", first_key),
    b"XLEN": Command(count_entries, 2, "", first_key),
    b"XRANGE": Command(get_range, -4, "", first_key),
    b"XREVRANGE": Command(get_range, -4, "", first_key),
    b"XDEL": Command(delete_entries, -3, "w", first_key),
    b"XTRIM": Command(trim_stream, -4, "w", first_key),
    b"XREAD": Command(read_new, -4, "", keys_after(b"STREAMS")),
    b"XSETID": Command(set_last_id, -3, "wm", first_key),
    b"XINFO": Command(describe, -2, "", find_described),
}
