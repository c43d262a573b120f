"""The games that statistics count, found again: in the store and in the archive."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.profiles.finding import counts
from cartulary.events.store import Store
from cartulary.events.upkeep.rated_games import cut

Done = Callable[[int], None]
"""Called with the number of archived games that were looked at so far."""


def count_game(store: Store, table: Table) -> None:
    """Count a game for its players, unless it is counted or sealed. Raises `RedisError`."""
    if table.result is not None and not table.sealed and not store.statistics.has(table.id):
        store.statistics.count(table.summary(), store.ledger.events(table.id))


def count_archived(store: Store, broken: list[str], done: Done) -> None:
    """Count the archived games; adds the ids of unreadable ones to `broken`.

    No game is played again: its summary and its events say all. Raises `ArchiveError`,
    `RedisError`.
    """
    looked_at = 0
    for ids in cut(store.archive.ids()):
        for game_id, text in store.archive.summaries(ids).items():
            _count_archived(store, game_id, orjson.loads(text), broken)
        looked_at += len(ids)
        done(looked_at)


def _count_archived(store: Store, game_id: str, summary: Json, broken: list[str]) -> None:
    if not counts(summary) or store.statistics.has(game_id):
        return
    try:
        store.statistics.count(summary, store.ledger.events(game_id))
    except (BrokenHistory, UnknownEvent):
        if game_id not in broken:
            broken.append(game_id)
