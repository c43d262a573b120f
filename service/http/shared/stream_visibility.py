"""Streams of private games: a stream ends soon after its reader may no longer see the game."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from threading import Lock

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, NewerRelease
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.server.servers import is_missing

log = logging.getLogger("cartulary.service")

End = Callable[[], None]


class _Held:
    """The streams of one game that may have to end: the reader by the function that ends it."""

    __slots__ = ("readers", "version")

    def __init__(self, version: int) -> None:
        """Begin with a version of the game that every reader may see."""
        self.version = version
        self.readers: dict[End, str] = {}


class StreamVisibility:
    """The streams of this process whose readers may lose sight of a private game. Thread-safe."""

    def __init__(self, ledger: Ledger, projector: Projector) -> None:
        self._ledger, self._projector = ledger, projector
        self._held: dict[str, _Held] = {}
        self._lock = Lock()

    def hold(self, table: Table, player_id: str, end: End) -> Callable[[], None]:
        """Have `end` called when the player loses sight of a game; return what forgets it."""
        if not _may_lose_sight(table, player_id):
            return lambda: None
        with self._lock:
            held = self._held.setdefault(table.id, _Held(table.version))
            held.version = min(held.version, table.version)
            held.readers[end] = player_id
        return lambda: self._forget(table.id, end)

    def _forget(self, game_id: str, end: End) -> None:
        with self._lock:
            held = self._held.get(game_id)
            if held is not None:
                held.readers.pop(end, None)
                if not held.readers:
                    del self._held[game_id]

    def look_at(self, game_id: str) -> None:
        """End the streams of a game whose readers may no longer see it.

        The hub calls it before something new of the game is handed over. Raises `RedisError`.
        """
        if game_id in self._held:
            self._judge(game_id)

    def look(self) -> None:
        """End the streams whose readers may no longer see the game.

        The hub calls it every second or two, because news may be lost. Only games with new events
        are judged. Raises `RedisError`.
        """
        with self._lock:
            held = {game_id: held.version for game_id, held in self._held.items()}
        # A game in a missing slot has no new events, and must not keep the others from a look.
        redis = self._ledger.redis
        known = {game_id: at for game_id, at in held.items() if not is_missing(redis, game_id)}
        if not known:
            return
        found = zip(known, self._ledger.last_stored(list(known)), strict=True)
        stored = {game_id: last.version for game_id, last in found}
        archived = self._find_archived([one for one, version in stored.items() if not version])
        for game_id, version in stored.items():
            if version != known[game_id] and game_id not in archived:
                self._judge(game_id)

    def _find_archived(self, missing: Sequence[str]) -> Collection[str]:
        """Return the games that have left the store for the archive: no reader loses sight of them.

        While the archive does not answer, each missing game counts as archived: nothing is known of
        its end, and the other streams of the process must go on.
        """
        try:
            return self._ledger.archive.heads(missing)
        except ArchiveError as error:
            log.warning("the streams of %d games go on: %s", len(missing), error)
            return missing

    def _judge(self, game_id: str) -> None:
        table = self._find(game_id)
        with self._lock:
            held = self._held.get(game_id)
            if held is None:
                return
            lost = [
                end
                for end, player_id in held.readers.items()
                if table is None or not table.visible_to(player_id)
            ]
            held.version = 0 if table is None else table.version
        for end in lost:
            end()

    def _find(self, game_id: str) -> Table | None:
        """Return a game as it is now, None when it cannot be read: then no caller may see it."""
        try:
            return self._projector.table(game_id)
        except (ArchiveError, BrokenHistory, NewerRelease, NotFound) as error:
            log.warning("the streams of game %s end: %s", game_id, error)
            return None


def _may_lose_sight(table: Table, player_id: str) -> bool:
    """Return whether a later event may take sight of the game from a player.

    The opener keeps it, and so does everybody who has held a seat after the start.
    """
    if table.visibility != "private" or player_id == table.created_by:
        return False
    if table.status is Status.OPEN:
        return True
    tenures = any(one.player["id"] == player_id for one in table.course.tenures)
    return not tenures and not table.seats_of(player_id)
