"""How the archive fares: what every process may know of it without asking the archive.

The archiver notes in the store what it has done and what has failed. After a failure it waits, for
longer each time, before it tries again; the games stay in the store meanwhile.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.model.clock import Clock
from cartulary.events.server import keys

FIRST_WAIT_MS: Final = 5_000
LONGEST_WAIT_MS: Final = 10 * 60_000
"""The wait after a failure doubles from the first up to the longest."""

_OF_FAILURE: Final = ("failures", "error", "problem", "again_at")


class ArchiverState(NamedTuple):
    """What the archiver has noted: times in ms since the epoch, 0 for never.

    `failures` counts the failures since the last success; `error` is the last of them, and
    `problem` the word for it (`ArchiveError.problem`), '' after a success. Until `again_at` nothing
    is tried.
    """

    archived: int = 0
    last_at: int = 0
    failures: int = 0
    failed_in_all: int = 0
    error: str = ""
    problem: str = ""
    again_at: int = 0

    @property
    def works(self) -> bool:
        """Whether the last attempt has succeeded, as far as this process knows."""
        return not self.failures


class ArchiveState:
    """What the archiver has noted in the store. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock

    def read(self) -> ArchiverState:
        """Return what is noted."""
        found: Any = self._redis.hgetall(keys.archive())
        noted = {name.decode(): value.decode() for name, value in found.items()}
        error, problem = noted.pop("error", ""), noted.pop("problem", "")
        numbers = {
            name: int(value) for name, value in noted.items() if name in ArchiverState._fields
        }
        return ArchiverState(**numbers, error=error, problem=problem)

    def find_identity(self) -> str | None:
        """Return the id of the archive that has the games of this store, None while none has."""
        found: Any = self._redis.get(keys.archive_identity())
        return None if found is None else found.decode()

    def claim(self, identity: str) -> str:
        """Note the id of the archive before a game leaves the store; return the id that is noted.

        The first archive counts, also where two archivers start at once.
        """
        key: Any = keys.archive_identity()
        found: Any = self._redis.set(key, identity, nx=True, get=True)
        return identity if found is None else str(found.decode())

    def forget_identity(self) -> None:
        """Forget which archive has games of this store: for a restore, which fills another."""
        self._redis.delete(keys.archive_identity())

    def note_success(self, archived: int) -> None:
        """Note that games were archived."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.hincrby(keys.archive(), "archived", archived)
        pipe.hset(keys.archive(), "last_at", self._clock.now_ms())
        pipe.hdel(keys.archive(), *_OF_FAILURE)
        pipe.execute()

    def note_works(self) -> None:
        """Note that the archive answers."""
        self._redis.hdel(keys.archive(), *_OF_FAILURE)

    def note_failure(self, error: ArchiveError) -> None:
        """Note that the archive has failed, and wait before the next attempt."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.hincrby(keys.archive(), "failures", 1)
        pipe.hincrby(keys.archive(), "failed_in_all", 1)
        failures = int(pipe.execute()[0])
        wait = min(FIRST_WAIT_MS * 2 ** min(failures - 1, 20), LONGEST_WAIT_MS)
        again_at: Any = self._clock.now_ms() + wait
        said: Any = {"error": str(error), "problem": error.problem, "again_at": again_at}
        self._redis.hset(keys.archive(), mapping=said)
