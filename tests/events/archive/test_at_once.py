"""Several processes write to one archive, and one of them dies in the middle of a write."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.rows import Archived
from tests.events.archive.material import make_game, open_by_months

STOPS_IN_A_WRITE = """\
import sys
from sqlalchemy import Engine, event
from cartulary.events.archive.archive import Archive
from tests.events.archive.material import make_game

@event.listens_for(Engine, "before_cursor_execute")
def stop(connection, cursor, statement, *_more):
    if statement.startswith("INSERT INTO people") and stopping:
        print("inside", flush=True)
        sys.stdin.read()

stopping = False
archive = Archive.open(sys.argv[1])
archive.write([make_game("01OLD"), make_game("01BEFORE")])
stopping = True
archive.write([make_game("01OLD", moves=50), make_game("01NEW")])
"""


@pytest.mark.process
def test_a_process_that_is_killed_in_a_write_leaves_nothing_half(url: str) -> None:
    open_by_months(url).close()
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", STOPS_IN_A_WRITE, url]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "inside\n"
        process.kill()
    archive = Archive.open(url)
    assert archive.ids() == ["01BEFORE", "01OLD"]
    assert archive.read("01OLD") == make_game("01OLD")
    archive.write([make_game("01OLD", moves=50), make_game("01NEW")])
    assert archive.read("01OLD") == make_game("01OLD", moves=50)
    archive.close()


@pytest.mark.slow
def test_two_archivers_may_write_the_same_games(url: str) -> None:
    open_by_months(url).close()
    games = [make_game(f"{number:03}") for number in range(40)]

    def write(ordered: Sequence[Archived]) -> None:
        archive = Archive.open(url)
        for at in range(0, len(ordered), 8):
            archive.write(ordered[at : at + 8])
        archive.close()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(write, (games, games[::-1], games[20:] + games[:20])))
    archive = Archive.open(url)
    assert [archive.read(game.id) for game in games] == games
    assert archive.count() == len(games)
    archive.close()


@pytest.mark.slow
def test_readers_and_a_writer_do_not_wait_for_each_other(archive: Archive) -> None:
    games = [make_game(f"{number:03}") for number in range(60)]
    archive.write(games[:20])

    def read(_number: int) -> bool:
        return all(archive.read(game.id) == game for game in games[:20])

    with ThreadPoolExecutor(4) as pool:
        reads = pool.map(read, range(3))
        for game in games[20:]:
            archive.write([game])
        assert all(reads)
    assert archive.count() == 60
