"""The open form: a client made from it reads what later releases answer."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from jsonschema_rs import ValidationError
from openapi_spec_validator import OpenAPIV31SpecValidator

from cartulary.service.openapi import examples
from cartulary.service.openapi.forms import opening
from cartulary.service.openapi.forms.opening import SENT_BACK, find_unions, open_description
from cartulary.service.openapi.forms.reach import (
    answered_by,
    asked_by,
    find_reach,
    list_operations,
)
from cartulary.service.openapi.forms.schema_walk import members_of, walk
from tests.service.support.openapi_file import answer_schema, check, operations

CLASSIFIED = {
    *("Event", "Fact", "Move", "View", "Game", "Decision"),
    *("CarcassonneDecision", "CaylusDecision", "StreamLine", "TournamentEvent", "StudyEvent"),
}
"""The unions of the description: a new one belongs here, after a look at its open form."""

REFERENCE = "#/components/schemas/"


@pytest.fixture(scope="module")
def opened(described: dict[str, Any]) -> dict[str, Any]:
    return open_description(described)


def member(opened: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = opened["components"]["schemas"][name]
    return found


def test_every_union_is_classified(described: dict[str, Any]) -> None:
    assert set(find_unions(described["components"]["schemas"])) <= CLASSIFIED


@pytest.mark.slow
def test_the_closed_form_stays_as_it_is(described: dict[str, Any]) -> None:
    before = copy.deepcopy(described)
    open_description(described)
    assert described == before


@pytest.mark.slow
def test_it_is_valid_openapi_3_1(opened: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(opened).validate()


def test_the_last_member_of_a_union_is_open(
    described: dict[str, Any], opened: dict[str, Any]
) -> None:
    for name in find_unions(described["components"]["schemas"]):
        closed, union = described["components"]["schemas"][name], member(opened, name)
        assert union.keys().isdisjoint({"oneOf", "discriminator"})
        assert union["anyOf"] == [*members_of(closed), {"$ref": f"{REFERENCE}Other{name}"}]
        other = member(opened, f"Other{name}")
        assert (other["type"], other["additionalProperties"]) == ("object", True)
        if "discriminator" in closed:
            tag = closed["discriminator"]["propertyName"]
            known = list(closed["discriminator"]["mapping"])
            assert other["properties"][tag]["not"] == {"enum": known}
            assert tag in other["required"]


def test_no_answer_has_an_enum_a_bound_or_a_closed_object(opened: dict[str, Any]) -> None:
    for name in find_reach(opened, SENT_BACK).answered:
        for part in walk(member(opened, name)):
            if "not" not in part and part.keys() & {"enum"}:
                assert part == {"enum": part["enum"]}, name  # what a tag must not be
            assert part.keys().isdisjoint({"minimum", "maximum", "pattern", "maxLength"}), name
            assert part.get("additionalProperties") is not False, name
    for operation in list_operations(opened):
        for schema in answered_by(operation):
            assert not any("enum" in part for part in walk(schema))


def test_an_enum_of_an_answer_lists_what_is_known(
    described: dict[str, Any], opened: dict[str, Any]
) -> None:
    known = described["components"]["schemas"]["ProblemCode"]["enum"]
    assert member(opened, "ProblemCode")["x-extensible-enum"] == known


def test_requests_are_as_closed_as_before_but_for_moves(
    described: dict[str, Any], opened: dict[str, Any]
) -> None:
    before, after = operations(described), operations(opened)
    for name, operation in before.items():
        pairs = zip(asked_by(operation), asked_by(after[name]), strict=True)
        for closed, asked in pairs:
            assert spell_out(closed, described) == spell_out(asked, opened)


def spell_out(schema: Any, description: dict[str, Any]) -> Any:
    """Return a schema with its components in place of the references, moves excepted."""
    if isinstance(schema, list):
        return [spell_out(part, description) for part in schema]
    if not isinstance(schema, dict):
        return schema
    name = schema.get("$ref", "").removeprefix(REFERENCE)
    if name and name not in SENT_BACK:
        return spell_out(description["components"]["schemas"][name], description)
    return {key: spell_out(part, description) for key, part in schema.items()}


@pytest.mark.slow
def test_every_answer_of_today_fits(opened: dict[str, Any]) -> None:
    found = operations(opened)
    for operation, shown in examples.ANSWERS.items():
        for example in shown.values():
            check(opened, answer_schema(found[operation]), example["value"])


def test_what_does_not_exist_yet_fits_the_open_form_and_not_the_closed_one(
    described: dict[str, Any], opened: dict[str, Any]
) -> None:
    made = examples.EVENTS["move_made"]
    event = {**made, "type": "seat_painted", "colour": "red"}
    fact = {**made, "facts": [{"type": "tile_burnt", "tile": "V"}]}
    move = {**made, "move": {"type": "burn_tile", "x": 1}}
    aborted = {**examples.EVENTS["game_aborted"], "code": "bored"}
    for later in (event, fact, move, aborted):
        page = {"events": [later], "next_after": later["version"]}
        check(opened, {"$ref": f"{REFERENCE}EventsPage"}, page)
        with pytest.raises(ValidationError):
            check(described, {"$ref": f"{REFERENCE}EventsPage"}, page)


def test_a_legal_move_that_does_not_exist_yet_can_be_sent_back(opened: dict[str, Any]) -> None:
    body = operations(opened)["make_move"]["requestBody"]["content"]["application/json"]["schema"]
    check(opened, body, {"move": {"type": "burn_tile", "x": 1}, "expected_version": 2})
    with pytest.raises(ValidationError):
        check(opened, body, {"move": {"type": "burn_tile"}, "unheard_of": 2})


def test_a_value_that_is_fixed_today_may_be_another_one_later() -> None:
    schema = {"properties": {"kind": {"type": "string", "const": "game"}}}
    opening._open_parts(schema)  # noqa: SLF001
    assert schema == {"properties": {"kind": {"type": "string"}}}
