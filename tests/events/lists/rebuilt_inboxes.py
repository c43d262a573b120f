"""Build the inboxes of a game again: what they hold, and what another reckoning expects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from cartulary.events.lists.update_lists import ListUpdater
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store


def read_items(store: Store, player: Player | str) -> list[Json]:
    """Return the whole inbox of a player."""
    player_id = player if isinstance(player, str) else player.id
    found = store.inbox.read(player_id, limit=1000)
    return [orjson.loads(entry.text) for entry in found.entries]


def types_of(store: Store, player: Player) -> list[str]:
    """Return the types of the items in the inbox of a player."""
    return [item["type"] for item in read_items(store, player)]


def forget(store: Store) -> None:
    """Empty the inboxes, and forget what they know."""
    store.projections.clear()
    store.redis.delete(keys.notified())


def make_teller(store: Store) -> ListUpdater:
    return ListUpdater(store.ledger, store.projector, store.projections, store.rules)


def retell(store: Store, game_id: str, versions: Iterable[int]) -> dict[str, list[str]]:
    """Tell the inboxes of a game again, as a dispatcher that reads it at these versions.

    Returns the ids of the items by player, in order.
    """
    forget(store)
    teller = make_teller(store)
    for version in versions:
        teller.follow(store.projector.table(game_id, version))
    return read_all(store)


def read_all(store: Store) -> dict[str, list[str]]:
    redis: Any = store.redis
    prefix = keys.inbox("")
    players = [key.decode().removeprefix(prefix) for key in redis.keys(f"{prefix}*")]
    return {
        player: [item["id"] for item in read_items(store, player)]
        for player in sorted(players)
        if ":" not in player
    }


def reckon_turns(events: list[Json], people: dict[int, str], last: int | None) -> dict[str, int]:
    """Count the turns of each player in a game of moves alone: the runs of one seat.

    `last` is the seat that is asked at the end, None when the game is over.
    """
    asked = [event["seat"] for event in events if event["type"] == "move_made"]
    if last is not None:
        asked.append(last)
    runs = [seat for n, seat in enumerate(asked) if n == 0 or asked[n - 1] != seat]
    counts = dict.fromkeys(people.values(), 0)
    for seat in runs:
        if seat in people:
            counts[people[seat]] += 1
    return counts


def follow(store: Store, game_id: str) -> None:
    """Let the dispatcher's teller see the table as it is now."""
    store.list_updater.follow(store.projector.table(game_id))


def count_turns(store: Store, players: list[Player]) -> dict[str, int]:
    """Count the items `your_turn` of each player, by id."""
    return {player.id: types_of(store, player).count("your_turn") for player in players}
