"""Operators: the players whose tokens may have the scope `operator`.

Only the command `cartulary operator` makes an operator, and no request does.
"""

from __future__ import annotations

from typing import Any, Final

from redis import Redis

from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import Invalid
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.rows import OPERATOR, READ
from cartulary.events.people.tokens import Issued, Tokens, Wish
from cartulary.events.server import keys

DAY_MS: Final = 24 * 3_600_000
LABEL: Final = "operator"
"""How the list of the player's tokens names that of an operator."""


class Operators:
    """The operators of one installation. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, players: PlayerRegistry, tokens: Tokens, clock: Clock) -> None:
        self._redis, self._players, self._tokens, self._clock = redis, players, tokens, clock

    def grant(self, player: Player, days: int) -> Issued:
        """Make a player an operator, and return a token for so many days that may operate.

        It may do nothing else but read. Raises `Invalid` for a bot, `QuotaExceeded`.
        """
        if player.is_bot:
            raise Invalid([("/player", "a bot is no operator")])
        now = self._clock.now_ms()
        wish = Wish(LABEL, [READ, OPERATOR], now + days * DAY_MS)
        issued = self._tokens.issue(player.id, wish)
        self._redis.hsetnx(keys.operators(), player.id, format_time(now))
        return issued

    def revoke(self, player_id: str) -> bool:
        """Make a player an operator no more; return whether the player was one.

        All tokens that may operate are void: for requests within 5 s.
        """
        self._tokens.revoke_scope(player_id, OPERATOR)
        return bool(self._redis.hdel(keys.operators(), player_id))

    def has(self, player_id: str) -> bool:
        """Return whether a player is an operator."""
        return bool(self._redis.hexists(keys.operators(), player_id))

    def list_all(self) -> dict[str, str]:
        """Return the operators: id of the player → name."""
        found: Any = self._redis.hkeys(keys.operators())
        ids = sorted(one.decode() for one in found)
        names = self._players.name_all(ids) if ids else []
        return {one: name for one, name in zip(ids, names, strict=True) if name}
