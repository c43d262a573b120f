"""An archive of each kind: the same tests hold on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.events.archive.archive import Archive


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of an empty database."""
    return f"sqlite:///{tmp_path}/archive.sqlite"


@pytest.fixture
def archive(url: str) -> Iterator[Archive]:
    archive = Archive.open(url)
    yield archive
    archive.close()
