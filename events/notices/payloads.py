"""The bodies of webhooks, as schemas: the notifier writes by them, `openapi.yaml` shows them.

A member of a body that no schema names is sent all the same (`MessageSchema`): items of the inbox
may get further members, and receivers ignore what they do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, fields, post_dump, validate

from cartulary.events.model.types import Json
from cartulary.events.notices.kinds import TYPES

TEST: Final = "test"
"""The type of a message that a player has sent to try a webhook."""

WANTED: Final = "move"
"""The type of a message that asks a bot for a move."""


def _said(description: str, **more: Any) -> dict[str, Any]:
    return {"required": True, "metadata": {"description": description, **more}}


def _maybe(description: str, **more: Any) -> dict[str, Any]:
    return {"metadata": {"description": description, **more}}


def _of(component: str, description: str = "") -> dict[str, Any]:
    """Return what is said of a field that another component of the description describes."""
    more = {"description": description} if description else {}
    return {"required": True, "metadata": {"component": component, **more}}


def _time(description: str) -> dict[str, Any]:
    return {"required": True, "metadata": {"description": description, "format": "date-time"}}


class MessageSchema(Schema):
    """A part of a body; members that it does not name are kept."""

    @post_dump(pass_original=True)
    def keep_others(self, dumped: Json, original: Mapping[str, Any], **_: Any) -> Json:
        """Return the part with what the schema does not name."""
        return {**original, **dumped}


class NoticeName(MessageSchema):
    """A player, by id and name."""

    id = fields.String(**_said("The id of the player."))
    name = fields.String(**_said("The name that people read."))


class NoticeData(MessageSchema):
    """What a notice is about. Of a game all of the first six; the others belong to a type."""

    game = fields.String(**_maybe("The id of the game."))
    version = fields.Integer(**_maybe("The version of the game."))
    seat = fields.Integer(
        allow_none=True, **_maybe("The seat of the player, or the seat that it is about.")
    )
    title = fields.String(**_maybe("The game and the others at the table, on one line."))
    deadline_at = fields.String(
        allow_none=True,
        **_maybe("When the time for the turn is over, null without.", format="date-time"),
    )
    url = fields.String(**_said("A link to what it is about."))
    kind = fields.String(**_maybe("The kind of a proposal."))
    outcome = fields.String(**_maybe("What became of a proposal."))
    to_version = fields.Integer(**_maybe("The version to which moves were taken back."))
    code = fields.String(allow_none=True, **_maybe("Why a game was aborted, or ends by itself."))
    expires_at = fields.String(
        **_maybe("Until when a seat is offered.", format="date-time"),
    )
    player = fields.Nested(NoticeName, **_maybe("Who asks for a seat, or for a word in a study."))
    bot = fields.Nested(NoticeName, **_maybe("The bot for which a stand-in answers."))
    tournament = fields.String(**_maybe("The id of the tournament."))
    round = fields.Integer(**_maybe("The round of the tournament."))
    table = fields.Integer(**_maybe("The table of the tournament."))
    time = fields.String(
        **_maybe("When an entrant would play at the table.", format="date-time"),
    )
    rank = fields.Integer(**_maybe("The rank of the player in the tournament."))
    study = fields.String(**_maybe("The id of the study."))
    webhook = fields.String(**_maybe("The id of the webhook that was switched off."))
    message = fields.String(**_maybe("The id of the message that names the player."))
    token = fields.String(**_maybe("The id of a new token of the account."))
    passkey = fields.String(**_maybe("The id of a new passkey of the account."))
    label = fields.String(**_maybe("The label of a new token or passkey."))
    by = fields.Raw(
        **_maybe("Who has written a message (a player), or how an account was entered (a word).")
    )


class NoticeMessage(MessageSchema):
    """A notice: thin, one for each turn."""

    type = fields.String(
        validate=validate.OneOf([*TYPES, TEST]),
        **_said("What it tells, as in the inbox; `test`: the player tries the webhook."),
    )
    timestamp = fields.String(**_time("When it has happened."))
    data = fields.Nested(NoticeData, **_said("What it is about."))


class RelayMessage(NoticeMessage):
    """A notice for a relay to FCM or APNs."""

    title = fields.String(**_said("The head line, in the language of the webhook."))
    body = fields.String(**_said("The line below, empty without one."))
    collapse_id = fields.String(
        **_said("A newer message with the same value replaces an older one.")
    )


class AllowedMentions(MessageSchema):
    """Which mentions Discord looks for: none."""

    parse = fields.List(fields.String(), **_said("Always empty."))


class DiscordMessage(MessageSchema):
    """A notice as Discord takes it."""

    content = fields.String(
        validate=validate.Length(max=2000), **_said("A line and a link; names are no markup.")
    )
    allowed_mentions = fields.Nested(AllowedMentions, **_said("So no name mentions a person."))


class SlackMessage(MessageSchema):
    """A notice as Slack takes it."""

    text = fields.String(
        validate=validate.Length(max=3000), **_said("A line and a link; names are no markup.")
    )


class WantedMoveData(MessageSchema):
    """A decision that a bot is asked for."""

    game = fields.String(**_said("The id of the game."))
    version = fields.Integer(**_said("The version of the game that the move answers."))
    seat = fields.Integer(**_said("The seat of the bot."))
    title = fields.String(**_said("The game and the others at the table, on one line."))
    deadline_at = fields.String(
        allow_none=True, **_time("When the time of the bot is over, null without a clock.")
    )
    url = fields.String(**_said("A link to the game."))
    decision = fields.Raw(**_of("Decision"))
    moves = fields.List(
        fields.Raw(metadata={"component": "Move"}), **_said("Every legal move; answer one of them.")
    )
    position = fields.Raw(**_of("Position", "The table, from which the engine goes on."))


class WantedMove(MessageSchema):
    """A bot is asked for a move. The body has no bound: a position may have hundreds of moves."""

    type = fields.String(validate=validate.Equal(WANTED), **_said("`move`."))
    timestamp = fields.String(**_time("When the question was sent."))
    data = fields.Nested(WantedMoveData, **_said("The decision."))


class AnsweredMove(Schema):
    """What a bot answers."""

    move = fields.Raw(**_of("Move", "One of `moves`, as it came."))
