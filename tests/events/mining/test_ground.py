"""Which archived games were looked at: the newest first, each once."""

from __future__ import annotations

import json

import pytest

from cartulary.events.mining.ground import MOST_GAPS, MiningGround, Place


class Archived:
    """Games by the time of their end, and a ground that goes through them."""

    def __init__(self, *ended: int) -> None:
        self.places = {(one, f"game{one}") for one in ended}
        self.ground = MiningGround()

    def find(self, low: Place, high: Place) -> Place | None:
        return max((one for one in self.places if low < one < high), default=None)

    def take(self, today: int = 0, end: int = 1000) -> int:
        """Return the end of the next game, 0 where nothing is left."""
        found, ground = self.ground.find_next(self.find, today, (end, ""))
        self.ground = MiningGround.from_json(json.loads(json.dumps(ground.to_json())))
        return 0 if found is None else found[0]

    def take_all(self, today: int = 0) -> list[int]:
        return list(iter(lambda: self.take(today), 0))


def test_the_newest_game_comes_first_and_each_game_once() -> None:
    archived = Archived(3, 1, 2)
    assert [archived.take() for _ in range(5)] == [3, 2, 1, 0, 0]


def test_a_new_day_begins_with_the_newest_game_and_goes_back_to_the_older_ones() -> None:
    archived = Archived(1, 2, 3)
    assert archived.take() == 3
    archived.places |= {(one, f"game{one}") for one in (4, 5)}
    assert archived.take() == 2, "on the same day it goes on down"
    assert [archived.take(today=1) for _ in range(4)] == [5, 4, 1, 0]


def test_what_has_come_meanwhile_is_found_when_nothing_older_is_left() -> None:
    archived = Archived(1)
    assert archived.take() == 1
    archived.places.add((2, "game2"))
    assert archived.take_all() == []
    assert archived.take_all() == [2]


def test_games_that_ended_a_moment_ago_wait() -> None:
    archived = Archived(1, 5)
    assert [archived.take(end=5), archived.take(end=5)] == [1, 0]
    assert archived.take(end=6) == 5


def test_of_games_that_ended_at_the_same_time_each_is_found() -> None:
    archived = Archived()
    archived.places = {(7, "a"), (7, "b"), (7, "c")}
    assert archived.take_all() == [7, 7, 7]


@pytest.mark.parametrize("a_day", [2, 3])
def test_where_more_games_come_than_are_looked_at_the_gaps_stay_few_and_lose_none(
    a_day: int,
) -> None:
    archived, days, taken = Archived(), 3 * MOST_GAPS, set[int]()
    for day in range(days):
        archived.places |= {(day * a_day + one + 1, "game") for one in range(a_day)}
        taken.add(archived.take(day))
        assert len(archived.ground.gaps) <= MOST_GAPS
    taken |= set(archived.take_all(days))
    assert taken == {ended for ended, _ in archived.places}
