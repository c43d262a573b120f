"""Compares the projections that a new release makes with those that are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from redis import Redis

from cartulary.events.lists.projections import FORM
from cartulary.events.server import keys
from cartulary.events.store import Store

AT_ONCE = 500
"""Summaries of one round trip."""

_FIELDS = ("version", "json", "indexes", "form")


class Compared(NamedTuple):
    """How many summaries are the same, of an earlier form, and no longer of the copied version.

    `missing` have no summary in the live store, `different` are the games whose summary has the
    form of this release and says something else.
    """

    same: int = 0
    aged: int = 0
    moved_on: int = 0
    missing: int = 0
    different: Sequence[str] = ()


def compare_summaries(live: Redis, copied: Redis, game_ids: Iterator[str]) -> Compared:
    """Compare the summaries of games in both stores. Reads only; raises `RedisError`."""
    counts = {"same": 0, "aged": 0, "moved_on": 0, "missing": 0}
    different: list[str] = []
    while some := list(islice(game_ids, AT_ONCE)):
        for game_id, *both in zip(some, _read(live, some), _read(copied, some), strict=True):
            if (word := _judge(*both)) == "different":
                different.append(game_id)
            else:
                counts[word] += 1
    return Compared(**counts, different=different)


def _read(redis: Redis, game_ids: Sequence[str]) -> list[list[bytes | None]]:
    pipe = redis.pipeline(transaction=False)
    for game_id in game_ids:
        pipe.hmget(keys.summary(game_id), *_FIELDS)
    return pipe.execute()


def _judge(stored: list[Any], made: list[Any]) -> str:
    if stored[0] is None:
        return "missing"
    if int(stored[3] or 1) < FORM:
        return "aged"
    if stored[0] != made[0]:
        return "moved_on"
    return "same" if stored == made else "different"


def count_aged(store: Store) -> int:
    """Return how many archived games have a summary of an earlier form. Raises `ArchiveError`."""
    return len(store.archive.list_aged(FORM))
