"""Games that are played to their end, so that the same people may play again."""

from __future__ import annotations

from typing import Any

from cartulary.events.commands.commands import Intent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, ME, OPEN, any_move, beans_game


def play_out(store: Store, table: Table, *players: Player) -> Table:
    """Play a game of persons and bots to its score."""
    while table.status == "running":
        if table.bot_to_move is not None:
            table = store.commands.bots.move(
                table.id, table.position, lambda state, _: state.moves()[0]
            ).table
            continue
        asked = [] if table.state is None else [table.seats[table.state.seat].player]
        player = next(one for one in players if {"id": one.id, "name": one.name} in asked)
        table = store.commands.move(Intent(player, table.version), table.id, any_move(table)).table
    return store.commands.score(table.id).table


def begin(store: Store, *people: Player, bots: int = 0, **more: Any) -> Table:
    """Return a running game in which the first person sits on seat 0, and so on, then the bots."""
    seats = [ME, *[OPEN] * (len(people) - 1), *[BOT] * bots]
    table = store.commands.create(Intent(people[0]), beans_game(*seats, **more)).table
    for guest in people[1:]:
        table = store.commands.arranging.join(Intent(guest), table.id).table
    return table
