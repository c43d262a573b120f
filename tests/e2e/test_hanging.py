"""A process of `serve` that hangs is noticed, killed and restarted."""

from __future__ import annotations

import os
import signal
import stat
from functools import partial
from pathlib import Path

import pytest
import requests

from cartulary.cli.memory import open_memory_dir
from tests.e2e.served import Person, Served
from tests.polling import gone, until

pytestmark = [pytest.mark.slow, pytest.mark.real]


def test_a_dispatcher_and_a_web_master_that_hang_are_replaced(tmp_path: Path) -> None:
    with Served(tmp_path / "data", "--workers=1") as served:
        before = {name: served.pids(name)[-1] for name in ("dispatcher", "web")}
        until(lambda: "dispatcher_age_ms" in requests.get(f"{served.url}/readyz", timeout=5).json())
        for pid in before.values():
            os.kill(pid, signal.SIGSTOP)
        refused = until(lambda: not_ready(served), within=30)[0]
        assert "no dispatcher has reported for" in refused.json()["detail"]
        for name, pid in before.items():
            until(partial(is_replaced, served, name, pid), within=90)
            assert gone(pid)
            assert f"{name} (pid {pid}) has shown no sign of life for 25 s" in served.log()
        until(lambda: requests.get(f"{served.url}/readyz", timeout=5).ok, within=30)
        person = Person(served)
        person.play(person.create("random"), turns=2)
        assert not (served.data / "metrics").exists(), "a full disk would end the web processes"


def is_replaced(served: Served, name: str, pid: int) -> bool:
    return served.pids(name)[-1] != pid


def not_ready(served: Served) -> list[requests.Response]:
    answer = requests.get(f"{served.url}/readyz", timeout=5)
    return [answer] if answer.status_code == 503 else []


def test_the_directory_in_memory_is_empty_private_and_deleted(tmp_path: Path) -> None:
    with open_memory_dir(tmp_path / "data", tmp_path) as left:
        (left / "old").touch()
        assert stat.S_IMODE(left.stat().st_mode) == 0o700
        with open_memory_dir(tmp_path / "data", tmp_path) as again:
            assert again == left
            assert not [*again.iterdir()]
        with open_memory_dir(tmp_path / "other", tmp_path) as other:
            assert other != left
    assert not left.exists()


def test_a_name_in_memory_that_somebody_else_has_taken_is_left_alone(tmp_path: Path) -> None:
    with open_memory_dir(tmp_path / "data", tmp_path) as left:
        name = left
    name.write_text("a file of somebody else")
    with open_memory_dir(tmp_path / "data", tmp_path) as other:
        assert other != name
    assert name.exists()
