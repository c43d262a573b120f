"""Subscriptions: who gets live events, and how these wait for their reader.

The hub decides what is handed over; what is here belongs to the hub, which holds its lock.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from threading import Condition, Lock
from time import time
from typing import Any, NamedTuple, Protocol, Self


class LiveEvent(NamedTuple):
    """An event with its JSON text (bytes, one line), which all subscribers share.

    A signal (`events.live.signals`) is an event of version 0, which is in no stream; `type` is its
    name.
    """

    version: int
    type: str
    json: bytes
    prev: str = ""
    """The hash of the event before, '' for an event from before the chain."""
    hash: str = ""
    at: str = ""
    """When the event was made."""
    cursor: str = ""
    """The id of an entry of a feed (`events.live.feeds`); '' for all other events."""
    last: bool = False
    """Whether it is the last entry of a feed that ends."""


class EventListener(Protocol):
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


class SubscriptionHub(Protocol):
    """The hub, as far as a subscription needs it."""

    lock: Lock

    def leave(self, subscription: Subscription) -> None:
        """Take a subscription out."""


class Subscription:
    """One subscriber: gets every event after its version, once, in order. A context manager.

    `closed` is True after `close`, when the hub is closed, or when the subscriber was too slow
    (`dropped` is then True, too); what was queued before is still given out. `is_watching` is False
    for a subscriber who follows a game without having it open.
    """

    __slots__ = (
        *("_arrival", "_hub", "_queue"),
        *("closed", "dropped", "game_id", "is_watching", "last", "listener"),
    )

    def __init__(
        self, hub: SubscriptionHub, game_id: str, after: int, backlog: list[LiveEvent]
    ) -> None:
        self.game_id = game_id
        self.closed = False
        self.dropped = False
        self.is_watching = True
        self.last = backlog[-1].version if backlog else after
        self.listener: EventListener | None = None
        self._hub = hub
        # The backlog is as long as the game; it does not count as the sign of a slow reader.
        self._queue = backlog
        self._arrival: Condition | None = None

    def listen(self, listener: EventListener) -> None:
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

    @property
    def waiting_bytes(self) -> int:
        """The bytes of what waits for the reader: before `listen` those of the backlog."""
        return sum(len(event.json) for event in self._queue)

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

    def __exit__(self, *_: object) -> None:
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


def give(
    subscriptions: Iterable[Subscription], events: list[LiveEvent], limit: int
) -> list[Subscription]:
    """Hand the same events to subscribers, to the listeners of one form at once.

    Returns the subscribers that were dropped because they were too slow.
    """
    groups: dict[Form, list[EventListener]] = {}
    dropped = []
    for subscription in subscriptions:
        if subscription.closed or not events:
            continue
        if subscription.listener is not None:
            groups.setdefault(subscription.listener.form, []).append(subscription.listener)
            continue
        subscription.queue(events, limit)
        if subscription.dropped:
            dropped.append(subscription)
    for form, listeners in groups.items():
        form.hand_over(listeners, events)
    return dropped


Wanted = Mapping[str, Container[str]]
"""The signals that a subscriber asks for: the names by the channel."""


class Hearing(Subscription):
    """A subscriber who gets signals as well; only such a subscriber pays for them."""

    __slots__ = ("wanted",)

    def __init__(
        self,
        hub: SubscriptionHub,
        game_id: str,
        after: int,
        backlog: list[LiveEvent],
        wanted: Wanted,
    ) -> None:
        super().__init__(hub, game_id, after, backlog)
        self.wanted = wanted


def find_age(event: LiveEvent) -> float:
    """Return the seconds since an event was made."""
    if not event.at:
        return 0.0
    return max(0.0, time() - datetime.fromisoformat(event.at).timestamp())
