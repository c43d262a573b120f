"""The archiver of tournaments: those that have ended go from the store into the archive.

The way is that of games (`events.archiving.batches`). What lists show of a tournament stays in the
store, and so do the notes on its closed rounds, by which archived games are shown and proved.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from redis import Redis

from cartulary.events.archive.reading import make_entries
from cartulary.events.archive.side_keys import TOURNAMENT
from cartulary.events.archive.state import ArchiveState
from cartulary.events.archive.tournament_rows import ArchivedTournament
from cartulary.events.archive.tournament_shelf import TournamentShelf
from cartulary.events.archiving.batches import BatchArchiver
from cartulary.events.archiving.claiming import ArchiveClaim
from cartulary.events.archiving.taking import Taken, Taker, Unfit
from cartulary.events.model.chain import read_links
from cartulary.events.model.clock import Clock, milliseconds
from cartulary.events.server.servers import is_missing
from cartulary.events.tournaments.stream.describing import list_people
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.events.tournaments.stream.streams import TournamentStreams, fold_entries
from cartulary.tournaments.events import ends_stream


class TournamentArchiver(BatchArchiver[ArchivedTournament]):
    """Archives tournaments that have ended. Thread-safe; several may work at once."""

    name = "tournament"

    def __init__(
        self,
        redis: Redis,
        streams: TournamentStreams,
        lists: TournamentLists,
        claim: ArchiveClaim,
        state: ArchiveState,
        clock: Clock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Archive what `lists` has as ended from the server of the games, `redis`."""
        taker = Taker(redis, TOURNAMENT, ends_stream)
        super().__init__(taker, lists.ended, claim, state, clock, monotonic)
        self._redis, self._streams = redis, streams

    @property
    def rows(self) -> TournamentShelf:
        """The tournaments of the archive."""
        return self._streams.archived.shelf

    def is_stored(self, one: str) -> bool:
        """Return whether the store has a tournament."""
        return self._streams.is_stored(one)

    def is_away(self, one: str) -> bool:
        """Return whether a tournament lies in a missing slot of the store."""
        return is_missing(self._redis, one)

    def unlist(self, one: str) -> None:
        """Take a tournament that only the archive has off the list of those that wait."""
        self._waiting.forget(one)

    def note(self, archived: int) -> None:
        """Note in the store that the archive works: the count there is of games."""
        self._state.note_works()

    def must_be_ready(self, taken: Taken) -> None:
        """Raise `Unfit` for a stream whose chain does not hold.

        All else is done: the list has a tournament only when the inboxes of its entrants have the
        end, and the games of closed rounds are open to all.
        """
        links = read_links(taken.texts, taken.head or None)
        broken = [at for at in range(1, taken.version + 1) if links.is_broken(at)]
        if broken or not taken.head:
            raise Unfit(
                f"its chain does not hold at event {broken[0] if broken else taken.version}"
            )

    def make(self, taken: Taken) -> ArchivedTournament:
        """Return a tournament as the archive stores it."""
        tournament = fold_entries(taken.id, None, make_entries(taken.texts))
        return ArchivedTournament(
            id=taken.id,
            status=tournament.status,
            visibility=tournament.terms.visibility,
            people=tuple(sorted(list_people(tournament))),
            created_at=milliseconds(tournament.created_at),
            ended_at=milliseconds(tournament.updated_at),
            version=taken.version,
            head=taken.head,
            texts=taken.texts,
            side_keys=dict(taken.side_keys),
        )
