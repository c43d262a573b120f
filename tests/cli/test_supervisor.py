"""Children that are kept alive, tried with small Python programs as children."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cartulary.cli.processes.supervisor import Child, SignOfLife, Supervisor
from cartulary.cli.serve import say
from cartulary.cli.shared.data_directory import DataDir
from cartulary.cli.shared.errors import Unusable
from tests.support.polling import gone, until

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf', flush=True);"
    "time.sleep(60)",
]

on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="PR_SET_PDEATHSIG is of Linux"
)


@contextmanager
def killed_in_the_end(process: subprocess.Popen[str]) -> Iterator[None]:
    """Leave no process behind, and wait for none: its own `with` would wait without an end."""
    with process:
        try:
            yield
        finally:
            process.kill()


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    supervisor = Supervisor()
    yield supervisor
    supervisor.stop_children(grace=0.1)


def pid_of(child: Child) -> int:
    assert child.pid is not None
    return child.pid


@pytest.mark.process
def test_a_child_that_dies_is_started_again_visibly(
    supervisor: Supervisor, lines: list[str]
) -> None:
    child = Child("sleeper", SLEEPER, lines.append)
    supervisor.start(child)
    first = pid_of(child)
    os.kill(first, signal.SIGKILL)
    supervisor.run(until=lambda: child.alive and child.pid != first)
    assert child.alive
    assert f"sleeper (pid {first}) was killed by SIGKILL; restarting it in 0.2 s" in lines
    assert lines[-1] == f"sleeper runs (pid {child.pid})"


class FullDisk(io.StringIO):
    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.process
def test_a_log_on_a_full_disk_keeps_no_child_from_being_started_again(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = Child("sleeper", SLEEPER, say)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", FullDisk())
        supervisor.start(child)
        first = pid_of(child)
        os.kill(first, signal.SIGKILL)
        supervisor.run(until=lambda: child.alive and child.pid != first)
    assert child.alive


@pytest.mark.process
def test_the_pause_before_a_restart_grows_when_deaths_follow_each_other(
    supervisor: Supervisor, lines: list[str]
) -> None:
    supervisor.start(Child("broken", [sys.executable, "-c", "raise SystemExit(3)"], lines.append))
    deaths: Callable[[], list[str]] = lambda: [line for line in lines if "exit code 3" in line]  # noqa: E731
    supervisor.run(until=lambda: len(deaths()) == 3)
    assert [line.rsplit(" in ", 1)[1] for line in deaths()] == ["0.2 s", "0.5 s", "1 s"]


@pytest.mark.process
def test_stop_ends_all_children_and_kills_those_that_do_not_heed_it(
    supervisor: Supervisor, lines: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    polite, stubborn = Child("polite", SLEEPER, lines.append), Child("s", STUBBORN, lines.append)
    supervisor.start(polite)
    supervisor.start(stubborn)
    until(lambda: "deaf" in capfd.readouterr().err)
    pids = [pid_of(polite), pid_of(stubborn)]
    supervisor.stop_children(grace=2)
    assert all(gone(pid) for pid in pids)
    assert [line for line in lines if "killing" in line] == [
        f"s (pid {pids[1]}) does not stop; killing it"
    ]


@pytest.mark.process
def test_a_child_that_is_to_start_again_and_does_not_stop_is_killed(
    supervisor: Supervisor,
    lines: list[str],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cartulary.cli.processes.supervisor.GRACE_S", 0.2)
    stubborn = Child("s", STUBBORN, lines.append)
    supervisor.start(stubborn)
    first = pid_of(stubborn)
    until(lambda: "deaf" in capfd.readouterr().err)
    supervisor.restart_children()
    supervisor.run(until=lambda: stubborn.alive and stubborn.pid != first)
    assert f"s (pid {first}) does not stop; killing it" in lines


@on_linux
@pytest.mark.process
def test_children_end_when_the_supervisor_is_killed() -> None:
    program = """
        from cartulary.cli.processes.supervisor import Child, Supervisor
        supervisor = Supervisor()
        child = Child("sleeper", ["sleep", "60"], lambda line: None)
        supervisor.start(child)
        print(child.pid, flush=True)
        supervisor.run()
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with killed_in_the_end(parent):
        pid = int(parent.stdout.readline())
        assert not gone(pid)
        parent.kill()
        until(lambda: gone(pid))


