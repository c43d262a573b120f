"""Common times: when one could play, when all of a table could, and the time that all accept."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.clock import milliseconds
from cartulary.events.people.players import Player
from cartulary.events.tournaments.commands import find_own_table
from cartulary.service.api.tournaments.reading import (
    answer_tournament_written,
    find_tournament,
    set_expected,
)
from cartulary.service.api.tournaments.tournament_answers import TournamentWrittenAnswer
from cartulary.service.http.answers import answer_json
from cartulary.service.http.conditions import Versions
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, moment, time, whole
from cartulary.tournaments.times import FARTHEST_MS, write_common_times

blueprint = Blueprint("times", __name__)

PRIVATE = {"Cache-Control": "no-store"}
_WRITTEN = ("ETag", "Idempotency-Replayed", *STANDING)
_SPANS = 'At most eight pairs of half hours: `[["18:00", "22:30"]]`; the end may be `24:00`.'


class AvailableDays(Request):
    """The half hours of a week, in the time zone of the player; a day that is missing has none."""

    mon = fields.List(fields.List(fields.String()), description=_SPANS)
    tue = fields.List(fields.List(fields.String()), description=_SPANS)
    wed = fields.List(fields.List(fields.String()), description=_SPANS)
    thu = fields.List(fields.List(fields.String()), description=_SPANS)
    fri = fields.List(fields.List(fields.String()), description=_SPANS)
    sat = fields.List(fields.List(fields.String()), description=_SPANS)
    sun = fields.List(fields.List(fields.String()), description=_SPANS)


class AvailableWeek(Request):
    """When a player could play."""

    timezone = fields.String(required=True, description="Such as `Europe/Zagreb` (IANA).")
    days = fields.Nested(AvailableDays, required=True, description="By day of the week.")


class AvailabilityRequest(Request):
    """When the caller could play; null: the caller states nothing."""

    availability = fields.Nested(
        AvailableWeek, required=True, allow_none=True, description="No other player sees it."
    )


class StatedAvailabilityAnswer(Answer):
    """When the caller could play."""

    availability = fields.Dict(
        required=True,
        allow_none=True,
        description="`timezone` and `days`, as they were sent; null: nothing is stated.",
    )


class CommonTimeAnswer(Answer):
    """A time at which all of the table could play."""

    time = time("The begin.")
    minutes = whole(30, required=True, description="So long all of them could play from there.")


class AcceptedTime(Answer):
    """An entrant would play at a time."""

    entrant = whole(1, required=True, description="The number of the entrant.")
    time = time("When.")


class TableTimesAnswer(Answer):
    """When a table could play."""

    times = list_of(CommonTimeAnswer, "Half hours that are common to all, the earliest first.")
    unstated = fields.List(
        whole(1), required=True, description="Entrants who have not said when they could play."
    )
    accepted = list_of(AcceptedTime, "Who would play when.")
    agreed = time("The time that all have accepted, null before.", allow_none=True)


class AcceptTimeRequest(Request):
    """A time at which the caller would play."""

    time = moment("One that lies ahead, within the window of the round.", required=True)


@blueprint.get("/players/me/availability")
@operation(
    "tournaments",
    "When one could play",
    {200: AnswerOf("The availability.", StatedAvailabilityAnswer)},
)
def show_availability(services: Services, who: Player) -> Response:
    """A week of half hours in one's own time zone. Others see common times alone."""
    found = services.store.tournaments.availabilities.find(who.id)
    return answer_json({"availability": found}, headers=PRIVATE)


@blueprint.put("/players/me/availability")
@operation(
    "tournaments",
    "Say when one could play",
    {200: AnswerOf("The availability as it is now.", StatedAvailabilityAnswer)},
    body=AvailabilityRequest,
    limit="writes",
    scope="account",
)
def change_availability(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """For the tables of all tournaments that the caller plays in."""
    services.store.tournaments.availabilities.change(who.id, body["availability"])
    mark_stored(request.environ)
    return answer_json({"availability": body["availability"]}, headers=PRIVATE)


@blueprint.get("/tournaments/<tournament_id>/tables/<whole:table_number>/times")
@operation(
    "tournaments",
    "When a table could play",
    {200: AnswerOf("Common times.", TableTimesAnswer)},
    refusals=("not_found", "not_seated"),
)
def show_table_times(
    services: Services, tournament_id: str, table_number: int, who: Player
) -> Response:
    """For those who sit at the table: when all of them could play, until the window ends."""
    tournament = find_tournament(services, tournament_id, who).tournament
    table = find_own_table(tournament, who.id, table_number)
    players = [str(tournament.entrant(number).player["id"]) for number in table.seats]
    store = services.store
    now = store.clock.now_ms()
    ends_at = tournament.rounds[table.round - 1].ends_at
    until = now + FARTHEST_MS if ends_at is None else milliseconds(ends_at)
    missing = store.tournaments.availabilities.find_missing(players)
    accepted = [{"entrant": one, "time": at} for one, at in sorted(table.accepted.items())]
    return answer_json(
        {
            "times": write_common_times(
                store.tournaments.availabilities.find_common(players, now, until)
            ),
            "unstated": [
                number
                for number, player in zip(table.seats, players, strict=True)
                if player in missing
            ],
            "accepted": accepted,
            "agreed": table.agreed_time,
        },
        headers=PRIVATE,
    )


@blueprint.post("/tournaments/<tournament_id>/tables/<whole:table_number>/times")
@operation(
    "tournaments",
    "Accept a time for a table",
    {
        200: AnswerOf("It was accepted before.", TournamentWrittenAnswer, headers=_WRITTEN),
        201: AnswerOf("Accepted.", TournamentWrittenAnswer, headers=_WRITTEN),
    },
    body=AcceptTimeRequest,
    limit="writes",
    refusals=("not_found", "not_seated", "not_entered", "round_open", "stale_version"),
)
def accept_table_time(
    services: Services,
    tournament_id: str,
    table_number: int,
    who: Player,
    body: dict[str, Any],
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """The last time that an entrant has accepted counts; agreed is what all have accepted.

    It is an appointment: the clocks and the window of the game stay as they are.
    """
    intent = set_expected(services, tournament_id, if_match, Intent(who, key=key, body=body))
    done = services.store.tournaments.commands.accept_time(
        intent, tournament_id, table_number, body["time"]
    )
    return answer_tournament_written(services, tournament_id, done)
