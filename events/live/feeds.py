"""Feeds: stored streams next to the ledger, followed live: an inbox, the messages of a room.

Each new entry of a feed is published as a signal on a channel. The signal only wakes the hub, which
reads what is new from the stream: so nothing is lost when a signal is. Feeds belong to the hub,
which holds its lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from redis import Redis

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.live.subscriptions import LiveEvent, Subscription, SubscriptionHub, give
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.server import keys

Place = tuple[int, int]
"""The id of an entry as two numbers, so that places have an order."""

GONE = "gone"
"""The signal that the streams of a feed are deleted: nothing comes any more."""

AT_ONCE = 1000
"""Entries that one reading returns; a stream next to the ledger has about as many."""


StreamEntry = tuple[str, bytes, dict[bytes, bytes]]
"""A stream, the id of one of its entries, and the fields of the entry."""


class Feed(NamedTuple):
    """Streams, the channel on which their entries are published, and how an entry is shown.

    The ids of entries rise over all streams of a feed. `show` gets the stream, the id and the
    fields of an entry, and returns JSON in one line.
    """

    streams: tuple[str, ...]
    channel: str
    show: Callable[[str, str, dict[bytes, bytes]], bytes]
    read_archived: Callable[[str], list[StreamEntry]] = lambda _after: []
    """Returns the entries after an id where the streams of a game are archived."""
    is_last: Callable[[dict[bytes, bytes]], bool] = lambda _fields: False
    """Returns whether a stream of the feed ends with an entry with these fields."""
    gone: str = ""
    """The key with the last entry that was taken out of the feed, '' where none ever is."""


class FeedSubscription(Subscription):
    """A subscriber to a feed; `place` is up to where the subscriber has its entries."""

    __slots__ = ("feed", "place")

    def __init__(
        self, hub: SubscriptionHub, feed: Feed, after: str, backlog: list[LiveEvent]
    ) -> None:
        super().__init__(hub, "", 0, backlog)
        self.feed = feed
        self.place = read_place(backlog[-1].cursor if backlog else after)


class _Followed:
    """A feed with subscribers: up to where its entries are handed over, and to whom.

    `fault` says why what follows cannot be read, '' when it can.
    """

    __slots__ = ("fault", "feed", "place", "subscriptions")

    def __init__(self, feed: Feed, place: Place) -> None:
        self.feed, self.place, self.fault = feed, place, ""
        self.subscriptions: dict[FeedSubscription, None] = {}


class Feeds:
    """The feeds with subscribers, by channel; `read`, `find_changed`, `bound` read the store."""

    def __init__(self, redis: Redis, registry: Redis | None = None) -> None:
        """Read the rooms of games on `redis`, the inboxes of players on `registry`."""
        self._redis = redis
        self._registry = redis if registry is None else registry
        self._followed: dict[str, _Followed] = {}

    @property
    def channels(self) -> list[str]:
        """The channels of the feeds that have subscribers."""
        return list(self._followed)

    @property
    def subscribers(self) -> int:
        """The number of open subscriptions."""
        return sum(len(followed.subscriptions) for followed in self._followed.values())

    def __contains__(self, channel: str) -> bool:
        """Return whether the feed of a channel has subscribers."""
        return channel in self._followed

    def read(self, feed: Feed, after: str) -> list[LiveEvent]:
        """Return the entries of a feed after a place. Raises `RedisError`."""
        # In one step: an entry of one stream may come between two readings of the streams.
        pipe = self._find_server(feed).pipeline(transaction=len(feed.streams) > 1)
        for stream in feed.streams:
            pipe.xrange(stream, f"({after}", "+", AT_ONCE)
        found = [
            (stream, entry_id, fields)
            for stream, entries in zip(feed.streams, pipe.execute(), strict=True)
            for entry_id, fields in entries
        ]
        entries = [
            _show(feed, stream, entry_id.decode(), fields)
            for stream, entry_id, fields in found or feed.read_archived(after)
        ]
        # Of several streams the first entries only: after them entries of a stream may be missing.
        first = sorted(entries, key=lambda entry: read_place(entry.cursor))[:AT_ONCE]
        ends = next((at for at, entry in enumerate(first) if entry.last), len(first))
        return first[: ends + 1]

    def may_join(self, feed: Feed, place: str) -> bool:
        """Return whether a subscriber who has a feed up to a place misses nothing."""
        followed = self._followed.get(feed.channel)
        return followed is None or followed.place <= read_place(place)

    def add(self, subscription: FeedSubscription) -> list[str]:
        """Add a subscriber who may join; return the channels that are new."""
        feed, new = subscription.feed, []
        if feed.channel not in self._followed:
            self._followed[feed.channel] = _Followed(feed, subscription.place)
            new = [feed.channel]
        self._followed[feed.channel].subscriptions[subscription] = None
        return new

    def remove(self, subscription: FeedSubscription) -> list[str]:
        """Remove a subscriber; return the channels without subscribers."""
        channel = subscription.feed.channel
        followed = self._followed.get(channel)
        if followed is None or subscription not in followed.subscriptions:
            return []
        del followed.subscriptions[subscription]
        if followed.subscriptions:
            return []
        del self._followed[channel]
        return [channel]

    def find_place(self, channel: str) -> tuple[Feed, str] | None:
        """Return a feed, and up to where it is handed over; None when it has no subscriber."""
        followed = self._followed.get(channel)
        return None if followed is None else (followed.feed, write_place(followed.place))

    def is_new_fault(self, channel: str, fault: str) -> bool:
        """Note why a feed cannot be read; returns whether that was not known: each look asks."""
        followed = self._followed.get(channel)
        if followed is None or followed.fault == fault:
            return False
        followed.fault = fault
        return True

    def find_changed(self, channels: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the feeds that have something new, and those of which the store has lost the end.

        Both by their channels, after a look at all of them in one round trip to each server.
        """
        known = {channel: found for channel in channels if (found := self.find_place(channel))}
        new: list[str] = []
        lost: list[str] = []
        for channel, end in self._find_ends([feed for feed, _ in known.values()]).items():
            begun = read_place(known[channel][1])
            if end < begun:
                end = self._find_past_end(known[channel][0], begun)
            if end != begun:
                (new if end > begun else lost).append(channel)
        return new, lost

    def bound(self, feed: Feed, cursor: str) -> str:
        """Return a cursor, or the end of a feed for a cursor beyond it, which no page has given."""
        begun = read_place(cursor)
        end = self._find_ends([feed])[feed.channel]
        return write_place(min(begun, end if end >= begun else self._find_past_end(feed, begun)))

    def _find_past_end(self, feed: Feed, begun: Place) -> Place:
        """Return the last place of a feed that ends before one that a reader has.

        What came there may have been taken out, or be in the archive.
        """
        gone: Any = self._registry.get(feed.gone) if feed.gone else None
        if gone is not None and read_place(gone.decode()) >= begun:
            return begun
        return _find_archived_end(feed, begun)

    def _find_ends(self, feeds: Sequence[Feed]) -> dict[str, Place]:
        """Return the place of the last entry of each feed, by its channel."""
        ends: dict[str, Place] = {}
        for server in {self._redis, self._registry}:
            mine = [feed for feed in feeds if self._find_server(feed) is server]
            pipe = server.pipeline(transaction=False)
            for feed in mine:
                for stream in feed.streams:
                    pipe.xrevrange(stream, count=1)
            answers = iter(pipe.execute() if mine else ())
            for feed in mine:
                ends[feed.channel] = max(_read_last(next(answers)) for _ in feed.streams)
        return ends

    def _find_server(self, feed: Feed) -> Redis:
        return self._redis if keys.is_of_game(feed.channel) else self._registry

    def hand_over(self, channel: str, events: list[LiveEvent], limit: int) -> list[Subscription]:
        """Hand entries to all followers; returns those that were dropped as too slow."""
        followed = self._followed.get(channel)
        if followed is None or not events:
            return []
        followed.place, followed.fault = max(followed.place, read_place(events[-1].cursor)), ""
        groups: dict[Place, list[Subscription]] = {}
        for subscription in followed.subscriptions:
            groups.setdefault(subscription.place, []).append(subscription)
            subscription.place = max(subscription.place, followed.place)
        dropped: list[Subscription] = []
        for place, subscriptions in groups.items():
            fresh = [event for event in events if read_place(event.cursor) > place]
            dropped += give(subscriptions, fresh, limit)
        return dropped

    def end(self, channels: Iterable[str]) -> list[str]:
        """End all subscriptions to some feeds; return the channels."""
        ended = [channel for channel in channels if channel in self._followed]
        for channel in ended:
            for subscription in self._followed.pop(channel).subscriptions:
                subscription.end()
        return ended


def _find_archived_end(feed: Feed, begun: Place) -> Place:
    """Return the last place of a feed whose streams may be in the archive, `begun` if unknown.

    An archive that does not answer says nothing about a feed.
    """
    try:
        entries = feed.read_archived("0-0")
    except (ArchiveError, BrokenHistory):
        return begun
    return max((read_place(entry_id.decode()) for _, entry_id, _ in entries), default=(0, 0))


def _show(feed: Feed, stream: str, cursor: str, fields: dict[bytes, bytes]) -> LiveEvent:
    shown = feed.show(stream, cursor, fields)
    return LiveEvent(0, "", shown, cursor=cursor, last=feed.is_last(fields))


def _read_last(found: Any) -> Place:
    """Return the place of the last entry of a stream."""
    return read_place(found[0][0].decode() if found else "0-0")


def read_place(cursor: str) -> Place:
    """Return the id of an entry as two numbers."""
    ms, _, number = cursor.partition("-")
    return int(ms), int(number or 0)


def write_place(place: Place) -> str:
    """Return the id of an entry from two numbers."""
    return f"{place[0]}-{place[1]}"
