"""Practice games of Carcassonne that are over soon: their player has lost after three turns."""

from __future__ import annotations

from typing import Any

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store

TURNS = 3


def choose_first(state: Any, _rng: Any) -> Any:
    """Choose the first legal move."""
    return state.moves()[0]


def open_practice(store: Store, player: Player, bot: str = "medium", **more: Any) -> Table:
    """Open a game of a player against a level."""
    seats = (SeatRequest("me"), SeatRequest("bot", bot))
    return store.commands.create(Intent(player), NewGame("carcassonne", seats, **more)).table


def play_turns(store: Store, table: Table, turns: int = TURNS) -> Table:
    """Play so many turns of both seats."""
    asked: list[int] = []
    while True:
        state = table.state
        assert state is not None
        if asked[-1:] != [state.seat]:
            asked.append(state.seat)
        if len(asked) > 2 * turns:
            return table
        if table.bot_to_move:
            table = store.commands.bots.move(table.id, table.position, choose_first).table
        else:
            owner = table.seats[state.seat].player
            assert owner is not None
            move = state.move_json(state.moves()[0])
            mover = Intent(Player(owner["id"], owner["name"]))
            table = store.commands.move(mover, table.id, move).table


def lose_practice(store: Store, player: Player, bot: str = "medium", turns: int = TURNS) -> Table:
    """Let a player lose a practice game by resigning; the score is counted."""
    table = play_turns(store, open_practice(store, player, bot), turns)
    store.commands.leaving.resign(Intent(player), table.id)
    return store.commands.score(table.id).table
