"""`GET /catalogue/{game}`: what the pieces cost, do and are worth."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.support.caller import Caller


def read_pieces(visitor: Caller, address: str, **headers: str) -> dict[str, dict[str, Any]]:
    answer = visitor.get(f"/catalogue/{address}", headers=headers)
    assert answer.status_code == 200
    return {piece["id"]: piece for piece in answer.json["pieces"]}


@pytest.mark.parametrize(("edition", "points"), [("first", 4), ("second", 3)])
def test_the_points_are_those_of_the_options_of_the_query(
    visitor: Caller, edition: str, points: int
) -> None:
    assert read_pieces(visitor, f"caylus?edition={edition}")["lawyer"]["points"] == points


def test_a_missing_option_has_its_default(visitor: Caller) -> None:
    shown = visitor.get("/catalogue/caylus").json
    assert shown["options"] == {"favours": "table", "edition": "first"}


def test_a_number_among_the_options_is_read_as_a_number(visitor: Caller) -> None:
    shown = visitor.get("/catalogue/carcassonne?tiny_city=2").json
    assert shown["options"] == {"tiny_city": 2}


def test_a_building_shows_its_price_and_the_gain_of_its_owner(visitor: Caller) -> None:
    farm = read_pieces(visitor, "caylus")["stone_farm"]
    assert farm["price"] == {"food": 1, "stone": 1}
    assert (farm["owner"], farm["owner_gets"]) == ("1 food or 1 cloth", [{"food": 1}, {"cloth": 1}])
    assert (farm["effect"], farm["points"], farm["kind"]) == ("2 food, 1 cloth", 3, "stone")


@pytest.mark.slow
def test_the_words_are_in_the_language_asked_for(visitor: Caller) -> None:
    answer = visitor.get("/catalogue/caylus", headers={"Accept-Language": "pl"})
    assert answer.headers["Content-Language"] == "pl"
    gate = next(piece for piece in answer.json["pieces"] if piece["id"] == "gate")
    assert gate["effect"] == "przenosi robotnika na dowolne wolne pole"


def test_a_client_that_has_the_pieces_gets_304(visitor: Caller) -> None:
    tag = visitor.get("/catalogue/caylus").headers["ETag"]
    again = visitor.get("/catalogue/caylus", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


def test_an_unknown_game_is_not_found(visitor: Caller) -> None:
    answer = visitor.get("/catalogue/chess")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("edition=third", "/edition"),
        ("edition=first&edition=second", "/edition"),
        ("tiny_city=4", "/tiny_city"),
        ("edition=", "/edition"),
    ],
)
def test_an_unknown_option_or_value_is_named(visitor: Caller, query: str, pointer: str) -> None:
    answer = visitor.get(f"/catalogue/caylus?{query}")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert [error["pointer"] for error in answer.json["errors"]] == [pointer]
