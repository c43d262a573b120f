"""Talk at the table: write, read and delete messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import ValidationError, validate, validates_schema

from cartulary.events.chat import talk
from cartulary.events.chat.messages import PHRASES, ROOMS, ChatPlace, name_place, read_cursor
from cartulary.events.chat.rooms import list_rooms
from cartulary.events.chat.talk import Said, Wording
from cartulary.events.live.subscriptions import Subscription
from cartulary.events.model.names import PATTERN
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import JSON, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import (
    FEED_FORMS,
    FEED_NDJSON,
    FEED_SSE,
    Stream,
    StreamForm,
)
from cartulary.service.http.streams.message_forms import (
    MessageReader,
    choose_form_of,
    find_hidden,
    name_phrase,
)
from cartulary.service.http.streams.stream_revocation import hold_stream
from cartulary.service.http.streams.waiting import (
    answer_stream,
    enter_and_subscribe,
    wait_for_news,
)
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Request,
    list_of,
    nullable,
    seat,
    text,
    time,
    whole,
)
from cartulary.service.schemas.players import PlayerName

blueprint = Blueprint("messages", __name__)

_FORMS = {form.media: form for form in (FEED_SSE, FEED_NDJSON)}


MESSAGES_MAX = 1000

_ROOM = (
    "`players`: who holds a seat writes here. `spectators`: everybody writes here who sees the "
    "game and has a token, but for the players of a rated game until it is over."
)
_PHRASE = "A phrase that everybody may say; each reader gets it in the reader's language."


def _no_fault(value: str) -> None:
    # The ends do not count: the service strips them.
    fault = talk.fault_of_text(value.strip(" "))
    if fault is not None:
        raise ValidationError(fault)


class MessageRequest(Request):
    """What to say: a `text` or a `phrase`."""

    room = fields.String(required=True, validate=validate.OneOf(ROOMS), description=_ROOM)
    text = fields.String(
        validate=_no_fault,
        description="One line. A guest says phrases only.",
        metadata={"minLength": 1, "maxLength": talk.LONGEST, "pattern": PATTERN},
    )
    phrase = fields.String(validate=validate.OneOf(PHRASES), description=_PHRASE)

    @validates_schema
    def _either(self, data: Mapping[str, Any], **_: Any) -> None:
        if ("text" in data) == ("phrase" in data):
            raise ValidationError("must have either a text or a phrase", "text")


class MessagesStreamQuery(Request):
    """Which messages of a game a stream brings."""

    room = fields.String(
        validate=validate.OneOf(ROOMS),
        description="Only messages of this room; without it: of both rooms.",
    )
    after = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description="`next_after` of a page, or the id of a message.",
    )


class MessagesQuery(MessagesStreamQuery):
    """A part of the messages of a game."""

    limit = whole(1, MESSAGES_MAX, text=True, load_default=100)
    wait = whole(
        0,
        120,
        text=True,
        load_default=0,
        description="Seconds to wait for a message (long-poll). The service may answer "
        "sooner with an empty list.",
    )


class MessageAnswer(Answer):
    """A message, or the stub of a deleted message."""

    id = text()
    room = text(_ROOM, validate=validate.OneOf(ROOMS))
    at = time()
    player = nullable(PlayerName, "The author; null when the account is deleted.")
    seat = seat(
        required=True,
        allow_none=True,
        description="The seat of the author at that time; null for a spectator.",
    )
    phrase = text(_PHRASE, allow_none=True, validate=validate.OneOf([*PHRASES, None]))
    deleted = fields.Boolean(required=True, description="Whether the message is deleted.")
    text = text(
        "The words; of a phrase in the language asked for. Null when the message is deleted.",
        allow_none=True,
    )


class MessagesPage(Answer):
    """Messages, oldest first.

    The stub of a deleted message comes at the time of its deletion, with the id of the message.
    """

    messages = list_of(MessageAnswer)
    next_after = text("Where the next page begins.")


@blueprint.post("/games/<game:game_id>/messages")
@operation(
    "talk",
    "Say something at the table",
    {201: AnswerOf("Said.", MessageAnswer, headers=("Idempotency-Replayed",))},
    body=MessageRequest,
    limit="writes",
    refusals=("not_found", "not_seated", "muted", "account_needed", "rated_game"),
)
def send_message(
    services: Services, game_id: str, who: Player, body: dict[str, Any], key: str | None, lang: str
) -> Response:
    """At most 5 messages in 10 seconds, and 60 an hour at one table. A guest says phrases only.

    A game that is over may still be talked at.
    """
    text = body.get("text")
    wording = Wording(body["room"], text and text.strip(" "), body.get("phrase"))
    said = services.store.talk.say(who, game_id, wording, key)
    mark_stored(request.environ)
    return _answer_message(said, lang, 201)


@blueprint.get("/games/<game:game_id>/messages")
@operation(
    "talk",
    "What is said at the table",
    {200: AnswerOf("Messages.", MessagesPage, (JSON, *_FORMS))},
    query=MessagesQuery,
    headers=("Accept-Language", "Last-Event-ID"),
    refusals=("not_found", "too_many_streams", "rated_game"),
)
def list_messages(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    lang: str,
    last_event_id: str,
) -> Response:
    """Everybody who sees the game reads both rooms, but for players of a rated game before its end.

    These read their own room. The messages of players whom the caller mutes or blocks are left out.
    A room keeps about 2000 messages. With `wait` an empty page waits for a message.

    With `Accept: text/event-stream` or `application/x-ndjson` the answer is a stream of messages,
    each at once, which goes on after `Last-Event-ID` or `after`.
    """
    table = find_table(services, game_id, who)
    if form != JSON:
        query["after"] = last_event_id or query["after"]
        return _answer_stream(services, table, who, _FORMS[form], query, lang)
    answer = _answer_page(services, table, who, query, lang)
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Accept, Authorization"
    return mark_language(answer, lang)


@blueprint.get("/games/<game:game_id>/messages/stream")
@operation(
    "talk",
    "What is said at the table, at once",
    {200: AnswerOf("Messages, each at once.", media=tuple(FEED_FORMS))},
    query=MessagesStreamQuery,
    headers=("Accept-Language", "Last-Event-ID"),
    refusals=("not_found", "too_many_streams", "rated_game"),
)
def stream_messages(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    lang: str,
    last_event_id: str,
) -> Response:
    """Server-sent events; lines of NDJSON with `Accept: application/x-ndjson`.

    The stream sends the messages after `Last-Event-ID` (or `after`), then each new message at once.
    The `data` of a server-sent event, and each line of NDJSON, is a message. Messages of players
    whom the reader mutes or blocks when the stream begins are left out.
    """
    table = find_table(services, game_id, who)
    query["after"] = last_event_id or query["after"]
    return _answer_stream(services, table, who, FEED_FORMS[form], query, lang)


def _answer_stream(
    services: Services,
    table: Table,
    who: Player | None,
    form: StreamForm,
    query: dict[str, Any],
    lang: str,
) -> Response:
    after = read_cursor(table.id, query["after"])
    hidden = find_hidden(services, who)
    chosen = choose_form_of(table, who, form, lang, hidden, query.get("room"))
    answer = answer_stream(chosen, lambda: _open_stream(services, table, who, chosen, after))
    answer.headers["Vary"] = "Accept, Authorization"
    return mark_language(answer, lang)


def _answer_page(
    services: Services, table: Table, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    after = read_cursor(table.id, query["after"])
    rooms = list_rooms(table, None if who is None else who.id, query.get("room"))
    found = services.store.talk.read(table.id, after, query["limit"], rooms)
    if query["wait"] and not found:
        seconds = min(float(query["wait"]), services.settings.max_wait)
        held = wait_for_news(services, lambda: _follow(services, table, after), seconds)
        if held is not None:
            return held
        # What came in the meantime may have taken sight of the game from the caller.
        find_table(services, table.id, who)
        found = services.store.talk.read(table.id, after, query["limit"], rooms)
    reader = MessageReader(lang, find_hidden(services, who) if found else frozenset())
    shown = [reader.describe(entry.message) for entry in found]
    page = {
        "messages": [message for message in shown if message is not None],
        "next_after": name_place(table.id, found[-1].place if found else after),
    }
    return answer_json(page)


def _follow(services: Services, table: Table, after: ChatPlace) -> Subscription:
    return services.hub.follow_feed(services.store.talk.follow(table.id), str(after))


def _open_stream(
    services: Services, table: Table, who: Player | None, form: StreamForm, after: ChatPlace
) -> Iterable[bytes]:
    subscription, leave = enter_and_subscribe(services, lambda: _follow(services, table, after))
    leave = hold_stream(services, table, who, subscription, leave)
    return Stream(subscription, form, b"", services.settings.heartbeat, leave)


@blueprint.delete("/games/<game:game_id>/messages/<message:message_id>")
@operation(
    "talk",
    "Delete one's own message",
    {200: AnswerOf("Deleted; what is left.", MessageAnswer, headers=("Idempotency-Replayed",))},
    limit="writes",
    refusals=("not_found", "not_author", "too_late"),
)
def delete_message(
    services: Services, game_id: str, message_id: str, who: Player, key: str | None, lang: str
) -> Response:
    """Within 10 minutes. Readers see that there was a message, but not its words."""
    said = services.store.talk.delete(who, game_id, message_id, key)
    mark_stored(request.environ)
    return _answer_message(said, lang, 200)


def _answer_message(said: Said, lang: str, status: int) -> Response:
    headers = {"Cache-Control": "no-store"}
    if said.replayed:
        headers["Idempotency-Replayed"] = "true"
    shown = name_phrase(said.message.describe(), lang)
    return mark_language(answer_json(shown, status, headers), lang)
