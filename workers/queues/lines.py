"""The lines: games that wait for a worker, a line for each player who has opened games.

The lines are taken from in turn, so that a player with many games delays that player's own games
and no others. Games with people at the table come first; games of bots only get what is left,
and one place in `feeding.BOTS_EVERY`, so that they never stand still. Games whose bot thinks for
long stand in lines of their own, because other workers serve them.

A game whose bot has to wait (`bot_delay`) comes into its line when the wait is over (`release`). A
bot that thinks gets a job at once as well: it thinks while it waits. When the wait is over before
that job has begun, the game keeps its place in the line.

The lines are in the memory of a dispatcher. When that dispatcher dies, the next one makes the lines
again from the games that are due (`workers.sweep`).
"""

from __future__ import annotations

import heapq
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cartulary.events.model.clock import SYSTEM
from cartulary.events.model.seats import have_persons
from cartulary.events.model.table import Table
from cartulary.events.model.time.due import Work, find_work, find_work_at

RETRY_MS: Final = 200
LAST_RETRY_MS: Final = 1600
"""The host of a worker may have a clock that is behind: there the wait of a bot is not over yet. So
jobs come again after such pauses, each twice as long as the pause before; then the sweep goes on.
"""

Thinks = Callable[[Table], bool]
"""Says whether the bot that is to move takes longer than a quick job may."""


class AwaitedJob(NamedTuple):
    """What a game waits for: a job of a kind at a position.

    `opener` is the id of the player who opened the game, `people` says whether a person sits at the
    table, `again` names a repetition of the sweep (0: the first attempt), `thinks` says whether the
    bot thinks for long. Before `at` (ms since the epoch) the job cannot be done; 0: at once.
    `pause` says in ms how long after a job in vain the next job comes, for a bot that has waited.
    `trace` goes with the job, '' without traces.
    """

    kind: Work
    game: str
    position: int
    opener: str
    people: bool
    again: int = 0
    thinks: bool = False
    at: int = 0
    pause: int = RETRY_MS
    trace: str = ""

    def retry(self, now: int) -> AwaitedJob | None:
        """Return the turn for the next job when the job of now is in vain, None for no more."""
        if self.pause > LAST_RETRY_MS:
            return None
        return self._replace(at=now + self.pause, again=now + self.pause, pause=2 * self.pause)


def turn_of(
    table: Table, again: int = 0, thinks: Thinks = lambda _table: False
) -> AwaitedJob | None:
    """Return what a table waits for a worker to do, None when it waits for no worker."""
    work = find_work(table)
    if work is None:
        return None
    at = find_work_at(table) if table.terms.bot_delay else 0
    return AwaitedJob(
        *(work, table.id, table.position, table.created_by, has_people(table), again),
        thinks=work == "bot" and thinks(table),
        at=at,
    )


def has_people(table: Table) -> bool:
    """Return whether a person sits at the table."""
    return have_persons(table.seats)


class GameQueue:
    """The lines of one class of games: each opener has one, and each opener has a turn."""

    def __init__(self) -> None:
        self._openers: OrderedDict[str, dict[str, tuple[AwaitedJob, float]]] = OrderedDict()

    def put(self, turn: AwaitedJob, since: float) -> None:
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

    def take(self) -> AwaitedJob | None:
        """Return the next game of the next opener, None when no game waits."""
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


class Waits:
    """The games whose bots have to wait, by the moment (ms since the epoch) at which it ends."""

    def __init__(self) -> None:
        self._turns: dict[str, AwaitedJob] = {}
        self._order: list[tuple[int, str]] = []

    def __contains__(self, game: object) -> bool:
        """Return whether a game waits here."""
        return game in self._turns

    def put(self, turn: AwaitedJob) -> None:
        """Let a game wait until its time; replaces an earlier entry of the game."""
        self._turns[turn.game] = turn
        heapq.heappush(self._order, (turn.at, turn.game))

    def drop(self, game: str) -> None:
        """Let a game wait no longer."""
        self._turns.pop(game, None)

    def take(self, now: int) -> Iterator[AwaitedJob]:
        """Yield the games whose wait is over at `now` (ms), and forget them."""
        while self._order and self._order[0][0] <= now:
            at, game = heapq.heappop(self._order)
            turn = self._turns.get(game)
            if turn is not None and turn.at == at:
                del self._turns[game]
                yield turn

    def find_next(self) -> int | None:
        """Return when the next wait ends (ms since the epoch), None without any."""
        return self._order[0][0] if self._order else None


