"""The shelf: all puzzles of an installation, those that ship with it and those that it has mined.

A puzzle is long, and a process serves few of them at a time: a pack reads each when it is asked
for, and those of the installation are kept packed, next to an index of what a choice asks for.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol

from redis import Redis

from cartulary.events.server import keys
from cartulary.puzzles.record import Puzzle, read_line, write_line

OPENED: Final = 64
"""The most puzzles that a process keeps unpacked."""

READ_AT_ONCE: Final = 100


class ShippedEntry(Protocol):
    """What a pack says of a puzzle at once."""

    @property
    def id(self) -> str:
        """The id of the puzzle."""

    @property
    def themes(self) -> tuple[str, ...]:
        """Its themes."""

    @property
    def rating(self) -> int:
        """The first guess of its rating."""


class Shipped(Protocol):
    """The puzzles of a game that ship with the service."""

    @property
    def entries(self) -> Sequence[ShippedEntry]:
        """All of them, in any order."""

    def read(self, name: str) -> Puzzle:
        """Return one of them by its id."""


Load = Callable[[str], Shipped | None]
"""Returns the puzzles of a game that ship with the service, None where it has none."""


class ShelfRow(NamedTuple):
    """What the choice of a puzzle asks for; `rating` is the first guess."""

    rating: float
    id: str
    game: str
    themes: tuple[str, ...]
    shipped: bool


class ShelfIndex:
    """The puzzles of a game by what a choice asks for, each list in the order of first guesses."""

    def __init__(self, rows: Iterable[ShelfRow] = ()) -> None:
        self.rows = sorted(rows)
        self.by_id = {row.id: row for row in self.rows}
        by_theme: dict[str, list[ShelfRow]] = {}
        for row in self.rows:
            for theme in row.themes:
                by_theme.setdefault(theme, []).append(row)
        self.by_theme: Mapping[str, list[ShelfRow]] = by_theme
        self.themes = sorted(by_theme)


EMPTY: Final = ShelfIndex()


class PuzzleShelf:
    """All puzzles. Thread-safe. All methods raise `RedisError`.

    `games` are the names of the games on offer.
    """

    def __init__(self, redis: Redis, games: Collection[str], load: Load) -> None:
        self._redis, self._games, self.load = redis, sorted(games), load
        self._lock = Lock()
        self._shipped: dict[str, Shipped] = {}
        self._packed: dict[str, bytes] = {}
        self._indexes: Mapping[str, ShelfIndex] = {}
        self._own = -1
        self._open = lru_cache(OPENED)(self._unpack)

    def find(self, puzzle_id: str) -> Puzzle | None:
        """Return a puzzle."""
        self._fill()
        known = puzzle_id in self._shipped or puzzle_id in self._packed
        return self._open(puzzle_id) if known else None

    def list_games(self) -> list[str]:
        """Return the games that have puzzles."""
        self._fill()
        return [game for game in self._games if self._find_index(game).rows]

    def list_themes(self, game: str) -> list[str]:
        """Return the themes of the puzzles of a game."""
        self._fill()
        return [*self._find_index(game).themes]

    def list_ids(self, game: str) -> list[str]:
        """Return the ids of the puzzles of a game."""
        self._fill()
        return [row.id for row in self._find_index(game).rows]

    def find_themes(self, game: str, puzzle_id: str) -> list[str]:
        """Return the themes of a puzzle without opening it; none of one that is gone."""
        self._fill()
        row = self._find_index(game).by_id.get(puzzle_id)
        return [] if row is None else [*row.themes]

    def find_first(self, game: str, ids: Iterable[str]) -> ShelfRow | None:
        """Return the first of some puzzles that is one of a game."""
        self._fill()
        by_id = self._find_index(game).by_id
        return next((by_id[one] for one in ids if one in by_id), None)

    def find_daily(self, day: int) -> Puzzle | None:
        """Return the puzzle of a day (UTC), a number since the epoch; None without puzzles.

        The games take turns. Each goes through its puzzles that ship with the service, in an order
        that the ids fix: so it is the same one in every installation of a release.
        """
        games = [game for game in self.list_games() if self._list_shipped(game)]
        if not games:
            return None
        turn, place = divmod(day, len(games))
        order = sorted(self._list_shipped(games[place]), key=_shuffle)
        return self.find(order[turn % len(order)])

    def walk_near(self, game: str, theme: str | None, rating: float) -> Iterator[ShelfRow]:
        """Yield the puzzles of a game and a theme, None: of any, the nearest first guess first.

        It looks at what is taken from it alone.
        """
        self._fill()
        index = self._find_index(game)
        rows = index.rows if theme is None else index.by_theme.get(theme, [])
        above = bisect_left(rows, (rating,))
        below = above - 1
        while below >= 0 or above < len(rows):
            take_above = below < 0 or (
                above < len(rows) and rows[above].rating - rating <= rating - rows[below].rating
            )
            yield rows[above if take_above else below]
            above, below = (above + 1, below) if take_above else (above, below - 1)

    # -- puzzles of this installation ---------------------------------------------------------

    def add(self, puzzles: Iterable[Puzzle]) -> int:
        """Add puzzles that were mined here; return how many are new. Names of players are left out.

        One that is there stays as it is: processes have read it, and people have answered it. Only
        games that everybody may see belong here: the command that mines sees to that.
        """
        new = 0
        for puzzle in puzzles:
            transcript = {**puzzle.transcript}
            transcript.pop("players", None)
            text = write_line(puzzle._replace(transcript=transcript))
            new += int(self._redis.hsetnx(keys.own_puzzles(), puzzle.id, text))
        return new

    def _fill(self) -> None:
        """Read what ships once, and the rest again when something was added to it."""
        own: Any = self._redis.hlen(keys.own_puzzles())
        if own == self._own:
            return
        with self._lock:
            if self._own < 0:
                self._take_shipped()
            self._take_own()
            self._own = own

    def _find_index(self, game: str) -> ShelfIndex:
        return self._indexes.get(game, EMPTY)

    def _list_shipped(self, game: str) -> list[str]:
        return [row.id for row in self._find_index(game).rows if row.shipped]

    def _take_shipped(self) -> None:
        indexes = {}
        for game in self._games:
            pack = self.load(game)
            if pack is None:
                continue
            self._shipped |= {one.id: pack for one in pack.entries}
            indexes[game] = ShelfIndex(
                ShelfRow(float(one.rating), one.id, game, tuple(one.themes), shipped=True)
                for one in pack.entries
            )
        self._indexes = indexes

    def _take_own(self) -> None:
        packed, added = {**self._packed}, dict[str, list[ShelfRow]]()
        for one in self._read_own():
            if one.game not in self._games:
                continue
            packed[one.id] = zlib.compress(write_line(one).encode())
            row = ShelfRow(float(one.rating), one.id, one.game, tuple(one.themes), shipped=False)
            added.setdefault(one.game, []).append(row)
        grown = {
            game: ShelfIndex([*self._find_index(game).rows, *rows]) for game, rows in added.items()
        }
        self._packed, self._indexes = packed, {**self._indexes, **grown}

    def _read_own(self) -> Iterator[Puzzle]:
        """Yield the puzzles that were added since the last look."""
        ids: Any = self._redis.hkeys(keys.own_puzzles())
        known = self._shipped.keys() | self._packed.keys()
        missing = iter([one for one in ids if one.decode() not in known])
        while some := list(islice(missing, READ_AT_ONCE)):
            texts: Any = self._redis.hmget(keys.own_puzzles(), some)
            yield from (read_line(text) for text in texts if text is not None)

    def _unpack(self, puzzle_id: str) -> Puzzle:
        pack = self._shipped.get(puzzle_id)
        if pack is not None:
            return pack.read(puzzle_id)
        return read_line(zlib.decompress(self._packed[puzzle_id]))


def _shuffle(puzzle_id: str) -> bytes:
    """Return the place of a puzzle in the order of the days."""
    return sha256(f"daily/{puzzle_id}".encode()).digest()
