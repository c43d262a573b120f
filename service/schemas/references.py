"""Fields whose schema stands elsewhere: in the contract of a game, in the ledger's list of events.

`component` in the metadata of a field names the component of `openapi.yaml` that describes the
field. `service.openapi.contracts` and `service.openapi.openapi` make these components.
"""

from __future__ import annotations

from typing import Any

from cartulary.service.schemas import fields
from cartulary.service.schemas.base import JsonObject, Named


def refer(component: str, description: str = "") -> dict[str, str]:
    """Return the metadata of a field that a component describes."""
    return {"component": component, **({"description": description} if description else {})}


def move() -> JsonObject:
    """Return a required field for a move; whether the move is legal is for the engine to say."""
    return JsonObject(required=True, metadata=refer("Move"))


def moves(**kwargs: Any) -> fields.List:
    """Return a field for a list of moves."""
    return fields.List(move(), **kwargs)


def event() -> JsonObject:
    """Return a required field for an event."""
    return JsonObject(required=True, metadata=refer("Event"))


def tournament_event() -> JsonObject:
    """Return a required field for an event of a tournament."""
    return JsonObject(required=True, metadata=refer("TournamentEvent"))


def study_event() -> JsonObject:
    """Return a required field for an event of a study."""
    return JsonObject(required=True, metadata=refer("StudyEvent"))


def decision() -> JsonObject:
    """Return a required field for the pending decision, null when the game waits for no seat."""
    return JsonObject(required=True, allow_none=True, metadata=refer("Decision"))


def view() -> JsonObject:
    """Return a required field for the view of a game, null before the start."""
    return JsonObject(required=True, allow_none=True, metadata=refer("View"))


def game_name(**kwargs: Any) -> fields.String:
    """Return a required field for the name of a game."""
    return fields.String(required=True, metadata=refer("GameName"), **kwargs)


def chosen_options() -> Named:
    """Return a field for the options of a game that a request chooses."""
    return Named(
        keys=fields.String(),
        values=fields.Raw(metadata={"type": ["string", "integer", "null"]}),
        load_default=dict,
        description="See the catalogue; an option that is missing or null has its default.",
    )
