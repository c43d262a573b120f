"""Games of beans for the tests: opened, moved along, and everything that they have stored."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import orjson

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest, Written
from cartulary.events.commands.table.transcripts import read_extra, transcript_of
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.table import Table
from cartulary.events.model.types import GAME_CREATED
from cartulary.events.people.players import Player
from cartulary.events.store import Store

ME, OPEN = SeatRequest("me"), SeatRequest("open")
BOT = SeatRequest("bot", "random")
MINE, HIS = "ada_ada_ada_ada_ada", "bob-bob-bob-bob-bob"
"""What Ada and Bob add to the draws."""


def beans_game(*seats: SeatRequest, **more: Any) -> NewGame:
    return NewGame("beans", seats or (ME, ME), **more)


def private_with_open_seat(store: Store, player: Player) -> Table:
    """A private game with an open seat, as earlier releases could create it."""
    draft = Draft(store.rules, "01OLDPRIVATE")
    draft.add(
        GAME_CREATED,
        game="beans",
        options={"goal": 9},
        seats=[
            {"seat": 0, "player": {"id": player.id, "name": player.name}, "bot": None},
            {"seat": 1, "player": None, "bot": None},
            {"seat": 2, "player": None, "bot": None},
        ],
        visibility="private",
        created_by=player.id,
    )
    store.ledger.append(draft.game_id, 0, draft.sealed)
    return store.projector.table(draft.game_id)


def any_move(table: Table, rng: random.Random | None = None) -> dict[str, Any]:
    """A legal move in contract form; the first one without a generator."""
    assert table.state is not None
    moves = table.state.moves()
    found = moves[0] if rng is None else rng.choice(moves)
    return table.state.move_json(found)


def shown(table: Table) -> dict[str, Any]:
    """The table as a client reads it."""
    read: dict[str, Any] = orjson.loads(table.text())
    return read


def play_out(
    store: Store, player: Player, table: Table, seen: Callable[[Written], None] | None = None
) -> Table:
    """Play all seats of a hot-seat game to the end of the play, at random but repeatably."""
    rng = random.Random(7)
    while table.status == "running":
        written = store.commands.move(Intent(player, table.version), table.id, any_move(table, rng))
        table = written.table
        if seen is not None:
            seen(written)
    return table


def exported(store: Store, table: Table) -> dict[str, Any]:
    """The transcript of a table, as its file has it."""
    events = store.ledger.events(table.id)
    extra = read_extra(store.ledger, table.id, events[0])
    return transcript_of(table, events, extra).to_json()


def everything_stored(store: Store) -> dict[bytes, bytes]:
    """All keys with their serialised values: two equal ones mean that nothing has changed."""
    redis: Any = store.redis
    return {key: redis.dump(key) for key in redis.keys("*")}
