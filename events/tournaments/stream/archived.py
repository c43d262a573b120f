"""Tournaments that have left the store for the archive, for readers.

The rules are those of games (`events.archive.reading`): no event of a tournament follows its end,
so a cached stream is right as long as its tournament is not in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cartulary.events.archive.reading import (
    ArchiveReader,
    Carried,
    make_entries,
    naming_damage,
    weigh,
)
from cartulary.events.model.cache import Cache
from cartulary.events.model.types import Entries

if TYPE_CHECKING:
    from cartulary.events.archive.tournament_rows import ArchivedTournament
    from cartulary.events.archive.tournament_shelf import TournamentShelf

CAPACITY: Final = 4 * 1024 * 1024
"""Bytes of unpacked streams that a process caches."""

Ask = Callable[[int, int | None], Entries]
"""Returns what the store has of a stream above a version, at most so many entries."""


class ArchivedTournaments:
    """The archived tournaments of a store. Thread-safe.

    All methods raise `ArchiveUnavailable` while the archive does not answer, and `BrokenHistory`
    for a tournament that is damaged there. Without an archive nothing is ever found.
    """

    def __init__(self, reader: ArchiveReader, capacity: int = CAPACITY) -> None:
        self._reader = reader
        self._streams: Cache[str, Sequence[bytes]] = Cache(capacity, weigh)

    @property
    def is_set(self) -> bool:
        """Whether there is an archive (`ArchiveReader.is_set`)."""
        return self._reader.is_set

    @property
    def shelf(self) -> TournamentShelf:
        """The tournaments of the open archive. Raises `ArchiveError` when it cannot be opened."""
        # Imported here: SQLAlchemy takes longer than all else that a process imports at its start.
        from cartulary.events.archive.tournament_shelf import TournamentShelf

        return TournamentShelf(self._reader.archive.database)

    def entries(self, tournament_id: str) -> Entries | None:
        """Return the whole stream of an archived tournament, None for any other."""
        if not self.is_set:
            return None
        texts = self._streams.get(tournament_id)
        if texts is None:
            with naming_damage(tournament_id):
                texts = self.shelf.texts(tournament_id)
            if texts is None:
                return None
            self._streams.put(tournament_id, texts)
        return make_entries(texts)

    def read(self, tournament_id: str) -> ArchivedTournament | None:
        """Return an archived tournament, None for any other."""
        if not self.is_set:
            return None
        with naming_damage(tournament_id):
            return self.shelf.read(tournament_id)

    def read_side_keys(self, tournament_id: str) -> Carried | None:
        """Return what lies next to the stream of an archived tournament, None for any other."""
        found = self.read(tournament_id)
        return None if found is None else Carried(found)

    def may_show(self, tournament_id: str, player_id: str | None) -> bool:
        """Return whether a player may know of a tournament whose events cannot be read."""
        return not self.is_set or self.shelf.may_show(tournament_id, player_id)

    def heads(self, ids: Sequence[str]) -> Mapping[str, tuple[int, str]]:
        """Return version and head of those of some tournaments that are archived."""
        return self.shelf.heads(ids) if self.is_set and ids else {}

    def ids(self) -> Iterator[str]:
        """Yield the archived tournaments in the order of their ids."""
        after = ""
        while self.is_set and (found := self.shelf.ids(after)):
            yield from found
            after = found[-1]

    def count(self) -> int:
        """Return the number of archived tournaments."""
        return self.shelf.count() if self.is_set else 0

    def forget(self, tournament_id: str) -> None:
        """Drop the cached stream of a tournament."""
        self._streams.drop(tournament_id)
