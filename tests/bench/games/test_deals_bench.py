"""How much of the margins lies between deals: by twins of games with the same order of draws."""

from __future__ import annotations

import pytest

from bench.games import deals
from bench.games.deals import DealTask, TwinGames, find_share, play_deal, sum_up


def test_twins_that_end_alike_are_decided_by_their_deals() -> None:
    found = sum_up([TwinGames([5, -5], [5, -5]), TwinGames([-9, 9], [-9, 9])])
    assert (found["share"], found["low"], found["high"], found["left"]) == (1, 1, 1, 0)


def test_twins_that_have_nothing_in_common_are_not() -> None:
    twins = [TwinGames([one, -one], [two, -two]) for one in (7, -7) for two in (3, -3)]
    assert find_share(twins) == 0
    assert find_share([TwinGames([5, -5], [-5, 5])]) == -1
    assert sum_up(twins)["left"] == 1


def test_no_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="no deals"):
        sum_up([])


@pytest.mark.slow
def test_twins_have_the_same_draws_and_bots_with_seeds_of_their_own() -> None:
    found = deals.main(deals=2, seats=3)
    assert found["deals"] == 2
    assert found == deals.main(deals=2, seats=3)
    task = DealTask(2, 1, "random")
    assert play_deal(task, "one") == play_deal(task, "one") != play_deal(task, "two")
