"""Asking for an analysis: who may, and how often."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from cartulary.events.analyses.storage import Analyses, Analysis
from cartulary.events.model.errors import GameNotRunning, GameRunning, NotFound, QuotaExceeded
from cartulary.events.model.sealing import must_be_unsealed
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.people.quotas import ANALYSES, ANALYSES_MS, Quotas
from cartulary.events.server import keys


class Asked(NamedTuple):
    """The analysis that was asked for; `is_new`: this request has started it."""

    analysis: Analysis
    is_new: bool


class Asking:
    """Starts analyses for players. Thread-safe."""

    def __init__(self, analyses: Analyses, quotas: Quotas) -> None:
        self._analyses, self._quotas = analyses, quotas

    def ask(self, player: Player, table: Table) -> Asked:
        """Start the analysis of a game that the player sees, unless it is there already.

        Raises `GameRunning` until the game is over, `GameNotRunning` for an aborted game,
        `RoundOpen` while its round is open, `QuotaExceeded`, `RedisError`.
        """
        must_be_over(table)
        must_be_unsealed(table)
        found = self._analyses.find(table.id, table.head)
        if found is not None and found.status == "done":
            return Asked(found, is_new=False)
        is_new = self._start(player, table, found)
        found = self._analyses.find(table.id, table.head)
        if found is None:
            raise NotFound(f"game {table.id} has no analysis")
        return Asked(found, is_new)

    def _start(self, player: Player, table: Table, found: Analysis | None) -> bool:
        """Start the analysis; return whether this call has."""
        if found is not None and found.under_way:
            return not self._analyses.start(table.id, table.head)
        limit = self._quotas.limit(ANALYSES)
        key = keys.analyses_of(player.id)
        if limit and (full := self._quotas.enter(key, table.id, limit)):
            used, free_at = full
            wait = max(1, math.ceil(free_at / 1000 - time.time())) if free_at else None
            raise QuotaExceeded(ANALYSES, limit, used, free_at, wait)
        is_new = not self._analyses.start(table.id, table.head)
        # Another request of the player may share the place, so only the start decides about it. A
        # place that is not confirmed ends by itself.
        if limit and is_new:
            self._quotas.conclude(key, table.id, ANALYSES_MS)
        return is_new


def must_be_over(table: Table) -> None:
    """Raise `GameRunning` until a game is over, `GameNotRunning` for an aborted game."""
    if table.status is Status.ABORTED:
        raise GameNotRunning(table.status)
    if table.status is not Status.OVER:
        raise GameRunning(table.status)
