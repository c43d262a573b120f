"""The note of the last proven backup, as others read it."""

from __future__ import annotations

import pytest
from redis import Redis

from cartulary.events.backup.proven import Proven, note_proven, read_last_proven
from cartulary.events.server import keys


def test_the_last_note_counts(fake_redis: Redis) -> None:
    assert read_last_proven(fake_redis) is None
    for at in (1, 2):
        note_proven(fake_redis, Proven(at, "/backups", 3, "0.1.0"))
    assert read_last_proven(fake_redis) == Proven(2, "/backups", 3, "0.1.0")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"at":"x","target":"","games":0}'])
def test_a_note_that_cannot_be_read_is_no_proof(fake_redis: Redis, text: str) -> None:
    fake_redis.set(keys.proven_backup(), text)
    with pytest.raises(ValueError, match=r"."):
        read_last_proven(fake_redis)
