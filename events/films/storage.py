"""The films of games: asked for by readers, made by a worker, and forgotten after a month.

A film is a projection: lost, it is made again. It shows names, so it belongs to what is shown of
the table now: after the deletion of a name another film is made in its place.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple, Self

from redis import Redis

from cartulary.events.ledger.masks import Masks
from cartulary.events.model.clock import Clock
from cartulary.events.model.table import Table
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script
from cartulary.events.server.servers import is_missing

QUEUED, DONE, FAILED = "queued", "done", "failed"

KINDS: Final = ("webp", "gif")
KEPT_DAYS: Final = 30
MOST_BYTES_KEPT: Final = 256_000_000
"""So many bytes all films have that are kept. The oldest goes first."""
LARGEST: Final = 4_000_000
"""The bytes of a film of which it is unknown how many it has."""
MOST_WAITING: Final = 20
"""Films that wait for a worker; a film takes some seconds to a minute."""
ATTEMPTS: Final = 3
"""After so many attempts in which the process dies the film has failed."""

_DAY_S: Final = 86_400
_WAITS_S: Final = 3600
_FAILED_S: Final = 60
"""Seconds after which a film that has failed is tried again, if a reader asks for it."""


class FilmWish(NamedTuple):
    """What a reader wishes: `ms` for each picture, from one version to another, both included."""

    kind: str
    width: int
    ms: int
    first: int
    last: int
    lang: str

    def __str__(self) -> str:
        """Return the wish as it stands in keys."""
        return "-".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return a wish that `str` has written."""
        kind, width, ms, first, last, lang = text.split("-")
        return cls(kind, int(width), int(ms), int(first), int(last), lang)


class Film(NamedTuple):
    """A film as it stands; `body` is empty until it is done."""

    status: str
    shown: str
    body: bytes = b""


class _KeptFilm(NamedTuple):
    """A film that is kept, as it is `noted`: at a time in ms since the epoch, with its bytes."""

    noted: str
    game: str
    wish: str
    size: int
    at: int

    @classmethod
    def read(cls, noted: str, at: int) -> Self:
        """Return what a note says; those of before say no size."""
        game, wish, *size = noted.split(" ")
        return cls(noted, game, wish, int(size[0]) if size else LARGEST, at)


