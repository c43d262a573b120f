"""Watches: the games that are watched, up to where their events are handed over, and to whom.

They belong to the hub, which holds its lock; only `read_from`, `read` and
`compare` read the store, and are called without the lock.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence

import orjson

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.streams import Last, find_last, read_version
from cartulary.events.live.subscriptions import LiveEvent, Subscription, give
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import Json
from cartulary.events.server import keys

log = logging.getLogger(__name__)


class Watch:
    """A game that is watched: up to where its events are handed over, and to whom."""

    __slots__ = ("cursor", "game_id", "head", "subscriptions")

    def __init__(self, game_id: str, cursor: int, head: str) -> None:
        """Begin after the version `cursor`, whose event has the hash `head` ('': not known)."""
        self.game_id, self.cursor, self.head = game_id, cursor, head
        self.subscriptions: dict[Subscription, None] = {}

    def follows(self, version: int, head: str) -> bool:
        """Return whether an event can be in one stream with what was handed over.

        False when it is the event at the cursor, but another event was handed over as such.
        """
        return version != self.cursor or head == self.head or not (head and self.head)

    def hand_over(self, events: list[LiveEvent], limit: int) -> list[Subscription]:
        """Hand events to all subscribers, to the listeners of one form at once.

        Returns the subscribers that were dropped because they were too slow.
        """
        before, self.cursor, self.head = self.cursor, events[-1].version, events[-1].hash
        groups: dict[int, list[Subscription]] = {}
        for subscription in self.subscriptions:
            last = subscription.last
            if last < self.cursor:
                groups.setdefault(last, []).append(subscription)
                subscription.last = self.cursor
        dropped: list[Subscription] = []
        for last, subscriptions in groups.items():
            dropped += give(subscriptions, events[max(0, last - before) :], limit)
        return dropped

    def end(self) -> None:
        """End all subscriptions of the game."""
        for subscription in self.subscriptions:
            subscription.end()
        self.subscriptions.clear()


class Watches:
    """The games that are watched, by their id."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._by_game: dict[str, Watch] = {}

    @property
    def game_ids(self) -> Collection[str]:
        """The ids of the games."""
        return self._by_game.keys()

    @property
    def channels(self) -> list[str]:
        """The channels on which the events of the games are published."""
        return [keys.live(game_id) for game_id in self._by_game]

    def get(self, game_id: str) -> Watch | None:
        """Return what is known of a game, None when the game is not watched."""
        return self._by_game.get(game_id)

    def select(self, game_ids: Iterable[str]) -> list[Watch]:
        """Return what is known of those games that are watched, each once."""
        return [self._by_game[one] for one in dict.fromkeys(game_ids) if one in self._by_game]

    @property
    def subscribers(self) -> int:
        """The number of open subscriptions."""
        return sum(len(watch.subscriptions) for watch in self._by_game.values())

    def count_watchers(self) -> dict[str, int]:
        """Return how many subscribers have each game open, without the games that none has open."""
        counted = {
            game_id: sum(one.is_watching for one in watch.subscriptions)
            for game_id, watch in self._by_game.items()
        }
        return {game_id: number for game_id, number in counted.items() if number}

    def add(self, subscription: Subscription, head: Last) -> list[str]:
        """Add a subscriber who has a game up to `head`; return the channels that are new."""
        game_id, new = subscription.game_id, []
        if game_id not in self._by_game:
            self._by_game[game_id] = Watch(game_id, *head)
            new = [keys.live(game_id)]
        self._by_game[game_id].subscriptions[subscription] = None
        return new

    def remove(self, subscription: Subscription) -> list[str]:
        """Remove a subscriber; return the channels that are not needed any more."""
        watch = self._by_game.get(subscription.game_id)
        if watch is None or subscription not in watch.subscriptions:
            return []
        del watch.subscriptions[subscription]
        return [] if watch.subscriptions else self.end(watch)

    def end(self, watch: Watch) -> list[str]:
        """End all subscriptions of a game; return the channels that are not needed any more."""
        watch.end()
        if self._by_game.get(watch.game_id) is not watch:
            return []
        del self._by_game[watch.game_id]
        return [keys.live(watch.game_id)]

    def end_all(self) -> list[str]:
        """End all subscriptions of all games; return the channels of the games."""
        return [channel for watch in [*self._by_game.values()] for channel in self.end(watch)]

    # -- reading the store ------------------------------------------------------------------------

    def read_from(self, game_id: str, after: int) -> tuple[list[LiveEvent], Last]:
        """Return the stored events of a game above `after`, and its last event, or `after`.

        One read has both: it begins with the event at `after`, which is only looked at, because it
        may be of a newer release. The last event is below `after` when the store has lost the end.
        """
        entries = self._ledger.entries(game_id, after - 1)
        if not entries:
            last = self._ledger.last([game_id])[0]
            return [], last if last.version <= after else Last(after, "")
        new = [entry for entry in entries if read_version(entry[0]) > after]
        return [self._show(game_id, *entry) for entry in new], find_last(entries[-1:])

    def read(self, game_id: str, after: int) -> list[LiveEvent]:
        """Return the stored events of a game above `after`."""
        return [self._show(game_id, *entry) for entry in self._ledger.entries(game_id, after)]

    def read_texts(self, watch: Watch, texts: Iterable[bytes]) -> list[LiveEvent]:
        """Return the events of stored texts, which follow on what is handed over of a game."""
        return [
            self._show(watch.game_id, b"%d-0" % version, {b"event": text})
            for version, text in enumerate(texts, watch.cursor + 1)
        ]

    def _show(self, game_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> LiveEvent:
        return make_live(self._ledger.show(game_id, entry_id, fields))

    def compare(self, watches: Sequence[Watch]) -> tuple[list[Watch], list[Watch]]:
        """Return the games with new events, and those of which the store has lost the end.

        Both after a look at all of them in one round trip to each server.
        """
        stored = self._ledger.last_stored([watch.game_id for watch in watches])
        missing = [watch for watch, last in zip(watches, stored, strict=True) if not last.version]
        archived = self._find_archived(missing)
        new, lost = [], []
        for watch, found in zip(watches, stored, strict=True):
            last = archived.get(watch.game_id, found)
            if last.version > watch.cursor:
                new.append(watch)
            elif last.version < watch.cursor or not watch.follows(*last):
                lost.append(watch)
        return new, lost

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


def make_live(event: Json) -> LiveEvent:
    """Return an event in the form of the HTTP contract as subscribers get it."""
    return LiveEvent(
        event["version"],
        event["type"],
        orjson.dumps(event),
        event.get("prev", ""),
        event["hash"],
        event.get("at", ""),
    )
