"""Groups of readers of a stream: each entry goes to one of them, until it acknowledges it."""

from __future__ import annotations

from typing import Final

from simulation.store.commands.shape import Command, first_key, keys_after
from simulation.store.commands.streams import (
    find_described,
    follow,
    read_end,
    read_id,
    read_stream,
    read_wanted,
    write_entry,
    write_id,
)
from simulation.store.values.keyspace import Keyspace
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
)
from simulation.store.values.stream import (
    FIRST_ID,
    LAST_ID,
    Consumer,
    EntryId,
    Group,
    Pending,
    StreamValue,
)


def change_groups(space: Keyspace, words: Words) -> StoreReply:
    """XGROUP CREATE key group id with MKSTREAM, and XGROUP DESTROY key group."""
    action = words[1].upper()
    if action == b"CREATE":
        return _create(space, words)
    if action == b"DESTROY":
        return _destroy(space, words)
    raise Unmodelled(f"XGROUP {action.decode(errors='replace')}")


def _create(space: Keyspace, words: Words) -> StoreReply:
    if len(words) < 5:
        raise StoreRefusal("wrong number of arguments for 'xgroup|create' command")
    options = [word.upper() for word in words[5:]]
    if options not in ([], [b"MKSTREAM"]):
        raise refuse_syntax()
    found = read_stream(space, words[2])
    if found is None and not options:
        raise StoreRefusal(
            "The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to "
            "use the MKSTREAM option to create an empty stream automatically."
        )
    stream = StreamValue() if found is None else found
    last = stream.last if words[4] == b"$" else read_id(words[4])
    if found is None:
        space.put(words[2], stream)
    if words[3] in stream.groups:
        raise StoreRefusal("Consumer Group name already exists", "BUSYGROUP")
    stream.groups[words[3]] = Group(last)
    space.touch(words[2])
    return OK


def _destroy(space: Keyspace, words: Words) -> StoreReply:
    if len(words) != 4:
        raise StoreRefusal("wrong number of arguments for 'xgroup|destroy' command")
    found = read_stream(space, words[2])
    if found is None:
        raise StoreRefusal(
            "The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to "
            "use the MKSTREAM option to create an empty stream automatically."
        )
    if found.groups.pop(words[3], None) is None:
        return 0
    space.touch(words[2])
    return 1


def read_as_group(space: Keyspace, words: Words) -> StoreReply | Blocked:
    """XREADGROUP GROUP group consumer with COUNT and BLOCK; `>` or the history of a consumer."""
    if len(words) < 7 or words[1].upper() != b"GROUP":
        raise refuse_syntax()
    name, reader = words[2], words[3]
    wanted = read_wanted(words, 4)
    chosen: list[tuple[bytes, StreamValue, Group, bytes]] = []
    for key, word in zip(wanted.keys, wanted.ids, strict=True):
        stream = read_stream(space, key)
        group = None if stream is None else stream.groups.get(name)
        if stream is None or group is None:
            shown = [one.decode(errors="replace") for one in (key, name)]
            raise StoreRefusal(
                f"No such key '{shown[0]}' or consumer group '{shown[1]}' in XREADGROUP with GROUP "
                "option",
                "NOGROUP",
            )
        if word != b">":
            read_id(word)
        chosen.append((key, stream, group, word))
    answer: list[StoreReply] = []
    for key, stream, group, word in chosen:
        _see(space, group, reader)
        if word != b">":
            # No change: neither the file nor a replica learns how often something was read again.
            found = _reread(space, stream, group, reader, read_id(word), wanted.most)
            answer.append([key, found])
        elif stream.ids and stream.ids[-1] > group.last:
            answer.append([key, _deliver(space, stream, group, reader, wanted.most)])
            space.touch(key)
    return answer or (None if wanted.block is None else BLOCKED)


def _see(space: Keyspace, group: Group, reader: bytes) -> Consumer:
    """Return a consumer that is there now; a new one is a change."""
    consumer = group.consumers.get(reader)
    if consumer is None:
        consumer = group.consumers[reader] = Consumer(space.now)
        space.dirty += 1
    consumer.seen = space.now
    return consumer


def _deliver(
    space: Keyspace, stream: StreamValue, group: Group, reader: bytes, count: int
) -> list[StoreReply]:
    start, stop = stream.find_range(follow(group.last), LAST_ID)
    if count:
        stop = min(stop, start + count)
    ids = stream.ids[start:stop]
    for entry_id in ids:
        group.pending[entry_id] = Pending(reader, space.now, 1)
    group.last = ids[-1]
    group.consumers[reader].active = space.now
    return [write_entry(one, stream.entries[one]) for one in ids]


