"""Events: a page of them, a long-poll, or live as server-sent events and NDJSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.table import Table
from cartulary.service.description.schemas.base import VERSION_MAX
from cartulary.service.description.schemas.history import EventsPage
from cartulary.service.description.schemas.requests import EventsQuery
from cartulary.service.http.bodies import form_of_answer, json_response
from cartulary.service.http.conditions import forever, fresh
from cartulary.service.http.context import caller, parts
from cartulary.service.http.operations import JSON, WITH_GAME, AnswerOf, operation
from cartulary.service.http.problems import invalid
from cartulary.service.http.queries import read_query
from cartulary.service.http.streams import NDJSON_BEAT, SSE_BEAT, Stream, ndjson, sse
from cartulary.service.views.paths import whole_in_path

blueprint = Blueprint("events", __name__)
_QUERY = EventsQuery()

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"
_ENCODERS = {SSE: (sse, SSE_BEAT), NDJSON: (ndjson, NDJSON_BEAT)}


@blueprint.get("/games/<game:game_id>/events")
@operation(
    "events",
    "What has happened, and what happens",
    {
        200: AnswerOf("Events.", EventsPage, (JSON, SSE, NDJSON)),
        204: AnswerOf("A stream that would begin after the last event of a finished game."),
    },
    query=EventsQuery,
    headers=("Last-Event-ID",),
    refusals=(*WITH_GAME, "too_many_streams"),
    token="optional",
)
def list_events(game_id: str) -> Response:
    """Ask with `Accept: text/event-stream` or `application/x-ndjson` for a stream.

    A stream sends the events after `Last-Event-ID` (or `after`), then each new one at once, a
    comment every 15 seconds, and ends after the last event of a finished game; whoever comes back
    then gets 204. Each line of NDJSON is an event, as is the `data` of each server-sent event.
    A page of JSON that is full never changes. With `wait` an empty page waits for an event.
    """
    query = read_query(_QUERY)
    who = caller()
    table = parts().store.projector.visible(game_id, who and who.id)
    form = form_of_answer(JSON, SSE, NDJSON)
    if form == JSON:
        return _page(table, **query)
    return _stream(table, form, _resume_after(query["after"]))


def _resume_after(after: int) -> int:
    """Return where a stream goes on: a client that reconnects knows better than its URL.

    An empty id is none: with it, an event of a stream takes back the ones before.
    """
    header = request.environ.get("HTTP_LAST_EVENT_ID", "").strip()
    if not header:
        return after
    last = whole_in_path(header)
    if last is None or last > VERSION_MAX:
        raise invalid("", "the header Last-Event-ID must be the version of an event")
    return last


def _page(table: Table, after: int, limit: int, wait: int) -> Response:
    if wait and after >= table.version and not table.status.finished:
        _wait(table.id, after, min(float(wait), parts().settings.max_wait))
    events = parts().store.ledger.events(table.id, after, limit)
    answer = json_response({"events": events, "next_after": _next_after(events, after)})
    full = len(events) == limit
    answer.headers["Cache-Control"] = (forever if full else fresh)(table.visibility)
    return _varies(answer)


def _next_after(events: Sequence[dict[str, Any]], after: int) -> int:
    version: int = events[-1]["version"] if events else after
    return version


def _wait(game_id: str, after: int, seconds: float) -> None:
    leave = parts().streams.enter()
    try:
        parts().store.hub.wait(game_id, after, seconds)
    finally:
        leave()


def _stream(table: Table, form: str, after: int) -> Response:
    if table.status.finished and after >= table.version:
        return _varies(Response(status=204))
    # The form of the answer to HEAD is that of a stream, too: its length is not known.
    body = iter(()) if request.method == "HEAD" else _live(table, form, after)
    answer = Response(body, mimetype=form, direct_passthrough=True)
    answer.headers["Cache-Control"] = "no-store"
    # Proxies (nginx) would otherwise gather events instead of passing them on.
    answer.headers["X-Accel-Buffering"] = "no"
    return _varies(answer)


def _live(table: Table, form: str, after: int) -> Stream:
    encode, beat = _ENCODERS[form]
    leave = parts().streams.enter()
    try:
        # Who claims to have seen what has not happened yet is sent what will: a stream that dropped
        # all of it would not notice the last event either, and never end.
        subscription = parts().store.hub.subscribe(table.id, min(after, table.version))
    except BaseException:
        leave()
        raise
    return Stream(subscription, encode, beat, parts().settings.heartbeat, leave)


def _varies(answer: Response) -> Response:
    answer.headers["Vary"] = "Accept, Authorization"
    return answer
