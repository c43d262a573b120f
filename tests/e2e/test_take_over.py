"""After `kill -9` of `serve` nothing of it is left, and the next one takes its port at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from cartulary.cli.serve import listen
from cartulary.cli.shared.data_directory import DataDir
from tests.support.polling import gone
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="PR_SET_PDEATHSIG is of Linux"
)


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started, and the processes that those have."""
    found = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in found.stdout.splitlines()]
    children, parents = [], [pid]
    while parents:
        parents = [child for child, parent in pairs if parent in parents]
        children += parents
    return children


@on_linux
def test_the_next_serve_takes_over_at_once_and_nothing_is_left(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Served(data, "--workers=1") as served:
        person = Person(served)
        game_id = person.create("random")
        with person.watch(game_id):  # the web process has a stream to end
            left = children_of(served.process.pid)
            assert len(left) >= 5, "web, its worker, dispatcher, worker, valkey"
            hanging = [pid for pid in left if pid in children_of(served.pids("web")[-1])]
            os.kill(hanging[0], signal.SIGSTOP)
            os.kill(served.process.pid, signal.SIGKILL)
            served.process.wait()
            with Served(data, "--workers=1", port=int(served.url.rpartition(":")[2])) as again:
                assert all(gone(pid) for pid in left)
                assert again.url == served.url
                person.served = again
                assert person.get(f"games/{game_id}")["id"] == game_id


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


def test_the_durability_asked_for_is_in_force(tmp_path: Path) -> None:
    with Served(tmp_path / "data", "--workers=1", "--durability=always") as served:
        ready = requests.get(f"{served.url}/readyz", timeout=10).json()
        assert ready["durability"] == "always"
