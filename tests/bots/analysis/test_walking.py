"""Going through a transcript: what is judged, from where on, and as which version."""

from __future__ import annotations

import json
from itertools import count, pairwise

import pytest
from jsonschema import Draft202012Validator

import cartulary
from cartulary.bots.analysis import MARKS, NoAnalysis, analyse, count_versions
from cartulary.bots.analysis.caylus import FIELDS
from cartulary.engine.caylus.position import Position
from cartulary.engine.core import Json
from cartulary.engine.ending import Ending, Leaver
from cartulary.engine.form import COMPILED, FORM
from cartulary.engine.transcript import InvalidTranscript, RecordedMove, Transcript
from cartulary.games import GAMES, OFFERS
from tests.bots.analysis.games import QUICK, play, play_to_a_blunder
from tests.support.games import ALL_OFFERS

OBJECT = {"type": "object", "required": ["type"]}
FACTS = {"type": "array", "items": OBJECT}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("version", "seat", "kind", "move", "best", "value", "best_value", "loss", "error"),
        *("win", "best_win", "luck", "mark", "alternatives", "line", "why"),
    ],
    "properties": {
        "version": {"type": "integer", "minimum": 3},
        "seat": {"type": "integer", "minimum": 0, "maximum": 4},
        "kind": {"type": "string"},
        "move": OBJECT,
        "best": OBJECT,
        "value": {"type": "number"},
        "best_value": {"type": "number"},
        "loss": {"type": "number", "minimum": 0},
        "error": {"type": "number", "minimum": 0},
        "win": SHARE,
        "best_win": SHARE,
        "luck": {"type": "number"},
        "mark": {"enum": list(MARKS)},
        "alternatives": {
            "type": "array",
            "maxItems": 5,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["move", "value", "win"],
                "properties": {"move": OBJECT, "value": {"type": "number"}, "win": SHARE},
            },
        },
        "line": {"type": "array", "items": OBJECT, "minItems": 1, "maxItems": 5},
        "why": {
            "type": "object",
            "additionalProperties": False,
            "required": ["move", "best"],
            "properties": {"move": FACTS, "best": FACTS},
        },
    },
}


def judge(transcript: Transcript, start: int = 0, level: str = "hard") -> list[Json]:
    return [one.to_json() for one in analyse(transcript, QUICK, level, start=start, seed="seed")]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("carcassonne", 2), ("carcassonne", 5), ("caylus", 2)])
def test_every_move_has_a_decision_as_in_the_contract(game: str, seats: int) -> None:
    transcript = play(game, 8, seats)
    decisions = judge(transcript)
    assert [(one["seat"], one["move"]) for one in decisions] == transcript.moves
    for one in json.loads(json.dumps(decisions)):
        Draft202012Validator(SCHEMA).validate(one)
        assert one["loss"] == pytest.approx(one["best_value"] - one["value"])
        assert one["line"][0] == one["best"]
        values = [alternative["value"] for alternative in one["alternatives"]]
        assert values == sorted(values, reverse=True)
        assert max(values, default=0) <= one["best_value"] or not values
        assert one["move"] not in [alternative["move"] for alternative in one["alternatives"]]


@pytest.mark.parametrize("game", QUICK)
@pytest.mark.slow
def test_the_same_seed_gives_the_same_judgement_wherever_the_analysis_starts(game: str) -> None:
    transcript = play(game, 6)
    whole = judge(transcript)
    for start in (0, 3, 4, 5, 6):
        assert judge(transcript, start) == whole[start:]


@pytest.mark.slow
def test_a_placement_and_its_follower_share_the_loss_of_their_turn() -> None:
    decisions = judge(play("carcassonne", 20))
    pairs = [(one, two) for one, two in pairwise(decisions) if two["kind"] == "place_follower"]
    assert len(pairs) >= 8
    for placement, follower in pairs:
        assert follower["best_value"] == placement["value"]
        assert follower["luck"] == 0


def test_a_planted_blunder_is_found_in_carcassonne() -> None:
    transcript = play_to_a_blunder()
    last = judge(transcript, len(transcript.moves) - 1)[0]
    assert last["mark"] == "blunder"
    assert last["loss"] > 3 * last["error"]
    assert last["best_win"] > last["win"]
    assert last["alternatives"][0] == {
        "move": last["best"],
        "value": last["best_value"],
        "win": last["best_win"],
    }


def test_a_planted_blunder_is_found_in_caylus() -> None:
    """A seat that could place all its workers in the eighth round passes."""
    match, first_worker = cartulary.new_game("caylus", 2, seed=1), 117
    for _ in range(first_worker):
        match.play_bot("medium")
    match.play({"type": "pass"})
    (last,) = judge(match.transcript(), first_worker)
    assert last["mark"] == "blunder"
    assert last["loss"] > 3 * last["error"]
    assert last["best"]["type"] == "place_worker"


def play_to_a_forced_placement() -> Transcript:
    for seed in count():
        match = cartulary.new_game("carcassonne", 2, seed=seed)
        while not match.over:
            forced = match.state.kind == "place_tile" and len(match.state.moves()) == 1
            match.play_bot("random")
            if forced:
                return match.transcript()
    raise AssertionError


def test_a_forced_decision_loses_nothing() -> None:
    transcript = play_to_a_forced_placement()
    (decision,) = judge(transcript, len(transcript.moves) - 1)
    assert (decision["loss"], decision["error"], decision["mark"]) == (0, 0, "best")
    assert decision["alternatives"] == []
    assert decision["best"] == decision["move"]


def test_an_illegal_move_is_reported_when_it_is_reached() -> None:
    transcript = play("carcassonne", 4)
    transcript.moves.append(RecordedMove(0, {"type": "pass"}))
    found = analyse(transcript, QUICK)
    with pytest.raises(InvalidTranscript):
        list(found)


def test_an_unknown_level_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="one of"):
        analyse(play("carcassonne", 1), QUICK, "medium")


def test_a_game_without_an_analyst_has_no_analysis() -> None:
    transcript = Transcript(game="tictactoe", options={}, seats=2)
    with pytest.raises(NoAnalysis, match="tictactoe has no analysis"):
        analyse(transcript, ALL_OFFERS)


def test_another_number_of_versions_is_refused() -> None:
    with pytest.raises(ValueError, match="2 versions for 1 moves"):
        analyse(play("carcassonne", 1), QUICK, versions=[3, 4])


def test_the_caller_gives_the_versions_of_the_moves() -> None:
    found = analyse(play("carcassonne", 2), QUICK, versions=[7, 9])
    assert [one.version for one in found] == [7, 9]


def test_the_first_move_of_an_import_has_version_3() -> None:
    assert count_versions(play("caylus", 3)) == [3, 4, 5]


def test_who_leaves_takes_a_version_before_the_move_of_the_stand_in() -> None:
    transcript = play("carcassonne", 6)
    ending = Ending("agreement", ["finished", "stand_in"], [1, 2], [Leaver(1, 3)])
    left = Transcript(**{**vars(transcript), "ending": ending})
    assert count_versions(left) == [3, 4, 5, 7, 8, 9]


def test_every_analyst_has_the_same_levels() -> None:
    for offer in OFFERS.values():
        assert offer.analyst is None or list(offer.analyst.efforts) == ["hard", "expert"]
        assert GAMES[offer.name] is offer.rules


@pytest.mark.skipif(FORM == COMPILED, reason="a compiled class has no __slots__ to read")
def test_positions_of_caylus_differ_by_all_that_a_copy_has() -> None:
    slots = {*Position.__slots__, "options", "scores"}
    assert set(FIELDS) == slots - {"legal"}  # the other fields say what is legal
