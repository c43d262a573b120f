"""Seeks: players who look for others to play with, and the step that matches them.

A seek waits in the registry with all who want the same game, options and pace. The matching is one
script: it looks at a bounded number of seeks, the oldest first, and takes the smallest set that
fits out of all lists in the same step, so that no seek is served twice. Those behind them it looks
at later, with the sweep of the dispatcher. What it has taken out is a `SeekMatch` until its game is
opened (`events.company.matchmaker`), also when a process dies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from statistics import median
from typing import Any, Final, NamedTuple, Self

import orjson
from redis import Redis
from ulid import ULID

from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import QuotaExceeded
from cartulary.events.model.time.pace import LIVE, MODES
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

MOST: Final = 10
"""The most open seeks that a player may have."""

UNTIMED: Final = "none"
"""The mode of games without a pace."""

MODES_OF_SEEKS: Final = (*MODES, UNTIMED)

LIFE_MS: Final = 7 * 24 * 3_600_000
"""A seek ends after so long; a live one when its player goes, and after a day at the latest."""
LIVE_LIFE_MS: Final = 24 * 3_600_000

LOOK_MS: Final = 10_000
"""A live seek is looked at so often: is its player there, is there a match now?"""

CHOOSY_LOOK_MS: Final = 600_000
"""Another seek with conditions is looked at so often: ratings move while it waits."""

BOTS: Final = "bots"
"""Who fills the seats when no match is found within the patience of a player."""
FILLS: Final = ("none", BOTS)

PATIENCE_S: Final = 30
PATIENCES_S: Final = (5, 600)

WAITS_MS: Final = 24 * 3_600_000
WAITS_KEPT: Final = 1000
"""The waits of a day are kept, the last thousand of them at most."""


class NewSeek(NamedTuple):
    """What a player seeks: a game with complete `options`, `sizes` of the table, a complete `pace`.

    `fill` is one of `FILLS`, `patience` in seconds. `rating_range` holds the lowest and the highest
    rating (of the ladder `people`, as it is shown) that the others may have at the table,
    `min_reliability` how many percent of their games they have ended by playing or resigning.
    """

    game: str
    options: Mapping[str, str | int]
    sizes: tuple[int, ...]
    pace: Json | None = None
    fill: str = FILLS[0]
    patience: int = PATIENCE_S
    rated: bool = False
    rating_range: tuple[int, int] | None = None
    min_reliability: int | None = None

    @property
    def mode(self) -> str:
        """The mode of the pace, `UNTIMED` without one."""
        return UNTIMED if self.pace is None else str(self.pace["mode"])

    @property
    def bucket(self) -> str:
        """What seeks have in common that can be matched if their sizes can."""
        alike = [self.game, dict(self.options), self.pace, *(["rated"] if self.rated else [])]
        return sha256(orjson.dumps(alike, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


class Seek(NamedTuple):
    """A seek of a player. Times are in ms since the epoch.

    `table` is the id of the game that has begun with bots, '' before that.
    """

    id: str
    player_id: str
    wish: NewSeek
    created: int
    ends: int
    table: str = ""

    @property
    def is_live(self) -> bool:
        """True when the player has to be there for a match."""
        return self.wish.mode == LIVE

    def describe(self) -> Json:
        """Return the seek as in the HTTP contract, without its player."""
        wish = self.wish
        return {
            "id": self.id,
            "game": wish.game,
            "options": dict(wish.options),
            "seats": list(wish.sizes),
            "pace": wish.pace,
            "rated": wish.rated,
            "rating_range": None if wish.rating_range is None else list(wish.rating_range),
            "min_reliability": wish.min_reliability,
            "fill": wish.fill,
            "patience": wish.patience,
            "created_at": format_time(self.created),
            "expires_at": format_time(self.ends),
            "table": self.table or None,
        }

    def find_fill_time(self) -> int | None:
        """Return from when on bots may fill the seats, None when they may not."""
        wanted = self.wish.fill == BOTS and not self.table
        return self.created + 1000 * self.wish.patience if wanted else None

    def find_next_look(self, now: int) -> int:
        """Return when the seek is looked at again: its player may have gone, its patience ended."""
        wish = self.wish
        is_choosy = (wish.rating_range, wish.min_reliability) != (None, None)
        pause = LOOK_MS if self.is_live else CHOOSY_LOOK_MS if is_choosy else self.ends - now
        look = min(self.ends, now + pause)
        fill = self.find_fill_time()
        return look if fill is None or fill <= now else min(look, fill)


class SeekMatch(NamedTuple):
    """Seeks that are matched: with each other, or one with the seek `joins`, whose game has begun.

    One seek alone begins with bots.
    """

    ids: tuple[str, ...]
    joins: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the match of a text of the store."""
        ids, _, joins = text.partition("@")
        return cls(tuple(ids.split(" ")), joins)

    def text(self) -> str:
        """Return the text by which the store knows the match."""
        ids = " ".join(self.ids)
        return f"{ids}@{self.joins}" if self.joins else ids


