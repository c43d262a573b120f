"""Live events: one reader per process, any number of subscribers.

The store publishes each append (`events.publication`); the reader receives the publications of the
games that somebody watches and hands the events over. A publication may be lost. Versions have no
gaps, so the reader notices what is missing and reads it from the stream: after a gap, after each
confirmed subscription (a new one, or all of them after a lost connection), and now and then for a
game that is quiet. Only the reader moves the cursor of a game, and a new subscriber joins at or
above the cursor, so each subscriber gets every event once, in order.

Signals (`events.signals`) come on the same connection and go to the subscribers who ask for them. A
signal that is lost stays lost. Feeds (`events.feeds`) are read again in the cases above.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from threading import Condition, Lock, Thread
from time import monotonic

from redis.exceptions import RedisError

from cartulary.events import keys
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.ears import Ears
from cartulary.events.errors import BrokenHistory, UnknownEvent
from cartulary.events.feed_hub import FeedHub
from cartulary.events.feeds import Feeds, FeedSubscription
from cartulary.events.ledger import Ledger
from cartulary.events.publication import Confirmation, Line, Lines, Publication, Signal, open_line
from cartulary.events.streams import Last
from cartulary.events.subscriptions import (
    Hearing,
    LiveEvent,
    Subscription,
    Wanted,
    Watch,
    end_all,
    find_age,
    make_live,
    read_texts,
)

log = logging.getLogger(__name__)

RECONNECT = 0.2
"""Seconds between attempts to reach a server that does not answer."""
LOOK = 1.0
"""Seconds between two looks at games that are quiet."""
ROUND = 15
"""Looks in which each watched game is looked at once."""
AT_ONCE = 200
"""Games in one look: more would keep the store from other work."""


class Hub(FeedHub):
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
        self._watches: dict[str, Watch] = {}
        self._ears = Ears()
        self._feeds = Feeds(ledger.redis, ledger.registry)
        self._quiet_feeds: deque[str] = deque()
        self._quiet: deque[str] = deque()
        self._stopping = Condition(self.lock)
        self._line: Line | Lines | None = None
        self._reader: Thread | None = None
        self._closed = False

    def subscribe(self, game_id: str, after: int, wanted: Wanted | None = None) -> Subscription:
        """Return a subscription that begins with the backlog after `after`.

        With `wanted` it gets signals as well, from now on. Whether the caller may see the game, and
        hear the channels, is the caller's business.
        """
        backlog = self.read(game_id, after)
        head = _last_of(backlog) or self._find_head(game_id, after)
        while True:
            with self.lock:
                watch = self._watches.get(game_id)
                if watch is None or (watch.cursor <= head.version and watch.follows(*head)):
                    subscription = self._make(game_id, after, backlog, wanted)
                    self._join(subscription, head)
                    return subscription
            # The others are ahead: those who join later would miss the events between.
            more = self.read(game_id, head.version)
            if not more or not watch.follows(*head):
                self._end_lost(watch)
            backlog += [event for event in more if event.version > after]
            head = _last_of(more) or head

    def _find_head(self, game_id: str, after: int) -> Last:
        """Return the event after which a subscription without a backlog begins."""
        last = self._ledger.last([game_id])[0]
        return last if last.version <= after else Last(after, "")

    def _make(
        self, game_id: str, after: int, backlog: list[LiveEvent], wanted: Wanted | None
    ) -> Subscription:
        if wanted:
            return Hearing(self, game_id, after, backlog, wanted)
        return Subscription(self, game_id, after, backlog)

    def _join(self, subscription: Subscription, head: Last) -> None:
        if self._closed:
            subscription.end()
            return
        watch = self._watches.get(subscription.game_id)
        if watch is None:
            watch = self._watches[subscription.game_id] = Watch(subscription.game_id, *head)
            # The reader looks at the stream when the store has confirmed this: what is appended
            # between the reading of the backlog and the confirmation is not published to us.
            self._ask([keys.live(subscription.game_id)])
        watch.subscriptions[subscription] = None
        if isinstance(subscription, Hearing):
            self._ask(self._ears.add(subscription))
        self._start_reader()

    def _start_reader(self) -> None:
        if self._reader is None:
            self._reader = Thread(target=self._run, name="live-events", daemon=True)
            self._reader.start()

    def _ask(self, channels: list[str]) -> None:
        if self._line is not None:
            self._line.subscribe(channels)

    def _ask_no_more(self, channels: list[str]) -> None:
        if self._line is not None:
            # A channel may have hearers and be that of a feed.
            self._line.unsubscribe(
                one for one in channels if one not in self._ears and one not in self._feeds
            )

    @property
    def subscribers(self) -> int:
        """The number of open subscriptions."""
        with self.lock:
            watching = sum(len(watch.subscriptions) for watch in self._watches.values())
            return watching + self._feeds.subscribers

    @property
    def watched(self) -> int:
        """The number of games that somebody watches."""
        return len(self._watches)

    def count_watchers(self) -> dict[str, int]:
        """Return how many subscriptions each game has that somebody watches."""
        with self.lock:
            return {game_id: len(one.subscriptions) for game_id, one in self._watches.items()}

    def read(self, game_id: str, after: int) -> list[LiveEvent]:
        """Return the stored events above `after`."""
        return [
            make_live(self._ledger.show(game_id, *entry))
            for entry in self._ledger.entries(game_id, after)
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
        if isinstance(subscription, Hearing):
            self._ask_no_more(self._ears.remove(subscription))
        elif isinstance(subscription, FeedSubscription):
            self._ask_no_more(self._feeds.remove(subscription))

    def _forget(self, watch: Watch) -> None:
        del self._watches[watch.game_id]
        self._ask_no_more([keys.live(watch.game_id)])

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

    def _follow(self, line: Line | Lines) -> None:
        with self.lock:
            self._line = line
            line.subscribe([keys.live(game_id) for game_id in self._watches])
            line.subscribe(self._ears.channels)
            line.subscribe(self._feeds.channels)
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
        self._hand_over(watch, lambda: read_texts(self._ledger.show, watch, texts))

    def _look_at_channels(self, channels: list[str]) -> None:
        """Look at the games and feeds of channels."""
        feeds = [channel for channel in channels if channel in self._feeds]
        self._look_at_feeds(feeds)
        # Nobody watches a game by the tag of another channel: that is passed over.
        self._look(keys.game_of_events(one) for one in channels if one not in feeds)

    def _pass_on(self, signal: Signal) -> None:
        with self.lock:
            for hearing in self._ears.hand_over(*signal, self._queue_size):
                self._remove(hearing)
        if signal.channel in self._feeds:
            self._read_on(signal.channel)

    def _look_at_some(self) -> None:
        """Look at a part of the watched games: a publication may have been lost."""
        with self.lock:
            if self._line is not None:
                self._line.keep_alive()
            if not self._quiet:
                self._quiet.extend(self._watches)
            share = min(AT_ONCE, -(-len(self._watches) // ROUND), len(self._quiet))
            chosen = [self._quiet.popleft() for _ in range(share)]
            if not self._quiet_feeds:
                self._quiet_feeds.extend(self._feeds.channels)
            some = min(AT_ONCE, -(-len(self._feeds.channels) // ROUND), len(self._quiet_feeds))
            feeds = [self._quiet_feeds.popleft() for _ in range(some)]
            if self._line is not None:
                # A game in a missing slot must not keep the others from being looked at.
                serves = self._line.serves
                chosen = [game_id for game_id in chosen if serves(keys.live(game_id))]
                feeds = [channel for channel in feeds if serves(channel)]
        self._look(chosen)
        self._look_at_feeds(feeds)

    def _look(self, game_ids: Iterable[str]) -> None:
        """Compare the streams of games with what was handed over."""
        with self.lock:
            watches = [self._watches[game_id] for game_id in game_ids if game_id in self._watches]
        if not watches:
            return
        stored = self._ledger.last_stored([watch.game_id for watch in watches])
        missing = [watch for watch, last in zip(watches, stored, strict=True) if not last.version]
        archived = self._find_archived(missing)
        for watch, found in zip(watches, stored, strict=True):
            last = archived.get(watch.game_id, found)
            if last.version > watch.cursor:
                self._catch_up(watch)
            elif last.version < watch.cursor or not watch.follows(*last):
                self._end_lost(watch)

    def _find_archived(self, missing: Sequence[Watch]) -> dict[str, Last]:
        """Return the last events of games that are not in the store.

        An archive that does not answer says nothing about a game: nothing new, then.
        """
        if not missing or not self._ledger.archive.is_set:
            return {}
        ids = [watch.game_id for watch in missing]
        try:
            return dict(zip(ids, self._ledger.last(ids), strict=True))
        except (ArchiveError, BrokenHistory) as error:
            log.warning("live events: %s", error)
            return {watch.game_id: Last(watch.cursor, "") for watch in missing}

    def _end_lost(self, watch: Watch) -> None:
        """End the streams of a game of which the store no longer has what was handed over."""
        log.error("live events: the store has lost the end of game %s", watch.game_id)
        self._end(watch)

    def _catch_up(self, watch: Watch) -> None:
        self._hand_over(watch, lambda: self.read(watch.game_id, watch.cursor))

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
        with self.lock:
            for subscription in watch.hand_over(events, self._queue_size):
                self._remove(subscription)
        if self.report is not None:
            self.report(find_age(events[-1]))

    def _end(self, watch: Watch) -> None:
        """End all streams of a game; its clients come back and learn what there is."""
        with self.lock:
            if self._watches.get(watch.game_id) is watch:
                self._forget(watch)
            end_all(watch)

    def _end_everyone(self) -> None:
        watches, self._watches = self._watches, {}
        self._ask_no_more([keys.live(game_id) for game_id in watches])
        self._ask_no_more(self._feeds.end(self._feeds.channels))
        for watch in watches.values():
            end_all(watch)


def _last_of(events: list[LiveEvent]) -> Last | None:
    return Last(events[-1].version, events[-1].hash) if events else None
