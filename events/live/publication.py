"""Publications: the messages by which the store reports each append to the processes that watch.

`append.lua` publishes an append on the channel of its game. A message may be lost: the store keeps
none for a process that is not connected. So a message only says what to hand over sooner; the
stream decides what there is. Signals (`events.live.signals`) arrive on the same connection.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from select import select
from time import monotonic
from typing import Any, NamedTuple, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TooSlow
from redis.retry import Retry

from cartulary.events.server import keys
from cartulary.events.server.borrowed import find_socket
from cartulary.events.server.servers import find_missing, group_by_server, lacks, list_servers

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


class Signal(NamedTuple):
    """A named event (`events.live.signals`): its channel, its name, and its data as JSON."""

    channel: str
    name: str
    data: bytes


class Confirmation(NamedTuple):
    """From now on what is published on a channel arrives."""

    channel: str


News = Publication | Signal | Confirmation


class PubSubConnection:
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
                "socket_connect_timeout": WAITS,
            }
        )
        self._lost = False
        self._leaving: deque[str] = deque()
        self._connection.connect()
        self._heard = monotonic()

    def subscribe(self, channels: Iterable[str]) -> None:
        """Ask for what is published on channels; `receive` returns a `Confirmation` for each."""
        self._send("SSUBSCRIBE", channels)

    def unsubscribe(self, channels: Iterable[str]) -> None:
        """Ask for nothing more that is published on channels."""
        chosen = list(channels)
        self._leaving.extend(chosen)
        self._send("SUNSUBSCRIBE", chosen)

    def wake(self) -> None:
        """Make `receive` return soon, when the server answers."""
        self._command("PING")

    def serves(self, channel: str) -> bool:
        """Return whether a channel may be asked for: always."""
        return True

    def keep_alive(self) -> None:
        """Ask a silent server whether it is there; call this about once a second."""
        silent = monotonic() - self._heard
        if silent > SILENT:
            self._lost = True
        elif silent > SILENT / 2:
            self.wake()

    def _send(self, command: str, channels: Iterable[str]) -> None:
        chosen = list(channels)
        for first in range(0, len(chosen), CHANNELS_AT_ONCE):
            self._command(command, *chosen[first : first + CHANNELS_AT_ONCE])

    def _command(self, *words: str) -> None:
        try:
            self._connection.send_command(*words, check_health=False)
        except RedisError:
            # The thread that receives finds out: it connects and subscribes again.
            self._lost = True

    def receive(self, wait: bool) -> News | None:
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
            return Confirmation(answer[1].decode())
        if answer[0] == b"sunsubscribe" and answer[1] is not None:
            self._note_end(answer[1].decode())
        return None

    def _note_end(self, channel: str) -> None:
        """Refuse the end of a channel that was not asked for: its slot is on another node."""
        # The server answers in the order in which it was asked.
        if not self._leaving or self._leaving[0] != channel:
            raise Unreachable("a channel has moved to another node")
        self._leaving.popleft()

    @property
    def socket(self) -> Any:
        """Return the socket, to wait for several lines at once."""
        return find_socket(self._connection)

    @property
    def has_news(self) -> bool:
        """Return whether `receive` has something to read at once, be it the end of the line."""
        return self._lost or bool(self._connection.can_read(0))

    def _refuse_lost(self) -> None:
        if self._lost:
            raise Unreachable("the connection for publications is lost")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.disconnect()


class PubSubConnections:
    """A line to each master of a cluster, and a line to the registry; as one `PubSubConnection`.

    A failure of one line is a failure of all: the reader then connects to the masters that are
    there by then. It does without the masters of missing slots, and connects again as soon as other
    slots are missing.
    """

    def __init__(self, redis: Redis, registry: Redis) -> None:
        """Connect to all servers; raises `RedisError`."""
        self._redis, self._registry = redis, registry
        self._lost = False
        self._missing = find_missing(redis)
        self._lines: dict[Redis, PubSubConnection] = {}
        with ExitStack() as opened:
            self._lines[registry] = opened.enter_context(PubSubConnection(registry))
            for server in list_servers(redis, fresh=True):
                with self._tolerate_missing():
                    self._lines[server] = opened.enter_context(PubSubConnection(server))
            self._opened = opened.pop_all()

    @contextmanager
    def _tolerate_missing(self) -> Iterator[None]:
        try:
            yield
        except RedisError:
            if not self._missing:
                raise

    def subscribe(self, channels: Iterable[str]) -> None:
        """Ask for what is published on channels; `receive` returns a `Confirmation` for each."""
        for line, chosen in self._sort(channels):
            line.subscribe(chosen)

    def unsubscribe(self, channels: Iterable[str]) -> None:
        """Ask for nothing more that is published on channels."""
        for line, chosen in self._sort(channels):
            line.unsubscribe(chosen)

    def _sort(self, channels: Iterable[str]) -> list[tuple[PubSubConnection, list[str]]]:
        """Return channels by their lines, in groups that one command may name."""
        served = list(filter(self.serves, channels))
        others = [channel for channel in served if not keys.is_of_game(channel)]
        found = [(self._lines[self._registry], others)] if others else []
        of_games = filter(keys.is_of_game, served)
        for (server, _), chosen in group_by_server(self._redis, of_games).items():
            line = None if server is None else self._lines.get(server)
            if line is None:  # a node that has become master since: the reader connects again
                self._lost = True
            else:
                found.append((line, chosen))
        return found

    def serves(self, channel: str) -> bool:
        """Return whether a channel may be asked for: its slot is not missing."""
        return not (keys.is_of_game(channel) and lacks(self._missing, channel))

    def wake(self) -> None:
        """Make `receive` return soon, when the registry answers."""
        self._lines[self._registry].wake()

    def keep_alive(self) -> None:
        """Ask silent servers whether they are there; call this about once a second."""
        for line in self._lines.values():
            line.keep_alive()
        if find_missing(self._redis) != self._missing:
            self._lost = True

    def receive(self, wait: bool) -> News | None:
        """Return what comes first within `WAITS`, or at once (`wait` False); None for nothing.

        None also for an answer that is no news. Raises `RedisError` when a line is lost.
        """
        if self._lost:
            raise Unreachable("slots are on another node, missing, or back")
        for line in self._lines.values():
            if line.has_news:
                return line.receive(wait=False)
        if wait:
            select([line.socket for line in self._lines.values()], [], [], WAITS)
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()


def open_line(redis: Redis, registry: Redis) -> PubSubConnection | PubSubConnections:
    """Connect to where the games are, and to the registry; raises `RedisError`."""
    return PubSubConnection(redis) if redis is registry else PubSubConnections(redis, registry)


_OF_GAMES = b"}:live"
"""The end of the channels of `keys.live`, and of no other channel."""


def _read(channel: bytes, message: bytes) -> Publication | Signal:
    if not channel.endswith(_OF_GAMES):
        name, _, data = message.partition(b"\n")
        return Signal(channel.decode(), name.decode(), data)
    version, *texts = message.split(b"\n")
    game_id = keys.game_of_events(channel.decode())
    return Publication(game_id, int(version), [text for text in texts if text])
