"""`cartulary upgrade --rehearse`: what it says, what it refuses, and what it leaves behind."""

from __future__ import annotations

import gzip
import hashlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.main import main
from cartulary.cli.upgrade import undoing
from cartulary.cli.upgrade.report import write_lines
from cartulary.cli.upgrade.scratch import PREFIX
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.tables import NEWEST
from cartulary.events.archiving.tending import tend_archive
from cartulary.events.backup.container import FORMAT as CONTAINER
from cartulary.events.lists.projections import FORM
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT, LEVELS, MEANINGS
from cartulary.events.store import Store
from tests.events.archive.postgresql import make_schema, run_cluster
from tests.support.night import short_or_long
from tests.support.polling import gone, until
from tests.support.store_with_archive import add_game, archive_all, find_url, open_with_archive
from tests.upgrade import first_release
from tests.upgrade.first_release import BACKUP, MIGRATIONS, take_tables_back

Json = dict[str, Any]

STOPS = [signal.SIGKILL, signal.SIGINT, *short_or_long([], [signal.SIGTERM])]
"""Each starts a process of Python, and SIGTERM is heard as Ctrl-C is."""


def rehearse(of: object, scratch: Path, *more: str) -> Result:
    words = ["upgrade", "--rehearse", str(of), "--scratch", str(scratch), "--jobs=1", *more]
    return CliRunner().invoke(main, words)


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Where the copy is; a rehearsal leaves nothing there."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []


@pytest.mark.real
def test_the_first_release_s_backup_is_read_and_nothing_is_left(scratch: Path) -> None:
    done = rehearse(BACKUP, scratch, "--json")
    assert done.exit_code == 0, done.output
    report: Json = json.loads(done.stdout)
    assert report["holds"]
    assert report["written_by"]["format"] == first_release.FORMAT
    counted = {"games": 10, "events": 319, "tournaments": 0, "studies": 0, "problems": 0}
    assert report["streams"] == counted
    assert report["archived"] == 3
    assert report["projections"] is None
    assert report["takes"]["games_to_rebuild"] == 10
    levels = report["cannot_be_undone"]["levels"]
    assert [one["level"] for one in levels] == list(range(first_release.FORMAT + 1, FORMAT + 1))
    assert levels[0]["events"] == [{"type": "moves_taken_back", "schema": 2}]
    assert report["cannot_be_undone"]["migrations"] is None, "no backup has the tables"
    assert any("a backup does not say" in line for line in write_lines(report))


@pytest.mark.real
@pytest.mark.parametrize(
    ("damage", "word"),
    [
        ("cut", "the file is damaged or cut"),
        ("flip", "the file is damaged or cut"),
        ("text", "this is no backup of cartulary"),
        ("newer file", "upgrade first"),
        ("missing", "there is no such backup"),
    ],
)
def test_what_no_backup_of_this_or_an_earlier_release_is_exits_2(
    scratch: Path, tmp_path: Path, damage: str, word: str
) -> None:
    good, file = BACKUP.read_bytes(), tmp_path / "games.backup"
    name = b"cartulary-backup/%d"
    damaged = {
        "cut": good[:-1],
        "flip": good[:900] + bytes([good[900] ^ 1]) + good[901:],
        "text": gzip.compress(b"{}"),
        "newer file": good.replace(name % CONTAINER, name % (CONTAINER + 1), 1),
    }
    if damage in damaged:
        file.write_bytes(damaged[damage])
    done = rehearse(file, scratch)
    assert (done.exit_code, word in done.stderr) == (2, True), done.stderr


def test_without_a_word_what_to_rehearse_it_exits_2() -> None:
    done = CliRunner().invoke(main, ["upgrade"])
    assert (done.exit_code, "--rehearse BACKUP" in done.stderr) == (2, True)


