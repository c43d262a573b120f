"""A PostgreSQL of the tests: one cluster for each process of tests, thrown away at its end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

from bench.store import _postgresql
from bench.store._postgresql import Cluster
from tests.support.missing_tools import missing

SETTINGS = (
    # Nothing of this cluster outlives the tests.
    *("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "jit=off"),
    *("shared_buffers=16MB", "max_wal_size=128MB", "max_connections=40"),
)


def find_program(name: str) -> Path:
    """Return a program of the newest PostgreSQL here."""
    found = _postgresql.find_program(name)
    if found is None:
        missing("PostgreSQL is not installed (apt-get install postgresql)")
    return found


@contextmanager
def run_cluster() -> Iterator[Path]:
    """Yield the directory of the socket of a new cluster, which trusts the user `postgres`."""
    with tempfile.TemporaryDirectory(prefix="cartulary-postgresql-") as name:
        try:
            cluster = Cluster(Path(name))
        except FileNotFoundError as error:
            missing(str(error))
        try:
            cluster.start(SETTINGS)
            yield cluster.folder
        finally:
            cluster.stop(at_once=True)


def execute(folder: Path, statement: str) -> None:
    """Run a statement as the user who owns all."""
    with psycopg.connect(host=str(folder), user="postgres", autocommit=True) as connection:
        connection.execute(statement.encode())


@contextmanager
def make_schema(folder: Path, name: str) -> Iterator[str]:
    """Yield the URL of a schema of its own: a new database would take ten times as long."""
    execute(folder, f"CREATE SCHEMA {name}")
    options = quote(f"-csearch_path={name}", safe="")
    yield f"postgresql+psycopg://postgres@/postgres?host={quote(str(folder))}&options={options}"
    execute(folder, f"DROP SCHEMA {name} CASCADE")
