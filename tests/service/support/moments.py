"""A finished game whose analysis is there, with one moment."""

from __future__ import annotations

from typing import Any

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, ME
from tests.events.support.games_with_draws import play_whole
from tests.service.support.caller import Caller


def ask_moment(caller: Caller, store: Store) -> tuple[str, dict[str, Any]]:
    """A game whose finished analysis has one moment, at the second placement of seat 0."""
    player = store.players.by_id(caller.id)
    assert player is not None
    wish = NewGame("carcassonne", (ME, BOT))
    game = play_whole(store, player, store.commands.create(Intent(player), wish).table).id
    assert caller.post(f"/games/{game}/analysis").status_code == 202
    events = caller.get(f"/games/{game}/events").json["events"]
    made = [one for one in events if one["type"] == "move_made"]
    one = next(one for one in made[2:] if one["seat"] == 0 and "rotation" in one["move"])
    version, seat = one["version"], one["seat"]
    state = store.projector.table(game, version - 1).state
    assert state is not None
    moves = state.legal_moves()
    other = next(move for move in moves if move != one["move"])
    following = [
        {"seat": entry["seat"], "move": entry["move"]}
        for entry in made
        if entry["version"] >= version
    ]
    future = {"moves": following[:2], "draws": [], "scores": [0, 0]}
    moment = {
        "version": version,
        "seat": seat,
        "moves": moves,
        "scores": [0, 0],
        "made": {**future, "moves": following[:1]},
        "best": {**future, "moves": [{"seat": seat, "move": other}]},
    }
    decision = {
        "version": version,
        "seat": seat,
        "kind": "place_tile",
        "move": one["move"],
        "best": other,
        "value": 1.0,
        "best_value": 6.0,
        "loss": 5.0,
        "error": 0.0,
        "win": 0.5,
        "best_win": 0.7,
        "luck": 0.0,
        "mark": "mistake",
        "line": [other],
        "why": {"move": [], "best": []},
        "alternatives": [{"move": other, "value": 6.0, "win": 0.7}],
    }
    table = store.projector.table(game)
    analysis = store.analyses.find(game)
    assert analysis is not None
    assert store.analyses.add(game, analysis, 0, 1, decision)
    seats = [{"accuracy": 1.0, "loss": 0.0, "luck": 1.0, "turning_points": []} for _ in range(2)]
    assert store.analyses.finish(game, analysis, seats, [moment])
    store.learning.note(table, seats, [moment])
    return game, moment
