"""The sweep: finds games that wait for something although nothing happens any more.

A job can be lost: its worker was killed, the server of the queue lost its data, the job failed. The
ledger knows which games wait (`events.model.time.due`), and a lease says which of them a worker has
in hand. All others get another job, under another id. What ends by itself
(`events.model.time.due.Timer`) ends here: the sweep calls the command, which judges the game with
the clock.

At its start a dispatcher knows nothing of the games that waited in the lines of the last one: it
takes over all games that are due (`adopt`), the longest waiting first.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from redis import Redis, RedisError

from cartulary.events.commands.game.failing_bots import Failure
from cartulary.events.commands.table.opening import BOT_DELAY_MAX_MS
from cartulary.events.lists.projections import Late
from cartulary.events.model.errors import LedgerError, StaleVersion
from cartulary.events.model.time.due import find_work_at, list_timers
from cartulary.events.server.servers import find_server, is_missing
from cartulary.events.store import Store
from cartulary.workers.process.table_reader import TableReader, now_ms
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.lines import AwaitedJob

EVERY_S = 1.0
"""How often the sweep looks."""

GRACE_S = 3.0
"""How long a game may wait without a lease: a job normally begins within milliseconds."""

LONGEST_PAUSE_S = 60.0
"""Between two jobs for the same position, the pause doubles from `GRACE_S` up to this."""

LIMIT = 1000
"""Most games per look that wait in no line."""

JUDGED = 50
"""Most games that are judged at once: the dispatcher does nothing else in the meantime."""

ADOPTED = 20
"""The same while a dispatcher takes over the games that are due at its start."""

log = logging.getLogger("cartulary.sweep")


class Sweep:
    """Enqueues lost jobs; remembers, while a game waits, when it may get its next job.

    `grace` is in seconds; `clock` paces the looks and pauses; `now` gives ms since the epoch, by
    default the clock of the store does.
    """

    def __init__(
        self,
        store: Store,
        feeder: Feeder,
        reader: TableReader | None = None,
        grace: float = GRACE_S,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], int] | None = None,
    ) -> None:
        self._store = store
        self._feeder = feeder
        self._reader = reader or TableReader(store)
        self._grace = grace
        self._clock = clock
        self._now = now or store.clock.now_ms
        self._due = clock() + EVERY_S
        self._found_old = False
        self._left: deque[str] | None = None
        self._found: deque[Late] = deque()
        self._looked = clock()
        self._pauses: dict[Late, tuple[float, float]] = {}

    def read_backlog(self) -> tuple[int, float]:
        """Return how many games the last look has found that are still to be judged, and its age.

        The age is in seconds: the first of these games was due before the look.
        """
        return len(self._found), self._clock() - self._looked if self._found else 0.0

    @property
    def busy(self) -> bool:
        """Whether games that the last look has found are still to be judged."""
        return bool(self._found)

    @property
    def adopting(self) -> bool:
        """Whether games that are due from before the start are still to be taken over."""
        return self._left is None or bool(self._left)

    def adopt(self) -> None:
        """Put the next games that are due from before the start into the lines."""
        if self._left is None:
            self._find_old_set()
            # Also games whose bots have to wait: no other process knows when their time comes.
            soon = self._now() + BOT_DELAY_MAX_MS
            due = self._store.projections.due_games(soon)
            self._left = deque(game for game in due if not self._is_missing(game))
        chosen = [self._left.popleft() for _ in range(min(ADOPTED, len(self._left)))]
        found = [turn for game in chosen if (turn := self._read_turn(game, 0)) is not None]
        free, now = self._unheld(found), self._now()
        for turn in found:
            # A worker whose bot thinks before it may move leaves the move to a later job.
            if turn in free or turn.at > now:
                self._feeder.lines.add(turn)

    def run_when_due(self) -> None:
        """Look, unless the last look was within `EVERY_S` seconds; judge some of what was found.

        Raises the `RedisError` of a server that does not answer, after the games of the others.
        """
        now, trouble = self._clock(), None
        if now >= self._due:
            self._due = now + EVERY_S
            trouble = self._look()
        if self._found:
            self._judge_some()
        if trouble is not None:
            raise trouble

    def run(self) -> int:
        """Let every game that waits too long go on; return how many wait in a line again.

        Raises as `run_when_due`.
        """
        trouble = self._look()
        lost = 0
        while self._found:
            lost += self._judge_some()
        self._feeder.feed()
        if trouble is not None:
            raise trouble
        return lost

    def _look(self) -> RedisError | None:
        """Replace bots that have failed, and find the games that wait for too long.

        Returns the error of a server that did not answer for the game of such a bot.
        """
        self._find_old_set()
        trouble = self._replace_failed_bots()
        if not self._found:  # the games of the last look come first
            self._find_late()
        return trouble

    def _find_late(self) -> None:
        """Find the games that wait for too long. A timer may not be late, a worker may a little."""
        self._looked = self._clock()
        now = self._now()
        late = self._store.projections.late(now, LIMIT, self._feeder.lines, self._find_before(now))
        self._pauses = {game: self._pauses[game] for game in late if game in self._pauses}
        self._found = deque(
            game for game in late if not (self._pauses_still(game) or self._is_missing(game.game))
        )

    def _replace_failed_bots(self) -> RedisError | None:
        """Let stand-ins answer for the bots of players whose moves were refused too often.

        Returns the error of a server that does not answer: its games come again, and the others do
        not wait for it. It is asked once, because an attempt may take as long as the timeout of its
        connection.
        """
        away: dict[Redis | None, RedisError] = {}
        for failure in self._store.commands.failing_bots.list_failed():
            if self._is_missing(failure.game):
                continue
            server = self._find_server(failure.game)
            if server in away:
                continue
            try:
                self._replace(failure)
            except RedisError as error:
                away[server] = error
        return next(iter(away.values()), None)

    def _replace(self, failure: Failure) -> None:
        failing = self._store.commands.failing_bots
        try:
            failing.replace(failure)
        except StaleVersion:
            return  # Others were faster each time: the next look tries again.
        except LedgerError as error:
            log.warning("no stand-in answers for a bot in game %s: %s", failure.game, error)
        failing.forget(failure)

    def _find_before(self, now: int) -> int:
        """Return since when a game may wait for a worker."""
        return now - round(self._grace * 1000)

    def _judge_some(self) -> int:
        """Judge the next games; return how many wait in a line again.

        Raises the `RedisError` of a game whose server does not answer; the games of others come
        next.
        """
        now, trouble = self._now(), None
        found: list[tuple[Late, AwaitedJob]] = []
        for _ in range(min(JUDGED, len(self._found))):
            game = self._found.popleft()
            try:
                turn = self._judge(game, now)
            except RedisError as error:
                trouble = error
                self._pass_over_server_of(game.game)
                break
            if turn is not None:
                found.append((game, turn))
        lost = self._unheld([turn for _, turn in found])
        for game, turn in found:
            if turn in lost:
                self._repeat(game, turn)
        self._feeder.feed()
        if trouble is not None:
            raise trouble
        return len(lost)

    def _pass_over_server_of(self, game_id: str) -> None:
        """Leave the games of a server that does not answer to the next look.

        Each of them would wait as long as the timeout of a connection, and the others with it.
        """
        away = self._find_server(game_id)
        self._found = deque(one for one in self._found if self._find_server(one.game) is not away)

    def _find_server(self, game_id: str) -> Redis | None:
        """Return the server that has a game, None where no server is known."""
        try:
            return find_server(self._store.redis, game_id)
        except RedisError:
            return None

    def _find_old_set(self) -> None:
        """Take over the set of an earlier version at the first look of this process."""
        if not self._found_old:
            self._store.projections.adopt_waiting()
            self._found_old = True

    def _unheld(self, turns: list[AwaitedJob]) -> list[AwaitedJob]:
        """Return the turns that no worker has in hand."""
        held = self._store.leases.are_held([(turn.game, turn.position) for turn in turns])
        return [turn for turn, working in zip(turns, held, strict=True) if not working]

    def _is_missing(self, game_id: str) -> bool:
        """Return whether a game lies in a missing slot: the others must not wait for it."""
        return is_missing(self._store.redis, game_id)

    def _pauses_still(self, game: Late) -> bool:
        return game in self._pauses and self._clock() < self._pauses[game][0]

    def _read_turn(self, game_id: str, again: int) -> AwaitedJob | None:
        """Return what a game waits for now, None when it waits for nothing or cannot be read."""
        table = self._reader.read(game_id)
        if table is None:
            return None
        self._store.projections.apply(table)
        return self._feeder.lines.turn_of(table, again)

    def _judge(self, game: Late, now: int) -> AwaitedJob | None:
        """Let what is over end; return what a late game waits for, None when it is not late."""
        table = self._reader.read(game.game)
        if table is None:
            self._pause(game)
            return None
        timers = list_timers(table, self._store.since.read())
        if timers and timers[0].at <= now:
            if self._expire(game):
                return None
        else:
            self._store.projections.apply(table)
        if find_work_at(table) > self._find_before(now):
            return None
        # No dispatcher has used this id before: the wall clock goes on between two processes.
        return self._feeder.lines.turn_of(table, again=now_ms())

    def _expire(self, game: Late) -> bool:
        """End what has lasted too long in a game; returns whether the game has changed."""
        try:
            return bool(self._store.commands.expiry.expire(game.game).events)
        except LedgerError as error:
            log.warning("game %s does not end: %s", game.game, error)
            self._pause(game)
            return False

    def forget_pauses(self) -> None:
        """Let every game have its next job at once: a server that was away made jobs fail.

        The pauses double, because a job that fails by itself would fail again.
        """
        self._pauses.clear()

    def _pause(self, game: Late) -> None:
        _, pause = self._pauses.get(game, (0.0, self._grace))
        self._pauses[game] = (self._clock() + pause, min(2 * pause, LONGEST_PAUSE_S))

    def _repeat(self, game: Late, turn: AwaitedJob) -> None:
        self._pause(game)
        log.warning("game %s waits at position %d: %s job again", *turn[1:3], turn.kind)
        self._feeder.lines.add(turn)
