"""Live events: one reader per process, any number of subscribers.

The reader blocks in one XREAD over all watched streams, on a connection of its own. When a stream
is added it is woken by CLIENT UNBLOCK. Everything goes by versions: the reader keeps the last one
it has given out per stream, a subscription the last one it has handed over, and versions have no
gaps. So whatever comes twice is dropped and whatever is missing is noticed and read again, however
threads and lost connections interleave.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from threading import Condition, Thread
from time import monotonic
from types import TracebackType
from typing import Any, NamedTuple, Self

import orjson
from redis import Redis
from redis.exceptions import RedisError

from cartulary.events import keys
from cartulary.events.connection import dedicated
from cartulary.events.errors import BrokenHistory, UnknownEvent
from cartulary.events.ledger import Entries, Ledger, decode
from cartulary.events.types import Json

log = logging.getLogger(__name__)

WAKE_AGAIN = 0.01
"""Seconds after which an UNBLOCK that may have come too early is sent again."""
WAKE_LIMIT = 0.25
"""Seconds after which a new subscription no longer waits for the reader to notice it."""
RECONNECT = 0.2
"""Seconds between attempts to reach a server that does not answer."""


class LiveEvent(NamedTuple):
    """An event with its JSON text (bytes, one line), which all subscribers share."""

    version: int
    type: str
    json: bytes


class Subscription:
    """One subscriber: gets every event after its version, once, in order. A context manager.

    `closed` is True after `close`, when the hub is closed, or when the subscriber was too slow
    (`dropped` is then True, too); what was queued before is still given out.
    """

    def __init__(
        self, hub: Hub, game_id: str, after: int, backlog: Iterable[LiveEvent] = ()
    ) -> None:
        self.game_id = game_id
        self.closed = False
        self.dropped = False
        self._hub = hub
        self._last = after
        # The backlog is as long as the game; it does not count as the sign of a slow reader.
        self._queue = deque(backlog)
        self._condition = Condition()
        self._listener: tuple[Callable[[list[LiveEvent]], None], Callable[[], None]] | None = None

    def listen(
        self, hand_over: Callable[[list[LiveEvent]], None], ended: Callable[[], None]
    ) -> None:
        """Have events handed over as they come, instead of fetching them with `get`.

        First what waits already, in the thread that calls; then in the thread of the hub, so
        `hand_over` must not wait for anything. `ended` is called when the hub closes the
        subscription.
        """
        with self._condition:
            self._listener = hand_over, ended
            queued = list(self._queue)
            self._queue.clear()
            self._hand_over(queued)
            if self.closed:
                ended()

    def _hand_over(self, events: Iterable[LiveEvent]) -> None:
        fresh = self._in_order(list(events))
        if fresh and self._listener is not None:
            self._listener[0](fresh)

    def get(self, timeout: float) -> list[LiveEvent]:
        """Return all events that are there, waiting up to `timeout` seconds for the first one.

        Empty when there was none, or when closed.
        """
        deadline = monotonic() + timeout
        while True:
            with self._condition:
                self._condition.wait_for(
                    lambda: self._queue or self.closed, max(deadline - monotonic(), 0)
                )
                queued = list(self._queue)
                self._queue.clear()
            fresh = self._in_order(queued)
            if fresh or self.closed or monotonic() >= deadline:
                return fresh

    def close(self) -> None:
        """End the subscription."""
        self._hub.leave(self)
        self.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def push(self, events: Iterable[LiveEvent], limit: int) -> bool:
        """Queue events; False when more than `limit` wait already: the subscriber is dropped."""
        with self._condition:
            if self.closed:
                return False
            if self._listener is not None:
                return self._pass_on(events)
            late = len(self._queue) > limit
            if not late:
                self._queue.extend(events)
            self.dropped = self.closed = late
            self._condition.notify_all()
            return not self.dropped

    def _pass_on(self, events: Iterable[LiveEvent]) -> bool:
        try:
            self._hand_over(events)
        except RedisError as error:
            log.warning("live events: a stream ends, as events cannot be read again: %s", error)
            self.end()
            return False
        return True

    def end(self) -> None:
        """Mark the subscription as closed; tell the listener, or the thread that waits in `get`."""
        with self._condition:
            ended = None if self.closed or self._listener is None else self._listener[1]
            self.closed = True
            self._condition.notify_all()
        if ended is not None:
            ended()

    def _in_order(self, queued: list[LiveEvent]) -> list[LiveEvent]:
        fresh: list[LiveEvent] = []
        for event in queued:
            if event.version > self._last + 1:
                fresh += self._hub.read(self.game_id, self._last, event.version - 1)
                self._last = event.version - 1
            if event.version > self._last:
                fresh.append(event)
                self._last = event.version
        return fresh


class Hub:
    """The fan-out of one process.

    The reader thread starts with the first subscription, so it need not survive a fork.
    """

    def __init__(self, ledger: Ledger, queue_size: int = 1000, block_ms: int = 1000) -> None:
        self._ledger = ledger
        self._queue_size = queue_size
        self._block_ms = block_ms
        self._lock = Condition()
        self._cursors: dict[str, int] = {}
        self._subscriptions: dict[str, set[Subscription]] = {}
        self._wanted = 0
        self._noticed = 0
        self._client_id = 0
        self._reader: Thread | None = None
        self._closed = False

    def subscribe(self, game_id: str, after: int) -> Subscription:
        """Return a subscription that begins with the backlog after `after`.

        Whether the caller may see the game is the caller's business.
        """
        backlog = self.read(game_id, after)
        head = backlog[-1].version if backlog else min(after, self._ledger.version(game_id))
        subscription = Subscription(self, game_id, after, backlog)
        with self._lock:
            if self._closed:
                subscription.end()
                return subscription
            watched = game_id in self._cursors
            reached = self._cursors.setdefault(game_id, head)
            self._subscriptions.setdefault(game_id, set()).add(subscription)
            self._wanted += not watched
            self._start()
            self._lock.notify_all()  # the reader sleeps while there is nothing to watch
        if reached > head:
            try:
                subscription.push(self.read(game_id, head, reached), self._queue_size)
            except RedisError:
                subscription.close()
                raise
        if not watched:
            self._wake()
        return subscription

    def wait(self, game_id: str, after: int, timeout: float) -> list[LiveEvent]:
        """Return what is newer than `after`, waiting up to `timeout` seconds for it (long-poll)."""
        backlog = self.read(game_id, after)
        if backlog or timeout <= 0:
            return backlog
        with self.subscribe(game_id, after) as subscription:
            return subscription.get(timeout)

    @property
    def subscribers(self) -> int:
        """The number of open subscriptions."""
        with self._lock:
            return sum(len(group) for group in self._subscriptions.values())

    def close(self) -> None:
        """End the reader and close every subscription; later `subscribe` gives closed ones."""
        with self._lock:
            self._closed = True
            self._wanted += 1
            reader = self._reader
            self._end_everyone()
            self._lock.notify_all()
        self._wake()
        if reader is not None:
            reader.join(timeout=2 * self._block_ms / 1000)

    # -- for subscriptions ----------------------------------------------------------------------

    def read(self, game_id: str, after: int, last: int | None = None) -> list[LiveEvent]:
        """Return the stored events above `after`, up to `last`."""
        limit = None if last is None else last - after
        return _live(game_id, self._ledger.entries(game_id, after, limit))

    def leave(self, subscription: Subscription) -> None:
        """Take a subscription out; a stream that nobody watches is read no more."""
        with self._lock:
            group = self._subscriptions.get(subscription.game_id)
            if group is None:
                return
            group.discard(subscription)
            if not group:
                del self._subscriptions[subscription.game_id]
                del self._cursors[subscription.game_id]

    # -- the reader -----------------------------------------------------------------------------

    def _start(self) -> None:
        if self._reader is None or not self._reader.is_alive():
            self._reader = Thread(target=self._run, name="live-events", daemon=True)
            self._reader.start()

    def _wake(self) -> None:
        """Make the reader notice that the streams to watch are others now."""
        deadline = monotonic() + WAKE_LIMIT
        wanted = self._wanted
        while monotonic() < deadline:
            with self._lock:
                if self._noticed >= wanted or self._reader is None:
                    return
            # It may be on its way into XREAD just now: then this is lost, and sent again.
            if self._client_id:
                try:
                    self._ledger.redis.client_unblock(self._client_id)
                except RedisError as error:
                    log.warning("live events: the reader notices by itself later: %s", error)
                    return
            with self._lock:
                self._lock.wait_for(lambda: self._noticed >= wanted, WAKE_AGAIN)

    def _run(self) -> None:
        try:
            while not self._closed:
                self._connect_and_follow()
        finally:
            # Whatever ended it: a client whose stream ends comes back, and that starts another one.
            with self._lock:
                self._reader = None
                self._end_everyone()

    def _connect_and_follow(self) -> None:
        try:
            with dedicated(self._ledger.redis) as redis:
                self._client_id = redis.client_id()
                self._follow(redis)
        except RedisError as error:
            log.warning("live events: %s; trying again", error)
            with self._lock:
                self._lock.wait_for(lambda: self._closed, RECONNECT)

    def _follow(self, redis: Redis) -> None:
        while True:
            with self._lock:
                self._noticed = self._wanted
                self._lock.notify_all()
                self._lock.wait_for(lambda: self._cursors or self._closed)
                if self._closed:
                    return
                self._noticed = self._wanted
                self._lock.notify_all()
                streams: dict[Any, Any] = {
                    keys.events(game_id): f"{version}-0"
                    for game_id, version in self._cursors.items()
                }
            answer: Any = redis.xread(streams, block=self._block_ms)
            for key, entries in answer or ():
                self._fan_out(keys.game_of_events(key.decode()), entries)

    def _fan_out(self, game_id: str, entries: Entries) -> None:
        try:
            events = _live(game_id, entries)
        except (BrokenHistory, UnknownEvent) as error:
            # The message names game, version and fault: a stack would add nothing.
            log.error("live events: %s", error)  # noqa: TRY400
            self._end_all(game_id)
            return
        with self._lock:
            if game_id not in self._cursors:
                return
            self._cursors[game_id] = max(self._cursors[game_id], events[-1].version)
            for subscription in list(self._subscriptions[game_id]):
                if not subscription.push(events, self._queue_size):
                    self.leave(subscription)

    def _end_all(self, game_id: str) -> None:
        with self._lock:
            for subscription in list(self._subscriptions.get(game_id, ())):
                self.leave(subscription)
                subscription.end()

    def _end_everyone(self) -> None:
        for game_id in list(self._subscriptions):
            self._end_all(game_id)


def _live(game_id: str, entries: Entries) -> list[LiveEvent]:
    events: list[Json] = [decode(game_id, *entry) for entry in entries]
    return [LiveEvent(event["version"], event["type"], orjson.dumps(event)) for event in events]
