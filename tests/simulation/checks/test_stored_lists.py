"""What a rebuild has to make again, and what it need not: places that are only reserved."""

from __future__ import annotations

import pytest
from redis import Redis

from cartulary.events.server import keys
from simulation.checks.stored_lists import compare_lists, read_lists


@pytest.mark.parametrize("key", [keys.quota("P", "open"), keys.offers("P", "Q")])
def test_a_game_that_counts_is_compared_and_a_reservation_is_not(
    fake_redis: Redis, key: str
) -> None:
    """Seed 5b569f6d-20 once called a reservation, which had ended long before, a wrong list."""
    fake_redis.zadd(key, {"reserved": 1_800_000_231_004})
    reserved = read_lists(fake_redis)
    fake_redis.zadd(key, {"counted": 0})
    counted = read_lists(fake_redis)
    fake_redis.delete(key)
    assert list(compare_lists(reserved, read_lists(fake_redis))) == []
    (line,) = compare_lists(counted, read_lists(fake_redis))
    assert line.startswith(f"{key}: was ")
