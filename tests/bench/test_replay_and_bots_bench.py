"""The benches of replay and of the bots measure every game and every bot."""

from __future__ import annotations

import pytest

from bench import bots, replay
from bench._league import Duel, find_interval, play_deal, rate, summarise
from cartulary.games import GAMES, OFFERS


@pytest.mark.slow
@pytest.mark.real
def test_replay_measures_every_game_and_gives_the_largest_ratio() -> None:
    measured = replay.main(0)
    for name in GAMES:
        assert measured[name]["events"] > 50
        assert min(measured[name].values()) > 0
        assert measured[name]["bytes_per_game"] > 50 * measured[name]["bytes_per_event"]
    assert measured["ratio"] == max(measured[name]["ratio"] for name in GAMES)


@pytest.mark.slow
def test_bots_measures_every_bot_that_is_not_random_and_does_not_search() -> None:
    measured = bots.main(0)
    for game, offer in OFFERS.items():
        searching = {name for name, entry in offer.bots.items() if entry.budget}
        for name in offer.bots.keys() - searching - {"random"}:
            assert measured[game][name]["games"] >= 1
            assert 0 <= measured[game][name]["won"] <= 1
    assert measured["ratio"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", OFFERS)
def test_a_duel_plays_each_deal_on_every_seat(game: str) -> None:
    measured = bots.main(0, duel="medium,random", game=game, table=3, deals=2)
    assert measured.keys() == {game}
    assert measured[game]["games"] == 6
    assert measured[game]["won"] == 1
    assert 0.6 < measured[game]["low"] < measured[game]["high"] == 1
    assert measured[game]["times_even"] == 3
    assert measured[game]["seeds"] == "0 to 1"


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(5, 10, 0.237, 0.763), (90, 100, 0.826, 0.945), (0, 9, 0, 0.299)],
)
def test_the_interval_of_a_share_of_wins_is_that_of_wilson(
    won: float, games: int, low: float, high: float
) -> None:
    assert find_interval(won, games) == pytest.approx((low, high), abs=0.001)


def test_equals_win_half_of_a_duel_and_have_the_same_strength() -> None:
    duel = Duel("carcassonne", "medium", "medium")
    games = [game for seed in range(3) for game in play_deal(duel, seed)]
    assert summarise(duel, games)["won"] == 0.5
    assert rate(10, 20) == 0
    assert 300 < rate(90, 100) < 400
