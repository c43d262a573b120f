"""A puzzle of a pack on a device without a network: judged as the service judges, and explained."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cartulary.games import OFFERS
from cartulary.offline.messages import Engine
from tests.events.support.handmade_puzzles import CITY, NOBODY, caylus_puzzle, small_puzzle

PUZZLES = [small_puzzle(), caylus_puzzle()]
Json = dict[str, Any]


def send(about: str, puzzle: Any, **more: Any) -> Json:
    """Send a message about a puzzle to an engine of its own; the pack names no maker."""
    record = {name: value for name, value in puzzle.to_json().items() if name != "made"}
    message = {"type": "puzzle", "about": about, "puzzle": record, "language": "en"} | more
    found: Json = json.loads(Engine(OFFERS).handle(json.dumps(message)))
    return found


def ask(about: str, puzzle: Any, **more: Any) -> Any:
    found = send(about, puzzle, **more)
    assert "answer" in found, found
    return found["answer"]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=["carcassonne", "caylus"])
def test_accepted_lines_are_right_and_the_tempting_one_is_wrong(puzzle: Any) -> None:
    assert all(ask("answer", puzzle, moves=line)["right"] for line in puzzle.best)
    wrong = ask("answer", puzzle, moves=puzzle.tempting)
    assert (wrong["right"], wrong["rated"], wrong["player"]) == (False, False, None)
    assert wrong["accepted"] == [{"moves": line} for line in puzzle.best]
    assert {len(wrong[name]["after"]) for name in ("best", "tempting")} != {0}


def test_a_position_is_complete_and_shows_nothing_of_the_answer() -> None:
    shown = ask("position", small_puzzle())
    assert CITY[0] in shown["moves"]
    assert (shown["hint"], shown["answer"], shown["line_moves"]) == (None, None, 2)
    assert not shown.keys() & {"themes", "best", "margin", "after", "facts", "rating"}


def test_the_first_moves_of_a_line_lead_to_its_next_question() -> None:
    tried = ask("line", small_puzzle(), moves=CITY[:1])
    assert tried["decision"]["kind"] == "place_follower"
    assert NOBODY[1] in tried["moves"]


def test_hints_come_in_two_steps_that_do_not_tell_the_lines_apart() -> None:
    assert ask("hint", small_puzzle(), step=1)["candidates"] is None
    lines = ask("hint", small_puzzle(), step=2)["candidates"]
    assert [one["moves"] for one in lines] in ([CITY, NOBODY], [NOBODY, CITY])


@pytest.mark.parametrize("puzzle", PUZZLES, ids=["carcassonne", "caylus"])
def test_each_step_of_both_futures_has_a_picture(puzzle: Any) -> None:
    pictures = {
        ask("board", puzzle, line=line, step=step)
        for line in ("best", "tempting")
        for step in range(len(puzzle.after[line]) + 1)
    }
    assert len(pictures) > 2
    assert all(one.startswith("<svg") for one in pictures)
    assert "error" not in send("board", puzzle, tried=[], wishes={"layout": "tall"})


@pytest.mark.parametrize(
    ("about", "more", "code"),
    [
        ("answer", {"moves": [{"type": "pass"}]}, "illegal_move"),
        ("answer", {"moves": CITY[:1]}, "line_unfinished"),
        ("answer", {"moves": [*CITY, CITY[0]]}, "invalid"),
        ("answer", {"moves": "all"}, "invalid"),
        ("answer", {"moves": CITY, "language": "xx"}, "invalid"),
        ("board", {"line": "best", "step": 99}, "not_found"),
        ("board", {"line": "worst"}, "invalid"),
        ("board", {"wishes": {"layout": "round"}}, "invalid"),
        ("board", {"wishes": {"depth": 3}}, "invalid"),
        ("fortune", {}, "invalid"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(about: str, more: Json, code: str) -> None:
    problem = send(about, small_puzzle(), **more)["problem"]
    assert problem["code"] == code
    assert problem["detail"]


@pytest.mark.parametrize("puzzle", [{"id": "carcassonne-x"}, None, []])
def test_what_is_no_puzzle_is_refused_in_words(puzzle: Any) -> None:
    message = {"type": "puzzle", "about": "position", "puzzle": puzzle, "language": "en"}
    found = json.loads(Engine(OFFERS).handle(json.dumps(message)))
    assert found["problem"]["code"] == "invalid"


def test_a_damaged_transcript_is_refused_in_words() -> None:
    puzzle = small_puzzle()
    damaged = puzzle._replace(transcript={**puzzle.transcript, "draws": ["no tile"]})
    assert send("position", damaged)["problem"]["code"] == "invalid"
