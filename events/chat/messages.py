"""Messages: their ids, their stored form, and what clients see of them.

A room of a game is a stream of its own, which the ledger does not know. An entry holds a message,
or the stub that takes the place of a message that was deleted: a stream cannot change an entry, so
the entry of the message goes and the stub comes as the newest entry. The stub keeps the id of the
message, so a reader who follows the room learns of the deletion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from cartulary.events.model.errors import Invalid
from cartulary.events.model.types import Json

PLAYERS: Final = "players"
SPECTATORS: Final = "spectators"
ROOMS: Final = (PLAYERS, SPECTATORS)

PHRASES: Final = (
    "hello",
    "good_luck",
    "have_fun",
    "your_turn",
    "one_moment",
    "nice_move",
    "oops",
    "sorry",
    "thanks",
    "good_game",
    "play_again",
    "goodbye",
)
"""What everybody may say, guests as well. The words of each language have a sentence for each."""

_PLACE: Final = re.compile(r"(0|[1-9]\d{0,15})-(0|[1-9]\d{0,15})", re.ASCII)

CHANNEL: Final = "talk"
"""The room of `keys.signals` on which the messages of both rooms are published."""

FIELD: Final = b"message"


class ChatPlace(NamedTuple):
    """Where an entry stands among those of both rooms of a game: its time in ms, and a number."""

    ms: int
    number: int

    def __str__(self) -> str:
        return f"{self.ms}-{self.number}"


BEGIN: Final = ChatPlace(0, 0)
"""The place before all messages."""


class ChatMessage(NamedTuple):
    """A message, or what is left of a deleted message.

    `seat` is the seat of the author when the message was written, None for a spectator. A message
    has a `text` or a `phrase`; a deleted message has neither. `player` is None when the account of
    the author is deleted.
    """

    game_id: str
    place: ChatPlace
    room: str
    at: str
    player: Mapping[str, str] | None
    seat: int | None
    text: str | None = None
    phrase: str | None = None
    deleted: bool = False

    @property
    def id(self) -> str:
        """Return the id, which no other message of any game has."""
        return name_place(self.game_id, self.place)

    @property
    def author(self) -> str | None:
        """Return the id of the player who has written the message."""
        return None if self.player is None else self.player["id"]

    def describe(self) -> Json:
        """Return the message as clients get it; a phrase without its words."""
        return {
            "id": self.id,
            "room": self.room,
            "at": self.at,
            "player": self.player,
            "seat": self.seat,
            "text": self.text,
            "phrase": self.phrase,
            "deleted": self.deleted,
        }

    def make_stub(self) -> ChatMessage:
        """Return what is left when the message is deleted."""
        return self._replace(text=None, phrase=None, deleted=True)

    def encode(self) -> bytes:
        """Return the message as an entry of the stream holds it."""
        stored: Json = {"at": self.at, "player": self.player, "seat": self.seat}
        if self.deleted:
            stored["of"] = str(self.place)
        elif self.phrase is not None:
            stored["phrase"] = self.phrase
        else:
            stored["text"] = self.text
        return orjson.dumps(stored)


class ChatEntry(NamedTuple):
    """An entry of a room: its place, after which a reader goes on, and the message."""

    place: ChatPlace
    message: ChatMessage


def read_entry(
    game_id: str, room: str, entry_id: bytes, fields: Mapping[bytes, bytes]
) -> ChatEntry:
    """Return an entry of the stream of a room."""
    place = _parse(entry_id.decode())
    stored: Any = orjson.loads(fields[FIELD])
    of = stored.get("of")
    message = ChatMessage(
        game_id,
        place if of is None else _parse(of),
        room,
        stored["at"],
        stored["player"],
        stored["seat"],
        stored.get("text"),
        stored.get("phrase"),
        of is not None,
    )
    return ChatEntry(place, message)


def _parse(text: str) -> ChatPlace:
    ms, _, number = text.partition("-")
    return ChatPlace(int(ms), int(number))


def name_place(game_id: str, place: ChatPlace) -> str:
    """Return the id of the message at a place, which is also the cursor after that place."""
    return f"{game_id}.{place}"


def find_place(game_id: str, text: str) -> ChatPlace | None:
    """Return the place that an id of a message of this game names, None for any other text."""
    game, _, rest = text.rpartition(".")
    found = _PLACE.fullmatch(rest)
    return ChatPlace(int(found[1]), int(found[2])) if found and game == game_id else None


def read_cursor(game_id: str, text: str) -> ChatPlace:
    """Return the place that a cursor names; `0` and '' name the begin. Raises `Invalid`.

    A place alone, without the game before it, is the id of a server-sent event.
    """
    if text in ("", "0"):
        return BEGIN
    place = find_place(game_id, text) or find_place(game_id, f"{game_id}.{text}")
    if place is None:
        raise Invalid([("/after", "must be `next_after` of a page, or the id of a message")])
    return place


def game_of_message(message_id: str) -> str:
    """Return the game that the id of a message begins with, '' for what is no such id."""
    game, _, rest = message_id.rpartition(".")
    return game if _PLACE.fullmatch(rest) else ""


def merge(entries: Sequence[ChatEntry], limit: int) -> list[ChatEntry]:
    """Return the first entries of several rooms, in order."""
    return sorted(entries, key=lambda entry: entry.place)[:limit]
