"""The tree of `expert`: what it plays out, how a thought is repeated, and what the values say."""

from __future__ import annotations

import random
from math import exp

import pytest

from cartulary.bots import Budget
from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.leaf import UNIT
from cartulary.bots.caylus.outlook import Outlook
from cartulary.bots.caylus.search import ExpectedEnding
from cartulary.bots.caylus.tree import Tree, find_trust, skip_forced, think_deeply
from cartulary.bots.caylus.weights import DOUBT, TREE
from cartulary.engine.caylus.moves import PASS
from tests.bots.caylus.test_search import middle_of_a_game


class Clock:
    """Goes on by a millisecond with each reading."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.parametrize("seats", [2, 4])
def test_each_iteration_plays_out_a_position(seats: int) -> None:
    thought = think_deeply(middle_of_a_game(seats), random.Random(1), Budget(9))
    assert thought.iterations == 9
    assert sum(value.samples for value in thought.values) == 9
    assert thought.moves == (thought.values[0].move,)


def test_the_first_iteration_tries_the_move_that_greedy_likes_best() -> None:
    state = middle_of_a_game()
    worths = dict(zip(state.moves(), judge(state), strict=True))
    thought = think_deeply(state, random.Random(1), Budget(1))
    assert worths[thought.moves[0]] == max(worths.values())


@pytest.mark.slow
@pytest.mark.parametrize("milliseconds", [0.5, 3.5, 7.5])
def test_a_thought_that_a_time_limit_ended_is_repeated_by_its_iterations(
    milliseconds: float,
) -> None:
    state = middle_of_a_game(2)
    limited = think_deeply(state, random.Random("seed"), Budget(30, milliseconds / 1000, Clock()))
    assert 1 <= limited.iterations <= milliseconds + 1
    assert think_deeply(state, random.Random("seed"), Budget(limited.iterations)) == limited


def test_a_forced_move_takes_one_iteration() -> None:
    state = middle_of_a_game()
    state.legal = [PASS]
    assert think_deeply(state, random.Random(1), Budget(50)) == ((PASS,), 1, ())


def test_the_search_ends_when_every_way_to_go_on_is_known() -> None:
    """The last questions of a round have few answers; then nothing is left to play out."""
    state = middle_of_a_game(2)
    last = state.round + 1
    before = state
    while skip_forced(state, last):
        before = state.copy()
        state.play(state.moves()[-1])
    thought = think_deeply(before, random.Random(1), Budget(10_000))
    assert thought.iterations < 10_000
    assert {value.move for value in thought.values} == set(before.moves())
    assert {value.error for value in thought.values} == {0.0}


def test_the_position_is_not_changed() -> None:
    state = middle_of_a_game(2)
    before = state.dump()
    think_deeply(state, random.Random(1), Budget(8))
    assert state.dump() == before


@pytest.mark.slow
def test_the_error_is_smaller_the_more_ways_to_go_on_were_tried() -> None:
    tree = Tree(middle_of_a_game(2), random.Random(1))
    for _ in range(24):
        tree.grow()
    values = sorted(
        (branch.value(tree.root.state.seat) for branch in tree.root.branches if branch.visits),
        key=lambda value: value.samples,
    )
    assert values[0].samples < values[-1].samples
    assert 0 < values[-1].error < values[0].error <= DOUBT


def test_a_lead_is_surer_the_fewer_rounds_are_left() -> None:
    state = middle_of_a_game(2)
    outlook = Outlook(state)
    early = ExpectedEnding(state, outlook.seats, outlook.left)
    late = ExpectedEnding(state, outlook.seats, outlook.left)
    late.left = 1
    assert 0.5 < early.find_win(5) < late.find_win(5) < 1
    late.left = 0
    assert [late.find_win(margin) for margin in (-1, 0, 1)] == [0, 0.5, 1]


def test_a_promise_is_trusted_less_the_smaller_it_is() -> None:
    """About as `exp` says, which is not the same on every machine."""
    assert find_trust(0.0, TREE.spread) == 1
    for promise in (-0.1, -1.0, -3.0, -9.0):
        assert find_trust(promise, TREE.spread) == pytest.approx(
            exp(promise / TREE.spread), rel=0.2
        )


@pytest.mark.slow
def test_expert_thinks_the_same_on_every_machine_and_every_python() -> None:
    """A change of these values needs a new version of the bot."""
    state = middle_of_a_game(2, 5)
    thought = think_deeply(state, random.Random(16), Budget(24))
    found = [
        (state.move_json(one.move)["space"], one.samples, one.margin * one.samples * UNIT)
        for one in thought.values
    ]
    assert found == [
        *(("road-10", 15, -30981), ("road-9", 5, -42101)),
        *(("castle", 2, -18956), ("gate", 2, -21944)),
    ]
