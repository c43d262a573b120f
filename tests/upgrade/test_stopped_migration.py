"""A migration of the archive that is killed at any step loses nothing, and the next one ends it."""

from __future__ import annotations

import os
import signal
from itertools import count
from pathlib import Path

import pytest

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.tables import NEWEST, VERSION_TABLE
from tests.events.archive.database import run
from tests.events.archive.dying import die_at
from tests.events.archive.material import make_game

pytestmark = pytest.mark.process

BEFORE = "0003"
"""The tables of the first release: those of today without the inventory."""


@pytest.fixture
def url(tmp_path: Path) -> str:
    """An archive with two games and the tables of the first release."""
    url = f"sqlite:///{tmp_path}/archive.sqlite"
    archive = Archive.open(url)
    archive.write([make_game("01KFIRST"), make_game("01KOTHER")])
    archive.close()
    run(url, "DROP TABLE inventory")
    run(url, f"UPDATE {VERSION_TABLE} SET version_num = '{BEFORE}'")
    return url


def open_until(step: int, url: str) -> int:
    """Migrate in a process that kills itself at a step; return the signal that has ended it."""
    child = os.fork()
    if not child:
        die_at(step)
        Archive.open(url).close()
        os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def test_a_migration_that_is_killed_at_any_step_leaves_all_or_nothing(url: str) -> None:
    found = set()
    for step in count(1):
        ended = open_until(step, url)
        found.add(version := run(url, f"SELECT version_num FROM {VERSION_TABLE}")[0])
        assert len(run(url, "SELECT id FROM games")) == 2
        assert ended in (0, signal.SIGKILL)
        if version == NEWEST:
            break
        assert run(url, "SELECT name FROM sqlite_master WHERE name = 'inventory'") == []
    assert step > 4
    assert found == {BEFORE, NEWEST}
    archive = Archive.open(url)
    assert sorted(archive.ids("")) == ["01KFIRST", "01KOTHER"]
    archive.close()
