"""Folding: results become ratings, in the order of the results and not of their arrival.

A result that arrives late marks its place in its bucket; everything from the earliest mark on is
folded again, in batches. Two dispatchers may fold the same bucket: a batch is written only if the
mark has stayed as it was.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

import orjson
from redis import Redis, WatchError
from redis.client import Pipeline

from cartulary.events.model.clock import Clock
from cartulary.events.ratings.stored import (
    find_last,
    put_standing,
    read_last,
    read_place,
    read_places,
    read_result,
    read_step,
    write_place,
    write_result,
    write_step,
)
from cartulary.events.server import keys
from cartulary.ratings.fold import RatingStep, follow
from cartulary.ratings.results import Bucket, GameResult, ResultPlace

BATCH: Final = 200
"""Results that are folded in one step: some 50 ms of a processor."""

TRIES: Final = 5
"""Attempts while other processes fold the same results, or note earlier ones."""


class RatingFolder:
    """Notes results and folds them. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, clock: Clock) -> None:
        self._redis, self._clock = registry, clock
        script = files("cartulary.events.ratings").joinpath("note.lua").read_text("utf-8")
        self._note = registry.register_script(script)

    def note(self, result: GameResult) -> bool:
        """Note a result, to be folded; return whether anything is to do."""
        name = result.bucket.text()
        done: Any = self._note(
            keys=[
                *(keys.ratings("results", name), keys.ratings("order", name)),
                *(keys.ratings_pending(), keys.voided(), keys.rating_buckets()),
            ],
            args=[name, result.id, result.at, write_result(result)],
        )
        return bool(done)

    def list_pending(self) -> list[Bucket]:
        """Return the buckets in which results wait to be folded."""
        found: Any = self._redis.hkeys(keys.ratings_pending())
        return [Bucket.parse(name.decode()) for name in found]

    def fold(self, bucket: Bucket, most: int = BATCH) -> int:
        """Fold the next results of a bucket that wait; return how many were folded.

        The others wait for the next call, also when other processes are always faster.
        """
        with self._redis.pipeline(transaction=True) as pipe:
            for _ in range(TRIES):
                try:
                    return self._fold(pipe, bucket, most)
                except WatchError:
                    continue
        return 0

    def fold_all(self, most: int = 5 * BATCH) -> None:
        """Fold everything that waits, as a rebuild does."""
        while buckets := self.list_pending():
            for bucket in buckets:
                self.fold(bucket, most)

    def _fold(self, pipe: Any, bucket: Bucket, most: int) -> int:
        # Also the order: a result that comes now and lies behind the mark leaves the mark alone.
        pipe.watch(keys.ratings_pending(), keys.ratings("order", bucket.text()))
        marked: Any = pipe.hget(keys.ratings_pending(), bucket.text())
        if marked is None:
            pipe.unwatch()
            return 0
        start = read_place(marked)
        places, rest = self._list_from(bucket, start, most)
        results = self._read(bucket, places)
        players = list({player for result in results for player in result.players})
        standings = read_last(self._redis, bucket, players, start)
        steps = list(follow(results, standings))
        pipe.multi()
        _write(pipe, bucket, steps)
        if rest is None:
            pipe.hdel(keys.ratings_pending(), bucket.text())
        else:
            pipe.hset(keys.ratings_pending(), bucket.text(), write_place(rest))
        pipe.execute()
        return len(steps)

    def _list_from(
        self, bucket: Bucket, start: ResultPlace, most: int
    ) -> tuple[list[ResultPlace], ResultPlace | None]:
        """Return the places of the next results from one on, and the first one after these."""
        order = keys.ratings("order", bucket.text())
        earlier: Any = self._redis.zcount(order, "-inf", f"({start.at}")
        tied: Any = self._redis.zrangebyscore(order, start.at, start.at)
        begin = earlier + sum(one.decode() < start.id for one in tied)
        found: Any = self._redis.zrange(order, begin, begin + most, withscores=True)
        places = read_places(found)
        return places[:most], places[most] if len(places) > most else None

    def _read(self, bucket: Bucket, places: list[ResultPlace]) -> list[GameResult]:
        if not places:
            return []
        ids = [place.id for place in places]
        found: Any = self._redis.hmget(keys.ratings("results", bucket.text()), ids)
        return [read_result(text) for text in found]

    # -- voided games -----------------------------------------------------------------------------

    def void(self, game_id: str, reason: str) -> bool:
        """Let a game count no more, for a reason; return whether it had counted.

        The ratings follow when its bucket is folded. A game that is not over yet will not count.
        """
        note = {"reason": reason, "at": self._clock.now_ms()}
        self._redis.hset(keys.voided(), game_id, orjson.dumps(note))
        buckets: Any = self._redis.smembers(keys.rating_buckets())
        dropped = [self._drop(Bucket.parse(name.decode()), game_id) for name in buckets]
        return any(dropped)

    def _drop(self, bucket: Bucket, game_id: str) -> bool:
        """Remove a result; what was known of its players before it counts until the next fold."""
        name = bucket.text()
        dropped: list[GameResult] = []

        def drop(pipe: Pipeline) -> None:
            dropped.clear()
            text: Any = pipe.hget(keys.ratings("results", name), game_id)
            step: Any = pipe.hget(keys.ratings("steps", name), game_id)
            marked: Any = pipe.hget(keys.ratings_pending(), name)
            if text is None:
                pipe.multi()
                return
            result = read_result(text)
            played = {one: find_last(pipe, bucket, one, result.place) for one in result.players}
            pipe.multi()
            first = min(result.place, read_place(marked)) if marked else result.place
            pipe.hset(keys.ratings_pending(), name, write_place(first))
            pipe.hdel(keys.ratings("results", name), game_id)
            pipe.hdel(keys.ratings("steps", name), game_id)
            pipe.zrem(keys.ratings("order", name), game_id)
            for player in result.players:
                pipe.zrem(keys.rated_games(name, player), game_id)
            for player, change in ({} if step is None else read_step(step)).items():
                put_standing(pipe, bucket, player, change.before, played[player])
            dropped.append(result)

        self._redis.transaction(drop, keys.ratings("results", name), keys.ratings_pending())
        return bool(dropped)


def _write(pipe: Pipeline, bucket: Bucket, steps: list[RatingStep]) -> None:
    """Write steps, and what is known of their players after the last of them."""
    name = bucket.text()
    if steps:
        texts: Any = {step.result.id: write_step(step) for step in steps}
        pipe.hset(keys.ratings("steps", name), mapping=texts)
    last: dict[str, RatingStep] = {}
    games: dict[str, dict[Any, Any]] = {}
    for step in steps:
        for player in step.after:
            games.setdefault(player, {})[step.result.id] = step.result.at
            last[player] = step
    for player, step in last.items():
        pipe.zadd(keys.rated_games(name, player), games[player])
        put_standing(pipe, bucket, player, step.after[player], step.result.at)
