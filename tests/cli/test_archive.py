"""`cartulary archive` and `unarchive` as an operator calls them, and what `status` says of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.main import main
from cartulary.events.archive.archive import Archive
from cartulary.events.archiving.archiver import Archiver
from cartulary.events.archiving.batches import Done
from cartulary.events.commands.commands import Intent
from cartulary.events.store import Store
from tests.events.support.tournaments import Cup
from tests.support.night import each_or_all, short_or_long
from tests.support.store_with_archive import add_game, find_url, open_with_archive

pytestmark = pytest.mark.real


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture
def store(
    real_redis: Redis, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """A store with a game that is over, named in the environment with its archive."""
    with open_with_archive(real_redis, tmp_path) as store:
        store.claim()
        add_game(store)
        monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
        monkeypatch.setenv("CARTULARY_ARCHIVE_URL", find_url(tmp_path))
        yield store


def find_game(store: Store) -> str:
    return next(iter([*store.ledger.game_ids(), *store.archive.ids()]))


@pytest.mark.parametrize(
    ("damage", "jobs"),
    each_or_all(
        [
            ("UPDATE games SET head = '' WHERE id = :game", "its row was changed"),
            (
                "UPDATE games SET version = x'00' WHERE id = :game",
                "games.version has a value of another",
            ),
            ("UPDATE games SET form = 1000 WHERE id = :game", "its summary has the form 1000"),
            ("DELETE FROM games WHERE id = :game", "its row is missing"),
        ],
        short_or_long([1, 1, 1, 2], [1, 2]),
    ),
)
def test_an_audit_names_a_damaged_or_missing_game_and_goes_on(
    store: Store, tmp_path: Path, damage: tuple[str, str], jobs: int
) -> None:
    statement, problem = damage
    game, other = find_game(store), add_game(store)
    assert run("archive", "--now").stdout == "2 games archived\n"
    with closing(sqlite3.connect(tmp_path / "archive.sqlite")) as changed, changed:
        changed.execute(statement, {"game": game})
    audited = run("audit", "--jobs", jobs)
    first, last = audited.stdout.splitlines()
    assert first.startswith(f"{game}, version ")
    assert problem in first
    assert last == "1 of 2 games hold"
    assert audited.exit_code == 1
    assert "1 of 2 games do not hold" in audited.stderr
    assert run("unarchive", other).exit_code == 0
    assert run("audit", "--jobs", jobs).stdout.endswith("1 of 2 games hold\n"), "no false alarm"


def test_games_are_archived_and_come_back_and_a_repetition_changes_nothing(store: Store) -> None:
    game = find_game(store)
    known = store.ledger.deliver(game)
    early = run("archive")
    assert (early.exit_code, early.stdout) == (0, "0 games archived\n"), "an hour has not passed"
    dry = run("archive", "--now", "--dry")
    assert (dry.exit_code, dry.stdout) == (0, "1 games would be archived\n")
    assert store.archive.archive.count() == 0
    assert run("archive", "--now").stdout == "1 games archived\n"
    assert not store.ledger.stored_version(game)
    assert run("archive", "--now").stdout == "0 games archived\n"
    back = run("unarchive", game)
    assert (back.exit_code, back.stdout) == (0, f"{game} is back in the store\n")
    assert store.archive.archive.count() == 0
    assert store.ledger.deliver(game) == known
    again = run("unarchive", game)
    assert again.exit_code == 1
    assert f"{game} is not in the archive" in again.stderr


def test_a_tournament_is_archived_carried_by_a_backup_and_comes_back(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(store.redis, find_url(tmp_path))
    cup.announce(game="carcassonne")
    store.tournaments.commands.cancel(Intent(cup.host), cup.id)
    store.tournaments.driver.run()
    known = store.tournaments.streams.deliver(cup.id)
    dry = run("archive", "--now", "--dry").stdout.splitlines()
    assert dry == ["1 games would be archived", "1 tournaments would be archived"]
    assert run("archive", "--now").stdout == "1 games archived\n1 tournaments archived\n"
    assert not store.redis.exists(f"{{{cup.id}}}:tournament")
    said = run("status", "--json").stdout
    assert json.loads(said)["archive"]["tournaments"] == 1
    assert "; 1 tournaments" in run("status").stdout
    assert run("audit", "--jobs", "1").stdout.endswith("1 of 1 tournaments hold\n")
    assert run("backup", tmp_path / "file").exit_code == 0
    store.redis.flushall()
    other = f"sqlite:///{tmp_path}/other.sqlite"
    monkeypatch.setenv("CARTULARY_ARCHIVE_URL", other)
    restored = run("restore", tmp_path / "file", "--jobs", "1")
    assert restored.exit_code == 0, restored.output
    assert "1 of 1 tournaments hold" in restored.stdout
    back = run("unarchive", cup.id)
    assert (back.exit_code, back.stdout) == (0, f"{cup.id} is back in the store\n")
    assert store.redis.exists(f"{{{cup.id}}}:tournament")
    assert store.tournaments.streams.deliver(cup.id) == known
    assert run("unarchive", cup.id).exit_code == 1


def test_a_game_that_another_archiver_takes_is_not_said_to_stay(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = Archiver.run

    def come_second(archiver: Archiver, before: int, limit: int = 50) -> Done:
        once(store.make_archiver(), before)
        return once(archiver, before, limit)

    monkeypatch.setattr(Archiver, "run", come_second)
    assert run("archive", "--now").stdout == "0 games archived\n"
    assert store.archive.archive.count() == 1


def test_an_archive_that_fails_exits_1_with_the_games_in_the_store(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(store)
    monkeypatch.setenv("CARTULARY_ARCHIVE_URL", f"sqlite:///{tmp_path}/missing/archive.sqlite")
    for command in (("archive", "--now"), ("unarchive", game)):
        failed = run(*command)
        assert failed.exit_code == 1
        assert "unable to open database file" in failed.stderr
    assert store.ledger.stored_version(game)
    assert "unable to open" in json.loads(run("status", "--json").stdout)["archive"]["error"]


def test_a_restore_fills_another_archive_which_is_the_archive_of_the_store_from_then_on(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(store)
    run("archive", "--now")
    known = store.ledger.deliver(game)
    assert run("backup", tmp_path / "file").exit_code == 0
    store.redis.flushall()
    other = f"sqlite:///{tmp_path}/other.sqlite"
    monkeypatch.setenv("CARTULARY_ARCHIVE_URL", other)
    restored = run("restore", tmp_path / "file", "--jobs", "1")
    assert restored.exit_code == 0, restored.output
    moved = Archive.open(other)
    assert store.archive_state.find_identity() == moved.identify()
    moved.close()
    with open_with_archive(
        store.redis, tmp_path, lambda noted: Archive.open(other, noted=noted)
    ) as there:
        assert there.ledger.deliver(game) == known
    monkeypatch.setenv("CARTULARY_ARCHIVE_URL", find_url(tmp_path))
    said = json.loads(run("status", "--json").stdout)["archive"]
    assert "is not the archive of this store" in said["error"]
    for command in (("archive", "--now"), ("unarchive", game), ("backup", tmp_path / "b")):
        failed = run(*command)
        assert (failed.exit_code, "is not the archive" in failed.stderr) == (1, True), command


@pytest.mark.parametrize("command", [("archive",), ("status",)])
def test_a_time_that_is_no_number_is_refused_with_a_word(
    store: Store, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CARTULARY_ARCHIVE_AFTER", "soon")
    refused = run(*command)
    assert refused.exit_code == 2
    assert "CARTULARY_ARCHIVE_AFTER must be a whole number" in refused.stderr
    assert "or `off`, not" in refused.stderr


def test_the_status_says_what_is_archived(store: Store) -> None:
    assert json.loads(run("status", "--json").stdout)["archive"]["games"] == 0
    run("archive", "--now")
    said = json.loads(run("status", "--json").stdout)["archive"]
    assert (said["games"], said["waiting"], said["error"]) == (1, 0, None)