def _reread(
    space: Keyspace, stream: StreamValue, group: Group, reader: bytes, after: EntryId, count: int
) -> list[StoreReply]:
    mine = [
        one for one in group.list_pending(follow(after)) if group.pending[one].consumer == reader
    ]
    answer: list[StoreReply] = []
    for entry_id in mine[:count] if count else mine:
        fields = stream.entries.get(entry_id)
        if fields is None:
            answer.append([write_id(entry_id), None])
            continue
        pending = group.pending[entry_id]
        pending.at = space.now
        pending.count += 1
        answer.append(write_entry(entry_id, fields))
    return answer


def acknowledge(space: Keyspace, words: Words) -> StoreReply:
    """XACK key group id …."""
    stream = read_stream(space, words[1])
    group = None if stream is None else stream.groups.get(words[2])
    if group is None:
        return 0
    ids = [read_id(word) for word in words[3:]]
    done = sum(group.pending.pop(entry_id, None) is not None for entry_id in ids)
    if done:
        space.touch(words[1])
    return done


def _find_group(space: Keyspace, key: bytes, name: bytes) -> tuple[StreamValue, Group]:
    stream = read_stream(space, key)
    group = None if stream is None else stream.groups.get(name)
    if stream is None or group is None:
        shown = [one.decode(errors="replace") for one in (key, name)]
        raise StoreRefusal(f"No such key '{shown[0]}' or consumer group '{shown[1]}'", "NOGROUP")
    return stream, group


def claim(space: Keyspace, words: Words) -> StoreReply:
    """XAUTOCLAIM key group consumer idle-ms first, with COUNT: next id, entries, lost ids."""
    idle = max(0, read_int(words[4], "Invalid min-idle-time argument for XAUTOCLAIM"))
    first = read_end(words[5], False)
    count = _read_claim(words)
    stream, group = _find_group(space, words[1], words[2])
    _see(space, group, words[3])
    attempts, taken, lost = count * 10, list[StoreReply](), list[StoreReply]()
    ids = group.list_pending(first)
    place = 0
    while place < len(ids) and attempts and count:
        attempts -= 1
        entry_id = ids[place]
        place += 1
        pending = group.pending[entry_id]
        if entry_id not in stream.entries:
            del group.pending[entry_id]
            lost.append(write_id(entry_id))
            count -= 1
        elif not idle or space.now - pending.at >= idle:
            pending.consumer, pending.at = words[3], space.now
            pending.count += 1
            group.consumers[words[3]].active = space.now
            taken.append(write_entry(entry_id, stream.entries[entry_id]))
            count -= 1
    if taken or lost:
        space.touch(words[1])
    return [write_id(ids[place] if place < len(ids) else FIRST_ID), taken, lost]


def _read_claim(words: Words) -> int:
    if len(words) == 6:
        return 100
    if words[6].upper() == b"JUSTID":
        raise Unmodelled("XAUTOCLAIM … JUSTID")
    if len(words) != 8 or words[6].upper() != b"COUNT":
        raise refuse_syntax()
    count = read_int(words[7], "COUNT must be > 0")
    if count < 1:
        raise StoreRefusal("COUNT must be > 0")
    return count


def list_pending(space: Keyspace, words: Words) -> StoreReply:
    """XPENDING key group, and with first, last and count: id, consumer, idle ms, deliveries."""
    if len(words) == 3:
        return _sum_up(_find_group(space, words[1], words[2])[1])
    if words[3].upper() == b"IDLE":
        raise Unmodelled("XPENDING … IDLE")
    if len(words) not in (6, 7):
        raise refuse_syntax()
    count = max(0, read_int(words[5]))
    first, last = read_end(words[3], False), read_end(words[4], True)
    _, group = _find_group(space, words[1], words[2])
    found: list[StoreReply] = []
    for entry_id in group.list_pending(first) if first != last else [first]:
        one = group.pending.get(entry_id)
        if entry_id > last or len(found) == count:
            break
        if one is not None and (len(words) == 6 or one.consumer == words[6]):
            idle = max(0, space.now - one.at)
            found.append([write_id(entry_id), one.consumer, idle, one.count])
    return found


def _sum_up(group: Group) -> StoreReply:
    ids = group.list_pending()
    if not ids:
        return [0, None, None, None]
    counts: dict[bytes, int] = {}
    for one in group.pending.values():
        counts[one.consumer] = counts.get(one.consumer, 0) + 1
    by_name: list[StoreReply] = [[name, b"%d" % counts[name]] for name in sorted(counts)]
    return [len(ids), write_id(ids[0]), write_id(ids[-1]), by_name]


COMMANDS: Final = {
    b"XGROUP": Command(change_groups, -2, "wm", find_described),
    b"XREADGROUP": Command(read_as_group, -7, "w", keys_after(b"STREAMS")),
    b"XACK": Command(acknowledge, -4, "w", first_key),
    b"XAUTOCLAIM": Command(claim, -6, "w", first_key),
    b"XPENDING": Command(list_pending, -3, "", first_key),
}
