"""Mending: projections that are ahead of the store or of an earlier release are made again.

When the store falls back, a process may write a summary that it has computed before: the summary is
then ahead of its stream, and the game is missing among those that wait. Mending finds such games,
and after an upgrade the games whose summary lacks what this release shows.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, InvariantBroken, UnknownEvent
from cartulary.events.server.restarts import watch_restarts
from cartulary.events.server.servers import find_missing
from cartulary.events.upkeep.rebuild import rebuild_game

if TYPE_CHECKING:
    from cartulary.events.store import Store

SETTLED_S = 12.0
"""Seconds after a restart in which a process may still write what it has computed before: no answer
takes longer (`events.server.connection.ANSWER_WITHIN`)."""

STOOD_STILL_S = 75.0
"""Seconds after which it looks once more: a process may have stood still for a minute, with its
machine, between an append and the summary."""

LOOK_S = 0.05
"""Seconds for which a call looks at summaries: its caller does nothing else in the meantime."""

log = logging.getLogger(__name__)


class Mender:
    """Looks at all summaries after each restart of the store: at once, when settled, and late.

    It looks at some summaries with each call, so its caller may do other work in between. `clock`
    gives seconds.
    """

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store, self._clock = store, clock
        self._restarts = watch_restarts(store.redis)
        self._cursor: int | None = None
        self._again_at: list[float] = []
        self._aged: list[str] = []
        """Games whose summary is of an earlier release."""

    @property
    def is_looking(self) -> bool:
        """Return whether there are summaries left to look at."""
        return bool(self._aged) or self._cursor is not None

    def step(self) -> int:
        """Look at some summaries, if there is reason to; return the number of games mended."""
        if find_missing(self._store.redis):
            return 0  # What the missing games are at is unknown: later.
        if self._restarts.notice():
            now, self._cursor = self._clock(), 0
            self._again_at = [now + SETTLED_S, now + STOOD_STILL_S]
        if not self.is_looking:
            if not self._again_at or self._clock() < self._again_at[0]:
                return 0
            self._cursor = 0
            self._again_at.pop(0)
        return self._look(self._clock() + LOOK_S)

    def _look(self, until: float) -> int:
        mended = 0
        while self._aged or self._cursor is not None:
            mended += self._renew(self._aged.pop()) if self._aged else self._look_on()
            if self._clock() >= until:
                break
        return mended

    def _look_on(self) -> int:
        assert self._cursor is not None
        look = self._store.projections.look(self._cursor)
        for game_id in look.lost:
            log.warning("the store has lost the end of game %s", game_id)
            self._mend(game_id)
        self._aged += look.aged
        self._cursor = look.cursor or None
        return len(look.lost)

    def _mend(self, game_id: str) -> None:
        if not self._store.ledger.stored_version(game_id):
            # The store has lost the game, or only the archive has it and lists it.
            self._store.projections.remove(game_id)
            return
        try:
            # With what the inboxes know: they may know the lost events.
            self._store.list_updater.follow(self._store.projector.table(game_id))
        except NotFound:
            self._store.projections.remove(game_id)
        except (BrokenHistory, InvariantBroken, UnknownEvent) as error:
            # The message names game, version and fault: a stack would add nothing.
            log.error("the summary stays: %s", error)  # noqa: TRY400

    def _renew(self, game_id: str) -> int:
        """Make summary and snapshots of a game again that an earlier release has written."""
        try:
            rebuild_game(self._store, game_id)
        except (ArchiveError, NotFound, BrokenHistory, InvariantBroken, UnknownEvent) as error:
            log.warning("the summary stays as an earlier release has written it: %s", error)
            return 0
        return 1

    def close(self) -> None:
        """End the connection by which restarts are noticed."""
        self._restarts.close()
