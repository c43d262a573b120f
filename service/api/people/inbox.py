"""The inbox of the caller: a page, a long poll, or live as server-sent events and NDJSON."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, get_args

import orjson
from flask import Blueprint, Response, request
from marshmallow import validate
from werkzeug.datastructures import ETags

from cartulary.events.lists.inbox import PAGE, BadPlace, Type
from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_changed, answer_json, answer_stored, revalidate
from cartulary.service.http.callers import read_token, redeem_ticket, require_player
from cartulary.service.http.conditions import tag_content
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import JSON, STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import (
    FEED_FORMS,
    FEED_NDJSON,
    FEED_SSE,
    Stream,
    StreamForm,
)
from cartulary.service.http.streams.inbox_feed import choose_begin, subscribe_inbox
from cartulary.service.http.streams.stream_attendance import hold_inbox
from cartulary.service.http.streams.stream_revocation import hold_token
from cartulary.service.http.streams.waiting import (
    answer_stream,
    enter_and_subscribe,
    wait_for_news,
)
from cartulary.service.http.wire.problems import Problem
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text, time, whole
from cartulary.service.schemas.tickets import StreamTicketAnswer

blueprint = Blueprint("inbox", __name__)

_FORMS = {form.media: form for form in (FEED_SSE, FEED_NDJSON)}


_NO_PLACE = "take the cursor from `next_after` of a page, or from the stream"
CURSOR = "`next_after` of a page, the id of an event of the stream, or the id of an item."


class InboxQuery(Request):
    """Where to begin, and how long to wait."""

    after = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description=f"{CURSOR} Missing: from the oldest item on.",
    )
    limit = whole(1, PAGE, text=True, load_default=PAGE)
    wait = whole(
        0,
        120,
        text=True,
        load_default=0,
        description="Seconds to wait for an item (long-poll). The service may answer sooner "
        "with an empty list.",
    )
    ticket = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description="From `POST /api/v1/players/me/inbox/ticket`, in place of a token.",
    )


class InboxStreamQuery(Request):
    """Where a stream of an inbox begins."""

    after = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description=f"{CURSOR} Missing: the stream begins with a snapshot.",
    )
    ticket = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description="From `POST /api/v1/players/me/inbox/ticket`, in place of a token.",
    )


class ReadRequest(Request):
    """Up to where the inbox is read."""

    until = text(CURSOR, validate=validate.Length(1, 200))


class ItemAnswer(Answer):
    """Something that the player should know."""

    id = text("`<game>:<version>:<type>:<player>`; the same item has the same id.")
    type = text(validate=validate.OneOf(get_args(Type)))
    timestamp = time("When it happened.")
    data = fields.Dict(
        required=True,
        description="What it is about; of a game `game`, `version`, `seat`, `title`, "
        "`deadline_at` and `url`, and what belongs to the type.",
    )


class InboxPage(Answer):
    """Items of an inbox, the oldest first."""

    items = list_of(ItemAnswer)
    next_after = text("The value of `after` for the next page.")
    reset = fields.Boolean(
        description="True when the inbox does not have the place that `after` names: it "
        "has dropped it, or was made again. The page begins with the oldest item that there is."
    )


@blueprint.get("/players/me/inbox")
@operation(
    "inbox",
    "What the caller should know",
    {
        200: AnswerOf("Items.", InboxPage, (JSON, *_FORMS), headers=("ETag",)),
        304: AnswerOf("It is the page that the client has."),
    },
    query=InboxQuery,
    refusals=("bad_cursor", "ticket_unknown", "token_missing", "too_many_streams"),
)
def show_inbox(
    services: Services,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    last_event_id: str,
    known: ETags,
) -> Response:
    """The oldest items first; the inbox keeps about 500. With `wait` an empty page waits.

    With `Accept: text/event-stream` or `application/x-ndjson` the answer is a stream of items. It
    goes on after `Last-Event-ID` or `after`. Without a cursor, or with a cursor that the inbox does
    not have any more, it begins with an item of type `snapshot`, whose `data` has `turns` (by
    deadline), `unread` (a number) and `invitations`, and goes on with what comes then.
    """
    if query["ticket"]:
        who = redeem_ticket(request.environ, services, query["ticket"])
    player = require_player(who)
    if form != JSON:
        return _answer_stream(services, player, _FORMS[form], last_event_id or query["after"])
    query.pop("ticket")
    try:
        answer = _answer_page(services, player, known, **query)
    except BadPlace:
        raise Problem("bad_cursor", _NO_PLACE) from None
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.get("/players/me/inbox/stream")
@operation(
    "inbox",
    "What the caller should know, at once",
    {200: AnswerOf("Items, each at once.", media=tuple(FEED_FORMS))},
    query=InboxStreamQuery,
    refusals=("bad_cursor", "ticket_unknown", "token_missing", "too_many_streams"),
)
def stream_inbox(
    services: Services, who: Player | None, query: dict[str, Any], form: str, last_event_id: str
) -> Response:
    """Server-sent events; lines of NDJSON with `Accept: application/x-ndjson`.

    The stream sends the items after `Last-Event-ID` (or `after`), then each new item at once. It
    begins with a `snapshot` as `GET /api/v1/players/me/inbox` says. The `data` of a server-sent
    event, and each line of NDJSON, is an item.
    """
    if query["ticket"]:
        environ = request.environ
        asked = environ["PATH_INFO"].removesuffix("/stream")
        who = redeem_ticket(environ, services, query["ticket"], bound_to=asked)
    return _answer_stream(
        services, require_player(who), FEED_FORMS[form], last_event_id or query["after"]
    )


def _answer_stream(services: Services, who: Player, form: StreamForm, after: str) -> Response:
    try:
        answer = answer_stream(form, lambda: _open_stream(services, who, form, after))
    except BadPlace:
        raise Problem("bad_cursor", _NO_PLACE) from None
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.put("/players/me/inbox/read")
@operation(
    "inbox",
    "Mark items as read",
    {204: AnswerOf("Marked.")},
    body=ReadRequest,
    limit="writes",
    while_suspended=True,
    refusals=("bad_cursor",),
)
def mark_inbox_read(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """All items up to this one are read; marking an earlier item later changes nothing."""
    try:
        services.store.inbox.mark_read(who.id, body["until"])
    except BadPlace:
        raise Problem("bad_cursor", "take the id of an item, or `next_after`") from None
    return answer_stored()


@blueprint.post("/players/me/inbox/ticket")
@operation(
    "inbox",
    "Ask for a ticket to the stream of the inbox",
    {201: AnswerOf("The ticket.", StreamTicketAnswer, headers=STANDING)},
    limit="tickets",
)
def create_inbox_ticket(services: Services, who: Player) -> Response:  # noqa: ARG001  the caller
    """For an `EventSource`, which cannot send a token.

    It then opens `GET /api/v1/players/me/inbox/stream?ticket=…`.

    The ticket opens one stream within a minute.
    """
    environ = request.environ
    path = environ["PATH_INFO"].removesuffix("/ticket")
    issued = services.store.tickets.issue(read_token(environ) or "", path)
    return answer_json(issued._asdict(), 201, {"Cache-Control": "no-store"})


def _answer_page(
    services: Services, who: Player, known: ETags, after: str, limit: int, wait: int
) -> Response:
    found = services.store.inbox.read(who.id, after, limit)
    if wait and not found.entries and not found.reset:
        seconds = min(float(wait), services.settings.max_wait)
        held = wait_for_news(
            services, lambda: subscribe_inbox(services, who, found.next_after), seconds
        )
        if held is not None:
            return held
        found = services.store.inbox.read(who.id, after, limit)
    services.store.masks.look()
    show = partial(services.store.turns.mask_item, who.id)
    page: dict[str, Any] = {
        "items": [orjson.Fragment(show(entry.text)) for entry in found.entries],
        "next_after": found.next_after,
    }
    if found.reset:
        page["reset"] = True
    text = orjson.dumps(page)
    return answer_changed(known, lambda: text, tag_content(text), revalidate("private"))


def _open_stream(services: Services, who: Player, form: StreamForm, after: str) -> Iterable[bytes]:
    snapshot, place = choose_begin(services, who, after)
    begin = form.write_entry(place, snapshot) if snapshot else b""
    subscription, leave = enter_and_subscribe(
        services, lambda: subscribe_inbox(services, who, place)
    )
    leave = hold_inbox(services, who, leave)
    leave = hold_token(services, subscription.close, leave)
    return Stream(subscription, form, begin, services.settings.heartbeat, leave)
