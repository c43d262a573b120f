"""The cache of tables and tokens."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from cartulary.events.cache import Cache


def test_a_value_is_found_by_its_key() -> None:
    cache: Cache[str, int] = Cache(2)
    assert cache.get("a") is None
    cache.put("a", 1)
    cache.put("a", 2)
    assert cache.get("a") == 2


def test_the_least_recently_used_value_goes_first() -> None:
    cache: Cache[str, int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_putting_a_value_again_counts_as_use() -> None:
    cache: Cache[str, int] = Cache(2)
    for key, value in (("a", 1), ("b", 2), ("a", 1), ("c", 3)):
        cache.put(key, value)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_an_earlier_value_stays_unless_the_new_one_replaces_it() -> None:
    cache: Cache[str, int] = Cache(2)
    for value in (5, 3, 7, 6):
        cache.put("a", value, lambda known, new: known < new)
    assert cache.get("a") == 7


def test_clearing_drops_every_value() -> None:
    cache: Cache[str, int] = Cache(2)
    cache.put("a", 1)
    cache.clear()
    assert cache.get("a") is None


def test_threads_share_a_cache() -> None:
    cache: Cache[int, int] = Cache(10)

    def use(number: int) -> bool:
        cache.put(number % 25, number % 25)
        return cache.get(number % 25) in (None, number % 25)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(5000)))
    assert sum(cache.get(key) is not None for key in range(25)) == 10
