"""Two stores on real servers: a backup goes from the first to the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from tests.conftest import OFFERS


@pytest.fixture(scope="package")
def other_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with EmbeddedValkey(tmp_path_factory.mktemp("other")) as valkey:
        assert valkey.url is not None
        yield valkey.url


@pytest.fixture
def other(other_server: str) -> Iterator[Store]:
    """An empty store elsewhere."""
    store = Store(connect(other_server), OFFERS)
    yield store
    store.redis.flushall()
    store.close()


@pytest.fixture
def store(real_store: Store) -> Store:
    real_store.claim()
    return real_store
