"""Live events: one reader per process, any number of subscribers.

The store publishes each append (`events.publication`); the reader receives the publications of the
games that somebody watches and hands the events over. A publication may be lost. Versions have no
gaps, so the reader notices what is missing and reads it from the stream: after a gap, after each
confirmed subscription (a new one, or all of them after a lost connection), and now and then for a
game that is quiet. Only the reader moves the cursor of a game, and a new subscriber joins at or
above the cursor, so each subscriber gets every event once, in order.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from threading import Condition, Lock, Thread
from time import monotonic, time
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

import orjson
from redis.exceptions import RedisError

from cartulary.events.errors import BrokenHistory, UnknownEvent
from cartulary.events.ledger import Ledger, deliver_event
from cartulary.events.publication import Confirmation, Line, Publication
from cartulary.events.types import Json

log = logging.getLogger(__name__)

RECONNECT = 0.2
"""Seconds between attempts to reach a server that does not answer."""
LOOK = 1.0
"""Seconds between two looks at games that are quiet."""
ROUND = 15
"""Looks in which each watched game is looked at once."""
AT_ONCE = 200
"""Games in one look: more would keep the store from other work."""


class LiveEvent(NamedTuple):
    """An event with its JSON text (bytes, one line), which all subscribers share."""

    version: int
    type: str
    json: bytes


class Listener(Protocol):
    """Takes events as they come. It must not wait for anything, nor call its subscription."""

    @property
    def form(self) -> Form:
        """Return the form in which it sends events on; listeners of one form are served at once."""

    def end(self) -> None:
        """Note that no more events come."""


class Form(Protocol):
    """Hands events to listeners of its own."""

    def hand_over(self, listeners: Sequence[Any], events: Sequence[LiveEvent]) -> None:
        """Give the same events to all listeners."""


class Subscription:
    """One subscriber: gets every event after its version, once, in order. A context manager.

    `closed` is True after `close`, when the hub is closed, or when the subscriber was too slow
    (`dropped` is then True, too); what was queued before is still given out.
    """

    __slots__ = ("_arrival", "_hub", "_queue", "closed", "dropped", "game_id", "last", "listener")

    def __init__(self, hub: Hub, game_id: str, after: int, backlog: list[LiveEvent]) -> None:
        self.game_id = game_id
        self.closed = False
        self.dropped = False
        self.last = backlog[-1].version if backlog else after
        self.listener: Listener | None = None
        self._hub = hub
        # The backlog is as long as the game; it does not count as the sign of a slow reader.
        self._queue = backlog
        self._arrival: Condition | None = None

    def listen(self, listener: Listener) -> None:
        """Have events handed to a listener as they come, instead of fetching them with `get`.

        First what waits already, in the thread that calls; then in the thread of the hub. `end` of
        the listener is called when the hub closes the subscription.
        """
        with self._hub.lock:
            self.listener = listener
            queued, self._queue = self._queue, []
            if queued:
                listener.form.hand_over([listener], queued)
            if self.closed:
                listener.end()

    def get(self, timeout: float) -> list[LiveEvent]:
        """Return all events that are there, waiting up to `timeout` seconds for the first one.

        Empty when there was none, or when closed.
        """
        with self._hub.lock:
            if self._arrival is None:
                self._arrival = Condition(self._hub.lock)
            self._arrival.wait_for(lambda: self._queue or self.closed, timeout)
            queued, self._queue = self._queue, []
            return queued

    def close(self) -> None:
        """End the subscription."""
        self._hub.leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- for the hub, which holds its lock ---------------------------------------------------------

    def queue(self, events: Iterable[LiveEvent], limit: int) -> None:
        """Queue events for `get`; drop a subscriber for whom more than `limit` wait already."""
        if len(self._queue) > limit:
            self.dropped = True
            self.end()
            return
        self._queue.extend(events)
        if self._arrival is not None:
            self._arrival.notify_all()

    def end(self) -> None:
        """Mark the subscription as closed; tell the listener, or the thread that waits in `get`."""
        if self.closed:
            return
        self.closed = True
        if self.listener is not None:
            self.listener.end()
        if self._arrival is not None:
            self._arrival.notify_all()


class _Watch:
    """A game that somebody watches: up to where its events are handed over, and to whom."""

    __slots__ = ("cursor", "game_id", "subscriptions")

    def __init__(self, game_id: str, cursor: int) -> None:
        self.game_id, self.cursor = game_id, cursor
        self.subscriptions: dict[Subscription, None] = {}

    def hand_over(self, events: list[LiveEvent], limit: int) -> list[Subscription]:
        """Hand events to all subscribers, to the listeners of one form at once.

        Returns the subscribers that were dropped because they were too slow.
        """
        before, self.cursor = self.cursor, events[-1].version
        groups: dict[Form, list[Listener]] = {}
        dropped = []
        for subscription in self.subscriptions:
            last = subscription.last
            if last >= self.cursor:
                continue
            subscription.last = self.cursor
            fresh = events if last <= before else events[last - before :]
            listener = subscription.listener
            if listener is None:
                subscription.queue(fresh, limit)
                if subscription.dropped:
                    dropped.append(subscription)
            elif fresh is events:
                groups.setdefault(listener.form, []).append(listener)
            else:
                listener.form.hand_over([listener], fresh)
        for form, listeners in groups.items():
            form.hand_over(listeners, events)
        return dropped


class Hub:
    """The fan-out of one process.

    The reader thread starts with the first subscription, so it need not survive a fork. `report`
    gets the seconds from an append to the hand-over of its last event; the reader calls `each_look`
    once in `LOOK` seconds while somebody watches.
    """

    def __init__(self, ledger: Ledger, queue_size: int = 1000) -> None:
        self.lock = Lock()
        self.report: Callable[[float], None] | None = None
        self.each_look: Callable[[], None] | None = None
        self._ledger = ledger
        self._queue_size = queue_size
        self._watches: dict[str, _Watch] = {}
        self._quiet: deque[str] = deque()
        self._stopping = Condition(self.lock)
        self._line: Line | None = None
        self._reader: Thread | None = None
        self._closed = False

    def subscribe(self, game_id: str, after: int) -> Subscription:
        """Return a subscription that begins with the backlog after `after`.

        Whether the caller may see the game is the caller's business.
        """
        backlog = self.read(game_id, after)
        head = backlog[-1].version if backlog else min(after, self._ledger.version(game_id))
        while True:
            with self.lock:
                reached = self._reached(game_id, head)
                if reached <= head:
                    subscription = Subscription(self, game_id, after, backlog)
                    self._join(subscription, head)
                    return subscription
            # The others are ahead: those who join later would miss the events between.
            backlog += [event for event in self.read(game_id, head) if event.version > after]
            head = max(reached, backlog[-1].version if backlog else 0)

    def _reached(self, game_id: str, head: int) -> int:
        watch = self._watches.get(game_id)
        return head if watch is None else watch.cursor

    def _join(self, subscription: Subscription, head: int) -> None:
        if self._closed:
            subscription.end()
            return
        watch = self._watches.get(subscription.game_id)
        if watch is None:
            watch = self._watches[subscription.game_id] = _Watch(subscription.game_id, head)
            # The reader looks at the stream when the store has confirmed this: what is appended
            # between the reading of the backlog and the confirmation is not published to us.
            if self._line is not None:
                self._line.subscribe([subscription.game_id])
        watch.subscriptions[subscription] = None
        if self._reader is None:
            self._reader = Thread(target=self._run, name="live-events", daemon=True)
            self._reader.start()

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
        with self.lock:
            return sum(len(watch.subscriptions) for watch in self._watches.values())

    @property
    def watched(self) -> int:
        """The number of games that somebody watches."""
        return len(self._watches)

    def read(self, game_id: str, after: int) -> list[LiveEvent]:
        """Return the stored events above `after`."""
        return [
            _live(deliver_event(game_id, *entry)) for entry in self._ledger.entries(game_id, after)
        ]

    def leave(self, subscription: Subscription) -> None:
        """Take a subscription out; the store publishes no more of a game that nobody watches."""
        with self.lock:
            self._remove(subscription)
            subscription.end()

    def _remove(self, subscription: Subscription) -> None:
        watch = self._watches.get(subscription.game_id)
        if watch is not None and subscription in watch.subscriptions:
            del watch.subscriptions[subscription]
            if not watch.subscriptions:
                self._forget(watch)

    def _forget(self, watch: _Watch) -> None:
        del self._watches[watch.game_id]
        if self._line is not None:
            self._line.unsubscribe([watch.game_id])

    def close(self) -> None:
        """End the reader and close every subscription; later `subscribe` gives closed ones."""
        with self.lock:
            self._closed = True
            reader = self._reader
            self._end_everyone()
            self._stopping.notify_all()
            if self._line is not None:
                self._line.wake()
        if reader is not None:
            reader.join(timeout=2 * LOOK)

    # -- the reader -------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._closed:
                self._connect_and_follow()
        finally:
            # Whatever ended it: a client whose stream ends comes back, and that starts another one.
            with self.lock:
                self._reader = None
                self._end_everyone()

    def _connect_and_follow(self) -> None:
        try:
            with Line(self._ledger.redis) as line:
                self._follow(line)
        except RedisError as error:
            log.warning("live events: %s; trying again", error)
            with self.lock:
                self._stopping.wait_for(lambda: self._closed, RECONNECT)
        finally:
            with self.lock:
                self._line = None

    def _follow(self, line: Line) -> None:
        with self.lock:
            self._line = line
            line.subscribe(self._watches)
        due = monotonic() + LOOK
        confirmed: list[str] = []
        while not self._closed:
            news = line.receive(0 if confirmed else max(0.0, due - monotonic()))
            if isinstance(news, Publication):
                self._take(news)
            elif isinstance(news, Confirmation):
                confirmed.append(news.game_id)
            if confirmed and (news is None or len(confirmed) >= AT_ONCE):
                self._look(confirmed)
                confirmed = []
            if monotonic() >= due:
                self._look_at_some()
                if self.each_look is not None:
                    self.each_look()
                due = monotonic() + LOOK

    def _take(self, news: Publication) -> None:
        watch = self._watches.get(news.game_id)
        if watch is None or news.version <= watch.cursor:
            return
        first = news.version - len(news.texts) + 1
        if not news.texts or first > watch.cursor + 1:
            self._catch_up(watch)
            return
        texts = news.texts[watch.cursor + 1 - first :]
        self._hand_over(watch, lambda: _read_texts(watch, texts))

    def _look_at_some(self) -> None:
        """Look at a part of the watched games: a publication may have been lost."""
        with self.lock:
            if self._line is not None:
                self._line.keep_alive()
            if not self._quiet:
                self._quiet.extend(self._watches)
            share = min(AT_ONCE, -(-len(self._watches) // ROUND), len(self._quiet))
            chosen = [self._quiet.popleft() for _ in range(share)]
        self._look(chosen)

    def _look(self, game_ids: Iterable[str]) -> None:
        """Compare the streams of games with what was handed over."""
        with self.lock:
            watches = [self._watches[game_id] for game_id in game_ids if game_id in self._watches]
        if not watches:
            return
        versions = self._ledger.versions([watch.game_id for watch in watches])
        for watch, version in zip(watches, versions, strict=True):
            if version > watch.cursor:
                self._catch_up(watch)
            elif version < watch.cursor:
                log.error("live events: the store has lost the end of game %s", watch.game_id)
                self._end(watch)

    def _catch_up(self, watch: _Watch) -> None:
        self._hand_over(watch, lambda: self.read(watch.game_id, watch.cursor))

    def _hand_over(self, watch: _Watch, read: Callable[[], list[LiveEvent]]) -> None:
        try:
            events = read()
        except (BrokenHistory, UnknownEvent) as error:
            # The message names game, version and fault: a stack would add nothing.
            log.error("live events: %s", error)  # noqa: TRY400
            self._end(watch)
            return
        if not events:
            return
        with self.lock:
            for subscription in watch.hand_over(events, self._queue_size):
                self._remove(subscription)
        if self.report is not None:
            self.report(_age(events[-1]))

    def _end(self, watch: _Watch) -> None:
        """End all streams of a game; its clients come back and learn what there is."""
        with self.lock:
            if self._watches.get(watch.game_id) is watch:
                self._forget(watch)
            _end_all(watch)

    def _end_everyone(self) -> None:
        watches, self._watches = self._watches, {}
        if self._line is not None:
            self._line.unsubscribe(watches)
        for watch in watches.values():
            _end_all(watch)


def _end_all(watch: _Watch) -> None:
    for subscription in watch.subscriptions:
        subscription.end()
    watch.subscriptions.clear()


def _read_texts(watch: _Watch, texts: Iterable[bytes]) -> list[LiveEvent]:
    return [
        _live(deliver_event(watch.game_id, b"%d-0" % version, {b"event": text}))
        for version, text in enumerate(texts, watch.cursor + 1)
    ]


def _live(event: Json) -> LiveEvent:
    return LiveEvent(event["version"], event["type"], orjson.dumps(event))


def _age(event: LiveEvent) -> float:
    """Return the seconds since an event was made."""
    at = orjson.loads(event.json).get("at", "")
    return max(0.0, time() - datetime.fromisoformat(at).timestamp()) if at else 0.0
