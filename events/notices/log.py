"""What became of notices: for the player who wonders why nothing came, and for `retry`."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, get_args

import orjson
from redis import Redis

from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.server import keys

KEPT: Final = 50
KEPT_S: Final = 30 * 24 * 3600

NoticeOutcome = Literal[
    "sent",
    "retrying",
    "failed",
    "gone",
    "refused",
    "taken",
    "looking",
    "quiet",
    "digest",
    "joined",
]
"""What became of a notice. The first five: what the endpoint did. The others: why it was not sent
at that moment (the turn was taken, the player was looking at the game, quiet hours, it waits for
the message of the day, it became part of one message about several games)."""


OUTCOMES: Final[tuple[NoticeOutcome, ...]] = get_args(NoticeOutcome)

OF_ENDPOINTS: Final[tuple[NoticeOutcome, ...]] = OUTCOMES[: OUTCOMES.index("taken")]
"""What endpoints did; all others say why nothing was sent."""


class LoggedNotice(NamedTuple):
    """One line of a log; `at` in ms since the epoch, `item` that of the inbox.

    `status` is the answer of the endpoint in HTTP, 0 without one; `next` is when it is tried again
    (ms), 0: not again.
    """

    id: str
    at: int
    outcome: NoticeOutcome
    channel: str
    item: Json
    status: int = 0
    attempt: int = 0
    next: int = 0
    error: str = ""

    def describe(self) -> Json:
        """Return the line as HTTP shows it."""
        return {
            "id": self.id,
            "at": format_time(self.at),
            "outcome": self.outcome,
            "channel": self.channel,
            "type": self.item["type"],
            "data": self.item["data"],
            "status": self.status or None,
            "attempt": self.attempt,
            "next_at": format_time(self.next) if self.next else None,
            "error": self.error or None,
        }


class NoticeLog:
    """The logs of players and of their endpoints. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def write(self, owners: tuple[str, ...], line: LoggedNotice) -> None:
        """Write a line into the logs of owners: the id of a player, the id of an endpoint."""
        text: Any = orjson.dumps(list(line))
        pipe = self._redis.pipeline(transaction=False)
        pipe.hincrby(keys.notice_counts(), line.outcome, 1)
        for owner in owners:
            key = keys.delivery_log(owner)
            pipe.lpush(key, text)
            pipe.ltrim(key, 0, KEPT - 1)
            pipe.expire(key, KEPT_S)
        pipe.execute()

    def read_counts(self) -> dict[str, int]:
        """Return how often each outcome was written, 0 for those that never were."""
        found: Any = self._redis.hgetall(keys.notice_counts())
        counts = {name.decode(): int(number) for name, number in found.items()}
        return {outcome: counts.get(outcome, 0) for outcome in OUTCOMES}

    def note_policy(self, allowed: str) -> None:
        """Note what the notifier may send to beyond the public internet, for the operator."""
        self._redis.set(keys.notice_policy(), allowed)

    def read_policy(self) -> str | None:
        """Return what a notifier has noted last, None when none has ever run."""
        found: Any = self._redis.get(keys.notice_policy())
        return None if found is None else str(found.decode())

    def read(self, owner: str) -> list[LoggedNotice]:
        """Return the last lines of an owner, the newest first."""
        found: Any = self._redis.lrange(keys.delivery_log(owner), 0, KEPT - 1)
        return [LoggedNotice(*orjson.loads(text)) for text in found]
