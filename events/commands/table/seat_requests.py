"""Requests for a seat: a player asks the host, who answers with an offer of the seat."""

from __future__ import annotations

import math
from typing import Any, Final

from redis import Redis

from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.inbox import Inbox, make_item
from cartulary.events.lists.inbox_items import describe
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import GameNotRunning, Invalid, RateLimited, Removed, SeatTaken
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import Player
from cartulary.events.server import keys

MOST: Final = 20
"""Games in which a player may ask for a seat within `WINDOW_MS`."""

WINDOW_MS: Final = 86_400_000


class SeatRequests:
    """Brings requests for seats into the inboxes of hosts. Thread-safe."""

    def __init__(
        self, redis: Redis, projector: Projector, inbox: Inbox, blocks: Blocks, clock: Clock
    ) -> None:
        self._redis, self._projector = redis, projector
        self._inbox, self._blocks, self._clock = inbox, blocks, clock

    def ask(self, player: Player, game_id: str, seat: int | None = None) -> None:
        """Ask the host of a game for a seat that is free; None: for any seat.

        The host learns of it once a day and game, and never of a player whom the host blocks. The
        player learns nothing of that. Raises, in this order: `NotFound`, `GameNotRunning`,
        `Removed`, `Invalid` (no such seat), `SeatTaken`, `RateLimited`.
        """
        table = self._projector.visible(game_id, player.id)
        _must_be_free(table, player, seat)
        host = table.course.host
        if not self._count(player.id, game_id) or host == player.id:
            return
        if self._blocks.has(host, player.id):
            return
        data = {
            **describe(table, host, table.version, seat),
            "player": {"id": player.id, "name": player.name},
        }
        at = format_time(self._clock.now_ms())
        item = make_item(game_id, "seat_requested", player.id, at, data, table.version)
        self._inbox.add(host, [item])

    def _count(self, player_id: str, game_id: str) -> bool:
        """Count a request; return whether it is the first of the day for this game."""
        now, key = self._clock.now_ms(), keys.seat_requests(player_id)
        pipe = self._redis.pipeline(transaction=True)
        pipe.zremrangebyscore(key, "-inf", now - WINDOW_MS)
        pipe.zadd(key, {game_id: now}, nx=True)
        pipe.zrange(key, 0, 0, withscores=True)
        pipe.zcard(key)
        pipe.pexpire(key, WINDOW_MS)
        _, is_new, oldest, count, _ = pipe.execute()
        if count <= MOST:
            return bool(is_new)
        self._redis.zrem(key, game_id)
        wait: Any = oldest[0][1] + WINDOW_MS - now
        raise RateLimited(f"at most {MOST} requests for a seat a day", math.ceil(wait / 1000))


def _must_be_free(table: Table, player: Player, seat: int | None) -> None:
    if table.status not in (Status.OPEN, Status.RUNNING):
        raise GameNotRunning(table.status)
    if player.id in table.course.removed:
        raise Removed
    if seat is not None and seat >= len(table.seats):
        raise Invalid([("/seat", f"the game has {len(table.seats)} seats")])
    wanted = range(len(table.seats)) if seat is None else [seat]
    if not any(_is_free(table, number) for number in wanted):
        raise SeatTaken("no seat is free that you could ask for")


def _is_free(table: Table, number: int) -> bool:
    one = table.seats[number]
    return table.vacant(number) if table.running else one.open
