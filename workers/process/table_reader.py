"""Reads tables for the dispatcher and the sweep, and reports each game that cannot be read once."""

from __future__ import annotations

import logging
import time

from cartulary.events.model.errors import LedgerError
from cartulary.events.model.failures import UnknownEvent
from cartulary.events.model.table import Table
from cartulary.events.store import Store

log = logging.getLogger("cartulary.dispatcher")


def now_ms() -> int:
    """Return the time of the wall clock in ms since the epoch."""
    return time.time_ns() // 1_000_000


class TableReader:
    """Reads the tables of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reported: set[str] = set()

    def read(self, game_id: str) -> Table | None:
        """Return the table as it is now, None when its stream cannot be read.

        Raises `RedisError`.
        """
        try:
            table = self._store.projector.table(game_id)
        except UnknownEvent as error:
            # The sweep looks at the game from time to time, so that it goes on after an upgrade.
            if self._is_new(game_id):
                log.warning("game %s waits for a newer version: %s", game_id, error)
            self._store.projections.look_again(game_id, now_ms())
            return None
        except LedgerError:
            # Trying again would not help; `audit` says what is wrong.
            if self._is_new(game_id):
                log.exception("game %s cannot be followed", game_id)
            return None
        self._reported.discard(game_id)
        if table.status.finished and self._is_archived(game_id):
            # A late entry of the outbox, or a killed archiver: only the archive lists the game.
            self._store.bringing_back.unlist(game_id)
            return None
        return table

    def _is_archived(self, game_id: str) -> bool:
        return self._store.archive.is_set and not self._store.ledger.stored_version(game_id)

    def _is_new(self, game_id: str) -> bool:
        """Return whether the game was not reported yet, and note that it is now."""
        is_new = game_id not in self._reported
        self._reported.add(game_id)
        return is_new
