"""`cartulary backup`, `restore` and `audit` as an operator calls them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cartulary.cli.backups import backup
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.shared.data_directory import DataDir
from cartulary.events.backup.load import begin, check_file
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from tests.cli.backups.commands import run
from tests.support.missing_tools import missing

pytestmark = pytest.mark.real


@pytest.fixture
def file(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A backup of that store; the environment names no store any more."""
    path = tmp_path / "games.backup"
    result = run("backup", path)
    assert result.exit_code == 0, result.stderr
    monkeypatch.delenv("CARTULARY_EVENTS_URL")
    return path


def test_a_backup_is_restored_into_a_new_directory(file: Path, tmp_path: Path) -> None:
    data = tmp_path / "new"
    result = run("restore", file, "--data", data, "--jobs", 2)
    assert (result.exit_code, result.stdout) == (
        0,
        "2 games of 2 hold\nrestored\n".replace("2 games of 2", "2 of 2 games"),
    )
    again = run("audit", "--data", data)
    assert (again.exit_code, again.stdout) == (0, "2 of 2 games hold\n")


def test_a_backup_says_what_it_contains_and_is_for_its_owner_only(url: str, tmp_path: Path) -> None:
    path = tmp_path / "games.backup"
    path.write_text("an older backup")
    path.chmod(0o644)
    result = run("backup", path)
    assert result.stdout == f"{path}: 2 games, 64 events, 1 players, {path.stat().st_size} bytes\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["games.backup"]
    redis: Any = connect(url)
    assert redis.hget(keys.backup(), "games") == b"2"
    assert redis.hget(keys.backup(), "file") == str(path).encode()
    redis.close()


def test_a_backup_that_fails_leaves_the_one_before_as_it_is(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.backup"
    path.write_text("an older backup")

    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "dump", fail)
    result = run("backup", path)
    assert result.exit_code == 1
    assert "no backup was made: [Errno 28] No space left on device" in result.stderr
    assert path.read_text() == "an older backup"
    assert [one.name for one in tmp_path.iterdir()] == ["games.backup"]


def test_a_backup_into_a_folder_that_is_missing_exits_1(url: str, tmp_path: Path) -> None:
    result = run("backup", tmp_path / "missing" / "games.backup")
    assert result.exit_code == 1
    assert "no backup was made" in result.stderr


def test_a_backup_of_a_directory_that_is_missing_exits_2(tmp_path: Path) -> None:
    result = run("backup", tmp_path / "games.backup", "--data", tmp_path / "missing")
    assert result.exit_code == 2
    assert not (tmp_path / "games.backup").exists()


@pytest.mark.parametrize("command", ["backup", "doctor", "status", "audit"])
def test_a_directory_that_cannot_be_looked_at_exits_2(command: str, tmp_path: Path) -> None:
    found = run(command, *([tmp_path / "x"] if command == "backup" else []), "--data", "x" * 300)
    assert (found.exit_code, "there is no data directory" in found.stderr) == (2, True)


def test_a_check_changes_nothing(file: Path, tmp_path: Path) -> None:
    result = run("restore", "--check", file, "--data", tmp_path / "new")
    assert (result.exit_code, result.stdout) == (0, "the backup is whole\n")
    assert "2 games, 64 events, 1 players" in result.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text"])
def test_a_damaged_file_exits_2_and_nothing_is_changed(
    file: Path, tmp_path: Path, damage: str
) -> None:
    good = file.read_bytes()
    middle = len(good) // 2
    damaged = {
        "cut": good[:-1],
        "flip": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
        "empty": b"",
        "text": b'{"format": "cartulary/1"}',
    }
    file.write_bytes(damaged[damage])
    result = run("restore", file, "--data", tmp_path / "new")
    assert result.exit_code == 2
    assert str(file) in result.stderr
    assert not (tmp_path / "new").exists()


def test_a_file_that_is_missing_exits_2(tmp_path: Path) -> None:
    result = run("restore", tmp_path / "missing", "--data", tmp_path / "new")
    assert result.exit_code == 2
    assert not (tmp_path / "new").exists()


def test_a_store_that_is_not_empty_exits_2(file: Path, url: str, tmp_path: Path) -> None:
    data = tmp_path / "new"
    assert run("restore", file, "--data", data).exit_code == 0
    result = run("restore", file, "--data", data)
    assert result.exit_code == 2
    assert "the store is not empty" in result.stderr
    assert run("audit", "--data", data).exit_code == 0


def test_a_store_in_the_environment_is_restored_as_well(
    file: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_EVENTS_URL", url)
    assert run("restore", file).exit_code == 2, "it holds what was backed up"
    redis = connect(url)
    redis.flushall()
    redis.close()
    result = run("restore", file)
    assert (result.exit_code, result.stdout) == (0, "2 of 2 games hold\nrestored\n")


def test_a_directory_that_is_in_use_exits_2(file: Path, tmp_path: Path) -> None:
    with DataDir(tmp_path / "new") as held:
        result = run("restore", file, "--data", held.path)
        assert result.exit_code == 2
        assert "in use" in result.stderr
        held.note("unix:///nowhere")
        result = run("restore", file, "--data", held.path)
        assert result.exit_code == 2
        assert "stop it" in result.stderr


def test_a_game_that_did_not_hold_is_restored_and_named(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis = connect(url)
    redis.xadd(keys.events("01KBROKEN"), {"event": "?"}, id="1-0")
    redis.close()
    assert run("backup", tmp_path / "games.backup").exit_code == 0
    monkeypatch.delenv("CARTULARY_EVENTS_URL")
    result = run("restore", tmp_path / "games.backup", "--data", tmp_path / "new")
    assert result.exit_code == 1
    assert "01KBROKEN, version 1: unreadable" in result.stdout
    assert "restored, but 1 of 3 games do not hold" in result.stderr
    assert run("backup", tmp_path / "again", "--data", tmp_path / "new").exit_code == 0


def test_after_an_interrupted_restore_every_command_says_what_to_do(
    file: Path, tmp_path: Path
) -> None:
    data = tmp_path / "new"
    with DataDir(data), EmbeddedValkey(data / "valkey") as valkey:
        assert valkey.url is not None
        redis = connect(valkey.url)
        with file.open("rb") as source:
            begin(redis, check_file(source), str(file))
        redis.close()
    for command in (["audit"], ["rebuild"], ["backup", tmp_path / "other"]):
        result = run(*command, "--data", data)
        check_says_what_to_do(result.exit_code, result.stderr, file)
    serve = [sys.executable, "-m", "cartulary.cli", "serve", "--port=0", f"--data={data}"]
    served = subprocess.run(serve, capture_output=True, text=True, check=False, timeout=60)
    check_says_what_to_do(served.returncode, served.stderr, file)
    assert run("restore", file, "--data", data).exit_code == 0
    assert run("audit", "--data", data).stdout == "2 of 2 games hold\n"


def check_says_what_to_do(exit_code: int, stderr: str, file: Path) -> None:
    assert exit_code == 2
    assert f"a restore of {file} was interrupted" in stderr
    assert "run `cartulary restore` with that file again" in stderr


def test_root_leaves_nothing_in_the_directory_of_another_user(file: Path, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        missing("only root may give files to another user")
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, 54321, 54321)
    for command in (("restore", file, "--jobs", "1"), ("backup", tmp_path / "again.backup")):
        done = run(*command, "--data", data)
        assert (done.exit_code, "belongs to #54321" in done.stderr) == (2, True), done.stderr
    assert list(data.iterdir()) == []
