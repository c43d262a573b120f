"""A PostgreSQL of the tests: one cluster for each process of tests, thrown away at its end."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from tests.support.missing_tools import missing

START_S = 60
SETTINGS = (
    # Nothing of this cluster outlives the tests.
    *("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "jit=off"),
    *("listen_addresses=", "shared_buffers=16MB", "max_wal_size=128MB", "max_connections=40"),
)


def find_program(name: str) -> Path:
    """Return a program of the newest PostgreSQL here; Debian has them outside of PATH."""
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    folders = sorted(versions, key=lambda folder: folder.parent.name, reverse=True)
    found = [folder / name for folder in folders if (folder / name).exists()]
    on_path = shutil.which(name)
    if not found and on_path is None:
        missing("PostgreSQL is not installed (apt-get install postgresql)")
    return found[0] if found else Path(str(on_path))


@contextmanager
def run_cluster() -> Iterator[Path]:
    """Yield the directory of the socket of a new cluster, which trusts the user `postgres`."""
    initdb, server = find_program("initdb"), find_program("postgres")
    with tempfile.TemporaryDirectory(prefix="cartulary-postgresql-") as name:
        folder = Path(name)
        as_user = _drop_rights(folder)
        # A collation of a language: the ids must sort by their bytes even so.
        command: list[str | Path] = [initdb, "--pgdata", folder / "data", "--username=postgres"]
        command += ["--auth=trust", "--encoding=UTF8", "--no-sync", "--no-instructions"]
        command += ["--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8"]
        subprocess.run(command, check=True, capture_output=True, **as_user)
        settings = [part for setting in SETTINGS for part in ("-c", setting)]
        with open(folder / "log", "wb") as log:
            process = subprocess.Popen(
                [server, "-D", folder / "data", "-k", folder, *settings],
                stdout=log,
                stderr=log,
                **as_user,
            )
        try:
            _wait(folder, process)
            yield folder
        finally:
            process.send_signal(signal.SIGQUIT)  # nothing has to be written to the disk
            process.wait()


def _drop_rights(folder: Path) -> dict[str, Any]:
    """Return how a program is started without the rights of root, which initdb refuses."""
    if os.getuid() != 0:
        return {}
    account = pwd.getpwnam("nobody")
    os.chown(folder, account.pw_uid, account.pw_gid)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": [], "cwd": folder}


def _wait(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    ends = time.monotonic() + START_S
    while True:
        try:
            psycopg.connect(host=str(folder), user="postgres", connect_timeout=START_S).close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError((folder / "log").read_text()) from None
            time.sleep(0.02)
        else:
            return


def execute(folder: Path, statement: str) -> None:
    """Run a statement as the user who owns all."""
    with psycopg.connect(host=str(folder), user="postgres", autocommit=True) as connection:
        connection.execute(statement.encode())


@contextmanager
def make_schema(folder: Path, name: str) -> Iterator[str]:
    """Yield the URL of a schema of its own: a new database would take ten times as long."""
    execute(folder, f"CREATE SCHEMA {name}")
    options = quote(f"-csearch_path={name}", safe="")
    yield f"postgresql+psycopg://postgres@/postgres?host={quote(str(folder))}&options={options}"
    execute(folder, f"DROP SCHEMA {name} CASCADE")
