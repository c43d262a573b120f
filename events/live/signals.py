"""Signals: named events next to the events of a game, for the streams that ask for them.

A signal is published and not stored, so it may be lost: a client that missed a signal reads the
resource that the signal is about. The hub of each process (`events.live`) receives the signals of
the channels that have listeners.
"""

from __future__ import annotations

from typing import Literal, get_args

from redis import Redis

from cartulary.events.server import keys

Name = Literal["message", "presence", "clock", "inbox"]
NAMES: tuple[Name, ...] = get_args(Name)
"""The names of signals: a message at the table, who is there, the clock, an item of an inbox."""


class Signals:
    """Publishes signals. Thread-safe."""

    def __init__(self, redis: Redis, registry: Redis | None = None) -> None:
        self._redis = redis
        self._registry = redis if registry is None else registry

    def publish(self, channel: str, name: Name, data: bytes) -> None:
        """Publish a signal on a channel (`keys.signals`, `keys.inbox_live`).

        `data` is JSON without a line break. Raises `RedisError`.
        """
        server = self._redis if keys.is_of_game(channel) else self._registry
        # Sharded, so that a cluster publishes on the node of the game.
        server.spublish(channel, b"%s\n%s" % (name.encode(), data))

    def publish_to_game(self, game_id: str, name: Name, data: bytes, room: str = "") -> None:
        """Publish a signal to the streams of a game, or to those of a room of its messages."""
        self.publish(keys.signals(game_id, room), name, data)
