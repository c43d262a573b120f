"""A service as real processes, for the benches that load it over HTTP."""

from __future__ import annotations

import math
import os
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import orjson

from cartulary.service.process import gunicorn_conf

ROOT = Path(__file__).parents[2]
CONFIGURATION = "python:cartulary.service.process.gunicorn_conf"
"""How the service itself is configured."""


UNLIMITED = {
    f"CARTULARY_{name}": ""
    for name in ("RATE_PLAYERS", "RATE_GAMES", "RATE_IMPORTS", "RATE_TICKETS", "RATE_VERIFICATIONS")
} | {f"CARTULARY_QUOTA_{name}": "0" for name in ("OPEN", "RUNNING", "BOTS", "IMPORTS", "SEATS")}
"""Settings for the clients of a bench, which do more than one person does from one address."""

CLIENT_TLS = ssl.create_default_context()
"""The benches measure a service of their own: whose certificate it has does not matter."""
CLIENT_TLS.check_hostname = False
CLIENT_TLS.verify_mode = ssl.CERT_NONE


SECRET = {"CARTULARY_SECRET": os.environ.get("CARTULARY_SECRET") or token_hex(32)}
"""The secret that all processes of a bench share; `cartulary serve` makes its own."""


class Served(NamedTuple):
    """An app that is served: its port, the id of the process of gunicorn's master, and TLS."""

    port: int
    master: int
    secure: bool = False

    @property
    def processes(self) -> list[int]:
        """Return the ids of the web processes; only Linux knows them."""
        children = Path(f"/proc/{self.master}/task/{self.master}/children").read_text()
        return list(map(int, children.split()))

    def cpu_seconds(self) -> float:
        """Return the CPU time that the web processes have used; only Linux knows it."""
        if not Path("/proc").is_dir():
            return math.nan
        return sum(map(cpu_seconds, self.processes))

    def connect(self) -> socket.socket:
        """Return a connection."""
        made = socket.create_connection(("127.0.0.1", self.port))
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return CLIENT_TLS.wrap_socket(made) if self.secure else made


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used."""
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
    """Serve an app; with `CARTULARY_CERTIFICATE` in the environment by HTTPS."""
    secure = "CARTULARY_CERTIFICATE" in environment
    with socket.create_server(("127.0.0.1", 0), backlog=gunicorn_conf.backlog) as listener:
        port: int = listener.getsockname()[1]
        bound = [f"--workers={processes}", f"--bind=fd://{listener.fileno()}"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *bound, *arguments],
            env={**os.environ, **UNLIMITED, **SECRET, **environment},
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
        )
    try:
        _until_ready(f"{_scheme(secure)}://127.0.0.1:{port}/livez", process)
        yield Served(port, process.pid, secure)
    finally:
        process.terminate()
        process.wait(timeout=20)


@contextmanager
def run_module(module: str, environment: dict[str, str], *arguments: str) -> Iterator[int]:
    """Run a module as a process of its own; yields its id."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, **SECRET, **environment},
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=30)


def _scheme(secure: bool) -> str:
    return "https" if secure else "http"


def _until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5, context=CLIENT_TLS).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"gunicorn has ended with {process.returncode}")


def post(
    port: int, path: str, body: Any, token: str = "", secure: bool = False, method: str = "POST"
) -> Any:
    """Send a request with a body of JSON; return the body of the answer."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    url = f"{_scheme(secure)}://127.0.0.1:{port}/api/v1{path}"
    request = urllib.request.Request(url, orjson.dumps(body), headers, method=method)
    with urllib.request.urlopen(request, timeout=10, context=CLIENT_TLS) as answer:
        return orjson.loads(answer.read())
