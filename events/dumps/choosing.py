"""Choosing: the games of a month that may be in a dump, the oldest end first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple, Self

from cartulary.events.dumps.consent import Consents
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.store import Store

MONTH: Final = re.compile(r"[1-9][0-9]{3}-(?:0[1-9]|1[0-2])")
PUBLIC: Final = "public"
PAGE: Final = 1000


class Month(NamedTuple):
    """A month of UTC: its name, and its bounds in ms since the epoch."""

    name: str
    begins: int
    ends: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the month of a text as `2026-10`. Raises `ValueError`."""
        if not MONTH.fullmatch(text):
            raise ValueError(f"{text!r} is no month")
        first = datetime(int(text[:4]), int(text[5:]), 1, tzinfo=UTC)
        after = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
        return cls(text, *(int(one.timestamp()) * 1000 for one in (first, after)))


def list_games(store: Store, month: Month, consents: Consents) -> Iterator[Table]:
    """Yield the tables of the games that ended in a month and may be in its dump.

    In the order of their ends. A game that cannot be read is left out. Raises `ArchiveError`,
    `RedisError`.
    """
    for game_id in _list_ended(store, month):
        table = read_table(store, game_id)
        if table is not None and _is_in(table, month) and may_dump(table, consents):
            yield table


def read_table(store: Store, game_id: str) -> Table | None:
    """Return a game, None for one that is gone or cannot be read."""
    try:
        return store.projector.table(game_id)
    except (NotFound, BrokenHistory, UnknownEvent):
        return None


def may_dump(table: Table, consents: Consents) -> bool:
    """Return whether a game is public, was played here, has a result, and all have said yes."""
    return (
        table.visibility == PUBLIC
        and table.status is Status.OVER
        and table.result is not None
        and not table.sealed
        and table.names is None
        and table.terms.branched_from is None
        and consents.are_given(table.people)
    )


def _is_in(table: Table, month: Month) -> bool:
    return month.begins <= milliseconds(table.updated_at) < month.ends


def _list_ended(store: Store, month: Month) -> list[str]:
    """Return ids of games that may have ended in a month, of the archive and of the store."""
    found: dict[str, int] = {}
    # What is noted of a game after its end makes it later in the store, never earlier.
    for game_id in store.projections.finished.list_since(month.begins):
        found[game_id] = month.ends
    if store.archive.is_set:
        for game in store.rules:
            after = month.begins - 1, ""
            while page := store.archive.archive.list_ended(game, after, PAGE):
                found |= {game_id: ended for ended, game_id in page if ended < month.ends}
                after = page[-1]
                if after[0] >= month.ends:
                    break
    return sorted(found, key=lambda game_id: (found[game_id], game_id))
