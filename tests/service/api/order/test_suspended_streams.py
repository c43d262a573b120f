"""What becomes of the open streams of a player who is suspended, or whose account is closed."""

from __future__ import annotations

from typing import Any

from flask import Flask

from cartulary.events.order.orders import Order
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.many_games_reader import ManyGamesReader


def open_private(ada: Caller, bob: Caller, *more: str) -> str:
    """Open a private game of Ada's to which Bob is invited; returns its id."""
    seats = [{"kind": "me"}, {"kind": "invite", "player": bob.id}, *({"kind": k} for k in more)]
    wish = {"game": "carcassonne", "seats": seats, "visibility": "private"}
    game_id: str = ada.post("/games", wish).json["id"]
    return game_id


def order(store: Store, command: Any, player: Caller) -> None:
    store.office.orders.give(Order(command, player.id, "a test", "cli:root"))


def test_they_go_the_way_of_one_who_leaves(store: Store, ada: Caller, bob: Caller) -> None:
    waiting, running = open_private(ada, bob, "open"), open_private(ada, bob)
    assert bob.post(f"/games/{running}/seats", {}).json["status"] == "running"
    for game in (waiting, running):
        store.projections.apply(store.projector.table(game))
    version = bob.version(running)
    query = f"games={waiting},{running}&after=2,{version}&inbox=true"
    with ManyGamesReader(bob, query) as stream:
        order(store, "suspend", bob)
        lines = [stream.read(1)[0]]
        while not _has_all(lines, waiting, running):
            lines += stream.read(1)
    assert {"game": waiting, "closed": "hidden"} in lines
    left = [one["event"] for one in lines if one.get("game") == running and "event" in one]
    assert left[0]["type"] == "seat_forfeited"
    assert bob.get(f"/games/{waiting}").status_code == 404
    assert bob.get(f"/games/{running}").status_code == 200


def _has_all(lines: list[dict[str, Any]], waiting: str, running: str) -> bool:
    """Return whether the sight of one game, an event of the other and the decision have come."""
    decided = [one for one in lines if (one.get("inbox") or {}).get("type") == "security"]
    closed = any(one.get("game") == waiting and "closed" in one for one in lines)
    return closed and bool(decided) and any("event" in one for one in lines)


def test_all_of_them_end_where_the_account_is_closed(
    app: Flask, store: Store, ada: Caller, bob: Caller
) -> None:
    game = ada.open("me", "open")["id"]
    with ManyGamesReader(bob, f"games={game}&after=2&inbox=true") as stream:
        order(store, "close", bob)
        # The hub does so every second or two; the server of this test wakes it with news alone.
        app.extensions["cartulary"].open_tokens.look()
        stream.read_to_end()
    assert bob.get("/players/me").status_code == 401
