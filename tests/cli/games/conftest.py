"""What the tests of commands about finished games share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from cartulary.events.store import Store
from tests.support.store_with_archive import add_game, archive_all, find_url, open_with_archive


@pytest.fixture
def imported(
    real_redis: Redis, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """A store with an archived game that was imported, named in the environment."""
    with open_with_archive(real_redis, tmp_path) as store:
        store.claim()
        add_game(store)
        archive_all(store)
        monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
        monkeypatch.setenv("CARTULARY_ARCHIVE_URL", find_url(tmp_path))
        yield store
