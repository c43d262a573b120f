"""Who listens to the channels of the store: a signal without a listener is lost."""

from __future__ import annotations

from redis import Redis


def is_heard(redis: Redis, channel: str) -> bool:
    """Return whether a process listens to a channel."""
    found = redis.execute_command("PUBSUB", "SHARDNUMSUB", channel)  # type: ignore[no-untyped-call]
    return bool(found[1])
