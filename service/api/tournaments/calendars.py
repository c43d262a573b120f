"""A calendar for calendar programs: an address of one's own, and what it shows."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.datastructures import ETags

from cartulary.events.people.players import Player
from cartulary.events.tournaments.ical import write_calendar
from cartulary.service.http.answers import answer_json, answer_stored, locate, set_tag
from cartulary.service.http.conditions import is_known, tag_content
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas.base import Answer, text

blueprint = Blueprint("calendars", __name__)

CALENDAR = "text/calendar"


class CalendarAddress(Answer):
    """The address of a calendar."""

    url = text("All who have it read the calendar; it is shown this once.")


@blueprint.post("/players/me/calendar")
@operation(
    "tournaments",
    "Get an address for calendar programs",
    {201: AnswerOf("The address.", CalendarAddress, headers=STANDING)},
    limit="writes",
    scope="account",
)
def open_calendar(services: Services, who: Player) -> Response:
    """With the appointments of one's tournaments. A new address voids the one before."""
    secret = services.store.tournaments.calendars.open(who.id)
    mark_stored(request.environ)
    url = locate(services, f"/api/v1/calendars/{secret}.ics")
    return answer_json({"url": url}, 201, {"Cache-Control": "no-store"})


@blueprint.delete("/players/me/calendar")
@operation(
    "tournaments",
    "Void the address for calendar programs",
    {204: AnswerOf("Void.")},
    limit="writes",
    scope="account",
    while_suspended=True,
    refusals=("not_found",),
)
def close_calendar(services: Services, who: Player) -> Response:
    """The calendar program gets 404 from then on."""
    if not services.store.tournaments.calendars.close(who.id):
        raise not_found("an address for calendar programs")
    return answer_stored()


@blueprint.get("/calendars/<calendar_secret>.ics")
@operation(
    "tournaments",
    "A calendar",
    {
        200: AnswerOf("The calendar (RFC 5545).", media=(CALENDAR,), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    refusals=("not_found",),
)
def show_calendar(services: Services, calendar_secret: str, known: ETags) -> Response:
    """For programs that poll: needs no token. Times are UTC; texts are names alone.

    It has the start of tournaments that the player has entered, the appointments of the player's
    tables, and the ends of their windows (marked with `…`).
    """
    store = services.store
    player = store.tournaments.calendars.find_player(calendar_secret)
    if player is None:
        raise not_found("a calendar with this address")
    entries = store.tournaments.calendars.list_entries(player, services.settings.public_url)
    body = write_calendar("Cartulary", entries)
    tag = tag_content(body)
    answer = Response(status=304) if is_known(known, tag) else Response(body)
    answer.headers["Content-Type"] = f"{CALENDAR}; charset=utf-8"
    return set_tag(answer, tag, "private, no-cache")
