"""Mistakes that have come back: an inbox has one of its player's at a time, as a puzzle to try.

Which one follows from what the player has learned (`events.analyses.learning`), from the analyses
that are still there, and from the time: the moment that has been due longest, a day after the last
answer at the earliest. So a rebuild finds the same, and it does not matter who looks how often.

The item goes when the moment is answered, and when its analysis is gone, which has the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.analyses.learning import DueMoment, LearnedGame, Learning
from cartulary.events.analyses.storage import Analyses
from cartulary.events.lists.inbox import Inbox, Item, make_item
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.offers import Rules
from cartulary.events.server import keys

REST_MS: Final = 86_400_000
"""After an answer the next mistake waits so long: no queue of puzzles."""

LOOK_MS: Final = 86_400_000
"""So long an item stands before its analysis is looked for again."""

RETRY_MS: Final = 60_000
"""After so long a player comes again whose mistakes could not be looked at."""

AT_ONCE: Final = 100
"""The most players that are looked at in one step."""


class ReturnedMistake(NamedTuple):
    """A mistake, and when it comes back, in ms since the epoch."""

    at: int
    moment: DueMoment


class ReturnedMistakes:
    """Brings mistakes into inboxes. Thread-safe; raises `RedisError`."""

    def __init__(
        self,
        redis: Redis,
        learning: Learning,
        analyses: Analyses,
        inbox: Inbox,
        rules: Rules,
        clock: Clock,
    ) -> None:
        self._redis, self._clock, self._rules = redis, clock, rules
        self._learning, self._analyses, self._inbox = learning, analyses, inbox

    def answer(self, player_id: str, game_id: str, version: int, right: bool) -> None:
        """Note how a player has answered a moment; its item goes with it."""
        if self._learning.answer(player_id, game_id, version, right):
            self.renew(player_id)

    def step(self) -> int:
        """Renew the inboxes of players whose time has come; return how many were looked at."""
        now = self._clock.now_ms()
        found: Any = self._redis.zrange(
            keys.returning_mistakes(), "-inf", now, byscore=True, offset=0, num=AT_ONCE
        )
        for player_id in (one.decode() for one in found):
            # First: where the analyses of a player do not answer, the others do not wait for them.
            self._redis.zadd(keys.returning_mistakes(), {player_id: now + RETRY_MS}, xx=True)
            self.renew(player_id)
        return len(found)

    def rebuild(self) -> None:
        """Bring all inboxes to what has come back; nothing tells of it outside again."""
        for key in self._redis.scan_iter(match=f"{keys.LEARNED_PREFIX}*", count=1000):
            self.renew(key.decode().removeprefix(keys.LEARNED_PREFIX), outside=False)

    def is_open(self, player_id: str, item_id: str) -> bool:
        """Return whether the mistake of an item waits for an answer."""
        found: Any = self._redis.get(keys.returned_mistake(player_id))
        return found is not None and bool(found.decode() == item_id)

    def renew(self, player_id: str, *, outside: bool = True) -> None:
        """Bring the inbox of a player to the mistake that has come back, or to none.

        Changes nothing where it is so. `outside`: push messages, webhooks and e-mails
        tell of it, as the player wishes.
        """
        key = keys.returned_mistake(player_id)

        def change(pipe: Any) -> None:
            told: Any = self._redis.get(key)
            old = None if told is None else told.decode()
            games = self._learning.read(player_id)
            found = find_returning(games, self._analyses.list_done([game.id for game in games]))
            now = self._clock.now_ms()
            new = None if found is None or found.at > now else self._make_item(player_id, found)
            pipe.multi()
            if found is None:
                pipe.zrem(keys.returning_mistakes(), player_id)
            else:
                again = found.at if new is None else now + LOOK_MS
                pipe.zadd(keys.returning_mistakes(), {player_id: again})
            if old == (new and new.id):
                return
            self._inbox.replace(pipe, player_id, old, new, outside=outside)
            if new is None:
                pipe.delete(key)
            else:
                pipe.set(key, new.id)

        self._redis.transaction(change, keys.learned_games(player_id), key)

    def _make_item(self, player_id: str, found: ReturnedMistake) -> Item:
        moment = found.moment
        rules = self._rules.get(moment.game)
        data = {
            "game": moment.id,
            "version": moment.version,
            "seat": moment.seat,
            "title": moment.game if rules is None else rules.title,
            "deadline_at": None,
            "url": f"/games/{moment.id}?ask={moment.version}",
        }
        at = format_time(found.at)
        return make_item(moment.id, "mistake_returned", player_id, at, data, moment.version)


def find_returning(games: Sequence[LearnedGame], kept: Collection[str]) -> ReturnedMistake | None:
    """Return the mistake of a player that comes back next, or has; None without any.

    `kept` are the games whose analyses are still there: without one a moment has no answer.
    """
    waiting = [
        (at, DueMoment(one.id, one.game, one.seat, version))
        for one in games
        if one.id in kept
        for version, at in one.due.items()
    ]
    if not waiting:
        return None
    at, moment = min(waiting)
    last = max(one.tried for one in games)
    return ReturnedMistake(max(at, last + REST_MS) if last else at, moment)
