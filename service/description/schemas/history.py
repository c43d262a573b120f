"""What can happen and what has happened: legal moves, states, events, the story."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cartulary.events.opening import VISIBILITIES
from cartulary.service.description.schemas.base import (
    Answer,
    OneOf,
    constant,
    nullable,
    seat,
    version,
    whole,
)
from cartulary.service.description.schemas.moves import DecisionAnswer, move, view
from cartulary.service.description.schemas.resources import (
    GameAnswer,
    PlayerName,
    ResultAnswer,
    SeatAnswer,
    listed,
    text,
    time,
)


class MovesAnswer(Answer):
    """Every legal move of the pending decision."""

    version = version(required=True)
    decision = nullable(DecisionAnswer)
    moves = fields.List(move(), required=True)


class StateAnswer(Answer):
    """The table as it stood after one event."""

    version = version(required=True)
    decision = nullable(DecisionAnswer)
    view = view()


class Fact(Answer):
    """Something that a move led to, in terms a person can be shown; the rest depends on `type`."""

    type = text()


class EventBase(Answer):
    """What every event has."""

    version = version(required=True)
    at = time("When it was stored.")


def _chance() -> fields.List[Any]:
    return fields.List(
        fields.String(), required=True, metadata={"description": "What was drawn, in order."}
    )


def _hash() -> fields.String:
    return text("SHA-256 of the state after the event.")


class GameCreated(EventBase):
    """Somebody opened the game."""

    type = constant("game_created")
    game = text()
    options = fields.Dict(required=True)
    seats = listed(SeatAnswer)
    visibility = text(validate=validate.OneOf(VISIBILITIES))
    created_by = text("Id of the player.")


class SeatTaken(EventBase):
    """A player sat down."""

    type = constant("seat_taken")
    seat = seat(required=True)
    player = fields.Nested(PlayerName, required=True)


class SeatLeft(EventBase):
    """A player left before the start."""

    type = constant("seat_left")
    seat = seat(required=True)
    player = fields.Nested(PlayerName, required=True)


class GameStarted(EventBase):
    """All seats were taken."""

    type = constant("game_started")
    setup = fields.Dict(required=True, metadata={"description": "The chance of the start."})
    chance = _chance()
    facts = listed(Fact)
    rules_version = whole(1, required=True)
    state_hash = _hash()


class MoveMade(EventBase):
    """A decision was answered."""

    type = constant("move_made")
    seat = seat(required=True)
    move = move()
    chance = _chance()
    facts = listed(Fact)
    state_hash = _hash()


class GameScored(EventBase):
    """The score was counted: the game is over."""

    type = constant("game_scored")
    result = fields.Nested(ResultAnswer, required=True)


class GameAborted(EventBase):
    """The game will not be played."""

    type = constant("game_aborted")
    reason = text()


EVENTS: dict[str, type[Schema]] = {
    "game_created": GameCreated,
    "seat_taken": SeatTaken,
    "seat_left": SeatLeft,
    "game_started": GameStarted,
    "move_made": MoveMade,
    "game_scored": GameScored,
    "game_aborted": GameAborted,
}


def event(**kwargs: Any) -> OneOf:
    """Return a field that holds an event."""
    return OneOf("Event", "type", EVENTS, required=True, **kwargs)


class MoveWritten(Answer):
    """A stored move."""

    version = version(required=True)
    event = event()
    game = fields.Nested(GameAnswer, required=True)
    board = fields.String(
        allow_none=True,
        metadata={
            "description": "With `?board=`: the picture, SVG. Null for a game without a picture, "
            "and when drawing fails: the move is stored all the same."
        },
    )
    moves = fields.List(
        move(),
        allow_none=True,
        metadata={"description": "With `?board=`: every legal move now. Null when listing fails."},
    )


class EventsPage(Answer):
    """Events, the oldest first."""

    events = fields.List(event(), required=True)
    next_after = whole(
        0, required=True, metadata={"description": "Ask with `after` = this for what follows."}
    )


class StoryLine(Answer):
    """A line of the story; `version` is the event that it tells of."""

    version = version(required=True)
    text = text()


class StoryAnswer(Answer):
    """What has happened, in words."""

    language = text("Of the lines: `en`, `pl`, `hr`, `nl`, `ru`.")
    lines = listed(StoryLine)
    next_after = whole(
        0, required=True, metadata={"description": "Ask with `after` = this for what follows."}
    )
