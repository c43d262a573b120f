"""The description of the service: `openapi.yaml`.

Operations come from the views, bodies and answers from the marshmallow schemas, moves, facts,
decisions and views from the contracts of the games, events from the ledger's list of events.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask

from cartulary.engine.core import Game
from cartulary.events.commands.table.opening import VISIBILITIES
from cartulary.events.model.effects.kinds import KINDS
from cartulary.service.http.operations import AnswerOf, operation_of
from cartulary.service.http.wire import problem_kinds
from cartulary.service.openapi import contracts, examples
from cartulary.service.openapi.contracts import Games, camel, or_null
from cartulary.service.openapi.document import Description
from cartulary.service.openapi.finishing import (
    add_property_texts,
    add_types,
    allow_null,
    mark_deprecated,
    move_defaults_into_text,
    open_bare_objects,
)
from cartulary.service.openapi.forms.schema_walk import reference
from cartulary.service.openapi.operations import describe_operation
from cartulary.service.openapi.texts import ANSWER_HEADERS, API_VERSION, INTRODUCTION, TAGS
from cartulary.service.openapi.webhooks import describe_webhooks
from cartulary.service.schemas.base import Request
from cartulary.service.schemas.game_bodies import STATUSES
from cartulary.service.schemas.reasons import describe_reason
from cartulary.studies.events import STUDY_KINDS
from cartulary.tournaments.events import TOURNAMENT_KINDS

Json = dict[str, Any]


def describe(app: Flask, games: Games) -> Description:
    """Return the description of every view of `app` that has an operation."""
    plugin = MarshmallowPlugin(schema_name_resolver=_component_name)
    spec = _new_spec(plugin, games)
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint)):
        view = app.view_functions[rule.endpoint]
        found = operation_of(view)
        if found is None:
            continue
        methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        described = describe_operation(rule, found, view)
        spec.path(
            re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule),
            operations={method.lower(): described for method in methods},
        )
    stream_line = _describe_lines(spec, app)
    webhooks = describe_webhooks(spec)
    value = {**spec.to_dict(), "webhooks": webhooks}
    _take_docstrings(value["components"]["schemas"], plugin)
    schemas = {**value["components"]["schemas"], "StreamLine": stream_line}
    value["components"]["schemas"] = _complete(schemas, games, _find_requests(plugin))
    _drop_null_from_queries(value["paths"])
    return Description({"openapi": value.pop("openapi"), **value})


def _describe_lines(spec: APISpec, app: Flask) -> Json:
    """Add the lines of all streams to the components; return their union."""
    names = []
    for answer in _answers(app):
        for line in answer.lines:
            name = line if isinstance(line, str) else _component_name(line)
            names.append(name)
            if name not in spec.components.schemas and not isinstance(line, str):
                spec.components.schema(name, schema=line)
    return {
        "description": "A line of a stream, or the `data` of a server-sent event.",
        # Not `oneOf`: a line of a game has all that the same line without a game has.
        "anyOf": [reference(name) for name in names],
    }


def _answers(app: Flask) -> Iterator[AnswerOf]:
    for view in app.view_functions.values():
        found = operation_of(view)
        yield from () if found is None else found.answers.values()


def _new_spec(plugin: MarshmallowPlugin, games: Games) -> APISpec:
    spec = APISpec(
        title="Cartulary",
        version=API_VERSION,
        openapi_version="3.1.0",
        plugins=[plugin],
        info={
            "description": _introduce(games),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        servers=[{"url": "/", "description": "This service."}],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
    )
    assert plugin.converter is not None
    plugin.converter.add_attribute_function(_refer)  # type: ignore[no-untyped-call]
    spec.components.security_scheme(
        "token",
        {"type": "http", "scheme": "bearer", "description": "From `POST /api/v1/players`."},
    )
    for name, header in ANSWER_HEADERS.items():
        spec.components.header(name, header)
    return spec


def _introduce(games: Games) -> str:
    return INTRODUCTION.format(
        titles=" and ".join(game.title for game in games.values()),
        decisions=contracts.decisions_table(games),
    )


def _class_of(schema: Any) -> type:
    return schema if isinstance(schema, type) else type(schema)


def _component_name(schema: Any) -> str:
    return _class_of(schema).__name__.removesuffix("Answer").removesuffix("Body")


def _refer(_self: Any, field: Any, ret: Json) -> Json:
    """Return the reference to the component that the metadata of a field name.

    apispec calls this as a method of its converter, and adds what it returns to `ret`.
    """
    component = field.metadata.get("component")
    if component is None:
        return {}
    ret.clear()
    if "description" in field.metadata:
        ret["description"] = field.metadata["description"]
    return or_null(reference(component)) if field.allow_none else reference(component)


# -- components ----------------------------------------------------------------------------------


def _complete(schemas: dict[str, Json], games: Games, requests: Iterable[str]) -> dict[str, Json]:
    """Return the components of the marshmallow schemas and all others, sorted by name.

    `requests` are the names of those that are bodies of requests, or stand in one.
    """
    complete = {
        **schemas,
        **contracts.components(games),
        **_events(),
        **_games(schemas["Game"], games),
        "GoodReason": describe_reason(),
        "LineFact": {
            "description": "What a line causes, or why it is good.",
            "anyOf": [reference("Fact"), reference("GoodReason")],
        },
        "GameStatus": contracts.names("Where a game is in its life.", STATUSES),
        "ProblemCode": contracts.names(
            "The reason of a refusal, for programs.", problem_kinds.KINDS
        ),
        "Visibility": contracts.names("Who can see a game.", VISIBILITIES),
    }
    _add_examples(complete)
    move_defaults_into_text(complete)
    open_bare_objects(complete)
    add_types(complete)
    allow_null(complete, requests)
    add_property_texts(complete)
    mark_deprecated(complete)
    return dict(sorted(complete.items()))


def _find_requests(plugin: MarshmallowPlugin) -> list[str]:
    """Return the names of the components that are read, not written."""
    assert plugin.converter is not None
    refs = plugin.converter.refs.items()
    return [name for (schema, *_), name in refs if issubclass(_class_of(schema), Request)]


def _add_examples(schemas: dict[str, Json]) -> None:
    """Show an example of each move and each event."""
    shown = {camel(name) + "Move": move for name, move in examples.MOVES.items()}
    shown |= {camel(name): event for name, event in examples.EVENTS.items()}
    for name in schemas.keys() & shown.keys():
        schemas[name] = {**schemas[name], "examples": [shown[name]]}


def _take_docstrings(schemas: dict[str, Json], plugin: MarshmallowPlugin) -> None:
    """Take the docstring of each marshmallow schema as description of its component."""
    assert plugin.converter is not None
    for (schema, *_), name in plugin.converter.refs.items():
        schemas[name].setdefault("description", inspect.getdoc(schema))


def _events() -> dict[str, Json]:
    """Return the events and their union."""
    members = {type_: camel(type_) for type_ in KINDS}
    return {
        **{members[type_]: kind.json_schema() for type_, kind in KINDS.items()},
        "Event": contracts.union("What has happened.", "type", members),
        "EventType": contracts.names("The type of an event.", KINDS),
        **_tournament_events(),
        **_study_events(),
    }


def _tournament_events() -> dict[str, Json]:
    """Return the events of tournaments and their union."""
    members = {type_: _name_tournament_event(type_) for type_ in TOURNAMENT_KINDS}
    text = "What has happened in a tournament."
    return {
        **{members[type_]: kind.json_schema() for type_, kind in TOURNAMENT_KINDS.items()},
        "TournamentEvent": contracts.union(text, "type", members),
    }


def _study_events() -> dict[str, Json]:
    """Return the events of studies and their union: `StudyTextSet` for `text_set`."""
    members = {one: f"Study{camel(one.removeprefix('study_'))}" for one in STUDY_KINDS}
    return {
        **{members[type_]: kind.json_schema() for type_, kind in STUDY_KINDS.items()},
        "StudyEvent": contracts.union("What has happened in a study.", "type", members),
    }


def _name_tournament_event(type_: str) -> str:
    """Return the name of a component: `TournamentEntered` for `entered`."""
    return f"Tournament{camel(type_.removeprefix('tournament_'))}"


def _games(described: Json, games: Games) -> dict[str, Json]:
    """Return the union of the games: each has its own options, decisions and view."""
    members = {name: f"{camel(name)}Game" for name in games}
    return {
        **{members[name]: _game(described, game) for name, game in games.items()},
        "Game": contracts.union(described["description"], "game", members),
    }


def _game(described: Json, game: Game) -> Json:
    own = {
        "game": {"type": "string", "const": game.name},
        "options": reference(contracts.options_of(game.name)),
        "decision": or_null(reference(contracts.decision_of(game.name))),
        "view": or_null(reference(contracts.view_of(game.name))),
    }
    return {
        **described,
        "description": f"A game of {game.title}.",
        "properties": {**described["properties"], **own},
    }


def _drop_null_from_queries(paths: dict[str, Any]) -> None:
    """Remove null from the parameters of queries: a parameter is there or missing, never null."""
    for parameter in _parameters(paths):
        schema = parameter["schema"]
        if schema.get("default", 0) is None:
            del schema["default"]
            schema["type"] = next(name for name in schema["type"] if name != "null")
            if "enum" in schema:
                schema["enum"] = [value for value in schema["enum"] if value is not None]


def _parameters(paths: dict[str, Any]) -> Iterator[Json]:
    for path in paths.values():
        for operation in path.values():
            yield from operation["parameters"]
