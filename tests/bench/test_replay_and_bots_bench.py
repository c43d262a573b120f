"""The benches of replay, of the bots and of margins measure every game and every bot."""

from __future__ import annotations

import pytest

from bench.games import bots, margins
from bench.store import replay
from cartulary.games import GAMES, OFFERS
from tests.support.night import short_or_long


@pytest.mark.slow
@pytest.mark.real
def test_replay_measures_every_game_and_gives_the_largest_ratio(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay, "GAMES_EACH", short_or_long(1, 5))
    measured = replay.main(0)
    for name in GAMES:
        assert measured[name]["events"] > 5
        assert min(measured[name].values()) > 0
        assert measured[name]["bytes_per_game"] > 5 * measured[name]["bytes_per_event"]
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


def test_the_margins_of_a_table_add_up_to_nothing_and_are_the_same_again() -> None:
    leads = margins.play("carcassonne", 3, 1)
    assert len(leads) == 3
    assert abs(sum(leads)) < 1e-9
    assert margins.play("carcassonne", 3, 1) == leads
