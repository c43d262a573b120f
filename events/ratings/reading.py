"""Reading ratings: of a player, of a game, over time, and the leaderboards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.ratings.stored import (
    Changes,
    RatingChange,
    read_places,
    read_result,
    read_standing,
    read_standings,
    read_step,
)
from cartulary.events.server import keys
from cartulary.ratings.results import Bucket, GameResult, ResultPlace
from cartulary.ratings.scale import ACTIVE_MS, Standing

READ: Final = 1000
"""Results that are read at once."""

PAGE: Final = 50
"""Players on a page of a leaderboard."""

POINTS: Final = 1000
"""Points of a history at most."""


class BadBoardCursor(Exception):
    """A cursor that no page of a leaderboard has given."""


class RatingOf(NamedTuple):
    """What is known of a player in a bucket; `rank` is None off the leaderboard."""

    bucket: Bucket
    standing: Standing
    rank: int | None


class RatingPoint(NamedTuple):
    """What was known of a player after a game that ended at a time (ms since the epoch).

    `change` is that of the rating, by this game alone.
    """

    at: int
    standing: Standing
    game: str
    change: int


class BoardPlace(NamedTuple):
    """A player on a leaderboard."""

    rank: int
    player: str
    standing: Standing


class BoardPage(NamedTuple):
    """A page of a leaderboard, and the cursor of the next one (None: the last one)."""

    players: list[BoardPlace]
    next_cursor: str | None


class RatingReader:
    """Reads ratings. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, clock: Clock) -> None:
        self._redis, self._clock = registry, clock

    def read_player(self, player: str, buckets: Iterable[Bucket]) -> list[RatingOf]:
        """Return what is known of a player in those of some buckets where the player has played."""
        asked = list(buckets)
        pipe = self._redis.pipeline(transaction=False)
        for bucket in asked:
            name = bucket.text()
            pipe.hget(keys.ratings("standings", name), player)
            pipe.zscore(keys.ratings("active", name), player)
            pipe.zrevrank(keys.ratings("board", name), player)
        found = pipe.execute()
        since = self._clock.now_ms() - ACTIVE_MS
        rows = zip(asked, found[::3], found[1::3], found[2::3], strict=True)
        return [
            RatingOf(
                bucket,
                read_standing(text),
                None if place is None or at is None or at < since else place + 1,
            )
            for bucket, text, at, place in rows
            if text is not None
        ]

    def read_standings(self, players: Sequence[str], bucket: Bucket) -> dict[str, Standing]:
        """Return what is known of players in a bucket, also of those without a game."""
        return read_standings(self._redis, bucket, players)

    def read_in_buckets(
        self, players: Sequence[str], buckets: Sequence[Bucket]
    ) -> list[dict[str, Standing]]:
        """Return what is known of players in each bucket, of those with a game; one round trip."""
        if not players:
            return []
        pipe = self._redis.pipeline(transaction=False)
        for bucket in buckets:
            pipe.hmget(keys.ratings("standings", bucket.text()), list(players))
        return [
            {
                player: read_standing(text)
                for player, text in zip(players, found, strict=True)
                if text is not None
            }
            for found in pipe.execute()
        ]

    def read_changes(self, game_id: str, bucket: Bucket) -> Changes | None:
        """Return what a game has changed; None while it is not folded, and for any other game."""
        text: Any = self._redis.hget(keys.ratings("steps", bucket.text()), game_id)
        return None if text is None else read_step(text)

    def is_voided(self, game_id: str) -> bool:
        """Return whether an operator lets a game count for no rating."""
        return bool(self._redis.hexists(keys.voided(), game_id))

    def list_buckets(self) -> list[Bucket]:
        """Return the buckets that have results, in order."""
        found: Any = self._redis.smembers(keys.rating_buckets())
        return sorted(Bucket.parse(name.decode()) for name in found)

    def count_results(self, bucket: Bucket) -> int:
        """Return how many results a bucket has."""
        return int(self._redis.hlen(keys.ratings("results", bucket.text())))

    def read_result(self, game_id: str, bucket: Bucket) -> GameResult | None:
        """Return the result of a game as it was noted, None for a game that does not count."""
        text: Any = self._redis.hget(keys.ratings("results", bucket.text()), game_id)
        return None if text is None else read_result(text)

    def list_results(self, bucket: Bucket) -> Iterator[tuple[GameResult, Changes | None]]:
        """Yield the results of a bucket in their order, with what each has changed.

        None where it is not folded yet. Results that are noted meanwhile may be missing.
        """
        name, start = bucket.text(), 0
        while found := self._redis.zrange(keys.ratings("order", name), start, start + READ - 1):
            ids: Any = found
            pipe = self._redis.pipeline(transaction=True)
            pipe.hmget(keys.ratings("results", name), ids)
            pipe.hmget(keys.ratings("steps", name), ids)
            results, steps = pipe.execute()
            for result, step in zip(results, steps, strict=True):
                if result is not None:
                    yield read_result(result), None if step is None else read_step(step)
            start += READ

    def read_history(self, player: str, bucket: Bucket) -> list[RatingPoint]:
        """Return what was known of a player after each game, the oldest first.

        Of more than `POINTS` games some are left out evenly; the last one stays.
        """
        found: Any = self._redis.zrange(
            keys.rated_games(bucket.text(), player), 0, -1, withscores=True
        )
        places = _thin(read_places(found))
        if not places:
            return []
        ids = [place.id for place in places]
        steps: Any = self._redis.hmget(keys.ratings("steps", bucket.text()), ids)
        return [
            _make_point(place, read_step(step)[player])
            for place, step in zip(places, steps, strict=True)
            if step is not None
        ]

    def read_board(self, bucket: Bucket, cursor: str | None = None) -> BoardPage:
        """Return a page of a leaderboard. Raises `BadBoardCursor`."""
        board = keys.ratings("board", bucket.text())
        self._retire(bucket)
        start = 0 if cursor is None else self._find_start(board, cursor)
        found: Any = self._redis.zrevrange(board, start, start + PAGE, withscores=True)
        page = [(player.decode(), order) for player, order in found]
        standings = self.read_standings([player for player, _ in page], bucket)
        placed = [
            BoardPlace(start + number, player, standings[player])
            for number, (player, _) in enumerate(page[:PAGE], start=1)
        ]
        if len(page) <= PAGE:
            return BoardPage(placed, None)
        last, order = page[PAGE - 1]
        return BoardPage(placed, f"{order!r}~{last}")

    def forget(self, player: str, bucket: Bucket) -> None:
        """Take a player whose account is deleted off a leaderboard."""
        self._redis.zrem(keys.ratings("board", bucket.text()), player)

    def _retire(self, bucket: Bucket) -> None:
        """Take the players off a leaderboard who have not played for long."""
        active = keys.ratings("active", bucket.text())
        before = f"({self._clock.now_ms() - ACTIVE_MS}"
        gone: Any = self._redis.zrangebyscore(active, "-inf", before)
        if gone:
            pipe = self._redis.pipeline(transaction=True)
            pipe.zrem(keys.ratings("board", bucket.text()), *gone)
            pipe.zrem(active, *gone)
            pipe.execute()

    def _find_start(self, board: str, cursor: str) -> int:
        """Return how many players stand before the page after a cursor, however they have moved."""
        order, _, player = cursor.partition("~")
        try:
            score = float(order)
        except ValueError:
            raise BadBoardCursor from None
        if not math.isfinite(score) or not player or len(cursor) > 100:
            raise BadBoardCursor
        place: Any = self._redis.zrevrank(board, player)
        if place is not None and self._redis.zscore(board, player) == score:
            return int(place) + 1
        better: Any = self._redis.zcount(board, f"({score!r}", "+inf")
        return int(better)


def _make_point(place: ResultPlace, change: RatingChange) -> RatingPoint:
    before, after = change
    return RatingPoint(place.at, after, place.id, after.rating - before.rating)


def _thin(places: list[Any]) -> list[Any]:
    if len(places) <= POINTS:
        return places
    last = len(places) - 1
    return [places[number * last // (POINTS - 1)] for number in range(POINTS)]
