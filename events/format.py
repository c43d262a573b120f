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
from cartulary.events.errors import HalfRestored, NewerStore

FORMAT: Final = 5
"""The format that this release writes."""

_CLAIM: Final = """
local mark = redis.call('HGET', KEYS[2], 'file')
if mark then
  return mark
end
local stored = tonumber(redis.call('GET', KEYS[1]) or '') or 0
if tonumber(ARGV[1]) > stored then
  redis.call('SET', KEYS[1], ARGV[1])
end
return stored
"""


def claim_format(redis: Redis) -> None:
    """Note that this release writes to the store.

    Raises `NewerStore`, `HalfRestored`, `RedisError`; changes nothing then.
    """
    answer: Any = redis.eval(_CLAIM, 2, keys.store_format(), keys.restoring(), FORMAT)
    if isinstance(answer, bytes):
        raise HalfRestored(answer.decode(errors="replace"))
    refuse_newer(int(answer))


def check_format(redis: Redis) -> None:
    """Check that this release can work on the store; changes nothing.

    Raises `NewerStore` when a newer release has written to the store, `HalfRestored` when a restore
    was interrupted, `RedisError`.
    """
    mark: Any = redis.hget(keys.restoring(), "file")
    if mark is not None:
        raise HalfRestored(mark.decode(errors="replace"))
    stored: Any = redis.get(keys.store_format())
    refuse_newer(int(stored) if stored is not None and stored.isdigit() else 0)


def refuse_newer(stored: int) -> None:
    """Raise `NewerStore` when a format is newer than the format of this release."""
    if stored > FORMAT:
        raise NewerStore(stored, FORMAT)
