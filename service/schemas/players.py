"""Answers: players."""

from __future__ import annotations

from marshmallow import validate

from cartulary.events.model.table_parts import BOT
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, text, time

KIND = "What the player is: `person`, or `bot` for a program that a player has made."


class PlayerAnswer(Answer):
    """A player."""

    id = text()
    name = text()
    kind = text(KIND, validate=validate.OneOf(["person", BOT]))
    created_at = time()


class PlayerName(Answer):
    """The player on a seat."""

    id = text()
    name = text()
    kind = fields.String(
        description="`bot`: the player is a program of another player. Missing: a person.",
        validate=validate.OneOf([BOT]),
    )
    owner = fields.String(description="With the kind `bot`: the id of the player who made it.")
