"""A preview says what a move would lead to, as far as no chance is needed, and stores nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import fakeredis
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.ledger.writer import Written
from cartulary.events.model.errors import (
    GameNotRunning,
    IllegalMoveRefused,
    NotFound,
    NotSeated,
    NotYourTurn,
    Refused,
    StaleVersion,
)
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game, everything_stored
from tests.support.night import short_or_long


def check_step(store: Store, player: Player, table: Table, move: dict[str, Any]) -> Written:
    """Preview a move, make it, and compare."""
    found = store.commands.again.preview(player, table.id, move, table.version)
    written = store.commands.move(Intent(player, table.version), table.id, move)
    made, after = written.events[0], written.table
    assert made["facts"][: len(found.facts)] == found.facts
    assert found.chance == bool(made["chance"])
    if not found.chance:
        assert made["facts"] == found.facts
        assert found.view == after.view_text()
        decision = after.decision
        assert found.decision == (decision and decision.to_json())
    else:
        assert found.decision is None
    return written


@pytest.mark.parametrize("game", sorted(OFFERS))
@settings(max_examples=short_or_long(3, 6), deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 5))
@pytest.mark.slow
def test_a_preview_says_what_the_move_then_does(game: str, seed: int, seats: int) -> None:
    rng = random.Random(seed)
    store = Store(fakeredis.FakeRedis(), OFFERS, rng=rng)
    ada = store.players.create("Ada")[0]
    table = store.commands.create(Intent(ada), NewGame(game, [ME] * seats)).table
    while table.status == "running":
        table = check_step(store, ada, table, any_move(table, rng)).table


def test_a_preview_stores_nothing(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    before = everything_stored(store)
    assert table.state is not None
    for move in table.state.legal_moves():
        store.commands.again.preview(ada, table.id, move)
    assert everything_stored(store) == before
    assert store.projector.table(table.id).text() == table.text()


def test_a_preview_is_the_same_whatever_will_be_drawn(store: Store, ada: Player) -> None:
    """It is even there when the secret is lost, without which the next draw is unknown."""
    table = store.commands.create(Intent(ada), beans_game()).table
    keep = {"type": "keep"}
    before = store.commands.again.preview(ada, table.id, keep)
    assert before.chance
    store.redis.delete(keys.secret(table.id))
    store.draws.forget()
    assert store.commands.again.preview(ada, table.id, keep) == before
    assert b'"offered":null' in before.view


def test_a_preview_of_the_last_move_asks_nothing_more(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    while table.status == "running":
        found = store.commands.again.preview(ada, table.id, any_move(table))
        table = store.commands.move(Intent(ada), table.id, any_move(table)).table
    assert (found.decision, found.chance) == (None, False)
    assert orjson.loads(found.view) == orjson.loads(table.view_text() or b"")


def refusals(store: Store, ada: Player, bob: Player) -> list[tuple[Any, ...]]:
    """Return arguments for a move that is refused, with the refusal."""
    running = store.commands.create(Intent(ada), beans_game()).table
    private = store.commands.create(Intent(ada), beans_game(visibility="private")).table
    waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    both = store.commands.arranging.join(
        Intent(bob), store.commands.create(Intent(ada), beans_game(ME, OPEN)).table.id
    ).table
    assert both.state is not None
    idle = (bob, ada)[both.state.seat]
    keep = {"type": "keep"}
    return [
        (ada, "unknown", keep, None, NotFound),
        (bob, private.id, keep, None, NotFound),
        (bob, running.id, keep, None, NotSeated),
        (ada, waiting.id, keep, None, GameNotRunning),
        (ada, running.id, keep, 1, StaleVersion),
        (ada, running.id, keep, 99, StaleVersion),
        (idle, both.id, keep, None, NotYourTurn),
        (ada, running.id, {"type": "decline"}, None, IllegalMoveRefused),
    ]


def test_a_preview_is_refused_for_the_reasons_for_which_the_move_is_refused(
    store: Store, ada: Player, bob: Player
) -> None:
    for player, game_id, move, version, expected in refusals(store, ada, bob):
        found = []
        attempts: list[Callable[[], object]] = [
            partial(store.commands.again.preview, player, game_id, move, version),
            partial(store.commands.move, Intent(player, version), game_id, move),
        ]
        for attempt in attempts:
            with pytest.raises(expected) as refused:
                attempt()
            error: Refused = refused.value
            found.append((error.code, str(error), error.members()))
        assert found[0] == found[1]


def test_a_preview_of_an_illegal_move_says_what_was_legal(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    with pytest.raises(IllegalMoveRefused) as refused:
        store.commands.again.preview(ada, table.id, {"type": "fly"})
    assert table.state is not None
    assert refused.value.members()["legal_moves"] == table.state.legal_moves()
    assert str(refused.value)
