"""The games that count for ratings, found again: in the store and in the archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import orjson

from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.table import Table
from cartulary.events.ratings.finding import find_result
from cartulary.events.store import Store

PIECE = 500
"""Summaries that are read at once."""


def note_result(store: Store, table: Table) -> None:
    """Note the result of a game, if it counts; it is folded later. Raises `RedisError`."""
    result = find_result(table, store.ledger.events)
    if result is not None:
        store.ratings.note(result)


def note_archived(store: Store, broken: list[str]) -> None:
    """Note the results of archived games that count; adds the ids of unreadable ones to `broken`.

    Raises `ArchiveError`, `RedisError`.
    """
    for game_id in list_archived(store):
        try:
            note_result(store, store.projector.table(game_id))
        except (BrokenHistory, UnknownEvent):
            broken.append(game_id)


def list_archived(store: Store) -> Iterator[str]:
    """Yield the archived games that count, by what their summaries say."""
    for ids in cut(store.archive.ids()):
        for game_id, text in store.archive.summaries(ids).items():
            if orjson.loads(text).get("ladder") is not None:
                yield game_id


def cut(ids: Iterable[str]) -> Iterator[list[str]]:
    """Yield pieces of some ids."""
    rest = iter(ids)
    while piece := list(islice(rest, PIECE)):
        yield piece
