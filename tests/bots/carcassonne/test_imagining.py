"""What the imagination remembers of a position is what a fresh look finds."""

from __future__ import annotations

import random

import pytest

from cartulary.bots.carcassonne.imagining import (
    MANY,
    Scene,
    Way,
    find_left,
    foresee,
    play_answer,
    rate_farmer,
)
from cartulary.bots.carcassonne.ratings import Ratings
from cartulary.bots.carcassonne.search import sample_draws
from cartulary.bots.carcassonne.turn import PlacementAnswer, list_answers
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.carcassonne.tiles import LETTERS
from tests.bots.carcassonne.test_turn import positions
from tests.support.night import short_or_long

TURNS = 5


def list_fresh(position: CarcassonneState, left: int) -> list[PlacementAnswer]:
    """Return all answers, as they are rated without a memory."""
    cost = rate_farmer(position.seats, left)
    ratings = Ratings(position, cost, left)
    return [
        PlacementAnswer(worth, move, segment)
        for move in position.moves()
        for worth, segment in foresee(ratings, move).list_options(ratings)
    ]


def compare(scene: Scene, draws: list[int], rng: random.Random) -> int:
    """Go on from a scene, compare each choice; some seats answer at random."""
    way, compared = Way(scene), 0
    for _ in range(TURNS):
        while not way.position.kind and draws:
            way.position.resolve(LETTERS[draws.pop()])
        if not way.position.kind:
            break
        answers = list_fresh(way.position, scene.left or way.position.left)
        choice = way.choose()
        assert choice == max(answers)
        compared += len(answers)
        answer = choice if rng.random() < 0.6 else rng.choice(answers)
        way.change(answer)
        play_answer(way.position, answer)
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("seats", short_or_long([2, 4], [2, 3, 4, 5]))
def test_what_is_remembered_is_what_a_fresh_look_finds(seats: int) -> None:
    rng, compared = random.Random(seats), 0
    share = short_or_long(0.12, 1.0)
    for state in positions(seats, 4, seed=seats):
        if rng.random() > share:
            continue
        scene = Scene(state, rng.choice([0, find_left(state)]))
        answers = list_answers(state)
        for answer in rng.sample(answers, min(4, len(answers))):
            after = scene.answer(answer)
            for _ in range(3):
                compared += compare(after, sample_draws(state.bag, rng, TURNS), rng)
    assert compared > 10_000


def test_the_tiles_left_stay_as_they_are_while_there_are_many() -> None:
    for state in positions(2, 4, seed=3):
        assert find_left(state) == (state.left if state.left >= MANY else 0)
