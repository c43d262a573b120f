"""A service as real processes, for the benches that load it over HTTP."""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from cartulary.service.process import gunicorn_conf

ROOT = Path(__file__).parent.parent
CONFIGURATION = "python:cartulary.service.process.gunicorn_conf"
"""How the service itself is configured."""


UNLIMITED = {
    f"CARTULARY_{name}": ""
    for name in ("RATE_PLAYERS", "RATE_GAMES", "RATE_IMPORTS", "RATE_TICKETS", "RATE_VERIFICATIONS")
} | {f"CARTULARY_QUOTA_{name}": "0" for name in ("OPEN", "RUNNING", "BOTS", "IMPORTS")}
"""Settings for the clients of a bench, which do more than one person does from one address."""


class Served(NamedTuple):
    """An app that is served: its port, and the id of the process of gunicorn's master."""

    port: int
    master: int

    def cpu_seconds(self) -> float:
        """Return the CPU time that the web processes have used; only Linux knows it."""
        if not Path("/proc").is_dir():
            return math.nan
        children = Path(f"/proc/{self.master}/task/{self.master}/children").read_text()
        return sum(map(_cpu_seconds, children.split()))


def _cpu_seconds(pid: str) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def run_service(
    arguments: list[str], environment: dict[str, str], processes: int = 1
) -> Iterator[int]:
    """Serve an app; yields the port."""
    with serve(arguments, environment, processes) as served:
        yield served.port


@contextmanager
def serve(
    arguments: list[str], environment: dict[str, str], processes: int = 1
) -> Iterator[Served]:
    """Serve an app."""
    with socket.create_server(("127.0.0.1", 0), backlog=gunicorn_conf.backlog) as listener:
        port: int = listener.getsockname()[1]
        bound = [f"--workers={processes}", f"--bind=fd://{listener.fileno()}"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *bound, *arguments],
            env={**os.environ, **UNLIMITED, **environment},
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
        )
    try:
        _until_ready(port, process)
        yield Served(port, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=5).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"gunicorn has ended with {process.returncode}")


def post(port: int, path: str, body: Any, token: str = "") -> Any:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1{path}",
        orjson.dumps(body),
        {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        if token
        else {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return orjson.loads(answer.read())
