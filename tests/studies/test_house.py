"""The lessons of the house: each text has its languages, each claim is what the engine reports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from cartulary.engine.core import Json, State
from cartulary.locales import LANGUAGES
from cartulary.studies import check
from cartulary.studies.house import HouseLesson, list_lessons, walk_chapter
from cartulary.studies.lines import play_start
from cartulary.studies.questions import judge_answer
from tests.studies.examples import GAMES

LESSONS = {f"{game}-{one.name}": one for game in GAMES for one in list_lessons(game)}

FIRST = 3
"""The number of lessons of each game in all languages; the others are in English and German."""

LESSONS_OF_A_GAME = 10

each_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)


def walk_texts(value: Any) -> Iterator[dict[str, str]]:
    """Each text of a study, in its languages."""
    if isinstance(value, dict) and "en" in value:
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from walk_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from walk_texts(item)


def test_both_games_have_lessons_in_their_order() -> None:
    for game in ("carcassonne", "caylus"):
        numbers = [int(one.name.split("-")[0]) for one in list_lessons(game)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) == LESSONS_OF_A_GAME > FIRST
    assert list_lessons("chess") == list_lessons("../lessons") == ()


@each_lesson
def test_every_text_is_there_in_each_language_of_the_lesson(lesson: HouseLesson) -> None:
    number = int(lesson.name.split("-")[0])
    wanted = sorted(LANGUAGES) if number <= FIRST else ["de", "en"]
    assert lesson.languages == wanted
    assert [sorted(text) for text in walk_texts(lesson.study)] == [
        wanted for _ in walk_texts(lesson.study)
    ]
    for lang in wanted:
        texts = [text[lang] for text in walk_texts(lesson.study)]
        assert all(text.strip() == text and text for text in texts)
        if lang != "en":
            assert sum(text[lang] == text["en"] for text in walk_texts(lesson.study)) == 0


@each_lesson
def test_every_lesson_replays_in_each_of_its_languages(lesson: HouseLesson) -> None:
    for lang in lesson.languages:
        assert check(lesson.pick(lang), GAMES) == []


@each_lesson
def test_every_question_is_answered_by_the_move_that_follows_it(lesson: HouseLesson) -> None:
    asked = 0
    for chapter in lesson.pick("en")["chapters"]:
        nodes = [chapter, *chapter["line"]]
        for node, after in pairwise(nodes):
            if "question" in node:
                asked += 1
                judged = judge_answer([after["move"]], node["question"])
                assert judged == {"right": True, "text": ""}
        assert "question" not in nodes[-1]
    assert asked >= 1


@each_lesson
def test_a_question_says_something_to_every_legal_move(lesson: HouseLesson) -> None:
    for chapter in lesson.pick("en")["chapters"]:
        for notes, _, state in walk_chapter(chapter, GAMES):
            if "question" not in notes:
                continue
            judged = [judge_answer([move], notes["question"]) for move in state.legal_moves()]
            assert all(one is not None and (one["right"] or one["text"]) for one in judged)
            assert not all(one is not None and one["right"] for one in judged)


@each_lesson
def test_what_the_texts_claim_is_what_the_engine_reports(lesson: HouseLesson) -> None:
    assert lesson.facts
    for claim in lesson.facts:
        chapter = lesson.pick("en")["chapters"][claim["chapter"]]
        reported = report_move(chapter, claim["move"])
        for fact in claim["facts"]:
            assert any(fact.items() <= one.items() for one in reported), (fact, reported)


@each_lesson
def test_each_mark_points_at_what_the_board_has(lesson: HouseLesson) -> None:
    """A tile that lies, a place of the engine, a section: a mark that is nowhere is not drawn."""
    for chapter in lesson.pick("en")["chapters"]:
        for notes, _, state in walk_chapter(chapter, GAMES):
            view = state.view()
            tiles = {(tile["x"], tile["y"]) for tile in view.get("board", ())}
            places = {place["space"] for place in view.get("road", ())} | view.keys()
            for mark in notes.get("marks", ()):
                at = mark["at"]
                if "x" in at:
                    assert (at["x"], at["y"]) in tiles
                else:
                    assert at.get("space", "castle") in places
                    assert at.get("section", "dungeon") in view["sections"]


def test_the_last_tile_of_the_last_lesson_is_worth_most_where_the_lesson_says() -> None:
    """Nothing follows this tile, so the engine counts every answer to the end."""
    chapter = list_lessons("carcassonne")[-1].pick("en")["chapters"][-1]
    start = play_start(chapter["start"], GAMES, ())
    right = tuple(node["move"] for node in chapter["line"])
    leads = {tuple(map(str, line)): lead for line, lead in walk_ends(start)}
    best = leads.pop(tuple(map(str, right)))
    assert len(leads) > 10
    assert best >= max(leads.values()) + 2


def walk_ends(state: State[Any]) -> Iterator[tuple[tuple[Json, ...], int]]:
    """Each line to the end of the play, with the lead of the first seat after the count."""
    if state.over:
        first, second = state.final().scores
        yield (), first - second
        return
    for move in state.legal_moves():
        after = state.copy()
        after.play(after.find(move))
        for line, lead in walk_ends(after):
            yield (move, *line), lead


def report_move(chapter: Json, index: int) -> list[Json]:
    """The facts of a move of the main line."""
    state = play_start(chapter["start"], GAMES, ())
    facts: list[Json] = []
    for node in chapter["line"][: index + 1]:
        facts = []
        state.facts = facts
        state.play(state.find(node["move"]))
        for draw in node.get("draws", ()):
            state.resolve(draw)
        state.facts = None
    return facts


@each_lesson
def test_numbers_in_bold_are_claimed_facts(lesson: HouseLesson) -> None:
    """Each `**4 points**` of a text has a fact with this number, at the move of the text."""
    for at, chapter in enumerate(lesson.pick("en")["chapters"]):
        for move, node in enumerate(chapter["line"]):
            bold = node.get("text", "").split("**")[1::2]
            claims = [
                one["facts"] for one in lesson.facts if (one["chapter"], one["move"]) == (at, move)
            ]
            numbers = {
                str(number)
                for facts in claims
                for fact in facts
                for number in [fact.get("points"), *fact.get("goods", {}).values()]
            }
            assert {text.split()[0] for text in bold} <= numbers
