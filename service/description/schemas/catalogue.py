"""Answers: the games on offer, with options and bots."""

from __future__ import annotations

from marshmallow import fields

from cartulary.service.description.schemas.base import Answer, list_of, nullable, text, whole
from cartulary.service.description.schemas.pace import PaceAnswer
from cartulary.service.description.schemas.references import game_name


def _bundle(description: str) -> fields.Dict:
    return fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        allow_none=True,
        metadata={"description": description},
    )


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


class PaceOffer(Answer):
    """A pace with a name."""

    name = text()
    pace = nullable(PaceAnswer, "For `pace` of a new game; null: untimed.")


class CatalogueAnswer(Answer):
    """The games on offer, and paces to choose from."""

    games = list_of(GameOffer)
    paces = list_of(PaceOffer, "Usual paces; a game may have any other.")


class PieceAnswer(Answer):
    """What a piece costs, does and is worth."""

    id = text("Unique within its kind; columns of one line of favours share it.")
    kind = text("For example `wood`, `prestige`, `castle`, `favour`, `feature`, `tile`.")
    name = text()
    rules = text("The section of the rules that it is taken from.")
    price = _bundle("What it costs; null for what nobody buys.")
    effect = text("What it does, in words; empty for a piece that does nothing.")
    does = fields.Dict(
        required=True,
        metadata={"description": "The same for programs, by the names of effects of the game."},
    )
    owner = text("What the owner gets when another seat uses the piece, in words; often empty.")
    owner_gets = fields.List(
        fields.Dict(keys=fields.String(), values=fields.Integer()),
        required=True,
        metadata={"description": "The same for programs: bundles of which the owner gets one."},
    )
    points = whole(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "What it is worth: to its builder, for a house, for a tile."},
    )
    favours = whole(0, required=True, metadata={"description": "Favours for its builder."})
    column = whole(1, metadata={"description": "The column of a favour."})
    copies = whole(1, metadata={"description": "How many there are: tiles and followers."})


class PiecesAnswer(Answer):
    """The pieces of a game under some options."""

    game = game_name()
    options = fields.Dict(required=True, metadata={"description": "All options."})
    pieces = list_of(PieceAnswer)
