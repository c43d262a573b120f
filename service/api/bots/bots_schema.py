"""Bots of others: bodies of requests, and answers."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validate

from cartulary.events.model import names
from cartulary.events.outside_bots.accepts import FROM, PACES
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text, whole
from cartulary.service.schemas.players import PlayerAnswer, PlayerName

GAMES_TEXT = "The names of the games that the bot plays; null: all games."
SEATS_TEXT = "The sizes of the tables at which the bot plays."
PACES_TEXT = "The paces at which the bot plays; `untimed`: games without clocks."
PARALLEL_TEXT = "In so many running games the bot plays at once."
FROM_TEXT = (
    "Whose invitations the bot accepts: those of `anyone`, of its owner and whom the owner "
    "`follows`, or of its `owner` only."
)
ABOUT_LONGEST = 300


def _is_line(about: str) -> None:
    if about and not about.isprintable():
        raise ValidationError("must be one line of visible characters")


def _all_different(values: list[Any]) -> None:
    if len(set(values)) < len(values):
        raise ValidationError("names something twice")


_LISTED = [validate.Length(1, 20), _all_different]


class BotRequest(Request):
    """A new bot."""

    name = fields.String(
        required=True,
        description="As the name of a player.",
        metadata={"minLength": 1, "maxLength": names.LONGEST, "pattern": names.PATTERN},
    )
    about = fields.String(
        load_default="",
        validate=[validate.Length(max=ABOUT_LONGEST), _is_line],
        description="What the bot is, in a line for people.",
    )


class AcceptsRequest(Request):
    """What a bot accepts; what is missing is what a new bot accepts."""

    games = fields.List(fields.String(), allow_none=True, validate=_LISTED, description=GAMES_TEXT)
    seats = fields.List(whole(2, 5), validate=_LISTED, description=SEATS_TEXT)
    paces = fields.List(
        fields.String(validate=validate.OneOf(PACES)), validate=_LISTED, description=PACES_TEXT
    )
    parallel = whole(1, 50, description=PARALLEL_TEXT)
    origin = fields.String(data_key="from", validate=validate.OneOf(FROM), description=FROM_TEXT)


class OwnBotRequest(Request):
    """What the bot of the token says about itself."""

    accepts = fields.Nested(AcceptsRequest, required=True, description="What it accepts.")


class AcceptsAnswer(Answer):
    """What a bot accepts. An invitation that does not fit is declined by the service."""

    games = fields.List(fields.String(), required=True, allow_none=True, description=GAMES_TEXT)
    seats = fields.List(whole(2, 5), required=True, description=SEATS_TEXT)
    paces = fields.List(
        fields.String(validate=validate.OneOf(PACES)), required=True, description=PACES_TEXT
    )
    parallel = whole(1, 50, required=True, description=PARALLEL_TEXT)
    origin = fields.String(
        data_key="from", required=True, validate=validate.OneOf(FROM), description=FROM_TEXT
    )


class OutsideBotAnswer(PlayerAnswer):
    """A bot that a player has made."""

    owner = fields.Nested(PlayerName, required=True, description="Who has made the bot.")
    about = text("What the bot is, in the words of its owner; empty without any.")
    accepts = fields.Nested(AcceptsAnswer, required=True, description="What the bot accepts.")
    online = fields.Boolean(
        required=True,
        description="True while the bot has the stream of its inbox open, and for a day after a "
        "webhook has asked it for a move.",
    )
    strength = whole(
        0,
        required=True,
        allow_none=True,
        description="A number like Elo, on the scale of the levels in the catalogue: by the rated "
        "games of bots, in the game that is asked for, else in that of which most is known. Null "
        "while it rests on few games.",
    )
    pace = whole(
        0,
        required=True,
        allow_none=True,
        description="How many ms the bot takes for a turn, the median. Null when it is not "
        "measured.",
    )


class NewBotAnswer(OutsideBotAnswer):
    """A new bot, or one with a new token."""

    token = text("Shown in this answer only. It may read and play, and nothing else.")


class OwnBotListAnswer(Answer):
    """The bots of the caller, the oldest first."""

    bots = list_of(OutsideBotAnswer, "The bots.")


class BotListAnswer(Answer):
    """A page of bots, by id."""

    bots = list_of(OutsideBotAnswer, "The bots.")
    next_cursor = text(
        "The value of `cursor` for the next page; null: the last one.", allow_none=True
    )


class BotListQuery(Request):
    """Which bots."""

    game = fields.String(load_default=None, description="Only bots that accept this game.")
    online = fields.String(
        load_default="true",
        validate=validate.OneOf(["true"]),
        description="Only bots that are connected, which is the only choice for now.",
    )
    cursor = fields.String(load_default="", description="`next_cursor` of the page before.")
    limit = whole(1, 100, text=True, load_default=50, description="At most so many bots.")
