"""An installation on several machines, as processes of this machine, and clients of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, NamedTuple

import requests

from bench.cluster_nodes import BenchCluster
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.die_with_parent import make_end_with_parent
from tests.service.support.gunicorn_process import ROOT, Gunicorn

DISPATCHER: Final = ("-m", "cartulary.workers.dispatcher")
WORKER: Final = ("-m", "cartulary.workers.worker")
AGAIN_S: Final = 0.05
"""How long a client waits before it connects again."""


class Installation(NamedTuple):
    """Two machines with a web process each, and what they share; `log` is the log of each part."""

    nodes: BenchCluster
    registry: EmbeddedValkey
    webs: tuple[Gunicorn, Gunicorn]
    log: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return the addresses that all processes share."""
        return {
            "CARTULARY_EVENTS_URL": self.nodes.url,
            "CARTULARY_QUEUE_URL": str(self.registry.url),
        }


@contextmanager
def install(folder: Path, nodes: BenchCluster, **settings: Any) -> Iterator[Installation]:
    """Run two web processes on a cluster; `settings` are those of both."""
    with ExitStack() as opened:
        registry = opened.enter_context(EmbeddedValkey(folder / "registry"))
        shared = {"queue_url": registry.url, "rate_games": "", **settings}
        made = [Gunicorn(nodes.url, folder / f"web-{name}.log", **shared) for name in "ab"]
        for one in made:
            one.start()
        webs = (opened.enter_context(made[0]), opened.enter_context(made[1]))
        yield Installation(nodes, registry, webs, folder)


class Role:
    """A dispatcher or a worker on a machine of its own; a context manager."""

    def __init__(self, words: tuple[str, ...], machine: Path, environment: dict[str, str]) -> None:
        machine.mkdir(exist_ok=True)
        with (machine / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *words],
                cwd=machine,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                stdout=log,
                stderr=log,
                preexec_fn=make_end_with_parent(signal.SIGTERM),
            )

    def __enter__(self) -> Role:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


class Follower:
    """A browser that follows a stream: it connects again with the last id, to the next machine."""

    def __init__(self, webs: tuple[Gunicorn, ...], path: str, token: str) -> None:
        self._webs, self._path = webs, path
        self._headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {token}"}
        self.ids: list[str] = []
        self.connected: list[str] = []
        """The machines that the client was connected to, in turn."""
        self._answer: requests.Response | None = None
        self._left = False
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while not self._left:
            web = self._webs[len(self.connected) % len(self._webs)]
            after = {"Last-Event-ID": self.ids[-1]} if self.ids else {}
            try:
                with requests.get(
                    web.api + self._path,
                    headers={**self._headers, **after},
                    stream=True,
                    timeout=60,
                ) as answer:
                    if answer.status_code == 200:
                        self._read(web, answer)
            except (requests.RequestException, AttributeError, ValueError):
                pass  # The connection was cut, by `cut` as well.
            time.sleep(AGAIN_S)

    def _read(self, web: Gunicorn, answer: requests.Response) -> None:
        self._answer = answer
        self.connected.append(web.api)
        for line in answer.iter_lines():
            if line.startswith(b"id: "):
                self.ids.append(line[4:].decode())

    def is_connected(self) -> bool:
        """Return whether the client was connected at least once."""
        return bool(self.connected)

    def has(self, count: int) -> bool:
        """Return whether so many entries have come."""
        return len(self.ids) >= count

    def cut(self) -> None:
        """Cut the connection."""
        assert self._answer is not None
        connection: Any = self._answer.raw
        connection.shutdown()

    def leave(self) -> None:
        """Follow no more."""
        self._left = True
        with suppress(RuntimeError, ValueError):  # The stream may have ended by itself.
            self.cut()
        self._thread.join()
