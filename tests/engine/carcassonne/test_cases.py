"""The cases: games and scenarios with the outcome of every turn, computed by another engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cartulary.engine.transcript import Playback, read, verify, write
from cartulary.games import GAMES

CASES = sorted((Path(__file__).parents[2] / "cases" / "carcassonne").glob("*.json"))
REASONS = {"field": "farm"}


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return dict(json.loads(request.param.read_text()))


def playback(case: dict[str, Any]) -> Playback:
    return Playback(read(json.dumps(case), GAMES), GAMES)


def take_turn(game: Playback, drawn: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Play one turn; returns what a case expects of it, and what was drawn for the next."""
    view = game.state.view()
    step = game.step()
    options: list[str] = []
    if game.state.kind == "place_follower":
        options = [move["segment"] for move in game.state.legal_moves() if "segment" in move]
        step = game.step()
    after = game.state.view()
    outcome = {
        "tile": view["tile"],
        "follower_options": sorted(options),
        "scores": after["scores"],
        "followers": after["followers"],
        "set_aside": drawn[:-1],
    }
    return outcome, step.chance


def test_every_case_is_there() -> None:
    assert len(CASES) == 25


def test_every_turn_comes_out_as_expected(case: dict[str, Any]) -> None:
    game = playback(case)
    drawn = game.start.chance
    for number, expected in enumerate(case["expect_turns"]):
        outcome, drawn = take_turn(game, drawn)
        assert outcome == expected, f"turn {number}"
    assert game.done
    assert game.state.over


def test_tiles_set_aside_are_public_in_drawing_order(case: dict[str, Any]) -> None:
    game = playback(case)
    aside = [tile for turn in case["expect_turns"] for tile in turn["set_aside"]]
    while not game.done:
        game.step()
    discarded = game.state.view()["discarded"]
    assert discarded[: len(aside)] == aside
    assert len(discarded) == len(case["draws"]) - len(case["expect_turns"])


def test_the_end_count_agrees_feature_by_feature(case: dict[str, Any]) -> None:
    game = playback(case)
    while not game.done:
        game.step()
    counted = [(e["seat"], e["reason"], e["points"]) for e in game.state.count()]
    expected = [
        (entry["player"], REASONS.get(entry["feature"], entry["feature"]), entry["points"])
        for entry in case["expect_final"]
    ]
    assert sorted(counted) == sorted(expected)


def test_the_result_is_verified(case: dict[str, Any]) -> None:
    report = verify(read(json.dumps(case), GAMES), GAMES)
    assert report.valid, report.error
    assert {"scores": report.scores, "winners": report.winners} == case["result"]
    assert report.moves == len(case["moves"])


def test_a_wrong_result_is_found(case: dict[str, Any]) -> None:
    case["result"]["scores"][0] += 1
    report = verify(read(json.dumps(case), GAMES), GAMES)
    assert not report.valid
    assert report.error is not None
    assert report.error.index is None


def test_what_is_written_is_read_again(case: dict[str, Any]) -> None:
    transcript = read(json.dumps(case), GAMES)
    assert read(write(transcript), GAMES) == transcript
    assert transcript.extra["expect_turns"] == case["expect_turns"]
