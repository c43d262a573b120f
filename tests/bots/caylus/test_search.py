"""The search of Caylus: what it considers, how far it plays, how much it works."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.bots.caylus.greedy import judge, play_greedily
from cartulary.bots.caylus.leaf import UNIT
from cartulary.bots.caylus.search import choose_moves, play_out, think
from cartulary.bots.thought import Budget
from cartulary.engine.caylus.game import CAYLUS
from cartulary.engine.caylus.state import CaylusState
from tests.support.night import short_or_long


def middle_of_a_game(seats: int = 3, rounds: int = 3, seed: int = 1) -> CaylusState:
    """The first decision of a round that greedy seats have come to."""
    rng = random.Random(seed)
    options = CAYLUS.check(seats, {})
    state: Any = CAYLUS.new(seats, options, CAYLUS.draw_setup(seats, options, rng))
    while state.round < rounds or len(state.moves()) < 5:
        state.play(play_greedily(state, rng))
    assert isinstance(state, CaylusState)
    return state


@pytest.mark.slow
@pytest.mark.parametrize("iterations", [1, 2, 4])
def test_a_search_plays_out_as_many_moves_as_its_budget(iterations: int) -> None:
    thought = think(middle_of_a_game(), random.Random(1), Budget(iterations))
    assert thought.iterations == iterations
    assert len(thought.values) == (iterations if iterations > 1 else 0)


def test_the_moves_that_greedy_likes_best_are_played_out() -> None:
    state = middle_of_a_game()
    worths = dict(zip(state.moves(), judge(state), strict=True))
    chosen = choose_moves(state, random.Random(0), 4)
    assert sorted(worths.values(), reverse=True)[:4] == [worths[move] for move in chosen]


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_move_is_played_out_to_the_end_of_a_round(rounds: int) -> None:
    state = middle_of_a_game()
    position = play_out(state, state.moves()[1], rounds)
    assert position.round == state.round + rounds
    assert position.phase <= 1


@pytest.mark.slow
def test_the_last_round_is_played_out_to_the_end_of_the_game() -> None:
    state = middle_of_a_game()
    assert play_out(state, state.moves()[0], 99).over


def test_the_same_seed_gives_the_same_thought() -> None:
    state = middle_of_a_game()
    one, two = (think(state, random.Random("seed"), Budget(3)) for _ in range(2))
    assert one == two
    assert one.moves[0] == one.values[0].move


FIXED = {
    2: [("castle", -595), ("road-10", -1475), ("gate", 2606)],
    3: [("gate", -3473), ("gate", -1286), ("gate", -9759)],
    4: [("road-3", 1529), ("road-3", -369), ("road-9", 6581)],
    5: [("road-8", -2261), ("road-3", -538), ("road-13", 4189)],
}
"""By seats: the place of the worker and the margin, in `UNIT`, in the rounds 2, 5 and 8."""


@pytest.mark.parametrize("seats", FIXED)
@pytest.mark.slow
def test_hard_takes_the_same_moves_on_every_machine_and_every_python(seats: int) -> None:
    """A change of these moves or margins needs a new version of the bot."""
    moments = [*zip((2, 5, 8), FIXED[seats], strict=True)]
    for rounds, expected in short_or_long([moments[seats % 3]], moments):
        state = middle_of_a_game(seats, rounds)
        best = think(state, random.Random(16), Budget(4)).values[0]
        assert (state.move_json(best.move)["space"], best.margin * UNIT) == expected
