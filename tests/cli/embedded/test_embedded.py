"""The embedded server: one per data directory, nothing lost, nothing left behind."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from cartulary.cli.embedded import embedded
from cartulary.cli.embedded.embedded import EmbeddedValkey, find_server
from cartulary.cli.embedded.errors import DataDirInUse, EmbeddedError, NoServer, StopRequested
from cartulary.cli.embedded.loading import LoadingProgress
from cartulary.events.server.connection import connect
from tests.support.polling import gone, until

pytestmark = pytest.mark.real


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    server = EmbeddedValkey(tmp_path / "data")
    yield server
    server.stop()


def put(valkey: EmbeddedValkey, value: str) -> None:
    assert valkey.url is not None
    client = connect(valkey.url)
    client.set("k", value)
    client.close()


def get(valkey: EmbeddedValkey) -> object:
    assert valkey.url is not None
    client = connect(valkey.url)
    try:
        return client.get("k")
    finally:
        client.close()


def test_it_keeps_its_data_over_a_restart(valkey: EmbeddedValkey) -> None:
    assert valkey.start().startswith("unix://")
    assert valkey.running()
    put(valkey, "kept")
    valkey.stop()
    assert (valkey.url, valkey.pid, valkey.running()) == (None, None, False)
    valkey.start()
    assert get(valkey) == b"kept"


def test_it_keeps_its_data_when_it_is_killed(valkey: EmbeddedValkey) -> None:
    valkey.start()
    put(valkey, "kept")
    assert valkey.pid is not None
    os.kill(valkey.pid, signal.SIGKILL)
    until(lambda: not valkey.running())
    valkey.stop()
    valkey.start()
    assert get(valkey) == b"kept"


def test_a_second_start_on_its_directory_is_refused(valkey: EmbeddedValkey) -> None:
    valkey.start()
    put(valkey, "mine")
    with pytest.raises(DataDirInUse, match=str(valkey.data_dir)):
        EmbeddedValkey(valkey.data_dir).start()
    assert get(valkey) == b"mine"
    valkey.stop()
    with EmbeddedValkey(valkey.data_dir) as second:
        assert get(second) == b"mine"


def test_the_process_id_is_in_a_file(valkey: EmbeddedValkey) -> None:
    valkey.start()
    assert int((valkey.data_dir / "valkey.pid").read_text()) == valkey.pid


def test_nobody_else_can_read_the_data(valkey: EmbeddedValkey) -> None:
    before = os.umask(0o022)
    try:
        valkey.start()
        put(valkey, "kept")
    finally:
        os.umask(before)
    assert stat.S_IMODE(valkey.data_dir.stat().st_mode) == 0o700
    written = [path for path in valkey.data_dir.rglob("*.aof") if path.is_file()]
    assert written
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in written)


LEFT_BEHIND = """
    import os, signal, sys
    from cartulary.cli.embedded.embedded import EmbeddedValkey
    server = EmbeddedValkey(sys.argv[1])
    server.start()
    print(server.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def left_by(program: str, data_dir: Path) -> int:
    """The process id of the server that a program leaves behind on a directory."""
    owner = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(data_dir)],
        capture_output=True,
        timeout=60,
    )
    return int(owner.stdout)


def test_a_server_left_behind_is_stopped_first(valkey: EmbeddedValkey) -> None:
    """Its owner was killed with -9; its server still holds the append-only file."""
    left_behind = left_by(LEFT_BEHIND, valkey.data_dir)
    valkey.start()
    assert valkey.pid != left_behind
    put(valkey, "kept")
    assert get(valkey) == b"kept"


LAUNCHED_ONLY = """
    import os, signal, sys
    from cartulary.cli.embedded.embedded import EmbeddedValkey
    server = EmbeddedValkey(sys.argv[1])
    launch = server._launch
    def launch_and_die(*arguments):
        launched = launch(*arguments)
        os.kill(launched.pid, signal.SIGSTOP)  # a slow machine: it has not come to listen yet
        os.waitpid(launched.pid, os.WUNTRACED)  # else the signal of our end may come first
        print(launched.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    server._launch = launch_and_die
    server.start()
"""


def check_started_after(left_behind: int, valkey: EmbeddedValkey) -> None:
    """It is refused while the server that was left behind stands still, and that one ends first."""
    try:
        with pytest.raises(EmbeddedError, match="left behind"):
            valkey.start(timeout=2)
        os.kill(left_behind, signal.SIGCONT)
        valkey.start()
        assert valkey.pid != left_behind
        until(lambda: gone(left_behind))
    finally:
        with suppress(ProcessLookupError):
            os.kill(left_behind, signal.SIGKILL)


def test_two_servers_never_run_on_one_directory(valkey: EmbeddedValkey) -> None:
    """The first one's owner was killed before any client could reach it."""
    check_started_after(left_by(LAUNCHED_ONLY, valkey.data_dir), valkey)
    put(valkey, "kept")
    assert get(valkey) == b"kept"


