"""Temporary folders for backups."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from cartulary.events.backup.targets import scratch
from cartulary.events.backup.targets.scratch import open_scratch


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_removed_after_its_use_and_is_left_alone_during_it(temporary: Path) -> None:
    with open_scratch() as first:
        (first / "plain").write_bytes(b"x")
        with open_scratch():
            assert (first / "plain").exists()
            assert len(list(temporary.iterdir())) == 2
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_killed_process_is_removed_by_the_next_one(temporary: Path) -> None:
    left = temporary / f"{scratch.PREFIX}left"
    (left / "files").mkdir(parents=True)
    (left / "files" / "plain").write_bytes(b"x")
    (left / scratch.LOCK).touch()
    with open_scratch():
        assert not left.exists()


def test_no_lock_stays_open_after_it(temporary: Path) -> None:
    left = temporary / f"{scratch.PREFIX}left"
    left.mkdir()
    (left / scratch.LOCK).touch()
    before = len(os.listdir("/proc/self/fd"))
    with open_scratch():
        pass
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_folder_that_cannot_be_removed_spoils_no_backup(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = temporary / f"{scratch.PREFIX}left"
    left.mkdir()
    (left / scratch.LOCK).touch()

    def refuse(*_: object, **__: object) -> None:
        raise OSError("busy")

    with monkeypatch.context() as refusing:
        refusing.setattr(os, "rmdir", refuse)
        with open_scratch() as folder:
            (folder / "plain").write_bytes(b"x")
    assert len(list(temporary.iterdir())) == 2
