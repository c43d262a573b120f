"""A migration of the archive that is killed at any step loses nothing, and the next one ends it."""

from __future__ import annotations

import os
import signal
from itertools import count
from pathlib import Path

import pytest

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.tables import NEWEST, VERSION_TABLE
from tests.events.archive.database import list_tables, run
from tests.events.archive.dying import die_at
from tests.events.archive.material import make_game
from tests.upgrade.first_release import ARCHIVE, TABLES, take_tables_back

pytestmark = pytest.mark.process


@pytest.fixture
def url(tmp_path: Path) -> str:
    """An archive with two games and the tables of the first release."""
    url = f"sqlite:///{tmp_path}/archive.sqlite"
    archive = Archive.open(url)
    archive.write([make_game("01KFIRST"), make_game("01KOTHER")])
    archive.close()
    take_tables_back(url)
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
        assert list_tables(url) == TABLES
    assert step > 4
    assert found == {ARCHIVE, NEWEST}
    archive = Archive.open(url)
    assert sorted(archive.ids("")) == ["01KFIRST", "01KOTHER"]
    archive.close()
