"""Events: a page of them, a long poll, or live as server-sent events and NDJSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.ledger.masks import has_names
from cartulary.events.live.subscriptions import LiveEvent, Wanted
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.locales import DEFAULT
from cartulary.service.api.game.events_schema import (
    EventsPage,
    EventsQuery,
    StreamQuery,
    TicketQuery,
)
from cartulary.service.api.game.tables import find_table, note_look
from cartulary.service.http.answers import answer_json, cache_for_a_day, cache_forever, revalidate
from cartulary.service.http.callers import read_token, redeem_ticket
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import JSON, STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import (
    EVENT_FORMS,
    NDJSON,
    SSE,
    Stream,
    StreamForm,
)
from cartulary.service.http.streams.message_forms import choose_form_of, find_hidden
from cartulary.service.http.streams.stream_channels import (
    choose_channels,
    split_included,
    take_snapshot,
)
from cartulary.service.http.streams.stream_revocation import both, hold_stream
from cartulary.service.http.streams.waiting import (
    answer_stream,
    enter_and_subscribe,
    wait_for_news,
)
from cartulary.service.http.wire.problems import invalid
from cartulary.service.schemas.base import VERSION_MAX
from cartulary.service.schemas.tickets import StreamTicketAnswer

blueprint = Blueprint("events", __name__)

_FORMS = {form.media: form for form in (SSE, NDJSON)}
_VERSION = re.compile("0|[1-9][0-9]{0,9}", re.ASCII)


@blueprint.get("/games/<game:game_id>/events")
@operation(
    "events",
    "What has happened",
    {
        200: AnswerOf("Events.", EventsPage, (JSON, *_FORMS)),
        204: AnswerOf("Of a stream: the game is finished, and the client has its last event."),
    },
    query=EventsQuery,
    refusals=("not_found", "too_many_streams"),
)
def list_events(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    last_event_id: str,
) -> Response:
    """A page of events that is full never changes, but for names that are deleted.

    With `wait` an empty page waits for an event.

    With `Accept: text/event-stream` or `application/x-ndjson` the answer is the stream that
    `GET /api/v1/games/{game_id}/events/stream` sends.
    """
    table = find_table(services, game_id, who)
    note_look(services, table, who)
    if form == JSON:
        answer = _answer_page(services, table, who, **query)
    else:
        after = _resume_after(last_event_id, query["after"])
        answer = _answer_stream(services, table, _FORMS[form], after, who)
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.get("/games/<game:game_id>/events/stream")
@operation(
    "events",
    "What has happened, and what happens",
    {
        200: AnswerOf("Events, each at once.", media=tuple(EVENT_FORMS)),
        204: AnswerOf("The game is finished, and the client has its last event."),
    },
    query=StreamQuery,
    refusals=("not_found", "ticket_unknown", "token_missing", "too_many_streams"),
)
def stream_events(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    last_event_id: str,
    lang: str,
) -> Response:
    """Server-sent events; lines of NDJSON with `Accept: application/x-ndjson`.

    The stream sends the events after `Last-Event-ID` (or `after`), then each new event at once, a
    comment every 15 seconds, and ends after the last event of a finished game; a client that
    reconnects then gets 204. The `data` of a server-sent event is an `Event`, its id the version;
    each line of NDJSON is an `Event`.

    `include` adds named events without an id (`event: presence`); a line of NDJSON is then
    `{"presence":{…}}`. A named event that is lost is not sent again: read what it is about.
    Messages of players whom the reader mutes or blocks when the stream begins are left out.
    """
    included = split_included(query["include"])
    if query["ticket"]:
        who = redeem_ticket(request.environ, services, query["ticket"], included)
    table = find_table(services, game_id, who)
    note_look(services, table, who)
    after = _resume_after(last_event_id, query["after"])
    answer = _answer_stream(services, table, EVENT_FORMS[form], after, who, included, lang)
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.post("/games/<game:game_id>/events/ticket")
@operation(
    "events",
    "Ask for a ticket to a stream",
    {201: AnswerOf("The ticket.", StreamTicketAnswer, headers=STANDING)},
    query=TicketQuery,
    limit="tickets",
    refusals=("not_found",),
)
def create_ticket(services: Services, game_id: str, who: Player, query: dict[str, Any]) -> Response:
    """For an `EventSource`, which cannot send a token.

    The ticket opens one stream of this game within a minute, with nothing in `include` that the
    ticket was not asked for with. After an error ask for a new ticket and go on with `?after=`.
    """
    find_table(services, game_id, who)
    environ = request.environ
    path = environ["PATH_INFO"].removesuffix("ticket") + "stream"
    included = split_included(query["include"])
    issued = services.store.tickets.issue(read_token(environ) or "", path, included)
    return answer_json(issued._asdict(), 201, {"Cache-Control": "no-store"})


def _resume_after(last_event_id: str, after: int) -> int:
    """Return where a stream goes on: the id of a reconnecting client is newer than its address.

    Server-sent events may reset the id to an empty one, so an empty id counts as missing.
    """
    if not last_event_id:
        return after
    if not _VERSION.fullmatch(last_event_id) or int(last_event_id) > VERSION_MAX:
        raise invalid("", "the header Last-Event-ID must be the version of an event")
    return int(last_event_id)


def _answer_page(
    services: Services, table: Table, who: Player | None, after: int, limit: int, wait: int
) -> Response:
    if after > table.version:
        return _answer_reset(table)
    if wait and after == table.version and not table.status.finished:
        held = wait_for_news(
            services,
            lambda: services.hub.subscribe(table.id, after),
            min(float(wait), services.settings.max_wait),
        )
        if held is not None:
            return held
        # What came in the meantime may have taken sight of the game from the caller.
        find_table(services, table.id, who)
    events = services.store.ledger.deliver(table.id, after, limit)
    next_after = events[-1]["version"] if events else after
    answer = answer_json({"events": events, "next_after": next_after})
    lasting = cache_for_a_day if has_names(events) else cache_forever
    full = len(events) == limit
    answer.headers["Cache-Control"] = (lasting if full else revalidate)(table.visibility)
    return answer


def _answer_reset(table: Table) -> Response:
    """Tell a client that the game is at a lower version than it believes."""
    answer = answer_json({"events": [], "next_after": table.version, "reset": True})
    answer.headers["Cache-Control"] = revalidate(table.visibility)
    return answer


def _answer_stream(
    services: Services,
    table: Table,
    form: StreamForm,
    after: int,
    who: Player | None,
    included: Sequence[str] = (),
    lang: str = DEFAULT,
) -> Response:
    wanted = choose_channels(table, who, included)
    if "messages" in included:
        form = choose_form_of(table, who, form, lang, find_hidden(services, who))
    if table.status.finished and after == table.version:
        return Response(status=204)
    return answer_stream(form, lambda: _open_stream(services, table, form, after, who, wanted))


def _open_stream(
    services: Services,
    table: Table,
    form: StreamForm,
    after: int,
    who: Player | None,
    wanted: Wanted,
) -> Iterable[bytes]:
    # A stream from beyond the last event starts at the last event: otherwise it would drop every
    # event to come, the last event of the game as well, and would never end.
    begin = form.reset(table.version) if after > table.version else b""
    if begin and table.status.finished:
        return [begin]
    subscription, leave = enter_and_subscribe(
        services, lambda: services.hub.subscribe(table.id, min(after, table.version), wanted)
    )
    leave = hold_stream(services, table, who, subscription, leave)
    if who is not None and keys.inbox_live(who.id) in wanted:
        leave = both(services.store.attendance.hold(who.id), leave)
        # What was added while the client was away: the inbox of a stream of a game has no cursor.
        begin += form.write([LiveEvent(0, "inbox", take_snapshot(services, who.id)[1])])
    return Stream(subscription, form, begin, services.settings.heartbeat, leave)
