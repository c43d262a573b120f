"""The book of attempts: the streams of all players, and the results of all puzzles.

An attempt is added to the stream of its player and to the results of its puzzle in one step. What
is kept besides (`puzzle_record`, `puzzle_skills`) says after how many entries it was made; what is
missing or behind is made again from the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from redis import Redis

from cartulary.events.model.types import Json
from cartulary.events.people.tokens import TokenGone
from cartulary.events.puzzles.forms import (
    read_events,
    read_puzzle_record,
    read_results,
    read_skill,
    write_event,
    write_puzzle_record,
    write_result,
    write_skill,
    write_start,
)
from cartulary.events.puzzles.records import (
    ATTEMPT,
    HINT,
    PACK,
    Attempt,
    PuzzleRecord,
    PuzzleResult,
    fold_puzzle,
    fold_record,
    move_player,
)
from cartulary.events.server import keys
from cartulary.ratings.glicko import Skill, meet

FIRST_DEVIATION: Final = 150.0
"""How far off the first guess about a puzzle may be."""

Decide = Callable[[PuzzleRecord], Json | None]
"""Returns the next event of a player, None where nothing is to be added."""


def guess(rating: float) -> Skill:
    """Return what is known of a puzzle without an attempt."""
    return Skill(float(rating), FIRST_DEVIATION)


class PuzzleBook:
    """Who answered what. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    # -- players ------------------------------------------------------------------------------

    def read(self, player_id: str) -> PuzzleRecord:
        """Return what is known of a player; it is kept from then on where it was missing."""
        kept = self._read_kept(self._redis, player_id)
        keep = partial(self._keep, player_id=player_id)
        return self._transact(player_id, keep) if kept is None else kept

    def _read(self, redis: Any, player_id: str) -> PuzzleRecord:
        kept = self._read_kept(redis, player_id)
        if kept is not None:
            return kept
        return fold_record(read_events(redis.xrange(keys.puzzle_events(player_id))))

    def _read_kept(self, redis: Any, player_id: str) -> PuzzleRecord | None:
        """Return what is kept of a player, None when it is missing or behind."""
        record = read_puzzle_record(redis.get(keys.puzzle_record(player_id)))
        return record if record.events == redis.xlen(keys.puzzle_events(player_id)) else None

    def _keep(self, pipe: Any, player_id: str) -> PuzzleRecord:
        record = self._read(pipe, player_id)
        pipe.multi()
        if record.events:
            pipe.set(keys.puzzle_record(player_id), write_puzzle_record(record))
        return record

    def find_attempt(self, player_id: str, puzzle_id: str) -> Attempt | None:
        """Return the attempt of a player at a puzzle."""
        return self.pick_attempt(player_id, self.read(player_id), puzzle_id)

    def pick_attempt(self, player_id: str, record: PuzzleRecord, puzzle_id: str) -> Attempt | None:
        """Return the attempt at a puzzle of a player of whom the record is known."""
        number = record.attempts.get(puzzle_id)
        if number is None:
            return None
        entries: Any = self._redis.xrange(
            keys.puzzle_events(player_id), f"{number}-0", f"{number}-0"
        )
        return next((Attempt.from_json(event) for event in read_events(entries)), None)

    def list_attempts(
        self, player_id: str, before: int | None, limit: int
    ) -> list[tuple[int, Attempt]]:
        """Return attempts of a player with their numbers, the newest first; hints are left out.

        `before` is the number of the last one of the page before.
        """
        end = "+" if before is None else f"({before}-0"
        found: list[tuple[int, Attempt]] = []
        while len(found) < limit:
            entries: Any = self._redis.xrevrange(
                keys.puzzle_events(player_id), end, "-", count=limit
            )
            for (entry_id, _), event in zip(entries, read_events(entries), strict=True):
                if event["type"] == ATTEMPT and len(found) < limit:
                    number = int(entry_id.partition(b"-")[0])
                    found.append((number, Attempt.from_json(event)))
            if len(entries) < limit:
                break
            end = f"({entries[-1][0].decode()}"
        return found

    def read_all(self, player_id: str) -> Iterator[Json]:
        """Yield all events of a player, the oldest first."""
        yield from read_events(self._redis.xrange(keys.puzzle_events(player_id)))

    # -- puzzles ------------------------------------------------------------------------------

    def read_skills(self, ratings: Sequence[tuple[str, float]]) -> list[Skill]:
        """Return what is known of puzzles, each with the rating that was guessed first.

        It is kept from then on where it was missing.
        """
        if not ratings:
            return []
        kept: Any = self._redis.hmget(keys.puzzle_skills(), [one for one, _ in ratings])
        missing = [one for (one, _), text in zip(ratings, kept, strict=True) if text is None]
        pipe = self._redis.pipeline(transaction=False)
        for puzzle_id in missing:
            pipe.llen(keys.puzzle_results(puzzle_id))
        answered = {one for one, length in zip(missing, pipe.execute(), strict=True) if length}
        return [
            self._make_skill(*one) if one[0] in answered else _read_kept_skill(text, one[1])
            for one, text in zip(ratings, kept, strict=True)
        ]

    def _make_skill(self, puzzle_id: str, rating: float) -> Skill:
        """Return what is known of a puzzle by its results, and keep it."""
        found = list[Skill]()

        def keep(pipe: Any) -> None:
            length, skill = self._read_skill(pipe, puzzle_id, rating)
            pipe.multi()
            pipe.hset(keys.puzzle_skills(), puzzle_id, write_skill(skill, length))
            found.append(skill)

        self._redis.transaction(keep, keys.puzzle_results(puzzle_id))
        return found[-1]

    def _read_skill(self, redis: Any, puzzle_id: str, rating: float) -> tuple[int, Skill]:
        """Return how many entries there are of a puzzle, and what follows from them."""
        results = keys.puzzle_results(puzzle_id)
        length = redis.llen(results)
        if not length:
            return 0, guess(rating)
        number, skill = read_skill(redis.hget(keys.puzzle_skills(), puzzle_id))
        if number == length:
            return length, skill
        start, found = read_results(redis.lrange(results, 0, -1))
        return len(found) + 1, fold_puzzle(start, found)

    # -- adding -------------------------------------------------------------------------------

    def add_hint(self, player_id: str, puzzle_id: str, step: int, at: int) -> bool:
        """Note that a player has seen a hint; False after an attempt. Raises `TokenGone`.

        The same hint is noted once.
        """

        def decide(record: PuzzleRecord) -> Json | None:
            if puzzle_id in record.attempts or record.hints.get(puzzle_id, 0) >= step:
                return None
            return {"type": HINT, "puzzle": puzzle_id, "step": step, "at": at}

        record = self._transact(player_id, lambda pipe: self._write(pipe, player_id, decide))
        return puzzle_id not in record.attempts

    def add_pack(
        self, player_id: str, choose: Callable[[PuzzleRecord], list[str]], at: int
    ) -> PuzzleRecord:
        """Note the puzzles that `choose` names: the player gets them with their answers.

        Attempts at them move no rating from then on. Raises `TokenGone`.
        """

        def decide(record: PuzzleRecord) -> Json | None:
            chosen = choose(record)
            return {"type": PACK, "puzzles": chosen, "at": at} if chosen else None

        return self._transact(player_id, lambda pipe: self._write(pipe, player_id, decide))

    def add_attempt(self, player_id: str, rating: float, attempt: Attempt) -> Attempt | None:
        """Add an attempt, with the ratings and hints of that moment in place of its own.

        Returns it as it is stored, None where the player has one at this puzzle. `rating` was
        guessed first of the puzzle. Raises `TokenGone`.
        """
        added: list[Attempt] = []

        def write(pipe: Any) -> PuzzleRecord:
            length, skill = self._read_skill(pipe, attempt.puzzle, rating)
            added.clear()

            def decide(record: PuzzleRecord) -> Json | None:
                if attempt.puzzle in record.attempts:
                    return None
                added.append(_rate(record, attempt, skill))
                return added[0].to_json()

            record = self._write(pipe, player_id, decide)
            if added and added[0].rated:
                _write_result(pipe, added[0], length, skill, rating)
            return record

        self._transact(player_id, write, keys.puzzle_results(attempt.puzzle))
        return added[0] if added else None

    def _transact(
        self, player_id: str, write: Callable[[Any], PuzzleRecord], *watched: str
    ) -> PuzzleRecord:
        """Return what `write` returns, once nothing that it has read has changed meanwhile."""
        found = list[PuzzleRecord]()
        self._redis.transaction(
            lambda pipe: found.append(write(pipe)), *_watch(player_id), *watched
        )
        return found[-1]

    def _write(self, pipe: Any, player_id: str, decide: Decide) -> PuzzleRecord:
        """Queue the next event of a player in a transaction that watches the player.

        Returns what is known of the player then.
        """
        if any(pipe.hmget(keys.player(player_id), "deleted_at", "merged_into")):
            raise TokenGone("the account of the token is deleted, or has merged into another")
        record = self._read(pipe, player_id)
        event = decide(record)
        pipe.multi()
        if event is not None:
            record.add(event)
            entry: dict[Any, Any] = {"event": write_event(event)}
            pipe.xadd(keys.puzzle_events(player_id), entry, f"{record.events}-0")
            pipe.set(keys.puzzle_record(player_id), write_puzzle_record(record))
        return record

    # -- accounts -----------------------------------------------------------------------------

    def move(self, guest_id: str, player_id: str) -> None:
        """Give the events of a guest to an account, which keeps its own attempts.

        The ratings of the account go on with those attempts. What a puzzle is known for stays.
        """
        for event in self.read_all(guest_id):
            take_over = partial(_take_over, event)
            self._transact(player_id, partial(self._write, player_id=player_id, decide=take_over))
        self.forget(guest_id)

    def forget(self, player_id: str) -> None:
        """Forget the events of a player. The results of puzzles name no player, and stay."""
        self._redis.delete(keys.puzzle_events(player_id), keys.puzzle_record(player_id))


