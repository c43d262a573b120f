"""The way back: an operator brings an archived tournament back to the store.

No command does: no event follows the end of a tournament, so nothing writes to an archived one.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from redis import Redis

from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.side_keys import TOURNAMENT
from cartulary.events.archiving.bringing_back import PINNED_S, STALE_S, put_back
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import NotFound
from cartulary.events.server import keys
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.events.tournaments.stream.streams import TournamentStreams

TRIES: Final = 5

log = logging.getLogger(__name__)


class TournamentReturn:
    """Brings archived tournaments back. Thread-safe. Raises `RedisError`."""

    def __init__(
        self, redis: Redis, streams: TournamentStreams, lists: TournamentLists, clock: Clock
    ) -> None:
        self._redis, self._streams, self._lists = redis, streams, lists
        self._archived, self._clock = streams.archived, clock

    def unarchive(self, tournament_id: str) -> bool:
        """Bring a tournament back for good: its row leaves the archive; return whether it had one.

        The row is removed last: where this process dies before that, what is in the store counts.
        Raises `NotFound`, `ArchiveError`, `BrokenHistory`.
        """
        began = time.monotonic()
        # Before all else: an archiver that comes in between finds the pin, or has finished.
        self._redis.set(keys.pin(tournament_id), 1, ex=PINNED_S)
        if not self._streams.is_stored(tournament_id):
            self._bring(tournament_id)
        found = self._archived.heads([tournament_id]).get(tournament_id)
        if found is None:
            return False
        if time.monotonic() - began > STALE_S:
            # The pin may end before the row is removed: better a tournament in two places.
            log.warning("tournament %s stays in the archive as well", tournament_id)
            return True
        self._archived.shelf.remove(tournament_id, found[1])
        self._archived.forget(tournament_id)
        return True

    def _bring(self, tournament_id: str) -> None:
        for _ in range(TRIES):
            began = time.monotonic()
            row = self._archived.read(tournament_id)
            if row is None:
                if self._streams.is_stored(tournament_id):
                    return
                raise NotFound("there is no tournament with this id")
            # First, so that an archiver finds the tournament when this process dies.
            self._lists.ended.put_off(tournament_id, self._clock.now_ms())
            if put_back(self._redis, row, TOURNAMENT, began):
                return
        raise ArchiveUnavailable(f"the archive takes too long to give {tournament_id} back")
