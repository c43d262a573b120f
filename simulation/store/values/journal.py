"""The append-only file: what has changed, in order, and what of it is on the disk."""

from __future__ import annotations

from typing import NamedTuple

from simulation.store.values.replies import Words


class ChangeRecord(NamedTuple):
    """What one command, one transaction or one script has changed, whole or not at all.

    `now` is the time of the command in ms; each effect has the number of its database.
    """

    now: int
    effects: tuple[tuple[int, Words], ...]


class ChangeFile:
    """Records after a beginning, which is the state of some earlier moment.

    A place in the journal is a number of records since the server was made, so that replicas and
    `WAIT` can compare places.
    """

    def __init__(self, begin: int = 0) -> None:
        self.records: list[ChangeRecord] = []
        self.begin = begin
        """The place of the first record that is kept."""
        self.written = begin
        """The place up to which a killed process leaves everything to the system."""
        self.synced = begin
        """The place up to which everything is on the disk."""

    @property
    def end(self) -> int:
        """The place behind the last record."""
        return self.begin + len(self.records)

    @property
    def unsynced(self) -> int:
        """How many records may still be lost."""
        return self.end - self.synced

    def add(self, record: ChangeRecord, has_room: bool = True) -> None:
        """Write a record, which is not on the disk yet; without room it stays in the process."""
        self.records.append(record)
        if has_room:
            self.written = self.end

    def sync(self) -> None:
        """Bring all records to the disk."""
        self.written = self.synced = self.end

    def lose(self, count: int) -> list[ChangeRecord]:
        """Remove the last records, which were not on the disk, and return them."""
        if not 0 <= count <= self.unsynced:
            raise ValueError(f"{count} of {self.unsynced} records that are not on the disk")
        kept = len(self.records) - count
        lost = self.records[kept:]
        del self.records[kept:]
        self.written = min(self.written, self.end)
        return lost

    def list_after(self, place: int) -> list[ChangeRecord]:
        """Return the records from a place on; raises `LookupError` where they are gone."""
        if place < self.begin:
            raise LookupError("the journal begins later: a copy of the whole state is needed")
        return self.records[place - self.begin :]

    def forget_before(self, place: int) -> None:
        """Drop the records before a place, which a later beginning contains."""
        count = place - self.begin
        if count > 0:
            del self.records[:count]
            self.begin = place
