"""The store under test, once on fakeredis and once on a real server, and helpers to play."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest

from cartulary.events.commands import NewGame, SeatRequest, Written
from cartulary.events.connection import connect
from cartulary.events.drafts import Draft
from cartulary.events.ledger import Ledger
from cartulary.events.live import Hub
from cartulary.events.players import Player
from cartulary.events.store import Store
from cartulary.events.table import Table
from cartulary.events.types import GAME_CREATED
from tests.events.scene import Scene

ME, OPEN = SeatRequest("me"), SeatRequest("open")
BOT = SeatRequest("bot", "random")
MINE, HIS = "ada_ada_ada_ada_ada", "bob-bob-bob-bob-bob"
"""What Ada and Bob add to the draws."""


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
    return store.commands.create(ada, beans_game(ME, OPEN, entropy=MINE)).table


@pytest.fixture
def eve(store: Store) -> Player:
    return store.players.create("Eve")[0]


@pytest.fixture
def make_scene(store: Store, ada: Player, bob: Player, eve: Player) -> Callable[..., Scene]:
    def make_scene(*seats: SeatRequest, **more: Any) -> Scene:
        request = beans_game(*(seats or (ME, OPEN, OPEN)), **more)
        return Scene(store, ada, bob, eve, store.commands.create(ada, request).table)

    return make_scene


@pytest.fixture
def scene(make_scene: Callable[..., Scene]) -> Scene:
    return make_scene()


def beans_game(*seats: SeatRequest, **more: Any) -> NewGame:
    return NewGame("beans", seats or (ME, ME), **more)


def private_with_open_seat(store: Store, player: Player) -> Table:
    """A private game with an open seat, as earlier releases could create it."""
    draft = Draft(store.rules, "01OLDPRIVATE")
    draft.add(
        GAME_CREATED,
        game="beans",
        options={"goal": 9},
        seats=[
            {"seat": 0, "player": {"id": player.id, "name": player.name}, "bot": None},
            {"seat": 1, "player": None, "bot": None},
            {"seat": 2, "player": None, "bot": None},
        ],
        visibility="private",
        created_by=player.id,
    )
    store.ledger.append(draft.game_id, 0, draft.sealed)
    return store.projector.table(draft.game_id)


def any_move(table: Table, rng: random.Random | None = None) -> dict[str, Any]:
    """A legal move in contract form; the first one without a generator."""
    assert table.state is not None
    moves = table.state.moves()
    found = moves[0] if rng is None else rng.choice(moves)
    return table.state.move_json(found)


def shown(table: Table) -> dict[str, Any]:
    """The table as a client reads it."""
    read: dict[str, Any] = orjson.loads(table.text())
    return read


def play_out(
    store: Store, player: Player, table: Table, seen: Callable[[Written], None] | None = None
) -> Table:
    """Play all seats of a hot-seat game to the end of the play, at random but repeatably."""
    rng = random.Random(7)
    while table.status == "running":
        written = store.commands.move(player, table.id, any_move(table, rng), table.version)
        table = written.table
        if seen is not None:
            seen(written)
    return table


def everything_stored(store: Store) -> dict[bytes, bytes]:
    """All keys with their serialised values: two equal ones mean that nothing has changed."""
    redis: Any = store.redis
    return {key: redis.dump(key) for key in redis.keys("*")}


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
