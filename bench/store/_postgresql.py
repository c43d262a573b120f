"""A PostgreSQL of one's own in a folder: made, started, stopped, and its files out of the cache."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psycopg

START_S: Final = 60


def find_program(name: str) -> Path | None:
    """Return a program of the newest PostgreSQL here, None where none is installed.

    Debian has them outside of PATH.
    """
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    folders = sorted(versions, key=lambda folder: folder.parent.name, reverse=True)
    found = [folder / name for folder in folders if (folder / name).exists()]
    on_path = shutil.which(name)
    if found:
        return found[0]
    return None if on_path is None else Path(on_path)


class Cluster:
    """A cluster in a folder, which trusts the user `postgres` at a socket there."""

    def __init__(self, folder: Path) -> None:
        """Make the cluster in an empty folder, or take that which is there.

        Raises `FileNotFoundError` where PostgreSQL is not installed.
        """
        initdb, server = find_program("initdb"), find_program("postgres")
        if initdb is None or server is None:
            raise FileNotFoundError("PostgreSQL is not installed (apt-get install postgresql)")
        self.folder, self._server = folder, server
        self._as_user = _drop_rights(folder)
        self._process: subprocess.Popen[bytes] | None = None
        if (folder / "data").exists():
            return
        # A collation of a language: the ids must sort by their bytes even so.
        command: list[str | Path] = [initdb, "--pgdata", folder / "data", "--username=postgres"]
        command += ["--auth=trust", "--encoding=UTF8", "--no-sync", "--no-instructions"]
        command += ["--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8"]
        subprocess.run(command, check=True, capture_output=True, **self._as_user)

    @property
    def url(self) -> str:
        """Return the URL of the database `postgres`, for SQLAlchemy."""
        return f"postgresql+psycopg://postgres@/postgres?host={quote(str(self.folder))}"

    def start(self, settings: Sequence[str]) -> None:
        """Start the server with settings (`NAME=VALUE`), and wait until it answers."""
        words = [part for setting in ("listen_addresses=", *settings) for part in ("-c", setting)]
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                [self._server, "-D", self.folder / "data", "-k", self.folder, *words],
                stdout=log,
                stderr=log,
                **self._as_user,
            )
        self._wait(self._process)

    def stop(self, *, at_once: bool = False) -> None:
        """Stop the server; `at_once` leaves what is not on the disk."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
            self._process.wait()
            self._process = None

    def drop_cache(self) -> None:
        """Have the kernel forget the files of the cluster, whose server does not run."""
        os.sync()
        for file in (self.folder / "data").rglob("*"):
            if file.is_file():
                opened = os.open(file, os.O_RDONLY)
                os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(opened)

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        ends = time.monotonic() + START_S
        while True:
            try:
                psycopg.connect(
                    host=str(self.folder), user="postgres", connect_timeout=START_S
                ).close()
            except psycopg.OperationalError:
                if process.poll() is not None or time.monotonic() > ends:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.02)
            else:
                return


def _drop_rights(folder: Path) -> dict[str, Any]:
    """Return how a program is started without the rights of root, which initdb refuses."""
    if os.getuid() != 0:
        return {}
    account = pwd.getpwnam("nobody")
    os.chown(folder, account.pw_uid, account.pw_gid)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [], "cwd": folder}
