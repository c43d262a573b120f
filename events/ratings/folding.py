"""Folding: results become ratings, in the order of the results and not of their arrival.

A result that arrives late marks its place in its bucket; everything from the earliest mark on is
folded again, in batches. Two dispatchers may fold the same bucket: a batch is written only if the
mark has stayed as it was.

While a long fold is under way, a player's rating is that after the player's last game: a batch that
ends before it leaves it alone, and a new result is folded onto it at once (`fold_newest`). Both are
made right when the mark has passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final

import orjson
from redis import Redis, WatchError
from redis.client import Pipeline

from cartulary.events.model.clock import Clock
from cartulary.events.ratings.stored import (
    find_last,
    find_last_games,
    put_standing,
    read_last,
    read_place,
    read_places,
    read_result,
    read_standings,
    read_step,
    write_place,
    write_result,
    write_step,
)
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script
from cartulary.ratings.fold import RatingStep, follow
from cartulary.ratings.results import Bucket, GameResult, ResultPlace

BATCH: Final = 200
"""Results that are folded in one step: some 50 ms of a processor."""

NEWEST: Final = 100
"""The newest results of a bucket, among which `fold_newest` looks for those without a step."""

NOTED_AT_ONCE: Final = 1000
"""Results that `note_all` sends at once."""

TRIES: Final = 5
"""Attempts while other processes fold the same results, or note earlier ones."""

Progress = Callable[[int, int], None]
"""Called as (results done, results in all)."""


def _show_nothing(_done: int, _total: int) -> None:
    """Show no progress."""


class RatingFolder:
    """Notes results and folds them. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, clock: Clock) -> None:
        self._redis, self._clock = registry, clock
        script = read_script("ratings", "note.lua")
        self._note = registry.register_script(script)

    def note(self, result: GameResult) -> bool:
        """Note a result, to be folded; return whether anything is to do."""
        done: Any = self._note(**_describe_note(result))
        return bool(done)

    def note_all(self, results: Iterable[GameResult]) -> None:
        """Note many results, in few round trips."""
        rest = iter(results)
        while some := list(islice(rest, NOTED_AT_ONCE)):
            pipe = self._redis.pipeline(transaction=False)
            for result in some:
                self._note(client=pipe, **_describe_note(result))
            pipe.execute()

    def list_pending(self) -> list[Bucket]:
        """Return the buckets in which results wait to be folded."""
        found: Any = self._redis.hkeys(keys.ratings_pending())
        return [Bucket.parse(name.decode()) for name in found]

    def fold(self, bucket: Bucket, most: int = BATCH) -> int:
        """Fold the next results of a bucket that wait; return how many were folded.

        The others wait for the next call, also when other processes are always faster.
        """
        return self._try(lambda pipe: self._fold(pipe, bucket, most))

    def fold_newest(self, bucket: Bucket) -> int:
        """Fold the newest results onto what is known now, where a fold is far from them.

        So a rating follows its game at once while much is folded again; that fold goes over them
        at their place. Returns how many were folded, 0 also in the first fold of a bucket.
        """
        return self._try(lambda pipe: self._fold_newest(pipe, bucket))

    def advance(self, bucket: Bucket) -> None:
        """Fold a batch of what waits in a bucket, and the newest results if that is not all."""
        self.fold(bucket)
        self.fold_newest(bucket)

    def fold_all(self, most: int = 5 * BATCH, progress: Progress = _show_nothing) -> None:
        """Fold everything that waits, as a rebuild does."""
        done, total = 0, sum(self.count_waiting(bucket) for bucket in self.list_pending())
        while buckets := self.list_pending():
            for bucket in buckets:
                done += self.fold(bucket, most)
                progress(min(done, total), total)

    def count_waiting(self, bucket: Bucket) -> int:
        """Return how many results of a bucket are to be folded, some of them again."""
        marked: Any = self._redis.hget(keys.ratings_pending(), bucket.text())
        if marked is None:
            return 0
        order = keys.ratings("order", bucket.text())
        found: Any = self._redis.zcount(order, read_place(marked).at, "+inf")
        return int(found)

    def _try(self, fold: Callable[[Any], int]) -> int:
        """Fold in one transaction, again while other processes are faster; 0 if always."""
        with self._redis.pipeline(transaction=True) as pipe:
            for _ in range(TRIES):
                try:
                    return fold(pipe)
                except WatchError:
                    continue
        return 0

    def _fold(self, pipe: Any, bucket: Bucket, most: int) -> int:
        marked = self._watch(pipe, bucket)
        if marked is None:
            return 0
        start = read_place(marked)
        places, rest = self._list_from(bucket, start, most)
        results = self._read(bucket, places)
        players = _list_players(results)
        last = find_last_games(self._redis, bucket, players)
        steps = list(follow(results, read_last(self._redis, bucket, players, start)))
        pipe.multi()
        _write(pipe, bucket, steps, last)
        if rest is None:
            pipe.hdel(keys.ratings_pending(), bucket.text())
        else:
            pipe.hset(keys.ratings_pending(), bucket.text(), write_place(rest))
        pipe.execute()
        return len(steps)

    def _watch(self, pipe: Any, bucket: Bucket) -> bytes | None:
        """Begin a transaction that fails if others fold or note; return the mark of the bucket."""
        # Also the order: a result that comes now and lies behind the mark leaves the mark alone.
        pipe.watch(keys.ratings_pending(), keys.ratings("order", bucket.text()))
        marked: bytes | None = pipe.hget(keys.ratings_pending(), bucket.text())
        if marked is None:
            pipe.unwatch()
        return marked

    def _fold_newest(self, pipe: Any, bucket: Bucket) -> int:
        order, steps = (keys.ratings(part, bucket.text()) for part in ("order", "steps"))
        pipe.watch(steps)  # another process may fold the same results onto the same ratings
        if self._watch(pipe, bucket) is None:
            return 0
        found: Any = self._redis.zrevrange(order, 0, NEWEST - 1, withscores=True)
        newest = read_places(found)
        known: Any = self._redis.hmget(steps, [place.id for place in newest]) if newest else []
        missing = [place for place, step in zip(newest, known, strict=True) if step is None]
        # In a first fold nearly all are missing, and nothing is known that could show.
        if not missing or 2 * len(missing) > len(newest):
            pipe.unwatch()
            return 0
        results = self._read(bucket, missing[::-1])
        players = _list_players(results)
        last = find_last_games(self._redis, bucket, players)
        made = list(follow(results, read_standings(self._redis, bucket, players)))
        pipe.multi()
        _write(pipe, bucket, made, last)
        pipe.execute()
        return len(made)

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
        """Remove a result; whose last game it was has the rating of before until the next fold."""
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
            last = find_last_games(self._redis, bucket, result.players)
            pipe.multi()
            first = min(result.place, read_place(marked)) if marked else result.place
            pipe.hset(keys.ratings_pending(), name, write_place(first))
            pipe.hdel(keys.ratings("results", name), game_id)
            pipe.hdel(keys.ratings("steps", name), game_id)
            pipe.zrem(keys.ratings("order", name), game_id)
            for player in result.players:
                pipe.zrem(keys.rated_games(name, player), game_id)
            for player, change in ({} if step is None else read_step(step)).items():
                if last[player].id == game_id:
                    put_standing(pipe, bucket, player, change.before, played[player])
            dropped.append(result)

        # Also the steps: `fold_newest` writes them, and ratings, and leaves the other two alone.
        watched = [keys.ratings(part, name) for part in ("results", "steps")]
        self._redis.transaction(drop, *watched, keys.ratings_pending())
        return bool(dropped)


def _describe_note(result: GameResult) -> dict[str, Any]:
    """Return the arguments of `note.lua`."""
    name = result.bucket.text()
    return {
        "keys": [
            *(keys.ratings("results", name), keys.ratings("order", name)),
            *(keys.ratings_pending(), keys.voided(), keys.rating_buckets()),
            keys.ratings("steps", name),
        ],
        "args": [name, result.id, result.at, write_result(result), keys.rated_games(name, "")],
    }


def _list_players(results: Iterable[GameResult]) -> list[str]:
    return list({player for result in results for player in result.players})


def _write(
    pipe: Pipeline, bucket: Bucket, steps: list[RatingStep], last_games: Mapping[str, ResultPlace]
) -> None:
    """Write steps, and what is known of those players who have played no later game."""
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
        if step.result.place >= last_games[player]:
            put_standing(pipe, bucket, player, step.after[player], step.result.at)
