"""What waits: one entry that cannot be read holds up no other."""

from __future__ import annotations

from cartulary.events.notices.waiting import (
    UNREADABLE_MS,
    NewEntry,
    WaitingEntry,
    WaitingList,
)
from cartulary.events.server import keys
from cartulary.events.store import Store

NOW = 1_790_000_000_000


def read_number(entry: WaitingEntry) -> int:
    return int(entry.text)


def test_an_entry_of_a_later_release_waits_on_and_the_others_are_taken(fake_store: Store) -> None:
    waiting = WaitingList(fake_store.registry, keys.intents(), keys.intended())
    for name, text in (("a", b"1"), ("b", b"{new"), ("c", b"3")):
        waiting.add(NewEntry(name, NOW, text))
    taken = waiting.take_as(read_number, NOW, 10)
    assert [(entry.name, number) for entry, number in taken] == [("a", 1), ("c", 3)]
    waiting.settle([entry for entry, _ in taken])
    assert waiting.take(NOW + UNREADABLE_MS - 1, 10) == []
    assert waiting.take(NOW + UNREADABLE_MS, 10) == [WaitingEntry("b", b"{new")]
