"""The part of the hub that follows feeds (`events.feeds`)."""

from __future__ import annotations

import abc
import logging
from threading import Lock

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.cluster import Moving
from cartulary.events.errors import BrokenHistory
from cartulary.events.feeds import Feed, Feeds, FeedSubscription
from cartulary.events.subscriptions import Subscription

log = logging.getLogger(__name__)


class FeedHub(abc.ABC):
    """Follows feeds for the subscribers of one process."""

    lock: Lock
    _feeds: Feeds
    _closed: bool
    _queue_size: int

    @abc.abstractmethod
    def _ask(self, channels: list[str]) -> None:
        """Ask the store for what is published on channels; the hub holds its lock."""

    @abc.abstractmethod
    def _ask_no_more(self, channels: list[str]) -> None:
        """Ask for nothing more of channels that nobody needs; the hub holds its lock."""

    @abc.abstractmethod
    def _start_reader(self) -> None:
        """Start the reader unless it runs; the hub holds its lock."""

    @abc.abstractmethod
    def _remove(self, subscription: Subscription) -> None:
        """Take a subscription out; the hub holds its lock."""

    @abc.abstractmethod
    def leave(self, subscription: Subscription) -> None:
        """Take a subscription out, and end it."""

    @property
    def channels(self) -> list[str]:
        """The channels of the feeds that somebody follows."""
        return self._feeds.channels

    def follow_feed(self, feed: Feed, after: str) -> Subscription:
        """Return a subscription to a feed that begins with the entries after a cursor.

        Whether the caller may read the feed is the caller's business.
        """
        backlog = self._feeds.read(feed, after)
        while True:
            place = backlog[-1].cursor if backlog else after
            with self.lock:
                if self._feeds.may_join(feed, place):
                    return self._join_feed(FeedSubscription(self, feed, after, backlog))
            # The others are ahead: those who join later would miss the entries between.
            more = self._feeds.read(feed, place)
            if not more:
                self._end_feeds([feed.channel])
            backlog += more

    def _join_feed(self, subscription: FeedSubscription) -> Subscription:
        if self._closed:
            subscription.end()
            return subscription
        if subscription.feed.channel not in self._feeds:
            self._ask([subscription.feed.channel])
        self._feeds.add(subscription)
        self._start_reader()
        return subscription

    def _end_feeds(self, channels: list[str]) -> None:
        with self.lock:
            self._ask_no_more(self._feeds.end(channels))

    def _look_at_feeds(self, channels: list[str]) -> None:
        """Compare feeds with what was handed over."""
        if not channels:
            return
        changed, lost = self._feeds.find_changed(channels)
        for channel in changed:
            self._read_on(channel)
        if lost:
            log.error("live events: the store has lost the end of %s", ", ".join(lost))
            self._end_feeds(lost)

    def _read_on(self, channel: str) -> None:
        """Hand over what is new in a feed."""
        found = self._feeds.find_place(channel)
        try:
            events = self._feeds.read(*found) if found is not None else []
        except (ArchiveError, BrokenHistory, Moving) as error:
            # The other streams of the process go on; a later look finds what is new.
            log.warning("feeds: %s", error)
            return
        with self.lock:
            for subscription in self._feeds.hand_over(channel, events, self._queue_size):
                self._remove(subscription)
