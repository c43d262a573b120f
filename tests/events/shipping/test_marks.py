"""What has changed since a mark, put onto the value of before, is the value of now."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.events.backup.reading import Reading
from cartulary.events.backup.records import BackupRecord
from cartulary.events.shipping.history import change_value
from cartulary.events.shipping.marks import begin_of, compare

KINDS = ("string", "hash", "set", "zset", "stream")


def make_items(kind: str, rng: random.Random, before: list[Any]) -> list[Any]:
    """Change some items of a value, or make some."""
    names = [f"{number:03}".encode() for number in range(rng.choice((1, 3, 40)))]
    if kind == "string":
        return [rng.choice((b"one", b"two"))]
    if kind == "set":
        return sorted(rng.sample(names, rng.randint(1, len(names))))
    if kind == "stream":
        kept = before[: len(before) - rng.choice((0, 0, 0, 1))]
        first = 1 + max((int(item[0].partition(b"-")[0]) for item in before), default=0)
        fresh = range(first, first + rng.randint(0, 3))
        return [*kept, *((f"{number}-0".encode(), b"event", b"x") for number in fresh)]
    found = dict(before) | {name: rng.choice((b"1", b"2")) for name in rng.sample(names, 1)}
    for name in list(found):
        if len(found) > 1 and rng.random() < 0.1:
            del found[name]
    return sorted(found.items())


def read(kind: str, items: list[Any], mark: bytes | None, rng: random.Random) -> Reading:
    last = (items[-1][0].decode() if items else "0-0") if kind == "stream" else None
    begin = None if mark is None else begin_of(mark)
    shown = items
    if begin is not None and begin != "-":
        shown = [one for one in items if int(one[0][:-2]) >= int(begin[:-2])]
    expires_at = rng.choice((None, None, 5))
    record = BackupRecord(b"key", kind, shown, last=last, expires_at=expires_at)
    return Reading(record, len(items) if kind == "stream" else 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_leads_from_the_value_before_to_the_value_now(
    kind: str, rng: random.Random
) -> None:
    kinds_of_change = set[str]()
    value: BackupRecord | None = None
    mark: bytes | None = None
    items: list[Any] = []
    for _ in range(300):
        items = make_items(kind, rng, items)
        reading = read(kind, items, mark, rng)
        found = compare(reading, mark)
        if found is None:
            whole = Reading(reading.record._replace(items=items), reading.length)
            found = compare(whole, mark)
        assert found is not None
        change, mark = found
        if change is not None:
            kinds_of_change.add(change.kind)
            value = change_value(value, change)
        assert value == reading.record._replace(items=items)
    assert "whole" in kinds_of_change
    assert ("add" in kinds_of_change) == (kind != "string")


def test_a_value_that_has_not_changed_is_no_change(rng: random.Random) -> None:
    for kind in KINDS:
        items = make_items(kind, rng, [])
        reading = read(kind, items, None, random.Random(1))
        first = compare(reading, None)
        assert first is not None
        assert compare(reading, first[1]) == (None, first[1])
