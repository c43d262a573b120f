"""The events of a tournament: a page of them, or live."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.events.tournaments.stream.streams import KnownTournament
from cartulary.service.api.game.resuming import read_last_version
from cartulary.service.api.tournaments.reading import find_tournament
from cartulary.service.api.tournaments.tournament_answers import TournamentEventsPage
from cartulary.service.api.tournaments.tournament_requests import (
    TournamentEventsQuery,
    TournamentStreamQuery,
)
from cartulary.service.http.answers import answer_json, cache_for_a_day, revalidate
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import (
    NUMBERED_FORMS,
    Stream,
    StreamForm,
)
from cartulary.service.http.streams.stream_revocation import hold_token
from cartulary.service.http.streams.waiting import answer_stream, enter_and_subscribe

blueprint = Blueprint("tournament_events", __name__)


@blueprint.get("/tournaments/<tournament_id>/events")
@operation(
    "tournaments",
    "What has happened in a tournament",
    {200: AnswerOf("Events.", TournamentEventsPage)},
    query=TournamentEventsQuery,
    refusals=("not_found",),
)
def list_tournament_events(
    services: Services, tournament_id: str, who: Player | None, query: dict[str, Any]
) -> Response:
    """The whole truth about it: standings and, in the end, pairings follow from these events."""
    found = find_tournament(services, tournament_id, who)
    after, limit = query["after"], query["limit"]
    visibility = found.tournament.terms.visibility
    if after > found.version:
        answer = answer_json({"events": [], "next_after": found.version, "reset": True})
        answer.headers["Cache-Control"] = revalidate(visibility)
        return answer
    events = services.store.tournaments.streams.deliver(tournament_id, after, limit)
    next_after = events[-1]["version"] if events else after
    answer = answer_json({"events": events, "next_after": next_after})
    lasting = cache_for_a_day if len(events) == limit else revalidate
    answer.headers["Cache-Control"] = lasting(visibility)
    answer.headers["Vary"] = "Authorization"
    return answer


@blueprint.get("/tournaments/<tournament_id>/events/stream")
@operation(
    "tournaments",
    "What happens in a tournament, at once",
    {
        200: AnswerOf(
            "Events, each at once.", media=tuple(NUMBERED_FORMS), lines=("TournamentEvent",)
        ),
        204: AnswerOf("The tournament has ended, and the client has its last event."),
    },
    query=TournamentStreamQuery,
    refusals=("not_found", "too_many_streams"),
)
def stream_tournament_events(
    services: Services,
    tournament_id: str,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    last_event_id: str,
) -> Response:
    """Server-sent events; lines of NDJSON with `Accept: application/x-ndjson`.

    The stream sends the events after `Last-Event-ID` (or `after`), then each new one at once. The
    id of an event is its version. The stream ends after `tournament_over` or
    `tournament_cancelled`; a client that has the last event gets 204.
    """
    found = find_tournament(services, tournament_id, who)
    after = read_last_version(last_event_id, query["after"])
    if found.tournament.ended and after >= found.version:
        return Response(status=204)
    begin = NUMBERED_FORMS[form]
    answer = answer_stream(begin, lambda: _open(services, found, begin, after))
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


def _open(
    services: Services, found: KnownTournament, form: StreamForm, after: int
) -> Iterable[bytes]:
    """Follow the stream; a client from beyond the end begins at the end, and misses nothing."""
    feed = services.store.tournaments.streams.follow(found.id)
    place = f"{min(after, found.version)}-0"
    subscription, leave = enter_and_subscribe(
        services, lambda: services.hub.follow_feed(feed, place)
    )
    leave = hold_token(services, subscription.close, leave)
    return Stream(subscription, form, b"", services.settings.heartbeat, leave)
