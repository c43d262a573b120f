"""The inbox of a player."""

from __future__ import annotations

from typing import get_args

from marshmallow import fields, validate

from cartulary.events.inbox import PAGE, Type
from cartulary.service.description.schemas.base import Answer, Request, list_of, text, time, whole

CURSOR = "`next_after` of a page, the id of an event of the stream, or the id of an item."


class InboxQuery(Request):
    """Where to begin, and how long to wait."""

    after = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        metadata={"description": f"{CURSOR} Missing: from the oldest item on."},
    )
    limit = whole(1, PAGE, text=True, load_default=PAGE)
    wait = whole(
        0,
        120,
        text=True,
        load_default=0,
        metadata={
            "description": "Seconds to wait for an item (long-poll). The service may answer sooner "
            "with an empty list."
        },
    )
    ticket = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        metadata={
            "description": "From `POST /api/v1/players/me/inbox/ticket`, in place of a token."
        },
    )


class ReadRequest(Request):
    """Up to where the inbox is read."""

    until = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata={"description": CURSOR},
    )


class ItemAnswer(Answer):
    """Something that the player should know."""

    id = text("`<game>:<version>:<type>:<player>`; the same item has the same id.")
    type = fields.String(required=True, validate=validate.OneOf(get_args(Type)))
    timestamp = time("When it happened.")
    data = fields.Dict(
        required=True,
        metadata={
            "description": "What it is about; of a game `game`, `version`, `seat`, `title`, "
            "`deadline_at` and `url`, and what belongs to the type."
        },
    )


class InboxPage(Answer):
    """Items of an inbox, the oldest first."""

    items = list_of(ItemAnswer)
    next_after = text("The value of `after` for the next page.")
    reset = fields.Boolean(
        metadata={
            "description": "True when the inbox does not have the place that `after` names: it "
            "has dropped it, or was made again. The page begins with the oldest item that there is."
        }
    )
