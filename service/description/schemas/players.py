"""Answers: players, their tokens and preferences."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.events.preferences import TAKEBACKS
from cartulary.service.description.schemas.base import Answer, text, time


class PlayerAnswer(Answer):
    """A player."""

    id = text()
    name = text()
    created_at = time()


TAKEBACKS_TEXT = (
    "When another player asks for a takeback: `ask` the player each time; agree `always`; agree by "
    "itself to a `misclick`, the very last move within 15 s; `never`: nobody may ask."
)


class PreferencesAnswer(Answer):
    """All preferences of a player."""

    takebacks = text(TAKEBACKS_TEXT, validate=validate.OneOf(TAKEBACKS))


class OwnPlayerAnswer(PlayerAnswer):
    """The player of the token."""

    preferences = fields.Nested(PreferencesAnswer, required=True)
    claimed_at = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "Since when the player has recovery codes; null: a guest.",
            "format": "date-time",
        },
    )


class NewPlayer(PlayerAnswer):
    """A new player."""

    token = text("Shown in this answer only. Send the token as `Authorization: Bearer …`.")


class PlayerName(Answer):
    """The player on a seat."""

    id = text()
    name = text()
