"""Answers: the games on offer, with options and bots."""

from __future__ import annotations

from marshmallow import fields

from cartulary.service.description.schemas.base import Answer, list_of, text, whole
from cartulary.service.description.schemas.references import game_name


class OptionAnswer(Answer):
    """An option of a game."""

    name = text()
    text = text()
    values = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        metadata={"description": "All values; the default comes first."},
    )
    default = fields.Raw(required=True, metadata={"type": ["string", "integer"]})


class BotAnswer(Answer):
    """A bot for a seat; the weakest comes first."""

    name = text()
    description = text("How the bot plays, how strong it is, and how long it thinks.")
    text = text("The same as `description`.")
    strength = whole(
        0,
        required=True,
        allow_none=True,
        metadata={
            "description": "A number like Elo from duels of the levels of this game; `medium` has "
            "1500. Null when nobody has measured it."
        },
    )
    ms = whole(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "So long the bot thinks of a move, usually at most."},
    )


class SeatsRange(Answer):
    """The number of players."""

    from_ = whole(1, required=True, data_key="from")
    to = whole(1, required=True)


class GameOffer(Answer):
    """A game on offer."""

    name = game_name()
    title = text()
    rules_version = whole(1, required=True)
    seats = fields.Nested(SeatsRange, required=True)
    options = list_of(OptionAnswer)
    bots = list_of(BotAnswer)


class CatalogueAnswer(Answer):
    """The games on offer."""

    games = list_of(GameOffer)
