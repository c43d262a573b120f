"""Backups to a folder: each is proven before it counts, and what goes wrong has a clear word."""

from __future__ import annotations

import json
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cartulary.cli.backups import making, proving
from cartulary.cli.shared.errors import Unusable
from cartulary.events.backup.proven import Proven, read_last_proven
from cartulary.events.backup.targets.encryption import MAGIC
from cartulary.events.backup.targets.folder import BackupFolder
from cartulary.events.backup.targets.naming import parse_backup
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from tests.cli.backups.commands import flip, list_files, run
from tests.cli.backups.conftest import AgeKey, make_age_key

pytestmark = pytest.mark.real


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "backups"
    path.mkdir()
    return path


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that fills."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def read_note(url: str) -> Proven | None:
    redis = connect(url)
    try:
        return read_last_proven(redis)
    finally:
        redis.close()


def test_a_backup_to_a_folder_is_proven_named_noted_and_restored(
    url: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run("backup", f"{folder}/")
    assert (made.exit_code, made.stderr.splitlines()[-1]) == (0, "proven: restored and audited")
    (text,) = list_files(folder)
    name = parse_backup(text)
    assert name is not None
    assert (name.state, name.is_encrypted) == ("", False)
    assert stat.S_IMODE((folder / text).stat().st_mode) == 0o600
    assert read_note(url) == Proven(name.at, str(folder), 2, "0.1.0")
    status = json.loads(run("status", "--json").stdout)
    assert status["last_backup"]["file"] == str(folder / text)
    monkeypatch.delenv("CARTULARY_EVENTS_URL")
    restored = run("restore", folder, "--data", tmp_path / "new", "--jobs", 1)
    assert (restored.exit_code, restored.stdout) == (0, "2 of 2 games hold\nrestored\n")


def test_before_it_is_encrypted_a_backup_is_not_in_the_target(
    url: str, folder: Path, age_key: AgeKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(_file: object, _jobs: int) -> None:
        for path in folder.rglob("*"):
            assert path.name == ".backup.lock" or path.read_bytes().startswith(MAGIC), path

    monkeypatch.setattr(making, "prove", look)
    assert run("backup", folder, "--encrypt-for", age_key.recipient).exit_code == 0


def test_an_encrypted_backup_is_read_by_its_identities_only(
    url: str, folder: Path, tmp_path: Path, age_key: AgeKey
) -> None:
    second, other = (make_age_key(tmp_path / name) for name in ("second", "other"))
    listed = tmp_path / "recipients"
    listed.write_text(f"# of the office\n{second.recipient}\n")
    for_whom = ("--encrypt-for", age_key.recipient, "--encrypt-for", listed)
    assert run("backup", folder, *for_whom).exit_code == 0
    (text,) = list_files(folder)
    assert text.endswith(".backup.age")
    for source in (folder, folder / text):
        for one in (age_key, second):
            checked = run("restore", "--check", source, "--identity", one.identity)
            assert (checked.exit_code, checked.stdout) == (0, "the backup is whole\n")
        wrong = run("restore", "--check", source, "--identity", other.identity)
        assert (wrong.exit_code, "for other keys" in wrong.stderr) == (2, True)
        without = run("restore", "--check", source)
        assert (without.exit_code, "--identity" in without.stderr) == (2, True)


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_stored_backup_with_one_bit_flipped_or_cut_off_is_refused(
    url: str, folder: Path, age_key: AgeKey, encrypted: bool
) -> None:
    options = ("--encrypt-for", age_key.recipient) if encrypted else ()
    assert run("backup", folder, *options).exit_code == 0
    file = folder / list_files(folder)[0]
    good = file.read_bytes()
    for at in (3, 150, 250, len(good) // 2, len(good) - 1):
        flip(file, at)
        found = run("restore", "--check", folder, "--identity", age_key.identity)
        assert (found.exit_code, str(folder) in found.stderr) == (2, True), at
        file.write_bytes(good)
    file.write_bytes(good[:-1])
    assert run("restore", "--check", folder, "--identity", age_key.identity).exit_code == 2


def test_a_backup_of_a_newer_release_is_refused(url: str, folder: Path) -> None:
    assert run("backup", folder).exit_code == 0
    file = folder / list_files(folder)[0]
    file.write_bytes(file.read_bytes().replace(b"cartulary-backup/1 ", b"cartulary-backup/9 ", 1))
    found = run("restore", "--check", folder)
    assert (found.exit_code, "upgrade first" in found.stderr) == (2, True)


def test_a_backup_that_is_damaged_on_its_way_is_kept_aside_with_the_reason(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("backup", folder).exit_code == 0
    before = read_note(url)
    real = BackupFolder.put

    def put_damaged(self: BackupFolder, name: str, file: Path) -> None:
        real(self, name, file)
        if name.endswith(".unproven"):
            flip(self.path / name, 5000)

    monkeypatch.setattr(BackupFolder, "put", put_damaged)
    made = run("backup", folder)
    assert (made.exit_code, "kept aside: the checksum" in made.stderr) == (1, True)
    assert [name.partition("Z-")[2][12:] for name in list_files(folder)] == [
        ".backup",
        ".backup.failed",
        ".backup.failed.txt",
    ]
    assert "the checksum" in next(folder.glob("*.txt")).read_text()
    assert read_note(url) == before


def test_a_stored_game_that_does_not_hold_refutes_the_backup(url: str, folder: Path) -> None:
    redis: Any = connect(url)
    (stream, *_) = redis.keys("*:events")
    redis.xdel(stream, "5-0")
    redis.close()
    made = run("backup", folder)
    assert (made.exit_code, "version_gap" in made.stderr) == (1, True)
    assert read_note(url) is None
    none = run("restore", "--check", folder)
    assert (none.exit_code, "has no proven backup" in none.stderr) == (2, True)


def test_a_stored_study_that_does_not_hold_refutes_the_backup_by_its_name(
    url: str, folder: Path
) -> None:
    redis: Any = connect(url)
    redis.xadd(keys.study("01ODD"), {"event": b'{"type":"newer","schema":1}'}, id="1-0")
    redis.close()
    made = run("backup", folder)
    assert (made.exit_code, "study 01ODD: unknown" in made.stderr) == (1, True), made.output


def test_a_proof_that_is_not_possible_leaves_the_backup_unproven(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_data: Path) -> None:
        raise Unusable("no server here")

    monkeypatch.setattr(proving, "start_valkey", fail)
    made = run("backup", folder)
    assert (made.exit_code, "not proven: no server here" in made.stderr) == (1, True)
    (text,) = list_files(folder)
    assert text.endswith(".unproven")
    monkeypatch.undo()
    monkeypatch.setenv("CARTULARY_EVENTS_URL", url)
    assert run("backup", folder).exit_code == 0
    (text,) = list_files(folder)
    assert text.endswith(".backup"), "the newer backup is proven, so the unproven one is gone"


def test_a_disk_that_fills_leaves_nothing_but_the_backups_before(url: str, folder: Path) -> None:
    assert run("backup", folder).exit_code == 0
    before = list_files(folder)
    with files_of_at_most(4096):
        made = run("backup", folder)
    assert (made.exit_code, "no backup was made" in made.stderr) == (1, True)
    assert list_files(folder) == before


def test_the_half_file_of_a_killed_backup_is_swept_and_no_backup(url: str, folder: Path) -> None:
    half = folder / ".x.partial"
    half.mkdir()
    (half / "plain").write_bytes(b"\x1f\x8b")
    assert run("restore", "--check", folder).exit_code == 2
    assert run("backup", folder).exit_code == 0
    assert len(list_files(folder)) == 1


def test_a_second_backup_at_once_to_one_target_is_refused(url: str, folder: Path) -> None:
    with BackupFolder(folder).hold():
        made = run("backup", folder)
    assert (made.exit_code, "another process makes a backup" in made.stderr) == (1, True)
    assert list_files(folder) == []


def test_of_two_installations_in_a_target_one_has_to_be_named(url: str, folder: Path) -> None:
    redis: Any = connect(url)
    names = []
    for _ in range(2):
        redis.delete(keys.installation())
        assert run("backup", folder).exit_code == 0
        names.append(redis.get(keys.installation()).decode())
    redis.close()
    unsaid = run("restore", "--check", folder)
    assert (unsaid.exit_code, "2 installations" in unsaid.stderr) == (2, True)
    assert all(name in unsaid.stderr for name in names)
    for name in names:
        found = run("restore", "--check", folder, "--installation", name)
        assert (found.exit_code, f"-{name}.backup: 2 games" in found.stderr) == (0, True)
    missing = run("restore", "--check", folder, "--installation", "0123456789ab")
    assert (missing.exit_code, "no backup of 0123456789ab" in missing.stderr) == (2, True)


def test_retention_leaves_the_backups_of_other_installations(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = folder / "20200101T000000000Z-0123456789ab.backup"
    other.write_bytes(b"")
    for _ in range(3):
        assert run("backup", folder, "--keep", 1).exit_code == 0
    own = [path for path in folder.glob("*.backup") if path != other]
    assert (len(own), other.exists()) == (1, True)


@pytest.mark.parametrize("option", [("--keep", 3), ("--encrypt-for", "age1x")])
def test_what_a_file_cannot_have_is_refused(tmp_path: Path, option: tuple[object, ...]) -> None:
    found = run("backup", tmp_path / "games.backup", *option)
    assert (found.exit_code, "name a folder" in found.stderr) == (2, True)


@pytest.mark.parametrize("recipient", ["age1x", "missing", "AGE-SECRET-KEY-1X"])
def test_a_recipient_that_cannot_be_read_is_refused(folder: Path, recipient: str) -> None:
    found = run("backup", folder, "--encrypt-for", recipient)
    assert (found.exit_code, "recipient" in found.stderr) == (2, True)
