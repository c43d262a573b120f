"""The story: every event of whole games in words, in every language."""

from __future__ import annotations

import random
import re

import pytest

from cartulary import locales
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json
from cartulary.locales.story import Teller
from tests.games import ALL_OFFERS as OFFERS

NAMES = ["Ada", "Bo", "Cy"]


def events(game: str, seed: int) -> list[Json]:
    """The moves of a random game as events."""
    rng = random.Random(seed)
    rules = OFFERS[game].rules
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
@pytest.mark.parametrize("game", sorted(OFFERS.keys() - {"beans"}))
def test_a_whole_game_is_told_without_raw_words(lang: str, game: str) -> None:
    teller = Teller(lang, OFFERS[game].words, NAMES)
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
    assert Teller("en", OFFERS["caylus"].words, NAMES).tell(event) == [
        "Bo: pays 2 deniers; worker to the Mason (space 3).",
        "Ada: +1 prestige: Bo works in the Mason.",
    ]


def test_the_end_names_the_winners_and_their_points() -> None:
    event = {"type": "game_scored", "result": {"scores": [7, 31, 31], "winners": [1, 2]}}
    assert Teller("pl", OFFERS["carcassonne"].words, NAMES).tell(event) == [
        "Punkty policzone. Wygrana: Bo, Cy, 31 punktów."
    ]


def test_facts_without_a_phrase_and_games_without_words_are_passed_over() -> None:
    event = {"type": "move_made", "seat": 0, "move": {"type": "x"}, "facts": [{"type": "y"}]}
    assert Teller("en", OFFERS["caylus"].words, NAMES).tell(event) == []
    assert Teller("en", locales.GameWords({}), NAMES).tell(event) == []
