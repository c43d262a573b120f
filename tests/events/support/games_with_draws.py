"""Games with fair draws, and what only the vault knows of them."""

from __future__ import annotations

import random
from typing import Any

from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import any_move

GAMES = ("carcassonne", "caylus", "beans")


def delivered(store: Store, table: Table) -> list[dict[str, Any]]:
    """The events as a client gets them."""
    return store.ledger.deliver(table.id)


def secret_of(store: Store, table: Table) -> bytes:
    """The secret of an unfinished game: only the vault has it."""
    secret = store.vault.read(table.id)
    assert secret is not None
    return secret


def play_bots(store: Store, table: Table, rng: random.Random) -> Table:
    """Let bots move while it is their turn."""
    while table.bot_to_move is not None:
        table = store.commands.bots.move(
            table.id, table.position, lambda state, rng: rng.choice(state.moves())
        ).table
    return table


def play_whole(store: Store, player: Player, table: Table) -> Table:
    """Play a game of a person and bots to its score."""
    rng = random.Random(5)
    while table.status is Status.RUNNING:
        table = play_bots(store, table, rng)
        if table.status is Status.RUNNING:
            move = any_move(table, rng)
            table = store.commands.move(Intent(player, table.version), table.id, move).table
    return store.commands.score(table.id).table


def unfair(store: Store, player: Player) -> Table:
    """A running game whose first event has no `fair`, as earlier releases created it."""
    draft = Draft(store.rules, "01BEFORE")
    draft.add(
        "game_created",
        game="beans",
        options={"goal": 9},
        seats=[
            {"seat": 0, "player": {"id": player.id, "name": player.name}, "bot": None},
            {"seat": 1, "player": None, "bot": "random"},
        ],
        visibility="public",
        created_by=player.id,
    )
    draft.start(store.draws.source)
    store.ledger.append(draft.game_id, 0, draft.sealed)
    return store.projector.table(draft.game_id)