WITHOUT_A_LOCK = """
    import fcntl, os, signal, sys
    from cartulary.cli.embedded.embedded import EmbeddedValkey
    fcntl.lockf = lambda *arguments: None
    server = EmbeddedValkey(sys.argv[1])
    server.start()
    os.kill(server.pid, signal.SIGSTOP)
    os.waitpid(server.pid, os.WUNTRACED)
    print(server.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_server_of_an_earlier_release_is_waited_for_while_it_listens(
    valkey: EmbeddedValkey,
) -> None:
    """It holds no lock, and may take long over ending."""
    check_started_after(left_by(WITHOUT_A_LOCK, valkey.data_dir), valkey)


def test_a_server_killed_while_it_rewrites_its_file_is_started_again_at_once(
    valkey: EmbeddedValkey,
) -> None:
    """The child that rewrites goes on for a while, and must not keep the lock."""
    client = connect(valkey.start())
    client.mset({f"k{number}": "x" for number in range(60)})
    client.config_set("rdb-key-save-delay", 2_000_000)  # µs: two minutes for the 60
    client.bgrewriteaof()
    until(lambda: client.info("persistence")["aof_rewrite_in_progress"])
    assert valkey.pid is not None
    group = valkey.pid
    os.kill(group, signal.SIGKILL)
    valkey.stop()
    try:
        valkey.start(timeout=60)
        assert connect(str(valkey.url)).dbsize() == 60
    finally:
        os.killpg(group, signal.SIGKILL)  # it would fail had the child ended by now


def test_a_start_can_be_called_off(valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "read_progress", lambda client: LoadingProgress())
    asked = iter([False, False, True])
    with pytest.raises(StopRequested):
        valkey.start(stop_requested=lambda: next(asked))
    assert not valkey.running()


DELAY_US = 320
"""The slow server sleeps at least so long for each key that it loads."""


def slow_loading(folder: Path, delay_us: int = DELAY_US) -> Path:
    """Return a program that is the server, but takes `delay_us` for each key that it loads."""
    program = folder / "slow-valkey"
    program.write_text(f'#!/bin/sh\nexec {find_server()} "$@" --key-load-delay {delay_us}\n')
    program.chmod(0o755)
    return program


def test_loading_is_waited_for_as_long_as_it_progresses(
    valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client = connect(valkey.start())
    pipe = client.pipeline(transaction=False)
    keys, seconds = 50_000, 15.0  # a busy server tells of 1024 keys in some seconds
    assert keys * DELAY_US > seconds * 1_000_000
    for number in range(keys):
        pipe.set(f"k{number}", "x" * 50)
    pipe.execute()
    client.close()
    valkey.stop()
    slow = slow_loading(tmp_path)
    reports: list[str] = []
    monkeypatch.setattr(embedded, "find_server", lambda: slow)
    monkeypatch.setattr(embedded, "REPORT_EVERY", 0.5)
    valkey.start(timeout=seconds, report=reports.append)
    assert connect(str(valkey.url)).dbsize() == keys
    assert all(re.fullmatch(r"\d+ of \d+ MiB loaded, about \d+ s to go", r) for r in reports)
    assert reports


def test_a_loading_that_stands_still_ends_the_start(
    valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = LoadingProgress(loaded=1, total=2)
    monkeypatch.setattr(embedded, "read_progress", lambda client: stuck)
    with pytest.raises(EmbeddedError, match="does not answer"):
        valkey.start(timeout=0.5)
    assert not valkey.running()


def test_a_long_directory_gets_a_short_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    with EmbeddedValkey(deep) as valkey:
        assert valkey.url is not None
        socket = Path(valkey.url.removeprefix("unix://"))
        assert len(str(socket)) <= embedded.SOCKET_PATH_MAX
        put(valkey, "reachable")
    assert not socket.parent.exists()
    assert any(deep.iterdir())


def test_a_server_that_does_not_come_up_is_an_error(
    valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(embedded, "find_server", lambda: broken)
    with pytest.raises(EmbeddedError, match="ended at once"):
        valkey.start()
    monkeypatch.undo()
    valkey.start()
    assert valkey.running(), "the failed start has given the lock back"


def fake_server(directory: Path, name: str, version: str) -> None:
    program = directory / name
    program.write_text(f'#!/bin/sh\necho "{name} v={version} sha=0"\n')
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("servers", "found"),
    [
        ({"valkey-server": "8.0.1", "redis-server": "7.2.0"}, "valkey-server"),
        ({"redis-server": "7.2.0"}, "redis-server"),
        ({"redis-server": "6.2.14"}, None),
        ({}, None),
    ],
)
def test_without_the_bundled_one_a_server_of_version_7_on_path_will_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, servers: dict[str, str], found: str | None
) -> None:
    for name, version in servers.items():
        fake_server(tmp_path, name, version)
    monkeypatch.setattr(embedded, "find_bundled_server", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    if found is None:
        with pytest.raises(NoServer, match="install valkey-server"):
            find_server()
    else:
        assert find_server() == tmp_path / found


def test_a_directory_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match=f"cannot use {tmp_path}/file/valkey"):
        EmbeddedValkey(tmp_path / "file" / "valkey").start()
