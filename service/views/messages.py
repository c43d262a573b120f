"""Talk at the table: write, read and delete messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response

from cartulary.events.chat.messages import ROOMS, Place, name_place, read_cursor
from cartulary.events.chat.talk import Said, Wording
from cartulary.events.players import Player
from cartulary.events.subscriptions import Subscription
from cartulary.events.table import Table
from cartulary.service.description.schemas.talk import (
    MessageAnswer,
    MessageRequest,
    MessagesPage,
    MessagesQuery,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.following import answer_stream, enter_and_subscribe, wait_for_news
from cartulary.service.http.holds import hold_stream
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import JSON, AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.http.streams import (
    FEED_NDJSON,
    FEED_SSE,
    Stream,
    StreamForm,
)
from cartulary.service.http.talking import Reader, choose_form, find_hidden, name_phrase
from cartulary.service.shortcuts import environ
from cartulary.service.views.tables import find_table

blueprint = Blueprint("messages", __name__)

_FORMS = {form.media: form for form in (FEED_SSE, FEED_NDJSON)}


@blueprint.post("/games/<game:game_id>/messages")
@operation(
    "talk",
    "Say something at the table",
    {201: AnswerOf("Said.", MessageAnswer, headers=("Idempotency-Replayed",))},
    body=MessageRequest,
    headers=("Idempotency-Key", "Accept-Language"),
    limit="writes",
    refusals=("not_found", "not_seated", "muted", "account_needed"),
    token="required",
)
def send_message(
    here: Parts, game_id: str, who: Player, body: dict[str, Any], key: str | None, lang: str
) -> Response:
    """At most 5 messages in 10 seconds, and 60 an hour at one table. A guest says phrases only.

    A game that is over may still be talked at.
    """
    text = body.get("text")
    wording = Wording(body["room"], text and text.strip(" "), body.get("phrase"))
    said = here.store.talk.say(who, game_id, wording, key)
    mark_stored(environ())
    return _answer_message(said, lang, 201)


@blueprint.get("/games/<game:game_id>/messages")
@operation(
    "talk",
    "What is said at the table",
    {200: AnswerOf("Messages.", MessagesPage, (JSON, *_FORMS))},
    query=MessagesQuery,
    headers=("Accept-Language", "Last-Event-ID"),
    refusals=("not_found", "too_many_streams"),
    token="optional",
)
def list_messages(
    here: Parts,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    lang: str,
    last_event_id: str,
) -> Response:
    """Everybody who sees the game reads both rooms.

    The messages of players whom the caller mutes or blocks are left out. A room keeps about 2000
    messages. With `wait` an empty page waits for a message.

    With `Accept: text/event-stream` or `application/x-ndjson` the answer is a stream of messages,
    each at once, which goes on after `Last-Event-ID` or `after`.
    """
    table = find_table(here, game_id, who)
    if form == JSON:
        answer = _answer_page(here, table, who, query, lang)
        answer.headers["Cache-Control"] = "private, no-cache"
    else:
        after = read_cursor(game_id, last_event_id or query["after"])
        chosen = choose_form(_FORMS[form], lang, find_hidden(here, who), query.get("room", ""))
        answer = answer_stream(chosen, lambda: _open_stream(here, table, who, chosen, after))
    answer.headers["Vary"] = "Accept, Authorization"
    return mark_language(answer, lang)


def _answer_page(
    here: Parts, table: Table, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    after = read_cursor(table.id, query["after"])
    rooms = [query["room"]] if "room" in query else ROOMS
    found = here.store.talk.read(table.id, after, query["limit"], rooms)
    if query["wait"] and not found:
        seconds = min(float(query["wait"]), here.settings.max_wait)
        held = wait_for_news(here, lambda: _follow(here, table, after), seconds)
        if held is not None:
            return held
        # What came in the meantime may have taken sight of the game from the caller.
        find_table(here, table.id, who)
        found = here.store.talk.read(table.id, after, query["limit"], rooms)
    reader = Reader(lang, find_hidden(here, who) if found else frozenset())
    shown = [reader.describe(entry.message) for entry in found]
    page = {
        "messages": [message for message in shown if message is not None],
        "next_after": name_place(table.id, found[-1].place if found else after),
    }
    return answer_json(page)


def _follow(here: Parts, table: Table, after: Place) -> Subscription:
    return here.store.hub.follow_feed(here.store.talk.follow(table.id), str(after))


def _open_stream(
    here: Parts, table: Table, who: Player | None, form: StreamForm, after: Place
) -> Iterable[bytes]:
    subscription, leave = enter_and_subscribe(here, lambda: _follow(here, table, after))
    leave = hold_stream(here, table, who, subscription, leave)
    return Stream(subscription, form, b"", here.settings.heartbeat, leave)


@blueprint.delete("/games/<game:game_id>/messages/<message_id>")
@operation(
    "talk",
    "Delete one's own message",
    {200: AnswerOf("Deleted; what is left.", MessageAnswer, headers=("Idempotency-Replayed",))},
    headers=("Idempotency-Key", "Accept-Language"),
    limit="writes",
    refusals=("not_found", "not_author", "too_late"),
    token="required",
)
def delete_message(
    here: Parts, game_id: str, message_id: str, who: Player, key: str | None, lang: str
) -> Response:
    """Within 10 minutes. Readers see that there was a message, but not its words."""
    said = here.store.talk.delete(who, game_id, message_id, key)
    mark_stored(environ())
    return _answer_message(said, lang, 200)


def _answer_message(said: Said, lang: str, status: int) -> Response:
    headers = {"Cache-Control": "no-store"}
    if said.replayed:
        headers["Idempotency-Replayed"] = "true"
    shown = name_phrase(said.message.describe(), lang)
    return mark_language(answer_json(shown, status, headers), lang)
