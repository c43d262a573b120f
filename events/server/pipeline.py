"""A connection to the store for an event loop: many commands under way, and nothing blocks.

Commands of one turn of the loop go out together, and their answers come in together. A thread that
sends one command and waits for its answer makes two system calls for each command, and hands the
interpreter over twice.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from selectors import EVENT_READ, EVENT_WRITE
from threading import Thread
from typing import Any, Protocol

import hiredis
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from cartulary.events.server.borrowed import take_socket
from cartulary.events.server.cluster import ClusterClient
from cartulary.events.server.connection import find_key, pack_wait

SILENT = 2.0
"""Seconds; a store that answers nothing for so long counts as lost. Threads are more patient."""
PAUSE = 1.0
"""Seconds after a failure until the next attempt to connect."""
MOST = 256
"""Commands under way; more of them would only wait in the store."""
BATCH = 3
"""Commands that go out together, before the end of the turn: so the store works meanwhile."""
NAME = "moves-of-a-loop"
"""The name of the connection in the list of clients of the store."""
NEVER = float("inf")

log = logging.getLogger(__name__)


class Lost(Exception):
    """Stands for the answer that did not come: the store may have done the command."""


Done = Callable[[Any], object]
"""Gets the answer to a command: a value, a `hiredis.ReplyError`, or a `Lost`."""


class DeadlineSetter(Protocol):
    """What sets deadlines."""

    def set(self, timed: Any, deadline: float) -> None:
        """Call `timed.expire` after the deadline."""


class PipelineLoop(Protocol):
    """What a pipeline asks of its event loop."""

    now: float

    @property
    def wheel(self) -> DeadlineSetter:
        """Return what sets deadlines."""

    def call(self, job: Callable[..., object], *arguments: Any) -> None:
        """Run a job in the loop."""

    def watch(self, file: Any, events: int, ready: Any) -> None:
        """Begin to watch a socket."""

    def change(self, file: Any, events: int, ready: Any) -> None:
        """Watch a socket for other events."""

    def forget(self, file: Any) -> None:
        """Watch a socket no more."""


class Pipeline:
    """One connection, which connects in a thread and belongs to the loop from then on.

    While it is not connected, `open` is false and a thread has to do the work. Without support for
    TLS to the store, where it stays closed.
    """

    def __init__(self, redis: Redis, loop: PipelineLoop, replicas_within_ms: int = 0) -> None:
        """Belong to a loop; `open` begins to connect.

        With `replicas_within_ms` a command counts when a replica has confirmed it within that time;
        commands that go out together are confirmed together, and are `Lost` without.
        """
        self._redis, self._loop = redis, loop
        wait = pack_wait(replicas_within_ms)
        self._wait = hiredis.pack_command(wait) if replicas_within_ms else b""
        self._batches: deque[int] = deque()
        self._held: list[Any] = []
        self._connection: Any = None
        self._sock: Any = None
        self._reader = hiredis.Reader()
        self._out: list[bytes] = []
        self._rest = b""
        self._waiting: deque[Done] = deque()
        self._connecting = self._flushing = self._blocked = False
        self._next_try = 0.0
        self.deadline, self.tick = NEVER, 0

    # -- what the loop thread calls ---------------------------------------------------------------

    @property
    def open(self) -> bool:
        """Return whether a command may be sent; begin to connect where there is no connection."""
        if self._sock is None:
            self._begin()
            return False
        return len(self._waiting) < MOST

    @property
    def under_way(self) -> int:
        """Return how many commands wait for their answers."""
        return len(self._waiting)

    def send(self, words: tuple[Any, ...], done: Done) -> None:
        """Send a command, soon; `done` gets the answer, later. The pipeline must be open.

        A store that has nothing to do gets the command at once, and then several together: the
        store works while the loop prepares the next commands, and a write costs as much as a few
        commands do.
        """
        self._out.append(hiredis.pack_command(words))
        idle = not self._waiting
        if idle:
            self._loop.wheel.set(self, self._loop.now + SILENT)
        self._waiting.append(done)
        if idle or len(self._out) >= BATCH:
            self._flush()
        elif not self._flushing:
            self._flushing = True
            self._loop.call(self._flush_all)

    def ready(self, mask: int) -> None:
        """Write what waits, and hand over the answers that have come."""
        if mask & EVENT_WRITE:
            self._flush()
        if mask & EVENT_READ and self._sock is not None:
            self._receive()

    def expire(self) -> None:
        """Give a store up that was silent for too long."""
        if self._waiting:
            log.warning("the store has not answered an append for %s s", SILENT)
            self._lose()

    def close(self) -> None:
        """End the connection for good."""
        self._next_try = NEVER
        self._lose()

    # -- connecting -------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self._connecting or self._loop.now < self._next_try:
            return
        self._connecting = True
        Thread(target=self._connect, name="pipeline", daemon=True).start()

    def _connect(self) -> None:
        """Connect, in a thread: names are looked up, and the store may ask for a password."""
        pool = self._redis.connection_pool
        # RESP3 could bring messages that answer no command.
        more = {"retry": Retry(NoBackoff(), 0), "protocol": 2, "client_name": NAME}
        try:
            connection = pool.connection_class(**{**pool.connection_kwargs, **more})
            connection.connect()
        except (RedisError, OSError) as error:
            log.warning("no connection for the moves of the event loop: %s", error)
            self._loop.call(self._adopt, None)
        else:
            self._loop.call(self._adopt, connection)

    def _adopt(self, connection: Any) -> None:
        self._connecting = False
        sock = None if connection is None else take_socket(connection)
        if sock is None or self._next_try == NEVER:
            self._next_try = max(self._next_try, self._loop.now + PAUSE)
            if connection is not None:  # TLS, or the pipeline is closed
                self._next_try = NEVER
                connection.disconnect()
            return
        self._connection, self._sock = connection, sock
        self._reader = hiredis.Reader()
        self._loop.watch(sock, EVENT_READ, self)

    # -- sending ----------------------------------------------------------------------------------

    def _flush_all(self) -> None:
        self._flushing = False
        if self._out:
            self._flush()

    def _flush(self) -> None:
        if self._sock is None:
            return
        if self._wait and self._out:
            self._batches.append(len(self._out))
            self._out.append(self._wait)
        data = b"".join([self._rest, *self._out])
        self._out.clear()
        try:
            self._rest = data[self._sock.send(data) :]
        except BlockingIOError:
            self._rest = data
        except OSError:
            self._rest = b""
            self._lose()
            return
        if bool(self._rest) is not self._blocked:
            self._blocked = bool(self._rest)
            events = EVENT_READ | EVENT_WRITE if self._blocked else EVENT_READ
            self._loop.change(self._sock, events, self)

    # -- answers ----------------------------------------------------------------------------------

    def _receive(self) -> None:
        try:
            data = self._sock.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lose()
            return
        self._reader.feed(data)
        try:
            self._hand_over()
        except (hiredis.ProtocolError, IndexError):
            log.exception("the store does not answer as a store does")
            self._lose()
            return
        if self._waiting:
            self._loop.wheel.set(self, self._loop.now + SILENT)
        else:
            self.deadline = NEVER

    def _hand_over(self) -> None:
        while (answer := self._reader.gets()) is not False:
            if self._wait:
                self._confirm(answer)
            else:
                done = self._waiting.popleft()
                _tell(done, answer)

    def _confirm(self, answer: Any) -> None:
        """Hold an answer back until the answer to the wait for a replica, which comes after it."""
        if len(self._held) < self._batches[0]:
            self._held.append(answer)
            return
        held, self._held = self._held, []
        self._batches.popleft()
        is_confirmed = isinstance(answer, int) and answer > 0
        for one in held:
            _tell(self._waiting.popleft(), one if is_confirmed else Lost())

    def _lose(self) -> None:
        """Forget the connection; the answers that were still to come are lost."""
        if self._sock is not None:
            self._loop.forget(self._sock)
            self._connection.disconnect()
        self._connection = self._sock = None
        self._out.clear()
        self._batches.clear()
        self._held.clear()
        self._rest, self._blocked = b"", False
        self._next_try = max(self._next_try, self._loop.now + PAUSE)
        self.deadline = NEVER
        waiting, self._waiting = self._waiting, deque()
        for done in waiting:
            _tell(done, Lost())


class Pipelines:
    """A pipeline to each master of a cluster, as one `Pipeline`.

    A command for a master without a connection is `Lost` at once, and a thread has to do it.
    """

    def __init__(
        self, cluster: ClusterClient, loop: PipelineLoop, replicas_within_ms: int = 0
    ) -> None:
        """Belong to a loop; `open` begins to ask for the nodes."""
        self._cluster, self._loop, self._wait = cluster, loop, replicas_within_ms
        self._nodes: dict[Redis, Pipeline] = {}
        self._closed = self._asking = False
        self._next_try = 0.0

    @property
    def open(self) -> bool:
        """Return whether the nodes are known; begin to ask for them where they are not."""
        if self._cluster.is_known:
            return not self._closed
        if not self._asking and self._loop.now >= self._next_try:
            self._asking = True
            Thread(target=self._ask, name="pipelines", daemon=True).start()
        return False

    def _ask(self) -> None:
        """Ask for the nodes, in a thread."""
        try:
            self._cluster.list_masters()
        except RedisError as error:
            log.warning("no cluster for the moves of the event loop: %s", error)
        self._next_try, self._asking = self._loop.now + PAUSE, False

    @property
    def under_way(self) -> int:
        """Return how many commands wait for their answers."""
        return sum(one.under_way for one in self._nodes.values())

    def send(self, words: tuple[Any, ...], done: Done) -> None:
        """Send a command to the master of its key; `done` gets the answer, later."""
        pipeline = self._find(find_key(words))
        if pipeline is not None and pipeline.open:
            pipeline.send(words, done)
        else:
            _tell(done, Lost())

    def _find(self, key: str) -> Pipeline | None:
        try:
            node = self._cluster.find_node(key)
        except RedisError:
            return None
        found = self._nodes.get(node)
        if found is None:
            found = self._nodes[node] = Pipeline(node, self._loop, self._wait)
        return found

    def close(self) -> None:
        """End the connections for good."""
        self._closed = True
        for one in self._nodes.values():
            one.close()


def make_pipeline(
    redis: Redis, loop: PipelineLoop, replicas_within_ms: int = 0
) -> Pipeline | Pipelines:
    """Return the pipeline of a loop to the server, or to the cluster, of a client."""
    if isinstance(redis, ClusterClient):
        return Pipelines(redis, loop, replicas_within_ms)
    return Pipeline(redis, loop, replicas_within_ms)


def _tell(done: Done, answer: Any) -> None:
    """Hand an answer over; a failure with one of them must not cost the others theirs."""
    try:
        done(answer)
    except Exception:
        log.exception("an answer of the store could not be used")
