"""The jobs. Each reads from the ledger what is to be done, and does nothing when nothing is.

Jobs may run late, twice, at the same time or half-way: a lease keeps two workers from the same
work, the position says whether the work is still wanted, and the version in the append decides. The
generator of a bot has a seed that follows from the game and the position, so a repeated job plays
the same move.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from rq.job import get_current_job
from rq.timeouts import BaseTimeoutException

from cartulary.bots.base import BotEntry
from cartulary.bots.levels import list_substitutes
from cartulary.engine.core import State
from cartulary.events.model.failures import DrawsUnavailable
from cartulary.events.model.table import Table
from cartulary.events.model.thinking import NOT_OFFERED, BotFinding, Think, Thinker
from cartulary.events.model.time.due import Work, find_work_at
from cartulary.events.store import Store
from cartulary.events.tracing import spans
from cartulary.workers.queues.lines import has_people
from cartulary.workers.queues.queues import TRACE
from cartulary.workers.thinking.budgets import (
    choose_budget,
    ends_within,
    find_deadline,
    is_quick,
)
from cartulary.workers.wiring import (
    do_people_wait,
    find_entry,
    hand_over,
    list_bots,
    may_think,
    provided,
    shift,
)

TURN_BUDGET_S = 0.5
"""A job goes on while bots are to move, this long; then the job of the next event takes over."""

PEOPLE_S, BOTS_S = 0.05, 0.01
"""After this time a job ends for people who wait: in a game with people, in a game of bots only."""


log = logging.getLogger("cartulary.jobs")


def bot_turn(game_id: str, position: int) -> int:
    """Let bots move in a game that is still at `position`; returns the number of moves."""
    store = provided()
    try:
        with _go_on("bot", game_id), shift.work(store.clock) as since:
            return play_on(store, game_id, position, is_wanted=do_people_wait, since=since)
    except DrawsUnavailable as error:
        log.warning("game %s waits: %s", game_id, error)
        return 0


def score(game_id: str, position: int) -> int:
    """Count the final score of a game whose play is over; returns the number of events."""
    try:
        with _go_on("score", game_id):
            return count(provided(), game_id, position)
    except DrawsUnavailable as error:
        log.warning("game %s waits: %s", game_id, error)
        return 0


def _go_on(kind: Work, game_id: str) -> AbstractContextManager[None]:
    """Return what makes a span of this job, in the trace that came with it."""
    job = get_current_job() if spans.on else None
    trace = "" if job is None else str(job.meta.get(TRACE, ""))
    return spans.span(f"job {kind}", "consumer", trace, game=game_id)


def count(store: Store, game_id: str, position: int) -> int:
    """Append the final score, unless another worker does; returns the number of events.

    Raises `NotFound` for an unknown game.
    """
    with store.leases.hold(game_id, position) as lease:
        return 0 if lease is None else len(store.commands.score(game_id).events)


def play_on(
    store: Store,
    game_id: str,
    position: int,
    budget: float = TURN_BUDGET_S,
    is_wanted: Callable[[], bool] = lambda: False,
    since: int = 0,
) -> int:
    """Let bots move from `position` on, while it is their turn and `budget` (seconds) lasts.

    Ends earlier when `is_wanted` says that people wait for this worker. What a person waited before
    `since` (ms since the epoch) shrinks no budget. Returns the number of moves, at least one unless
    the game is at another position, a person is to move, or another worker has the lease. Raises
    `NotFound` for an unknown game, `DrawsUnavailable`, and what the bots raise when all of them
    fail.
    """
    table: Table | None = store.projector.table(game_id)
    assert table is not None
    patience = Patience(PEOPLE_S if has_people(table) else BOTS_S, budget, is_wanted)
    moves = 0
    while table is not None and table.position == position and table.bot_to_move is not None:
        if not _may_move(store, table):
            # After a move the dispatcher finds the right worker.
            if not moves and not _is_held(store, table):
                hand_over(table)
            break
        made, table = _move_once(store, table, since)
        moves += made
        if table is not None:
            position = table.position
            # In a game whose bots wait, the next job comes when the next wait is over.
            if table.terms.bot_delay or patience.is_over():
                break
    return moves


def _may_move(store: Store, table: Table) -> bool:
    """Return whether this worker may let the bot move: it thinks quickly, or has thought before."""
    return may_think(table) or store.commands.bots.recall(table) is not None


def _is_held(store: Store, table: Table) -> bool:
    """Return whether a worker lets the bot think already: it moves when it may."""
    return store.leases.are_held([(table.id, table.position)])[0]


class Patience:
    """Says when a job is to end: after `budget` seconds, or after `least` when it is wanted.

    `is_wanted` costs a round trip, so it is asked every `BOTS_S` seconds and not after each move.
    """

    def __init__(self, least: float, budget: float, is_wanted: Callable[[], bool]) -> None:
        now = time.monotonic()
        self._ask_at, self._ends_at = now + least, now + budget
        self._is_wanted = is_wanted

    def is_over(self) -> bool:
        """Return whether the job is to end now."""
        now = time.monotonic()
        if now >= self._ends_at:
            return True
        if now < self._ask_at:
            return False
        self._ask_at = now + BOTS_S
        return self._is_wanted()


def _move_once(store: Store, table: Table, since: int) -> tuple[int, Table | None]:
    """Let the bot of the table move.

    Returns how many moves it made, and the table after them, None when there was no move.
    """
    assert table.bot_to_move is not None
    with store.leases.hold(table.id, table.position) as lease:
        if lease is None:
            return 0, None
        thinkers = list_thinkers(table.game, table.bot_to_move, _count_wait(store, table, since))
        written = store.commands.bots.move(table.id, table.position, thinkers)
        if not written.events:
            return 0, None
        lease.let_expire()
    return sum("bot" in event for event in written.events), written.table


def _count_wait(store: Store, table: Table, since: int) -> int:
    """Return for how many ms since `since` a person has waited for a bot, 0 without a person."""
    if not has_people(table):
        return 0
    return store.clock.now_ms() - max(since, find_work_at(table))


def list_thinkers(game: str, bot: str, waited_ms: int = 0) -> list[Thinker]:
    """Return the bot of a seat and those that move when it cannot: `medium`, then `random`.

    Without the bot when it is not on offer any more. `waited_ms` says for how long a person has
    waited for the move. Raises `KeyError` for a game that is not on offer.
    """
    offered = list_bots(game)
    missing = None if bot in offered else NOT_OFFERED
    names = [*list_substitutes(bot, offered)] if missing else [bot, *list_substitutes(bot, offered)]
    entries = [(name, find_entry(game, name)) for name in names]
    return [
        Thinker(name, _in_time(entry, waited_ms), entry.version, missing) for name, entry in entries
    ]


def _in_time(entry: BotEntry, waited_ms: int) -> Think:
    """Return the bot with its budget and a plain `TimeoutError` when it misses its deadline.

    Another bot moves then. The deadline of a quick bot is that of its job: a deadline of its own
    would take a tenth of its move.
    """

    def think(state: State[Any], rng: random.Random) -> BotFinding:
        try:
            if is_quick(entry):
                return entry.think(state, rng, choose_budget(entry, waited_ms, state.seats))
            with ends_within(find_deadline(entry)):
                return entry.think(state, rng, choose_budget(entry, waited_ms, state.seats))
        except BaseTimeoutException as error:
            raise TimeoutError(str(error)) from error

    return think
