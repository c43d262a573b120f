"""The workers as RQ has them registered, read without a change.

`rq.Worker.all` removes the workers that have ended, and so it writes. What stands in the hash of a
worker is what `StoppableWorker` and RQ 2.12 write (`tests/project/test_borrowed.py`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from redis import Redis

from cartulary.events.server import keys
from cartulary.events.server.heartbeat import Sign
from cartulary.workers.queues.queues import THINK

ENDED_S: Final = 45.0
"""A worker that has shown nothing for so long has ended: a job takes 30 s at most."""

FORGOTTEN_S: Final = 120.0
"""RQ has forgotten a worker that has shown nothing for so long. Where it has not, the clock of the
worker is behind by so much: a worker notes its own time."""

EARLY_S: Final = 10.0
"""A sign of life from so far ahead was written by a clock that is ahead."""

_FIELDS: Final = (
    *("queues", "hostname", "pid", "last_heartbeat", "birth"),
    *("format", "release", "key_mark"),
)


def list_workers(queue: Redis) -> list[Sign]:
    """Return the workers that live; `fast` takes quick jobs only, `worker` all. Changes nothing.

    Others may use the same server for workers of their own: these are left out. Raises
    `RedisError`.
    """
    found: Any = queue.smembers(keys.WORKERS)
    pipe = queue.pipeline(transaction=False)
    for name in sorted(found):
        pipe.hmget(name, _FIELDS)
    seconds, micros = queue.time()
    signs = [_read_sign(fields, seconds + micros / 1e6) for fields in pipe.execute()]
    return sorted(sign for sign in signs if sign is not None and sign.silent_s <= ENDED_S)


def _read_sign(fields: list[bytes | None], now: float) -> Sign | None:
    texts = [(one or b"").decode() for one in fields]
    queues, host, pid, beat, birth, format_, release, key = texts
    if "cartulary" not in queues or not beat:
        return None
    name = "worker" if THINK in queues.split(",") else "fast"
    silent_s, age_s = now - _read_time(beat), now - _read_time(birth or beat)
    ahead_s = 0
    if not -EARLY_S <= silent_s <= FORGOTTEN_S:
        ahead_s, silent_s = round(-silent_s), 0.0
    about = (release, int(format_ or 0), key, ahead_s, max(0.0, age_s + ahead_s))
    return Sign(name, host, int(pid or 0), "", max(0.0, silent_s), *about)


def _read_time(text: str) -> float:
    """Return a time of RQ, which is UTC, in seconds since the epoch."""
    return datetime.fromisoformat(text.removesuffix("Z") + "+00:00").timestamp()
