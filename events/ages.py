"""How long a game may be silent, and from which day on that counts (contract `living.md`, 3).

An age counts from the last event of the game, but never from before the day on which these rules
came into force in this installation: an upgrade ends no game that was silent before it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from cartulary.events import keys
from cartulary.events.clock import Clock
from cartulary.events.types import format_time, milliseconds

DAY_MS: Final = 86_400_000

SILENT_MS: Final = 14 * DAY_MS
"""A person who has not answered for so long is overdue: others may claim the seat."""

RESTING_MS: Final = 30 * DAY_MS
"""A game that has rested for so long ends."""

UNTOUCHED_MS: Final = 60 * DAY_MS
"""A running game without an event for so long ends, unless somebody has looked at it."""

UNSEEN_MS: Final = 30 * DAY_MS
"""A look at a game keeps the game for so long."""

WAITING_MS: Final = {"public": 14 * DAY_MS}
"""A game waits for its start for so long, by visibility, unless its creation says otherwise."""

WAITING_ELSE_MS: Final = 60 * DAY_MS
"""The same where `WAITING_MS` says nothing."""

WAITING_LIVE_MS: Final = 7_200_000
"""The same for a live table: everybody is there, or will not come."""

ANSWER_MS: Final = 3 * DAY_MS
"""A proposal of an untimed game, or an offer of a seat of a running game, waits for so long."""

ANSWER_LIVE_MS: Final = 300_000
"""A proposal of a live game waits for an answer for so long."""

WARNED_MS: Final = 7 * DAY_MS
"""The players of a game that nobody touches learn so long before its end that it ends."""

WARNED_UNSTARTED_MS: Final = DAY_MS
"""The host of a game that waits for its start learns it so long before."""

KEPT_S: Final = 90 * 86_400
"""The store forgets a look after so many seconds: later than it could matter."""

log = logging.getLogger(__name__)


def find_wait(visibility: str, asked: int | None = None, live: bool = False) -> int:
    """Return for how long a game waits for its start, in ms; `asked` is in seconds."""
    if asked is not None:
        return 1000 * asked
    if live:
        return WAITING_LIVE_MS
    return WAITING_MS.get(visibility, WAITING_ELSE_MS)


def find_answer_wait(pace: Mapping[str, Any] | None) -> int:
    """Return for how long a proposal waits for its answers, in ms; `pace` is that of the game."""
    if pace is None:
        return ANSWER_MS
    return ANSWER_LIVE_MS if pace["mode"] == "live" else 2000 * int(pace["delay"])


class RulesSince:
    """The moment at which the rules about ages came into force here. Thread-safe.

    The first process that asks writes the moment; it never changes afterwards.
    """

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self._since: int | None = None

    def read(self) -> int:
        """Return the moment in ms since the epoch. Raises `RedisError` at the first call only."""
        if self._since is None:
            self._since = milliseconds(self._find())
        return self._since

    def _find(self) -> str:
        found = self._ask()
        if found is None:
            self._redis.hsetnx(keys.rules_since(), "ages", format_time(self._clock.now_ms()))
            found = self._ask()
        assert found is not None
        return found.decode()

    def _ask(self) -> bytes | None:
        found: Any = self._redis.hget(keys.rules_since(), "ages")
        return None if found is None else bytes(found)


class Looks:
    """The day on which somebody last looked at a running game. Thread-safe.

    A look is written at most once a day and process: this class remembers what it wrote today.
    """

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self._day, self._noted = 0, set[str]()

    def note(self, game_id: str) -> None:
        """Note that a person looks at a game now; a store that fails costs the note only."""
        now = self._clock.now_ms()
        if now // DAY_MS != self._day:
            self._day, self._noted = now // DAY_MS, set()
        if game_id in self._noted:
            return
        self._noted.add(game_id)
        try:
            self._write(game_id, now)
        except RedisError as error:
            log.warning("a look at game %s is not noted: %s", game_id, error)

    def read(self, game_id: str) -> int:
        """Return when somebody last looked at a game, in ms since the epoch; a day may be rounded.

        When nobody knows, the answer is now, and from now on it counts. Raises `RedisError`.
        """
        found: Any = self._redis.get(keys.looked(game_id))
        if found is not None:
            return milliseconds(found.decode())
        now = self._clock.now_ms()
        self._write(game_id, now)
        return now

    def _write(self, game_id: str, now: int) -> None:
        self._redis.set(keys.looked(game_id), format_time(now), ex=KEPT_S)
