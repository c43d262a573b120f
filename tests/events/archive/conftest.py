"""An archive of each kind: the same tests hold on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from redis import Redis

from cartulary.events.archive.archive import Archive
from cartulary.events.store import Store
from tests.events.archive.material import open_by_months
from tests.events.archive.postgresql import make_schema, run_cluster
from tests.support.store_with_archive import open_with_archive

_numbers = count()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    """The directory of the socket of a PostgreSQL that lives as long as the tests."""
    with run_cluster() as folder:
        yield folder


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/archive.sqlite"


@pytest.fixture
def postgresql_url(cluster: Path) -> Iterator[str]:
    with make_schema(cluster, f"test_{next(_numbers)}") as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database. What `archive` opens has partitions on PostgreSQL."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
def store(real_redis: Redis, tmp_path: Path) -> Iterator[Store]:
    """A store whose archive is a file."""
    with open_with_archive(real_redis, tmp_path) as store:
        yield store


@pytest.fixture
def archive(url: str) -> Iterator[Archive]:
    archive = open_by_months(url)
    yield archive
    archive.close()
