"""What can happen and what has happened: legal moves, states, events, the story."""

from __future__ import annotations

from marshmallow import fields

from cartulary.service.description.schemas.base import (
    Answer,
    version,
    whole,
)
from cartulary.service.description.schemas.references import (
    JsonObject,
    decision,
    event,
    moves,
    refer,
    view,
)
from cartulary.service.description.schemas.resources import (
    GameAnswer,
    listed,
    text,
)


class MovesAnswer(Answer):
    """Every legal move of the pending decision."""

    version = version(required=True)
    decision = decision()
    moves = moves(required=True)


class StateAnswer(Answer):
    """The table as it stood after one event."""

    version = version(required=True)
    decision = decision()
    view = view()


class MoveWritten(Answer):
    """A stored move."""

    version = version(required=True)
    event = JsonObject(required=True, metadata=refer("MoveMade"))
    game = fields.Nested(GameAnswer, required=True)
    board = fields.String(
        allow_none=True,
        metadata={
            "description": "With `?board=`: the picture, SVG. Null for a game without a picture, "
            "and when drawing fails: the move is stored all the same."
        },
    )
    moves = moves(
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
