"""The games of a league: pairs are pairs, and a player thinks once for a turn."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.bots import Budget, Thought
from cartulary.engine.chance import Chance
from cartulary.games import GAMES
from cartulary.league import matches
from cartulary.league.matches import (
    ALONE,
    SWAP,
    Chooser,
    Deck,
    LeagueMatch,
    PlayedMatch,
    Task,
    Work,
    play_task,
)
from cartulary.league.players import LeaguePlayer, UnknownPlayer, find_player

RANDOMS = LeagueMatch("carcassonne", "random", "random@2")


def test_both_players_sit_on_each_seat_of_a_deal_as_often() -> None:
    for seats in range(2, 6):
        seatings = LeagueMatch("caylus", "hard", "medium", seats).list_seatings()
        assert len(seatings) == 2
        assert all(one != other for one, other in zip(*seatings, strict=True))


def test_alone_the_first_player_sits_on_each_seat_once() -> None:
    seatings = LeagueMatch("caylus", "hard", "medium", 4, shape=ALONE).list_seatings()
    assert [seating.index(0) for seating in seatings] == [0, 1, 2, 3]
    assert all(sum(seating) == 3 for seating in seatings)


def test_with_two_seats_both_shapes_are_the_same() -> None:
    swap, alone = (LeagueMatch("caylus", "a", "b", shape=shape) for shape in (SWAP, ALONE))
    assert swap.list_seatings() == alone.list_seatings()


def test_equal_players_have_the_same_scores_wherever_they_sit() -> None:
    for seed in ("a", "b"):
        one, other = (play_task(Task(RANDOMS, seed, 0, number)) for number in range(2))
        assert one.scores == other.scores
        assert one.seating != other.seating
        assert one.won + other.won == 1


def test_another_deal_and_another_seed_are_other_games() -> None:
    games = [play_task(Task(RANDOMS, seed, deal, 0)) for seed in "ab" for deal in range(2)]
    assert len({game.scores for game in games}) == 4


def test_a_deck_draws_in_one_order_and_passes_over_what_is_gone() -> None:
    bag = {"A": 2, "B": 3, "C": 1}
    drawn = []
    deck = Deck("seed")
    for _ in range(5):
        drawn.append(deck.draw(Chance("tile", tuple(bag), tuple(bag.values()))))
        bag[drawn[-1]] -= 1
    again = Deck("seed")
    first = again.draw(Chance("tile", ("A", "B", "C"), (2, 3, 1)))
    assert first == drawn[0]
    gone = drawn[1]
    left = tuple(0 if name == gone else 3 for name in "ABC")
    assert again.draw(Chance("tile", ("A", "B", "C"), left)) == next(
        name for name in drawn[1:] if name != gone
    )


def test_a_plan_is_played_without_thinking_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def think(state: Any, rng: random.Random, budget: Budget) -> Thought:
        asked.append(state.kind)
        move = state.moves()[0]
        twin = state.copy()
        twin.play(move)
        plan = twin.moves()[:1] if twin.kind == "place_follower" else []
        return Thought((move, *plan), 1, ())

    player = LeaguePlayer("planner", think, Budget(1), 1)
    monkeypatch.setattr(matches, "find_player", lambda game, name: player)
    played = play_task(Task(RANDOMS, "seed", 0, 0))
    assert set(asked) == {"place_tile"}
    assert sum(work.turns for work in played.works) == len(asked)


def test_a_planned_number_that_equals_a_move_is_played_as_the_listed_move() -> None:
    """A bot of others may plan with integers of numpy; 1.0 stands for them here."""
    state = GAMES["carcassonne"].new(2, {}, {"bag": {"E": 1}})
    state.settle(Deck("seed"))
    placed = state.moves()[0]
    chooser = Chooser(lambda *_: (placed, 1.0), lambda: pytest.fail("no record is asked"), "seed")
    state.play(chooser.choose(state))
    assert state.kind == "place_follower"
    assert type(chooser.choose(state)) is int


@pytest.mark.parametrize(
    ("scores", "won", "margin"),
    [((10, 5, 7), 1, 5), ((10, 12, 7), 0, -2), ((9, 9, 3), 0.5, 0), ((1, 4, 6), 1, 2)],
)
def test_a_shared_win_is_divided(scores: tuple[int, ...], won: float, margin: int) -> None:
    played = PlayedMatch("", 0, 0, (0, 1, 0), scores, (Work(), Work()))
    assert (played.won, played.margin) == (won, margin)


def test_the_name_of_a_player_may_have_a_budget() -> None:
    hard = find_player("carcassonne", "hard")
    assert hard.budget.iterations
    assert find_player("carcassonne", "hard@7").budget.iterations == 7
    assert find_player("carcassonne", "hard@7").budget_of(5).iterations == 7
    assert hard.budget_of(5).iterations == hard.describe()["crowded"] != hard.budget.iterations
    assert find_player("carcassonne", "hard@0.5s").budget.seconds == 0.5
    assert find_player("carcassonne", "greedy").think is find_player("carcassonne", "medium").think


@pytest.mark.parametrize("name", ["best", "hard@", "hard@0", "hard@x", "hard@0s", "style:me", ""])
def test_an_unknown_player_is_refused(name: str) -> None:
    with pytest.raises(UnknownPlayer):
        find_player("caylus", name)


def test_a_match_is_named_after_all_that_it_depends_on() -> None:
    options = (("edition", "second"),)
    others = [
        LeagueMatch("caylus", "a", "b"),
        LeagueMatch("caylus", "a", "b", 3),
        LeagueMatch("caylus", "a", "b", shape=ALONE),
        LeagueMatch("caylus", "a", "b", options=options),
        LeagueMatch("carcassonne", "a", "b"),
        LeagueMatch("caylus", "b", "a"),
    ]
    assert len({match.name for match in others}) == len(others)
    assert "caylus" in GAMES
