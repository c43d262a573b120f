"""Messages as a reader gets them: phrases in the language of the reader, no words of hidden people.

Readers with the same language who hide the same people share a form, so their streams share bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Protocol, Self, TypeVar, cast

import orjson

from cartulary import locales
from cartulary.events.chat.messages import ChatMessage
from cartulary.events.chat.rooms import list_rooms
from cartulary.events.live.subscriptions import LiveEvent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.http.shared.services import Services

Json = dict[str, Any]


class MessageReader:
    """What a reader of messages gets: a language, whom the reader hides, a room ("": both)."""

    __slots__ = ("_hidden", "_lang", "_room")

    def __init__(self, lang: str, hidden: frozenset[str] = frozenset(), room: str = "") -> None:
        self._lang, self._hidden, self._room = lang, hidden, room

    def describe(self, message: ChatMessage) -> Json | None:
        """Return a message as this reader gets it, None when it is left out."""
        return self._reword(message.describe())

    def _reword(self, shown: Json) -> Json | None:
        author = shown.get("player")
        if author is not None and author["id"] in self._hidden:
            return None
        if self._room and shown.get("room") != self._room:
            return None
        return name_phrase(shown, self._lang)

    def change(self, event: LiveEvent) -> LiveEvent | None:
        """Return an event of a stream as this reader gets it, None when it is left out."""
        if event.type != "message" and not event.cursor:
            return event
        shown = self._reword(orjson.loads(event.json))
        return None if shown is None else event._replace(json=orjson.dumps(shown))


def name_phrase(shown: Json, lang: str) -> Json:
    """Return a message with the words of its phrase, if it has a phrase."""
    phrase = shown.get("phrase")
    if phrase is None:
        return shown
    return {**shown, "text": locales.terms(lang)["phrases"].get(phrase, phrase)}


def find_hidden(services: Services, who: Player | None) -> frozenset[str]:
    """Return the ids of the players whose messages a reader does not get. Raises `RedisError`."""
    return frozenset(services.store.mutes.hidden_from(who.id)) if who is not None else frozenset()


class Rewordable(Hashable, Protocol):
    """A form of streams that may write changed events."""

    def reword(self, change: Callable[[LiveEvent], LiveEvent | None]) -> Self:
        """Return this form with each event changed before it is written; None leaves it out."""


F = TypeVar("F", bound=Rewordable)


def choose_form(form: F, lang: str, hidden: frozenset[str] = frozenset(), room: str = "") -> F:
    """Return the form of a stream of messages for a reader; the same for equal readers."""
    return cast(F, _reword(form, lang, hidden, room))


def choose_form_of(
    table: Table,
    who: Player | None,
    form: F,
    lang: str,
    hidden: frozenset[str],
    room: str | None = None,
) -> F:
    """Return the form of a stream with messages of a game for a reader.

    Raises `RatedGame` for a `room` that is closed to the reader.
    """
    rooms = list_rooms(table, None if who is None else who.id, room)
    return choose_form(form, lang, hidden, rooms[0] if len(rooms) == 1 else "")


@lru_cache(maxsize=256)
def _reword(form: Rewordable, lang: str, hidden: frozenset[str], room: str) -> Rewordable:
    return form.reword(MessageReader(lang, hidden, room).change)
