"""Puzzles: everything that a person does with them, as one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import islice
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
from cartulary.events.puzzles.lines import judge_line, read_start, show_hints
from cartulary.events.puzzles.records import DAY_MS, Attempt, PuzzleRecord
from cartulary.events.puzzles.shelf import Load, PuzzleShelf, ShelfRow
from cartulary.puzzles.record import Puzzle
from cartulary.ratings.glicko import Skill

NEAR: Final = 40
"""Of so many puzzles with the nearest first guess the one whose rating is nearest comes next."""

STARTS: Final = 64
"""The most positions that a process keeps."""

MOST_PACKED: Final = 50
"""The most puzzles of a game that a player has with their answers, and has not answered."""

DAYS_AHEAD: Final = 30
"""The puzzles of so many days to come are packed last."""


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
        What came in a pack comes when there is nothing else; without a wish for a theme it is
        another one than that of the last answer. Raises `Invalid` for an unknown theme.
        """
        themes = self.shelf.list_themes(game)
        if theme is not None and theme not in themes:
            raise Invalid([("/theme", f"must be one of: {', '.join(themes)}")])
        record = self.book.read(player_id)
        rating = record.find_skill(game).rating
        near = _prefer(
            lambda: self.shelf.walk_near(game, theme, rating),
            record,
            self._find_last_theme(game, record) if theme is None else None,
        )
        if not near:
            return None
        skills = self.book.read_skills([(row.id, row.rating) for row in near])
        pairs = zip(skills, near, strict=True)
        chosen = min(pairs, key=lambda pair: (abs(pair[0].rating - rating), pair[1].id))[1]
        return self.shelf.find(chosen.id)

    def _find_last_theme(self, game: str, record: PuzzleRecord) -> str | None:
        """Return the main theme of the puzzle of a game that was answered last."""
        row = self.shelf.find_first(game, reversed(record.attempts))
        return None if row is None else row.themes[0]

    # -- without a network --------------------------------------------------------------------

    def read_pack(self, player_id: str, game: str) -> list[Puzzle]:
        """Return the puzzles of a game that came in a pack and wait for an answer, oldest first."""
        record = self.book.read(player_id)
        found = map(self.shelf.find, record.list_open(record.packed))
        return [one for one in found if one is not None and one.game == game]

    def fill_pack(self, who: Player, game: str, number: int) -> list[str]:
        """Give a player so many puzzles of a game with their answers, those of before included.

        Attempts at them move no rating. Returns their ids; fewer where there are no more. Raises
        `NotForBots`.
        """
        _must_be_person(who)

        def choose(record: PuzzleRecord) -> list[str]:
            lacking = number - len(record.list_open(ids))
            return self._list_packable(record, game)[: max(0, lacking)]

        ids = self.shelf.list_ids(game)
        return self.book.add_pack(who.id, choose, self._clock.now_ms()).list_open(ids)

    def _list_packable(self, record: PuzzleRecord, game: str) -> list[str]:
        """Return what may come in a pack, the nearest rating first, puzzles of a day soon last."""
        days = range(self.today(), self.today() + DAYS_AHEAD)
        soon = {one.id for one in map(self.shelf.find_daily, days) if one is not None}
        rows = self.shelf.walk_near(game, None, record.find_skill(game).rating)
        known = record.packed.keys() | record.attempts.keys()
        return sorted((row.id for row in rows if row.id not in known), key=soon.__contains__)

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

    def answer(
        self,
        who: Player,
        puzzle: Puzzle,
        moves: Sequence[Json],
        key: str | None,
        seconds_ago: int = 0,
    ) -> Judged:
        """Judge the answer of a player, and store it.

        Ratings move unless a hint came before, or the puzzle in a pack. `seconds_ago` is for an
        answer from a pack that was made without a network: it counts on the day of then, at the
        earliest when the pack came. Raises `NotForBots`, `PuzzleAnswered`, `IdempotencyMismatch`,
        `Invalid` for a time without a pack, and what `judge_line` raises.
        """
        _must_be_person(who)
        digest = "" if key is None else sha256(key.encode()).hexdigest()
        found = self.book.find_attempt(who.id, puzzle.id)
        if found is not None:
            return Judged(_replay(found, digest, moves), replayed=True)
        right = judge_line(self.start(puzzle), puzzle, moves)
        wanted = Attempt(
            *(puzzle.id, puzzle.game, self._time_of(who, puzzle, seconds_ago), right, [*moves], 0),
            *(True, guess(puzzle.rating), Skill(), Skill(), digest),
        )
        added = self.book.add_attempt(who.id, puzzle.rating, wanted)
        if added is not None:
            return Judged(added, replayed=False)
        stored = self.book.find_attempt(who.id, puzzle.id)
        if stored is None:  # the account was deleted since then
            raise TokenGone("the account of the token is deleted")
        return Judged(_replay(stored, digest, moves), replayed=True)

    def _time_of(self, who: Player, puzzle: Puzzle, seconds_ago: int) -> int:
        now = self._clock.now_ms()
        if not seconds_ago:
            return now
        packed = self.book.read(who.id).packed.get(puzzle.id)
        if packed is None:
            raise Invalid([("/seconds_ago", "must be 0: this puzzle came in no pack of yours")])
        return max(packed, now - 1000 * seconds_ago)

    def give_hint(self, who: Player, puzzle: Puzzle, step: int) -> Json:
        """Return a hint, and note that the player has seen it: the attempt moves no rating then.

        Step 1: the themes. Step 2: two lines, of which one is right. Raises `NotForBots`,
        `PuzzleAnswered`.
        """
        _must_be_person(who)
        if not self.book.add_hint(who.id, puzzle.id, step, self._clock.now_ms()):
            raise PuzzleAnswered
        return show_hints(puzzle, step)


def _prefer(
    walk: Callable[[], Iterable[ShelfRow]], record: PuzzleRecord, last: str | None
) -> list[ShelfRow]:
    """Return the first rows that a player has not answered and that did not come in a pack.

    Those of another theme than `last`, the theme of the last answer: else one theme comes again and
    again, because puzzles of one theme have like ratings. Where that leaves nothing, it is left
    out.
    """

    def is_left(row: ShelfRow) -> bool:
        return row.id not in record.attempts

    def is_fresh(row: ShelfRow) -> bool:
        return is_left(row) and row.id not in record.packed

    def is_other(row: ShelfRow) -> bool:
        return is_fresh(row) and row.themes[0] != last

    found = (list(islice(filter(one, walk()), NEAR)) for one in (is_other, is_fresh, is_left))
    return next((rows for rows in found if rows), [])


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
