"""The service as a real process: gunicorn on a port of its own."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import requests

from tests.service.support.caller import METRICS_TOKEN
from tests.support.polling import until

ROOT = Path(__file__).parents[3]

CONFIGURATION = "python:cartulary.service.process.gunicorn_conf"


class Gunicorn:
    """A running service; `log` is the file that it writes its log to."""

    def __init__(self, events_url: str, log: Path, **environment: Any) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.log = log
        scheme = "https" if "certificate" in environment else "http"
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self.folder = ROOT
        """Where Python starts: the package in it is the one that runs."""
        self.within = 60.0
        """Seconds that the start may take."""
        self.descriptors: int | None = None
        """The hard limit of descriptors of the service, where a test sets one."""
        self._is_started = False
        self._certificate = environment.get("certificate")
        self.api = f"{self.url}/api/v1"
        self._environment = {
            **os.environ,
            "CARTULARY_EVENTS_URL": events_url,
            "CARTULARY_BIND": f"fd://{self._listener.fileno()}",
            "CARTULARY_WEB_PROCESSES": "1",
            "CARTULARY_METRICS_TOKEN": METRICS_TOKEN,
            **{f"CARTULARY_{name.upper()}": str(value) for name, value in environment.items()},
        }

    def start(self) -> None:
        """Start the process, which `with` then waits for; without this `with` starts it."""
        self._is_started = True
        with self.log.open("wb") as log, self._listener:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "-c", CONFIGURATION],
                env=self._environment,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                pass_fds=[self._listener.fileno()],
            )
        if self.descriptors is not None:
            limit = (self.descriptors, self.descriptors)
            resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, limit)

    def __enter__(self) -> Self:
        if not self._is_started:
            self.start()
        try:
            until(self._ready, self.within)
        except BaseException:
            self.process.kill()
            raise
        return self

    def _ready(self) -> bool:
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
        try:
            trusted = str(self._certificate) if self._certificate else True
            # No dispatcher runs here, so `/readyz` would not be 200.
            answer = requests.get(f"{self.url}/livez", timeout=5, verify=trusted)
        except (requests.ConnectionError, requests.Timeout):
            return False
        return answer.status_code == 200

    def stop(self) -> int:
        """Ask the service to end, and wait for that; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
