"""The last backup that was proven: restored into a scratch store, whose audit found nothing.

The command that makes backups writes the note; `cartulary status`, `cartulary doctor` and the
metrics read it. The note is of this installation: a restore does not bring it along.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson
from redis import Redis

from cartulary.events.server import keys


class Proven(NamedTuple):
    """A proven backup.

    `at` is when its reading began, in ms since the epoch: what was stored by then is in it.
    `target` is where it lies, as it was given to the command; `games` is how many games it has,
    and `version` the release that made it.
    """

    at: int
    target: str
    games: int
    version: str


def note_proven(registry: Redis, proven: Proven) -> None:
    """Note a proven backup as the last one; raises `RedisError`."""
    registry.set(keys.proven_backup(), orjson.dumps(proven._asdict()))


def read_last_proven(registry: Redis) -> Proven | None:
    """Return the last proven backup, None where there was no backup that is proven.

    Raises `ValueError` for a note that this release cannot read, `RedisError`.
    """
    text: Any = registry.get(keys.proven_backup())
    if text is None:
        return None
    found = orjson.loads(text)
    try:
        return Proven(
            int(found["at"]), str(found["target"]), int(found["games"]), str(found["version"])
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"the note of the last proven backup cannot be read: {error}") from error
