"""The format of a store: a number in Redis that keeps old processes from a newer store.

A release raises `FORMAT` when it writes what the release before cannot work with: a new event type,
a new schema, another use of a key. A process that writes claims the store at its start, which
raises the number to its own and refuses a greater one. The number stands beside the projections and
not among them, because a rebuild removes those. `docs/operations.md` describes upgrades.
"""

from __future__ import annotations

from typing import Any, Final

from redis import Redis

from cartulary.events import keys
from cartulary.events.errors import NewerStore

FORMAT: Final = 2
"""The format that this release writes."""

_CLAIM: Final = """
local stored = tonumber(redis.call('GET', KEYS[1]) or '') or 0
if tonumber(ARGV[1]) > stored then
  redis.call('SET', KEYS[1], ARGV[1])
end
return stored
"""


def claim_format(redis: Redis) -> None:
    """Note that this release writes to the store. Raises `NewerStore`, `RedisError`."""
    stored: Any = redis.eval(_CLAIM, 1, keys.store_format(), FORMAT)
    _refuse_newer(int(stored))


def check_format(redis: Redis) -> None:
    """Raise `NewerStore` when a newer release has written to the store; changes nothing."""
    stored: Any = redis.get(keys.store_format())
    _refuse_newer(int(stored) if stored is not None and stored.isdigit() else 0)


def _refuse_newer(stored: int) -> None:
    if stored > FORMAT:
        raise NewerStore(stored, FORMAT)
