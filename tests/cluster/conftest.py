"""A cluster of three masters, whose registry is the server of the other tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing

import pytest
from redis import Redis

from bench.cluster_nodes import BenchCluster
from cartulary.events.live.live import Hub
from cartulary.events.server.connection import connect
from cartulary.events.server.key_catalogue import find_family
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.conftest import ada, bob, eve, make_scene, open_table, scene

__all__ = ["ada", "bob", "eve", "make_scene", "open_table", "scene"]


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BenchCluster]:
    """Three masters without replicas, which live as long as the tests."""
    with BenchCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(nodes: BenchCluster) -> Iterator[Redis]:
    """A client of an empty cluster; emptied again after the test."""
    client = connect(nodes.url)
    yield client
    misplaced = [key for key in client.scan_iter(count=1000) if not _is_of_games(key)]
    client.flushall()
    client.close()
    assert misplaced == [], "these keys belong to the registry"


@pytest.fixture
def registry(real_redis: Redis) -> Iterator[Redis]:
    """A client of the server with everything that belongs to no game."""
    yield real_redis
    misplaced = [key for key in real_redis.scan_iter(count=1000) if _is_of_games(key)]
    assert misplaced == [], "these keys belong to the games"


@pytest.fixture
def store(cluster: Redis, registry: Redis, rng: random.Random) -> Iterator[Store]:
    """A ledger whose games are in a cluster."""
    store = Store(cluster, OFFERS, rng=rng, registry=registry)
    yield store
    store.leases.close()
    store.projector.close()


@pytest.fixture
def hub(store: Store) -> Iterator[Hub]:
    """The live events of that ledger."""
    with closing(Hub(store.ledger)) as hub:
        yield hub


def _is_of_games(key: bytes) -> bool:
    found = find_family(key.decode())
    return found is not None and found.is_of_games
