"""Upcasters: each takes an event of one old schema and returns it in the next schema.

Stored events are never rewritten; they are upcast whenever they are read. Each upcaster is named in
the row of its type (`events.model.effects.kinds`).
"""

from __future__ import annotations

from cartulary.events.model.types import Json


def seats_as_objects(old: Json) -> Json:
    """Read schema 0 of `game_created`.

    Its `players` held players, names of bots, or null, and every game was public.
    """
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


def chance_from_drawn(old: Json) -> Json:
    """Read schema 0 of `game_started` and `move_made`, which called the chance `drawn`."""
    new = {name: value for name, value in old.items() if name != "drawn"}
    new["chance"] = old["drawn"]
    return new


def keep(old: Json) -> Json:
    """Read a schema to which the next one only adds.

    Schema 1 of a type from before the chain has no `prev`, that of `moves_taken_back` no `clock`.
    """
    return old
