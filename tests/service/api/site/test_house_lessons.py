"""The lessons of the house as the service gives them: titles, studies with positions, pictures."""

from __future__ import annotations

from typing import Any, cast

import pytest

from cartulary.studies.house import list_lessons
from tests.service.support.caller import Answer, Caller
from tests.service.support.scene import problem


def read(visitor: Caller, path: str, **more: Any) -> Answer:
    """Ask for what is not below the prefix of the API."""
    return cast(Answer, visitor.client.get(path, **more))


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_the_lessons_of_a_game_are_listed_in_the_language_of_the_reader(
    visitor: Caller, game: str
) -> None:
    lessons = list_lessons(game)
    for lang, told in (("de", "de"), ("en", "en"), ("xx", "en")):
        shown = read(visitor, f"/learn/{game}/lessons/{lang}.json").json["lessons"]
        assert [(one["name"], one["title"]) for one in shown] == [
            (one.name, one.study["title"][told]) for one in lessons
        ]
        assert [one["languages"] for one in shown] == [one.languages for one in lessons]


def test_a_lesson_that_lacks_a_language_is_english(visitor: Caller) -> None:
    last = list_lessons("caylus")[-1]
    assert "fr" not in last.languages
    path = f"/learn/caylus/lessons/{last.name}"
    french, english = (read(visitor, f"{path}/{lang}.json").json for lang in ("fr", "en"))
    assert french["study"]["title"] == english["study"]["title"] == last.study["title"]["en"]
    assert french["positions"] == english["positions"]


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_each_position_of_a_lesson_has_its_view_and_the_moves_of_its_question(
    visitor: Caller, game: str
) -> None:
    for lesson in list_lessons(game):
        shown = read(visitor, f"/learn/{game}/lessons/{lesson.name}/en.json").json
        for chapter, positions in zip(shown["study"]["chapters"], shown["positions"], strict=True):
            nodes = [chapter, *chapter["line"]]
            seats = set()
            for node, position in zip(nodes, positions, strict=True):
                assert ("moves" in position) == ("question" in node)
                if "question" in node:
                    right = [moves[0] for moves in node["question"]["right"]]
                    assert all(move in position["moves"] for move in right)
                    seats.add(position["decision"]["seat"])
            assert len(seats) == 1  # the one that the person plays


def test_the_picture_of_a_position_is_that_of_the_reader(visitor: Caller) -> None:
    path = "/learn/carcassonne/lessons/01-first-follower/0"
    first, second = (read(visitor, f"{path}/{step}.svg?parts=board") for step in (0, 1))
    assert first.mimetype == "image/svg+xml"
    assert 'data-x="0" data-y="-1"' in second.text
    assert first.text != second.text
    again = read(
        visitor, f"{path}/0.svg?parts=board", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "chess/lessons/en.json",
        "caylus/lessons/99-none/en.json",
        "caylus/lessons/..%2F..%2Fhouse/en.json",
        "caylus/lessons/01-first-worker/7/0.svg",
        "caylus/lessons/01-first-worker/0/99.svg",
        "caylus/lessons/01-first-worker/0/0.svg?layout=round",
        "caylus/lessons/01-first-worker/0/0.svg?other=1",
    ],
)
def test_what_is_no_lesson_is_not_found(visitor: Caller, path: str) -> None:
    problem(read(visitor, f"/learn/{path}"), 404, "not_found")
