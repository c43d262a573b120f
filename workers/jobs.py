"""The jobs. Each finds in the ledger what is to be done, and does nothing when nothing is.

They may run late, twice, at the same time or half-way: the version in the append decides, and the
bots' generator is seeded with game and version, so a repeated job plays the same move.
"""

from __future__ import annotations

import functools
import time

from cartulary.bots.catalogue import OFFERS, bot_named
from cartulary.events.settings import Settings
from cartulary.events.store import Store

TURN_BUDGET_S = 0.5
"""A job goes on while bots are to move, this long; then the next event's own job takes over."""


@functools.cache
def store() -> Store:
    """Return this process's ledger, opened from the environment at the first job."""
    return Store.open(Settings.from_env(), OFFERS)


def bot_turn(game_id: str, version: int) -> int:
    """Let bots move in a game that is still at `version`; returns the number of moves made."""
    return play_on(store(), game_id, version)


def score(game_id: str, _version: int) -> int:
    """Count the end-of-game score of a game whose play is over; returns the events appended.

    The version is part of the job's id only: nothing but the count can follow the last move.
    """
    return len(store().commands.score(game_id).events)


def play_on(ledger: Store, game_id: str, version: int, budget: float = TURN_BUDGET_S) -> int:
    """Let bots move while it is their turn and `budget` (seconds) lasts; at least once.

    Raises `NotFound` for an unknown game and `KeyError` for a bot that is no longer on offer.
    """
    deadline = time.monotonic() + budget
    table, moves = ledger.projector.table(game_id), 0
    if table.version != version:
        return 0
    while (name := table.bot_to_move) is not None and (not moves or time.monotonic() < deadline):
        written = ledger.commands.bot_move(game_id, table.version, bot_named(table.game, name))
        if not written.events:
            break
        table = written.table
        moves += 1
    return moves
