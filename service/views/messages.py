"""Talk at the table: write, read and delete messages."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary import locales
from cartulary.events.chat.messages import ROOMS, Message, name_place, read_cursor
from cartulary.events.chat.talk import Said, Wording
from cartulary.events.players import Player
from cartulary.service.description.schemas.talk import (
    MessageAnswer,
    MessageRequest,
    MessagesPage,
    MessagesQuery,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ
from cartulary.service.views.tables import find_table

blueprint = Blueprint("messages", __name__)


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
    {200: AnswerOf("Messages.", MessagesPage)},
    query=MessagesQuery,
    headers=("Accept-Language",),
    refusals=("not_found",),
    token="optional",
)
def list_messages(
    here: Parts, game_id: str, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    """Everybody who sees the game reads both rooms.

    The messages of players whom the caller mutes or blocks are left out. A room keeps
    about 2000 messages.
    """
    find_table(here, game_id, who)
    after = read_cursor(game_id, query["after"])
    rooms = [query["room"]] if "room" in query else ROOMS
    found = here.store.talk.read(game_id, after, query["limit"], rooms)
    hidden = here.store.mutes.hidden_from(who.id) if who and found else set()
    page = {
        "messages": [
            describe_message(entry.message, lang)
            for entry in found
            if entry.message.author not in hidden
        ],
        "next_after": name_place(game_id, found[-1].place if found else after),
    }
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    return mark_language(answer_json(page, headers=headers), lang)


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
    shown = describe_message(said.message, lang)
    return mark_language(answer_json(shown, status, headers), lang)


def describe_message(message: Message, lang: str) -> dict[str, Any]:
    """Return a message as clients get it, a phrase in the words of a language."""
    shown = message.describe()
    if message.phrase is not None:
        shown["text"] = locales.terms(lang)["phrases"].get(message.phrase, message.phrase)
    return shown
