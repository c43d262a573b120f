"""Each inbox has what a fold of the whole streams tells it, in whatever portions they came."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import orjson

from cartulary.events.lists.inbox import MOST
from cartulary.events.lists.inbox_items import InboxStep, Told, follow_steps
from cartulary.events.model.effects.fold import evolve
from cartulary.events.store import Store

MISTAKE = ":mistake_returned:"
"""In the id of an item about a mistake of one's own."""


def fold_items(store: Store, game: str) -> set[str]:
    """Return the ids of all items that a game leads to, for all its players."""
    steps: list[InboxStep] = []
    before, earlier = None, store.projector.earlier(game)
    for event in store.ledger.events(game):
        after = evolve(store.rules, game, before, event, earlier=earlier)
        steps.append(InboxStep(before, event, after))
        before = after
    return {item.id for _, item in follow_steps(Told(), steps)[1]}


def read_items(store: Store, players: Collection[str]) -> tuple[set[str], bool]:
    """Return the ids of the items in some inboxes, and whether these have all that ever came."""
    found: set[str] = set()
    is_whole = True
    for player in players:
        entries = store.inbox.read(player, limit=2 * MOST).entries
        is_whole = is_whole and len(entries) < MOST
        found |= {read_id(entry.text) for entry in entries}
    return found, is_whole


def read_id(text: bytes) -> str:
    """Return the id of an item."""
    item: dict[str, Any] = orjson.loads(text)
    return str(item["id"])


def find_wrong_items(game: str, expected: set[str], inboxes: set[str]) -> Iterator[str]:
    """Yield a line for each item of a game that is missing, or is of no event.

    Where the dispatchers have met a game late, its first items say what it waited for then. What
    comes back of a game follows from its analysis, and from no event.
    """
    mine = {one for one in inboxes if one.startswith(f"{game}:") and MISTAKE not in one}
    told_from = min(map(read_version, mine), default=0)
    met_late = not mine or told_from > min(map(read_version, expected), default=0)
    for one in sorted(expected - mine):
        if not (met_late and read_version(one) <= told_from):
            yield f"{one} is missing in an inbox"
    for one in sorted(mine - expected):
        if not (met_late and read_version(one) == told_from):
            yield f"{one} is in an inbox and follows from no event"


def read_version(item: str) -> int:
    """Return the version in the id of an item."""
    return int(item.split(":")[1])
