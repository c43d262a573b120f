"""The inbox of the caller: a page, a long poll, or live as server-sent events and NDJSON."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.feeds import Feed
from cartulary.events.inbox import BadPlace, Slice, follow_inbox
from cartulary.events.players import Player
from cartulary.events.subscriptions import Subscription
from cartulary.service.description.schemas.history import TicketAnswer
from cartulary.service.description.schemas.inbox import InboxPage, InboxQuery, ReadRequest
from cartulary.service.http.answers import answer_changed, answer_json, revalidate
from cartulary.service.http.callers import read_token, redeem_ticket, require_player
from cartulary.service.http.conditions import tag_content
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.following import answer_stream, enter_and_subscribe, wait_for_news
from cartulary.service.http.holds import both, hold_token
from cartulary.service.http.included import take_snapshot
from cartulary.service.http.operations import JSON, STANDING, AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.http.problems import Problem
from cartulary.service.http.streams import (
    FEED_NDJSON,
    FEED_SSE,
    Stream,
    StreamForm,
)
from cartulary.service.shortcuts import environ

blueprint = Blueprint("inbox", __name__)

_FORMS = {form.media: form for form in (FEED_SSE, FEED_NDJSON)}


@blueprint.get("/players/me/inbox")
@operation(
    "inbox",
    "What the caller should know",
    {
        200: AnswerOf("Items.", InboxPage, (JSON, *_FORMS), headers=("ETag",)),
        304: AnswerOf("It is the page that the client has."),
    },
    query=InboxQuery,
    headers=("Last-Event-ID", "If-None-Match"),
    refusals=("bad_cursor", "ticket_unknown", "token_missing", "too_many_streams"),
    token="optional",
)
def show_inbox(
    here: Parts,
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
        who = redeem_ticket(environ(), here, query["ticket"])
    player = require_player(who)
    after = last_event_id or query["after"]
    try:
        if form == JSON:
            query.pop("ticket")
            answer = _answer_page(here, player, known, **query)
        else:
            chosen = _FORMS[form]
            answer = answer_stream(chosen, lambda: _open_stream(here, player, chosen, after))
    except BadPlace:
        raise Problem("bad_cursor", "take the cursor from `next_after` of a page") from None
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.put("/players/me/inbox/read")
@operation(
    "inbox",
    "Mark items as read",
    {204: AnswerOf("Marked.")},
    body=ReadRequest,
    limit="writes",
    refusals=("bad_cursor",),
    token="required",
)
def mark_inbox_read(here: Parts, who: Player, body: dict[str, Any]) -> Response:
    """All items up to this one are read; marking an earlier item later changes nothing."""
    try:
        here.store.inbox.mark_read(who.id, body["until"])
    except BadPlace:
        raise Problem("bad_cursor", "take the id of an item, or `next_after`") from None
    mark_stored(environ())
    return Response(status=204)


@blueprint.post("/players/me/inbox/ticket")
@operation(
    "inbox",
    "Ask for a ticket to the stream of the inbox",
    {201: AnswerOf("The ticket.", TicketAnswer, headers=STANDING)},
    limit="tickets",
    token="required",
)
def create_inbox_ticket(here: Parts, who: Player) -> Response:  # noqa: ARG001  the caller
    """For an `EventSource`, which cannot send a token: `GET /api/v1/players/me/inbox?ticket=…`.

    The ticket opens one stream within a minute.
    """
    asked = environ()
    path = asked["PATH_INFO"].removesuffix("/ticket")
    issued = here.store.tickets.issue(read_token(asked) or "", path)
    return answer_json(issued._asdict(), 201, {"Cache-Control": "no-store"})


def _answer_page(
    here: Parts, who: Player, known: ETags, after: str, limit: int, wait: int
) -> Response:
    found = here.store.inbox.read(who.id, after, limit)
    if wait and not found.entries and not found.reset:
        seconds = min(float(wait), here.settings.max_wait)
        held = wait_for_news(here, lambda: _follow(here, who, found.next_after), seconds)
        if held is not None:
            return held
        found = here.store.inbox.read(who.id, after, limit)
    here.store.masks.look()
    show = partial(here.store.turns.mask_item, who.id)
    page: dict[str, Any] = {
        "items": [orjson.Fragment(show(entry.text)) for entry in found.entries],
        "next_after": found.next_after,
    }
    if found.reset:
        page["reset"] = True
    text = orjson.dumps(page)
    return answer_changed(known, lambda: text, tag_content(text), revalidate("private"))


def _open_stream(here: Parts, who: Player, form: StreamForm, after: str) -> Iterable[bytes]:
    begin, place = _choose_begin(here, who, form, after)
    subscription, leave = enter_and_subscribe(here, lambda: _follow(here, who, place))
    leave = both(here.store.presence.hold(who.id), leave)
    leave = hold_token(here, subscription, leave)
    return Stream(subscription, form, begin, here.settings.heartbeat, leave)


def _follow(here: Parts, who: Player, after: str) -> Subscription:
    return here.store.hub.follow_feed(_find_feed(here, who), after)


def _find_feed(here: Parts, who: Player) -> Feed:
    """Return the inbox of a player as a feed; titles without the names of deleted players."""
    mask, feed = here.store.turns.mask_item, follow_inbox(who.id)

    def show(stream: str, entry_id: str, fields: dict[bytes, bytes]) -> bytes:
        return mask(who.id, feed.show(stream, entry_id, fields))

    return feed._replace(show=show)


def _choose_begin(here: Parts, who: Player, form: StreamForm, after: str) -> tuple[bytes, str]:
    """Return what a stream begins with, and the cursor after which its items begin."""
    inbox = here.store.inbox
    found: Slice | None = inbox.read(who.id, after, 1) if after else None
    if found is not None and not found.reset:
        return b"", inbox.find_place(who.id, after)
    place, item = take_snapshot(here, who.id)
    return form.write_entry(place, item), place
