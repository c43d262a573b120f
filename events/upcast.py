"""Old events in new clothes: upcasting, one schema at a time.

Stored events are never rewritten. An upcaster takes an event of one schema and returns it in the
next; reading applies them until the event has the current schema of its type.
"""

from __future__ import annotations

from collections.abc import Callable

from cartulary.events.errors import UnknownSchema
from cartulary.events.types import GAME_CREATED, GAME_STARTED, MOVE_MADE, SCHEMAS, Json

Upcaster = Callable[[Json], Json]


def _seats_as_objects(old: Json) -> Json:
    """Read schema 0: `players` held players, names of bots, or null; every game was public."""
    new = {name: value for name, value in old.items() if name != "players"}
    new["seats"] = [
        {
            "seat": seat,
            "player": sitter if isinstance(sitter, dict) else None,
            "bot": sitter if isinstance(sitter, str) else None,
        }
        for seat, sitter in enumerate(old["players"])
    ]
    new["visibility"] = "public"
    return new


def _chance_from_drawn(old: Json) -> Json:
    """Read schema 0, which called the recorded chance `drawn`."""
    new = {name: value for name, value in old.items() if name != "drawn"}
    new["chance"] = old["drawn"]
    return new


UPCASTERS: dict[tuple[str, int], Upcaster] = {
    (GAME_CREATED, 0): _seats_as_objects,
    (GAME_STARTED, 0): _chance_from_drawn,
    (MOVE_MADE, 0): _chance_from_drawn,
}
"""(type, schema) -> what makes the next schema of it."""


def upcast(stored: Json) -> Json:
    """Return a stored event in the current schema, without `schema`; may change `stored`.

    Raises `UnknownSchema` for an unknown type, or a schema for which there is no upcaster.
    """
    type_, schema = stored["type"], stored.pop("schema")
    if type_ not in SCHEMAS:
        raise UnknownSchema(f"no reader for events of type {type_!r}")
    while schema != SCHEMAS[type_]:
        step = UPCASTERS.get((type_, schema))
        if step is None:
            raise UnknownSchema(f"no reader for {type_!r}, schema {schema!r}")
        stored = step(stored)
        schema += 1
    return stored
