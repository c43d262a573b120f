"""`cartulary status` of a real service: ready, hanging, and killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]


def ask(data: Path) -> tuple[int, Any]:
    command = [sys.executable, "-m", "cartulary.cli", "status", "--json", f"--data={data}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, json.loads(done.stdout)


def test_a_running_service_shows_its_processes_streams_and_games(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Served(data, "--workers=1") as served:
        person = Person(served)
        game_id = person.create("random")
        with person.watch(game_id):
            person.play(game_id, turns=3)
            code, found = ask(data)
        assert (code, found["works"]) == (0, True)
        assert found["service"]["address"] == served.url
        pids = {one["name"]: one["pid"] for one in found["processes"]}
        assert pids == {
            name: served.pids(name)[-1] for name in ("valkey", "web", "dispatcher", "worker 1")
        }
        signs = {one["name"]: one["silent_s"] for one in found["processes"]}
        assert signs["valkey"] is None
        assert all(silent < 20 for name, silent in signs.items() if name != "valkey")
        assert found["streams"] == 1
        assert found["games"] == {"running": 1}
        assert found["durability"] == "everysec"
        assert found["dispatcher_age_ms"] < 10_000
        assert found["disk"]["data_bytes"] > 1000
        served.kill("worker 1")
        code, found = ask(data)
        pids = {one["name"]: one["pid"] for one in found["processes"]}
        assert pids["worker 1"] == served.pids("worker 1")[-1]
        served.stop(signal.SIGKILL)
        code, found = ask(data)
    assert (code, found["works"], found["service"]["running"]) == (1, False, False)
