"""The analyses of games: a projection that is made in slices, and can be made again.

Each decision is stored as soon as it is judged, so a worker that is killed loses one decision. An
analysis belongs to the end of its game, which is named by the hash of the last event: when a store
has lost that end, the analysis is not found any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

QUEUED, RUNNING, DONE, FAILED = STATUSES = ("queued", "running", "done", "failed")
"""What becomes of an analysis."""

REASONS: Final = {
    "error": "the analysis of a decision has raised an error",
    "late": "the analysis of a decision has taken too long",
    "unreadable": "the events of the game cannot be read",
    "crashed": "the worker has died several times at the same decision",
}
"""Why an analysis has failed, with a line for people."""

LEVEL: Final = "hard"
"""The level of the bot that judges."""

KEPT_DAYS: Final = 30
"""For so many days an analysis is kept."""

STARTED, FINISHED = "started", "finished"
COUNTED: Final = (STARTED, FINISHED, FAILED)
"""What is counted."""

_FIELDS = ("status", "head", "level", "at", "total", "reason", "seats", "moments")


class Analysis(NamedTuple):
    """An analysis as it stands, without its decisions.

    `head` is the hash of the last event of the game; `at` is when the analysis was asked for, in ms
    since the epoch; `total` is 0 as long as the number of decisions is unknown. `reason` is
    one of `REASONS`, None unless the analysis has failed; `seats` is None until it is done.
    `moments` is empty until then, and in an analysis of an earlier release.
    """

    status: str
    head: str
    level: str
    at: int
    done: int
    total: int = 0
    reason: str | None = None
    seats: Sequence[Json] | None = None
    moments: Sequence[Json] = ()

    @property
    def progress(self) -> float:
        """The share of the decisions that are judged, 0 to 1."""
        if self.status == DONE:
            return 1.0
        return round(self.done / self.total, 3) if self.total else 0.0

    @property
    def under_way(self) -> bool:
        """True until the analysis is done or has failed."""
        return self.status in (QUEUED, RUNNING)


class Analyses:
    """The analyses on one server. Thread-safe."""

    kept_days = KEPT_DAYS
    """For so many days an analysis is kept after its start, and again after its end."""

    def __init__(self, redis: Redis, clock: Clock, registry: Redis | None = None) -> None:
        """Keep the analyses on `redis`; `registry` says which are under way, and counts them."""
        self._redis, self._clock = redis, clock
        self._registry = redis if registry is None else registry
        self._start, self._add, self._end = (
            redis.register_script(read_script("analyses", f"{name}.lua"))
            for name in ("start", "add", "end")
        )

    # -- for those who ask -----------------------------------------------------------------------

    def find(self, game_id: str, head: str | None = None) -> Analysis | None:
        """Return the analysis of a game, None without any; `head` None: of whatever end."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.hmget(keys.analysis(game_id), _FIELDS)
        pipe.llen(keys.analysed_decisions(game_id))
        stored, done = pipe.execute()
        found = _read(stored, int(done))
        return None if found is None or (head is not None and found.head != head) else found

    def list_done(self, game_ids: Sequence[str]) -> set[str]:
        """Return those of some games whose analysis is done and still there."""
        pipe = self._redis.pipeline(transaction=False)
        for game_id in game_ids:
            pipe.hget(keys.analysis(game_id), "status")
        found = zip(game_ids, pipe.execute(), strict=True)
        return {game_id for game_id, status in found if status == DONE.encode()}

    def start(self, game_id: str, head: str) -> str:
        """Start the analysis of a game; return the status of the analysis that is there, else ''.

        Of several calls at once, one starts the analysis. A failed analysis goes on.
        """
        now = self._clock.now_ms()
        # First, so that a worker finds the analysis when this process dies in between.
        self._registry.zadd(keys.analyses(), {game_id: now}, nx=True)
        answer: Any = self._start(keys=_keys(game_id), args=[head, LEVEL, now, self._kept_s])
        status = str(answer.decode())
        if not status:
            self._registry.hincrby(keys.analyses_counted(), STARTED, 1)
        if status != DONE:
            # A worker that has looked in between has found no analysis, and dropped the entry.
            self._registry.zadd(keys.analyses(), {game_id: now}, nx=True)
        return status

    def read_decisions(self, game_id: str, after: int = 0, most: int | None = None) -> list[bytes]:
        """Return the first `most` decisions as JSON, None: all; those of versions above `after`."""
        end = -1 if most is None else most - 1
        stored: Any = self._redis.lrange(keys.analysed_decisions(game_id), 0, end)
        stored = stored[:most]
        if not after:
            return [bytes(one) for one in stored]
        return [bytes(one) for one in stored if orjson.loads(one)["version"] > after]

    def read_counts(self) -> dict[str, int]:
        """Return how many analyses were started here, finished, and have failed."""
        found: Any = self._registry.hmget(keys.analyses_counted(), COUNTED)
        return {name: int(one or 0) for name, one in zip(COUNTED, found, strict=True)}

    # -- for those who work ----------------------------------------------------------------------

    def list_under_way(self, most: int) -> list[str]:
        """Return the games whose analyses are under way, those that were asked for first."""
        found: Any = self._registry.zrange(keys.analyses(), 0, most - 1)
        return [one.decode() for one in found]

    def drop(self, game_id: str) -> None:
        """Forget that the analysis of a game is under way: it has expired."""
        self._registry.zrem(keys.analyses(), game_id)

    def count_attempt(self, game_id: str) -> int:
        """Count an attempt at the next decision; return how many there were, with this one."""
        return int(self._redis.hincrby(keys.analysis(game_id), "attempts", 1))

    def uncount_attempt(self, game_id: str) -> None:
        """Take an attempt back that has not come to the decision: nothing speaks against it."""
        self._redis.hincrby(keys.analysis(game_id), "attempts", -1)

    def add(self, game_id: str, analysis: Analysis, index: int, total: int, found: Json) -> bool:
        """Store the decision of an index; False when the analysis does not wait for it any more."""
        text = orjson.dumps(found)
        return bool(self._add(keys=_keys(game_id), args=[analysis.at, index, text, total]))

    def finish(
        self,
        game_id: str,
        analysis: Analysis,
        seats: Sequence[Json],
        moments: Sequence[Json] = (),
    ) -> bool:
        """Note that an analysis is done; `seats` sum it up. False when it has ended before."""
        found = {"seats": orjson.dumps(seats), "moments": orjson.dumps(moments)}
        return self._close(game_id, analysis, DONE, found, FINISHED)

    def fail(self, game_id: str, analysis: Analysis, reason: str) -> bool:
        """Note that an analysis has failed for one of `REASONS`. False when it has ended before."""
        return self._close(game_id, analysis, FAILED, {"reason": reason.encode()}, FAILED)

    def _close(
        self,
        game_id: str,
        analysis: Analysis,
        status: str,
        found: Mapping[str, bytes],
        counted: str,
    ) -> bool:
        fields = [part for entry in found.items() for part in entry]
        args: list[Any] = [analysis.at, status, self._kept_s, *fields]
        if not self._end(keys=_keys(game_id), args=args):
            return False
        # A process that dies before this leaves an entry, which the next worker drops.
        self.drop(game_id)
        self._registry.hincrby(keys.analyses_counted(), counted, 1)
        return True

    @property
    def _kept_s(self) -> int:
        return self.kept_days * 86_400


def _keys(game_id: str) -> list[str]:
    return [keys.analysis(game_id), keys.analysed_decisions(game_id)]


def _read(stored: Sequence[bytes | None], done: int) -> Analysis | None:
    """Return what is stored, None for a hash that has no status."""
    texts = (None if one is None else one.decode() for one in stored)
    found = dict(zip(_FIELDS, texts, strict=True))
    if not found["status"]:
        return None
    return Analysis(
        found["status"],
        found["head"] or "",
        found["level"] or LEVEL,
        int(found["at"] or 0),
        done,
        int(found["total"] or 0),
        found["reason"],
        None if found["seats"] is None else orjson.loads(found["seats"]),
        [] if found["moments"] is None else orjson.loads(found["moments"]),
    )
