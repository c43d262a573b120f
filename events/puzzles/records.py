"""What follows from the stream of a player: ratings, days in a row, what was answered. Pure.

An event of the stream is a hint, an attempt or a pack: the puzzles that the player has got with
their answers, for times without a network. An attempt has in it what was known of the puzzle, so
the ratings of a player follow from the player's stream alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from cartulary.events.model.types import Json
from cartulary.ratings.glicko import Skill, meet

HINT: Final = "hint"
ATTEMPT: Final = "attempt"
PACK: Final = "pack"

_SKILLS: Final = ("other", "before", "after")

DAY_MS: Final = 24 * 3_600_000


class Attempt(NamedTuple):
    """The one attempt of a player at a puzzle; `at` is in ms since the epoch.

    `hints` are the hints that came before it, 0 to 2. `other` is what was known of the puzzle. An
    attempt that is not `rated` leaves the ratings as they were. `key` is the digest of the
    idempotency key, empty without one.
    """

    puzzle: str
    game: str
    at: int
    right: bool
    moves: list[Json]
    hints: int
    rated: bool
    other: Skill
    before: Skill
    after: Skill
    key: str = ""

    def to_json(self) -> Json:
        """Return the event of the stream."""
        skills = {name: list(getattr(self, name)) for name in _SKILLS}
        return {"type": ATTEMPT, **self._asdict(), **skills}

    @classmethod
    def from_json(cls, event: Json) -> Self:
        """Return the attempt of an event."""
        told = {name: event[name] for name in cls._fields}
        skills = {name: Skill(*told[name]) for name in _SKILLS}
        return cls(**{**told, **skills})


class Streak(NamedTuple):
    """Days in a row (UTC), each with a puzzle that was solved at once and without a hint.

    `last` is the number of the last such day since the epoch.
    """

    days: int = 0
    best: int = 0
    last: int = -1

    def add_day(self, day: int) -> Streak:
        """Return the streak with a puzzle that was solved on a day."""
        if day <= self.last:
            return self
        days = self.days + 1 if day == self.last + 1 else 1
        return Streak(days, max(self.best, days), day)

    def count_until(self, day: int) -> int:
        """Return how many days in a row there are on a day; today still has time."""
        return self.days if self.last >= day - 1 else 0


@dataclass(slots=True)
class PuzzleRecord:
    """What is known of a player. `attempts` has the number of the event of each attempt.

    `packed` has the puzzles that came in a pack, with the time in ms since the epoch.
    """

    events: int = 0
    skills: dict[str, Skill] = field(default_factory=dict)
    streak: Streak = field(default_factory=Streak)
    attempts: dict[str, int] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    packed: dict[str, int] = field(default_factory=dict)

    def find_skill(self, game: str) -> Skill:
        """Return what is known of the player in a game."""
        return self.skills.get(game, Skill())

    def add(self, event: Json) -> None:
        """Add the next event of the stream."""
        self.events += 1
        if event["type"] == HINT:
            self.hints[event["puzzle"]] = max(event["step"], self.hints.get(event["puzzle"], 0))
        elif event["type"] == PACK:
            self.packed |= {one: event["at"] for one in event["puzzles"] if one not in self.packed}
        else:
            self._add_attempt(Attempt.from_json(event))

    def list_open(self, puzzles: Iterable[str]) -> list[str]:
        """Return which of some puzzles came in a pack and wait for an answer."""
        return [one for one in puzzles if one in self.packed and one not in self.attempts]

    def _add_attempt(self, attempt: Attempt) -> None:
        self.attempts[attempt.puzzle] = self.events
        if attempt.rated:
            self.skills[attempt.game] = move_player(self.find_skill(attempt.game), attempt)
        if attempt.right and not attempt.hints:
            self.streak = self.streak.add_day(attempt.at // DAY_MS)


def move_player(skill: Skill, attempt: Attempt) -> Skill:
    """Return what is known of a player after a rated attempt."""
    return meet(skill, attempt.other, float(attempt.right))


def fold_record(events: Iterable[Json]) -> PuzzleRecord:
    """Return what follows from the whole stream of a player."""
    record = PuzzleRecord()
    for event in events:
        record.add(event)
    return record


class PuzzleResult(NamedTuple):
    """What a rated attempt says of a puzzle: no player is named in it."""

    right: bool
    player: Skill


def fold_puzzle(start: Skill, results: Iterable[PuzzleResult]) -> Skill:
    """Return what is known of a puzzle after its results; a right answer beats the puzzle."""
    skill = start
    for result in results:
        skill = meet(skill, result.player, float(not result.right))
    return skill
