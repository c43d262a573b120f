"""The tools of the harness do the harm that they are there for."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.faults.disk import mount_disk
from bench.faults.kinds import copy_log, newest_log
from bench.faults.machine import Machine, make_machine
from bench.faults.proxy import Proxy
from tests.support.missing_tools import missing

NOW = "import time, datetime; print(time.time(), datetime.datetime.now().timestamp())"


@pytest.mark.process
def test_the_clock_of_a_process_jumps_and_its_monotonic_clock_does_not(tmp_path: Path) -> None:
    machine = make_machine(tmp_path)
    if machine is None:
        missing("there is no compiler of C")
    machine.jump(90)
    machine.jump(-3690)
    ran = subprocess.run(
        [sys.executable, "-c", NOW + "; print(time.monotonic())"],
        env={**os.environ, **machine.environment},
        capture_output=True,
        text=True,
        check=True,
    )
    wall, date, monotonic = map(float, ran.stdout.split())
    assert wall == pytest.approx(time.time() - 3600, abs=60)
    assert date == pytest.approx(wall, abs=1)
    assert monotonic == pytest.approx(time.monotonic(), abs=60)


@pytest.mark.process
def test_a_slow_disk_lets_a_sync_take_longer(tmp_path: Path) -> None:
    machine = make_machine(tmp_path)
    if machine is None:
        missing("there is no compiler of C")
    with machine.slow_disk(0.3):
        assert measure_sync(tmp_path, machine) >= 0.3
    assert measure_sync(tmp_path, machine) < 0.3


def measure_sync(directory: Path, machine: Machine) -> float:
    """Return the seconds that a process takes to sync a file."""
    code = (
        "import os, sys, time; file = open(sys.argv[1], 'wb'); file.write(b'x'); file.flush();"
        "began = time.monotonic(); os.fdatasync(file.fileno()); print(time.monotonic() - began)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(directory / "file")],
        env={**os.environ, **machine.environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(ran.stdout)


@pytest.mark.process
def test_the_small_disk_is_full_and_has_room_again(tmp_path: Path) -> None:
    with mount_disk(tmp_path / "disk", megabytes=8) as disk:
        if disk is None:
            pytest.skip("a file system may not be mounted here")
        disk.fill()
        with pytest.raises(OSError, match="No space") as refused:
            (disk.path / "more").write_bytes(b"x" * 65536)
        assert refused.value.errno == errno.ENOSPC
        disk.free()
        (disk.path / "more").write_bytes(b"x" * 65536)


def test_the_proxy_passes_on_and_resets_what_it_has_to_cut() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        Proxy(server.getsockname()[1]) as proxy,
    ):
        client = socket.create_connection(("127.0.0.1", proxy.port), timeout=60)
        served, _ = server.accept()
        served.settimeout(10)
        client.sendall(b"question")
        assert served.recv(100) == b"question"
        served.sendall(b"answer")
        assert client.recv(100) == b"answer"
        proxy.cut()
        with pytest.raises(ConnectionResetError):
            client.recv(100)
        assert proxy.resets == 1
        served.close()
        client.close()


def test_the_newest_file_of_the_store_is_the_one_with_the_highest_number(tmp_path: Path) -> None:
    files = tmp_path / "valkey" / "appendonlydir"
    files.mkdir(parents=True)
    for number in (9, 10):
        (files / f"appendonly.aof.{number}.incr.aof").write_text(str(number))
    (files / "appendonly.aof.11.base.rdb").touch()
    assert newest_log(tmp_path).read_text() == "10"
    copy_log(files, tmp_path / "copy")
    assert len(list((tmp_path / "copy").iterdir())) == 3
