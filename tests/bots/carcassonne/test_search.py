"""The search: what it considers, what it knows, how much it works."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from cartulary.bots.base import Bot
from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.fitting import Fitting
from cartulary.bots.carcassonne.greedy import play_greedily
from cartulary.bots.carcassonne.search import (
    DEPTH,
    HARD,
    SPARE,
    choose_candidates,
    plan_end,
    plan_stages,
    sample_draws,
    think,
    think_deeply,
)
from cartulary.bots.carcassonne.styles import ASIDE, POOL
from cartulary.bots.carcassonne.turn import list_answers
from cartulary.bots.carcassonne.weights import PARTS, spread
from cartulary.bots.carcassonne.winning import share_win
from cartulary.bots.thought import Budget, Think
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.carcassonne.tiles import LETTERS
from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES
from tests.bots.carcassonne.test_greedy import follower, place, puzzle

CARCASSONNE = GAMES["carcassonne"]


def middle_of_a_game(seats: int = 2, left: int = 30, seed: int = 5) -> CarcassonneState:
    """A placement to decide, with so many tiles in the bag."""
    rng = random.Random(seed)
    source = RandomSource(rng)
    state = CARCASSONNE.new(seats, CARCASSONNE.check(seats, {}), {})
    assert isinstance(state, CarcassonneState)
    state.settle(source)
    while state.left > left or state.kind != "place_tile":
        state.play(play_greedily(state, rng))
        state.settle(source)
    return state


@pytest.mark.parametrize("iterations", [1, 2, 3, 5, 12, 16, 40])
def test_a_search_plays_out_no_more_than_its_budget(iterations: int) -> None:
    thought = think(middle_of_a_game(), random.Random(1), Budget(iterations))
    assert thought.iterations <= iterations
    assert thought.iterations == max(1, sum(value.samples for value in thought.values))
    assert len(thought.values) <= HARD.width


def test_a_budget_of_one_is_greedy() -> None:
    for seed in range(5):
        state = middle_of_a_game(seed=seed)
        thought = think(state, random.Random(1), Budget(1))
        assert thought.iterations == 1
        assert thought.moves[0] in state.moves()


@pytest.mark.parametrize("answers", [1, 2, 3, 5, 8, 30])
def test_the_stages_of_a_number_are_the_stages_of_their_total(answers: int) -> None:
    for iterations in range(1, 200):
        stages = plan_stages(iterations, answers)
        total = sum(width * samples for width, samples in stages)
        assert total <= iterations
        assert not total or plan_stages(total, answers) == stages


@pytest.mark.slow
def test_the_error_of_a_margin_shrinks_with_more_samples() -> None:
    state = middle_of_a_game()
    few, many = (think(state, random.Random(3), Budget(n)).values[0] for n in (16, 256))
    assert 0 < many.error < few.error


def test_the_planned_follower_is_legal_after_the_placement() -> None:
    planned = 0
    for seed in range(12):
        state = middle_of_a_game(seed=seed, left=60 - 4 * seed)
        moves = think(state, random.Random(seed), Budget(8)).moves
        for move in moves:
            assert move in state.moves()
            state.play(move)
        planned += len(moves) - 1
    assert planned > 0


def test_the_same_seed_gives_the_same_thought() -> None:
    state = middle_of_a_game(seats=3)
    one, two = (think(state, random.Random("seed"), Budget(24)) for _ in range(2))
    assert one == two


def test_the_move_is_the_first_of_the_values() -> None:
    thought = think(middle_of_a_game(), random.Random(2), Budget(24))
    assert thought.moves[0] == thought.values[0].move
    assert all(0 <= value.win <= 1 for value in thought.values)
    assert thought.values[0].samples == max(value.samples for value in thought.values)


def test_sampled_draws_come_from_the_bag_and_each_tile_is_as_likely_as_its_copies() -> None:
    bag = [0] * len(LETTERS)
    bag[0], bag[3], bag[5] = 1, 6, 13
    rng, first = random.Random(4), Counter[int]()
    for _ in range(2000):
        draws = sample_draws(bag, rng)
        assert len(draws) == DEPTH + SPARE
        assert all(count <= bag[tile] for tile, count in Counter(draws).items())
        first[draws[-1]] += 1
    assert 60 < first[0] < 140
    assert 500 < first[3] < 700


def test_a_short_bag_is_drawn_to_its_end() -> None:
    bag = [0] * len(LETTERS)
    bag[7] = 2
    assert sample_draws(bag, random.Random(0)) == [7, 7]


@pytest.mark.parametrize("orders", [1, 2, 6, 24])
def test_the_plan_of_the_last_tiles_is_the_plan_of_its_total(orders: int) -> None:
    for iterations in range(1, 700):
        end = plan_end(iterations, 50, orders, HARD.width)
        stages = end or plan_stages(iterations, HARD.width)
        total = sum(width * samples for width, samples in stages)
        assert total <= iterations
        assert not total or plan_end(total, 50, orders, HARD.width) == end


@pytest.mark.slow
def test_with_three_tiles_in_the_bag_each_answer_is_played_on_in_every_order() -> None:
    state = middle_of_a_game(left=3)
    answers = list_answers(state)
    thoughts = [think(state, random.Random(seed), Budget(6 * len(answers))) for seed in (1, 2)]
    for thought in thoughts:
        assert len(thought.values) == len(answers)
        assert {value.samples for value in thought.values} == {6}
    assert thoughts[0].iterations == 6 * len(answers)
    one, two = (sorted(value.margin for value in thought.values) for thought in thoughts)
    assert one == two


def test_the_search_looks_beyond_the_tenth_answer_of_greedy() -> None:
    state = middle_of_a_game(seed=8)
    assert len(choose_candidates(state, random.Random(0), HARD.width)) == HARD.width > 10
    assert len(think_deeply(state, random.Random(0), Budget(100)).values) == HARD.width


def test_on_the_last_tile_the_search_takes_the_most_points() -> None:
    state = puzzle("E")
    thought = think(state, random.Random(0), Budget(16))
    answers = [state.move_json(thought.moves[0])]
    assert answers == [place(0, -1, 180)]
    state.play(thought.moves[0])
    assert state.move_json(thought.moves[1]) == follower("c0")


# -- which tiles fit -----------------------------------------------------------------------------


def test_a_city_that_no_tile_left_can_close_promises_no_closing() -> None:
    moves = [place(0, -1, 90), follower("c0")]
    hopeless = puzzle("NUUUU", moves)
    hopeful = puzzle("NEEEE", moves)
    assert Fitting(hopeful).seats(hopeful)[0] > Fitting(hopeless).seats(hopeless)[0]
    assert Fitting(hopeless).seats(hopeless)[0] < 20 * UNIT


def test_the_usual_share_of_tiles_gives_the_usual_chance() -> None:
    for usual in (0, UNIT // 3, UNIT // 2, UNIT):
        table = spread(usual)
        assert table[0] == 0
        assert list(table) == sorted(table)
        assert abs(table[PARTS] - usual) < 50


# -- what it believes ------------------------------------------------------------------------------


@pytest.mark.parametrize("think_at", [think, think_deeply])
def test_the_order_of_the_bag_changes_nothing(think_at: Think) -> None:
    """Two games with the same draws so far, and other draws to come."""
    thoughts = []
    for to_come in ("EEUVVVWWWLLL", "LWVLVWUVEWEL"):
        state = puzzle("NU" + to_come, [place(0, -1, 180), follower("c0")])
        thoughts.append(think_at(state, random.Random("seed"), Budget(24)))
    assert thoughts[0] == thoughts[1]


@pytest.mark.parametrize("seats", [2, 5])
def test_the_shares_of_the_win_add_up_to_one_and_follow_the_points(seats: int) -> None:
    values = [UNIT * points for points in (40, 52, 47, 52, 13)][:seats]
    for left in (0, 10, 60):
        shares = [share_win(values, seat, left) for seat in range(seats)]
        assert abs(sum(shares) - UNIT) < seats
        assert sorted(range(seats), key=shares.__getitem__) == sorted(
            range(seats), key=values.__getitem__
        )


def test_a_lead_is_worth_more_the_fewer_tiles_are_to_come() -> None:
    early, late = (share_win([50 * UNIT, 40 * UNIT], 0, left) for left in (60, 2))
    assert UNIT // 2 < early < late < UNIT
    assert share_win([500 * UNIT, 0], 1, 0) == 0


@pytest.mark.parametrize(("seats", "turns"), [(2, 4), (3, 6), (5, 10)])
def test_a_search_plays_two_rounds_of_turns_at_least(seats: int, turns: int) -> None:
    assert HARD.count_turns(seats) == turns


@pytest.mark.parametrize("style", [*POOL.values(), *ASIDE.values()])
def test_a_style_answers_every_question_of_a_game(style: Bot) -> None:
    rng = random.Random(2)
    source = RandomSource(rng)
    state = CARCASSONNE.new(2, CARCASSONNE.check(2, {}), {})
    state.settle(source)
    while not state.over:
        move = style(state, rng)
        assert move in state.moves()
        state.play(move)
        state.settle(source)


@pytest.mark.parametrize("seats", [2, 4])
def test_at_the_end_fitting_is_the_counted_score(seats: int) -> None:
    state = middle_of_a_game(seats, left=2)
    rng = random.Random(0)
    source = RandomSource(rng)
    while not state.over:
        state.play(play_greedily(state, rng))
        state.settle(source)
    assert Fitting(state).seats(state) == [UNIT * score for score in state.final().scores]