class GameQueues:
    """The games that wait, people's games before games of bots only; no locks: for one thread.

    `clock` gives seconds for ages, `now` ms since the epoch for what has to wait. `thinks` says
    which bots think for long.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], int] = SYSTEM.now_ms,
        thinks: Thinks = lambda _table: False,
    ) -> None:
        self._clock, self._now, self._thinks = clock, now, thinks
        self._lines = {
            (long, people): GameQueue() for long in (False, True) for people in (True, False)
        }
        self._known: dict[str, AwaitedJob] = {}
        self._waits = Waits()
        self.people_since = -math.inf
        """The moment at which a game with people last came into its line."""

    def __len__(self) -> int:
        """Return how many games wait for a worker."""
        return len(self._known)

    def __contains__(self, game: object) -> bool:
        """Return whether a game waits in a line, or for its time."""
        return game in self._known or game in self._waits

    def turn_of(self, table: Table, again: int = 0) -> AwaitedJob | None:
        """Return what a table waits for a worker to do, None when it waits for no worker."""
        return turn_of(table, again, self._thinks)

    def add(self, turn: AwaitedJob) -> None:
        """Put a game into its line, or let it wait; a game in the same line keeps its place."""
        self._waits.drop(turn.game)
        if turn.at > self._now():
            # The job that comes later finds the thought of the first: so it is quick.
            self._waits.put(turn._replace(thinks=False, again=turn.at))
            if not turn.thinks:
                self._leave(turn.game)
                return
        elif turn.at and not turn.again:
            # The first job may have ended before the bot was allowed to move: its id is in use.
            turn = turn._replace(again=turn.at)
        self._join(turn)

    def release(self) -> None:
        """Put the games whose wait is over into their lines.

        A game whose bot still waits for a worker that lets it think keeps its place: in the line of
        quick jobs it would overtake the games before it.
        """
        now = self._now()
        for turn in list(self._waits.take(now)):
            if not self._is_to_think(turn):
                self._join(turn)
            if (later := turn.retry(now)) is not None:
                self._waits.put(later)

    def find_pause(self) -> int | None:
        """Return in how many ms the next wait ends, None without any."""
        at = self._waits.find_next()
        return None if at is None else max(0, at - self._now())

    def drop(self, game: str) -> None:
        """Take a game out of its line, if it is there."""
        self._waits.drop(game)
        self._leave(game)

    def take(self, people: bool, thinks: bool = False) -> AwaitedJob | None:
        """Return the next game with people, or of bots only; None when no such game waits."""
        turn = self._lines[thinks, people].take()
        if turn is not None:
            del self._known[turn.game]
        return turn

    def count(self) -> dict[tuple[bool, bool], int]:
        """Return how many games wait for a worker, by `thinks` and `people`."""
        found = dict.fromkeys(self._lines, 0)
        for turn in self._known.values():
            found[turn.thinks, turn.people] += 1
        return found

    def read_age(self) -> float:
        """Return for how many seconds the game that waits longest has waited, 0 without any."""
        now, lines = self._clock(), self._lines.values()
        return max((now - since for line in lines for since in line.firsts()), default=0.0)

    def _is_to_think(self, turn: AwaitedJob) -> bool:
        """Return whether the bot of a game that has waited has not begun to think of this turn."""
        known = self._known.get(turn.game)
        return known is not None and known.thinks and known.position == turn.position

    def _join(self, turn: AwaitedJob) -> None:
        before = self._known.get(turn.game)
        if before is not None and _find_line(before) != _find_line(turn):
            self._leave(turn.game)
        self._known[turn.game] = turn
        if turn.people:
            self.people_since = self._clock()
        self._lines[_find_line(turn)].put(turn, self._clock())

    def _leave(self, game: str) -> None:
        turn = self._known.pop(game, None)
        if turn is not None:
            self._lines[_find_line(turn)].drop(turn.opener, game)


def _find_line(turn: AwaitedJob) -> tuple[bool, bool]:
    return turn.thinks, turn.people
