"""The ledger's quick state hash is the engine's."""

from __future__ import annotations

import random

import pytest

from engine.chance import RandomSource
from engine.games import GAMES, game_named
from events.hashing import view_and_hash


@pytest.mark.parametrize("name", GAMES)
def test_the_hash_and_the_view_are_those_of_the_engine_after_every_move(name: str) -> None:
    rng = random.Random(7)
    game, source = game_named(name), RandomSource(rng)
    state = game.new(3, {}, game.draw_setup(3, {}, rng))
    state.settle(source)
    while not state.over:
        assert view_and_hash(state) == (state.view(), state.state_hash())
        state.play(rng.choice(state.moves()))
        state.settle(source)
    assert view_and_hash(state) == (state.view(), state.state_hash())
