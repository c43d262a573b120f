"""Presence: who is here, and who has a game open. All of it may be lost at any moment.

A request is noted in the memory of its process; the pulse of the process writes what it has noted,
at most once in `EVERY_MS` for each player. So no request waits for the store because of presence.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from secrets import token_urlsafe
from threading import Lock
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis
from redis.exceptions import RedisError

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.lists.projections import Projections
from cartulary.events.live.signals import Signals
from cartulary.events.model.clock import Clock
from cartulary.events.model.types import Json
from cartulary.events.server import keys

EVERY_MS: Final = 30_000
"""A process writes the presence of a player, or of a game, once in so many ms."""

GONE_MS: Final = 75_000
"""Who was not written for so long has no stream open any more: its process has died."""

KEPT_S: Final = 600
"""The store forgets presence after so many seconds."""

_OTHERS = "~"
"""Begins the member with the number of the others; no id of a player begins so."""


log = logging.getLogger(__name__)


class Present(NamedTuple):
    """Who has a game open: the ids of seated players, and the number of the others."""

    players: frozenset[str]
    others: int

    def describe(self, seats: Sequence[Json]) -> Json:
        """Return this as in the HTTP contract; `seats` are those of the game."""
        return {
            "players": [
                {"seat": seat["seat"], **seat["player"]}
                for seat in seats
                if seat["player"] is not None and seat["player"]["id"] in self.players
            ],
            "others": self.others,
        }


class Presence:
    """Notes and reads presence. Thread-safe."""

    def __init__(
        self, redis: Redis, clock: Clock, signals: Signals, projections: Projections
    ) -> None:
        self._redis, self._clock = redis, clock
        self._signals, self._projections = signals, projections
        self._lock = Lock()
        self._process, self._name = 0, ""
        self._seen: dict[str, int] = {}
        self._written: dict[str, int] = {}
        self._streams: Counter[str] = Counter()
        self._open: dict[str, Counter[str]] = {}
        self._others: dict[str, tuple[int, int]] = {}

    # -- what requests and streams call -----------------------------------------------------------

    def note(self, player_id: str) -> None:
        """Note that a player is here; this neither waits nor fails."""
        self._seen[player_id] = self._clock.now_ms()

    def hold(self, player_id: str) -> Callable[[], None]:
        """Note that a player is here until the function that this returns is called."""
        self.note(player_id)
        with self._lock:
            self._streams[player_id] += 1
        return lambda: self._release(player_id)

    def _release(self, player_id: str) -> None:
        self.note(player_id)
        with self._lock:
            self._streams[player_id] -= 1
            if self._streams[player_id] <= 0:
                del self._streams[player_id]

    def open(self, game_id: str, player_id: str) -> Callable[[], None]:
        """Note that a seated player has a game open until the returned function is called.

        A store that fails costs the signal only: the pulse writes who is there again.
        """
        release = self.hold(player_id)
        with self._lock:
            readers = self._open.setdefault(game_id, Counter())
            readers[player_id] += 1
            is_first = readers[player_id] == 1
        if is_first:
            self._show(game_id, player_id, True)

        def close() -> None:
            release()
            if self._close(game_id, player_id):
                self._show(game_id, player_id, False)

        return close

    def _show(self, game_id: str, player_id: str, is_here: bool) -> None:
        """Write and publish that a player has come or left."""
        key, member = keys.presence_of_game(game_id), self._member(player_id)
        try:
            if is_here:
                self._redis.zadd(key, {member: self._clock.now_ms()})
                self._redis.expire(key, KEPT_S)
            else:
                self._redis.zrem(key, member)
            self._publish(game_id)
        except RedisError as error:
            log.warning("the presence at game %s is not written: %s", game_id, error)

    def _member(self, name: str) -> str:
        return f"{name}:{self._find_name()}"

    def _close(self, game_id: str, player_id: str) -> bool:
        """Return whether it was the last stream of a player at a game."""
        with self._lock:
            readers = self._open.get(game_id, Counter())
            readers[player_id] -= 1
            if readers[player_id] > 0:
                return False
            del readers[player_id]
            if not readers:
                self._open.pop(game_id, None)
            return True

    # -- what the pulse calls ---------------------------------------------------------------------

    def flush(self, streams: Mapping[str, int]) -> None:
        """Write what was noted and is due. Raises `RedisError`.

        `streams` is the number of streams of this process by the id of the game.
        """
        now = self._clock.now_ms()
        pipe = self._redis.pipeline(transaction=False)
        for player_id, at in self._choose_players(now):
            pipe.set(keys.presence(player_id), at, ex=KEPT_S)
        changed = self._write_games(pipe, streams, now)
        if len(pipe):
            pipe.execute()
        for game_id in changed:
            self._publish(game_id)

    def _choose_players(self, now: int) -> list[tuple[str, int]]:
        with self._lock:
            for player_id in self._streams:
                self._seen[player_id] = now
        # A copy: requests note players while this runs.
        seen = dict(self._seen)
        due = [
            (player_id, at)
            for player_id, at in seen.items()
            if abs(at - self._written.get(player_id, -EVERY_MS)) >= EVERY_MS
        ]
        self._written.update(due)
        for player_id, at in seen.items():
            if abs(now - at) > 2 * EVERY_MS and self._seen.get(player_id) == at:
                self._seen.pop(player_id, None)
                self._written.pop(player_id, None)
        return due

    def _write_games(self, pipe: Any, streams: Mapping[str, int], now: int) -> list[str]:
        """Write who has games open here; return the games with another number of others."""
        with self._lock:
            readers = {game_id: dict(found) for game_id, found in self._open.items()}
        changed = []
        for game_id in {*streams, *self._others}:
            seated = readers.get(game_id, {})
            others = max(0, streams.get(game_id, 0) - sum(seated.values()))
            before, at = self._others.get(game_id, (0, -EVERY_MS))
            if abs(now - at) < EVERY_MS:
                continue
            self._write_game(pipe, game_id, seated, (before, others), now)
            if game_id in streams:
                self._others[game_id] = (others, now)
            else:
                del self._others[game_id]
            if others != before:
                changed.append(game_id)
        return changed

    def _write_game(
        self, pipe: Any, game_id: str, seated: dict[str, int], others: tuple[int, int], now: int
    ) -> None:
        key, before, after = keys.presence_of_game(game_id), *others
        members = {self._member(player_id): now for player_id in seated}
        if after:
            members[self._member(f"{_OTHERS}{after}")] = now
        if before and before != after:
            pipe.zrem(key, self._member(f"{_OTHERS}{before}"))
        if members:
            pipe.zadd(key, members)
            pipe.expire(key, KEPT_S)

    # -- reading ----------------------------------------------------------------------------------

    def last_seen(self, player_id: str) -> int | None:
        """Return when a player was last here, in ms since the epoch; None when it is unknown.

        The answer may be up to `EVERY_MS` too early. Raises `RedisError`.
        """
        stored: Any = self._redis.get(keys.presence(player_id))
        known = [at for at in (stored, self._seen.get(player_id)) if at is not None]
        return max(map(int, known), default=None)

    def find_online(self, player_ids: Collection[str]) -> set[str]:
        """Return those of some players who are here now, in one round trip. Raises `RedisError`."""
        ids = list(player_ids)
        if not ids:
            return set()
        stored: Any = self._redis.mget([keys.presence(player_id) for player_id in ids])
        since = self._clock.now_ms() - GONE_MS
        times = [
            (one, int(at or 0), self._seen.get(one, 0)) for one, at in zip(ids, stored, strict=True)
        ]
        return {player_id for player_id, *seen in times if max(seen) > since}

    def read(self, game_id: str) -> Present:
        """Return who has a game open. Raises `RedisError`."""
        since = self._clock.now_ms() - GONE_MS
        found: Any = self._redis.zrangebyscore(keys.presence_of_game(game_id), since, "+inf")
        names = [member.decode().rpartition(":")[0] for member in found]
        others = sum(int(name[1:]) for name in names if name.startswith(_OTHERS))
        return Present(frozenset(name for name in names if name[0] != _OTHERS), others)

    def _publish(self, game_id: str) -> None:
        try:
            summary = self._projections.summary(game_id)
        except ArchiveError as error:
            # The pulse and the streams of games in the store must go on.
            log.warning("the presence at game %s is not published: %s", game_id, error)
            return
        seats = [] if summary is None else summary["seats"]
        shown = self.read(game_id).describe(seats)
        self._signals.publish_to_game(game_id, "presence", orjson.dumps(shown))

    def _find_name(self) -> str:
        """Return a name that no other process has, forked processes included."""
        if self._process != os.getpid():
            self._process, self._name = os.getpid(), token_urlsafe(6)
        return self._name
