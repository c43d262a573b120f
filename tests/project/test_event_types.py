"""The places of an event type: a row leads to all others (`docs/ledger.md`, "A new event type").

Each fault names the type, and the place where something is missing.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cartulary import locales
from cartulary.events.model import effects, types
from cartulary.events.model.effects import board
from cartulary.events.model.effects.kinds import KINDS, EventKind, Field, ends_stream
from cartulary.events.model.status import Status
from cartulary.events.model.types import MOVE_MADE
from cartulary.events.server.format import FORMAT
from cartulary.service.openapi.examples import EVENTS

Json = dict[str, Any]

EFFECTS = "cartulary.events.model.effects"
ROOT = Path(__file__).parents[2]
WEB = ROOT / "web" / "js" / "streams" / "game_stream.js"

TABLE = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / "ledger.md").read_text("utf-8"), re.MULTILINE)
DOCUMENTED = {name for cell in TABLE for name in re.findall(r"`(\w+)`", cell)}

DESCRIBED = set(
    re.findall(r"^ +const: (\w+)$", (ROOT / "openapi.yaml").read_text("utf-8"), re.MULTILINE)
)

WRITTEN = {9: 41}
"""By `FORMAT`, the sum of the schemas of all types: a new type or schema raises both."""

TOLD_BY_THE_GAMES = {MOVE_MADE}
"""Their sentences are among the words of each game, one for each type of move."""


def sentences(lang: str) -> Mapping[str, str]:
    """Return the sentences of a language about events, by type."""
    story = locales.words(lang)["story"]
    return {key: text for key, text in story.items() if isinstance(text, str)}


def faults_of_row(row: EventKind, examples: Mapping[str, Json]) -> Iterator[str]:
    """Yield what is missing around a row."""
    if not row.text.strip():
        yield f"{row.type}: the row has no text"
    if row.type not in vars(types).values():
        yield f"{row.type}: there is no name in events/model/types.py"
    if row.type not in DOCUMENTED:
        yield f"{row.type}: there is no row in docs/ledger.md (Events)"
    if row.type not in DESCRIBED:
        yield f"{row.type}: openapi.yaml is stale: run python -m cartulary.service.openapi"
    if row.ends_stream is not (row.type in find_last()):
        yield f"{row.type}: LAST in web/js/…/game_stream.js differs from `ends_stream` of the row"
    if not is_in_effects(row.apply):
        yield f"{row.type}: there is no function in {EFFECTS}"
    for old in range(min(row.upcasters, default=row.schema), row.schema):
        if old not in row.upcasters:
            yield f"{row.type}: there is no upcaster from schema {old}"
    yield from faults_of_sentences(row.type)
    yield from faults_of_example(row, examples.get(row.type))


def find_last() -> list[str]:
    """Return the types after which the client ends its stream."""
    found = re.search(r"const LAST = new Set\((\[.*?\])\)", WEB.read_text(encoding="utf-8"))
    assert found is not None
    return re.findall(r'"(\w+)"', found[1])


def is_in_effects(function: Callable[..., object]) -> bool:
    return function.__module__.startswith(f"{EFFECTS}.")


def faults_of_sentences(type_: str) -> Iterator[str]:
    if type_ not in TOLD_BY_THE_GAMES:
        for lang in locales.LANGUAGES:
            if not sentences(lang).get(type_, "").strip():
                yield f"{type_}: there is no sentence in locales/{lang}.json (story.{type_})"


def faults_of_example(row: EventKind, example: Json | None) -> Iterator[str]:
    if example is None:
        yield f"{row.type}: there is no example in service/openapi/examples.py (EVENTS)"
        return
    if fault := row.fault(example):
        yield f"{row.type}: the example is wrong: {fault}"
    for error in Draft202012Validator(without_references(row.json_schema())).iter_errors(example):
        yield f"{row.type}: the example is wrong: {error.message}"


def without_references(schema: Any) -> Any:
    """Return a schema that allows anything where it refers to a component."""
    if isinstance(schema, dict):
        return {} if "$ref" in schema else {k: without_references(v) for k, v in schema.items()}
    return [without_references(item) for item in schema] if isinstance(schema, list) else schema


def effect_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for module in pkgutil.iter_modules(effects.__path__, f"{EFFECTS}."):
        yield from inspect.getmembers(importlib.import_module(module.name), inspect.isfunction)


def faults_of_missing_rows(
    rows: Mapping[str, EventKind], examples: Mapping[str, Json]
) -> Iterator[str]:
    """Yield what belongs to no row: a function, a sentence, an example."""
    used = {row.apply for row in rows.values()}
    for name, function in effect_functions():
        takes = list(inspect.signature(function).parameters)
        is_effect = is_in_effects(function) and takes[2:] in (["folding"], ["_folding"])
        if is_effect and function not in used:
            yield f"{name}: there is no row for this function of {EFFECTS}"
    for lang in locales.LANGUAGES:
        for type_ in sentences(lang).keys() - rows.keys():
            yield f"{type_}: there is no row for this sentence of locales/{lang}.json"
    for type_ in examples.keys() - rows.keys():
        yield f"{type_}: there is no row for this example"


@pytest.mark.parametrize("row", KINDS.values(), ids=KINDS.keys())
def test_every_row_has_its_function_its_sentences_and_its_example(row: EventKind) -> None:
    faults = list(faults_of_row(row, EVENTS))
    assert not faults, "\n".join(faults)  # all places: pytest shortens a list


def test_every_function_sentence_and_example_has_its_row() -> None:
    assert list(faults_of_missing_rows(KINDS, EVENTS)) == []


def a_row(**changes: Any) -> EventKind:
    """A row of a type that has nothing else."""
    row: Json = {
        "type": "seat_noted",
        "text": "A player wrote a note.",
        "fields": (Field("seat", int, {"type": "integer"}),),
        "comes_in": (Status.RUNNING,),
        "apply": board.abort_game,
    }
    return EventKind(**{**row, **changes})


EXAMPLE: Json = {
    "version": 3,
    "type": "seat_noted",
    "at": "2026-11-20T10:00:00.000Z",
    "hash": "0" * 64,
    "seat": 1,
}


def test_the_faults_of_a_row_name_the_type_and_what_is_missing() -> None:
    assert list(faults_of_row(a_row(ends_stream=True), {})) == [
        "seat_noted: there is no name in events/model/types.py",
        "seat_noted: there is no row in docs/ledger.md (Events)",
        "seat_noted: openapi.yaml is stale: run python -m cartulary.service.openapi",
        "seat_noted: LAST in web/js/…/game_stream.js differs from `ends_stream` of the row",
        *(
            f"seat_noted: there is no sentence in locales/{lang}.json (story.seat_noted)"
            for lang in locales.LANGUAGES
        ),
        "seat_noted: there is no example in service/openapi/examples.py (EVENTS)",
    ]


@pytest.mark.parametrize(
    ("changes", "example", "fault"),
    [
        ({"apply": lambda table, *_: table}, EXAMPLE, f"there is no function in {EFFECTS}"),
        ({"text": " "}, EXAMPLE, "the row has no text"),
        (
            {"schema": 3, "upcasters": {1: dict}},
            EXAMPLE,
            "there is no upcaster from schema 2",
        ),
        ({}, {**EXAMPLE, "seat": "1"}, "the example is wrong: 'seat' is not of type int"),
        ({}, {**EXAMPLE, "type": "seat_left"}, "the example is wrong: 'seat_noted' was expected"),
        (
            {},
            {key: value for key, value in EXAMPLE.items() if key != "at"},
            "the example is wrong: 'at' is a required property",
        ),
    ],
)
def test_each_fault_of_a_row_is_found(changes: Json, example: Json, fault: str) -> None:
    assert f"seat_noted: {fault}" in list(faults_of_row(a_row(**changes), {"seat_noted": example}))


def test_a_missing_row_is_found() -> None:
    rows = {type_: row for type_, row in KINDS.items() if type_ != "seat_left"}
    assert sorted(faults_of_missing_rows(rows, {"seat_left": EXAMPLE})) == [
        f"leave_seat: there is no row for this function of {EFFECTS}",
        "seat_left: there is no row for this example",
        *sorted(
            f"seat_left: there is no row for this sentence of locales/{lang}.json"
            for lang in locales.LANGUAGES
        ),
    ]


def test_a_new_type_or_schema_raises_the_format_of_the_store() -> None:
    """An older release cannot read it: raise `FORMAT` (events/server), and `WRITTEN` here."""
    assert {FORMAT: sum(row.schema for row in KINDS.values())} == WRITTEN


def test_the_client_ends_its_stream_after_the_same_types_as_the_service() -> None:
    assert sorted(find_last()) == sorted(type_ for type_ in KINDS if ends_stream(type_))


def test_the_types_that_end_a_stream_lead_to_a_final_status() -> None:
    for row in KINDS.values():
        finished = row.leads_to is not None and row.leads_to.finished
        assert row.ends_stream is finished, row.type


def test_no_event_comes_after_the_end() -> None:
    for row in KINDS.values():
        assert not any(status.finished for status in row.comes_in), row.type


def test_one_type_opens_a_stream() -> None:
    assert [row.type for row in KINDS.values() if not row.comes_in] == ["game_created"]


@pytest.mark.parametrize("row", KINDS.values(), ids=KINDS.keys())
def test_the_types_of_the_fields_agree_with_their_schemas(row: EventKind) -> None:
    names = {"string": str, "integer": int, "object": dict, "array": list, "boolean": bool}
    for field in row.fields:
        if "type" in field.schema:  # a reference says nothing about the type here
            named = field.schema["type"]
            type_, *rest = [named] if isinstance(named, str) else named
            assert field.kind is names[type_], field.name
            assert rest == ["null"] * field.nullable, field.name