@pytest.fixture
def live(
    real_redis: Redis, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """A store at the level of the first release, whose archive has the tables of the first one."""
    with open_with_archive(real_redis, tmp_path) as store:
        add_game(store)
        archive_all(store)
        for _ in range(3):
            add_game(store)
        store.redis.set(keys.store_format(), first_release.FORMAT)
        take_tables_back(find_url(tmp_path))
        monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
        monkeypatch.setenv("CARTULARY_ARCHIVE_URL", find_url(tmp_path))
        yield store


def list_games(store: Store) -> list[str]:
    return sorted(store.ledger.game_ids())


def take_fingerprint(redis: Any, tmp_path: Path) -> tuple[int, dict[bytes, bytes], str]:
    """What is stored, and how often the server was written to."""
    changes = int(redis.info("persistence")["rdb_changes_since_last_save"])
    archive = (tmp_path / "archive.sqlite").read_bytes()
    values = {key: redis.dump(key) for key in redis.keys("*")}
    return changes, values, hashlib.sha256(archive).hexdigest()


def test_the_live_store_is_read_and_never_written(
    live: Store, scratch: Path, tmp_path: Path
) -> None:
    before = take_fingerprint(live.redis, tmp_path)
    done = rehearse("live", scratch, "--json")
    assert done.exit_code == 0, done.output
    assert take_fingerprint(live.redis, tmp_path) == before
    report: Json = json.loads(done.stdout)
    assert (report["streams"]["games"], report["archived"]) == (4, 1)
    assert report["projections"] == {
        "same": 3,
        "aged": 0,
        "moved_on": 0,
        "missing": 0,
        "different": [],
    }
    assert report["takes"]["games_to_rebuild"] == 0
    assert [one["tables"] for one in report["cannot_be_undone"]["migrations"]] == MIGRATIONS


def test_summaries_of_an_earlier_form_are_counted_and_others_that_differ_are_named(
    live: Store, scratch: Path
) -> None:
    aged, spoiled, missing = list_games(live)
    live.registry.hset(keys.summary(aged), "form", FORM - 1)
    live.registry.hset(keys.summary(spoiled), "json", "{}")
    live.registry.delete(keys.summary(missing))
    done = rehearse("live", scratch)
    assert done.exit_code == 1
    assert f"{spoiled}: its stored summary is not the one that its events make" in done.stdout
    assert "0 as stored, 2 to be made again, 0 of games that went on, 1 differ" in done.stdout
    assert "2 summaries at" in done.stdout


def test_a_state_that_this_release_computes_otherwise_is_named(live: Store, scratch: Path) -> None:
    game = list_games(live)[0]
    key = keys.events(game)
    entries: Any = live.redis.xrange(key)
    live.redis.delete(key)
    for entry_id, fields in entries:
        event = json.loads(fields[b"event"])
        if event["version"] == 3:
            event["state_hash"] = "00" * 32
        live.redis.xadd(key, {"event": json.dumps(event)}, id=entry_id)
    done = rehearse("live", scratch)
    assert done.exit_code == 1
    assert f"{game}, version 3: state_hash" in done.stdout
    assert "nothing was changed" in done.stdout


@pytest.mark.parametrize("kind", ["tournament", "study"])
@pytest.mark.parametrize(
    ("stored", "problem"), [(b'{"type":"newer","schema":1}', "unknown"), (b"{", "unreadable")]
)
def test_another_stream_that_this_release_does_not_read_is_named(
    live: Store, scratch: Path, kind: str, stored: bytes, problem: str
) -> None:
    key = {"tournament": keys.tournament, "study": keys.study}[kind]("01ODD")
    live.registry.xadd(key, {"event": stored}, id="1-0")
    done = rehearse("live", scratch)
    assert done.exit_code == 1
    assert f"{kind} 01ODD, version 1: {problem}" in done.stdout


def test_a_store_that_a_newer_release_has_written_exits_2(live: Store, scratch: Path) -> None:
    live.redis.set(keys.store_format(), FORMAT + 1)
    done = rehearse("live", scratch)
    assert (done.exit_code, "upgrade this process" in done.stderr) == (2, True)


@pytest.mark.real
@pytest.mark.process
@pytest.mark.parametrize("number", STOPS)
def test_a_rehearsal_that_is_stopped_leaves_nothing_behind(
    scratch: Path, number: signal.Signals
) -> None:
    words = ["upgrade", "--rehearse", str(BACKUP), "--scratch", str(scratch)]
    process = subprocess.Popen(
        [sys.executable, "-m", "cartulary.cli", *words], stderr=subprocess.PIPE, text=True
    )
    (pid,) = until(
        lambda: [int(one.read_text() or 0) for one in scratch.glob(f"{PREFIX}*/*/*.pid")]
    )
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    until(lambda: not list(scratch.iterdir()))
    until(lambda: gone(pid))
    if number is signal.SIGKILL:
        assert process.returncode == -number
    else:
        assert process.returncode == 1
        assert said.endswith("stopped: nothing was changed, and nothing is left behind\n")


def test_an_archive_that_is_not_here_exits_2(
    live: Store, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_ARCHIVE_URL", "")
    done = rehearse("live", scratch, "--data", str(scratch / "missing"))
    assert (done.exit_code, "set CARTULARY_ARCHIVE_URL" in done.stderr) == (2, True)


@pytest.mark.real
def test_that_an_archive_in_postgresql_gets_partitions_is_said_before_it_does(
    real_redis: Redis,
    real_redis_url: str,
    tmp_path: Path,
    scratch: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    word = "cannot be undone, once no earlier process runs: tables 0006 of the archive: In Postgre"
    with (
        run_cluster() as folder,
        make_schema(folder, "live") as url,
        open_with_archive(
            real_redis, tmp_path, lambda noted: Archive.open(url, noted=noted)
        ) as store,
    ):
        monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
        monkeypatch.setenv("CARTULARY_ARCHIVE_URL", url)
        add_game(store)
        assert archive_all(store).archived == 1
        done = rehearse("live", scratch)
        assert (done.exit_code, word in done.stdout) == (0, True), done.output
        assert store.archive.archive.read_version() == NEWEST
        tend_archive(store.archive, FORMAT, store.clock.now_ms())
        done = rehearse("live", scratch)
        assert (done.exit_code, word in done.stdout) == (0, False), done.output
        assert "(1 archived)" in done.stdout


def test_every_format_level_says_what_it_brings() -> None:
    assert list(MEANINGS) == list(range(2, FORMAT + 1))
    assert LEVELS.keys() <= MEANINGS.keys()
    assert undoing.list_levels(FORMAT) == []
    assert list(undoing.list_migrations(None, is_file=True)) == []
