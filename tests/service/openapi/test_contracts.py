"""The components of `openapi.yaml` that follow from the contracts, for any number of games."""

from __future__ import annotations

import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Game
from cartulary.games import GAMES
from cartulary.service.app import create_app
from cartulary.service.openapi.contracts import camel, components, merge
from cartulary.service.openapi.openapi import describe
from examples.tictactoe.rules import TicTacToe
from tests.conftest import OFFERS
from tests.engine.random_play import opened, pick
from tests.support.toy_game import Beans

ALL_GAMES: dict[str, Game] = {**GAMES, "beans": Beans(), "tictactoe": TicTacToe()}


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    return components(ALL_GAMES)


def check(schemas: dict[str, Any], name: str, value: Any) -> None:
    document = {**schemas[name], "components": {"schemas": schemas}}
    Draft202012Validator(document).validate(value)


@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.slow
def test_what_a_game_says_conforms_to_the_unions_of_all_games(
    schemas: dict[str, Any], name: str
) -> None:
    rng = random.Random(1)
    game = ALL_GAMES[name]
    source = RandomSource(rng)
    state = opened(game, game.seats_from, {}, rng)[1]
    state.settle(source)
    for _ in range(40):
        decision = state.decision
        if decision is None:
            break
        move = state.move_json(pick(state, rng))
        for union in ("Decision", f"{camel(name)}Decision"):
            check(schemas, union, decision.to_json())
        check(schemas, "Move", move)
        check(schemas, "View", state.view())
        for fact in state.apply(move, source).facts:
            check(schemas, "Fact", fact)


def test_a_name_of_several_games_is_one_member_of_the_union(schemas: dict[str, Any]) -> None:
    mapping = schemas["Fact"]["discriminator"]["mapping"]
    assert mapping["points"] == "#/components/schemas/PointsFact"
    points = schemas["PointsFact"]
    assert points["required"] == ["type", "seat", "points", "reason"]
    assert {"city", "owner", "beans"} <= set(points["properties"]["reason"]["enum"])
    assert {"tiles", "by", "section"} <= points["properties"].keys()


@pytest.mark.slow
def test_a_description_with_a_further_game_is_valid(store: Any) -> None:
    from cartulary.service.process.settings import WebSettings

    app = create_app(WebSettings(log_requests=False), store, OFFERS)
    value = describe(app, ALL_GAMES).value
    OpenAPIV31SpecValidator(value).validate()
    assert "beans" in value["components"]["schemas"]["GameName"]["enum"]
    assert "BeansGame" in value["components"]["schemas"]


NUMBER = {"type": "integer"}
WORD = {"type": "string"}


def make_object(closed: bool, *required: str, **properties: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "description": "A thing.",
        "properties": properties,
        "required": list(required),
    }
    return {**schema, "additionalProperties": False} if closed else schema


class TestMerging:
    def test_equal_schemas_stay_as_they_are(self) -> None:
        assert merge([NUMBER, NUMBER]) == NUMBER

    def test_enums_become_one_enum(self) -> None:
        merged = merge([{**WORD, "enum": ["a", "b"]}, {**WORD, "enum": ["b", "c"]}])
        assert merged == {**WORD, "enum": ["a", "b", "c"]}

    def test_an_object_has_the_keys_of_all_and_requires_those_that_all_require(self) -> None:
        merged = merge(
            [make_object(False, "a", "b", a=NUMBER, b=WORD), make_object(False, "a", a=NUMBER)]
        )
        assert merged["required"] == ["a"]
        assert merged["properties"] == {"a": NUMBER, "b": WORD}

    def test_an_object_is_closed_when_all_are(self) -> None:
        assert (
            merge([make_object(True, a=WORD), make_object(True)])["additionalProperties"] is False
        )
        assert "additionalProperties" not in merge([make_object(True, a=WORD), make_object(False)])

    def test_values_of_different_types_may_be_of_either(self) -> None:
        merged = merge([make_object(True, a=WORD), make_object(True, a=NUMBER)])
        assert merged["properties"]["a"] == {"anyOf": [WORD, NUMBER]}