@on_linux
@pytest.mark.process
def test_a_child_whose_supervisor_was_killed_meanwhile_does_not_begin() -> None:
    program = """
        import os
        from cartulary.cli.processes.supervisor import Child, Supervisor
        Supervisor().heed_signals()
        os.getppid = lambda: 1
        child = Child("sleeper", ["sleep", "60"], lambda line: None)
        child.start()
        print(child._process.wait())
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ended.stdout == f"{-signal.SIGKILL}\n"


@pytest.mark.process
def test_sigterm_tells_the_supervisor_to_stop(lines: list[str]) -> None:
    program = """
        import sys
        from cartulary.cli.processes.supervisor import Child, Supervisor
        supervisor = Supervisor()
        supervisor.heed_signals()
        supervisor.start(Child("sleeper", ["sleep", "60"], lambda line: None))
        print("up", flush=True)
        supervisor.run()
        supervisor.stop_children()
        print("down")
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with killed_in_the_end(parent):
        assert parent.stdout.readline() == "up\n"
        parent.terminate()
        assert parent.stdout.readline() == "down\n"
        assert parent.wait(60) == 0


def test_a_data_directory_in_use_is_refused_naming_the_holder(tmp_path: Path) -> None:
    with DataDir(tmp_path / "data"):
        with pytest.raises(Unusable, match=rf"in use by cartulary \(pid {os.getpid()}\)") as caught:
            DataDir(tmp_path / "data").__enter__()
        assert caught.value.exit_code == 2
    with DataDir(tmp_path / "data"):
        pass


def test_one_who_reads_the_note_keeps_no_one_from_the_directory(tmp_path: Path) -> None:
    with DataDir(tmp_path):
        pass
    with (tmp_path / "serve.lock").open() as reader:
        fcntl.flock(reader, fcntl.LOCK_SH)
        released = threading.Timer(0.1, fcntl.flock, (reader, fcntl.LOCK_UN))
        released.start()
        with DataDir(tmp_path):
            pass
        released.join()


def test_a_data_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="cannot use the data directory"):
        DataDir(tmp_path / "file" / "data").__enter__()


BEATING = [
    sys.executable,
    "-c",
    "import time\n"
    "from cartulary.events.server.heartbeat import make_beat\n"
    "beat = make_beat()\n"
    "while True: beat(); time.sleep(0.1)",
]


@pytest.mark.process
def test_a_child_that_hangs_is_killed_and_restarted(
    supervisor: Supervisor, lines: list[str], tmp_path: Path
) -> None:
    life = tmp_path / "life"
    child = Child("beating", BEATING, lines.append, life=SignOfLife(life, 2.0))
    supervisor.start(child)
    first = pid_of(child)
    supervisor.run(until=lambda: life.stat().st_mtime <= time.monotonic())
    shown = life.stat().st_mtime
    supervisor.run(until=lambda: life.stat().st_mtime > shown + 2.5)
    assert child.pid == first, "a child that shows signs of life is left alone"
    os.kill(first, signal.SIGSTOP)
    supervisor.run(until=lambda: child.alive and child.pid != first)
    assert f"beating (pid {first}) has shown no sign of life for 2 s; killing it" in lines


def test_a_child_may_take_longer_to_start_than_it_may_hang(tmp_path: Path) -> None:
    life = SignOfLife(tmp_path / "life", 0.1)
    life.begin()
    for _ in range(10):
        time.sleep(0.03)
        assert not life.is_over()


@pytest.mark.slow
def test_children_get_time_where_the_supervisor_itself_did_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = SignOfLife(tmp_path / "life", 0.4)
    monkeypatch.setattr("cartulary.cli.processes.supervisor.START_S", 0.0)
    life.begin()
    time.sleep(0.5)
    assert not life.is_over()
    time.sleep(0.15)
    assert not life.is_over()
    until(life.is_over, every=0.1)
