"""The store under test, once on fakeredis and once on a real server, and helpers to play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, SeatRequest
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.live.live import Hub
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from tests.events.support.bean_games import ME, MINE, OPEN, beans_game
from tests.events.support.table_before_start import Scene


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.real)])
def store(request: pytest.FixtureRequest) -> Store:
    """The same tests hold on both servers."""
    chosen: Store = request.getfixturevalue(f"{request.param}_store")
    return chosen


@pytest.fixture
def ada(store: Store) -> Player:
    return store.players.create("Ada")[0]


@pytest.fixture
def bob(store: Store) -> Player:
    return store.players.create("Bob")[0]


@pytest.fixture
def open_table(store: Store, ada: Player) -> Table:
    """A game of Ada that waits for a second player."""
    return store.commands.create(Intent(ada), beans_game(ME, OPEN, entropy=MINE)).table


@pytest.fixture
def eve(store: Store) -> Player:
    return store.players.create("Eve")[0]


@pytest.fixture
def make_scene(store: Store, ada: Player, bob: Player, eve: Player) -> Callable[..., Scene]:
    def make_scene(*seats: SeatRequest, **more: Any) -> Scene:
        request = beans_game(*(seats or (ME, OPEN, OPEN)), **more)
        return Scene(store, ada, bob, eve, store.commands.create(Intent(ada), request).table)

    return make_scene


@pytest.fixture
def scene(make_scene: Callable[..., Scene]) -> Scene:
    return make_scene()


@pytest.fixture
def ledger(real_redis_url: str) -> Iterator[Ledger]:
    """A ledger on a real server."""
    client = connect(real_redis_url)
    yield Ledger(client)
    client.close()


@pytest.fixture
def hub(ledger: Ledger) -> Iterator[Hub]:
    """A hub of that ledger."""
    hub = Hub(ledger)
    yield hub
    hub.close()
