"""What a finished game adds to the counts of the explorer."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.explorer.counting import (
    ASKED,
    BOUNDS,
    WHOLE,
    counts,
    explore,
    find_band,
    list_bands,
)
from tests.events.explorer.played import play
from tests.support.games import ALL_GAMES, COMPLETE


def test_the_figures_of_a_seat_are_those_of_its_game() -> None:
    summary, events = play("caylus", 3, 4)
    found = explore(summary, events, ALL_GAMES["caylus"], [None, 1600.0, 1250.0])
    ranks, scores = summary["result"]["ranks"], summary["result"]["scores"]
    order = next(one for one in events if one["type"] == "game_started")["setup"]["turn_order"]
    given = {
        count: one
        for count, one in found.sums.items()
        if count.key == "place_worker/round-1/seat-1/worker-1" and one.times
    }
    ((count, one),) = given.items()
    first = order[0]
    assert count.band == find_band([None, 1600.0, 1250.0][first])
    assert one.won == (ranks[first] == 1)
    assert one.score == scores[first]
    beaten = sum(2 * (rank > ranks[first]) + (rank == ranks[first]) for rank in ranks) - 1
    assert one.beaten == beaten * WHOLE // 4
    assert found.strength == 1425


@pytest.mark.parametrize("game", COMPLETE)
def test_a_seat_counts_once_for_an_answer_and_is_asked_at_least_as_often(game: str) -> None:
    summary, events = play(game, 2, 9)
    found = explore(summary, events, ALL_GAMES[game], [None, None]).sums
    assert max(one.times for one in found.values()) <= 2
    for count, one in found.items():
        asked = found[count._replace(answer=ASKED)].offered
        assert one.times <= one.offered <= asked <= 2


def test_moves_that_were_taken_back_do_not_count() -> None:
    summary, events = play("carcassonne", 2, 5)
    rules = ALL_GAMES["carcassonne"]
    plain = explore(summary, events, rules, [None, None])
    again = [dict(one) for one in events]
    # The last two moves are taken back, and made again as they were.
    version = again[-1]["version"]
    again.append({"type": "moves_taken_back", "version": version + 1, "to_version": version - 2})
    again += [{**one, "version": version + 2 + n} for n, one in enumerate(events[-2:])]
    assert explore(summary, again, rules, [None, None]) == plain


def test_a_seat_that_was_left_adds_nothing_but_its_opponents_do() -> None:
    summary, events = play("carcassonne", 2, 5)
    rules = ALL_GAMES["carcassonne"]
    whole = explore(summary, events, rules, [1400.0, 1800.0]).sums
    summary["result"]["outcomes"] = ["resigned", "finished"]
    left = explore(summary, events, rules, [1400.0, 1800.0]).sums
    assert left == {count: one for count, one in whole.items() if count.band == 4}


@pytest.mark.parametrize(
    "more",
    [
        {"visibility": "private"},
        {"status": "aborted"},
        {"result": None},
        {"branched_from": {"game": "x", "version": 3}},
        {"seats": [{"seat": 0, "name": "Ada", "player": None, "bot": None}]},
    ],
)
def test_only_public_games_that_were_played_here_to_the_end_count(more: dict[str, Any]) -> None:
    summary, _ = play("beans", 2, 1)
    assert counts(summary)
    assert not counts({**summary, **more})


def test_a_game_that_ended_by_agreement_does_not_count() -> None:
    summary, _ = play("beans", 2, 1)
    summary["result"]["ended_by"] = "agreement"
    assert not counts(summary)


def test_the_bands_of_ratings_meet_without_a_gap() -> None:
    assert [find_band(one) for one in (None, 800, 1299.9, 1300, 1500, 1899, 1900, 2500)] == [
        *(0, 1, 1, 2, 3, 4, 5, 5)
    ]
    assert list(list_bands(None)) == [0, 1, 2, 3, 4, 5]
    assert [next(iter(list_bands(one))) for one in BOUNDS] == [find_band(one) for one in BOUNDS]
