"""Bodies and queries of requests; an unknown field is an error."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate

from cartulary.events import names
from cartulary.events.indexes import PACES, SEATS_FREE
from cartulary.events.preferences import TAKEBACKS
from cartulary.pictures.colours import THEMES
from cartulary.pictures.frame import LAYOUTS, PARTS
from cartulary.service.description.schemas.base import (
    Flag,
    Keeping,
    Request,
    ratio,
    version,
    whole,
)
from cartulary.service.description.schemas.games import STATUSES
from cartulary.service.description.schemas.players import TAKEBACKS_TEXT
from cartulary.service.description.schemas.references import move

PAGE_MAX = 100
EVENTS_MAX = 1000


def _no_fault(name: str) -> None:
    fault = names.fault_of_name(name)
    if fault is not None:
        raise ValidationError(fault)


def _name(**kwargs: Any) -> fields.String:
    return fields.String(
        validate=_no_fault,
        metadata={
            "description": "One line with at least one visible character: not only spaces, marks "
            "and characters without a shape.",
            "minLength": 1,
            "maxLength": names.LONGEST,
            "pattern": names.PATTERN,
        },
        **kwargs,
    )


class PlayerRequest(Request):
    """A new player."""

    name = _name(required=True)


class PreferencesRequest(Request):
    """Preferences; what is missing stays as it is."""

    takebacks = fields.String(
        validate=validate.OneOf(TAKEBACKS), metadata={"description": TAKEBACKS_TEXT}
    )


class PlayerChangeRequest(Request):
    """What is to change of a player; what is missing stays as it is."""

    name = _name()
    preferences = fields.Nested(PreferencesRequest)


class MoveRequest(Request):
    """A move, and the version of the game that it answers."""

    move = move()
    expected_version = version(
        metadata={
            "description": "No event after this version may have changed the position. Without "
            "it the service judges the move by the current position."
        }
    )


class PreviewRequest(Request):
    """A move to try, and the version of the game that it would answer."""

    move = move()
    version = version(
        metadata={
            "description": "No event after this version may have changed the position. Without "
            "it the service judges the move by the current position."
        }
    )
    next = Flag(
        metadata={
            "description": "Answer with `moves`, what would be legal after the move, and with "
            "`features`, what the move makes or changes on the board."
        }
    )


class AnyTranscript(Request):
    """Any object; the engine says whether it is a transcript."""

    Meta = Keeping


class GamesQuery(Request):
    """A choice of games."""

    status = fields.String(validate=validate.OneOf(STATUSES))
    game = fields.String(validate=validate.Length(1, 64))
    player = fields.String(
        validate=validate.OneOf(["me"]),
        metadata={
            "description": "Only games of the caller, private games and those to which the caller "
            "is invited included; needs a token."
        },
    )
    seat = fields.String(
        validate=validate.OneOf(SEATS_FREE),
        metadata={
            "description": "`open`: games that wait with a seat that anybody may take. `vacant`: "
            "running games with a seat that somebody else may take over."
        },
    )
    turn = fields.String(
        validate=validate.OneOf(["me"]),
        metadata={
            "description": "Only games in which it is the turn of the caller; needs a token."
        },
    )
    sort = fields.String(
        validate=validate.OneOf(["deadline"]),
        metadata={
            "description": "With `turn=me`: the earliest deadline first, untimed games last."
        },
    )
    pace = fields.String(
        validate=validate.OneOf(PACES),
        metadata={"description": "Only games of this pace; `none`: untimed games."},
    )
    limit = whole(1, PAGE_MAX, text=True, load_default=20)
    cursor = fields.String(metadata={"description": "`next_cursor` of the page before."})


class _Drawn(Request):
    """What may be wished of a picture besides its layout."""

    parts = fields.String(
        load_default="all",
        validate=validate.OneOf(PARTS),
        metadata={
            "description": "`board`: without the heading, the question and the players. In Caylus "
            "each part of the board is a group with `data-section`."
        },
    )
    ratio = ratio(
        0.2,
        5,
        load_default=1.0,
        metadata={
            "description": "With the layout `fit`: the width of the box that the picture is to "
            "fill, over its height; rounded to 0.05."
        },
    )


class BoardQuery(_Drawn):
    """The choice of a picture."""

    version = whole(
        1,
        2**31 - 1,
        text=True,
        load_default=None,
        metadata={"description": "The table after this event; missing: after the last event."},
    )
    seat = whole(
        0, 4, text=True, load_default=None, metadata={"description": "The reader's own seat."}
    )
    layout = fields.String(
        load_default="tall",
        validate=validate.OneOf(LAYOUTS),
        metadata={
            "description": "`tall` is 360 units wide, for phones. `fit` is the arrangement with "
            "the largest scale in a box of `ratio`; `data-letter` of its root is the size of its "
            "smallest letter in units, missing where it has no letters. `share` shows the board "
            "and the points in 1200 by 630 units, for a link to the table."
        },
    )
    theme = fields.String(load_default="auto", validate=validate.OneOf(THEMES))


class FeaturesQuery(Request):
    """The moment whose features are asked for."""

    version = whole(
        1,
        2**31 - 1,
        text=True,
        load_default=None,
        metadata={"description": "The table after this event; missing: after the last event."},
    )


class WhyQuery(Request):
    """A move that somebody asks about."""

    move = fields.String(
        load_default=None,
        metadata={"description": 'The move as JSON: `{"type":"pass"}`. It must be given.'},
    )


class MoveQuery(_Drawn):
    """Additions to the answer to a move."""

    board = fields.String(
        load_default=None,
        validate=validate.OneOf(LAYOUTS),
        metadata={
            "description": "Answer with `board`, the new picture in this layout, and `moves`, what "
            "is legal now, so that a client need not ask again. `parts` and `ratio` are those of "
            "the picture, and count only with `board`."
        },
    )


class StoryQuery(Request):
    """A part of the story."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)
    limit = whole(1, EVENTS_MAX, text=True, load_default=EVENTS_MAX)


class EventsQuery(Request):
    """A part of the events."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)
    limit = whole(1, EVENTS_MAX, text=True, load_default=100)
    wait = whole(
        0,
        60,
        text=True,
        load_default=0,
        metadata={
            "description": "Seconds to wait for something newer (long-poll). The service may "
            "answer sooner with an empty list: after 30 seconds, unless it is set up otherwise."
        },
    )


INCLUDED = ("messages", "presence", "clock", "inbox")
"""What a stream of a game may be asked for beside the events."""


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
        metadata={
            "description": "Named events to send beside those of the game, separated by commas: "
            "`messages`, `presence`, `clock`, `inbox`. `inbox` needs a token or a ticket.",
            "pattern": f"^(({_INCLUDED})(,({_INCLUDED}))*)?$",
        },
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
        metadata={
            "description": "From `POST /api/v1/games/{game_id}/events/ticket`, in place of a token."
        },
    )
