"""Ratings are recovered from made-up results."""

from __future__ import annotations

import random
from itertools import combinations
from xml.etree import ElementTree

import pytest

from cartulary.league.chart import draw_ratings
from cartulary.league.ratings import RatedResult, Rating, rate

TRUE = {"random": 900, "easy": 1250, "medium": 1500, "hard": 1900}


def play(names: tuple[str, ...], rng: random.Random) -> RatedResult:
    weights = [10 ** (TRUE[name] / 400) for name in names]
    (first,) = rng.choices(range(len(names)), weights)
    return RatedResult(names, tuple(float(seat == first) for seat in range(len(names))))


def test_the_strengths_behind_the_results_are_found() -> None:
    rng = random.Random(3)
    pairs = [*combinations(TRUE, 2)]
    found = rate([play(pair, rng) for pair in pairs for _ in range(500)])
    assert list(found) == ["hard", "medium", "easy", "random"]
    assert found["medium"] == Rating(1500, 1500, 1500)
    for name, one in found.items():
        assert one.value == pytest.approx(TRUE[name], abs=70)
        assert one.low - 25 <= TRUE[name] <= one.high + 25


def test_tables_with_several_seats_give_the_same_ratings() -> None:
    rng = random.Random(4)
    tables = [("hard", "medium", "medium"), ("medium", "hard", "easy"), ("easy", "medium", "easy")]
    found = rate([play(names, rng) for names in tables for _ in range(800)])
    assert found["hard"].value == pytest.approx(1900, abs=60)
    assert found["easy"].value == pytest.approx(1250, abs=60)


@pytest.mark.slow
def test_the_interval_holds_the_truth_in_about_19_of_20_leagues() -> None:
    held = 0
    for seed in range(100):
        rng = random.Random(seed)
        found = rate([play(("hard", "medium"), rng) for _ in range(200)])["hard"]
        held += found.low <= 1900 <= found.high
    assert 88 <= held <= 100


def test_a_player_that_has_won_all_has_a_finite_rating() -> None:
    won = [RatedResult(("hard", "medium"), (1.0, 0.0))] * 20
    found = rate(won)["hard"]
    assert 1800 < found.value < 2100
    assert found.low > 1500


def test_more_games_make_a_narrower_interval_and_equals_are_equal() -> None:
    even = [RatedResult(("a", "b"), (1.0, 0.0)), RatedResult(("a", "b"), (0.0, 1.0))]
    few, many = rate(even * 5), rate(even * 500)
    assert few["a"].value == many["a"].value == pytest.approx(1500)
    assert many["a"].high - many["a"].low < (few["a"].high - few["a"].low) / 5
    assert few["a"].high - few["a"].low < 400


def test_no_games_have_no_ratings() -> None:
    assert rate([]) == {}


def test_the_picture_is_well_formed_and_names_every_player() -> None:
    ratings = {"hard <&>": Rating(1900.4, 1700, 2100), "medium": Rating(1500, 1500, 1500)}
    root = ElementTree.fromstring(draw_ratings("a & b", ratings))
    texts = [element.text for element in root.iter() if element.text]
    assert {"a & b", "hard <&>", "medium", "1900"} <= set(texts)
    places = [
        float(element.get(side, "0"))
        for element in root.iter("{http://www.w3.org/2000/svg}line")
        for side in ("x1", "x2")
    ]
    assert all(0 <= place <= 640 for place in places)
    ElementTree.fromstring(draw_ratings("nobody", {}))
