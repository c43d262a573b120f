"""The ladder of the levels: who meets whom, what a step is, and the table."""

from __future__ import annotations

import re
from itertools import pairwise
from math import inf
from pathlib import Path

import pytest

from bench.games import levels
from bench.games.levels import (
    describe,
    find_pairs,
    list_matches,
    list_steps,
    play,
    read_fewer,
    write_row,
)
from cartulary.games import OFFERS
from cartulary.league.matches import LeagueMatch
from cartulary.league.ratings import Rating
from cartulary.league.records import Records

LADDER = {
    name: Rating(value, value - 30, value + 30)
    for name, value in (("easy", 1290.0), ("medium", 1500.0), ("able", 1780.0))
}

NOT_PLAYED = {("caylus", "expert")}
"""Levels that the ladder does not have yet: each game takes half a minute of CPU."""


def test_every_level_but_random_meets_its_neighbours() -> None:
    for game, offer in OFFERS.items():
        names = [name for name in offer.bots if name != "random"]
        matches = list_matches(game, 3, [], 1)
        assert [(one.second, one.first) for one in matches] == [*pairwise(names)]
        assert len(list_matches(game, 3, [], 2)) == 2 * len(names) - 3


def test_named_levels_meet_each_other_alone() -> None:
    (match,) = list_matches("caylus", 2, ["easy", "able"], 2)
    assert (match.first, match.second) == ("able", "easy")


def test_a_step_is_the_rating_over_that_of_the_level_below() -> None:
    assert list_steps(LADDER) == {"medium": 210.0, "able": 280.0}
    found = describe(LADDER, 12)
    assert found["too far"] == "able"
    assert found["able"] == "1780 ± 30"
    assert write_row("caylus", 2, LADDER, 12)[-1] == "280, to `able`"


def test_the_catalogue_has_the_ratings_of_the_ladder_with_two_seats() -> None:
    page = levels.PAGE.read_text("utf-8")
    table = page.partition(levels.BEGIN)[2].partition(levels.END)[0]
    for offer in OFFERS.values():
        (row,) = [
            one for one in table.splitlines() if one.startswith(f"| {offer.rules.title}, 2 |")
        ]
        rated = {name: int(value) for name, value in re.findall(r"`(\w+)` (\d+) ±", row)}
        shown = {name: one.strength for name, one in offer.bots.items() if one.strength}
        assert rated.items() <= shown.items()
        assert {(offer.name, name) for name in shown.keys() - rated.keys()} <= NOT_PLAYED


def test_a_costly_level_plays_fewer_pairs() -> None:
    fewer = read_fewer("hard=20,expert=6")
    assert [find_pairs(one, 50, fewer) for one in list_matches("caylus", 2, [], 1)] == [
        *(50, 50, 50, 50),
        *(20, 6),
    ]
    assert find_pairs(LeagueMatch("caylus", "expert", "hard"), 4, fewer) == 4
    assert read_fewer("") == {}


@pytest.mark.parametrize("text", ["hard", "hard=", "hard=few", "hard=1,"])
def test_fewer_pairs_without_a_number_are_refused(text: str) -> None:
    with pytest.raises(SystemExit, match="--fewer takes"):
        read_fewer(text)


def test_a_match_is_played_as_many_pairs_as_it_has(tmp_path: Path) -> None:
    few, many = (
        LeagueMatch("carcassonne", "medium", "easy"),
        LeagueMatch("carcassonne", "easy", "medium"),
    )
    play(tmp_path, {few: 1, many: 2}, "1", 1, inf)
    records = Records(tmp_path)
    assert [len(records.list_deals(one)) for one in (few, many)] == [1, 2]


@pytest.mark.slow
def test_a_ladder_is_played_and_gone_on_with(tmp_path: Path) -> None:
    def run(*, dry: bool = False) -> dict[str, object]:
        return levels.main(0, 1, "2", "carcassonne", "easy,medium", out=str(tmp_path), dry=dry)

    first = run()
    assert first == run(dry=True) == run()
    assert list(first) == ["carcassonne 2"]
    assert levels.main(0, 1, "3", "carcassonne", out=str(tmp_path), dry=True) == {}
    assert levels.END in levels.PAGE.read_text("utf-8").partition(levels.BEGIN)[2]
