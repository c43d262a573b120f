"""The open form: a client that is generated from it reads the answers of later releases.

Unions of components become `anyOf` without a discriminator, with a last member for values that
nothing else describes; enums, other constants and bounds of answers go. (`oneOf` with an open
member would refuse every known value; with a discriminator generators type the tag as a literal.)
What is sent to webhooks counts as answered, and what they answer as a request.

Requests stay closed, so that a typing mistake is found before it is sent, but for `SENT_BACK`: a
legal move is sent back as it came. A component of both has two forms: the closed one for requests
has `Request` behind its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from cartulary.service.openapi.forms.reach import (
    answered_by,
    asked_by,
    find_reach,
    list_operations,
    list_webhooks,
    names_in,
)
from cartulary.service.openapi.forms.schema_walk import PREFIX, members_of, reference, walk

Json = dict[str, Any]

SENT_BACK = frozenset({"Move"})
"""Unions that are open in requests too: their values come from answers."""

_BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems"),
)

_TEXT = """\
This is the open form of the description, for generating clients. Every union has a last member for
values that this release does not know, and every enum of an answer is an open string;
`x-extensible-enum` lists the known values. `openapi.yaml` is the closed form.

"""


def open_description(closed: Json) -> Json:
    """Return the open form of the closed description."""
    opened: Json = orjson.loads(orjson.dumps(closed))
    opened["info"]["description"] = _TEXT + opened["info"]["description"]
    schemas, reach = opened["components"]["schemas"], find_reach(opened, SENT_BACK)
    tags = _find_tags(schemas)
    for name in schemas.keys() - (reach.asked - reach.answered):
        schemas[name] = _open_schema(schemas[name], tags.get(name, ()))
    for header in opened["components"].get("headers", {}).values():
        header["schema"] = _open_schema(header["schema"])
    _keep_requests_closed(opened, closed, reach.asked & reach.answered)
    for name in find_unions(schemas):
        schemas |= _open_union(name, schemas)
    for operation in list_operations(opened):
        for schema in answered_by(operation):
            _open_parts(schema)
    for webhook in list_webhooks(opened):
        for schema in asked_by(webhook):
            _open_parts(schema)
    opened["components"]["schemas"] = dict(sorted(schemas.items()))
    return opened


_OPEN_BY_A_MEMBER = frozenset(("LineFact",))
"""Unions that need no further member: what a later release adds is of a union among theirs."""


def find_unions(schemas: Mapping[str, Json]) -> list[str]:
    """Return the names of the components that are a union of several things, not of one and null.

    A member of a union may be a union.
    """
    return [
        name
        for name, schema in schemas.items()
        if name not in _OPEN_BY_A_MEMBER
        and sum(part != {"type": "null"} for part in members_of(schema)) > 1
    ]


def _find_tags(schemas: Mapping[str, Json]) -> dict[str, set[str]]:
    """Return by component the properties that tell it from the other members of its unions."""
    tags: dict[str, set[str]] = {}
    for schema in schemas.values():
        if "discriminator" in schema:
            for target in schema["discriminator"]["mapping"].values():
                name = target.removeprefix(PREFIX)
                tags.setdefault(name, set()).add(schema["discriminator"]["propertyName"])
    return tags


# -- one schema ------------------------------------------------------------------------------------


def _open_schema(schema: Json, tags: Iterable[str] = ()) -> Json:
    """Return a schema of an answer opened; the constants of the properties `tags` stay."""
    kept = {tag: schema["properties"][tag] for tag in tags}
    constants = {tag: dict(found) for tag, found in kept.items()}
    _open_parts(schema)
    for tag, found in constants.items():
        schema["properties"][tag] = found
    return schema


def _open_parts(schema: Json) -> None:
    for part in walk(schema):
        for bound in _BOUNDS:
            part.pop(bound, None)
        part.pop("const", None)
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        if "enum" in part:
            known = [value for value in part.pop("enum") if value is not None]
            part["x-extensible-enum"] = known


# -- unions ----------------------------------------------------------------------------------------


def _open_union(name: str, schemas: Mapping[str, Json]) -> dict[str, Json]:
    """Return the open form of a union, and its member for values that nothing else describes."""
    closed, other = schemas[name], f"Other{name}"
    members = members_of(closed)
    found = [
        schemas[part["$ref"].removeprefix(PREFIX)] if "$ref" in part else part for part in members
    ]
    described: Json = {
        "type": "object",
        "description": f"Anything else that a later release answers as `{name}`.",
        **_share(found, closed.get("discriminator")),
        "additionalProperties": True,
    }
    said: Json = {key: closed[key] for key in ("description", "examples") if key in closed}
    return {name: {**said, "anyOf": [*members, reference(other)]}, other: described}


def _share(members: list[Json], discriminator: Json | None) -> Json:
    """Return what all members have, with the tag of a value that no member describes."""
    common = dict(members[0].get("properties", {}))
    for member in members[1:]:
        theirs = member.get("properties", {})
        common = {key: one for key, one in common.items() if theirs.get(key) == one}
    if discriminator is not None:
        tag = discriminator["propertyName"]
        text = members[0]["properties"][tag].get("description", "")
        unknown = {"type": "string", "not": {"enum": list(discriminator["mapping"])}}
        common = {tag: {**unknown, "description": text}, **common}
    required = [key for key in common if all(key in one.get("required", ()) for one in members)]
    return {"required": required, "properties": common} if common else {}


# -- requests --------------------------------------------------------------------------------------


def _keep_requests_closed(opened: Json, closed: Json, both: Iterable[str]) -> None:
    """Give requests closed copies of the components of both that opening has changed."""
    before, after = closed["components"]["schemas"], opened["components"]["schemas"]
    names = _find_changed(before, after, set(both))
    copies = {name: f"{name}Request" for name in names}
    if taken := set(copies.values()) & after.keys():
        raise ValueError(f"the closed forms of requests need the names {sorted(taken)}")
    for name, copy in copies.items():
        after[copy] = orjson.loads(orjson.dumps(before[name]))
    asked = find_reach(closed, SENT_BACK).asked
    for name in asked - set(both):
        _point(after[name], copies)
    for name in copies.values():
        _point(after[name], copies)
    sent = [schema for one in list_operations(opened) for schema in asked_by(one)]
    sent += [schema for one in list_webhooks(opened) for schema in answered_by(one)]
    for schema in sent:
        _point(schema, copies)


def _find_changed(before: Json, after: Json, names: set[str]) -> set[str]:
    """Return which of these components differ, or lead to one of these that does."""
    changed = {name for name in names if before[name] != after[name]}
    while True:
        more = {name for name in names - changed if changed.intersection(names_in(before[name]))}
        if not more:
            return changed
        changed |= more


def _point(schema: Json, copies: Mapping[str, str]) -> None:
    """Let the references of a schema point at the copies."""
    for part in walk(schema):
        name = part.get("$ref", "").removeprefix(PREFIX)
        if name in copies:
            part["$ref"] = PREFIX + copies[name]
