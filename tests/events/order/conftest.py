"""Players, and an operator who gives orders about them, on a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.lists.inbox import PAGE
from cartulary.events.order.log import LogEntry
from cartulary.events.order.orders import Order
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.conftest import timed_store
from tests.support.fake_clock import FakeClock

Give = Callable[..., LogEntry]


@pytest.fixture
def store(fake_store: Store, clock: FakeClock) -> Store:
    """On fakeredis alone: nothing here depends on what a server adds."""
    found = timed_store(fake_store, clock)
    found.since.read()
    return found


@pytest.fixture
def cleo(store: Store) -> Player:
    """An operator."""
    player = store.players.create("Cleo")[0]
    store.office.operators.grant(player, days=1)
    return player


@pytest.fixture
def give(store: Store, cleo: Player) -> Give:
    """Give an order about a player."""

    def give(command: Any, player: Player | str, **more: Any) -> LogEntry:
        player_id = player if isinstance(player, str) else player.id
        return store.office.orders.give(
            Order(command, player_id, more.pop("reason", "a test"), cleo.id, **more)
        )

    return give


def read_news(store: Store, player: Player) -> list[tuple[str, str]]:
    """Return what the inbox of a player says of decisions: what, and the words."""
    import orjson

    items = [orjson.loads(one.text) for one in store.inbox.read(player.id, "", PAGE).entries]
    data = [item["data"] for item in items if item["data"].get("by") == "operators"]
    return [(one["what"], one["text"]) for one in data]
