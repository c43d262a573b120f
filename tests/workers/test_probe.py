"""The probe of a process without an HTTP server: `python -m cartulary.workers.process.probe`."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cartulary.events.server.heartbeat import make_beat
from cartulary.settings.table import LIFE_FILE
from cartulary.workers.process import probe


@pytest.fixture
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a life file that is not there yet."""
    file = tmp_path / "life"
    monkeypatch.setenv(LIFE_FILE, str(file))
    return file


def test_a_process_that_works_passes(life: Path) -> None:
    make_beat()()
    assert probe.main(["--silent", "3600"]) == 0


def test_a_process_that_has_not_begun_fails(life: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert probe.main([]) == 1
    assert str(life) in capsys.readouterr().err


def test_a_process_that_is_silent_for_too_long_fails(
    life: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_beat()()
    long_ago = time.monotonic() - 4000
    os.utime(life, (long_ago, long_ago))
    assert probe.main(["--silent", "3600"]) == 1
    assert "no sign of life for 4" in capsys.readouterr().err


def test_a_supervisor_that_names_no_file_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(LIFE_FILE, raising=False)
    assert probe.main([]) == 2
    assert LIFE_FILE in capsys.readouterr().err
