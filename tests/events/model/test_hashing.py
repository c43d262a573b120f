"""The ledger's quick state hash is the engine's."""

from __future__ import annotations

import random

import pytest

from cartulary.engine.canonical import canonical_json
from cartulary.engine.chance import RandomSource
from cartulary.events.model.chain import view_and_hash, view_text
from tests.support.games import ALL_GAMES


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_hash_and_the_view_are_those_of_the_engine_after_every_move(name: str) -> None:
    rng = random.Random(7)
    game, source = ALL_GAMES[name], RandomSource(rng)
    seats = min(3, game.seats_to)
    state = game.new(seats, {}, game.draw_setup(seats, {}, rng))
    state.settle(source)
    while not state.over:
        assert view_and_hash(state) == (view_text(state), state.state_hash())
        assert view_text(state).decode() == canonical_json(state.view())
        state.play(rng.choice(state.moves()))
        state.settle(source)
    assert view_and_hash(state) == (view_text(state), state.state_hash())
