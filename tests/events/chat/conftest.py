"""A table with two owners of accounts, on a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.events.chat.messages import PLAYERS
from cartulary.events.chat.talk import Said, Wording
from cartulary.events.commands.commands import Intent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import ME, OPEN, beans_game

Say = Callable[..., Said]


def claim(store: Store, *players: Player) -> None:
    """Make guests the owners of accounts: guests say phrases only."""
    for player in players:
        store.registry.hset(keys.player(player.id), "claimed_at", "2026-11-22T14:00:00.000Z")


@pytest.fixture
def table(timed: Store, ada: Player, bob: Player, eve: Player) -> Table:
    """A running game of Ada and Bob; all three own accounts, and Eve watches."""
    claim(timed, ada, bob, eve)
    opened = timed.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    return timed.commands.arranging.join(Intent(bob), opened.id).table


@pytest.fixture
def say(timed: Store, table: Table) -> Say:
    """Say a text, in the room of the players unless told otherwise."""

    def say(player: Player, text: str, room: str = PLAYERS, key: str | None = None) -> Said:
        return timed.talk.say(player, table.id, Wording(room, text), key)

    return say
