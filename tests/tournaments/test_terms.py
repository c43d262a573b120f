"""What a host may ask for, and what is missing is completed with."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.games import GAMES
from cartulary.tournaments.state import Tournament
from cartulary.tournaments.terms import (
    complete_terms,
    count_rounds,
    find_faults,
    read_terms,
)
from tests.tournaments.streams import LIVE, begin, request

DAILY = {"mode": "correspondence", "delay": 86_400, "bank": 0}


def find_pointers(**changes: Any) -> list[str]:
    return [pointer for pointer, _ in find_faults(request(**changes), GAMES)]


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        ({"name": ""}, ["/name"]),
        ({"name": 3}, ["/name"]),
        ({"game": "chess"}, ["/game"]),
        ({"options": {"tiny_city": 3}}, ["/options/tiny_city"]),
        ({"options": {"huge_city": 3}}, ["/options/huge_city"]),
        ({"options": [1]}, ["/options"]),
        ({"table": []}, ["/table"]),
        ({"table": [6]}, ["/table"]),
        ({"table": [1, 2]}, ["/table"]),
        ({"table": [3, 3]}, ["/table"]),
        ({"table": 4}, ["/table"]),
        ({"format": "knockout"}, ["/format"]),
        ({"format": "round_robin", "table": [3]}, ["/table"]),
        ({"format": "arena", "minutes": 60, "table": [2, 3]}, ["/table"]),
        ({"format": "arena"}, ["/minutes"]),
        ({"format": "arena", "minutes": 5}, ["/minutes"]),
        ({"format": "arena", "minutes": 60, "rounds": 3}, ["/rounds"]),
        ({"format": "arena", "minutes": 60, "window": 3}, ["/window"]),
        ({"format": "arena", "minutes": 60, "pace": DAILY}, ["/pace/mode"]),
        ({"minutes": 60}, ["/minutes"]),
        ({"rounds": 0}, ["/rounds"]),
        ({"rounds": True}, ["/rounds"]),
        ({"rounds": 31}, ["/rounds"]),
        ({"window": 49}, ["/window"]),
        ({"pace": None}, ["/pace"]),
        ({"pace": {"mode": "live", "delay": 1, "bank": 0}}, ["/pace/delay"]),
        ({"entrants": {"min": 1}}, ["/entrants/min"]),
        ({"entrants": {"min": 4, "max": 3}}, ["/entrants/max"]),
        ({"entrants": {"max": 10_000}}, ["/entrants/max"]),
        ({"entrants": {"most": 3}}, ["/entrants/most"]),
        ({"entrants": {"invited": []}}, ["/entrants/invited"]),
        ({"entrants": {"invited": ["a", "a"]}}, ["/entrants/invited"]),
        ({"entrants": {"rating": [1600, 1500]}}, ["/entrants/rating"]),
        ({"entrants": 3}, ["/entrants"]),
        ({"rated": "yes"}, ["/rated"]),
        ({"visibility": "secret"}, ["/visibility"]),
        ({"start": None}, ["/start"]),
        ({"start": {"at": "soon"}}, ["/start/at"]),
        ({"start": {"at": "2026-11-26T20:00:00"}}, ["/start/at"]),
        ({"start": {"when_full": False}}, ["/start/when_full"]),
        ({"start": {"when_full": True, "by_host": True}}, ["/start"]),
        ({"tiebreaks": ["luck"]}, ["/tiebreaks"]),
        ({"tiebreaks": ["margin", "margin"]}, ["/tiebreaks"]),
        ({"tiebreaks": ["draw", "margin"]}, ["/tiebreaks"]),
        ({"duplicate": True}, ["/rounds"]),
        ({"duplicate": True, "format": "round_robin"}, ["/duplicate"]),
        ({"duplicate": True, "rounds": 3, "table": [3, 4]}, ["/table"]),
        ({"duplicate": True, "rounds": 3, "entrants": {"min": 3}}, ["/entrants/min"]),
        ({"colour": "blue"}, ["/colour"]),
        ({"name": "", "rounds": 0}, ["/name", "/rounds"]),
    ],
)
def test_each_fault_is_named_with_a_sentence(changes: dict[str, Any], pointers: list[str]) -> None:
    assert find_pointers(**changes) == pointers
    assert all(text for _, text in find_faults(request(**changes), GAMES))


@pytest.mark.parametrize(
    "changes",
    [
        {"table": [2, 3, 4, 5]},
        {"format": "round_robin"},
        {"format": "round_robin", "rounds": 10, "pace": DAILY, "window": 720},
        {"format": "arena", "minutes": 90},
        {"duplicate": True, "rounds": 3, "table": [4]},
        {"start": {"at": "2026-11-26T20:00:00Z"}},
        {"start": {"when_full": True}, "entrants": {"min": 6, "max": 6, "invited": ["a", "b"]}},
        {"entrants": {"rating": [1200, 1800]}, "rated": True, "visibility": "private"},
        {"game": "caylus", "table": [3, 4], "tiebreaks": ["head_to_head"]},
    ],
)
def test_what_holds_together_has_no_fault_and_is_folded(changes: dict[str, Any]) -> None:
    asked = request(**changes)
    assert list(find_faults(asked, GAMES)) == []
    terms = read_terms(complete_terms(asked, GAMES))
    assert terms.tiebreaks[-1] == "draw"
    assert terms.least <= terms.most


def test_what_is_missing_is_completed() -> None:
    whole = complete_terms(request(table=[4, 3]), GAMES)
    assert whole["table"] == [3, 4]
    assert whole["options"] == {"tiny_city": 4}
    assert whole["window"] == 3
    assert whole["entrants"] == {"min": 3, "max": 200, "invited": None, "rating": None}
    assert whole["tiebreaks"] == ["opponents", "margin", "head_to_head", "draw"]
    assert (whole["rated"], whole["duplicate"], whole["visibility"]) == (False, False, "public")
    assert complete_terms(request(pace=DAILY), GAMES)["window"] == 168
    assert complete_terms(request(format="arena", minutes=60), GAMES)["window"] is None
    duplicate = complete_terms(request(duplicate=True, rounds=1), GAMES)
    assert duplicate["entrants"]["min"] == 4
    invited = complete_terms(request(entrants={"invited": ["a", "b", "c"]}), GAMES)
    assert invited["entrants"]["max"] == 3


@pytest.mark.parametrize(
    ("asked", "entrants", "rounds"),
    [
        ({}, 2, 2),
        ({}, 8, 4),
        ({}, 9, 5),
        ({"table": [3]}, 3, 3),
        ({"table": [3, 4]}, 12, 4),
        ({"table": [4]}, 200, 5),
        ({"rounds": 7}, 8, 7),
        ({"format": "round_robin"}, 6, 5),
        ({"format": "round_robin"}, 7, 7),
        ({"format": "arena", "minutes": 30}, 8, None),
    ],
)
def test_the_number_of_rounds_follows_from_the_entrants(
    asked: dict[str, Any], entrants: int, rounds: int | None
) -> None:
    terms = read_terms(complete_terms(request(**asked), GAMES))
    assert count_rounds(terms, entrants) == rounds


def test_an_arena_is_live_and_has_no_rounds() -> None:
    state: Tournament = begin(2, format="arena", minutes=30).state
    assert (state.terms.arena, state.terms.live, state.round_count) == (True, True, None)
    assert state.terms.pace == {**LIVE, "refill": 0}
