"""Puzzles: everything that a person does with them, as one object."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import State
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import IdempotencyMismatch, Invalid, NotForBots, PuzzleAnswered
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.people.tokens import TokenGone
from cartulary.events.puzzles.book import PuzzleBook, guess
from cartulary.events.puzzles.lines import judge_line, list_candidates, read_start
from cartulary.events.puzzles.records import DAY_MS, Attempt
from cartulary.events.puzzles.shelf import Load, PuzzleShelf
from cartulary.puzzles.record import Puzzle
from cartulary.ratings.glicko import Skill

NEAR: Final = 40
"""Of so many puzzles with the nearest first guess the one whose rating is nearest comes next."""

STARTS: Final = 64
"""So many positions a process keeps."""

THEMES, CANDIDATES = 1, 2
"""The steps of hints."""


class Judged(NamedTuple):
    """An attempt as it was stored; `replayed`: an earlier request with the same key stored it."""

    attempt: Attempt
    replayed: bool


class Puzzles:
    """What people do with puzzles. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, rules: Rules, clock: Clock, load: Load) -> None:
        self.shelf = PuzzleShelf(redis, rules, load)
        self.book = PuzzleBook(redis)
        self._rules, self._clock = rules, clock
        self._starts = lru_cache(STARTS)(self._read_start)

    # -- choosing -----------------------------------------------------------------------------

    def today(self) -> int:
        """Return the number of the day (UTC) since the epoch."""
        return self._clock.now_ms() // DAY_MS

    def find_daily(self) -> Puzzle | None:
        """Return the puzzle of today."""
        return self.shelf.find_daily(self.today())

    def choose_next(self, player_id: str, game: str, theme: str | None) -> Puzzle | None:
        """Return a puzzle that a player has not answered, rated near the player; None: no more.

        Of some the one whose rating is nearest now: the attempts of others may make it another one.
        Raises `Invalid` for an unknown theme.
        """
        themes = self.shelf.list_themes(game)
        if theme is not None and theme not in themes:
            raise Invalid([("/theme", f"must be one of: {', '.join(themes)}")])
        record = self.book.read(player_id)
        rating = record.find_skill(game).rating
        near = []
        for row in self.shelf.walk_near(game, theme, rating):
            if row.id not in record.attempts:
                near.append(row)
            if len(near) == NEAR:
                break
        if not near:
            return None
        skills = self.book.read_skills([(row.id, row.rating) for row in near])
        pairs = zip(skills, near, strict=True)
        chosen = min(pairs, key=lambda pair: (abs(pair[0].rating - rating), pair[1].id))[1]
        return self.shelf.find(chosen.id)

    # -- one puzzle ---------------------------------------------------------------------------

    def start(self, puzzle: Puzzle) -> State[Any]:
        """Return the position of a puzzle; it is shared, so play on in a copy."""
        return self._starts(puzzle.id)

    def _read_start(self, puzzle_id: str) -> State[Any]:
        puzzle = self.shelf.find(puzzle_id)
        assert puzzle is not None
        return read_start(self._rules[puzzle.game], puzzle)

    def rate(self, puzzle: Puzzle) -> Skill:
        """Return what is known of a puzzle."""
        return self.book.read_skills([(puzzle.id, puzzle.rating)])[0]

    def answer(self, who: Player, puzzle: Puzzle, moves: Sequence[Json], key: str | None) -> Judged:
        """Judge the answer of a player, and store it; ratings move unless a hint came before.

        Raises `NotForBots`, `PuzzleAnswered`, `IdempotencyMismatch`, and what `judge_line` raises.
        """
        _must_be_person(who)
        digest = "" if key is None else sha256(key.encode()).hexdigest()
        found = self.book.find_attempt(who.id, puzzle.id)
        if found is not None:
            return Judged(_replay(found, digest, moves), replayed=True)
        right = judge_line(self.start(puzzle), puzzle, moves)
        wanted = Attempt(
            *(puzzle.id, puzzle.game, self._clock.now_ms(), right, [*moves], 0),
            *(True, guess(puzzle.rating), Skill(), Skill(), digest),
        )
        added = self.book.add_attempt(who.id, puzzle.rating, wanted)
        if added is not None:
            return Judged(added, replayed=False)
        stored = self.book.find_attempt(who.id, puzzle.id)
        if stored is None:  # the account was deleted since then
            raise TokenGone("the account of the token is deleted")
        return Judged(_replay(stored, digest, moves), replayed=True)

    def give_hint(self, who: Player, puzzle: Puzzle, step: int) -> Json:
        """Return a hint, and note that the player has seen it: the attempt moves no rating then.

        Step 1: the themes. Step 2: two lines, of which one is right. Raises `NotForBots`,
        `PuzzleAnswered`.
        """
        _must_be_person(who)
        if not self.book.add_hint(who.id, puzzle.id, step, self._clock.now_ms()):
            raise PuzzleAnswered
        return show_hints(puzzle, step)


def show_hints(puzzle: Puzzle, step: int) -> Json:
    """Return what a player has seen after so many steps."""
    return {
        "step": step,
        "themes": list(puzzle.themes) if step >= THEMES else None,
        "candidates": list_candidates(puzzle) if step >= CANDIDATES else None,
    }


def _must_be_person(who: Player) -> None:
    if who.is_bot:
        raise NotForBots("puzzles are for persons: the ratings of puzzles are theirs")


def _replay(found: Attempt, digest: str, moves: Sequence[Json]) -> Attempt:
    """Return the stored attempt to a request that comes again; raises what refuses another one."""
    if not digest or found.key != digest:
        raise PuzzleAnswered
    if canonical_json(found.moves) != canonical_json([*moves]):
        raise IdempotencyMismatch
    return found
