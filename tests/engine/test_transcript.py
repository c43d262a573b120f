"""Transcripts: what is readable, what is valid, what is kept (`docs/transcript.md`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json
from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import (
    InvalidTranscript,
    Playback,
    RecordedMove,
    from_json,
    read,
    record,
    verify,
    write,
)
from cartulary.games import GAMES
from tests.support.small_transcript import small, without

CASE = Path(__file__).parents[1] / "cases" / "carcassonne" / "scenario-city-tie.json"


def broken(value: Json) -> Any:
    report = verify(from_json(value, GAMES), GAMES)
    assert not report.valid
    assert report.error is not None
    return report.error


# -- readable -------------------------------------------------------------------------------------


def test_a_transcript_is_read_and_verified() -> None:
    transcript = from_json(small(), GAMES)
    report = verify(transcript, GAMES)
    assert report.to_json() == {
        "valid": True,
        "moves": 2,
        "scores": [4, 0],
        "winners": [0],
        "breakdown": [],
        "error": None,
    }
    assert transcript.players == ["Ada", "mcts"]


@pytest.mark.parametrize("key", ["options", "players", "result"])
def test_what_may_be_missing_may_be_missing(key: str) -> None:
    report = verify(from_json(without(key), GAMES), GAMES)
    assert (report.valid, report.winners) == (True, [0])


@pytest.mark.parametrize("key", ["format", "game", "seats", "setup", "draws", "moves"])
def test_what_may_not_be_missing_is_missed(key: str) -> None:
    with pytest.raises(TranscriptError, match=f"lacks '{key}'"):
        from_json(without(key), GAMES)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("format", "cartulary/2", "'format' must be"),
        ("format", 1, "'format' must be a string, not 1$"),
        ("game", "chess", "there is no game"),
        ("game", ["carcassonne"], "'game' must be a string"),
        ("seats", 1, "2 to 5 seats"),
        ("seats", 6, "2 to 5 seats"),
        ("seats", True, "'seats' must be an integer"),
        ("seats", 2.0, "'seats' must be an integer"),
        ("seats", "2", "'seats' must be an integer"),
        ("seats", 10**30, "2 to 5 seats"),
        ("options", {"tiny_city": 3}, "takes one of"),
        ("options", {"tiny_city": 4.0}, "takes one of"),
        ("options", {"tiny_city": True}, "takes one of"),
        ("options", {"abbey": 1}, "has no option"),
        ("options", None, "'options' must be an object"),
        ("players", ["Ada"], "1 'players' for 2 seats"),
        ("players", ["Ada", 2], "holds strings"),
        ("players", "Ada", "'players' must be a list"),
        ("setup", {"bag": {"A": 1}}, "in a transcript is empty"),
        ("setup", [], "'setup' must be an object"),
        ("draws", ["E", "Y"], 'there is no tile "Y"'),
        ("draws", ["e"], 'there is no tile "e"'),
        ("draws", [["E"]], "holds strings"),
        ("draws", "E", "'draws' must be a list"),
        ("draws", ["C", "C"], "0 to 1 of tile C, not 2"),
        ("draws", ["D"] * 4, "0 to 3 of tile D, not 4"),
        ("bag", {"E": 5}, "0 to 5 of tile E, not 6"),
        ("bag", {"A": -1}, "0 to 2 of tile A, not -1"),
        ("bag", {"A": True}, "0 to 2 of tile A, not true"),
        ("bag", {"?": 1}, "there is no tile"),
        ("bag", [], "'bag' must be an object"),
        ("moves", {}, "'moves' must be a list"),
        ("moves", [[]], "move 0 must be an object of"),
        ("moves", [{"seat": 0}], "move 0 must be an object of"),
        ("moves", [{"seat": 0, "move": {}, "time": 3}], "move 0 must be an object of"),
        ("moves", [{"seat": True, "move": {}}], "move 0: 'seat' must be an integer"),
        ("moves", [{"seat": 0, "move": "pass"}], "move 0: 'move' must be an object"),
        ("result", None, "'result' must be an object"),
        ("result", {}, "lacks 'scores'"),
        ("result", {"scores": [4, 0]}, "lacks 'winners'"),
        ("result", {"scores": [4, 0.0], "winners": [0]}, "must hold integers"),
        ("result", {"scores": 4, "winners": [0]}, "'scores' must be a list"),
    ],
)
def test_what_is_no_transcript_is_unreadable(key: str, value: Any, reason: str) -> None:
    with pytest.raises(TranscriptError, match=reason):
        read(json.dumps({**small(), key: value}), GAMES)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the transcript is not JSON: Expecting value"),
        ("{", "the transcript is not JSON: Expecting property name"),
        ("[]", "a transcript is a JSON object, not []"),
        ("null", "a transcript is a JSON object, not null"),
        ('"cartulary/1"', 'a transcript is a JSON object, not "cartulary/1"'),
        ("NaN", "the transcript is not JSON: it has no NaN"),
        ('{"x": NaN}', "the transcript is not JSON: it has no NaN"),
        ('{"x": -Infinity}', "the transcript is not JSON: it has no -Infinity"),
        ('{"x": 1e999}', "the transcript is not JSON: it has no 1e999"),
        ('{"x": "\\ud800"}', "a string of the transcript is not Unicode text"),
        ('{"\\ud800": 1}', "a string of the transcript is not Unicode text"),
        (b"\xff\xfe\xfa", "the transcript is not JSON: 'utf-8' codec"),
        (b"\x80", "the transcript is not JSON: 'utf-8' codec"),
        ("[" * 100_000, "the transcript is nested too deeply"),
        ("[" * 500 + "]" * 500, "the transcript is nested more than 32 deep"),
        ('{"a":' * 40_000, "the transcript is nested too deeply"),
        ('{"a":' * 100_000, "the transcript is too large: it has more than 50000 values"),
        ('{"x": ' + "9" * 5000 + "}", "the transcript is not JSON: Exceeds the limit"),
    ],
    ids=range(18),
)
def test_whatever_a_stranger_sends_is_unreadable_and_nothing_worse(
    text: str | bytes, reason: str
) -> None:
    with pytest.raises(TranscriptError) as refused:
        read(text, GAMES)
    assert str(refused.value).startswith(reason)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_a_file_is_utf_8_without_a_byte_order_mark(encoding: str) -> None:
    text = json.dumps({**small(), "players": ["Zoë", "mcts"]}, ensure_ascii=False)
    assert read(text.encode(), GAMES) == read(text, GAMES)
    with pytest.raises(TranscriptError, match="not JSON"):
        read(text.encode(encoding), GAMES)


def test_a_file_may_nest_so_deep_and_no_deeper() -> None:
    whole = json.dumps({**small(), "note": 0})
    deepest, deeper = ("[" * depth + '{"a": "b"}' + "]" * depth for depth in (31, 32))
    assert read(whole.replace('"note": 0', f'"note": {deepest}'), GAMES)
    with pytest.raises(TranscriptError, match="nested more than 32 deep"):
        read(whole.replace('"note": 0', f'"note": {deeper}'), GAMES)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({1: 2}, "the keys of an object must be strings"),
        ({"x": {1: 2}}, "the keys of an object must be strings"),
        ({"x": float("nan")}, "the transcript is not JSON: it has no nan"),
        ({"x": (1,)}, "the transcript is not JSON: it has no tuple"),
        ({"x": b""}, "the transcript is not JSON: it has no bytes"),
    ],
)
def test_a_value_that_json_cannot_say_is_unreadable(value: Any, reason: str) -> None:
    with pytest.raises(TranscriptError, match=f"^{reason}$"):
        from_json({**small(), **value}, GAMES)


# -- valid ----------------------------------------------------------------------------------------


def test_an_illegal_move_is_named_with_what_was_legal() -> None:
    value = small()
    value["moves"][1]["move"]["segment"] = "r0"
    error = broken(value)
    assert (error.index, error.seat) == (1, 0)
    assert "no segment" in error.reason
    assert {"type": "place_follower", "segment": "c0"} in error.legal_moves


@pytest.mark.parametrize(
    ("key", "other"), [("x", 0.0), ("x", False), ("rotation", 540), ("y", 1e30)]
)
def test_a_number_that_is_not_that_integer_is_illegal(key: str, other: Any) -> None:
    value = small()
    value["moves"][0]["move"][key] = other
    assert broken(value).index == 0


def test_a_move_by_another_seat_makes_it_invalid() -> None:
    for seat in (1, 7, -1):
        value = small()
        value["moves"][0]["seat"] = seat
        error = broken(value)
        assert (error.index, error.seat) == (0, seat)
        assert "seat 0" in error.reason
        assert error.legal_moves


def test_a_move_for_a_decision_that_is_not_asked_makes_it_invalid() -> None:
    value = small()
    value["draws"] += ["B"]
    value["moves"][1:1] = [{"seat": 0, "move": {"type": "skip_follower"}}]
    error = broken(value)
    assert error.index == 2
    assert "place_tile" in error.reason


def test_a_move_after_the_end_makes_it_invalid() -> None:
    value = small()
    value["moves"] += [{"seat": 1, "move": {"type": "skip_follower"}}]
    error = broken(value)
    assert (error.index, error.legal_moves) == (2, [])
    assert "over" in error.reason


@pytest.mark.parametrize(
    "result",
    [
        {"scores": [5, 0], "winners": [0]},
        {"scores": [4, 0], "winners": [0, 1]},
        {"scores": [4], "winners": [0]},
        {"scores": [4, 0], "winners": [0], "breakdown": [{}]},
        {"scores": [4, 0], "winners": [0], "comment": "well played"},
    ],
)
def test_another_result_than_the_engines_makes_it_invalid(result: Json) -> None:
    error = broken({**small(), "result": result})
    assert (error.index, error.seat, error.legal_moves) == (None, None, [])
    assert "result" in error.reason


def test_a_result_with_the_breakdown_is_valid() -> None:
    result = {"scores": [4, 0], "winners": [0], "breakdown": []}
    assert verify(from_json({**small(), "result": result}, GAMES), GAMES).valid


def test_a_result_of_an_unfinished_game_makes_it_invalid() -> None:
    value = small()
    value["moves"] = value["moves"][:1]
    error = broken(value)
    assert "not over" in error.reason
    assert error.legal_moves


# -- unfinished -----------------------------------------------------------------------------------


def test_draws_that_no_move_has_used_are_still_in_the_bag() -> None:
    value = without("result")
    value["moves"] = value["moves"][:1]
    value["draws"] += ["B", "A", "B"]
    playback = Playback(from_json(value, GAMES), GAMES)
    playback.step()
    assert playback.finish() is None
    assert playback.state.view()["remaining"] == {"A": 1, "B": 2}


def test_the_bag_of_an_unfinished_game_is_what_is_left() -> None:
    value = without("result")
    value["bag"] = {"A": 2, "V": 9}
    value["draws"] += ["B"]
    transcript = from_json(value, GAMES)
    report = verify(transcript, GAMES)
    assert (report.valid, report.scores, report.winners) == (True, [4, 0], None)
    playback = Playback(transcript, GAMES)
    assert playback.start.chance == ["E"]
    playback.step()
    assert playback.step().chance == ["B"]
    assert playback.state.view()["remaining"] == {"A": 2, "V": 9}


def test_a_record_of_draws_that_ends_early_leaves_the_draw_pending() -> None:
    value = without("result")
    value["bag"] = {"A": 2}
    playback = Playback(from_json(value, GAMES), GAMES)
    while not playback.done:
        playback.step()
    assert playback.state.chance is not None
    value["moves"] += [{"seat": 1, "move": {"type": "skip_follower"}}]
    assert "draws end" in broken(value).reason


def test_a_full_bag_is_the_setup_of_an_ordinary_game() -> None:
    game = GAMES["carcassonne"]
    full = game.new(2, {}, {}).view()["remaining"]
    assert game.setup_of_transcript({}, [], full) == {}
    assert game.setup_of_transcript({}, ["A"], {**full, "A": 1}) == {}
    assert game.setup_of_transcript({}, ["A"], {}) == {"bag": {"A": 1}}


# -- keeping --------------------------------------------------------------------------------------


def test_unknown_keys_of_the_top_level_are_kept() -> None:
    value = {**small(), "event": "club night", "notes": [{"deep": [1.5, None, True, 10**30]}]}
    transcript = from_json(value, GAMES)
    assert transcript.extra == {"event": "club night", "notes": value["notes"]}
    assert json.loads(write(transcript)) == value


def test_writing_what_was_read_changes_nothing() -> None:
    value = json.loads(CASE.read_text())
    transcript = from_json(value, GAMES)
    assert json.loads(write(transcript)) == {**value, "options": {"tiny_city": 4}}


def test_a_record_of_a_running_game_carries_its_bag() -> None:
    game = GAMES["carcassonne"]
    state = game.new(2, {}, {})
    draws = state.settle(RecordedSource(["E"]))
    entry = RecordedMove(**small()["moves"][0])
    state.apply(entry.move, RecordedSource([]))
    transcript = record(game, state, {}, draws, [entry], players=["Ada", "Bo"], extra={"x": 1})
    again = read(write(transcript), GAMES)
    assert again == transcript
    assert (again.draws, again.extra, again.result) == (["E"], {"x": 1}, None)
    assert again.bag is not None
    assert sum(again.bag.values()) == 70


def test_playing_back_stops_at_the_first_illegal_move_and_stays_there() -> None:
    value = small()
    value["moves"][1]["move"] = {"type": "decline"}
    playback = Playback(from_json(value, GAMES), GAMES)
    playback.step()
    before = playback.state.state_hash()
    for _ in range(2):
        with pytest.raises(InvalidTranscript):
            playback.step()
    assert playback.state.state_hash() == before
