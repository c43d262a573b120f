"""The first release and the sources of today side by side on one store, under load.

The store is what the first release has stored. Everything is exchanged while people play; then all
of it goes back to the first release, and forward again, until the last older process is gone.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import requests
from click.testing import CliRunner

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.main import main
from cartulary.events.model.chain import hash_or_none
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.server.format import FORMAT, LEVELS
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.upgrade import first_release
from tests.upgrade.first_release import BACKUP, MIGRATIONS, TODAY, unpack_sources
from tests.upgrade.rolling import DISPATCHER, WORKER, Front, Installation, Load, end, list_children

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.process]

MOVES = short_or_long(40, 150)
"""The number of moves that are made while both releases write."""

ROUNDS = short_or_long(1, 10)
"""Each is an upgrade of its own: no test may take ten minutes."""

A_FEW = short_or_long(15, 30)
UNUSABLE = 2

Json = dict[str, Any]


class Exchange:
    """The processes of both releases, exchanged while the load goes on."""

    def __init__(self, installation: Installation, before: Path) -> None:
        self.installation, self.before = installation, before
        self.front = Front()
        self.old = installation.serve(before)
        self.front.show(self.old)
        self.roles: list[subprocess.Popen[bytes]] = []
        self.start_roles(TODAY)

    def start_roles(self, release: Path) -> None:
        """Replace the dispatcher and the worker by those of a release."""
        self.end_roles()
        start = self.installation.start
        self.roles = [start(release, role) for role in (DISPATCHER, WORKER)]

    def end_roles(self) -> None:
        """End the dispatcher and the worker; the outbox keeps what they leave undone."""
        assert [end(role) for role in self.roles] == [0] * len(self.roles)
        self.roles = []

    def hang(self) -> None:
        """Let the older web process stand still, as on a machine that is suspended."""
        for pid in (self.old.process.pid, *list_children(self.old.process.pid)):
            os.kill(pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let what serves go on; its master, which would replace it now, stands still."""
        for pid in list_children(self.old.process.pid):
            os.kill(pid, signal.SIGCONT)

    def close(self) -> None:
        """End all processes."""
        self.go_on()
        self.old.process.send_signal(signal.SIGCONT)
        self.old.__exit__()
        for role in self.roles:
            end(role)


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The sources of the first release."""
    return unpack_sources(tmp_path / "first-release")


@pytest.fixture
def installation(tmp_path: Path, before: Path) -> Iterator[Installation]:
    """A store and an archive that the first release has filled from its backup."""
    # A restart keeps the address of a socket only where its path is short.
    with TemporaryDirectory() as folder, EmbeddedValkey(Path(folder) / "valkey") as valkey:
        data = Path(folder)
        made = Installation(data, valkey, tmp_path)
        done = made.run(before, "restore", str(BACKUP))
        assert done.returncode == 0, done.stderr
        yield made


@pytest.fixture
def redis(installation: Installation) -> Iterator[Any]:
    client = connect(installation.url)
    yield client
    client.close()


@pytest.mark.timeout(390)  # on a busy machine each start takes a minute
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_two_releases_write_side_by_side_and_no_move_is_refused(
    seed: int,
    installation: Installation,
    redis: Any,
    before: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in installation.settings.items():
        monkeypatch.setenv(name, value)
    archived, copy = find_archived(installation), installation.archive.read_bytes()
    rehearse_live()
    exchange = Exchange(installation, before)
    try:
        with Load(exchange.front, seed) as load:
            write_side_by_side(exchange, load, archived)
            go_back(exchange, load, redis, copy)
            newer = go_forward(exchange, load, redis)
            check_that_the_older_process_refuses(exchange, newer, archived)
        check_that_nothing_is_lost(load, redis)
        refused = installation.run(before, "audit")
        assert (refused.returncode, "upgrade this process" in refused.stderr) == (UNUSABLE, True)
    finally:
        exchange.close()


def write_side_by_side(exchange: Exchange, load: Load, archived: str) -> None:
    """Let a web process of each release take every other request."""
    read_archived(exchange.old.api, archived)
    with exchange.installation.serve(TODAY) as new:
        # The first release has the archive open, whose tables the new one migrates.
        read_archived(new.api, archived)
        read_archived(exchange.old.api, archived)
        exchange.front.show(exchange.old, new)
        play(load, MOVES)
        load.store_restarts = True
        exchange.installation.restart_store()
        play(load, A_FEW)
        load.store_restarts = False
        exchange.front.show(exchange.old)
        play(load, 1)


def go_back(exchange: Exchange, load: Load, redis: Any, archive: bytes) -> None:
    """Run the first release alone again: nothing that it cannot read was written."""
    exchange.start_roles(exchange.before)
    exchange.installation.put_archive_back(archive)
    play(load, A_FEW)
    assert list_newer(redis) == []
    audited = exchange.installation.run(exchange.before, "audit")
    assert audited.returncode == 0, audited.stdout + audited.stderr


def go_forward(exchange: Exchange, load: Load, redis: Any) -> str:
    """Let the last older process hang; return a game that it cannot read when it goes on."""
    with exchange.installation.serve(TODAY) as new:
        exchange.end_roles()
        exchange.front.show(new)
        play(load, A_FEW)
        exchange.hang()
        games = list(redis.scan_iter(match=keys.EVENTS_PATTERN))
        lengths = {keys.game_of_events(key.decode()): redis.xlen(key) for key in games}
        until(lambda: redis.get(keys.store_format()) == b"%d" % FORMAT, within=120)
        until(lambda: list_newer(redis) or load.refused or load.failures, within=120)
        newer = list_newer(redis)
        load.stop()
    assert (load.refused, load.failures) == ([], [])
    assert all(version > lengths.get(game, 0) for game, version, _ in newer)
    return newer[0][0]


def play(load: Load, moves: int) -> None:
    """Wait until so many more moves are made."""
    reached = load.moves + moves
    until(lambda: load.moves >= reached or load.failures or load.refused, within=840)
    assert (load.refused, load.failures) == ([], [])


def rehearse_live() -> None:
    """Rehearse the upgrade on the store that the first release has filled."""
    done = CliRunner().invoke(main, ["upgrade", "--rehearse", "live", "--json", "--jobs=1"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["written_by"]["format"] == first_release.FORMAT
    assert report["takes"]["games_to_rebuild"] > 0
    assert [one["tables"] for one in report["cannot_be_undone"]["migrations"]] == MIGRATIONS


def find_archived(installation: Installation) -> str:
    """Return a game of the archive."""
    with closing(sqlite3.connect(installation.archive)) as archive:
        (game,) = archive.execute("SELECT id FROM games").fetchone()
    return str(game)


def read_archived(api: str, game_id: str) -> None:
    """Read an archived game from a web process."""
    answer = requests.get(f"{api}/games/{game_id}", timeout=60)
    assert (answer.status_code, answer.json()["status"]) == (200, "over"), answer.text


def list_newer(redis: Any) -> list[tuple[str, int, Json]]:
    """Return the events, with game and version, that the first release cannot read."""
    found = []
    for key in redis.scan_iter(match=keys.EVENTS_PATTERN):
        for entry_id, fields in redis.xrange(key):
            event = json.loads(fields[b"event"])
            if any(
                event["schema"] >= schemas.get(event["type"], 1_000)
                for level, schemas in LEVELS.items()
                if level > first_release.FORMAT
            ):
                version = int(entry_id.partition(b"-")[0])
                found.append((keys.game_of_events(key.decode()), version, event))
    return found


def check_that_the_older_process_refuses(exchange: Exchange, game: str, other: str) -> None:
    """Let the older process go on: it refuses the game that it cannot read, and no other."""
    exchange.go_on()
    answer = requests.get(f"{exchange.old.api}/games/{game}", timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"]
    read_archived(exchange.old.api, other)


def check_that_nothing_is_lost(load: Load, redis: Any) -> None:
    """Look for each event that was promised, and audit everything."""
    assert (load.refused, load.failures) == ([], [])
    assert load.takebacks
    promised = {(game, version): hash_ for game, version, hash_ in load.kept}
    assert len(promised) == len(load.kept) > load.moves
    for (game, version), hash_ in promised.items():
        ((_, fields),) = redis.xrange(keys.events(game), f"{version}-0", f"{version}-0")
        assert hash_or_none(fields[b"event"]) == hash_
    audited = CliRunner().invoke(main, ["audit", "--jobs=1"])
    assert audited.exit_code == 0, audited.output
