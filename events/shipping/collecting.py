"""Reading what has changed since the last segment.

Keys are read in the order of a backup, so what holds there holds after each segment: all keys of a
game are of one moment, a key is read after those that refer to it, and the archive comes last, so a
game that leaves the store meanwhile is found there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import Final

from cartulary.events.archive.archive_backup import (
    ArchivedRecord,
    open_shelf,
    write_rows,
    write_tournaments,
)
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.backup.reading import Reading, StoreSource, read_game, read_keys, tag_of
from cartulary.events.backup.records import (
    ARCHIVED,
    ARCHIVED_GAME,
    ARCHIVED_TOURNAMENT,
    BackupRecord,
    section,
)
from cartulary.events.server import keys
from cartulary.events.server.disk_set import DiskSet
from cartulary.events.server.key_catalogue import OF_GAMES, is_carried
from cartulary.events.shipping.marks import Change, begin_of, compare, make_gone
from cartulary.events.shipping.state import ChainState

AT_ONCE: Final = 200
"""Small keys, or rows of the archive, that are read in one round trip."""


def mark_reading(reading: Reading) -> bytes:
    """Return the mark of a value that a backup has."""
    if section(reading.record.name) == 3:
        return ArchivedRecord(reading.record).seal
    found = compare(reading, None)
    assert found is not None
    return found[1]


class Collector:
    """Reads the changes of keys since the marks of a chain; `marks` are those from then on.

    Raises `BackupError`, `ArchiveError`, `RedisError`.
    """

    def __init__(self, source: StoreSource, archive: ArchiveReader, state: ChainState) -> None:
        self._source, self._archive, self._state = source, archive, state
        self.marks: dict[bytes, bytes | None] = {}

    def collect(self, touched: Iterable[bytes]) -> Iterator[Change]:
        """Yield the changes of these keys, and of the archived games that they belong to."""
        with DiskSet() as games, DiskSet() as others, DiskSet() as players, DiskSet() as rows:
            places = (games, others, players, rows)
            for name in touched:
                text = name.decode(errors="surrogateescape")
                if keys.is_of_game(text):
                    rows.add([keys.game_of_events(text).encode()])
                if is_carried(text):
                    places[section(text)].add([name])
            for _tag, group in groupby(games, tag_of):
                yield from self._collect_game(list(group))
            for place in (others, players):
                for some in _cut(place):
                    found = read_keys(self._source.registry, some)
                    yield from self._compare(some, found)
            for some in _cut(rows):
                yield from self._collect_rows(some)

    def _collect_game(self, names: list[bytes]) -> Iterator[Change]:
        raw = self._source.find(names[0])
        known = self._state.find(self._names_of(names))
        begins = {name: begin for name, mark in known.items() if (begin := begin_of(mark))}
        readings = read_game(raw, list({*names, *known}), begins)
        if any(compare(one, known.get(one.record.key)) is None for one in readings):
            readings = read_game(raw, list({*names, *known}))
        yield from self._compare([*names, *known], readings)

    def _names_of(self, names: list[bytes]) -> Iterator[bytes]:
        """Yield the names that a game may have a mark of."""
        game_id = keys.game_of_events(names[0].decode(errors="surrogateescape"))
        yield from names
        yield from (name.encode() for name in name_all(game_id))

    def _compare(self, names: Iterable[bytes], readings: Iterable[Reading]) -> Iterator[Change]:
        """Yield the changes of keys that were read; those that were not read are gone."""
        wanted = set(names)
        by_key = {one.record.key: one for one in readings}
        known = self._state.find({*wanted, *by_key})
        for key in sorted({*wanted, *by_key}):
            if key not in by_key:
                if key in known:
                    self.marks[key] = None
                    yield make_gone(key)
                continue
            found = compare(by_key[key], known.get(key))
            assert found is not None
            change, self.marks[key] = found
            if change is not None:
                yield change

    def _collect_rows(self, names: list[bytes]) -> Iterator[Change]:
        """Yield what has changed in the archive of games or tournaments with some ids."""
        if not self._archive.is_set:
            return
        ids = [name.decode(errors="surrogateescape") for name in names]
        archive, shelf = self._archive.archive, open_shelf(self._archive)
        yield from self._compare_rows(
            ARCHIVED_GAME,
            archive.seals(ids),
            lambda chosen: write_rows(self._archive, archive.rows_of(chosen)),
        )
        yield from self._compare_rows(
            ARCHIVED_TOURNAMENT,
            shelf.seals(ids),
            lambda chosen: write_tournaments(shelf.rows_of(chosen)),
        )

    def _compare_rows(
        self,
        kind: str,
        seals: Mapping[str, bytes | None],
        write: Callable[[list[str]], Iterator[BackupRecord]],
    ) -> Iterator[Change]:
        names = {one: f"{kind}{one}".encode(errors="surrogateescape") for one in seals}
        known = self._state.find(names.values())
        changed = [one for one, seal in seals.items() if seal and seal != known.get(names[one])]
        for record in write(changed) if changed else ():
            self.marks[record.key] = ArchivedRecord(record).seal
            yield Change("whole", record)
        for one, seal in seals.items():
            if seal is None and names[one] in known:
                self.marks[names[one]] = None
                yield make_gone(names[one])


def name_all(game_id: str) -> list[str]:
    """Return the names of all keys of a game that a backup carries, of families that are known."""
    return [row.form.replace("<game>", game_id) for row in OF_GAMES]


def _cut(names: DiskSet) -> Iterator[list[bytes]]:
    waiting = iter(names)
    while some := list(islice(waiting, AT_ONCE)):
        yield some


def list_all(source: StoreSource, archive: ArchiveReader, state: ChainState) -> Iterator[bytes]:
    """Yield the names of all keys that may have changed: those of the store and of the marks.

    What is archived is named by a key with its id, as if that had been touched.
    """
    for raw in {*source.games, source.registry}:
        cursor = 0
        while True:
            cursor, found = raw.execute_command("SCAN", cursor, "COUNT", 1000)
            yield from found
            if not (cursor := int(cursor)):
                break
    for name in state.list_keys():
        yield _as_touched(name)
    if archive.is_set:
        yield from _list_ids(archive.archive.ids)
        yield from _list_ids(open_shelf(archive).ids)


def _list_ids(read: Callable[[str], list[str]]) -> Iterator[bytes]:
    after = ""
    while ids := read(after):
        yield from (keys.events(one).encode() for one in ids)
        after = ids[-1]


def _as_touched(name: bytes) -> bytes:
    """Return a key, or for what is archived a key with its id."""
    text = name.decode(errors="surrogateescape")
    return keys.events(text.rpartition(":")[2]).encode() if text.startswith(ARCHIVED) else name
