"""The lobby live: one feed of what the lobby shows, for all readers.

A dispatcher compares the lobby with what it was, twice a second while there are readers, and adds
what has changed to a stream. A reader begins with what the dispatcher has seen last, so that all
that goes is said to have gone. Every entry holds whole things: what comes twice does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from secrets import token_urlsafe
from threading import Lock
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.company.seeks import MODES_OF_SEEKS, Seek, Seeks
from cartulary.events.lists.indexes import ANY
from cartulary.events.lists.projections import Projections
from cartulary.events.live.feeds import Feed, read_place
from cartulary.events.model.status import Status
from cartulary.events.model.types import Json
from cartulary.events.server import keys

SHOWN: Final = 100
"""The most open tables, the most tables with a vacant seat, and the most seeks that are shown."""

KEPT: Final = 200
"""About so many changes are kept for readers who come back."""

WATCHED_S: Final = 15
"""A process that has readers says so every five seconds; without that no dispatcher looks."""

TURN_MS: Final = 3_000
"""A dispatcher that has not looked for so long leaves its turn to another one."""

_CURSOR: Final = re.compile(r"[0-9]{1,15}-[0-9]{1,10}", re.ASCII)

_LISTS: Final = {"open": "seat_open", "vacant": "seat_vacant", "running": Status.RUNNING.value}


class LobbyView(NamedTuple):
    """What the lobby shows: tables by id with their versions, seeks by id, counts by game."""

    tables: Mapping[str, str]
    seeks: Mapping[str, Seek]
    counts: Sequence[Json]


class Lobby:
    """Reads the lobby, and writes its changes. Thread-safe but for `look`, which one thread calls.

    `games` are the names of the games on offer.
    """

    def __init__(
        self, redis: Redis, projections: Projections, seeks: Seeks, games: Collection[str]
    ) -> None:
        self._redis, self._projections, self._seeks = redis, projections, seeks
        self._games = sorted(games)
        self._before: LobbyView | None = None
        self._name = token_urlsafe(6)
        self._lock, self._readers = Lock(), 0

    # -- what streams ask for ---------------------------------------------------------------------

    def hold(self) -> Callable[[], None]:
        """Note that there is a reader until the function that this returns is called.

        Raises `RedisError`; then nothing is noted.
        """
        self._tell()
        with self._lock:
            self._readers += 1

        def release() -> None:
            with self._lock:
                self._readers -= 1

        return release

    def flush(self) -> None:
        """Let the dispatchers know that this process has readers. Raises `RedisError`."""
        if self._readers:
            self._tell()

    def _tell(self) -> None:
        self._redis.set(keys.lobby_watched(), 1, ex=WATCHED_S)

    def find_place(self, cursor: str) -> str:
        """Return a cursor from which a reader misses nothing, '' for one who needs a snapshot.

        Raises `ValueError` for what is no cursor.
        """
        if not cursor:
            return ""
        if not _CURSOR.fullmatch(cursor):
            raise ValueError(f"{cursor!r} is no cursor of the lobby")
        place = read_place(cursor)
        found: Any = self._redis.xrange(keys.lobby_changes(), count=1)
        if not found or place < read_place(found[0][0].decode()):
            return ""
        return cursor

    def take_snapshot(self) -> tuple[str, bytes]:
        """Return the cursor after which changes follow, and the lobby as a line of the stream.

        The cursor comes first: what changes in between comes again after the snapshot. Where no
        dispatcher has looked lately, the next one adds the whole lobby.
        """
        found: Any = self._redis.xrevrange(keys.lobby_changes(), count=1)
        place = found[0][0].decode() if found else "0-0"
        seen: Any = self._redis.get(keys.lobby_seen())
        return place, self._write_snapshot(self._read() if seen is None else self._recall(seen))

    def _recall(self, seen: bytes) -> LobbyView:
        """Return what a dispatcher has seen, as it is now."""
        known = orjson.loads(seen)
        seeks = self._seeks.read_many(known["seeks"])
        present = {seek.id: seek for seek in seeks if seek is not None}
        return LobbyView(dict.fromkeys(known["tables"], ""), present, known["counts"])

    # -- what the dispatcher asks for -------------------------------------------------------------

    def look(self) -> bool:
        """Add what has changed since the last look, if there are readers; return whether it has.

        A dispatcher that has not looked lately does not know what readers have: it adds the whole
        lobby. Raises `RedisError`.
        """
        if not self._redis.exists(keys.lobby_watched()):
            return False
        if not self._take_turn():
            self._before = None
            return False
        after, before = self._read(), self._before
        if not self._note_seen(after):
            before = None
        line = self._write_snapshot(after) if before is None else self._write(before, after)
        self._before = after
        if line is None:
            return False
        pipe = self._redis.pipeline(transaction=True)
        pipe.xadd(keys.lobby_changes(), {"line": line}, maxlen=KEPT, approximate=True)
        pipe.spublish(keys.lobby_live(), b"inbox\n{}")
        pipe.execute()
        return True

    def _note_seen(self, view: LobbyView) -> bool:
        """Note what is seen, for new readers; return whether the last look was a moment ago."""
        seen = {"tables": [*view.tables], "seeks": [*view.seeks], "counts": view.counts}
        text: Any = orjson.dumps(seen)
        before: Any = self._redis.set(keys.lobby_seen(), text, px=TURN_MS, get=True)
        return before is not None

    def _take_turn(self) -> bool:
        """Return whether this dispatcher is the one that looks."""
        key = keys.lobby_turn()
        if self._redis.set(key, self._name, nx=True, px=TURN_MS):
            return True
        if self._redis.get(key) != self._name.encode():
            return False
        self._redis.pexpire(key, TURN_MS)
        return True

    # -- reading ----------------------------------------------------------------------------------

    def _read(self) -> LobbyView:
        pipe = self._redis.pipeline(transaction=False)
        for condition in (_LISTS["open"], _LISTS["vacant"]):
            pipe.zrevrange(keys.index("public", condition, ANY), 0, SHOWN - 1)
        for game in self._games:
            for condition in _LISTS.values():
                pipe.zcard(keys.index("public", condition, game))
            for mode in MODES_OF_SEEKS:
                pipe.zcard(keys.seeks(game, mode))
        open_, vacant, *numbers = pipe.execute()
        seeks = {seek.id: seek for seek in self._seeks.list_open(self._games, SHOWN)}
        return LobbyView(self._read_versions({*open_, *vacant}), seeks, [*self._count(numbers)])

    def _count(self, numbers: Sequence[int]) -> Iterator[Json]:
        each = len(_LISTS) + len(MODES_OF_SEEKS)
        for place, game in enumerate(self._games):
            of_game = numbers[place * each : (place + 1) * each]
            counts = dict(zip(_LISTS, of_game, strict=False))
            yield {"game": game, **counts, "seeks": sum(of_game[len(_LISTS) :])}

    def _read_versions(self, ids: Collection[bytes]) -> dict[str, str]:
        names = sorted(one.decode() for one in ids)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in names:
            pipe.hget(keys.summary(game_id), "version")
        found = zip(names, pipe.execute(), strict=True)
        return {game_id: version.decode() for game_id, version in found if version is not None}

    # -- lines ------------------------------------------------------------------------------------

    def _write_snapshot(self, view: LobbyView) -> bytes:
        tables = self._projections.summaries(sorted(view.tables, reverse=True))
        shown = {"tables": tables, "seeks": describe_seeks(view.seeks.values())}
        return orjson.dumps({"snapshot": {**shown, "counts": view.counts}})

    def _write(self, before: LobbyView, after: LobbyView) -> bytes | None:
        """Return the line that leads from one view to the next, None when they are the same."""
        if before == after:
            return None
        changed = [one for one, at in after.tables.items() if before.tables.get(one) != at]
        seeks = [one for name, one in after.seeks.items() if before.seeks.get(name) != one]
        change = {
            "tables": self._projections.summaries(changed),
            "tables_gone": sorted(before.tables.keys() - after.tables.keys()),
            "seeks": describe_seeks(seeks),
            "seeks_gone": sorted(before.seeks.keys() - after.seeks.keys()),
            "counts": after.counts,
        }
        return orjson.dumps({"change": change})


def describe_seeks(seeks: Collection[Seek]) -> list[Json]:
    """Return seeks as all readers may see them: without their players."""
    return [{**seek.describe(), "player": None} for seek in seeks]


def follow_lobby() -> Feed:
    """Return the changes of the lobby as a feed."""
    return Feed((keys.lobby_changes(),), keys.lobby_live(), _show)


def _show(_stream: str, _cursor: str, fields: dict[bytes, bytes]) -> bytes:
    return fields[b"line"]
