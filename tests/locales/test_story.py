"""The story: every event of whole games in words, in every language."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from cartulary import locales
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json
from cartulary.events.model.table_parts import DECLINE_REASONS
from cartulary.locales import LANGUAGES
from cartulary.locales.story import FormerName, StoryTeller
from cartulary.service.openapi.examples import EVENTS
from tests.support.games import ALL_OFFERS

NAMES = ["Ada", "Bo", "Cy"]


def events(game: str, seed: int) -> list[Json]:
    """The moves of a random game as events."""
    rng = random.Random(seed)
    rules = ALL_OFFERS[game].rules
    seats = min(3, rules.seats_to)
    state = rules.new(seats, {}, rules.draw_setup(seats, {}, rng))
    source = RandomSource(rng)
    state.settle(source)
    told = []
    while not state.over:
        seat, move = state.seat, rng.choice(state.legal_moves())
        facts = state.apply(move, source).facts
        told.append({"type": "move_made", "seat": seat, "move": move, "facts": facts})
    return told


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.parametrize("game", sorted(ALL_OFFERS.keys() - {"beans"}))
def test_the_story_of_a_whole_game_has_no_raw_words(lang: str, game: str) -> None:
    teller = StoryTeller(lang, ALL_OFFERS[game].words, NAMES)
    lines = [line for event in events(game, 5) for line in teller.tell(event)]
    assert len(lines) >= 5
    for line in lines:
        assert not re.search(r"[{}|]|\w_\w|None", line), line
        assert line.endswith(".")


def test_what_one_seat_does_in_a_row_makes_one_sentence() -> None:
    event = {
        "type": "move_made",
        "seat": 1,
        "move": {"type": "place_worker", "space": "road-3"},
        "facts": [
            {"type": "paid", "seat": 1, "goods": {"deniers": 2}, "reason": "placing"},
            {"type": "worker_placed", "seat": 1, "space": "road-3", "building": "mason"},
            {
                "type": "points",
                "seat": 0,
                "points": 1,
                "reason": "owner",
                "by": 1,
                "space": "road-3",
                "building": "mason",
            },
        ],
    }
    assert StoryTeller("en", ALL_OFFERS["caylus"].words, NAMES).tell(event) == [
        "Bo: pays 2 deniers; worker to the Mason (space 3).",
        "Ada: +1 prestige: Bo works in the Mason.",
    ]


def test_the_end_names_the_winners_and_their_points() -> None:
    event = {"type": "game_scored", "result": {"scores": [7, 31, 31], "winners": [1, 2]}}
    assert StoryTeller("pl", ALL_OFFERS["carcassonne"].words, NAMES).tell(event) == [
        "Punkty policzone. Wygrana: Bo, Cy, 31 punktów."
    ]


def test_facts_without_a_phrase_and_games_without_words_are_passed_over() -> None:
    event = {"type": "move_made", "seat": 0, "move": {"type": "x"}, "facts": [{"type": "y"}]}
    assert StoryTeller("en", ALL_OFFERS["caylus"].words, NAMES).tell(event) == []
    assert StoryTeller("en", locales.GameWords({}), NAMES).tell(event) == []


# -- people come, go and take moves back ----------------------------------------------------------


def told(lang: str, event: Json, former: tuple[FormerName, ...] = ()) -> list[str]:
    """Return an event in words, at a table of Caylus."""
    return StoryTeller(lang, ALL_OFFERS["caylus"].words, NAMES, former).tell(event)


BO = {"id": "b", "name": "Bo"}
ROBO = {"id": "r", "name": "Robo", "kind": "bot", "owner": "a"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_reason_for_which_a_bot_declines_has_a_sentence_of_its_own(lang: str) -> None:
    event = {"type": "seat_declined", "seat": 1, "player": ROBO}
    said = [told(lang, {**event, "reason": reason}) for reason in DECLINE_REASONS]
    said.append(told(lang, event))
    assert len({sentence for (sentence,) in said}) == len(DECLINE_REASONS) + 1
    assert all("Robo" in sentence for (sentence,) in said)


HAPPENINGS: list[tuple[Json, list[str]]] = [
    ({"type": "seat_offered", "seat": 1, "player": BO}, ["Bo is invited to the table."]),
    ({"type": "seat_declined", "seat": 1, "player": BO}, ["Bo declines the invitation."]),
    (
        {"type": "seat_declined", "seat": 1, "player": ROBO, "reason": "busy"},
        ["Robo declines: this bot has enough games already."],
    ),
    (
        {"type": "stand_in_seated", "seat": 1, "bot": "medium", "reason": "bot_failed", "by": None},
        ["The bot Bo has failed; the bot Medium answers meanwhile."],
    ),
    ({"type": "seat_assigned", "seat": 4, "bot": "medium"}, ["A bot takes a seat: Medium."]),
    (
        {"type": "seat_opened", "seat": 1, "was": {"player": BO}, "reason": "removed"},
        ["The host removes Bo from the table."],
    ),
    (
        {"type": "seat_opened", "seat": 1, "was": {"bot": "medium"}, "reason": "changed"},
        ["Medium makes room: a seat is open again."],
    ),
    ({"type": "seats_dropped", "seats": [3, 4]}, ["The table becomes smaller by 2 seats."]),
    (
        {"type": "seat_forfeited", "seat": 1, "player": BO, "reason": "left", "stand_in": "medium"},
        ["Bo leaves the game.", "The bot Medium plays on in this seat."],
    ),
    (
        {"type": "seat_forfeited", "seat": 1, "player": BO, "reason": "resigned", "stand_in": None},
        ["Bo resigns."],
    ),
    (
        {"type": "stand_in_seated", "seat": 1, "bot": "odd", "reason": "requested", "by": "b"},
        ["Bo is away; the bot odd answers meanwhile."],
    ),
    (
        {
            "type": "seat_taken_over",
            "seat": 1,
            "player": {"id": "d", "name": "Di"},
            "from": {"player": BO, "reason": "left"},
        },
        ["Di takes over the seat of Bo."],
    ),
    (
        {"type": "proposal_made", "seat": 0, "kind": "takeback", "moves": [7]},
        ["Ada asks to take 1 move back."],
    ),
    (
        {"type": "proposal_made", "seat": 0, "kind": "forfeit", "target": 1},
        ["Ada proposes to go on without Bo."],
    ),
    (
        {"type": "proposal_answered", "seat": 1, "answer": "accept", "auto": False},
        ["Bo agrees."],
    ),
    (
        {"type": "proposal_answered", "seat": 1, "answer": "decline", "auto": True},
        ["Bo declines automatically."],
    ),
    (
        {"type": "moves_taken_back", "seat": 2, "moves": [7, 9], "proposal": None},
        ["Cy takes 2 moves back."],
    ),
    ({"type": "game_aborted", "code": "empty", "reason": "x"}, ["The game was called off: nobody"]),
    ({"type": "game_aborted", "reason": "of an old release"}, ["The game was called off."]),
]


@pytest.mark.parametrize(("event", "sentences"), HAPPENINGS)
def test_each_reason_has_its_own_sentence(event: Json, sentences: list[str]) -> None:
    found = told("en", event)
    assert len(found) == len(sentences)
    assert all(one.startswith(text) for one, text in zip(found, sentences, strict=True)), found


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_the_sentence_of_every_type_of_event_has_no_raw_words(lang: str) -> None:
    for event in (*EVENTS.values(), *(event for event, _ in HAPPENINGS)):
        lines = told(lang, event)
        for line in lines:
            assert not re.search(r"[{}|]|\w_\w|None", line), line
            assert line.endswith("."), line
        assert lines or event["type"] == "move_made", event


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_every_case_is_the_case_of_a_sentence(lang: str) -> None:
    story = locales.words(lang)["story"]
    sentences = [key for key, text in story.items() if isinstance(text, str)]
    for case in story["cases"]:
        assert any(case.startswith(f"{type_}_") for type_ in sentences), case


def test_a_move_of_a_stand_in_names_the_bot_and_the_owner() -> None:
    move = {"type": "place_worker", "space": "road-3"}
    placed = {"type": "worker_placed", "seat": 1, "space": "road-3", "building": "mason"}
    event = {"type": "move_made", "seat": 1, "move": move, "facts": [placed], "by": "stand_in"}
    bot = {"level": "medium", "version": 1}
    assert told("en", {**event, "bot": bot}) == ["Medium for Bo: worker to the Mason (space 3)."]
    assert told("en", event) == ["Bo: worker to the Mason (space 3)."]


def test_a_line_names_who_sat_there_at_that_time() -> None:
    event = {"type": "seat_returned", "seat": 2}
    former = (FormerName(2, "Eve", 9), FormerName(2, "Fay", 20))
    assert told("en", {**event, "version": 8}, former) == ["Eve is back."]
    assert told("en", {**event, "version": 9}, former) == ["Fay is back."]
    assert told("en", {**event, "version": 20}, former) == ["Cy is back."]


def test_the_end_names_the_points_of_the_winner_and_the_ranks_when_somebody_left() -> None:
    result = {
        "scores": [40, 31, 7],
        "winners": [1],
        "ranks": [3, 1, 2],
        "outcomes": ["resigned", "finished", "bot"],
        "ended_by": "play",
    }
    assert told("en", {"type": "game_scored", "result": result}) == [
        "The counting is done. Won by Bo with 31 points.",
        "Final ranks: 1. Bo (31 points); 2. Cy (7 points); 3. Ada (40 points, resigned).",
    ]
    assert told("en", {"type": "game_scored", "result": {**result, "ended_by": "forfeits"}})[0] == (
        "The points count as they stand. Won by Bo with 31 points."
    )


def test_a_game_that_nobody_left_ends_without_a_list_of_ranks() -> None:
    result = {"scores": [9, 5], "winners": [0], "ranks": [1, 2], "outcomes": ["finished", "bot"]}
    assert len(told("en", {"type": "game_scored", "result": result})) == 1


# -- a move says what it answers -------------------------------------------------------------------

DECLINED = {"type": "move_made", "seat": 1, "move": {"type": "decline"}, "facts": []}
BRIBES = {"type": "phase_begun", "phase": "bribes"}
HOME = {"type": "worker_home", "seat": 1, "space": "road-5", "building": "neutral_marketplace"}


def after(*before: Json, **more: Any) -> str:
    """Return the sentence for a `decline` of Bo after these events."""
    teller = StoryTeller("en", ALL_OFFERS["caylus"].words, NAMES)
    for event in before:
        teller.follow(event)
    (line,) = teller.tell({**DECLINED, "version": 9, **more})
    return line


def made(version: int, *facts: Json) -> Json:
    """Return a move of Bo that leads to these facts."""
    return {
        "type": "move_made",
        "version": version,
        "seat": 1,
        "move": {"type": "pass"},
        "facts": [*facts],
    }


def test_a_decline_is_described_with_what_was_offered() -> None:
    chosen = {"type": "favour_taken", "seat": 1, "line": "cubes", "column": 2}
    assert after() == "Bo: makes no use of the offer."
    assert after(made(3, BRIBES), made(4)) == "Bo: does not bribe the provost."
    assert after(made(3, {**BRIBES, "phase": "castle"})) == "Bo: gives no batch."
    assert after(facts=[HOME]) == "Bo: makes no use of the Marketplace (space 5)."
    assert after(facts=[{**HOME, "seat": 0}]) == "Bo: makes no use of the offer."
    assert after(facts=[BRIBES, HOME]).startswith("Bo: makes no use of the offer")
    assert after(made(3, chosen)) == "Bo: makes no use of the royal favour."
    assert after(made(3, {**chosen, "seat": 0})) == "Bo: makes no use of the offer."


def test_a_move_that_was_taken_back_says_nothing_about_later_moves() -> None:
    taken_back = {"type": "moves_taken_back", "version": 5, "moves": [4]}
    back = (made(3, BRIBES), made(4, {**BRIBES, "phase": "castle"}), taken_back)
    assert after(*back) == "Bo: does not bribe the provost."


def test_a_page_of_a_story_has_the_same_words_as_the_whole() -> None:
    told = [made(3, BRIBES), *({**DECLINED, "version": version} for version in (4, 5))]
    whole, page = (StoryTeller("en", ALL_OFFERS["caylus"].words, NAMES) for _ in range(2))
    lines = [whole.tell(event) for event in told]
    for event in told[:2]:
        page.follow(event)
    assert page.tell(told[2]) == lines[2] == ["Bo: does not bribe the provost."]
