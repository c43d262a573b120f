"""Bringing back: an archived game returns to the store, because a process writes to it.

A finished game gets no more events, but messages, notes and a rematch may follow. A writer
pins the game first: no archiver removes a pinned game, so the write cannot come to a game that is
leaving. A game that is not in the store is written there in one step, with all that lies next to
its stream.

The row stays in the archive: what is in the store counts, and the archiver replaces the row when it
archives the game again. A row that is removed at the wrong moment would be a lost game.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from redis import Redis, WatchError

from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.side_keys import EVENTS, name_key, unpack_all
from cartulary.events.backup.load import make_commands
from cartulary.events.backup.records import BackupRecord
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.projections import Projections
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import NotFound
from cartulary.events.server import keys

if TYPE_CHECKING:
    from cartulary.events.archive.rows import ArchivedStream

PINNED_S: Final = 60
"""For so long no archiver removes a game that a process is about to write to."""

STALE_S: Final = 15.0
"""Seconds after which a row that was read is not written to the store but read again."""

TRIES: Final = 5

ABSENT: Final = 3
"""What a script that writes next to a game answers first where the game is not in the store."""

log = logging.getLogger(__name__)


class BringingBack:
    """Brings archived games back to the store. Thread-safe."""

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        projections: Projections,
        reader: ArchiveReader,
        clock: Clock,
    ) -> None:
        self._ledger, self._projector, self._projections = ledger, projector, projections
        self._redis, self._reader, self._clock = ledger.redis, reader, clock

    def pin(self, game_id: str) -> bool:
        """Keep a game in the store for the next minute; return whether it was brought back.

        Raises `NotFound` for an unknown game, `ArchiveError`, `BrokenHistory`, `RedisError`.
        """
        if not self._reader.is_set:
            return False
        pipe = self._redis.pipeline(transaction=False)
        # In this order: an archiver that comes in between finds the pin, or has finished.
        pipe.set(keys.pin(game_id), 1, ex=PINNED_S)
        pipe.exists(keys.events(game_id))
        if pipe.execute()[1]:
            return False
        for _ in range(TRIES):
            began = time.monotonic()
            game = self._reader.read(game_id)
            if game is None:
                if self._ledger.stored_version(game_id):
                    return False
                raise NotFound(f"there is no game {game_id}")
            # First, so that the archiver finds the game when this process dies before `_show`.
            self._projections.expect(game_id, game.version, self._clock.now_ms())
            if put_back(self._redis, game, EVENTS, began):
                self._show(game_id)
                return True
        raise ArchiveUnavailable(f"the archive takes too long to give game {game_id} back")

    def write_there(self, game_id: str, write: Callable[[], Any]) -> Any:
        """Write next to a pinned game with a script, and return its answer.

        A process may stand still between its pin and the script for longer than the pin lasts. Then
        the script answers `ABSENT`, and the game is brought back first. Raises what `pin` raises.
        """
        for _ in range(TRIES):
            answer = write()
            if answer[0] != ABSENT:
                return answer
            if not self._reader.is_set:
                raise NotFound(f"there is no game {game_id}")
            self.pin(game_id)
        raise ArchiveUnavailable(f"the archive takes game {game_id} away again and again")

    def _show(self, game_id: str) -> None:
        """List a game from the store again; the inboxes know all of it."""
        self._projections.restore(self._projector.table(game_id), self._clock.now_ms())
        log.info("game %s is back in the store", game_id)

    def unlist(self, game_id: str) -> None:
        """Remove the summary and the index entries of a game that only the archive has.

        Raises `RedisError`; what `pin` raises for a game that is back by now.
        """
        self._projections.remove(game_id)
        if self._ledger.stored_version(game_id):
            # Another process has brought it back, and may have listed it before this removal.
            self._show(game_id)

    def unarchive(self, game_id: str) -> bool:
        """Bring a game back for good: its row leaves the archive. Returns whether it had a row.

        Raises what `pin` raises.
        """
        began = time.monotonic()
        self.pin(game_id)
        found = self._reader.heads([game_id]).get(game_id)
        if found is None:
            return False
        stored = self._ledger.last([game_id])[0]
        if stored.version < found[0] or time.monotonic() - began > STALE_S:
            # The pin may end before the row is removed: better a game in two places.
            log.warning("game %s stays in the archive as well", game_id)
            return True
        self._reader.archive.remove(game_id, found[1])
        self._reader.forget(game_id)
        return True


def put_back(redis: Redis, stream: ArchivedStream, family: str, began: float) -> bool:
    """Write an archived stream to the store in one step, with what lies next to it, and pin it.

    `family` is that of the key of the stream. False when another process did so first in the middle
    of it, or when the row was read too long ago (`began`, by `time.monotonic`).
    """
    name = name_key(stream.id, family)
    commands = list(_list_commands(stream, name))
    with redis.pipeline(transaction=True) as pipe:
        writes: Any = pipe
        writes.watch(name)
        if writes.exists(name):
            return True
        if time.monotonic() - began > STALE_S:
            return False
        writes.multi()
        for command in commands:
            writes.execute_command(*command)
        writes.set(keys.pin(stream.id), 1, ex=PINNED_S)
        try:
            writes.execute()
        except WatchError:
            return False
    return True


def _list_commands(stream: ArchivedStream, name: str) -> Iterator[tuple[Any, ...]]:
    """Yield the commands that write an archived stream to the store."""
    items = [(b"%d-0" % at, b"event", text) for at, text in enumerate(stream.texts, start=1)]
    events = BackupRecord(name.encode(), "stream", items, last=f"{stream.version}-0")
    for record in (events, *unpack_all(stream.id, stream.side_keys, stream.head)):
        yield from make_commands(record, fresh=True)
