"""What the store has of ratings, by bucket: the forms in which it is written and read.

All of it is a projection of the streams but `voided`. A *step* of a game says what was known of
each of its players before and after it, so the steps say what was known at any moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import orjson
from redis import Redis
from redis.client import Pipeline

from cartulary.events.server import keys
from cartulary.ratings.fold import RatingStep
from cartulary.ratings.results import FIRST, Bucket, GameResult, ResultPlace
from cartulary.ratings.scale import START, Standing

TIED = 64
"""More games of one player do not end in the same millisecond."""


class RatingChange(NamedTuple):
    """What was known of a player before and after a game."""

    before: Standing
    after: Standing


Changes = dict[str, RatingChange]
"""What a game has changed, by player."""


def write_result(result: GameResult) -> bytes:
    """Return a result as it is stored."""
    return orjson.dumps(result.to_json(), option=orjson.OPT_SORT_KEYS)


def read_result(text: bytes) -> GameResult:
    """Return a stored result."""
    return GameResult.from_json(orjson.loads(text))


def write_step(step: RatingStep) -> bytes:
    """Return a step as it is stored."""
    return orjson.dumps(
        {one: [list(step.before[one]), list(step.after[one])] for one in step.after}
    )


def read_step(text: bytes) -> Changes:
    """Return what a stored step says."""
    found: dict[str, Any] = orjson.loads(text)
    return {
        player: RatingChange(Standing(*before), Standing(*after))
        for player, (before, after) in found.items()
    }


def write_standing(standing: Standing) -> bytes:
    """Return a standing as it is stored."""
    return orjson.dumps(list(standing))


def read_standing(text: bytes) -> Standing:
    """Return a stored standing."""
    return Standing(*orjson.loads(text))


def write_place(place: ResultPlace) -> str:
    """Return the place from which on a bucket is to be folded, as it is stored."""
    return f"{place.at} {place.id}"


def read_place(text: bytes) -> ResultPlace:
    """Return a stored place."""
    at, _, game_id = text.decode().partition(" ")
    return ResultPlace(int(at), game_id)


def read_places(found: Iterable[tuple[bytes, float]]) -> list[ResultPlace]:
    """Return the places of members of a sorted set, with their scores."""
    return [ResultPlace(int(at), game_id.decode()) for game_id, at in found]


def read_last(
    redis: Redis, bucket: Bucket, players: Sequence[str], before: ResultPlace
) -> dict[str, Standing]:
    """Return what was known of players before a place; a player without a game is missing.

    Two round trips. Raises `RedisError`.
    """
    pipe = redis.pipeline(transaction=False)
    for player in players:
        key = keys.rated_games(bucket.text(), player)
        pipe.zrevrangebyscore(key, before.at, "-inf", 0, TIED, withscores=True)
    last: dict[str, str] = {}
    for player, found in zip(players, pipe.execute(), strict=True):
        earlier = (place for place in read_places(found) if place < before)
        if (place := next(earlier, None)) is not None:
            last[player] = place.id
    for game_id in last.values():
        pipe.hget(keys.ratings("steps", bucket.text()), game_id)
    steps = pipe.execute()
    return {player: read_step(step)[player].after for player, step in zip(last, steps, strict=True)}


def find_last_games(redis: Redis, bucket: Bucket, players: Sequence[str]) -> dict[str, ResultPlace]:
    """Return the last folded game of players, `FIRST` without any. One round trip.

    Raises `RedisError`.
    """
    pipe = redis.pipeline(transaction=False)
    for player in players:
        pipe.zrevrange(keys.rated_games(bucket.text(), player), 0, 0, withscores=True)
    return {
        player: next(iter(read_places(found)), FIRST)
        for player, found in zip(players, pipe.execute(), strict=True)
    }


def read_standings(redis: Redis, bucket: Bucket, players: Sequence[str]) -> dict[str, Standing]:
    """Return what is known of players in a bucket, also of those without a game.

    Raises `RedisError`.
    """
    if not players:
        return {}
    found: Any = redis.hmget(keys.ratings("standings", bucket.text()), list(players))
    return {
        player: START if text is None else read_standing(text)
        for player, text in zip(players, found, strict=True)
    }


def find_last(redis: Redis, bucket: Bucket, player: str, before: ResultPlace) -> int:
    """Return when the last game of a player before a place ended, 0 without any."""
    key = keys.rated_games(bucket.text(), player)
    found: Any = redis.zrevrangebyscore(key, before.at, "-inf", 0, TIED, withscores=True)
    return next((place.at for place in read_places(found) if place < before), 0)


def put_standing(pipe: Pipeline, bucket: Bucket, player: str, standing: Standing, at: int) -> None:
    """Write what is known of a player now; a player without a game is removed."""
    name = bucket.text()
    if not standing.games:
        pipe.hdel(keys.ratings("standings", name), player)
        pipe.zrem(keys.ratings("board", name), player)
        pipe.zrem(keys.ratings("active", name), player)
        return
    pipe.hset(keys.ratings("standings", name), player, write_standing(standing))
    pipe.zadd(keys.ratings("board", name), {player: standing.order})
    pipe.zadd(keys.ratings("active", name), {player: at})
