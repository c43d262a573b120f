"""A backup and the segments after it, put together to the store as it was at a time.

The result is the file of a backup, which `cartulary restore` checks and loads as any other. A value
at a time; the changes lie in a database on the disk, in the order of the keys of the backup.
"""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, BinaryIO, NamedTuple

from cartulary.events.archive.archive_backup import ArchivedRecord
from cartulary.events.backup.dump import Counts, write_backup
from cartulary.events.backup.errors import DamagedBackup
from cartulary.events.backup.load import CheckedRecords
from cartulary.events.backup.reading import tag_of
from cartulary.events.backup.records import BackupRecord, section
from cartulary.events.model.clock import format_time
from cartulary.events.shipping.cutting import cut_game
from cartulary.events.shipping.marks import Change, name_item
from cartulary.events.shipping.segments import join

BEFORE, AFTER = 0, 1
"""The changes that count as they are, and those after which the time lies."""


class KeyStep(NamedTuple):
    """A key in two states: before the changes among which the time lies, and after them."""

    key: bytes
    before: BackupRecord | None
    after: BackupRecord | None


class ShippedHistory:
    """The changes after a backup, in a temporary database; a context manager."""

    def __init__(self, until: int | None = None) -> None:
        """`until` is the time, in ms since the epoch; None: everything."""
        self._until = until
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("CREATE TABLE changes (place, key, number, phase, change)")
        self._db.execute("BEGIN")
        self._number = 0
        self._dictionaries: dict[str, Any] = {}
        self._late = set[str]()

    def add(self, changes: Iterable[Change], is_late: bool) -> None:
        """Take the changes of a segment; `is_late` where the time may lie among them."""
        for change in changes:
            record = change.record
            place = section(record.name)
            if place == 3 and change.kind == "whole":
                self._note_row(record, is_late)
            self._number += 1
            # What this process writes and reads itself: no one else has the file.
            row = (place, record.key, self._number, int(is_late), pickle.dumps(change))
            self._db.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?)", row)

    def _note_row(self, record: BackupRecord, is_late: bool) -> None:
        row = ArchivedRecord(record)
        self._dictionaries |= row.dictionaries
        if is_late and self._until is not None and row.ended_at > self._until:
            self._late.add(_id_of(record.name))

    def write(self, backup: BinaryIO, into: BinaryIO, at: int) -> Counts:
        """Write the file of a backup with all changes, of a time; return its counts.

        Raises `DamagedBackup`.
        """
        self._db.execute("CREATE INDEX by_key ON changes (place, key, number)")
        return write_backup(into, self._merge(backup), format_time(at))

    def _merge(self, backup: BinaryIO) -> Iterator[BackupRecord]:
        steps = self._list_steps(backup)
        written = set[str]()
        for place, some in groupby(steps, _place_of):
            if place == 0:
                yield from self._merge_games(some)
            elif place == 3:
                yield from self._merge_rows(some, written)
            else:
                yield from (step.after for step in some if step.after is not None)

    def _merge_games(self, steps: Iterable[KeyStep]) -> Iterator[BackupRecord]:
        for tag, some in groupby(steps, lambda step: tag_of(step.key)):
            group = list(some)
            before = {step.key: step.before for step in group if step.before is not None}
            after = {step.key: step.after for step in group if step.after is not None}
            if tag[1:].decode(errors="surrogateescape") in self._late:
                after = before
            elif self._until is not None and before != after:
                after = cut_game(before, after, self._until)
            yield from (after[key] for key in sorted(after))

    def _merge_rows(self, steps: Iterable[KeyStep], written: set[str]) -> Iterator[BackupRecord]:
        """Yield the archived games; a dictionary comes with the first game that needs it."""
        for step in steps:
            for one in (step.before, step.after):
                if one is not None:
                    self._dictionaries |= ArchivedRecord(one).dictionaries
            is_late = _id_of(step.key.decode()) in self._late
            record = step.before if is_late else step.after
            if record is None:
                continue
            row = ArchivedRecord(record)
            fresh = sorted(row.needed - written)
            if missing := [one for one in fresh if one not in self._dictionaries]:
                raise DamagedBackup(f"{record.name} needs the dictionary {missing[0]}")
            written |= row.needed
            yield row.write(self._dictionaries[one] for one in fresh)

    def _list_steps(self, backup: BinaryIO) -> Iterator[KeyStep]:
        """Yield all keys in the order of a backup, each in its two states."""
        changes = self._list_changes()
        change = next(changes, None)
        for record in _list_whole(backup):
            while change is not None and change[0] < record.place:
                yield _apply(change[0][1], None, change[1])
                change = next(changes, None)
            if change is not None and change[0] == record.place:
                yield _apply(record.key, record, change[1])
                change = next(changes, None)
            else:
                yield KeyStep(record.key, record, record)
        while change is not None:
            yield _apply(change[0][1], None, change[1])
            change = next(changes, None)

    def _list_changes(self) -> Iterator[tuple[tuple[int, bytes], list[tuple[int, Change]]]]:
        """Yield the changed keys in order, each with its changes in order."""
        rows = self._db.execute(
            "SELECT place, key, phase, change FROM changes ORDER BY place, key, number"
        )
        for place, some in groupby(rows, lambda row: (row[0], row[1])):
            yield place, [(phase, pickle.loads(text)) for _place, _key, phase, text in some]

    def __enter__(self) -> ShippedHistory:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()


def _id_of(name: str) -> str:
    """Return the id of what is archived."""
    return name.rpartition(":")[2]


def _place_of(step: KeyStep) -> int:
    return section(step.key.decode(errors="surrogateescape"))


def _list_whole(backup: BinaryIO) -> Iterator[BackupRecord]:
    parts = list[BackupRecord]()
    for record in CheckedRecords(backup):
        parts.append(record)
        if not record.more:
            yield join(parts)
            parts = []


def _apply(key: bytes, base: BackupRecord | None, changes: list[tuple[int, Change]]) -> KeyStep:
    states: list[BackupRecord | None] = [base, base]
    for phase, change in changes:
        states[AFTER] = change_value(states[AFTER], change)
        if phase == BEFORE:
            states[BEFORE] = states[AFTER]
    return KeyStep(key, states[BEFORE], states[AFTER])


def change_value(value: BackupRecord | None, change: Change) -> BackupRecord | None:
    """Return a value after a change, None for a key that is gone. Raises `DamagedBackup`."""
    record = change.record
    if change.kind == "gone":
        return None
    if change.kind == "whole":
        return record
    if value is None or value.type != record.type:
        raise DamagedBackup(f"a segment adds to {record.name!r}, which was not there before it")
    if record.type == "stream":
        return record._replace(items=[*value.items, *record.items])
    items = {name_item(item): item for item in value.items}
    for name in change.without:
        items.pop(name, None)
    items |= {name_item(item): item for item in record.items}
    return record._replace(items=sorted(items.values()))
