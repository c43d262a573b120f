"""An installation on several machines, as processes of this machine: each role runs by itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.cluster_nodes import Cluster
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.parent import make_end_with_parent
from tests.service.gunicorn import ROOT, Gunicorn

DISPATCHER: Final = ("-m", "cartulary.workers.dispatcher")
WORKER: Final = ("-m", "cartulary.workers.worker")


class Installation(NamedTuple):
    """Two machines with a web process each, and what they share; `log` is the log of each part."""

    nodes: Cluster
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
def install(folder: Path, nodes: Cluster, **settings: Any) -> Iterator[Installation]:
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