class Sought(NamedTuple):
    """What became of a request: the seek, whether it is new, and its match, None for none."""

    seek: Seek
    is_new: bool
    match: SeekMatch | None


class SeekWaits(NamedTuple):
    """How many seek a game in a mode of pace, and how many ms the wait of today's matches was."""

    mode: str
    waiting: int
    median_ms: int | None


DONE, DROPPED, OPEN = "done", "dropped", "open"
"""What becomes of a seek when its match ends: it has its game; it is gone; it waits again."""


def avoid(seek_id: str) -> str:
    """Return the fate of a seek that waits again, and does not join the game of another seek."""
    return f"avoid {seek_id}"


class Seeks:
    """The seeks of all players. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self._add = redis.register_script(_load("add_seek.lua"))
        self._judge = redis.register_script(_load("judge_seek.lua"))
        self._withdraw = redis.register_script(_load("withdraw_seeks.lua"))
        self._end = redis.register_script(_load("end_match.lua"))

    def add(self, player_id: str, wish: NewSeek) -> Sought:
        """Add a seek and match it; one that wants the same as before changes the earlier one.

        Raises `QuotaExceeded`.
        """
        now = self._clock.now_ms()
        life = LIVE_LIFE_MS if wish.mode == LIVE else LIFE_MS
        seek = Seek(str(ULID()), player_id, wish, now, now + life)
        due = seek.find_next_look(now)
        place, conditions = self._place(wish), _list_conditions(wish)
        about = [seek.ends, due, _write(wish), *conditions]
        outcome, found, matched = self._add(args=[now, MOST, seek.id, player_id, *place, *about])
        if outcome == b"full":
            raise QuotaExceeded("seeks", MOST, int(found), 0, None)
        match = SeekMatch.parse(matched.decode()) if matched else None
        if outcome == b"same":
            return Sought(self.find(found.decode()) or seek, is_new=False, match=match)
        return Sought(seek, is_new=True, match=match)

    def _place(self, wish: NewSeek) -> tuple[str, str, str, str]:
        """Return game, mode, bucket and sizes: where a seek stands."""
        return wish.game, wish.mode, wish.bucket, ",".join(map(str, sorted(wish.sizes)))

    def judge(self, seek: Seek, may_fill: bool = True) -> SeekMatch | None:
        """Look at an open seek again, whose time has come; return its match, None for none.

        Where it `may_fill` seats, a seek whose player has waited for too long begins with bots.
        """
        now, fill = self._clock.now_ms(), seek.find_fill_time()
        may_fill = may_fill and fill is not None and fill <= now
        text: Any = self._judge(args=[now, seek.id, seek.find_next_look(now), int(may_fill)])
        return SeekMatch.parse(text.decode()) if text else None

    def withdraw(self, player_id: str, seek_id: str = "") -> bool:
        """Withdraw an open seek of a player ("": all of them); return whether there was any."""
        return bool(self._withdraw(args=[player_id, seek_id, ""]))

    def withdraw_live(self, player_id: str) -> bool:
        """Withdraw the live seeks of a player that wait; return whether there was any.

        A seek whose game has begun with bots stays open for the rest of its seats.
        """
        return bool(self._withdraw(args=[player_id, "", "1"]))

    def end_match(self, match: SeekMatch, fates: Mapping[str, str]) -> None:
        """End a match; `fates` says for each of its seeks what becomes of it.

        A fate is `DONE`, `DROPPED`, `OPEN`, `avoid(…)`, or the id of a game that has begun with
        bots, a space and the number of its seats: then the seek waits for the rest.
        """
        words = [word for one in fates.items() for word in one]
        self._end(args=[self._clock.now_ms(), match.text(), WAITS_MS, WAITS_KEPT, *words])

    # -- reading ----------------------------------------------------------------------------------

    def find(self, seek_id: str) -> Seek | None:
        """Return a seek, also a matched one whose game is being opened; None for a missing one."""
        return self.read_many([seek_id])[0]

    def read_many(self, seek_ids: Sequence[str]) -> list[Seek | None]:
        """Return some seeks, in one round trip; None for missing ones."""
        pipe = self._redis.pipeline(transaction=False)
        for seek_id in seek_ids:
            pipe.hmget(keys.seek(seek_id), "player", "game", "sizes", *_TIMES, "table", "json")
        return [_read(*one) for one in zip(seek_ids, pipe.execute(), strict=True)]

    def list_of(self, player_id: str) -> list[Seek]:
        """Return the open seeks of a player, the oldest first."""
        found: Any = self._redis.smembers(keys.seeks_of(player_id))
        return self._read_present(sorted(one.decode() for one in found))

    def list_open(self, games: Sequence[str], limit: int) -> list[Seek]:
        """Return the newest open seeks for some games, the newest first."""
        pipe = self._redis.pipeline(transaction=False)
        for game in games:
            for mode in MODES_OF_SEEKS:
                pipe.zrevrange(keys.seeks(game, mode), 0, limit - 1)
        ids = {one.decode() for found in pipe.execute() for one in found}
        return self._read_present(sorted(ids, reverse=True)[:limit])

    def _read_present(self, seek_ids: Sequence[str]) -> list[Seek]:
        return [seek for seek in self.read_many(seek_ids) if seek is not None]

    def list_due(self, limit: int) -> list[Seek]:
        """Return the open seeks whose time to be looked at has come, at most `limit`."""
        now = self._clock.now_ms()
        found: Any = self._redis.zrangebyscore(keys.seeks_due(), "-inf", now, 0, limit)
        ids = [one.decode() for one in found]
        seeks = self._read_present(ids)
        if lost := set(ids) - {seek.id for seek in seeks}:
            self._redis.zrem(keys.seeks_due(), *lost)
        return seeks

    def list_left_matches(self, age_ms: int, limit: int) -> list[SeekMatch]:
        """Return the matches whose game no process has opened for so long, at most `limit`.

        They count as noted now: the next process has as long as the one that has left them.
        """
        now = self._clock.now_ms()
        found: Any = self._redis.zrangebyscore(keys.seek_matches(), "-inf", now - age_ms, 0, limit)
        if found:
            self._redis.zadd(keys.seek_matches(), dict.fromkeys(found, now), xx=True)
        return [SeekMatch.parse(one.decode()) for one in found]

    def measure_reliability(self, player_ids: Sequence[str]) -> list[float]:
        """Return how many percent of their games players have ended by playing or resigning.

        The scripts measure it in the same way.
        """
        pipe = self._redis.pipeline(transaction=False)
        for player_id in player_ids:
            pipe.hmget(keys.reliability(player_id), "g", "f", "q")
        known = ((int(one or 0) for one in found) for found in pipe.execute())
        return [100 * (played + left) / games if games else 100 for games, played, left in known]

    def count_waiting(self, game: str) -> list[SeekWaits]:
        """Return how many seek a game and how long they waited today, by mode of pace."""
        since = self._clock.now_ms() - WAITS_MS
        pipe = self._redis.pipeline(transaction=False)
        for mode in MODES_OF_SEEKS:
            pipe.zcard(keys.seeks(game, mode))
            pipe.zrangebyscore(keys.seek_waits(game, mode), since, "+inf")
        answers = iter(pipe.execute())
        return [
            SeekWaits(mode, next(answers), _find_median(next(answers))) for mode in MODES_OF_SEEKS
        ]


_TIMES: Final = ("created", "ends")


def _load(name: str) -> str:
    return read_script("company", "seeks.lua", name)


def _write(wish: NewSeek) -> bytes:
    """Return what the store keeps of a wish besides its game and its sizes, as JSON."""
    kept = wish._asdict()
    for name in ("game", "sizes"):
        del kept[name]
    usual = NewSeek._field_defaults
    changed = {name: value for name, value in kept.items() if value != usual.get(name, ...)}
    return orjson.dumps({**changed, "options": dict(wish.options)})


def _list_conditions(wish: NewSeek) -> list[str | int]:
    """Return the conditions in the words of the scripts: '' for a missing one."""
    lowest, highest = wish.rating_range or ("", "")
    reliability = "" if wish.min_reliability is None else wish.min_reliability
    return ["1" if wish.rated else "", lowest, highest, reliability]


def _read(seek_id: str, fields: Sequence[bytes | None]) -> Seek | None:
    player, game, sizes, created, ends, table, text = fields
    if not (player and game and sizes and created and ends and text):
        return None
    numbers = tuple(int(size) for size in sizes.decode().split(","))
    kept = orjson.loads(text)
    if (range_ := kept.get("rating_range")) is not None:
        kept["rating_range"] = tuple(range_)
    wish = NewSeek(game.decode(), sizes=numbers, **kept)
    about = (int(created), int(ends), (table or b"").decode())
    return Seek(seek_id, player.decode(), wish, *about)


def _find_median(waits: Sequence[bytes]) -> int | None:
    if not waits:
        return None
    return round(median(int(one.partition(b":")[0]) for one in waits))
