"""The inbox of a player: what has happened that the player should know, the oldest first.

An inbox is a stream of about `MOST` items, about `READ_KEPT` of them read ones. The id of an item
says what the item is about, and an item whose id is in the inbox already is dropped, so the same
item may be added twice. Each new item is published as the signal `inbox` of the player
(`events.live.signals`), in the same step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import orjson
from redis import Redis

from cartulary.events.live.feeds import Feed
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

MOST = 500
"""About how many items an inbox keeps; the store drops them in blocks."""

READ_KEPT = 30
"""About how many items stay that their player has read.

A full inbox takes 280 KB of the registry's memory: a million of them would need several machines.
"""

READ_S = 90 * 24 * 3600
"""For so many seconds the mark of what is read is kept, and again after each new item.

`add_items.lua` keeps an inbox as long.
"""

PAGE = 100
"""Items of a page, unless asked for fewer."""

Type = Literal[
    "your_turn",
    "turn_reminder",
    "timed_out",
    "game_started",
    "game_over",
    "game_aborted",
    "seat_offered",
    "seat_requested",
    "seat_vacant",
    "proposal_made",
    "proposal_closed",
    "moves_taken_back",
    "rematch_opened",
    "message_mention",
    "seek_matched",
    "tournament_starts",
    "table_ready",
    "round_closed",
    "tournament_over",
    "times_proposed",
    "study_invited",
    "mistake_returned",
    "bot_failed",
    "webhook_disabled",
    "email_disabled",
    "security",
]
"""What an item is about."""

_CURSOR = re.compile(r"(0|[1-9][0-9]{0,14})(-(0|[1-9][0-9]{0,9}))?", re.ASCII)
_ITEM = re.compile(r"[^:]+:[0-9]+:[a-z_]+:([^:]+)", re.ASCII)
"""The id of an item; it ends with the player whose inbox has it."""
_BEGIN = "0-0"


class Item(NamedTuple):
    """An item of an inbox; `timestamp` is RFC 3339, `data` as in `docs/living.md`."""

    id: str
    type: Type
    timestamp: str
    data: Json

    def text(self) -> bytes:
        """Return the item as JSON."""
        return orjson.dumps(self._asdict())

    @property
    def at_ms(self) -> int:
        """The timestamp in ms since the epoch."""
        return milliseconds(self.timestamp)


class InboxEntry(NamedTuple):
    """An item in its inbox: the cursor after it, and its JSON."""

    cursor: str
    text: bytes


class InboxSlice(NamedTuple):
    """Some items of an inbox, and the cursor after them.

    `reset` is true when items between the cursor asked for and the first of these may be missing:
    the inbox has dropped them, or was made again.
    """

    entries: list[InboxEntry]
    next_after: str
    reset: bool


class BadPlace(ValueError):
    """A cursor that no inbox has given out."""


def make_item(
    subject: str, type_: Type, player_id: str, timestamp: str, data: Json, version: int = 0
) -> Item:
    """Return an item for a player.

    `subject` is the id of the game, or of what else the item is about; with `version` and type it
    makes the id of the item, so the same item made twice is in the inbox once.
    """
    return Item(f"{subject}:{version}:{type_}:{player_id}", type_, timestamp, data)


def follow_inbox(player_id: str) -> Feed:
    """Return the inbox of a player as a feed."""
    return Feed(
        (keys.inbox(player_id),),
        keys.inbox_live(player_id),
        _show,
        gone=keys.inbox_gone(player_id),
    )


def _show(_stream: str, _cursor: str, fields: dict[bytes, bytes]) -> bytes:
    return fields[b"item"]


def load_script(name: str) -> str:
    """Return a script with the functions that add items before it."""
    return read_script("lists", "add_items.lua", name)


class Inbox:
    """The inboxes of all players. Thread-safe. Every method raises `RedisError`."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._add = redis.register_script(load_script("inbox.lua"))

    def add(self, player_id: str, items: Iterable[Item], *, outside: bool = True) -> int:
        """Add items to the inbox of a player; returns how many of them were new.

        `outside`: push messages, webhooks and e-mails tell of them, as the player wishes.
        """
        words = _write_words(items, outside)
        if not words:
            return 0
        found: Any = self._add(keys=_name_keys(player_id), args=[player_id, MOST, *words])
        return int(found)

    def replace(
        self, pipe: Any, player_id: str, old: str | None, new: Item | None, *, outside: bool
    ) -> None:
        """Take an item out of an inbox by its id, and add one, as parts of a transaction.

        What is not there is not taken out. A cursor behind the old item stays valid.
        """
        if old is not None and (place := self._find_place(player_id, old)) is not None:
            pipe.xdel(keys.inbox(player_id), place)
            pipe.hdel(keys.inbox_ids(player_id), _shorten_id(player_id, old))
            pipe.set(keys.inbox_gone(player_id), place, ex=READ_S)
        if new is not None:
            words = _write_words([new], outside)
            self._add(keys=_name_keys(player_id), args=[player_id, MOST, *words], client=pipe)

    def read(self, player_id: str, after: str = "", limit: int = PAGE) -> InboxSlice:
        """Return the items after a cursor, at most `limit`; without a cursor from the oldest on.

        A cursor is the `next_after` of a slice or the id of an item. Raises `BadPlace`.
        """
        place = self._find_place(player_id, after)
        stream = keys.inbox(player_id)
        pipe = self._redis.pipeline(transaction=False)
        pipe.xrange(stream, f"({place or _BEGIN}", "+", limit)
        pipe.xrange(stream, count=1)
        pipe.xrevrange(stream, count=1)
        pipe.get(keys.inbox_gone(player_id))
        found, *ends, gone = pipe.execute()
        first, last = (end[0][0].decode() if end else _BEGIN for end in ends)
        known = (_BEGIN, None if gone is None else gone.decode())
        reset = place is None or (place not in known and not _holds(first, place, last))
        entries = [InboxEntry(one.decode(), fields[b"item"]) for one, fields in found]
        begin = last if reset else place or _BEGIN
        return InboxSlice(entries, entries[-1].cursor if entries else begin, reset)

    def find_place(self, player_id: str, cursor: str) -> str:
        """Return the entry that a cursor or the id of an item names.

        The beginning for an item that the inbox does not have. Raises `BadPlace`.
        """
        return self._find_place(player_id, cursor) or _BEGIN

    def find_last(self, player_id: str) -> str:
        """Return the cursor after the newest item, that of the beginning for an empty inbox."""
        found: Any = self._redis.xrevrange(keys.inbox(player_id), count=1)
        return found[0][0].decode() if found else _BEGIN

    def mark_read(self, player_id: str, until: str) -> None:
        """Note that a player has read all items up to a cursor (or the id of an item).

        Of the read items the newest stay (`READ_KEPT`). An earlier cursor than before changes
        nothing. Raises `BadPlace`.
        """
        place = self._find_place(player_id, until)
        if place is not None and _order(place) > _order(self._read_mark(player_id)):
            last = self.find_last(player_id)
            read = min(place, last, key=_order)
            self._redis.set(keys.inbox_read(player_id), read, ex=READ_S)
            self._drop_read(player_id, read)

    def _drop_read(self, player_id: str, mark: str) -> None:
        """Drop what was read long ago, in blocks as the store does; the last read items stay."""
        stream = keys.inbox(player_id)
        kept: Any = self._redis.xrevrange(stream, mark, "-", READ_KEPT)
        if len(kept) == READ_KEPT:
            self._redis.xtrim(stream, minid=kept[-1][0].decode(), approximate=True)

    def count_unread(self, player_id: str) -> int:
        """Return how many items a player has not read."""
        mark = self._read_mark(player_id)
        found: Any = self._redis.xrange(keys.inbox(player_id), f"({mark}", "+")
        return len(found)

    def _read_mark(self, player_id: str) -> str:
        found: Any = self._redis.get(keys.inbox_read(player_id))
        return _BEGIN if found is None else found.decode()

    def _find_place(self, player_id: str, after: str) -> str | None:
        """Return the entry that a cursor names, None for an item that the inbox does not have."""
        if not after:
            return _BEGIN
        if _CURSOR.fullmatch(after):
            return after if "-" in after else f"{after}-0"
        item = _ITEM.fullmatch(after)
        if item is None or item[1] != player_id:
            raise BadPlace("this is no cursor of this inbox")
        # Earlier releases have noted whole ids.
        names = [_shorten_id(player_id, after), after]
        found: Any = self._redis.hmget(keys.inbox_ids(player_id), names)
        return next((one.decode() for one in found if one is not None), None)


def _name_keys(player_id: str) -> list[str]:
    return [keys.inbox(player_id), keys.inbox_ids(player_id)]


def _write_words(items: Iterable[Item], outside: bool) -> list[Any]:
    """Return what the script takes for each item."""
    return [
        part for item in items for part in (item.id, item.text(), item.at_ms if outside else "")
    ]


def _shorten_id(player_id: str, item_id: str) -> str:
    """Return the id of an item as `add_items.lua` notes it."""
    return item_id.removesuffix(f":{player_id}")


def _order(cursor: str) -> tuple[int, int]:
    ms, _, number = cursor.partition("-")
    return int(ms), int(number)


def _holds(first: str, place: str, last: str) -> bool:
    """Return whether a place lies within an inbox, so that nothing after the place is missing."""
    return _order(first) <= _order(place) <= _order(last)
