"""The lines: games that wait for a worker, a line for each player who has opened games.

The lines are taken from in turn, so that a player with many games delays that player's own games
and nobody else's. Games with people at the table come first; games of bots only get what is left,
and one place in `feeding.BOTS_EVERY`, so that they never stand still.

The lines are in the memory of a dispatcher. When that dispatcher dies, the next one makes the lines
again from the games that are due (`workers.sweep`).
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cartulary.events.due import Work, find_work
from cartulary.events.table import Table


class Turn(NamedTuple):
    """What a game waits for: a job of a kind at a position.

    `opener` is the id of the player who opened the game, `people` says whether a person sits at the
    table, `again` names a repetition of the sweep (0: the first attempt).
    """

    kind: Work
    game: str
    position: int
    opener: str
    people: bool
    again: int = 0


def turn_of(table: Table, again: int = 0) -> Turn | None:
    """Return what a table waits for a worker to do, None when it waits for no worker."""
    work = find_work(table)
    if work is None:
        return None
    return Turn(work, table.id, table.position, table.created_by, has_people(table), again)


def has_people(table: Table) -> bool:
    """Return whether a person sits at the table."""
    return any(seat.player is not None for seat in table.seats)


class Line:
    """The lines of one class of games: each opener has one, and each opener has a turn."""

    def __init__(self) -> None:
        self._openers: OrderedDict[str, dict[str, tuple[Turn, float]]] = OrderedDict()

    def put(self, turn: Turn, since: float) -> None:
        """Put a game at the end of its opener's line; a game in the line keeps its place."""
        line = self._openers.setdefault(turn.opener, {})
        if turn.game in line:
            since = line[turn.game][1]
        line[turn.game] = (turn, since)

    def drop(self, opener: str, game: str) -> None:
        """Take a game out of the line."""
        line = self._openers.get(opener, {})
        line.pop(game, None)
        if not line:
            self._openers.pop(opener, None)

    def take(self) -> Turn | None:
        """Return the next game of the next opener, None when nobody waits."""
        if not self._openers:
            return None
        opener, line = next(iter(self._openers.items()))
        game, (turn, _) = next(iter(line.items()))
        self._openers.move_to_end(opener)
        self.drop(opener, game)
        return turn

    def firsts(self) -> Iterator[float]:
        """Yield since when the first game of each opener waits."""
        for line in self._openers.values():
            yield next(iter(line.values()))[1]


class Lines:
    """The games that wait, people's games before games of bots only; no locks: for one thread.

    `clock` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._people, self._bots = Line(), Line()
        self._known: dict[str, Turn] = {}
        self.people_since = -math.inf
        """The moment at which a game with people last came into its line."""

    def __len__(self) -> int:
        """Return how many games wait."""
        return len(self._known)

    def __contains__(self, game: object) -> bool:
        """Return whether a game waits in a line."""
        return game in self._known

    def add(self, turn: Turn) -> None:
        """Put a game into its line; a game that waits already keeps its place."""
        self._known[turn.game] = turn
        if turn.people:
            self.people_since = self._clock()
        self._line(turn.people).put(turn, self._clock())

    def drop(self, game: str) -> None:
        """Take a game out of its line, if it is there."""
        turn = self._known.pop(game, None)
        if turn is not None:
            self._line(turn.people).drop(turn.opener, game)

    def take(self, people: bool) -> Turn | None:
        """Return the next game with people, or of bots only; None when no such game waits."""
        turn = self._line(people).take()
        if turn is not None:
            del self._known[turn.game]
        return turn

    def read_age(self) -> float:
        """Return for how many seconds the game that waits longest has waited, 0 without any."""
        now = self._clock()
        return max((now - since for line in self._lines() for since in line.firsts()), default=0.0)

    def _line(self, people: bool) -> Line:
        return self._people if people else self._bots

    def _lines(self) -> tuple[Line, Line]:
        return self._people, self._bots
