"""A process of `serve` that hangs is noticed, killed and restarted."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest
import requests

from bench.ports import find_free_port
from cartulary.cli.processes.memory_directory import open_memory_dir
from tests.support.night import short_or_long
from tests.support.polling import gone, until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

# The service says that no dispatcher reports before `serve` replaces the dispatcher: so the time of
# `serve` is longer than that of the store.
SILENT = short_or_long(
    {"processes.valkey.SILENT_S": 8.0, "serve.SILENT_S": 15.0},
    {"processes.valkey.SILENT_S": 30.0, "serve.SILENT_S": 25.0},
)
"""How long a process shows no sign of life until `serve` replaces it; at night as usual."""


def test_processes_that_hang_are_replaced(tmp_path: Path) -> None:
    metrics = f"127.0.0.1:{find_free_port()}"
    with Served(tmp_path / "data", f"--metrics={metrics}", seconds=SILENT) as served:
        until(lambda: answers(f"http://{metrics}/metrics"))
        check_a_dispatcher_a_web_master_and_a_metrics_process(served)
        until(lambda: answers(f"http://{metrics}/metrics"))
        check_a_store(served)
        assert not (served.data / "metrics").exists(), "a full disk would end the web processes"


def check_a_dispatcher_a_web_master_and_a_metrics_process(served: Served) -> None:
    before = {name: served.pids(name)[-1] for name in ("dispatcher", "web", "metrics")}
    until(lambda: "dispatcher_age_ms" in requests.get(f"{served.url}/readyz", timeout=60).json())
    for pid in before.values():
        os.kill(pid, signal.SIGSTOP)
    until(lambda: misses_a_dispatcher(served))
    for name, pid in before.items():
        until(partial(is_replaced, served, name, pid), within=90)
        assert gone(pid)
        silent = f"no sign of life for {SILENT['serve.SILENT_S']:.0f} s"
        assert f"{name} (pid {pid}) has shown {silent}" in served.log()
    until(lambda: is_ready(served), within=60)


def check_a_store(served: Served) -> None:
    person = Person(served)
    game = person.create("random")
    person.play(game, turns=2)
    before = person.get(f"games/{game}/events")["events"]
    pid = served.pids("valkey")[-1]
    os.kill(pid, signal.SIGSTOP)
    until(partial(is_replaced, served, "valkey", pid), within=90)
    assert gone(pid)
    silent = SILENT["processes.valkey.SILENT_S"]
    assert f"valkey has not answered for {silent:.0f} s; killing it" in served.log()
    until(lambda: is_ready(served), within=60)
    after = person.get(f"games/{game}/events")["events"]
    assert after[: len(before)] == before
    person.play(game, turns=1)


def answers(url: str) -> bool:
    """Return whether it answers well; a request waits for as long as the process starts."""
    try:
        return requests.get(url, timeout=5).ok
    except requests.RequestException:
        return False


def is_ready(served: Served) -> bool:
    return answers(f"{served.url}/readyz")


def is_replaced(served: Served, name: str, pid: int) -> bool:
    return served.pids(name)[-1] != pid


def misses_a_dispatcher(served: Served) -> bool:
    """Return whether it says so; on a busy machine its web processes may be on their way back."""
    try:
        answer = requests.get(f"{served.url}/readyz", timeout=5)
    except requests.RequestException:
        return False
    return answer.status_code == 503 and "dispatcher has reported for" in answer.json()["detail"]


def test_the_directory_in_memory_is_empty_private_and_deleted(tmp_path: Path) -> None:
    with open_memory_dir(tmp_path) as first:
        assert stat.S_IMODE(first.stat().st_mode) == 0o700
        (first / "file").touch()
        with open_memory_dir(tmp_path) as second:
            assert second != first
            assert not [*second.iterdir()]
            assert (first / "file").exists(), "its serve still runs"
    assert not [*tmp_path.iterdir()]


def test_without_a_right_to_the_memory_a_temporary_directory_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    with open_memory_dir() as made:
        assert made.parent == tmp_path


def test_the_directory_of_a_serve_that_was_killed_is_deleted_by_the_next(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys;"
        "from cartulary.cli.processes.memory_directory import open_memory_dir;"
        "opened = open_memory_dir(pathlib.Path(sys.argv[1]));"
        "print(opened.__enter__(), flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    left = Path(ran.stdout.strip())
    assert left.parent == tmp_path
    assert left.is_dir()
    with open_memory_dir(tmp_path):
        assert not left.exists()
