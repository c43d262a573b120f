"""The log of the operators: each order with who gave it, why and when. Kept for ever.

The line is written before anything changes, so no decision is without its line; an order that was
interrupted is given again, and then has two. A line names players by id alone, so that it says
nothing of a person whose account is deleted; only `rename` keeps the two names.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import Clock, format_time
from cartulary.events.server import keys

PAGE: Final = 50
_FIELD: Final = b"entry"
_READ: Final = 500
_CURSOR: Final = re.compile(r"([1-9][0-9]{0,14}-(0|[1-9][0-9]{0,9}))?", re.ASCII)


class LogEntry(NamedTuple):
    """A line of the log.

    `by` is the id of the operator's player, or `cli:<user>` for a command in a terminal. `player`,
    `report`, `tournament`, `study` are ids, "" where the order is about none. `until` is RFC 3339,
    None for good or where the order has no end. `names` are the name before and the name since, of
    `rename`.
    """

    id: str
    at: str
    by: str
    command: str
    player: str = ""
    report: str = ""
    reason: str = ""
    until: str | None = None
    names: tuple[str, ...] = ()
    tournament: str = ""
    study: str = ""


class LogPage(NamedTuple):
    """Lines of the log, the newest first; `next_cursor` is None at the end."""

    entries: list[LogEntry]
    next_cursor: str | None


class OperatorLog:
    """The log of one installation. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock

    def write(self, entry: LogEntry) -> LogEntry:
        """Add a line; returns it with its id and its time."""
        stored = entry._asdict() | {"at": format_time(self._clock.now_ms())}
        del stored["id"]
        fields: dict[Any, Any] = {_FIELD: orjson.dumps(stored)}
        added: Any = self._redis.xadd(keys.operator_log(), fields)
        return LogEntry(id=added.decode(), **stored)

    @staticmethod
    def is_cursor(text: str) -> bool:
        """Return whether a text is a cursor of the log: the id of a line, or ""."""
        return _CURSOR.fullmatch(text) is not None

    def read(self, before: str = "", limit: int = PAGE) -> LogPage:
        """Return lines before a cursor, which is the id of a line; without it the newest."""
        end = f"({before}" if before else "+"
        found: Any = self._redis.xrevrange(keys.operator_log(), end, "-", limit + 1)
        entries = [_read(one.decode(), fields) for one, fields in found[:limit]]
        return LogPage(entries, entries[-1].id if len(found) > limit else None)

    def about(self, player_id: str, most: int = 20) -> list[LogEntry]:
        """Return the newest lines about a player."""
        found, cursor = list[LogEntry](), ""
        while len(found) < most:
            page = self.read(cursor, _READ)
            found += [entry for entry in page.entries if entry.player == player_id]
            if page.next_cursor is None:
                break
            cursor = page.next_cursor
        return found[:most]


def _read(entry_id: str, fields: Any) -> LogEntry:
    stored: Any = orjson.loads(fields[_FIELD])
    return LogEntry(id=entry_id, **(stored | {"names": tuple(stored["names"])}))
