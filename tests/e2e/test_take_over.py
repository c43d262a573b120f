"""After `kill -9` of `serve` the status says so, nothing of it is left, and the next takes over."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench.ports import find_free_port
from cartulary.cli.main import main
from cartulary.cli.serve import listen
from cartulary.cli.shared.data_directory import DataDir
from tests.support.polling import gone, until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

LINUX = sys.platform.startswith("linux")
"""Whether there is PR_SET_PDEATHSIG; elsewhere the processes of a killed `serve` end later."""


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started, and the processes that those have."""
    found = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in found.stdout.splitlines()]
    children, parents = [], [pid]
    while parents:
        parents = [child for child, parent in pairs if parent in parents]
        children += parents
    return children


def ask(data: Path) -> tuple[int, Any]:
    """Return the exit code of `cartulary status`, and what it says."""
    done = CliRunner().invoke(main, ["status", "--json", f"--data={data}"])
    return done.exit_code, json.loads(done.stdout)


def find_pids(found: Any) -> dict[str, int]:
    """Return the processes that the status names."""
    return {one["name"]: one["pid"] for one in found["processes"]}


def check_status(served: Served, code: int, found: Any) -> None:
    """Check the status of a service with one game and one stream."""
    assert (code, found["works"]) == (0, True)
    assert found["service"]["address"] == served.url
    assert find_pids(found) == {
        name: served.pids(name)[-1] for name in ("valkey", "web", "dispatcher", "worker 1")
    }
    signs = {one["name"]: one["silent_s"] for one in found["processes"]}
    assert signs.pop("valkey") is None
    assert all(silent >= 0 for silent in signs.values())
    assert found["streams"] == 1
    assert found["games"] == {"running": 1}
    assert found["durability"] == "everysec"
    assert found["dispatcher_age_ms"] >= 0
    assert found["disk"]["data_bytes"] > 1000


def test_the_status_shows_a_killed_serve_and_the_next_takes_over_at_once_and_nothing_is_left(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    port = find_free_port()
    with Served(data, port=port) as served:
        person = Person(served)
        game_id = person.create("random")
        with person.watch(game_id):  # the web process has a stream to end
            person.play(game_id, turns=3)
            check_status(served, *ask(data))
            served.kill("worker 1")
            again = served.pids("worker 1")[-1]
            until(lambda: find_pids(ask(data)[1]).get("worker 1") == again)
            left = children_of(served.process.pid)
            assert len(left) >= 5, "web, its worker, dispatcher, worker, valkey"
            hanging = [pid for pid in left if pid in children_of(served.pids("web")[-1])]
            if LINUX:
                os.kill(hanging[0], signal.SIGSTOP)
            served.stop(signal.SIGKILL)
            code, found = ask(data)
            assert (code, found["works"], found["service"]["running"]) == (1, False, False)
            with Served(data, port=port if LINUX else 0) as following:
                assert all(gone(pid) for pid in left)
                assert following.url == served.url or not LINUX
                person.served = following
                person.play(game_id, turns=3)
                following.stop(signal.SIGKILL)
                for child in ("web", "dispatcher", "worker 1"):  # they end by themselves
                    until(partial(gone, following.pids(child)[-1]))


def test_a_lock_file_tells_whether_the_process_before_was_killed(tmp_path: Path) -> None:
    with DataDir(tmp_path / "data") as first:
        assert not first.left_behind
    with DataDir(tmp_path / "data") as second:
        assert not second.left_behind
        second.note("unix://gone")
        note = (tmp_path / "data" / "serve.lock").read_bytes()
    (tmp_path / "data" / "serve.lock").write_bytes(note)
    with DataDir(tmp_path / "data") as third:
        assert third.left_behind


def test_a_port_that_becomes_free_is_waited_for() -> None:
    holder = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import socket, time; s = socket.create_server(('127.0.0.1', 0));"
            "print(s.getsockname()[1], flush=True); time.sleep(1.5)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout is not None
        port = int(holder.stdout.readline())
        with listen("127.0.0.1", port, within=10) as listener:
            assert listener.getsockname()[1] == port
