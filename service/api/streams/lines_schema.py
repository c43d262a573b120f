"""The lines of streams: together they are `StreamLine`."""

from __future__ import annotations

from typing import get_args

from marshmallow import Schema, validate

from cartulary.events.lists.inbox import Type
from cartulary.service.api.people.inbox import ItemAnswer
from cartulary.service.api.table.presence import PresenceAnswer
from cartulary.service.api.table.timekeeping import ClockAnswer
from cartulary.service.api.talk.messages import MessageAnswer
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, JsonObject, text, version
from cartulary.service.schemas.references import refer


def _about(schema: type[Schema], description: str) -> fields.Nested:
    return fields.Nested(schema, required=True, description=description)


class ResetPointAnswer(Answer):
    """Where a stream goes on after the store has lost events that the client has."""

    version = version(required=True, description="The version at which the game is now.")


class StreamItemAnswer(ItemAnswer):
    """An item of an inbox as a stream brings it: its first one may be a `snapshot`."""

    type = text(
        "`snapshot`: what waits for the player now; its `data` has `turns`, `unread` and "
        "`invitations`.",
        validate=validate.OneOf((*get_args(Type), "snapshot")),
    )


_RESET = "The client is ahead of the store: what it knows of the game is void."
_PRESENCE = "Who has the game open now."
_CLOCK = "The clock of the game now."
_MESSAGE = "A message, or the stub of a message that was deleted."
_INBOX = "An item of the inbox."


class ResetLine(Answer):
    """In the stream of a game: the stream goes on after an earlier version."""

    reset = _about(ResetPointAnswer, _RESET)


class PresenceLine(Answer):
    """In the stream of a game: another player has opened or left it."""

    presence = _about(PresenceAnswer, _PRESENCE)


class ClockLine(Answer):
    """In the stream of a game: its clock has changed."""

    clock = _about(ClockAnswer, _CLOCK)


class MessageLine(Answer):
    """In the stream of a game: a player has said something."""

    message = _about(MessageAnswer, _MESSAGE)


class CursorLine(Answer):
    """A line that may move the cursor of a stream of many games."""

    cursor = fields.String(
        description="In a stream of many games as NDJSON: goes on after this line. A server-sent "
        "event has it as its `id`.",
    )


class InboxLine(CursorLine):
    """In a stream with the inbox: an item of it."""

    inbox = _about(StreamItemAnswer, _INBOX)


def _game() -> fields.String:
    return text("The id of the game.")


class GameEventLine(CursorLine):
    """In a stream of many games: an event of a game."""

    game = _game()
    event = JsonObject(required=True, metadata=refer("Event", "The event."))


class GameResetLine(CursorLine):
    """In a stream of many games: a game goes on after an earlier version."""

    game = _game()
    reset = _about(ResetPointAnswer, _RESET)


class GamePresenceLine(Answer):
    """In a stream of many games: another player has opened or left a game."""

    game = _game()
    presence = _about(PresenceAnswer, _PRESENCE)


class GameClockLine(Answer):
    """In a stream of many games: the clock of a game has changed."""

    game = _game()
    clock = _about(ClockAnswer, _CLOCK)


class GameMessageLine(Answer):
    """In a stream of many games: a player has said something at a table."""

    game = _game()
    message = _about(MessageAnswer, _MESSAGE)


class GameClosedLine(CursorLine):
    """In a stream of many games: nothing more comes of a game."""

    game = _game()
    closed = text(
        "`over`: the game has ended. `not_found`: it does not exist, or is not for the caller. "
        "`hidden`: the caller may see it no more. `unavailable`: it cannot be read for the moment.",
        validate=validate.OneOf(("over", "not_found", "hidden", "unavailable")),
    )


LINES: tuple[type[Schema] | str, ...] = (
    *("Event", StreamItemAnswer, MessageAnswer),
    *(GameEventLine, GameResetLine, GamePresenceLine, GameClockLine),
    *(GameMessageLine, GameClosedLine, InboxLine),
    *(ResetLine, PresenceLine, ClockLine, MessageLine),
)
"""The first three are whole lines where a stream brings nothing else: of a game, of an inbox, of
the messages of a game."""
