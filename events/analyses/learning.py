"""What players learn from analyses: how their last games went, and moments to try again.

For each person of a game whose analysis is done there is one entry: by how much the person led, how
much of that was luck, and the versions of the moments. A moment that belongs to a player comes back
`AGAIN_MS` after the analysis, and again as long after each wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.server import keys

GAMES: Final = 20
"""The number of games that a look back covers."""

KEPT: Final = 60
"""The number of games of a player that are kept: those that were analysed last."""

AGAIN_MS: Final = 3 * 86_400_000
"""After this time a moment comes back."""

CONTENDED: Final = ("finished", "stand_in", "bot")
"""The outcomes of seats that were in the game to its end."""

OPEN: Final = 20
"""The number of moments to try again that are shown at once."""


class LearnedGame(NamedTuple):
    """A game of a player whose analysis is done.

    `at` is when it was done, in ms since the epoch; `margin` is the lead over the best other seat
    in points, `luck` how much of it the draws gave. `due` has for each moment that is still to be
    answered, by its version, from when on it comes back; `tried` is when one of them was answered
    last, 0 for never. `private`: others than those who sat there do not see the game.
    `is_played`: the players who were left played to the end of the game; of one that others have
    left the margin says nothing.
    """

    id: str
    game: str
    at: int
    seat: int
    won: bool
    margin: int
    luck: float
    due: dict[int, int]
    tried: int = 0
    private: bool = False
    is_played: bool = True

    @property
    def played(self) -> float:
        """What of the margin was play, in points."""
        return round(self.margin - self.luck, 2)

    @property
    def by_play(self) -> bool:
        """True where play alone would have won; who has won keeps a tie."""
        return self.played >= 0 if self.won else self.played > 0


class DueMoment(NamedTuple):
    """A moment that has come back: the game, the seat, the version of the move."""

    id: str
    game: str
    seat: int
    version: int


class Learning:
    """What players learn from analyses, part of the registry. Thread-safe; raises `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock

    def note(self, table: Table, seats: Sequence[Json], moments: Sequence[Json]) -> None:
        """Note the finished analysis of a game for each person; an entry that is there stays.

        What a guest has played is noted for the account into which the guest has merged.
        """
        for player, entry in _describe(table, seats, moments, self._clock.now_ms()):
            self._add(player, {table.id.encode(): orjson.dumps(entry)})

    def _add(self, player_id: str, entries: Mapping[bytes, bytes]) -> None:
        """Add entries by game to a player who still has the account; those that are there stay.

        The account of a guest does not see the guest's private games, so nothing of them is asked.
        """
        accounts = list[str]()

        def write(pipe: Any) -> None:
            account, deleted_at = pipe.hmget(keys.player(player_id), "merged_into", "deleted_at")
            accounts[:] = [] if account is None else [account.decode()]
            pipe.multi()
            if account is None and deleted_at is None:
                for game_id, entry in entries.items():
                    pipe.hsetnx(keys.learned_games(player_id), game_id, entry)
                    _look_again(pipe, player_id, orjson.loads(entry)["due"].values())

        self._redis.transaction(write, keys.player(player_id))
        for account in accounts:
            self._add(account, {game_id: _drop_hidden(one) for game_id, one in entries.items()})
        self._trim(player_id)

    def read(self, player_id: str) -> list[LearnedGame]:
        """Return the games of a player, those that were analysed last first."""
        stored: Any = self._redis.hgetall(keys.learned_games(player_id))
        games = [_read(game_id.decode(), one) for game_id, one in stored.items()]
        return sorted(games, key=lambda game: (-game.at, game.id))

    def list_due(self, games: Sequence[LearnedGame]) -> list[DueMoment]:
        """Return the moments of some games that have come back, the longest due first.

        The games are those whose analyses are still there: without one a moment has no answer.
        """
        now = self._clock.now_ms()
        found = [
            (at, DueMoment(one.id, one.game, one.seat, version))
            for one in games
            for version, at in one.due.items()
            if at <= now
        ]
        return [moment for _, moment in sorted(found)][:OPEN]

    def answer(self, player_id: str, game_id: str, version: int, right: bool) -> bool:
        """Note how a player has answered a moment: right, and it does not come back.

        A wrong answer shows the right one: a right answer that follows before the moment has come
        back changes nothing. Returns whether the moment was open; else nothing happens.
        """
        key = keys.learned_games(player_id)
        was_open = list[bool]()

        def change(pipe: Any) -> None:
            was_open[:] = [False]
            stored = pipe.hget(key, game_id)
            pipe.multi()
            if stored is None:
                return
            entry = orjson.loads(stored)
            now = self._clock.now_ms()
            if str(version) not in entry["due"] or (right and _is_told(entry, version, now)):
                return
            was_open[:] = [True]
            entry["tried"] = now
            if right:
                del entry["due"][str(version)]
            else:
                entry["due"][str(version)] = now + AGAIN_MS
            pipe.hset(key, game_id, orjson.dumps(entry))
            _look_again(pipe, player_id, [now])

        self._redis.transaction(change, key)
        return was_open[0]

    def move(self, guest: str, player: str) -> None:
        """Give a player what a guest has; the entries that the player has stay."""
        stored: Any = self._redis.hgetall(keys.learned_games(guest))
        self._add(player, {game_id: _drop_hidden(one) for game_id, one in stored.items()})
        self.forget(guest)

    def forget(self, player_id: str) -> None:
        """Forget what a player has learned."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.delete(keys.learned_games(player_id), keys.returned_mistake(player_id))
        pipe.zrem(keys.returning_mistakes(), player_id)
        pipe.execute()

    def _trim(self, player_id: str) -> None:
        if old := [game.id for game in self.read(player_id)[KEPT:]]:
            self._redis.hdel(keys.learned_games(player_id), *old)


def _is_told(entry: Json, version: int, now: int) -> bool:
    """Return whether a moment waits since a wrong answer, which has shown the right one."""
    due: int = entry["due"][str(version)]
    return now < due and due > entry["at"] + AGAIN_MS


def _look_again(pipe: Any, player_id: str, times: Iterable[int]) -> None:
    """Note when a moment of a player may come back (ms), unless one may earlier."""
    if (at := min(times, default=None)) is not None:
        pipe.zadd(keys.returning_mistakes(), {player_id: at}, lt=True)


def _describe(
    table: Table, seats: Sequence[Json], moments: Sequence[Json], now: int
) -> Iterator[tuple[str, Json]]:
    """Yield the entry of each person who has played a seat of a game to its end."""
    result = table.result
    if result is None or len(seats) != len(table.seats):
        return
    scores = result["scores"]
    for number, seat in enumerate(table.seats):
        if seat.player is None or not seat.person:
            continue
        others = [other for other in _list_contenders(result) if other != number]
        if not others:  # all have left
            others = [other for other in range(len(scores)) if other != number]
        best = max(others, key=lambda other: (scores[other], -other))
        own = [one["version"] for one in moments if one["seat"] == number]
        yield (
            seat.player["id"],
            {
                "game": table.game,
                "at": now,
                "seat": number,
                "won": number in result["winners"],
                "margin": scores[number] - scores[best],
                "luck": round(seats[number]["luck"] - seats[best]["luck"], 2),
                "due": {str(version): now + AGAIN_MS for version in own},
                "private": table.visibility == "private",
                "is_played": result.get("ended_by") != "forfeits",
            },
        )


def _list_contenders(result: Json) -> list[int]:
    """Return the seats whose players were there to the end; the others rank behind all of them."""
    outcomes = result.get("outcomes") or ["finished"] * len(result["scores"])
    return [seat for seat, outcome in enumerate(outcomes) if outcome in CONTENDED]


def _drop_hidden(stored: bytes) -> bytes:
    """Return the entry of a guest for the account, which is not asked about a private game."""
    entry = orjson.loads(stored)
    return orjson.dumps({**entry, "due": {}}) if entry.get("private") else stored


def _read(game_id: str, stored: bytes) -> LearnedGame:
    """Read an entry; what a later release has added is left out."""
    entry = orjson.loads(stored)
    due = {int(version): at for version, at in entry.pop("due").items()}
    known = {name: value for name, value in entry.items() if name in LearnedGame._fields}
    return LearnedGame(id=game_id, due=due, **known)
