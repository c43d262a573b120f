"""Talk at the table: messages, notes, muted players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from cartulary.events.chat import complaints, notes, talk
from cartulary.events.chat.messages import PHRASES, ROOMS
from cartulary.events.names import PATTERN
from cartulary.service.description.schemas.base import (
    Answer,
    Request,
    list_of,
    nullable,
    seat,
    text,
    time,
    whole,
)
from cartulary.service.description.schemas.players import PlayerName

MESSAGES_MAX = 1000

_ROOM = (
    "`players`: who holds a seat writes here. `spectators`: everybody writes here who sees the "
    "game and has a token."
)
_PHRASE = "A phrase that everybody may say; each reader gets it in the reader's language."


def _no_fault(value: str) -> None:
    # The ends do not count: the service strips them.
    fault = talk.fault_of_text(value.strip(" "))
    if fault is not None:
        raise ValidationError(fault)


class MessageRequest(Request):
    """What to say: a `text` or a `phrase`."""

    room = fields.String(
        required=True, validate=validate.OneOf(ROOMS), metadata={"description": _ROOM}
    )
    text = fields.String(
        validate=_no_fault,
        metadata={
            "description": "One line. A guest says phrases only.",
            "minLength": 1,
            "maxLength": talk.LONGEST,
            "pattern": PATTERN,
        },
    )
    phrase = fields.String(validate=validate.OneOf(PHRASES), metadata={"description": _PHRASE})

    @validates_schema
    def _either(self, data: Mapping[str, Any], **_: Any) -> None:
        if ("text" in data) == ("phrase" in data):
            raise ValidationError("must have either a text or a phrase", "text")


class MessagesQuery(Request):
    """A part of the messages of a game."""

    room = fields.String(
        validate=validate.OneOf(ROOMS),
        metadata={"description": "Only messages of this room; without it: of both rooms."},
    )
    after = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        metadata={"description": "`next_after` of a page, or the id of a message."},
    )
    limit = whole(1, MESSAGES_MAX, text=True, load_default=100)
    wait = whole(
        0,
        120,
        text=True,
        load_default=0,
        metadata={
            "description": "Seconds to wait for a message (long-poll). The service may answer "
            "sooner with an empty list."
        },
    )


class MessageAnswer(Answer):
    """A message, or the stub of a deleted message."""

    id = text()
    room = text(_ROOM, validate=validate.OneOf(ROOMS))
    at = time()
    player = nullable(PlayerName, "The author; null when the account is deleted.")
    seat = seat(
        required=True,
        allow_none=True,
        metadata={"description": "The seat of the author at that time; null for a spectator."},
    )
    phrase = text(_PHRASE, allow_none=True, validate=validate.OneOf([*PHRASES, None]))
    deleted = fields.Boolean(
        required=True, metadata={"description": "Whether the message is deleted."}
    )
    text = text(
        "The words; of a phrase in the language asked for. Null when the message is deleted.",
        allow_none=True,
    )


class MessagesPage(Answer):
    """Messages, oldest first.

    The stub of a deleted message comes at the time of its deletion, with the id of the message.
    """

    messages = list_of(MessageAnswer)
    next_after = text("Where the next page begins.")


def _no_fault_of_note(value: str) -> None:
    fault = notes.fault_of_note(value)
    if fault is not None:
        raise ValidationError(fault)


class NoteRequest(Request):
    """The private note on a game; an empty text removes it."""

    text = fields.String(
        required=True,
        validate=_no_fault_of_note,
        metadata={
            "description": "At most 4 KiB in UTF-8; lines and tabs are allowed.",
            "maxLength": notes.LONGEST,
        },
    )


class NoteAnswer(Answer):
    """The private note on a game; empty without a note."""

    text = text()


class MutesAnswer(Answer):
    """The players whose messages the caller does not read."""

    players = list_of(PlayerName)


def _no_fault_of_reason(value: str) -> None:
    fault = complaints.fault_of_reason(value)
    if fault is not None:
        raise ValidationError(fault)


def _no_fault_of_explanation(value: str) -> None:
    _no_fault_of_note(value)
    if len(value) > complaints.LONGEST_TEXT:
        raise ValidationError(f"must have at most {complaints.LONGEST_TEXT} characters")


class ReportRequest(Request):
    """A report about one `message`, `player` or `game`, by its id."""

    message = fields.String(metadata={"description": "Id of a message."})
    player = fields.String(metadata={"description": "Id of a player."})
    game = fields.String(metadata={"description": "Id of a game."})
    reason = fields.String(
        required=True,
        validate=_no_fault_of_reason,
        metadata={
            "description": "One line, for instance `insult`, `spam`, `cheating`, `name`, `other`.",
            "minLength": 1,
            "maxLength": complaints.LONGEST_REASON,
            "pattern": PATTERN,
        },
    )
    text = fields.String(
        load_default="",
        validate=_no_fault_of_explanation,
        metadata={
            "description": "What the operators should know.",
            "maxLength": complaints.LONGEST_TEXT,
        },
    )

    @validates_schema
    def _either(self, data: Mapping[str, Any], **_: Any) -> None:
        if sum(kind in data for kind in complaints.KINDS) != 1:
            raise ValidationError("must have either a message, a player or a game", "message")


class ReportAnswer(Answer):
    """A report that the operators can read."""

    id = text()
    at = time()
