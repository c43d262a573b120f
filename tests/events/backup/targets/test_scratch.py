"""Temporary folders for backups."""

from __future__ import annotations

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
