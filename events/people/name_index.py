"""The search for players: an index of folded names.

Who gives a player a name enters it here, and who takes a name away removes it: no name of a deleted
account is left. An entry that is stale all the same (the player has merged, or two writers met) is
dropped when a search comes across it.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.people.name_folding import fold_name, write_entry
from cartulary.events.people.players import Player
from cartulary.events.people.preferences import is_hidden
from cartulary.events.server import keys

PAGE: Final = 20
SHORTEST: Final = 3
"""The least number of letters of a name that a search has to give."""

_SCANNED: Final = 1000
_FIELDS: Final = ("id", "name", "created_at", "kind", "owner", "merged_into", "prefs")


class BadSearchCursor(ValueError):
    """A cursor that no search has given out."""


class FoundPlayers(NamedTuple):
    """A page of a search, and the cursor of the next page, None for the last one."""

    players: list[Player]
    next_cursor: str | None


class NameIndex:
    """Finds players by the beginning of their names. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def search(
        self, beginning: str, cursor: str = "", *, with_hidden: bool = False
    ) -> FoundPlayers:
        """Return the players whose folded names begin so, exact ones first, a page at a time.

        Players who hide are among them for operators alone. Raises `BadSearchCursor`.
        """
        self._complete()
        folded = fold_name(beginning).encode()
        start, end = b"[" + folded, b"[" + folded + b"\xff"
        if cursor:
            start = b"(" + _read_cursor(cursor, folded)
        found: Any = self._redis.zrangebylex(keys.names(), start, end, 0, PAGE + 1)
        page = found[:PAGE]
        more = urlsafe_b64encode(page[-1]).decode() if len(found) > PAGE else None
        return FoundPlayers(self._read(page, with_hidden), more)

    def _read(self, entries: list[bytes], with_hidden: bool) -> list[Player]:
        """Return the players of entries, perhaps those who hide; drop entries that are stale."""
        pipe = self._redis.pipeline(transaction=False)
        for entry in entries:
            pipe.hmget(keys.player(_find_id(entry)), *_FIELDS)
        players, stale = list[Player](), list[bytes]()
        for entry, fields in zip(entries, pipe.execute(), strict=True):
            *shown, merged_into, preferences = [(one or b"").decode() for one in fields]
            if merged_into or write_entry(shown[1], shown[0]).encode() != entry:
                stale.append(entry)
            elif with_hidden or not is_hidden(preferences):
                players.append(Player(*shown))
        if stale:
            self._redis.zrem(keys.names(), *stale)
        return players

    def _complete(self) -> None:
        """Enter the players from before the index, once."""
        if self._redis.exists(keys.names_complete()):
            return
        for key in self._redis.scan_iter(match=keys.player("*"), count=_SCANNED):
            fields: Any = self._redis.hmget(key, "id", "name")
            if None not in fields:
                entry = write_entry(fields[1].decode(), fields[0].decode())
                self._redis.zadd(keys.names(), {entry: 0})
        self._redis.set(keys.names_complete(), 1)


def _find_id(entry: bytes) -> str:
    return entry.rpartition(b"\0")[2].decode()


def _read_cursor(cursor: str, folded: bytes) -> bytes:
    """Return the entry after which a page begins: one that this search can have found.

    Another one would list names that begin otherwise.
    """
    try:
        entry = urlsafe_b64decode(cursor.encode("ascii"))
    except ValueError:
        raise BadSearchCursor(cursor) from None
    if b"\0" not in entry or not entry.startswith(folded):
        raise BadSearchCursor(cursor)
    return entry
