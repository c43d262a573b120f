"""A finished game whose analysis is there, with one moment."""

from __future__ import annotations

from typing import Any

from cartulary.engine.chance import RecordedSource
from cartulary.engine.errors import ChanceError
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, ME
from tests.events.support.games_with_draws import play_whole
from tests.service.support.caller import Caller


def draws_nothing(state: Any, move: Any) -> bool:
    """Whether the next tile is not drawn yet after a move: a follower is asked for."""
    try:
        state.copy().apply(move, RecordedSource([]))
    except ChanceError:
        return False
    return True


def find_choices(state: Any, made: Any) -> list[Any]:
    """Return the other moves that may stand in a future, none where the one made may not."""
    if not draws_nothing(state, made):
        return []
    return [move for move in state.legal_moves() if move != made and draws_nothing(state, move)]


def ask_moment(caller: Caller, store: Store) -> tuple[str, dict[str, Any]]:
    """A game whose finished analysis has one moment, at a placement of seat 0.

    The tiles are drawn at random, and one in fifty fits in one way only: it is the first placement
    that leaves two other choices.
    """
    player = store.players.by_id(caller.id)
    assert player is not None
    wish = NewGame("carcassonne", (ME, BOT))
    game = play_whole(store, player, store.commands.create(Intent(player), wish).table).id
    assert caller.post(f"/games/{game}/analysis").status_code == 202
    events = caller.get(f"/games/{game}/events").json["events"]
    made = [one for one in events if one["type"] == "move_made"]
    placed = (one for one in made[2:] if one["seat"] == 0 and "rotation" in one["move"])
    asked = ((one, store.projector.table(game, one["version"] - 1).state) for one in placed)
    one, state, others = next(
        (one, state, others)
        for one, state in asked
        if len(others := find_choices(state, one["move"])) > 1
    )
    version, seat = one["version"], one["seat"]
    assert state is not None
    moves, other = state.legal_moves(), others[0]
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
