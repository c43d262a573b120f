"""A book of the explorer in an empty database of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.events.explorer.book import Book
from tests.events.archive.conftest import cluster, postgresql_url

__all__ = ["cluster", "postgresql_url"]


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/explorer.sqlite"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
def book(request: pytest.FixtureRequest) -> Iterator[Book]:
    book = Book(request.getfixturevalue(f"{request.param}_url"))
    book.prepare()
    yield book
    book.close()
