"""Words that were deleted from a game leave the row, too, that the archive may still have of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from redis import RedisError

from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.errors import LedgerError

if TYPE_CHECKING:
    from cartulary.events.archiving.archiver import Archiver

log = logging.getLogger(__name__)


class ArchivedRows:
    """Writes rows of the archive again. Thread-safe."""

    def __init__(
        self, ledger: Ledger, projector: Projector, make_archiver: Callable[[], Archiver]
    ) -> None:
        self._ledger, self._projector, self._make_archiver = ledger, projector, make_archiver

    def rewrite(self, game_id: str) -> None:
        """Write the row of a game as the game is in the store. Raises `ArchiveError`."""
        self._make_archiver().rewrite(game_id)

    def renew(self, game_id: str) -> None:
        """Do what `rewrite` does for a game that was brought back.

        What fails does not hold the deletion up: no process reads the row, because the game is in
        the store, and the archiver replaces the row when it archives the game again.
        """
        if not self._ledger.archive.is_set:
            return
        try:
            table = self._projector.table(game_id)
            if table.status.finished and self._ledger.archive.heads([game_id]):
                self.rewrite(game_id)
        except (LedgerError, RedisError) as error:
            log.warning("deleted words of game %s stay in the archive for now: %s", game_id, error)
