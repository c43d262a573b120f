"""Answers about the play: legal moves, states, events, the story."""

from __future__ import annotations

from marshmallow import fields

from cartulary.service.description.schemas.base import (
    Answer,
    list_of,
    text,
    time,
    version,
    whole,
)
from cartulary.service.description.schemas.games import GameAnswer
from cartulary.service.description.schemas.play import FeatureAnswer
from cartulary.service.description.schemas.references import (
    JsonObject,
    decision,
    event,
    moves,
    refer,
    view,
)


class MovesAnswer(Answer):
    """Every legal move of the pending decision."""

    version = version(required=True)
    decision = decision()
    moves = moves(required=True)


class StateAnswer(Answer):
    """The table after an event."""

    version = version(required=True)
    decision = decision()
    view = view()


class WrittenAnswer(Answer):
    """What a command of a game's life has done."""

    version = version(required=True)
    events = fields.List(
        JsonObject(metadata=refer("Event")),
        required=True,
        metadata={"description": "All events that the command has added, in order; none with 200."},
    )
    game = fields.Nested(
        GameAnswer, required=True, metadata={"description": "The game after these events."}
    )


class MoveWritten(Answer):
    """A stored move."""

    version = version(required=True)
    event = JsonObject(required=True, metadata=refer("MoveMade"))
    events = fields.List(
        JsonObject(metadata=refer("Event")),
        required=True,
        metadata={
            "description": "All events that the move has added, in order; `event` is one of them."
        },
    )
    game = fields.Nested(
        GameAnswer,
        metadata={
            "description": "The game after the move. `Prefer: return=minimal` leaves out `game`, "
            "`board` and `moves`."
        },
    )
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


class PreviewAnswer(Answer):
    """What a move would lead to, up to the first draw."""

    facts = fields.List(
        JsonObject(metadata=refer("Fact")),
        required=True,
        metadata={"description": "What the move would lead to, in order."},
    )
    view = view()
    decision = decision()
    chance = fields.Boolean(
        required=True,
        metadata={
            "description": "True when a draw would follow: `view` and `decision` are those before "
            "the draw, so `decision` is null."
        },
    )
    moves = moves(metadata={"description": "With `next`: every move that would be legal then."})
    features = fields.List(
        fields.Nested(FeatureAnswer),
        metadata={"description": "With `next`: the features that the move makes or changes."},
    )


class EventsPage(Answer):
    """Events, the oldest first."""

    events = fields.List(event(), required=True)
    next_after = whole(
        0, required=True, metadata={"description": "The value of `after` for the next page."}
    )
    reset = fields.Boolean(
        metadata={
            "description": "True when `after` is beyond the end, which `next_after` then names: "
            "the store has lost events that the client has. Read the game again."
        }
    )


class TicketAnswer(Answer):
    """A ticket for one stream of one game."""

    ticket = text("Open the stream with `?ticket=`; it works once.")
    expires_at = time("A minute from now.")


class StoryLine(Answer):
    """A line of the story; it describes the event `version`."""

    version = version(required=True)
    text = text()
    taken_back = fields.Boolean(
        metadata={"description": "True: about a move that was taken back. Show it struck through."}
    )


class StoryAnswer(Answer):
    """What has happened, in words."""

    language = text("Of the lines: `en`, `pl`, `hr`, `nl`, `ru`.")
    lines = list_of(StoryLine)
    next_after = whole(
        0, required=True, metadata={"description": "The value of `after` for the next page."}
    )
