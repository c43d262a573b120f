"""Events: queries, a page, what a stream may be asked for."""

from __future__ import annotations

from marshmallow import validate

from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, whole
from cartulary.service.schemas.references import event

EVENTS_MAX = 1000


class EventsQuery(Request):
    """A part of the events."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)
    limit = whole(1, EVENTS_MAX, text=True, load_default=100)
    wait = whole(
        0,
        60,
        text=True,
        load_default=0,
        description="Seconds to wait for something newer (long-poll). The service may "
        "answer sooner with an empty list: after 30 seconds, unless it is set up otherwise.",
    )


INCLUDED = ("messages", "presence", "clock", "inbox")
"""What a stream of a game may be asked for besides the events."""


_INCLUDED = "|".join(INCLUDED)


def _included() -> fields.String:
    return fields.String(
        load_default="",
        validate=[
            validate.Length(max=100),
            validate.Regexp(
                f"^(({_INCLUDED})(,({_INCLUDED}))*)?\\Z",
                error=f"must be some of {', '.join(INCLUDED)}, separated by commas",
            ),
        ],
        description="Named events to send besides those of the game, separated by commas: "
        "`messages`, `presence`, `clock`, `inbox`. `inbox` needs a token or a ticket.",
        metadata={"pattern": f"^(({_INCLUDED})(,({_INCLUDED}))*)?$"},
    )


class TicketQuery(Request):
    """What the stream of a ticket may be asked for."""

    include = _included()


class StreamQuery(Request):
    """Where a stream begins, and what it sends."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)
    include = _included()
    ticket = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description="From `POST /api/v1/games/{game_id}/events/ticket`, in place of a token.",
    )


class EventsPage(Answer):
    """Events, the oldest first."""

    events = fields.List(event(), required=True)
    next_after = whole(0, required=True, description="The value of `after` for the next page.")
    reset = fields.Boolean(
        description="True when `after` is beyond the end, which `next_after` then names: "
        "the store has lost events that the client has. Read the game again."
    )
