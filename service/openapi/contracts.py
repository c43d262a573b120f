"""Components of `openapi.yaml` that follow from the contracts of the games.

The unions are `Move`, `Fact`, `Decision` and `View`, and for each game the union of its decisions.
A move, fact or decision of the same name in several games is one member of the union, since the
discriminator (`type` or `kind`) names one member: `merge` makes it from the schemas of the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cartulary.engine.contract import Contract
from cartulary.engine.core import Game
from cartulary.engine.schema import referred
from cartulary.service.openapi.forms.schema_walk import PREFIX, reference

Json = dict[str, Any]
Games = Mapping[str, Game]


def or_null(schema: Json) -> Json:
    """Return the schema of null or a value of `schema`."""
    return {"oneOf": [schema, {"type": "null"}]}


def camel(name: str) -> str:
    """Return `PlaceTile` for `place_tile`: the name of a component."""
    return "".join(word.capitalize() for word in name.replace("-", "_").split("_"))


def union(text: str, tag: str, members: Mapping[str, str]) -> Json:
    """Return a union of components, `members` by the value of the property `tag`."""
    mapping = {value: PREFIX + component for value, component in members.items()}
    return {
        "description": text,
        "oneOf": [{"$ref": target} for target in mapping.values()],
        "discriminator": {"propertyName": tag, "mapping": mapping},
    }


def names(text: str, values: Iterable[str]) -> Json:
    """Return an enum of these strings, each once."""
    return {"type": "string", "description": text, "enum": list(dict.fromkeys(values))}


def components(games: Games) -> dict[str, Json]:
    """Return the components of all games by name."""
    return {
        "GameName": names("The name of a game on offer.", games),
        **_union_of("Move", "A move of any game.", "type", _gather(games, _moves)),
        **_union_of("Fact", "What an event led to.", "type", _gather(games, _facts)),
        **_union_of("Decision", "What a game waits for.", "kind", _gather(games, _decisions)),
        "DecisionKind": names("What a game may ask.", _gather(games, _decisions)),
        "BreakdownReason": names(
            "What is counted at the end of a game.",
            (reason for game in games.values() for reason in game.contract.counts),
        ),
        "View": {
            "description": "The table of a game: what everybody may see.",
            "oneOf": [reference(view_of(name)) for name in games],
        },
        **{name: part for game in games.values() for name, part in _own(game)},
    }


def view_of(game: str) -> str:
    """Return the name of the component of the view of a game."""
    return f"{camel(game)}View"


def decision_of(game: str) -> str:
    """Return the name of the component of the decisions of a game."""
    return f"{camel(game)}Decision"


def options_of(game: str) -> str:
    """Return the name of the component of the options of a game."""
    return f"{camel(game)}Options"


def decisions_table(games: Games) -> str:
    """Return, in Markdown, what each game asks and which moves answer."""
    rows = [
        f"| {name} | `{kind}` | {', '.join(f'`{move}`' for move in question.moves)} |"
        for name, game in games.items()
        for kind, question in game.contract.decisions.items()
    ]
    return "\n".join(["| game | decision | moves |", "|---|---|---|", *rows])


# -- the parts of one game -----------------------------------------------------------------------


def _own(game: Game) -> Iterator[tuple[str, Json]]:
    """Yield the components that belong to one game."""
    contract, name = game.contract, game.name
    for part, schema in contract.definitions.items():
        yield camel(name) + part, publish(schema, name)
    yield view_of(name), publish(contract.view, name)
    members = {kind: f"{camel(kind)}Decision" for kind in contract.decisions}
    yield decision_of(name), union(f"What {game.title} waits for.", "kind", members)
    yield options_of(name), _options(game)


def _options(game: Game) -> Json:
    return {
        "type": "object",
        "description": f"The options of {game.title}, complete.",
        "required": [option.name for option in game.options],
        "properties": {
            option.name: {
                "type": "string" if isinstance(option.default, str) else "integer",
                "description": option.text,
                "enum": list(option.values),
            }
            for option in game.options
        },
    }


def _moves(contract: Contract) -> Mapping[str, Json]:
    return contract.moves


def _facts(contract: Contract) -> Mapping[str, Json]:
    return contract.facts


def _decisions(contract: Contract) -> Mapping[str, Json]:
    return {
        kind: {
            "type": "object",
            "description": question.text,
            "required": ["seat", "kind", "context"],
            "properties": {
                "seat": {"type": "integer", "minimum": 0},
                "kind": {"type": "string", "const": kind},
                "context": question.context,
            },
        }
        for kind, question in contract.decisions.items()
    }


def publish(schema: Any, game: str) -> Any:
    """Return a schema of a contract as it stands in `openapi.yaml`.

    Definitions become components of the game. `title` goes: generators name classes after it.
    """
    if isinstance(schema, list):
        return [publish(item, game) for item in schema]
    if not isinstance(schema, dict):
        return schema
    published = {
        key: publish(value, game)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }
    if (name := referred(schema)) is not None:
        published["$ref"] = PREFIX + camel(game) + name
    return published


# -- one member for all games --------------------------------------------------------------------


def _gather(games: Games, part: Any) -> dict[str, list[Json]]:
    """Return by name the schemas that the games have for it."""
    gathered: dict[str, list[Json]] = {}
    for game in games.values():
        for name, schema in part(game.contract).items():
            gathered.setdefault(name, []).append(publish(schema, game.name))
    return gathered


def _union_of(
    name: str, text: str, tag: str, gathered: Mapping[str, list[Json]]
) -> dict[str, Json]:
    """Return a union and its members; the members are named after tag and union: `PassMove`."""
    members = {value: camel(value) + name for value in gathered}
    merged = {members[value]: merge(schemas) for value, schemas in gathered.items()}
    return {**merged, name: union(text, tag, members)}


def merge(schemas: list[Json]) -> Json:
    """Return a schema for every value that one of the schemas allows.

    Objects become one object with all keys, in which only the keys that all require are required.
    """
    different = [schema for n, schema in enumerate(schemas) if schema not in schemas[:n]]
    if len(different) == 1:
        return different[0]
    if all("properties" in schema for schema in different):
        return _merge_objects(different)
    if all(schema.keys() == {"type", "enum"} for schema in different):
        values = [value for schema in different for value in schema["enum"]]
        return {"type": different[0]["type"], "enum": list(dict.fromkeys(values))}
    return {"anyOf": different}


def _merge_objects(schemas: list[Json]) -> Json:
    keys = dict.fromkeys(key for schema in schemas for key in schema["properties"])
    merged: Json = {
        "type": "object",
        "description": " ".join(dict.fromkeys(schema["description"] for schema in schemas)),
        "required": [key for key in keys if all(key in schema["required"] for schema in schemas)],
        "properties": {
            key: merge([s["properties"][key] for s in schemas if key in s["properties"]])
            for key in keys
        },
    }
    if all(schema.get("additionalProperties") is False for schema in schemas):
        merged["additionalProperties"] = False
    return merged
