"""A ledger with a queue on the same server, and games for the bots to play."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import Queues, queues_on
from cartulary.workers.wiring import provide
from tests.conftest import OFFERS

ME, BOT = SeatRequest("me"), SeatRequest("bot", "random")


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.real)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """The same tests hold on both servers; the jobs of this process work on the store."""
    chosen: Store = request.getfixturevalue(f"{request.param}_store")
    provide(chosen, OFFERS)
    yield chosen
    provide(chosen, {})


@pytest.fixture
def queue(store: Store) -> Queues:
    return queues_on(store.redis)


@pytest.fixture
def dispatcher(store: Store, queue: Queues) -> Dispatcher:
    return Dispatcher(store, queue)


@pytest.fixture
def ada(store: Store) -> Player:
    return store.players.create("Ada")[0]


def new_game(store: Store, player: Player, *seats: SeatRequest, game: str = "beans") -> Table:
    """A game that has started, two bots by default."""
    return store.commands.create(Intent(player), NewGame(game, seats or (BOT, BOT))).table


def until_asked(store: Store, player: Player, *seats: SeatRequest) -> Table:
    """A game of beans in which seat 0, a person or a bot, is asked first."""
    while True:
        table = new_game(store, player, *seats)
        assert table.decision is not None
        if table.decision.seat == 0:
            return table
