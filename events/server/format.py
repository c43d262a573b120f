"""The format of a store: a number in Redis, the level of what may be written to it.

A release raises `FORMAT` when it writes what the release before cannot work with: a new event type,
a new schema, another use of a key. The number of the store rises to that of this release once no
process of an earlier release shows a heartbeat any more; until then this release writes what the
earlier one reads (`LEVELS`). So two releases run side by side. From then on a process of the
earlier release does not start. The number never falls. It stands next to the projections and not
among them, because a rebuild removes those. `docs/operating/upgrades.md` describes
upgrades.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.failures import NewerRelease
from cartulary.events.model.types import (
    LADDER_LEFT,
    MOVES_TAKEN_BACK,
    SEAT_DECLINED,
    SEAT_TAKEN_OVER,
    STAND_IN_SEATED,
)
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

FORMAT: Final = 9
"""The format that this release writes once no earlier one runs."""

LEVELS: Final[Mapping[int, Mapping[str, int]]] = {
    6: {MOVES_TAKEN_BACK: 2},
    7: {SEAT_DECLINED: 2, STAND_IN_SEATED: 2},
    8: {LADDER_LEFT: 1, SEAT_TAKEN_OVER: 2},
}
"""By format: the schemas of events that are written from that format on.

A new type stands here with its schema 1. What stands nowhere is written in every format.
"""

MEANINGS: Final[Mapping[int, str]] = {
    2: "the chain: every event names the hash of the event before",
    3: "people who leave, come back and take moves back",
    4: "clocks: the events of time",
    5: "the archive of finished games",
    6: "what a free takeback costs in a timed game",
    7: "players who are bots",
    8: "games that name their ladder, and players who take over the seats of bots",
    9: "games of tournaments; the archive in PostgreSQL gets partitions",
}
"""By format: what a release of an earlier format does not know, for people."""

WITH_BOTS: Final = 7
"""From this format on a player may be a bot: an earlier release takes such a player for a person,
so no player of kind bot comes before, and no event names one."""

WITH_FILLED_SEATS: Final = 8
"""From this format on players take over the seats of bots: an earlier release reads no such event,
so no game with such seats comes before."""

WITH_TOURNAMENTS: Final = 9
"""From this format on there are games of tournaments: an earlier release would let their players
take moves back and show a sealed game to all, so no such game comes before."""

WITH_PARTITIONS: Final = 9
"""From this format on the games of an archive in PostgreSQL have partitions: an earlier release
opens no tables of that version, so the archive keeps those that it knows until then."""

LEVELED: Final = frozenset(type_ for schemas in LEVELS.values() for type_ in schemas)

ALIVE_MS: Final = 15_000
"""A process that has shown no heartbeat for so long does not run any more."""

_CLAIM: Final = read_script("server", "claim.lua")


class UnusableStore(LedgerError):
    """No process of this release may work on the store; the message says what to do."""


class HalfRestored(UnusableStore):
    """A restore of `file` was interrupted, so the store is incomplete."""

    def __init__(self, file: str) -> None:
        super().__init__(
            f"a restore of {file} was interrupted, so the store is incomplete: run "
            f"`cartulary restore` with that file again, or start with an empty data directory"
        )


class NewerStore(NewerRelease, UnusableStore):
    """The format of the store is newer than the format of this release."""

    def __init__(self, stored: int, known: int) -> None:
        super().__init__(
            f"a newer release has written to this store (its format is {stored}, this release knows"
            f" {known}): upgrade this process"
        )


def find_schema(type_: str, current: int, level: int) -> int:
    """Return the schema in which an event is written at a level, 0: the type may not come yet.

    `current` is the schema of the type in this release.
    """
    later = (schemas.get(type_) for since, schemas in LEVELS.items() if since > level)
    return min((schema - 1 for schema in later if schema is not None), default=current)


class Level:
    """The format in which this process writes: that of the store, as far as it is known.

    It is read again only while the store has an earlier format than this release: a format that is
    out of date is lower, and every process reads what is written in it. Thread-safe.
    """

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self._known = 0

    def claim(self) -> None:
        """Note that this release writes to the store, and raise the format where that is due.

        Raises `NewerStore` (at the first time only: a process that runs works on), `HalfRestored`,
        `RedisError`.
        """
        if self._known >= FORMAT:
            return
        found = claim_format(self._redis, self._clock.now_ms())
        if not self._known:
            refuse_newer(found)
        self._known = found

    def read(self) -> int:
        """Return the format in which to write. Raises `RedisError`."""
        if self._known < FORMAT:
            self._known = read_level(self._redis) or FORMAT
        return self._known


def claim_format(redis: Redis, now: int) -> int:
    """Raise the format of the store, unless a process of an earlier release runs; return it.

    `now` is the time in ms since the epoch. A store without a number is new. Raises `HalfRestored`,
    `RedisError`.
    """
    names = (
        *(keys.store_format(), keys.restoring(), keys.heartbeat(), keys.heartbeats()),
        keys.dispatcher(),
        keys.WORKERS,
    )
    answer: Any = redis.eval(_CLAIM, len(names), *names, FORMAT, now, ALIVE_MS)
    if isinstance(answer, bytes):
        raise HalfRestored(answer.decode(errors="replace"))
    return int(answer)


def check_format(redis: Redis) -> None:
    """Check that this release can work on the store; changes nothing.

    Raises `NewerStore` when a newer release has written to the store, `HalfRestored` when a restore
    was interrupted, `RedisError`.
    """
    mark: Any = redis.hget(keys.restoring(), "file")
    if mark is not None:
        raise HalfRestored(mark.decode(errors="replace"))
    refuse_newer(read_level(redis))


def read_level(redis: Redis) -> int:
    """Return the format level of a store as it is stored, 0 without one. Raises `RedisError`."""
    stored: Any = redis.get(keys.store_format())
    return int(stored) if stored is not None and stored.isdigit() else 0


def refuse_newer(stored: int) -> None:
    """Raise `NewerStore` when a format is newer than the format of this release."""
    if stored > FORMAT:
        raise NewerStore(stored, FORMAT)
