"""The embedded Valkey: a server process of our own on a data directory of our own."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError
from redis.retry import Retry

from cartulary.cli.embedded.errors import DataDirInUse, EmbeddedError, NoServer, StopRequested
from cartulary.cli.embedded.holes import close_holes
from cartulary.cli.embedded.loading import LoadingProgress, ProgressWatch, read_progress
from cartulary.events.server.borrowed import find_bundled_server
from cartulary.events.server.die_with_parent import make_end_with_parent

SOCKET_PATH_MAX = 100
"""Bytes; a unix socket address holds 104 (macOS) or 108 (Linux) with its final zero."""
SOCKET_DIR = "cartulary-"
"""How the name of a directory begins that holds nothing but a socket."""
OLDEST = 7
"""The oldest major version of a server found on PATH that will do."""
POLL = 0.02
REPORT_EVERY = 5.0
"""Seconds between two reports about the loading."""


class _Patience:
    """How long a start may take, in seconds, without any progress."""

    def __init__(self, timeout: float, stop_requested: Callable[[], bool]) -> None:
        self._timeout, self._stop_requested = timeout, stop_requested
        self._deadline = monotonic() + timeout

    def extend(self, progressed: float) -> None:
        """Count the time from `progressed` on, a moment of `time.monotonic`."""
        self._deadline = progressed + self._timeout

    def wait(self, trouble: str) -> None:
        """Wait a moment; raises `EmbeddedError` with the trouble when that was the last one."""
        if self._stop_requested():
            raise StopRequested("told to stop before the server had started")
        if monotonic() > self._deadline:
            raise EmbeddedError(trouble)
        sleep(POLL)


class EmbeddedValkey:
    """A Valkey (or Redis >= 7) on a unix socket, append-only file on disk; a context manager.

    `url` and `pid` are None while it is not running. `data_dir` is made when missing. `durability`
    is when an answer is on the disk: `always` before it is given, `everysec` within a second.
    """

    def __init__(self, data_dir: Path | str, durability: str = "everysec") -> None:
        self.data_dir = Path(data_dir).resolve()
        self.durability = durability
        self.url: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: IO[str] | None = None
        self._socket_dir: Path | None = None

    @property
    def pid(self) -> int | None:
        """The process id of the server, None while it is not running."""
        return self._process.pid if self._process is not None else None

    def start(
        self,
        timeout: float = 30,
        stop_requested: Callable[[], bool] = lambda: False,
        report: Callable[[str], None] = lambda _line: None,
    ) -> str:
        """Start the server, wait until it answers, return its URL (`unix://…`).

        The server may load its data for as long as the loading progresses; `report` gets a line
        about the progress every few seconds. Raises what `launch` raises, and `EmbeddedError` when
        the server ends, or makes no progress for `timeout` seconds.
        """
        url = self.launch(timeout, stop_requested)
        try:
            self._await(_Patience(timeout, stop_requested), report)
        except EmbeddedError:
            ended = not self.running()
            self.stop()
            if not (ended and self.mend()):
                raise
            report("its file had holes from a full disk, which are closed now")
            return self.start(timeout, stop_requested, report)
        except BaseException:
            self.stop()
            raise
        return url

    def mend(self) -> int:
        """Close the holes in the file of a server that does not run (`cli.embedded.holes`).

        Returns how many holes there were. Raises `OSError` when the disk is full.
        """
        return close_holes(self.data_dir / "appendonlydir")

    def launch(
        self, timeout: float = 30, stop_requested: Callable[[], bool] = lambda: False
    ) -> str:
        """Start the server and return its URL; the server does not answer yet (`read_progress`).

        Stops a server first that a killed process has left behind on the directory. Raises
        `DataDirInUse` when another process holds the directory, `NoServer` when there is nothing
        to start, `EmbeddedError` when the server left behind does not end in `timeout` seconds, and
        `StopRequested` as soon as `stop_requested` returns true.
        """
        program = find_server()
        self._take_lock()
        try:
            with self._take_over(_Patience(timeout, stop_requested)) as held:
                socket = self._choose_socket()
                self._process = self._launch(program, socket, held)
        except BaseException:
            self.stop()
            raise
        self.url = f"unix://{socket}"
        return self.url

    def read_progress(self) -> LoadingProgress:
        """Return how far the server is; raises `EmbeddedError` when its process has ended."""
        if not self.running() or self.url is None:
            raise EmbeddedError(f"the server ended at once; see {self._note('log')}")
        client = _client(self.url.removeprefix("unix://"))
        try:
            return read_progress(client)
        finally:
            client.close()

    def answers(self) -> bool:
        """Return whether the server answers within a second; that it loads is an answer, too."""
        if self.url is None:
            return False
        client = _client(self.url.removeprefix("unix://"))
        try:
            client.ping()
        except BusyLoadingError:
            return True
        except RedisError:
            return False
        finally:
            client.close()
        return True

    def waits_for_disk(self) -> bool:
        """Return whether the server waits for its disk now; only Linux says so."""
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text()
        except FileNotFoundError:
            return False
        return stat.rpartition(")")[2].split()[0] == "D"

    def stop(self, timeout: float = 8) -> None:
        """Stop the server with SIGTERM, so that it writes everything, and give the lock back.

        One that does not end in `timeout` seconds is killed: what it has acknowledged is in the
        append-only file.
        """
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
            self._note("socket").unlink(missing_ok=True)
        self.url = None
        if self._socket_dir is not None:
            shutil.rmtree(self._socket_dir, ignore_errors=True)
            self._socket_dir = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def running(self) -> bool:
        """Return whether the server process lives."""
        return self._process is not None and self._process.poll() is None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _note(self, name: str) -> Path:
        return self.data_dir / f"valkey.{name}"

    def _take_lock(self) -> None:
        try:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = self._note("lock").open("a+")
        except OSError as error:  # it is that of another user, or the disk is full
            raise EmbeddedError(f"cannot use {self.data_dir}: {error}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise DataDirInUse(f"{self.data_dir} is in use by another process") from error
        self._lock = lock

    def _take_over(self, patience: _Patience) -> IO[str]:
        """Return the file of the server's lock, once no process holds it any more.

        A process that is killed cannot stop its server, and two on one append-only file would ruin
        it. The server itself holds this lock, from before it listens until it has ended: a record
        lock (POSIX), which exec keeps and the children that rewrite the file do not inherit.
        """
        lock = self._note("server.lock").open("a+")
        try:
            while (trouble := self._ask_left_behind()) or not _free(lock):
                patience.wait(
                    f"the server left behind on {self.data_dir} does not stop: "
                    f"{trouble or 'it cannot be reached'}"
                )
        except BaseException:
            lock.close()
            raise
        return lock

    def _ask_left_behind(self) -> str:
        """Ask a server that was left behind to end; return why one that listens has not."""
        note = self._note("socket")
        if not note.exists():
            return ""
        client = _client(note.read_text())
        try:
            client.shutdown()  # comes back when the server is gone, or does not listen
        except RedisError as error:
            return str(error)
        finally:
            client.close()
        return ""

    def _choose_socket(self) -> Path:
        socket = self._note("sock")
        if len(os.fsencode(socket)) > SOCKET_PATH_MAX:
            self._delete_left_behind()
            self._socket_dir = Path(tempfile.mkdtemp(prefix=SOCKET_DIR))
            socket = self._socket_dir / "valkey.sock"
        self._note("socket").write_text(str(socket))
        return socket

    def _delete_left_behind(self) -> None:
        """Delete the directory of the socket of a process that was killed."""
        note = self._note("socket")
        left = Path(note.read_text()).parent if note.exists() else self.data_dir
        if left != self.data_dir and left.name.startswith(SOCKET_DIR):
            shutil.rmtree(left, ignore_errors=True)

    def _launch(self, program: Path, socket: Path, held: IO[str]) -> subprocess.Popen[bytes]:
        options = {
            "port": "0",
            "unixsocket": str(socket),
            "unixsocketperm": "700",
            "dir": str(self.data_dir),
            "pidfile": str(self._note("pid")),
            "logfile": str(self._note("log")),
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": self.durability,
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
        # A session of its own: Ctrl-C on the terminal is for us, the server goes down last.
        return subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            umask=0o077,
            pass_fds=[held.fileno()],
            preexec_fn=partial(_begin, held.fileno(), make_end_with_parent(signal.SIGTERM)),
        )

    def _await(self, patience: _Patience, report: Callable[[str], None]) -> None:
        watch, due = ProgressWatch(), monotonic() + REPORT_EVERY
        while not (progress := self.read_progress()).ready:
            watch.note(progress)
            patience.extend(watch.since)
            if progress.loaded >= 0 and monotonic() > due:
                report(progress.describe())
                due = monotonic() + REPORT_EVERY
            patience.wait(f"the server does not answer; see {self._note('log')}")


def find_server() -> Path:
    """Return the server program: the bundled one, else one of version 7 or later on PATH.

    Raises `NoServer`, saying what to install.
    """
    bundled = find_bundled_server()
    if bundled is not None:
        return bundled
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None and _read_major(found) >= OLDEST:
            return Path(found)
    raise NoServer(
        "no Valkey is bundled for this platform and none is on PATH: install valkey-server, or "
        f"redis-server {OLDEST} or later, or set CARTULARY_EVENTS_URL"
    )


def _read_major(program: str) -> int:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"v=(\d+)\.", said.stdout)
    return int(match[1]) if match else 0


def _begin(lock: int, end_with_parent: Callable[[], None]) -> None:
    """Prepare the process of the server, before it runs the program."""
    fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    end_with_parent()


def _free(file: IO[str]) -> bool:
    """Return whether no process holds the record lock of a file."""
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    fcntl.lockf(file, fcntl.LOCK_UN)
    return True


def _client(socket: str) -> Redis:
    """Return a client that gives up soon: the server is not expected to be there."""
    return Redis(unix_socket_path=socket, socket_timeout=1, retry=Retry(NoBackoff(), 0))
