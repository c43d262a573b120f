"""The levels: their order of strength, the other name of `medium`, and who moves for a bot."""

from __future__ import annotations

import pytest

from cartulary.bots.levels import (
    LEVELS,
    choose_stand_in,
    find_level,
    find_usual,
    find_weakest,
    list_substitutes,
    rate_strength,
)
from tests.support.games import ALL_OFFERS

OFFERED = ("random", "careful", "medium", "hard")


def test_the_levels_of_every_game_are_listed_weakest_first() -> None:
    for offer in ALL_OFFERS.values():
        assert sorted(offer.bots, key=lambda bot: rate_strength(bot, offer.bots)) == [*offer.bots]


def test_a_level_is_stronger_than_the_level_before_it() -> None:
    strengths = [rate_strength(level, ()) for level in LEVELS]
    assert strengths == sorted(set(strengths))


def test_greedy_is_another_name_of_medium() -> None:
    assert find_level("greedy") == "medium"
    assert rate_strength("greedy", OFFERED) == rate_strength("medium", OFFERED)
    for offer in ALL_OFFERS.values():
        assert "greedy" not in [*offer.bots]
        assert ("greedy" in offer.bots) == ("medium" in offer.bots)
        assert offer.bots.get("greedy") is offer.bots.get("medium")


def test_a_bot_of_the_game_s_own_stands_behind_the_level_before_it() -> None:
    order = ["random", "careful", "easy", "medium"]
    mixed = ["medium", "easy", "random", "careful"]
    assert sorted(mixed, key=lambda bot: rate_strength(bot, OFFERED)) == order


def test_a_bot_that_is_not_on_offer_counts_as_medium() -> None:
    assert rate_strength("mcts", OFFERED) == rate_strength("medium", OFFERED)


@pytest.mark.parametrize(
    ("asked", "seated", "chosen"),
    [
        ("medium", [], "medium"),
        ("medium", ["hard", "hard"], "medium"),
        ("medium", ["hard", "random"], "random"),
        ("hard", ["greedy", "hard"], "greedy"),
        ("medium", ["greedy"], "medium"),
        ("hard", ["careful"], "careful"),
    ],
)
def test_a_stand_in_is_at_most_as_strong_as_the_weakest_bot_at_the_table(
    asked: str, seated: list[str], chosen: str
) -> None:
    assert choose_stand_in(asked, seated, OFFERED) == chosen


def test_the_weakest_of_equals_is_the_first() -> None:
    assert find_weakest(["greedy", "medium"], OFFERED) == "greedy"


def test_the_usual_stand_in_is_medium_or_the_strongest_below() -> None:
    assert find_usual(OFFERED) == "medium"
    assert find_usual(("random", "careful")) == "careful"
    assert find_usual(("random", "hard")) == "random"


@pytest.mark.parametrize(
    ("bot", "substitutes"),
    [
        ("hard", ["medium", "random"]),
        ("mcts", ["medium", "random"]),
        ("medium", ["random"]),
        ("greedy", ["random"]),
        ("random", ["medium"]),
    ],
)
def test_medium_moves_for_a_bot_that_cannot_and_then_random(
    bot: str, substitutes: list[str]
) -> None:
    assert [*list_substitutes(bot, OFFERED)] == substitutes


def test_a_game_without_medium_has_random_as_substitute() -> None:
    assert [*list_substitutes("careful", ("random", "careful"))] == ["random"]
