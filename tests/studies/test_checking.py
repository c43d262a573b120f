"""A study file is right when its form is, and the engine allows each of its lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cartulary.engine.core import Json
from cartulary.studies import check, pick_language
from cartulary.studies.limits import FAULTS, NESTING, NODES, TEXT
from cartulary.studies.questions import judge_answer
from tests.studies.examples import GAMES, make_line, make_start, make_study


def faults(study: Any) -> list[tuple[str, str]]:
    return [(one.code, one.pointer) for one in check(study, GAMES)]


def with_first(study: Json, **more: Any) -> Json:
    study["chapters"][0]["line"][0].update(more)
    return study


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_a_study_with_legal_lines_has_no_fault(game: str) -> None:
    assert check(make_study(game), GAMES) == []


def test_an_illegal_move_is_named_with_its_place_and_the_reason() -> None:
    study = make_study()
    study["chapters"][0]["line"][2]["move"] = {"type": "place_tile", "x": 9, "y": 9, "rotation": 0}
    (fault,) = check(study, GAMES)
    assert (fault.code, fault.pointer) == ("illegal", "/chapters/0/line/2/move")
    assert fault.detail


def test_each_branch_is_checked_from_where_it_leaves_the_line() -> None:
    study = make_study()
    study["chapters"][0]["line"][0]["instead"][0][1]["move"] = {"type": "nothing"}
    assert faults(study) == [("illegal", "/chapters/0/line/0/instead/0/1/move")]


def test_a_line_goes_on_only_after_the_draw_that_the_rules_ask() -> None:
    study = make_study(length=4)
    lacking = next(node for node in study["chapters"][0]["line"] if "draws" in node)
    del lacking["draws"]
    assert [code for code, _ in faults(study)] == ["draw"]


def test_a_draw_that_is_not_asked_or_not_possible_is_refused() -> None:
    first = with_first(make_study("caylus"), draws=["A"])
    assert faults(first) == [("draw", "/chapters/0/line/0/draws/0")]
    study = make_study()
    place = next(at for at, node in enumerate(study["chapters"][0]["line"]) if "draws" in node)
    study["chapters"][0]["line"][place]["draws"] = ["Ω"]
    assert faults(study) == [("draw", f"/chapters/0/line/{place}/draws/0")]


def test_the_same_move_stands_once_in_a_position() -> None:
    study = make_study()
    line = study["chapters"][0]["line"]
    line[0]["instead"].append([{"move": line[0]["move"]}])
    assert faults(study) == [("twice", "/chapters/0/line/0/instead/1")]


@pytest.mark.parametrize(
    "text",
    [
        *("<script>alert(1)</script>", "a <img src=x>", "[x](JavaScript:alert(1))"),
        *("&#60;", "a\u202eb", "\x00", "a\u2028b", "a\u2029b"),
    ],
)
def test_script_and_hidden_signs_in_a_text_are_refused_in_words(text: str) -> None:
    assert faults(with_first(make_study(), text=text)) == [("text", "/chapters/0/line/0/text")]


@pytest.mark.parametrize("title", ["", " ", "\u200b", "\u3164\u2800", "a\u2028b"])
def test_a_title_is_one_line_with_something_to_be_seen(title: str) -> None:
    assert faults({**make_study(), "title": title}) == [("text", "/title")]


def test_a_text_may_compare_numbers() -> None:
    assert faults(with_first(make_study(), text="3 < 4 & 5 > 2\n\n- **so**")) == []


def test_what_is_too_much_is_refused_before_the_engine_plays() -> None:
    long = make_study(text="a" * (TEXT + 1))
    assert faults(long) == [("too_much", "/chapters/0/text")]
    many = make_study()
    many["chapters"][0]["line"] = [{"move": {}}] * (NODES + 1)
    assert faults(many) == [("too_much", "/chapters/0/line")]
    chapters = make_study()
    chapters["chapters"][0]["line"] = [{"move": {}}] * 1000
    chapters["chapters"] *= 4
    assert faults(chapters) == [("too_much", "/chapters")]


def test_branches_nest_only_so_deep() -> None:
    line: list[Json] = [{"move": {}}]
    for _ in range(NESTING + 1):
        line = [{"move": {}, "instead": [line]}]
    study = make_study()
    study["chapters"][0]["line"] = line
    assert [code for code, _ in faults(study)] == ["too_much"]


@pytest.mark.parametrize(
    "value", [None, 3, [], {}, {"format": "cartulary/1"}, {"a": float("nan")}, {1: 2}, "\ud800"]
)
def test_what_is_no_study_gets_one_fault(value: Any) -> None:
    assert [code for code, _ in faults(value)] == ["form"]


def test_an_unknown_game_and_a_broken_transcript_are_named() -> None:
    study = make_study()
    study["chapters"][0]["start"]["game"] = "chess"
    assert [code for code, _ in faults(study)] == ["start"]
    study = make_study()
    study["chapters"][0]["start"]["moves"] = [{"seat": 0, "move": {"type": "no"}}]
    assert faults(study) == [("start", "/chapters/0/start/moves/0")]


def test_not_more_than_so_many_faults_are_named() -> None:
    study = make_study()
    bad = [[{"move": {"type": f"no{number}"}}] for number in range(FAULTS + 9)]
    assert len(faults(with_first(study, instead=bad))) == FAULTS


@pytest.mark.parametrize(
    ("mark", "right"),
    [
        ({"kind": "good", "at": {"x": 1, "y": -2}}, True),
        ({"kind": "look", "at": {"space": "road:3"}}, True),
        ({"kind": "bad", "from": {"seat": 0}, "to": {"x": 1, "y": 0, "segment": "c0"}}, True),
        ({"kind": "good"}, False),
        ({"kind": "ugly", "at": {"x": 1, "y": 1}}, False),
        ({"kind": [], "at": {"x": 1, "y": 1}}, False),
        ({"kind": "good", "at": {"x": True, "y": 1}}, False),
        ({"kind": "good", "at": {"space": "<b>"}}, False),
        ({"kind": "good", "at": {"x": 1}}, False),
    ],
)
def test_a_mark_names_places_of_the_move_contract(mark: Json, right: bool) -> None:
    assert (faults(with_first(make_study(), marks=[mark])) == []) == right


def question(**more: Any) -> Json:
    moves = [node["move"] for node in make_line(make_start(), 1)]
    return {"ask": "Where?", "right": [moves], "otherwise": "No.", "hints": ["Look left."], **more}


def test_the_answers_of_a_question_are_legal_moves_of_the_position() -> None:
    assert check(make_study(question=question()), GAMES) == []
    bad = question(wrong=[{"moves": [{"type": "no"}], "text": "why"}])
    assert faults(make_study(question=bad)) == [("illegal", "/chapters/0/question/wrong/0/moves/0")]


def test_no_line_is_right_and_wrong() -> None:
    both = question(wrong=[{"moves": question()["right"][0], "text": "no"}])
    assert [code for code, _ in faults(make_study(question=both))] == ["question"]


def test_a_question_has_a_right_answer_of_one_seat_before_the_next_draw() -> None:
    assert [code for code, _ in faults(make_study(question=question(right=[])))] == ["question"]
    far = [node["move"] for node in make_line(make_start(), 3)]
    assert [code for code, _ in faults(make_study(question=question(right=[far])))] == ["question"]


def test_an_answer_waits_while_it_may_still_be_right() -> None:
    first, second = {"type": "a"}, {"type": "b"}
    asked = {
        "ask": "",
        "right": [[first, second]],
        "wrong": [{"moves": [first, first], "text": "not twice"}],
        "otherwise": "no",
    }
    assert judge_answer([first], asked) is None
    assert judge_answer([first, second], asked) == {"right": True, "text": ""}
    assert judge_answer([first, first], asked) == {"right": False, "text": "not twice"}
    assert judge_answer([second], asked) == {"right": False, "text": "no"}


def test_a_file_in_many_languages_gives_a_file_in_one() -> None:
    study = with_first(make_study(), text={"en": "here", "de": "hier"})
    picked = pick_language(study, "de")
    assert picked["language"] == "de"
    assert picked["chapters"][0]["line"][0]["text"] == "hier"
    assert pick_language(study, "fr")["chapters"][0]["line"][0]["text"] == "here"
    assert check(picked, GAMES) == []


def test_the_study_of_the_page_is_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")
    assert check(json.loads(page.split("```json\n")[1].split("```")[0]), GAMES) == []
