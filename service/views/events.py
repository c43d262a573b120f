"""Events: a page of them, a long poll, or live as server-sent events and NDJSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from flask import Blueprint, Response

from cartulary.events import keys
from cartulary.events.masks import has_names
from cartulary.events.players import Player
from cartulary.events.subscriptions import LiveEvent, Wanted
from cartulary.events.table import Table
from cartulary.locales import DEFAULT
from cartulary.service.description.schemas.base import VERSION_MAX
from cartulary.service.description.schemas.history import EventsPage, TicketAnswer
from cartulary.service.description.schemas.requests import EventsQuery, StreamQuery, TicketQuery
from cartulary.service.http.answers import answer_json, cache_for_a_day, cache_forever, revalidate
from cartulary.service.http.callers import read_token, redeem_ticket
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.following import answer_stream, enter_and_subscribe, wait_for_news
from cartulary.service.http.holds import hold_stream
from cartulary.service.http.included import choose_channels, split_included, take_snapshot
from cartulary.service.http.operations import JSON, STANDING, AnswerOf
from cartulary.service.http.problems import invalid
from cartulary.service.http.streams import (
    NDJSON,
    SSE,
    Stream,
    StreamForm,
)
from cartulary.service.http.talking import choose_form, find_hidden
from cartulary.service.shortcuts import environ
from cartulary.service.views.tables import find_table, note_look

blueprint = Blueprint("events", __name__)

_FORMS = {form.media: form for form in (SSE, NDJSON)}
_VERSION = re.compile("0|[1-9][0-9]{0,9}", re.ASCII)


@blueprint.get("/games/<game:game_id>/events")
@operation(
    "events",
    "What has happened",
    # `openapi.yaml` describes a page here, and the other two forms at the path of the stream.
    {200: AnswerOf("Events.", EventsPage, (JSON, *_FORMS))},
    query=EventsQuery,
    headers=("Last-Event-ID",),
    refusals=("not_found", "too_many_streams"),
    token="optional",
)
def list_events(
    here: Parts,
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
    table = find_table(here, game_id, who)
    note_look(here, table, who)
    if form == JSON:
        answer = _answer_page(here, table, who, **query)
    else:
        after = _resume_after(last_event_id, query["after"])
        answer = _answer_stream(here, table, _FORMS[form], after, who)
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.get("/games/<game:game_id>/events/stream")
@operation(
    "events",
    "What has happened, and what happens",
    {
        200: AnswerOf("Events, each at once.", media=tuple(_FORMS)),
        204: AnswerOf("The game is finished, and the client has its last event."),
    },
    query=StreamQuery,
    headers=("Last-Event-ID", "Accept-Language"),
    refusals=("not_found", "ticket_unknown", "token_missing", "too_many_streams"),
    token="optional",
)
def stream_events(
    here: Parts,
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
        who = redeem_ticket(environ(), here, query["ticket"], included)
    table = find_table(here, game_id, who)
    note_look(here, table, who)
    after = _resume_after(last_event_id, query["after"])
    answer = _answer_stream(here, table, _FORMS[form], after, who, included, lang)
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.post("/games/<game:game_id>/events/ticket")
@operation(
    "events",
    "Ask for a ticket to a stream",
    {201: AnswerOf("The ticket.", TicketAnswer, headers=STANDING)},
    query=TicketQuery,
    limit="tickets",
    refusals=("not_found",),
    token="required",
)
def create_ticket(here: Parts, game_id: str, who: Player, query: dict[str, Any]) -> Response:
    """For an `EventSource`, which cannot send a token.

    The ticket opens one stream of this game within a minute, with nothing in `include` that the
    ticket was not asked for with. After an error ask for a new ticket and go on with `?after=`.
    """
    find_table(here, game_id, who)
    asked = environ()
    path = asked["PATH_INFO"].removesuffix("ticket") + "stream"
    included = split_included(query["include"])
    issued = here.store.tickets.issue(read_token(asked) or "", path, included)
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
    here: Parts, table: Table, who: Player | None, after: int, limit: int, wait: int
) -> Response:
    if after > table.version:
        return _answer_reset(table)
    if wait and after == table.version and not table.status.finished:
        held = wait_for_news(
            here,
            lambda: here.store.hub.subscribe(table.id, after),
            min(float(wait), here.settings.max_wait),
        )
        if held is not None:
            return held
        # What came in the meantime may have taken sight of the game from the caller.
        find_table(here, table.id, who)
    events = here.store.ledger.deliver(table.id, after, limit)
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
    here: Parts,
    table: Table,
    form: StreamForm,
    after: int,
    who: Player | None,
    included: Sequence[str] = (),
    lang: str = DEFAULT,
) -> Response:
    wanted = choose_channels(table, who, included)
    if "messages" in included:
        form = choose_form(form, lang, find_hidden(here, who))
    if table.status.finished and after == table.version:
        return Response(status=204)
    return answer_stream(form, lambda: _open_stream(here, table, form, after, who, wanted))


def _open_stream(
    here: Parts, table: Table, form: StreamForm, after: int, who: Player | None, wanted: Wanted
) -> Iterable[bytes]:
    # A stream from beyond the last event starts at the last event: otherwise it would drop every
    # event to come, the last event of the game as well, and would never end.
    begin = form.reset(table.version) if after > table.version else b""
    if begin and table.status.finished:
        return [begin]
    subscription, leave = enter_and_subscribe(
        here, lambda: here.store.hub.subscribe(table.id, min(after, table.version), wanted)
    )
    leave = hold_stream(here, table, who, subscription, leave)
    if who is not None and keys.inbox_live(who.id) in wanted:
        # What was added while the client was away: the inbox of a stream of a game has no cursor.
        begin += form.write([LiveEvent(0, "inbox", take_snapshot(here, who.id)[1])])
    return Stream(subscription, form, begin, here.settings.heartbeat, leave)
