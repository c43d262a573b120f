"""Quotas: how many games a player may have open and running, and how many a player may import.

The counts are sorted sets next to the projections: a game enters and leaves a set with its summary,
in one step (`project.lua`). So the sets say what the streams say, and `cartulary rebuild` makes
them again. Before the append of a new game a place is reserved, so that requests at the same time
never exceed a quota. A reservation whose process dies ends by itself.

A game counts for the player who opened it; `seats` counts the running games in which a player holds
a seat. A game that an open seat kept waiting and that starts
when another player sits down is never refused: its opener can open no further game until the
running games are fewer.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import RedisError
from ulid import ULID

from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.ledger.writer import Written
from cartulary.events.model.errors import TRY_AGAIN_S, QuotaExceeded, RateLimited, Refused
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import SERVICE
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

log = logging.getLogger(__name__)

RESERVED_MS = 60_000
"""How long a reservation lasts: an append takes milliseconds, with a silent store some 10 s."""

IMPORTS_MS = 3_600_000
"""The window of the quota of imports."""

INVITATIONS_MS = 24 * 3_600_000
"""The window of the quota of invitations."""

ANALYSES_MS = 24 * 3_600_000
"""The window of the quota of analyses."""

OPEN, RUNNING, BOTS, IMPORTS = "open", "running", "bots", "imports"
SEATS = "seats"
ANALYSES = "analyses"


class QuotaLimits(NamedTuple):
    """The quotas of each player; 0 is no limit.

    `open`: games that wait for players; `running`: games that run, of any kind; `bots`: running
    games of bots only; `imports`: transcripts imported within an hour; `seats`: running games in
    which the player holds a seat; `invitations`: within a day; `offers`: open invitations to the
    same player; `analyses`: started within a day.
    """

    open: int = 50
    running: int = 200
    bots: int = 20
    imports: int = 100
    seats: int = 50
    invitations: int = 20
    offers: int = 3
    analyses: int = 10

    def of(self, name: str) -> int:
        """Return the limit of a quota."""
        return int(getattr(self, name))


UNLIMITED = QuotaLimits(*[0] * len(QuotaLimits._fields))


def list_counted(table: Table) -> list[str]:
    """Return the names of the quotas that a game counts for now."""
    if table.status is Status.OPEN:
        return [OPEN]
    if table.status.finished:
        return []
    has_people = any(seat.player is not None for seat in table.seats)
    return [RUNNING] if has_people else [RUNNING, BOTS]


class QuotaPlace(NamedTuple):
    """The place of a new game in the quotas of its opener; `names` are those that it entered."""

    quotas: Quotas
    opener: str
    game_id: str
    imported: bool
    names: tuple[str, ...]

    def move_to(self, table: Table) -> QuotaPlace:
        """Return the place of the game under another id, which an earlier request may have used."""
        if table.id == self.game_id:
            return self
        self.leave()
        return self.quotas.reserve(table, self.imported)

    def during(self, append: Callable[[], Written]) -> Written:
        """Append the game; it gives its place back when nothing new was stored.

        When the store does not answer, it is unknown whether the game is stored. Then the place is
        kept until the game is projected or the reservation ends.
        """
        try:
            written = append()
        except (Refused, VersionConflict):
            self.leave()
            raise
        if written.replayed:
            self.leave()
        elif IMPORTS in self.names:
            self.quotas.settle(self.opener, [IMPORTS], self.game_id, IMPORTS_MS)
        return written

    def leave(self) -> None:
        """Give the place back, unless the game is projected."""
        self.quotas.settle(self.opener, self.names, self.game_id, 0)


class Quotas:
    """The quotas of all players on one server. Thread-safe."""

    def __init__(self, redis: Redis, limits: QuotaLimits) -> None:
        self._limits = limits
        self._reserve = redis.register_script(read_script("people", "reserve.lua"))
        self._settle = redis.register_script(read_script("people", "settle.lua"))

    def reserve(self, table: Table, imported: bool = False) -> QuotaPlace:
        """Reserve the place of a new game; raises `QuotaExceeded`, `RedisError`.

        The service opens as many games as the rounds of tournaments need.
        """
        if table.created_by == SERVICE:
            return QuotaPlace(self, SERVICE, table.id, imported, ())
        sits = bool(table.seats_of(table.created_by))
        entered = list_counted(table) + [IMPORTS] * imported
        # Who has as many running games as are allowed opens no further game.
        looked_at = [*entered, *([RUNNING] if OPEN in entered else [])]
        if sits and RUNNING in looked_at:
            looked_at.append(SEATS)
            entered += [SEATS] * (RUNNING in entered)
        place = QuotaPlace(self, table.created_by, table.id, imported, tuple(entered))
        if not any(map(self._limits.of, looked_at)):
            return place._replace(names=())
        arguments: list[str | int] = [table.id, RESERVED_MS]
        for name in looked_at:
            arguments += [self._limits.of(name), int(name in entered)]
        sets = [keys.quota(table.created_by, name) for name in looked_at]
        answer: Any = self._reserve(keys=sets, args=arguments)
        if answer[0]:
            raise self._refuse(looked_at[answer[0] - 1], int(answer[1]), float(answer[2] or 0))
        return place

    def settle(self, opener: str, names: tuple[str, ...] | list[str], game: str, stay: int) -> None:
        """End the reservation of a game: it leaves, or stays for `stay` ms. Raises `RedisError`."""
        if names:
            self._settle(keys=[keys.quota(opener, name) for name in names], args=[game, stay])

    def claim(self) -> Claims:
        """Return the places of a command that seats or invites players."""
        return Claims(self)

    def check_seats(self, player_id: str) -> None:
        """Raise `QuotaExceeded` when a player holds seats in as many games as are allowed."""
        limit = self._limits.of(SEATS)
        if (used := self.find_full(player_id, SEATS, limit)) is not None:
            raise QuotaExceeded(SEATS, limit, used, 0, None)

    def find_full(self, player_id: str, name: str, limit: int) -> int | None:
        """Return how many games count for a player, None where they are fewer than `limit`.

        A reservation that has ended counts for nothing, although it stays in the set until a
        process looks. Raises `RedisError`.
        """
        answer: Any = self._reserve(keys=[keys.quota(player_id, name)], args=["", 0, limit, 0])
        return int(answer[1]) if answer[0] else None

    def enter(self, key: str, member: str, limit: int) -> tuple[int, int] | None:
        """Reserve a place for `member`; return how much is used and what frees a place if full.

        The time is in ms since the epoch, 0 where it is unknown. Raises `RedisError`.
        """
        answer: Any = self._reserve(keys=[key], args=[member, RESERVED_MS, limit, 1])
        return (int(answer[1]), round(float(answer[2] or 0))) if answer[0] else None

    def conclude(self, key: str, member: str, stay: int) -> None:
        """End a reservation: `member` stays for `stay` ms. Raises `RedisError`."""
        self._settle(keys=[key], args=[member, stay])

    def limit(self, name: str) -> int:
        """Return the limit of a quota, 0: none."""
        return self._limits.of(name)

    def _refuse(self, name: str, used: int, frees_ms: float) -> QuotaExceeded:
        wait = max(1, math.ceil(frees_ms / 1000 - time.time())) if frees_ms else None
        return QuotaExceeded(name, self._limits.of(name), used, round(frees_ms), wait)


class Claims:
    """The places that a command reserves for the players whom it seats or invites.

    A command that is judged again takes the same places again. What stores nothing keeps no place.
    """

    def __init__(self, quotas: Quotas) -> None:
        self._quotas = quotas
        self._nonce = str(ULID())
        self._held: dict[tuple[str, str], int] = {}

    def seat(self, player_id: str, game_id: str) -> None:
        """Reserve a seat in a game that may be running soon; raises `QuotaExceeded`."""
        full = self._take(SEATS, keys.quota(player_id, SEATS), game_id, 0)
        if full is not None:
            raise QuotaExceeded(SEATS, self._quotas.limit(SEATS), full[0], 0, None)

    def invitation(self, player_id: str, guest_id: str, game_id: str) -> None:
        """Reserve an invitation of a guest; raises `RateLimited`."""
        full = self._take("offers", keys.offers(player_id, guest_id), game_id, 0)
        if full is not None:
            what = f"{full[0]} of your invitations to this player are open"
            raise RateLimited(what, TRY_AGAIN_S)
        member = f"{game_id}:{guest_id}:{self._nonce}"
        full = self._take("invitations", keys.invitations(player_id), member, INVITATIONS_MS)
        if full is not None:
            wait = max(1, math.ceil(full[1] / 1000 - time.time())) if full[1] else TRY_AGAIN_S
            limit = self._quotas.limit("invitations")
            raise RateLimited(f"at most {limit} invitations a day for each player", wait)

    def _take(self, name: str, key: str, member: str, stay: int) -> tuple[int, int] | None:
        limit = self._quotas.limit(name)
        if not limit or (key, member) in self._held:
            return None
        full = self._quotas.enter(key, member, limit)
        if full is None:
            self._held[key, member] = stay
        return full

    def during(self, write: Callable[[], Written]) -> Written:
        """Do what writes and projects; keep the places when something new was stored.

        When the store does not answer, it is unknown what is stored: the reservations end later.
        """
        try:
            written = write()
        except (Refused, VersionConflict):
            self._conclude(kept=False)
            raise
        self._conclude(kept=bool(written.events) and not written.replayed)
        return written

    def _conclude(self, *, kept: bool) -> None:
        # A place that the projection has made permanent stays in any case (settle.lua).
        try:
            for (key, member), stay in self._held.items():
                self._quotas.conclude(key, member, stay if kept else 0)
        except RedisError as error:
            # The command is done or refused: its answer must not depend on this.
            log.warning("a reservation ends later by itself: %s", error)
