"""Games go on while their slot is moved to another node, as an operator does it step by step."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest

from bench.cluster_nodes import HOST, BenchCluster, ClusterNode
from cartulary.events.backup.dump import dump
from cartulary.events.backup.errors import BackupError
from cartulary.events.chat.messages import PLAYERS
from cartulary.events.chat.talk import Wording
from cartulary.events.commands.commands import Intent
from cartulary.events.live.live import Hub
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.cluster import Moving
from cartulary.events.server.slots import find_slot, find_tag
from cartulary.events.store import Store
from tests.events.support.bean_games import any_move, beans_game
from tests.events.support.followed_streams import take

pytestmark = pytest.mark.real


class Move:
    """A slot on its way from its master to the next one; ends when the test does."""

    def __init__(self, nodes: BenchCluster, slot: int) -> None:
        self.slot, self._nodes = slot, nodes
        masters = nodes.masters
        self.source = next(node for node in masters if _has(node, slot))
        self.target = masters[masters.index(self.source) - 1]

    def begin(self) -> None:
        self.target.ask("CLUSTER", "SETSLOT", self.slot, "IMPORTING", _name(self.source))
        self.source.ask("CLUSTER", "SETSLOT", self.slot, "MIGRATING", _name(self.target))

    def carry(self, part: str = "") -> None:
        """Carry the keys with a part in their names."""
        stored = self.source.ask("CLUSTER", "GETKEYSINSLOT", self.slot, 10_000)
        chosen = [key for key in stored if part.encode() in key]
        self.source.ask("MIGRATE", HOST, self.target.port, "", 0, 5000, "KEYS", *chosen)

    def end(self) -> None:
        for node in [self.target, self.source, *self._nodes.masters]:
            node.ask("CLUSTER", "SETSLOT", self.slot, "NODE", _name(self.target))


def _name(node: ClusterNode) -> bytes:
    return bytes(node.ask("CLUSTER", "MYID"))


def _has(node: ClusterNode, slot: int) -> bool:
    ranges = node.ask("CLUSTER", "SLOTS")
    return any(
        first <= slot <= last and master[1] == node.port for first, last, master, *_ in ranges
    )


@pytest.fixture
def pair(store: Store, ada: Player) -> list[Table]:
    """Two games in one slot."""
    found: dict[int, list[Table]] = {}
    while True:
        table = store.commands.create(Intent(ada), beans_game()).table
        same = found.setdefault(find_slot(table.id), [])
        same.append(table)
        if len(same) == 2:
            store.outbox.ack(store.outbox.read("one"))
            return same


@pytest.fixture
def way(pair: list[Table], nodes: BenchCluster) -> Iterator[Move]:
    move = Move(nodes, find_slot(pair[0].id))
    yield move
    move.carry()
    move.end()


def play(store: Store, ada: Player, game: Table) -> int:
    """Make a move with a key that a repeated request has again; return the version after it."""
    table = store.projector.table(game.id)
    done = store.commands.move(
        Intent(ada, table.version, key=str(table.version)), game.id, any_move(table)
    )
    return done.table.version


def test_the_games_of_a_slot_that_is_moved_go_on_but_for_those_that_are_cut_in_two(
    store: Store, hub: Hub, ada: Player, pair: list[Table], way: Move
) -> None:
    first, second = pair
    with (
        hub.subscribe(first.id, first.version) as of_first,
        hub.subscribe(second.id, second.version) as of_second,
    ):
        way.begin()
        assert take(of_first, play(store, ada, first))
        way.carry(first.id)
        with pytest.raises(Moving):  # the game is on the target, the outbox of its slot is not
            play(store, ada, first)
        version = play(store, ada, second)
        assert take(of_second, version) == [version]
        way.carry(keys.outbox_of_tag(find_tag(way.slot)))
        with pytest.raises(Moving):
            play(store, ada, second)
        reached = play(store, ada, first)
        assert reached == first.version + 2
        assert {entry.game for entry in store.outbox.read("one")} == {first.id, second.id}
        assert {entry.game for entry in store.outbox.reclaim("two", 0)} == {first.id, second.id}
        way.carry()
        assert play(store, ada, second) == second.version + 2
        way.end()
        assert take(of_first, reached) == [reached]
        assert take(of_second, second.version + 2) == [second.version + 2]
    assert store.audit.game(first.id).valid
    assert [entry.version for entry in store.outbox.read("one")] == [second.version + 2]


def test_a_room_whose_slot_is_moved_gets_its_messages_and_stops_no_other_stream(
    store: Store, hub: Hub, ada: Player, pair: list[Table], way: Move
) -> None:
    game, other = pair[0], store.commands.create(Intent(ada), beans_game()).table
    with (
        hub.follow_feed(store.talk.follow(game.id), "0-0") as room,
        hub.subscribe(other.id, other.version) as elsewhere,
    ):
        store.talk.say(ada, game.id, Wording(PLAYERS, None, "hello"))
        assert len(room.get(10.0)) == 1
        way.begin()
        way.carry(game.id)
        with pytest.raises(Moving):
            store.talk.say(ada, game.id, Wording(PLAYERS, None, "thanks"), "key")
        version = play(store, ada, other)
        assert take(elsewhere, version) == [version]
        way.carry()
        way.end()
        store.talk.say(ada, game.id, Wording(PLAYERS, None, "thanks"), "key")
        assert len(room.get(10.0)) == 1


def test_no_backup_is_written_while_a_slot_is_moved(store: Store, way: Move) -> None:
    way.begin()
    with pytest.raises(BackupError, match="being moved"):
        dump(store.redis, BytesIO(), registry=store.registry)
    way.carry()
    way.end()
    assert dump(store.redis, BytesIO(), registry=store.registry).games == len(
        [*store.ledger.game_ids()]
    )
