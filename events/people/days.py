"""The last day on which each token was used: written at most once a day.

A day says enough to find a device that is lost, and does not show when its owner sleeps. The event
loop never writes it: only a thread that looks a token up in the store does.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from redis import Redis
from redis.exceptions import ResponseError

from cartulary.events.people.rows import ID_LENGTH, USED, TokenRow, write_row
from cartulary.events.server import keys
from cartulary.events.server.connection import takes_no_writes

_NOTE: Final = """
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[4])
if redis.call('HGET', KEYS[1], ARGV[2]) ~= ARGV[3] then
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
"""


class LastUsed:
    """Notes on which day a token was last used. Thread-safe."""

    def __init__(self, redis: Redis) -> None:
        self._note = redis.register_script(_NOTE)

    def note(self, player_id: str, created_at: str, token_hash: str, day: str) -> None:
        """Note that a token was used on a day; a token from before the rows gets its row.

        `created_at` is the time of the registration. A store that takes no writes for now keeps the
        day of before: a request that changes nothing must go on. Raises `RedisError`.
        """
        token_id = token_hash[:ID_LENGTH]
        row = write_row(TokenRow(token_hash, "", created_at))
        try:
            self._note(keys=[keys.tokens(player_id)], args=[token_id, token_id + USED, day, row])
        except ResponseError as error:
            if not takes_no_writes(error):
                raise


def day_of(now_ms: float) -> str:
    """Return the day of a moment (ms since the epoch) as `2026-11-22`, in UTC."""
    return datetime.fromtimestamp(now_ms / 1000, UTC).date().isoformat()
