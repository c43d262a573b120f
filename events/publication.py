"""Publications: the messages by which the store reports each append to the processes that watch.

`append.lua` publishes an append on the channel of its game. A message may be lost: the store keeps
none for a process that is not connected. So a message only says what to hand over sooner; the
stream decides what there is.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic
from typing import Any, NamedTuple, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TooSlow
from redis.retry import Retry

from cartulary.events import keys

WAITS = 1.0
"""Seconds for which one reading waits; a server that does not take a command for so long counts as
lost."""
SILENT = 10.0
"""Seconds; a server from which nothing comes for so long counts as lost."""
CHANNELS_AT_ONCE = 500
"""Channels in one command; the server does nothing else while it runs a command."""


class Publication(NamedTuple):
    """An append: the version after it, and its events as stored (none when they are long)."""

    game_id: str
    version: int
    texts: list[bytes]


class Confirmation(NamedTuple):
    """From now on the publications of a game arrive."""

    game_id: str


class Line:
    """One connection that receives publications; a context manager.

    One thread calls `receive`. Any thread may call the other methods, one thread at a time. After
    a failure nothing arrives any more and `receive` raises.
    """

    def __init__(self, redis: Redis) -> None:
        """Connect to the server of a client; raises `RedisError`."""
        pool = redis.connection_pool
        self._connection: Any = pool.connection_class(
            **{
                **pool.connection_kwargs,
                "retry": Retry(NoBackoff(), 0),
                "protocol": 2,  # messages come as answers; RESP3 would hand them to a callback
                "socket_timeout": WAITS,
            }
        )
        self._lost = False
        self._connection.connect()
        self._heard = monotonic()

    def subscribe(self, game_ids: Iterable[str]) -> None:
        """Ask for the publications of games; `receive` returns a `Confirmation` for each."""
        self._send("SSUBSCRIBE", game_ids)

    def unsubscribe(self, game_ids: Iterable[str]) -> None:
        """Ask for no more publications of games."""
        self._send("SUNSUBSCRIBE", game_ids)

    def wake(self) -> None:
        """Make `receive` return soon, when the server answers."""
        self._command("PING")

    def keep_alive(self) -> None:
        """Ask a silent server whether it is there; call this about once a second."""
        silent = monotonic() - self._heard
        if silent > SILENT:
            self._lost = True
        elif silent > SILENT / 2:
            self.wake()

    def _send(self, command: str, game_ids: Iterable[str]) -> None:
        channels = [keys.live(game_id) for game_id in game_ids]
        for first in range(0, len(channels), CHANNELS_AT_ONCE):
            self._command(command, *channels[first : first + CHANNELS_AT_ONCE])

    def _command(self, *words: str) -> None:
        try:
            self._connection.send_command(*words, check_health=False)
        except RedisError:
            # The thread that receives finds out: it connects and subscribes again.
            self._lost = True

    def receive(self, wait: bool) -> Publication | Confirmation | None:
        """Return what comes first within `WAITS`, or at once (`wait` False); None for nothing.

        None also for an answer that is no news. Raises `RedisError` when the connection is lost.
        """
        if not (wait or self._connection.can_read(0)):
            self._refuse_lost()
            return None
        # A connection that another thread has closed connects again by itself, without channels.
        self._refuse_lost()
        try:
            # One system call for a message; to ask first whether there is one takes three more.
            answer = self._connection.read_response(disconnect_on_error=False)
        except TooSlow:
            return None
        self._heard = monotonic()
        if not isinstance(answer, list):
            return None
        if answer[0] == b"smessage":
            return _read(answer[1], answer[2])
        if answer[0] == b"ssubscribe":
            return Confirmation(_game_of(answer[1]))
        return None

    def _refuse_lost(self) -> None:
        if self._lost:
            raise Unreachable("the connection for publications is lost")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.disconnect()


def _game_of(channel: bytes) -> str:
    return keys.game_of_events(channel.decode())


def _read(channel: bytes, message: bytes) -> Publication:
    version, *texts = message.split(b"\n")
    return Publication(_game_of(channel), int(version), [text for text in texts if text])
