"""What a bot accepts: the games, seats and paces that it plays, how many at once, and from whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.people.quotas import SEATS, UNLIMITED, Quotas
from cartulary.events.server import keys

UNTIMED: Final = "untimed"
PACES: Final = ("live", "correspondence", UNTIMED)
"""The paces that a bot may accept: the modes of a timed game, and untimed games."""

ANYONE, FOLLOWS, OWNER = FROM = ("anyone", "follows", "owner")
"""Whose invitations a bot may accept: of `follows` those of its owner, and of whom that follows."""


class Accepts(NamedTuple):
    """What a bot accepts; `games` None: all games. `origin` is one of `FROM`."""

    games: tuple[str, ...] | None = None
    seats: tuple[int, ...] = (2, 3, 4, 5)
    paces: tuple[str, ...] = PACES
    parallel: int = 4
    origin: str = ANYONE

    def to_json(self) -> dict[str, Any]:
        """Return it as in the HTTP contract."""
        return {
            "games": None if self.games is None else [*self.games],
            "seats": [*self.seats],
            "paces": [*self.paces],
            "parallel": self.parallel,
            "from": self.origin,
        }


def read_accepts(value: bytes | None) -> Accepts:
    """Return what a bot accepts, as the registry has it; None: what a new bot accepts."""
    if value is None:
        return Accepts()
    stored = orjson.loads(value)
    games = None if stored["games"] is None else tuple(stored["games"])
    return Accepts(
        games, tuple(stored["seats"]), tuple(stored["paces"]), stored["parallel"], stored["from"]
    )


class Acceptance:
    """Keeps what bots accept, and judges invitations. Thread-safe. Raises `RedisError`.

    `is_there` says whether a bot is connected, or webhooks reach it; `follows` whether a player
    follows another.
    """

    def __init__(
        self,
        redis: Redis,
        is_there: Callable[[str], bool],
        follows: Callable[[str, str], bool],
    ) -> None:
        self._redis, self._is_there, self._follows = redis, is_there, follows
        self._quotas = Quotas(redis, UNLIMITED)

    def write(self, bot_id: str, accepts: Accepts) -> None:
        """Keep what a bot accepts from now on."""
        self._redis.hset(keys.player(bot_id), "accepts", orjson.dumps(accepts.to_json()))

    def read_many(self, bot_ids: list[str]) -> list[Accepts]:
        """Return what some bots accept, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for bot_id in bot_ids:
            pipe.hget(keys.player(bot_id), "accepts")
        return [read_accepts(value) for value in pipe.execute()]

    def find_reason(self, table: Table, guest: Player, host: Player) -> str | None:
        """Return why an invitation does not fit a bot (`DECLINE_REASONS`); None when it fits.

        A person decides alone, so every invitation of a person fits.
        """
        if not guest.is_bot:
            return None
        (accepts,) = self.read_many([guest.id])
        pace = table.terms.pace
        if accepts.games is not None and table.game not in accepts.games:
            return "game"
        if len(table.seats) not in accepts.seats:
            return "seats"
        if (UNTIMED if pace is None else pace["mode"]) not in accepts.paces:
            return "pace"
        return self._find_reason_now(accepts, guest, host)

    def _find_reason_now(self, accepts: Accepts, guest: Player, host: Player) -> str | None:
        if self._quotas.find_full(guest.id, SEATS, accepts.parallel) is not None:
            return "busy"
        welcome = self.is_welcome(accepts, guest.owner, host.id)
        return None if welcome and self._is_there(guest.id) else "not_now"

    def is_welcome(self, accepts: Accepts, owner_id: str, host_id: str | None) -> bool:
        """Return whether a bot accepts invitations of a host (None: a caller without a token)."""
        if accepts.origin == ANYONE or host_id == owner_id:
            return True
        if accepts.origin == OWNER or host_id is None:
            return False
        return self._follows(owner_id, host_id)
