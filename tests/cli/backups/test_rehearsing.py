"""`upgrade --rehearse` reads a backup wherever `restore` does, and leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.cli.backups.commands import list_files, run
from tests.cli.backups.conftest import AgeKey, make_age_key

pytestmark = pytest.mark.real


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Where the copy is, and what is decrypted; a rehearsal leaves nothing there."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def encrypted(url: str, tmp_path: Path, age_key: AgeKey) -> Path:
    """A folder with a proven backup of two games for one key."""
    folder = tmp_path / "backups"
    folder.mkdir()
    assert run("backup", folder, "--encrypt-for", age_key.recipient).exit_code == 0
    return folder


def rehearse(of: object, scratch: Path, *more: object) -> Result:
    return run("upgrade", "--rehearse", of, "--scratch", scratch, "--jobs", 1, *more)


def test_the_newest_of_a_folder_is_rehearsed_with_its_key(
    encrypted: Path, scratch: Path, age_key: AgeKey
) -> None:
    (name,) = list_files(encrypted)
    for source in (encrypted, encrypted / name):
        done = rehearse(source, scratch, "--identity", age_key.identity, "--json")
        assert done.exit_code == 0, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        assert report["of"] == str(encrypted / name)
        assert (report["holds"], report["streams"]["games"]) == (True, 2)
        assert report["bytes"]["copied"] > 0


def test_without_the_key_or_a_proven_backup_nothing_is_rehearsed(
    encrypted: Path, scratch: Path, tmp_path: Path
) -> None:
    other = make_age_key(tmp_path / "other")
    (tmp_path / "empty").mkdir()
    refused = {
        "--identity": rehearse(encrypted, scratch),
        "for other keys": rehearse(encrypted, scratch, "--identity", other.identity),
        "no proven backup": rehearse(tmp_path / "empty", scratch),
        "there is no such backup": rehearse(tmp_path / "missing.backup", scratch),
    }
    for word, done in refused.items():
        assert (done.exit_code, word in done.stderr) == (2, True), (word, done.stderr)