class Films:
    """The films on one server. Thread-safe."""

    def __init__(self, redis: Redis, registry: Redis, clock: Clock) -> None:
        """Keep the films on `redis`; `registry` says which are under way, and which are kept."""
        self._redis, self._registry, self._clock = redis, registry, clock
        script = read_script("films", "end_film.lua")
        self._end_script = redis.register_script(script)

    # -- for those who ask -----------------------------------------------------------------------

    def find(self, game_id: str, wish: FilmWish, shown: str) -> Film | None:
        """Return the film of a game as it is shown now, None without any."""
        fields = ("status", "shown", "body")
        stored: Any = self._redis.hmget(keys.film(game_id, str(wish)), fields)
        if stored[0] is None or stored[1] is None or stored[1].decode() != shown:
            return None
        return Film(stored[0].decode(), shown, stored[2] or b"")

    def has_room(self) -> bool:
        """Return whether another film may wait for a worker."""
        return int(self._registry.zcard(keys.films())) < MOST_WAITING

    def start(self, game_id: str, wish: FilmWish, shown: str) -> None:
        """Have a film made; of several calls at once, one film is made.

        The film and the list of those under way may lie on two servers. A process that dies between
        the two writes leaves a film that nothing works on: `go_on_waiting` mends it.
        """
        name = keys.film(game_id, str(wish))
        pipe = self._redis.pipeline(transaction=True)
        pipe.delete(name)
        pipe.hset(name, mapping={"status": QUEUED, "shown": shown})
        pipe.expire(name, _WAITS_S)
        pipe.execute()
        self.go_on_waiting(game_id, wish)

    def go_on_waiting(self, game_id: str, wish: FilmWish) -> None:
        """Have a queued film be under way, also when the process that has started it has died."""
        self._registry.zadd(keys.films(), {_name(game_id, wish): self._clock.now_ms()}, nx=True)

    # -- for those who work ----------------------------------------------------------------------

    def next(self) -> tuple[str, FilmWish] | None:
        """Return the game and the wish that were asked for first, of those under way.

        A game in a missing slot waits for its server, and no other film waits for it.
        """
        for game_id, wish in self._list_under_way():
            if not is_missing(self._redis, game_id):
                return game_id, FilmWish.parse(wish)
        return None

    def attempt(self, game_id: str, wish: FilmWish) -> Film | None:
        """Return a film that is to be made, and count the attempt; None: it is not under way.

        A film whose process has died in each attempt has failed.
        """
        name = keys.film(game_id, str(wish))
        stored: Any = self._redis.hmget(name, ("status", "shown"))
        if stored[0] is None or stored[0].decode() != QUEUED:
            self._drop(game_id, wish)
            return None
        film = Film(QUEUED, stored[1].decode())
        if int(self._redis.hincrby(name, "attempts", 1)) > ATTEMPTS:
            self.fail(game_id, wish, film.shown)
            return None
        return film

    def finish(self, game_id: str, wish: FilmWish, shown: str, body: bytes) -> None:
        """Keep a film of what is shown of the table; of too many the oldest goes.

        Nothing happens when the film is asked for with other names meanwhile.
        """
        # First, so that a film always counts: a process may die before the next write.
        self._make_room(game_id, wish, len(body))
        self._end(game_id, wish, shown, Film(DONE, shown, body), KEPT_DAYS * _DAY_S)

    def _make_room(self, game_id: str, wish: FilmWish, size: int) -> None:
        """Note a film of so many bytes as kept, and forget those for which no room is left."""
        now, kept, room = self._clock.now_ms(), self._list_kept(), MOST_BYTES_KEPT - size
        noted = f"{_name(game_id, wish)} {size}"
        self._registry.zadd(keys.films_kept(), {noted: now})
        self._registry.expire(keys.films_kept(), (KEPT_DAYS + 1) * _DAY_S)
        for one in reversed(kept):
            if (one.game, one.wish) == (game_id, str(wish)):
                if one.noted != noted:
                    self._registry.zrem(keys.films_kept(), one.noted)
                continue
            room -= one.size
            # A day later than the film expires: until then its names can be deleted with it.
            if room < 0 or now - one.at > (KEPT_DAYS + 1) * _DAY_S * 1000:
                self._forget(one)

    def fail(self, game_id: str, wish: FilmWish, shown: str) -> None:
        """Note that a film cannot be made; not when it is asked for with other names meanwhile."""
        self._end(game_id, wish, shown, Film(FAILED, shown), _FAILED_S)

    def _end(self, game_id: str, wish: FilmWish, shown: str, film: Film, kept_s: int) -> None:
        name = keys.film(game_id, str(wish))
        if self._end_script(keys=[name], args=[shown, film.status, film.body, kept_s]):
            self._drop(game_id, wish)

    def forget(self, game_ids: Collection[str]) -> None:
        """Forget the films of some games: a name that they show is deleted."""
        for one in self._list_kept():
            if one.game in game_ids:
                self._forget(one)

    def _forget(self, one: _KeptFilm) -> None:
        self._redis.delete(keys.film(one.game, one.wish))
        self._registry.zrem(keys.films_kept(), one.noted)

    def _list_kept(self) -> list[_KeptFilm]:
        """Return the films that are kept, the oldest first."""
        found: Any = self._registry.zrange(keys.films_kept(), 0, -1, withscores=True)
        return [_KeptFilm.read(noted.decode(), int(at)) for noted, at in found]

    def _list_under_way(self) -> list[tuple[str, str]]:
        """Return the games and wishes of the films under way, the oldest first."""
        found: Any = self._registry.zrange(keys.films(), 0, -1)
        names = [one.decode().partition(" ") for one in found]
        return [(game_id, wish) for game_id, _, wish in names]

    def _drop(self, game_id: str, wish: FilmWish) -> None:
        self._registry.zrem(keys.films(), _name(game_id, wish))


def _name(game_id: str, wish: FilmWish) -> str:
    return f"{game_id} {wish}"


def name_shown(masks: Masks, table: Table) -> str:
    """Return what names the end of a game and the names that are shown of it."""
    return f"{table.head}.{masks.count(table)}"
