"""Moments: which decisions become questions, and what might have followed them."""

from __future__ import annotations

from typing import Any

import pytest

import cartulary
from cartulary.bots.analysis.futures import LENGTH, MomentPosition, describe_moment
from cartulary.bots.analysis.moments import MOST, choose_moments, is_open
from cartulary.engine.chance import RecordedSource
from cartulary.engine.transcript import Playback, Transcript
from cartulary.games import GAMES, OFFERS


def decide(
    version: int, seat: int = 0, loss: float = 5.0, mark: str = "mistake", **more: Any
) -> dict[str, Any]:
    """A decision as far as the choice of moments reads it."""
    usual = {"error": 0.5, "win": 0.4, "best_win": 0.6}
    return {"version": version, "seat": seat, "loss": loss, "mark": mark, **usual, **more}


def versions_of(decisions: list[dict[str, Any]], seats: int = 2) -> list[int]:
    return [one["version"] for one in choose_moments(decisions, 0, seats)]


def test_the_costliest_decisions_of_a_seat_are_its_moments_in_their_order() -> None:
    losses = [4.0, 9.0, 2.0, 7.0, 5.0]
    game = [
        one
        for at, loss in enumerate(losses)
        for one in (decide(2 * at, loss=loss), decide(2 * at + 1, 1, 20.0))
    ]
    assert len(losses) > MOST
    assert versions_of(game) == [2, 6, 8]


def test_a_loss_that_may_be_noise_counts_less_than_a_certain_one() -> None:
    pairs = [(6.0, 5.0), (3.0, 0.1), (4.0, 0.2), (5.0, 0.3)]
    game = [
        one
        for at, (loss, error) in enumerate(pairs)
        for one in (decide(2 * at, loss=loss, error=error), decide(2 * at + 1, 1))
    ]
    assert versions_of(game) == [2, 4, 6]


def test_what_another_has_decided_for_the_seat_is_no_moment() -> None:
    game = [one for at in range(3) for one in (decide(2 * at), decide(2 * at + 1, 1))]
    assert [one["version"] for one in choose_moments(game, 0, 2, {0, 4})] == [2]


@pytest.mark.parametrize("mark", ["best", "good"])
def test_a_move_without_a_mark_against_it_is_no_moment(mark: str) -> None:
    assert versions_of([decide(1, mark=mark)]) == []


@pytest.mark.parametrize(
    ("win", "best_win", "seats", "is_asked"),
    [
        (0.05, 0.19, 2, False),
        (0.05, 0.21, 2, True),
        (0.79, 0.95, 2, True),
        (0.81, 0.95, 2, False),
        (0.02, 0.09, 5, True),
        (0.02, 0.07, 5, False),
    ],
)
def test_a_game_that_is_lost_or_won_anyway_asks_nothing(
    win: float, best_win: float, seats: int, is_asked: bool
) -> None:
    assert is_open(decide(1, win=win, best_win=best_win), seats) is is_asked
    assert versions_of([decide(1, win=win, best_win=best_win)], seats) == [1] * is_asked


def test_one_turn_asks_one_question() -> None:
    turn = [decide(1, loss=3.0), decide(2, loss=4.0), decide(3, 1), decide(4, loss=2.0)]
    assert versions_of(turn) == [2, 4]


def play(game: str, moves: int) -> Transcript:
    """A game of `medium`: its first moves, and all its draws."""
    match = cartulary.new_game(game, 2, seed=5)
    while not match.over:
        match.play_bot("medium")
    whole = match.transcript()
    assert len(whole.moves) > moves
    return whole


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_both_futures_are_games_from_the_same_position(game: str) -> None:
    whole, index = play(game, 60), 40
    position = MomentPosition(whole, OFFERS[game], index)
    seat, moves = position.state.seat, position.state.legal_moves()
    made = whole.moves[index].move
    other = next(move for move in moves if move != made)
    decision = {"version": 43, "seat": seat, "line": [other]}
    moment = describe_moment(whole, OFFERS[game], index, decision, "seed")
    assert (moment["version"], moment["seat"], moment["moves"]) == (43, seat, moves)
    assert moment == describe_moment(whole, OFFERS[game], index, decision, "seed")
    for name, first in (("made", made), ("best", other)):
        future = moment[name]
        assert future["moves"][0] == {"seat": seat, "move": first}
        assert len(future["moves"]) == LENGTH
        state, source = position.state.copy(), RecordedSource(future["draws"])
        for entry in future["moves"]:
            assert state.seat == entry["seat"]
            state.apply(entry["move"], source)
        assert source.exhausted
        assert state.scores == future["scores"]


def test_both_futures_draw_what_the_game_drew() -> None:
    whole, index = play("carcassonne", 60), 40
    playback = Playback(whole, GAMES)
    while playback.index < index:
        playback.step()
    drawn = []
    while not playback.done:
        drawn += playback.step().chance
    position = MomentPosition(whole, OFFERS["carcassonne"], index)
    moves = position.state.legal_moves()
    futures = [position.play_on([move], 1)["draws"] for move in moves]
    assert min(map(len, futures)) >= LENGTH // 2 - 1
    assert len(futures) > 1
    assert futures == [drawn[: len(draws)] for draws in futures]


def test_a_line_that_becomes_illegal_is_left() -> None:
    position = MomentPosition(play("carcassonne", 60), OFFERS["carcassonne"], 0)
    first = position.state.legal_moves()[0]
    future = position.play_on([first, {"type": "nonsense"}, first], 1)
    assert future["moves"][0]["move"] == first
    assert len(future["moves"]) == LENGTH


def test_a_future_ends_with_the_game() -> None:
    whole = play("caylus", 60)
    position = MomentPosition(whole, OFFERS["caylus"], len(whole.moves) - 3)
    future = position.play_on([move for _, move in position.played], 1)
    assert [entry["move"] for entry in future["moves"]] == [move for _, move in position.played]
