"""Live events: one reader per process, any number of subscribers.

The store publishes each append (`events.live.publication`); the reader receives the publications of
the games that have subscribers and hands the events over. A publication may be lost. Versions have
no gaps, so the reader notices what is missing and reads it from the stream: after a gap, after each
confirmed subscription (a new one, or all of them after a lost connection), and now and then for a
game that is quiet. Only the reader moves the cursor of a game, and a new subscriber joins at or
above the cursor, so each subscriber gets every event once, in order.

Signals (`events.live.signals`) come on the same connection and go to the subscribers who ask for
them. A signal that is lost stays lost. Feeds (`events.live.feeds`) are read again in the cases
above.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from threading import Condition, Lock, Thread
from time import monotonic
from typing import TypeVar

from redis.exceptions import RedisError

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.streams import Last
from cartulary.events.live.feeds import GONE, Feed, Feeds, FeedSubscription
from cartulary.events.live.looks import AT_ONCE, LookRound
from cartulary.events.live.publication import (
    Confirmation,
    Publication,
    PubSubConnection,
    PubSubConnections,
    Signal,
    open_line,
)
from cartulary.events.live.signal_listeners import Ears
from cartulary.events.live.subscriptions import Hearing, LiveEvent, Subscription, Wanted, find_age
from cartulary.events.live.watches import Watch, Watches
from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.server import keys
from cartulary.events.server.servers import Moving

log = logging.getLogger(__name__)

S = TypeVar("S", bound=Subscription)

RECONNECT = 0.2
"""Seconds between attempts to reach a server that does not answer."""
LOOK = 1.0
"""Seconds between two looks at games that are quiet."""


class Hub:
    """The fan-out of one process.

    The reader thread starts with the first subscription, so it need not survive a fork. `report`
    gets the seconds from an append to the hand-over of its last event; the reader calls `each_look`
    once in `LOOK` seconds while there are subscriptions, and `before_news` with a game (or a
    player) just before something new of the game is handed over.
    """

    def __init__(
        self,
        ledger: Ledger,
        queue_size: int = 1000,
        report: Callable[[float], None] = lambda _seconds: None,
        each_look: Callable[[], None] = lambda: None,
        before_news: Callable[[str], None] = lambda _game_id: None,
    ) -> None:
        self.lock = Lock()
        self._ledger, self._queue_size = ledger, queue_size
        self._report, self._each_look, self._before_news = report, each_look, before_news
        self._watches = Watches(ledger)
        self._feeds = Feeds(ledger.redis, ledger.registry)
        self._ears = Ears()
        self._quiet, self._quiet_feeds = LookRound(), LookRound()
        self._stopping = Condition(self.lock)
        self._line: PubSubConnection | PubSubConnections | None = None
        self._reader: Thread | None = None
        self._closed = False

    # -- what readers of streams call --------------------------------------------------------------

    def subscribe(self, game_id: str, after: int, wanted: Wanted | None = None) -> Subscription:
        """Return a subscription that begins with the backlog after `after`.

        With `wanted` it gets signals as well, from now on. Whether the caller may see the game, and
        hear the channels, is the caller's business.
        """
        backlog, head = self._watches.read_from(game_id, after)
        while True:
            with self.lock:
                watch = self._watches.get(game_id)
                if watch is None or (watch.cursor <= head.version and watch.follows(*head)):
                    return self._join_game(game_id, after, backlog, wanted, head)
            # The others are ahead: those who join later would miss the events between.
            more = self._watches.read(game_id, head.version)
            if not more or not watch.follows(*head):
                self._end_lost(watch)
            backlog += [event for event in more if event.version > after]
            head = _last_of(more) or head

    def _join_game(
        self,
        game_id: str,
        after: int,
        backlog: list[LiveEvent],
        wanted: Wanted | None,
        head: Last,
    ) -> Subscription:
        if not wanted:
            plain = Subscription(self, game_id, after, backlog)
            return self._join(plain, lambda one: self._watches.add(one, head))
        hearing = Hearing(self, game_id, after, backlog, wanted)
        return self._join(hearing, lambda one: self._watches.add(one, head) + self._ears.add(one))

    def follow_feed(self, feed: Feed, after: str) -> Subscription:
        """Return a subscription to a feed that begins with the entries after a cursor.

        Whether the caller may read the feed is the caller's business.
        """
        backlog = self._feeds.read(feed, after)
        if not backlog:
            # Else a cursor that a reader made up would look as if the store had lost the end.
            after = self._feeds.bound(feed, after)
        while True:
            place = backlog[-1].cursor if backlog else after
            with self.lock:
                if self._feeds.may_join(feed, place):
                    subscription = FeedSubscription(self, feed, after, backlog)
                    return self._join(subscription, self._feeds.add)
            # The others are ahead: those who join later would miss the entries between.
            more = self._feeds.read(feed, place)
            if not more:
                self._end_feeds([feed.channel])
            backlog += more

    def _join(self, subscription: S, add: Callable[[S], list[str]]) -> S:
        """Add a subscription; `add` returns the channels that are new."""
        if self._closed:
            subscription.end()
            return subscription
        new = add(subscription)
        if self._line is not None:
            # The reader looks at the streams when the store has confirmed this: what is stored
            # between the reading of the backlog and the confirmation is not published to us.
            self._line.subscribe(new)
        if self._reader is None:
            self._start_reader()
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Take a subscription out; the store publishes no more of a game without subscriptions."""
        with self.lock:
            self._remove(subscription)
            subscription.end()

    def _remove(self, subscription: Subscription) -> None:
        channels = self._watches.remove(subscription)
        if isinstance(subscription, Hearing):
            channels += self._ears.remove(subscription)
        elif isinstance(subscription, FeedSubscription):
            channels += self._feeds.remove(subscription)
        self._ask_no_more(channels)

    def _ask_no_more(self, channels: list[str]) -> None:
        if self._line is not None:
            # A channel may have hearers and be that of a feed.
            self._line.unsubscribe(
                one for one in channels if one not in self._ears and one not in self._feeds
            )

    @property
    def channels(self) -> list[str]:
        """The channels of the feeds that are followed."""
        return self._feeds.channels

    @property
    def subscribers(self) -> int:
        """The number of open subscriptions."""
        with self.lock:
            return self._watches.subscribers + self._feeds.subscribers

    def count_watchers(self) -> dict[str, int]:
        """Return how many subscribers have each game open, without the games that none has open."""
        with self.lock:
            return self._watches.count_watchers()

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

    def _start_reader(self) -> None:
        self._reader = Thread(target=self._run, name="live-events", daemon=True)
        self._reader.start()

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
            with open_line(self._ledger.redis, self._ledger.registry) as line:
                try:
                    self._follow(line)
                finally:
                    # Before the line is closed: another thread would send on a closed line.
                    with self.lock:
                        self._line = None
        except RedisError as error:
            log.warning("live events: %s; trying again", error)
            with self.lock:
                self._stopping.wait_for(lambda: self._closed, RECONNECT)

    def _follow(self, line: PubSubConnection | PubSubConnections) -> None:
        with self.lock:
            self._line = line
            for part in (self._watches, self._ears, self._feeds):
                line.subscribe(part.channels)
        due = monotonic() + LOOK
        confirmed: list[str] = []
        while not self._closed:
            news = line.receive(wait=not confirmed)
            if isinstance(news, Publication):
                self._take(news)
            elif isinstance(news, Signal):
                self._pass_on(news)
            elif isinstance(news, Confirmation):
                confirmed.append(news.channel)
            if confirmed and (news is None or len(confirmed) >= AT_ONCE):
                self._look_at_channels(confirmed)
                confirmed = []
            if monotonic() >= due:
                self._look_at_some()
                self._each_look()
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
        self._hand_over(watch, lambda: self._watches.read_texts(watch, texts))

    def _pass_on(self, signal: Signal) -> None:
        self._deliver(
            keys.game_of_events(signal.channel),
            lambda: self._ears.hand_over(*signal, self._queue_size),
        )
        if signal.name == GONE:
            self._end_feeds([signal.channel])
        elif signal.channel in self._feeds:
            self._read_on(signal.channel)

    def _deliver(self, name: str, hand_over: Callable[[], list[Subscription]]) -> None:
        """Hand over what is new of a game or a player; take out those who are too slow."""
        self._before_news(name)
        with self.lock:
            for subscription in hand_over():
                self._remove(subscription)

    # -- looking for what publications have not brought ------------------------------------------

    def _look_at_channels(self, channels: list[str]) -> None:
        """Look at the games and feeds of channels."""
        feeds = [channel for channel in channels if channel in self._feeds]
        self._look_at_feeds(feeds)
        # No game is watched by the tag of another channel: that is passed over.
        self._look(keys.game_of_events(one) for one in channels if one not in feeds)

    def _look_at_some(self) -> None:
        """Look at a part of the watched games: a publication may have been lost."""
        with self.lock:
            games = self._quiet.choose(self._watches.game_ids)
            feeds = self._quiet_feeds.choose(self._feeds.channels)
            if self._line is not None:
                self._line.keep_alive()
                # A game in a missing slot must not keep the others from being looked at.
                serves = self._line.serves
                games = [game_id for game_id in games if serves(keys.live(game_id))]
                feeds = [channel for channel in feeds if serves(channel)]
        self._look(games)
        self._look_at_feeds(feeds)

    def _look(self, game_ids: Iterable[str]) -> None:
        """Compare the streams of games with what was handed over."""
        with self.lock:
            watches = self._watches.select(game_ids)
        if not watches:
            return
        changed, lost = self._watches.compare(watches)
        for watch in changed:
            self._catch_up(watch)
        for watch in lost:
            self._end_lost(watch)

    def _catch_up(self, watch: Watch) -> None:
        self._hand_over(watch, lambda: self._watches.read(watch.game_id, watch.cursor))

    def _hand_over(self, watch: Watch, read: Callable[[], list[LiveEvent]]) -> None:
        try:
            events = read()
        except (BrokenHistory, UnknownEvent, ArchiveError) as error:
            # The message names game, version and fault: a stack would add nothing.
            log.error("live events: %s", error)  # noqa: TRY400
            self._end(watch)
            return
        if not events:
            return
        if not watch.follows(events[0].version - 1, events[0].prev):
            self._end_lost(watch)
            return
        self._deliver(watch.game_id, lambda: watch.hand_over(events, self._queue_size))
        self._report(find_age(events[-1]))

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
            if self._feeds.is_new_fault(channel, str(error)):
                log.warning("feeds: %s", error)
            return
        except UnknownEvent as error:
            # No later look will do better: only a newer release reads it.
            log.error("feeds: %s", error)  # noqa: TRY400
            self._end_feeds([channel])
            return
        self._deliver(
            keys.game_of_events(channel),
            lambda: self._feeds.hand_over(channel, events, self._queue_size),
        )

    # -- ending streams ---------------------------------------------------------------------------

    def _end_lost(self, watch: Watch) -> None:
        """End the streams of a game of which the store no longer has what was handed over."""
        log.error("live events: the store has lost the end of game %s", watch.game_id)
        self._end(watch)

    def _end(self, watch: Watch) -> None:
        """End all streams of a game; its clients come back and learn what there is."""
        with self.lock:
            self._ask_no_more(self._watches.end(watch))

    def _end_feeds(self, channels: list[str]) -> None:
        with self.lock:
            self._ask_no_more(self._feeds.end(channels))

    def _end_everyone(self) -> None:
        self._ask_no_more(self._watches.end_all() + self._feeds.end(self._feeds.channels))


def _last_of(events: list[LiveEvent]) -> Last | None:
    return Last(events[-1].version, events[-1].hash) if events else None
