"""Streams of a ledger, and those who follow them."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from cartulary.events.ledger.ledger import Ledger
from cartulary.events.live.subscriptions import LiveEvent, Subscription
from cartulary.events.model.types import event
from tests.support import handmade_events

GAME = "01J00000000000000000000000"


def append(ledger: Ledger, first: int, last: int | None = None, game: str = GAME) -> None:
    for version in range(first, (last or first) + 1):
        fields = {"seat": 0, "player": {"id": "p", "name": "P"}}
        handmade_events.append(ledger, game, version - 1, [event(version, "seat_taken", **fields)])


def take(subscription: Subscription, last: int, within: float = 15) -> list[int]:
    """The versions that come until `last`."""
    versions: list[int] = []
    deadline = monotonic() + within
    while last not in versions and monotonic() < deadline and not subscription.closed:
        versions += [live.version for live in subscription.get(timeout=1)]
    return versions


def watching(ledger: Ledger) -> int:
    """The number of channels that the server publishes to a subscriber."""
    return len(ledger.redis.pubsub_shardchannels())


class Gathered:
    """A listener that keeps what it gets, and a form that counts how often events are written."""

    def __init__(self) -> None:
        self.form = self
        self.versions: list[int] = []
        self.handed: list[tuple[int, int]] = []
        self.ended = 0

    def hand_over(self, listeners: Sequence[Gathered], events: Sequence[LiveEvent]) -> None:
        self.handed.append((len(listeners), len(events)))
        for listener in listeners:
            listener.versions += [live.version for live in events]

    def end(self) -> None:
        self.ended += 1
