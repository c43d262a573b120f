"""What the stream of the lobby brings, and when it is written."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.company.lobby import Lobby
from cartulary.events.company.seeks import NewSeek
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import ME, OPEN, beans_game


@pytest.fixture
def lobby(store: Store) -> Lobby:
    """A lobby that has a reader and was looked at once."""
    store.lobby.hold()
    assert store.lobby.look()
    return store.lobby


def lines_of(store: Store) -> list[dict[str, Any]]:
    found: Any = store.registry.xrange(keys.lobby_changes())
    return [orjson.loads(fields[b"line"]) for _, fields in found]


def count_of(line: dict[str, Any]) -> dict[str, int]:
    (beans,) = [one for one in line["counts"] if one["game"] == "beans"]
    return {name: beans[name] for name in ("open", "vacant", "running", "seeks")}


def test_without_readers_nothing_is_written(store: Store, ada: Player) -> None:
    store.commands.create(Intent(ada), beans_game(ME, OPEN))
    assert not store.lobby.look()
    release = store.lobby.hold()
    assert store.lobby.look()
    release()
    store.registry.delete(keys.lobby_watched())
    store.lobby.flush()
    assert not store.lobby.look()


def test_what_is_new_changes_or_goes_comes_once_and_whole(
    store: Store, lobby: Lobby, ada: Player, bob: Player, eve: Player
) -> None:
    assert not lobby.look()
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
    store.commands.create(Intent(ada), beans_game(ME, OPEN, visibility="private"))
    wish = store.matchmaker.check(ada, NewSeek("beans", {}, (4,)))
    seek = store.matchmaker.seek(ada, wish).sought.seek
    assert lobby.look()
    assert not lobby.look()
    store.commands.arranging.join(Intent(bob), table.id)
    assert lobby.look()
    store.commands.arranging.join(Intent(eve), table.id)
    store.seeks.withdraw(ada.id, seek.id)
    assert lobby.look()
    first, new, changed, gone = lines_of(store)
    assert first["snapshot"]["tables"] == first["snapshot"]["seeks"] == []
    assert [one["id"] for one in new["change"]["tables"]] == [table.id]
    assert new["change"]["seeks"] == [{**seek.describe(), "player": None}]
    assert count_of(new["change"]) == {"open": 1, "vacant": 0, "running": 0, "seeks": 1}
    (seats,) = [one["seats"] for one in changed["change"]["tables"]]
    assert [seat["state"] for seat in seats] == ["seated", "seated", "open"]
    assert changed["change"]["tables_gone"] == changed["change"]["seeks"] == []
    assert gone["change"]["tables_gone"] == [table.id]
    assert gone["change"]["seeks_gone"] == [seek.id]
    assert count_of(gone["change"]) == {"open": 0, "vacant": 0, "running": 1, "seeks": 0}


def test_a_reader_with_a_snapshot_and_later_changes_has_the_lobby(
    store: Store, lobby: Lobby, ada: Player, bob: Player
) -> None:
    tables = [store.commands.create(Intent(ada), beans_game(ME, OPEN)).table for _ in range(3)]
    lobby.look()
    tables.append(store.commands.create(Intent(ada), beans_game(ME, OPEN)).table)
    place, snapshot = lobby.take_snapshot()
    shown = {one["id"]: one for one in orjson.loads(snapshot)["snapshot"]["tables"]}
    assert shown.keys() == {one.id for one in tables[:3]}
    # Seen by no look of the dispatcher, and so by no reader.
    store.commands.arranging.join(Intent(bob), tables[3].id)
    store.commands.arranging.join(Intent(bob), tables[0].id)
    tables[0] = store.commands.create(Intent(bob), beans_game(ME, OPEN)).table
    lobby.look()
    found: Any = store.registry.xrange(keys.lobby_changes(), f"({place}")
    for _, fields in found:
        change = orjson.loads(fields[b"line"])["change"]
        shown |= {one["id"]: one for one in change["tables"]}
        shown = {name: one for name, one in shown.items() if name not in change["tables_gone"]}
    now = orjson.loads(lobby.take_snapshot()[1])["snapshot"]["tables"]
    assert shown == {one["id"]: one for one in now}
    assert shown.keys() == {one.id for one in tables[:3]}


def test_one_dispatcher_looks_and_another_takes_over_with_the_whole_lobby(
    store: Store, lobby: Lobby, ada: Player
) -> None:
    other = Lobby(store.registry, store.projections, store.seeks, store.rules)
    store.commands.create(Intent(ada), beans_game(ME, OPEN))
    assert not other.look()
    store.registry.delete(keys.lobby_turn())
    assert other.look()
    assert not lobby.look()
    assert [*lines_of(store)[-1]] == ["snapshot"]


def test_a_cursor_that_the_stream_has_lost_needs_a_snapshot(store: Store, lobby: Lobby) -> None:
    place, _ = lobby.take_snapshot()
    assert lobby.find_place(place) == place
    assert lobby.find_place("1-0") == lobby.find_place("") == ""
    with pytest.raises(ValueError, match="x"):
        lobby.find_place("x")
    store.registry.delete(keys.lobby_changes())
    assert lobby.find_place(place) == ""
