"""Words that were deleted from a game leave the row, too, that the archive may still have of it."""

from __future__ import annotations

import logging

from redis import RedisError

from cartulary.events.errors import LedgerError
from cartulary.events.ledger import Ledger
from cartulary.events.projector import Projector

log = logging.getLogger(__name__)


def renew_row(ledger: Ledger, projector: Projector, game_id: str) -> None:
    """Write the row of a game that was brought back again, as the game is in the store.

    What fails does not hold the deletion up: nobody reads the row, because the game is in the
    store, and the archiver replaces the row when it archives the game again.
    """
    if not ledger.archive.is_set:
        return
    try:
        if projector.table(game_id).status.finished and ledger.archive.heads([game_id]):
            ledger.rewrite(game_id)
    except (LedgerError, RedisError) as error:
        log.warning("deleted words of game %s stay in the archive for now: %s", game_id, error)
