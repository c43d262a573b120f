"""A move whose answer was lost is stored once, and its author gets the answer to that move."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from redis import Redis

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.errors import Refused
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import ME, any_move, everything_stored
from tests.support.listening_server import Listening

pytestmark = pytest.mark.real

GAMES = [
    NewGame("carcassonne", [ME, SeatRequest("bot", "random")]),
    NewGame("caylus", [ME, SeatRequest("bot", "random")]),
]


class Cutter(Listening):
    """A server in front of the store that cuts the connection instead of answering an append."""

    def __init__(self, store_path: Path) -> None:
        self._store_path = store_path
        self.before_the_cut: Callable[[], object] | None = None
        """Called when the answer has come from the store; the answer is then dropped."""
        super().__init__()

    def take(self, client: socket.socket) -> None:
        behind = socket.socket(socket.AF_UNIX)
        behind.connect(str(self._store_path))
        appended = Event()
        for act, ends in ((self._pump, (client, behind)), (self._answer, (behind, client))):
            Thread(target=act, args=(*ends, appended), daemon=True).start()

    @staticmethod
    def _pump(source: socket.socket, target: socket.socket, appended: Event) -> None:
        try:
            while data := source.recv(65536):
                if b"EVALSHA" in data and b":events" in data:
                    appended.set()
                target.sendall(data)
        except OSError:
            pass  # the other direction has been cut
        finally:
            target.close()

    def _answer(self, behind: socket.socket, client: socket.socket, appended: Event) -> None:
        try:
            while data := behind.recv(65536):
                act = self.before_the_cut
                if act is not None and appended.is_set():
                    self.before_the_cut = None
                    act()
                    client.shutdown(socket.SHUT_RDWR)
                    return
                appended.clear()  # the answer to the next append is cut, not that to a read
                client.sendall(data)
        except OSError:
            pass  # the client has left
        finally:
            client.close()


@pytest.fixture
def cutter(real_server: str) -> Iterator[Cutter]:
    cutter = Cutter(Path(real_server.removeprefix("unix://").partition("?")[0]))
    yield cutter
    cutter.close()


@pytest.fixture
def person(cutter: Cutter, real_store: Store) -> Iterator[Store]:
    """The process that serves a person, behind the connection that is cut."""
    store = Store(connect(cutter.url), OFFERS, rng=random.Random(3))
    yield store
    store.close()


def let_the_bot_move(store: Store, table: Table) -> Table:
    """Make the moves of the bot, as a worker does, as long as it is asked."""
    now = store.projector.table(table.id)
    while now.bot_to_move is not None:
        now = store.commands.bots.move(
            table.id, now.position, lambda state, _: state.moves()[0]
        ).table
    return now


@pytest.mark.parametrize("key", [None, "a key"])
@pytest.mark.parametrize("game", GAMES, ids=[game.game for game in GAMES])
def test_a_bot_that_moves_before_the_repetition_takes_no_move_from_its_author(
    cutter: Cutter, person: Store, real_store: Store, game: NewGame, key: str | None
) -> None:
    ada = real_store.players.create("Ada")[0]
    table = let_the_bot_move(real_store, real_store.commands.create(Intent(ada), game).table)
    answered = 0
    for _ in range(12):
        table = person.projector.table(table.id)
        assert table.decision is not None
        came: list[Table] = []
        move = any_move(table)
        cutter.before_the_cut = lambda came=came, table=table: came.append(
            let_the_bot_move(real_store, table)
        )
        name = key and f"{key} {table.version}"
        written = person.commands.move(Intent(ada, table.version, key=name), table.id, move)
        assert came, "the answer was lost"
        assert written.events[0]["move"] == move
        assert written.events[0]["version"] == table.version + 1
        assert not written.replayed
        stored = real_store.ledger.deliver(table.id, table.version)
        assert stored[0] == written.events[0]
        mine = [event for event in stored if event["seat"] == written.events[0]["seat"]]
        assert len(mine) == 1, "the move was stored once"
        answered += len(stored) > 1
    assert answered > 0, "a bot has moved in between"
    assert real_store.audit.game(table.id).problems == []


def test_a_creation_whose_answer_was_lost_makes_one_game(
    cutter: Cutter, person: Store, real_store: Store
) -> None:
    ada = real_store.players.create("Ada")[0]
    person.projections.summary("nothing")
    cutter.before_the_cut = lambda: None
    table = person.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    assert list(real_store.ledger.game_ids()) == [table.id]


def test_what_another_append_has_stored_is_not_taken_for_a_repetition(
    real_store: Store, real_redis: Redis
) -> None:
    """Two processes write the same event after the same event: one of them is refused."""
    ada = real_store.players.create("Ada")[0]
    table = real_store.commands.create(Intent(ada), GAMES[0]).table
    table = let_the_bot_move(real_store, table)
    elsewhere = Store(real_redis, OFFERS)
    move = any_move(table)
    assert real_store.commands.move(Intent(ada, table.version), table.id, move).events
    before = everything_stored(real_store)
    with pytest.raises(Refused):
        elsewhere.commands.move(Intent(Player(ada.id, "Ada"), table.version), table.id, move)
    assert everything_stored(real_store) == before
