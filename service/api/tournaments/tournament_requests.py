"""Tournaments: bodies and queries of requests."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validate, validates_schema

from cartulary.events.model.names import PATTERN, fault_of_line
from cartulary.events.order.orders import LONGEST_REASON
from cartulary.events.order.tournament_decisions import ABOUT_ENTRANTS, COMMANDS
from cartulary.events.tournaments.stream.listing import PAGE
from cartulary.service.api.tournaments.tournament_answers import RESULTS_MAX
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Flag,
    Request,
    one_of,
    text,
    whole,
)
from cartulary.service.schemas.pace import PaceRequest
from cartulary.service.schemas.references import chosen_options, game_name
from cartulary.tournaments.state import STATUSES
from cartulary.tournaments.terms import (
    FORMATS,
    MINUTES,
    MOST_ENTRANTS,
    MOST_ROUNDS,
    TIEBREAKS,
    VISIBILITIES,
)


def _no_fault_of_reason(value: str) -> None:
    fault = fault_of_line(value, LONGEST_REASON)
    if fault is not None:
        raise ValidationError(fault)


def reason_for_all(description: str) -> fields.String:
    """Return a field for why an operator decides: one line, which stands in the stream."""
    return fields.String(
        required=True,
        validate=_no_fault_of_reason,
        description=description,
        metadata={"minLength": 1, "maxLength": LONGEST_REASON, "pattern": PATTERN},
    )


# -- what a host asks for -------------------------------------------------------------------------


class TournamentEntrantsRequest(Request):
    """Who may enter, and how many."""

    min = whole(2, MOST_ENTRANTS, description="Default: as many as a table seats, or two tables.")
    max = whole(2, MOST_ENTRANTS, description="Default: 200, or the number of those invited.")
    invited = fields.List(
        fields.String(validate=validate.Length(1, 64)),
        validate=validate.Length(1, MOST_ENTRANTS),
        description="Ids of players; missing: all may enter.",
    )
    rating = fields.List(
        whole(0, 10_000),
        validate=validate.Length(2, 2),
        description="The lowest and the highest rating (ladder `people`); missing: any.",
    )


class TournamentStartRequest(Request):
    """What starts the tournament: one of the three."""

    at = fields.String(
        metadata={"format": "date-time", "description": "A time that lies ahead, within a year."}
    )
    when_full = Flag(description="True: as soon as `entrants.max` have entered.")
    by_host = Flag(description="True: its host does, with `POST …/start`.")


class TournamentRequest(Request):
    """A tournament as its host asks for it."""

    name = text("What it is called, on one line.", validate=validate.Length(1, 64))
    game = game_name(validate=validate.Length(1, 64))
    options = chosen_options()
    table = fields.List(
        whole(2, 5),
        required=True,
        validate=validate.Length(1, 4),
        description="The sizes of tables; rounds have as few byes as possible, then the largest.",
    )
    format = one_of(FORMATS, "`round_robin` and `arena` have tables of two.")
    rounds = whole(1, MOST_ROUNDS, description="Missing: it follows from the entrants.")
    minutes = whole(*MINUTES, description="How long an arena lasts; only there, and needed there.")
    pace = fields.Nested(PaceRequest, required=True, description="Of all games.")
    window = whole(
        1, 2_160, description="Hours that a round may last; default: 3 live, 168 over days."
    )
    entrants = fields.Nested(TournamentEntrantsRequest, description="Missing: all may enter.")
    rated = Flag(load_default=False, description="Its games count for ratings, with conditions.")
    duplicate = Flag(
        load_default=False,
        description="All tables of a round have the same draws. Swiss, one table size, `rounds`.",
    )
    visibility = fields.String(
        load_default=VISIBILITIES[0],
        validate=validate.OneOf(VISIBILITIES),
        description="`unlisted`: in no list; `private`: for host, invited and entrants only.",
    )
    start = fields.Nested(
        TournamentStartRequest, required=True, description="Exactly one of its members."
    )
    tiebreaks = fields.List(
        fields.String(validate=validate.OneOf(TIEBREAKS)),
        validate=validate.Length(max=len(TIEBREAKS)),
        description="What separates equal points, in this order; the draw always comes last.",
    )


class EntryRequest(Request):
    """An entry."""

    entropy = fields.String(
        description="What the player adds to the draws of a duplicate: 16 to 64 characters of "
        "A-Z, a-z, 0-9, - and _."
    )


class TableResultRequest(Request):
    """What an operator decides about a table."""

    reason = reason_for_all("Why: all read it.")
    ranks = fields.List(
        whole(1, 5),
        required=True,
        allow_none=True,
        validate=validate.Length(2, 5),
        description="By seat, 1 is the best; ties share a rank. Null: it counts for no entrant.",
    )
    scores = fields.List(
        whole(-RESULTS_MAX, RESULTS_MAX),
        validate=validate.Length(2, 5),
        description="By seat, with `ranks`; missing: those of the game.",
    )

    @validates_schema
    def check_scores(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse scores of a table that counts for no entrant."""
        if "scores" in data and data["ranks"] is None:
            raise ValidationError("a table without ranks has no scores", "scores")


class TournamentOrderRequest(Request):
    """A decision of an operator about a tournament."""

    command = one_of(
        COMMANDS,
        "`start`, `cancel`: in place of the host; `remove`: the entrant forfeits running tables "
        "and keeps the points so far; `reinstate`: an entrant who is gone plays again from the "
        "next round on.",
    )
    reason = reason_for_all("Why: all read it, and the log keeps it.")
    player = fields.String(
        load_default="",
        validate=validate.Length(max=64),
        description="The entrant, by the id of the player; with `remove` and `reinstate`.",
    )

    @validates_schema
    def check_player(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse an order about entrants that names none, and another that names one."""
        if bool(data.get("player")) != (data["command"] in ABOUT_ENTRANTS):
            raise ValidationError("name the entrant with `remove` and `reinstate`", "player")


# -- queries --------------------------------------------------------------------------------------


class TournamentListQuery(Request):
    """Which tournaments."""

    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES))
    game = fields.String(load_default=None, validate=validate.Length(1, 64))
    player = fields.String(
        load_default=None,
        validate=validate.Length(1, 64),
        description="Those that a player hosts or has entered, by id; `me`: the caller.",
    )
    limit = whole(1, PAGE, text=True, load_default=PAGE)
    cursor = fields.String(load_default=None, validate=validate.Length(1, 64))


class TournamentGamesQuery(Request):
    """Of which round."""

    round = whole(1, 2**31 - 1, text=True, load_default=None)


class TournamentEventsQuery(Request):
    """A part of the events."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)
    limit = whole(1, 1000, text=True, load_default=100)


class TournamentStreamQuery(Request):
    """Where a stream begins."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)


# -- answers --------------------------------------------------------------------------------------
