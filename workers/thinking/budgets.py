"""Budgets: how much a bot may think about a move, and by when it must have moved.

A bot gets the budget of its level: iterations, and the seconds that the level may take as a limit.
When a person has waited for long already, because many games wait, the bot gets less of both: half
for each second. Time in which the worker had nothing to do does not count (`shifts`).
`iterations` of the event says what the bot has used, so any reader can repeat the move.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

from cartulary.bots.base import BotEntry
from cartulary.bots.thought import Budget
from cartulary.events.model.table import Table
from cartulary.games.offer import Offer
from cartulary.workers.queues.lines import Thinks

QUICK_MS: Final = 50
"""A bot that takes no longer than this is quick, and any worker may run it."""

HALVED_EVERY_MS: Final = 1000
"""A budget is halved whenever a person has waited for so long."""

LEAST: Final = 1 / 16
"""No budget shrinks to a smaller share: a bot that plays out less is no better than `medium`."""

SLACK_MS, LONGEST_MS = 100, 1000
"""A thought may last so much longer than its level takes of an idle processor, up to a second."""

DEADLINE_S: Final = 5.0
"""After this time, in seconds, another bot moves for a bot whose level says how long it takes."""

LATE_FACTOR: Final = 4
"""A bot may take so many times what its level says, if that is longer than `DEADLINE_S`."""

DEADLINE_UNKNOWN_S: Final = 20.0
"""The deadline of a bot whose time is not measured."""


def is_quick(entry: BotEntry) -> bool:
    """Return whether a bot moves within `QUICK_MS`, as far as it is measured."""
    if entry.ms is None:
        return entry.budget is None
    return entry.ms <= QUICK_MS


def find_thinkers(offers: Mapping[str, Offer]) -> Thinks:
    """Return what says of a table whether the bot that is to move thinks for long.

    A bot that is not on offer any more does not: `medium` moves for it.
    """

    def thinks(table: Table) -> bool:
        offer, bot = offers.get(table.game), table.bot_to_move
        if offer is None or bot is None:
            return False
        entry = offer.bots.get(bot)
        return entry is not None and not is_quick(entry)

    return thinks


def choose_budget(entry: BotEntry, waited_ms: int, seats: int = 2) -> Budget:
    """Return the budget of a bot for whose move a person has waited for so long (0: no person).

    `seats` are those of the table. A bot that does not search gets one iteration.
    """
    full = entry.budget_of(seats)
    if full is None:
        return Budget(1)
    seconds = full.seconds
    if seconds is None and entry.ms is not None:
        seconds = max(entry.ms, min(entry.ms + SLACK_MS, LONGEST_MS)) / 1000
    share = max(LEAST, 0.5 ** (max(0, waited_ms) / HALVED_EVERY_MS))
    return Budget(full.iterations, seconds, full.clock).shrink(share)


def find_deadline(entry: BotEntry) -> float:
    """Return after how many seconds another bot moves for this one."""
    if entry.ms is None:
        return DEADLINE_UNKNOWN_S
    return max(DEADLINE_S, LATE_FACTOR * entry.ms / 1000)


@contextmanager
def ends_within(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` in the `with` block when it takes longer than `seconds`.

    The alarm of RQ, which ends the whole job, is kept for afterwards. Outside the main thread
    nothing happens, because no signal comes there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, _ring)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            rest = left - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(rest, 0.001))


def _ring(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TimeoutError("the bot has missed its deadline")