def _read_kept_skill(text: bytes | None, rating: float) -> Skill:
    return guess(rating) if text is None else read_skill(text)[1]


def _watch(player_id: str) -> tuple[str, str, str]:
    return keys.player(player_id), keys.puzzle_events(player_id), keys.puzzle_record(player_id)


def _rate(record: PuzzleRecord, attempt: Attempt, other: Skill) -> Attempt:
    """Return an attempt as it counts at this moment.

    It moves no rating after a hint, and none where the answer came to the player in a pack.
    """
    before = record.find_skill(attempt.game)
    hints = record.hints.get(attempt.puzzle, 0)
    known = hints or attempt.puzzle in record.packed
    told = attempt._replace(hints=hints, rated=attempt.rated and not known, other=other)
    after = move_player(before, told) if told.rated else before
    return told._replace(before=before, after=after)


def _write_result(pipe: Any, attempt: Attempt, length: int, skill: Skill, rating: float) -> None:
    """Queue what a rated attempt says of its puzzle."""
    key, result = keys.puzzle_results(attempt.puzzle), PuzzleResult(attempt.right, attempt.before)
    if not length:
        pipe.rpush(key, write_start(guess(rating)))
        length = 1
    pipe.rpush(key, write_result(result))
    after = meet(skill, result.player, float(not result.right))
    pipe.hset(keys.puzzle_skills(), attempt.puzzle, write_skill(after, length + 1))


def _take_over(event: Json, record: PuzzleRecord) -> Json | None:
    """Return an event of a guest as one of the account, None where the account has its own."""
    if event["type"] == PACK:
        new = [one for one in event["puzzles"] if one not in record.packed]
        return {**event, "puzzles": new} if new else None
    puzzle_id = event["puzzle"]
    if puzzle_id in record.attempts:
        return None
    if event["type"] == HINT:
        return event if record.hints.get(puzzle_id, 0) < event["step"] else None
    attempt, before = Attempt.from_json(event), record.find_skill(event["game"])
    after = move_player(before, attempt) if attempt.rated else before
    return attempt._replace(before=before, after=after).to_json()
