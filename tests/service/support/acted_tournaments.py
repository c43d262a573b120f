"""The examples of `openapi.yaml` for tournaments, acted out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import format_time
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.service.support.caller import Caller

Acted = tuple[str, list[Any]]
WISH: dict[str, Any] = {
    "name": "Thursday",
    "game": "carcassonne",
    "table": [2],
    "format": "swiss",
    "rounds": 2,
    "pace": {"mode": "correspondence", "delay": 86_400, "bank": 259_200},
    "start": {"by_host": True},
}
"""What a host asks for: two rounds for two seats, started by the host."""


def hold_tournament(ada: Caller, bob: Caller, store: Store, asked: Any) -> Iterator[Acted]:
    """Let Ada host a tournament for Bob and two others, one of whom she removes."""
    made = [ada.post("/tournaments", body).json for body in asked["announce_tournament"]]
    yield "announce_tournament", made
    path = f"/tournaments/{made[0]['id']}"
    cyd, dan, eve = (register(ada, store, name) for name in ("Cyd", "Dan", "Eve"))
    entry = asked["enter_tournament"][0]
    yield "enter_tournament", [one.post(f"{path}/entry", entry).json for one in (ada, bob, cyd)]
    for one in (dan, eve):
        assert one.post(f"{path}/entry", {}).status_code == 201
    yield "remove_entrant", [ada.delete(f"{path}/entrants/{dan.id}").json]
    yield "leave_tournament", [eve.delete(f"{path}/entry").json]
    yield "start_tournament", [ada.post(f"{path}/start", {}).json]
    store.tournaments.driver.step(made[0]["id"])
    yield "change_availability", [change_week(one, asked) for one in (ada, bob, cyd)]
    yield "open_calendar", [ada.post("/players/me/calendar").json]
    yield "show_availability", [ada.get("/players/me/availability").json]
    soon = format_time(store.clock.now_ms() + 3_600_000)
    accepted = ada.post(f"{path}/tables/1/times", {"time": soon})
    assert accepted.status_code == 201, accepted.text
    yield "accept_table_time", [accepted.json]
    yield "show_table_times", [ada.get(f"{path}/tables/1/times").json]
    play_round(store, made[0]["id"])
    operator = register(ada, store, "Wanda")
    player = store.players.by_id(operator.id)
    assert player is not None
    operator.token = store.office.operators.grant(player, 1).secret
    decided = asked["decide_table"][0]
    yield "order_tournament", [remove(operator, f"/operator{path}/orders", cyd, asked)]
    yield "decide_table", [operator.put(f"{path}/tables/1/result", decided).json]
    yield "list_tournaments", [bob.get("/tournaments?player=me").json]
    yield "show_tournament_now", [bob.get(path).json]
    yield "list_entrants", [bob.get(f"{path}/entrants").json]
    yield "show_standings", [bob.get(f"{path}/standings").json]
    yield "show_round", [bob.get(f"{path}/rounds/1").json]
    yield "list_tables", [bob.get(f"{path}/games").json]
    yield "verify_tournament_now", [bob.get(f"{path}/verification").json]
    yield "list_tournament_events", [bob.get(f"{path}/events?after=1&limit=1").json]
    yield "compare_tables", [compare(ada, store, asked["announce_tournament"][0])]
    yield "cancel_tournament", [ada.post(f"{path}/cancel", {}).json]


def remove(operator: Caller, path: str, who: Caller, asked: Any) -> Any:
    """Let an operator remove an entrant."""
    order = {**asked["order_tournament"][0], "player": who.id}
    return operator.post(path, order).json


def change_week(who: Caller, asked: Any) -> Any:
    """Say when a player could play."""
    return who.put("/players/me/availability", asked["change_availability"][0]).json


def compare(ada: Caller, store: Store, terms: dict[str, Any]) -> Any:
    """Play a round of a duplicate, and compare its tables."""
    body = {**terms, "duplicate": True, "table": [2], "rounds": 1}
    tournament = ada.post("/tournaments", body).json["id"]
    path = f"/tournaments/{tournament}"
    for name in ("Fay", "Gus", "Hal", "Ida"):
        assert register(ada, store, name).post(f"{path}/entry", {}).status_code == 201
    assert ada.post(f"{path}/start", {}).status_code == 201
    play_round(store, tournament)
    return ada.get(f"{path}/rounds/1/comparison").json


def register(caller: Caller, store: Store, name: str) -> Caller:
    """Register a player; not over HTTP, where an address registers a few players only."""
    player, token = store.players.create(name)
    return Caller(caller.client, token, player.id)


def play_round(store: Store, tournament: str) -> None:
    """Let all but the last player of each table resign, and a dispatcher look before and after."""
    store.tournaments.driver.step(tournament)
    for table in store.tournaments.streams.read(tournament).tournament.playing_tables():
        game = store.projector.table(table.game)
        for number, seat in enumerate(game.seats):
            assert seat.player is not None
            who = Intent(Player(seat.player["id"], seat.player["name"]))
            if not game.running:
                game = store.commands.time.ready(who, table.game, number, True).table
        for seat in game.seats[:-1]:
            assert seat.player is not None
            who = Intent(Player(seat.player["id"], seat.player["name"]))
            store.commands.leaving.resign(who, table.game)
        store.commands.score(table.game)
    store.tournaments.driver.step(tournament)
