"""The log of the mining: where it stands, what it has used today, what it has found.

Each change is made by comparing: of two miners that work on the same state one is refused, so that
no slice of the other one is lost or counted twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.mining.ground import MiningGround
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.puzzles.walking import WalkStart

STATE: Final = "state"
ALLOWED: Final = "allowed"
ALLOWED_AT: Final = "allowed_at"
WAITS: Final = "waits"

NOTED_MS: Final = 180_000
"""What a dispatcher allows is noted once a minute; an older note is that of one that has ended."""


class MinedGame(NamedTuple):
    """The game under way: what was looked at, the CPU that it took (ms), the puzzles it gave.

    `tries`: how often the next question was begun and not ended.
    """

    game: str
    id: str
    start: WalkStart = WalkStart()
    cpu_ms: int = 0
    puzzles: int = 0
    tries: int = 0


class MiningState(NamedTuple):
    """Where the mining stands.

    `last` is the game whose turn was last, `spent_ms` the CPU of the `day` (UTC). `games`,
    `puzzles`, `passed` (questions that were given up) and `cpu_ms` are sums since the beginning.
    `at` is the time of the last slice; before `idle_until` none is due: nothing was left, or the
    archive has failed with an `error`. Times in ms since the epoch.
    """

    under_way: MinedGame | None = None
    ground: Mapping[str, MiningGround] = {}
    last: str = ""
    day: int = -1
    spent_ms: int = 0
    games: int = 0
    puzzles: int = 0
    passed: int = 0
    cpu_ms: int = 0
    at: int = 0
    idle_until: int = 0
    error: str = ""

    def read_spent(self, day: int) -> int:
        """Return the CPU (ms) that was used on a day."""
        return self.spent_ms if day == self.day else 0

    def spend(self, cpu_ms: int, day: int) -> MiningState:
        """Return the state after so much CPU."""
        return self._replace(
            day=day, spent_ms=self.read_spent(day) + cpu_ms, cpu_ms=self.cpu_ms + cpu_ms
        )


class MiningReport(NamedTuple):
    """What the store says of the mining: the state, and what the dispatcher has noted.

    `allowed_s` is the CPU that it may use on a day, 0 for none; `waits_since` (ms since the epoch)
    is when a slice was asked for that no worker has made, 0 where none waits.
    """

    state: MiningState
    allowed_s: int
    waits_since: int


class MiningLog:
    """The log of one installation. All methods raise `RedisError`."""

    def __init__(self, registry: Redis) -> None:
        self._redis = registry

    def read(self) -> MiningState:
        """Return the state."""
        stored: Any = self._redis.hget(keys.mining(), STATE)
        return read_state(stored)

    def read_report(self, now_ms: int) -> MiningReport:
        """Return the state and what a dispatcher that works has noted."""
        found: Any = self._redis.hmget(keys.mining(), STATE, ALLOWED, ALLOWED_AT, WAITS)
        allowed_s, at, waits = (int(one or 0) for one in found[1:])
        is_new = now_ms - at < NOTED_MS
        return MiningReport(read_state(found[0]), allowed_s if is_new else 0, waits)

    def replace(self, before: MiningState, after: MiningState) -> bool:
        """Store a state unless another miner has stored one since `before`; return whether."""
        stored = list[bool]()

        def write(pipe: Any) -> None:
            stored[:] = [read_state(pipe.hget(keys.mining(), STATE)) == before]
            pipe.multi()
            if stored[0]:
                pipe.hset(keys.mining(), STATE, write_state(after))
                pipe.hdel(keys.mining(), WAITS)

        self._redis.transaction(write, keys.mining())
        return stored[0]

    def note_allowed(self, seconds: int, now_ms: int) -> None:
        """Note the CPU that the mining may use on a day."""
        self._redis.hset(keys.mining(), mapping={ALLOWED: seconds, ALLOWED_AT: now_ms})

    def note_waiting(self, now_ms: int) -> None:
        """Note that a slice was asked for, unless one waits already."""
        self._redis.hsetnx(keys.mining(), WAITS, now_ms)


def write_state(state: MiningState) -> bytes:
    """Return the form of a state that is stored."""
    under_way = state.under_way
    return orjson.dumps(
        {
            **state._asdict(),
            "under_way": None if under_way is None else _write_game(under_way),
            "ground": {game: ground.to_json() for game, ground in state.ground.items()},
        }
    )


def read_state(stored: bytes | None) -> MiningState:
    """Read the form that is stored; None: nothing was mined so far.

    What a later release has added is left out.
    """
    if stored is None:
        return MiningState()
    found: Json = orjson.loads(stored)
    known = {name: value for name, value in found.items() if name in MiningState._fields}
    under_way = known.get("under_way")
    return MiningState(
        **{
            **known,
            "under_way": None if under_way is None else _read_game(under_way),
            "ground": {
                game: MiningGround.from_json(one) for game, one in known.get("ground", {}).items()
            },
        }
    )


def _write_game(game: MinedGame) -> Json:
    return {**game._asdict(), "start": [*game.start]}


def _read_game(stored: Json) -> MinedGame:
    known = {name: value for name, value in stored.items() if name in MinedGame._fields}
    return MinedGame(**{**known, "start": WalkStart(*known["start"])})
