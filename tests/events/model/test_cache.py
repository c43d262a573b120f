"""The cache of tables, tokens, reports and compressed answers."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from cartulary.events.model.cache import ENTRY, Cache


def two() -> Cache[str, int]:
    """A cache with room for two values."""
    return Cache(2 * (ENTRY + 1), lambda value, before: 1)


def test_a_value_is_found_by_its_key() -> None:
    cache = two()
    assert cache.get("a") is None
    cache.put("a", 1)
    cache.put("a", 2)
    assert cache.get("a") == 2


def test_the_least_recently_used_value_goes_first() -> None:
    cache = two()
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_putting_a_value_again_counts_as_use() -> None:
    cache = two()
    for key, value in (("a", 1), ("b", 2), ("a", 1), ("c", 3)):
        cache.put(key, value)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_an_earlier_value_stays_unless_the_new_one_replaces_it() -> None:
    cache = two()
    for value in (5, 3, 7, 6):
        cache.put("a", value, lambda known, new: known < new)
    assert cache.get("a") == 7


def test_clearing_drops_every_value() -> None:
    cache = two()
    cache.put("a", 1)
    cache.clear()
    assert cache.get("a") is None


@pytest.mark.slow
def test_threads_share_a_cache() -> None:
    cache: Cache[int, int] = Cache(10 * (ENTRY + 1), lambda value, before: 1)

    def use(number: int) -> bool:
        cache.put(number % 25, number % 25)
        return cache.get(number % 25) in (None, number % 25)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(5000)))
    assert sum(cache.get(key) is not None for key in range(25)) == 10


def test_a_cache_holds_at_most_its_bytes_whatever_the_values_weigh() -> None:
    cache: Cache[int, int] = Cache(10_000, lambda value, before: value)
    rng = random.Random(1)
    for _ in range(2000):
        number = rng.randrange(50)
        cache.put(number, rng.randrange(4000))
        if rng.random() < 0.2:
            cache.drop(rng.randrange(50))
        held = [value for key in range(50) if (value := cache.get(key)) is not None]
        assert cache.size == sum(held) + ENTRY * len(held) <= 10_000
    cache.clear()
    assert cache.size == 0


def test_a_value_that_is_larger_than_the_cache_is_not_cached() -> None:
    cache: Cache[str, int] = Cache(1000, lambda value, before: value)
    cache.put("a", 2000)
    assert cache.get("a") is None
    assert cache.size == 0


def test_weighing_gets_the_estimate_for_the_earlier_value() -> None:
    seen: list[int] = []

    def weigh(value: int, before: int) -> int:
        seen.append(before)
        return value

    cache: Cache[str, int] = Cache(1000, weigh)
    cache.put("a", 10)
    cache.put("a", 20)
    cache.put("b", 30)
    assert seen == [0, 10, 0]
