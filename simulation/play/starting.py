"""A start of the store: the `serve` that waits for it, with the product's own patience."""

from __future__ import annotations

from collections.abc import Callable

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.embedded.errors import EmbeddedError
from cartulary.cli.embedded.loading import LoadingProgress, read_progress
from cartulary.events.server.connection import connect
from simulation.play.people import SimulatedPeople
from simulation.world.connection import URL


class SimulatedValkey(EmbeddedValkey):
    """The store of the world as the embedded server of `serve`; it is there already."""

    def read_progress(self) -> LoadingProgress:
        """Return how far the loading is."""
        pool = connect(URL).connection_pool
        client = Redis(connection_pool=pool)
        client.set_retry(Retry(NoBackoff(), 0))
        try:
            return read_progress(client)
        finally:
            client.close()
            pool.disconnect()

    def launch(
        self, timeout: float = 30, stop_requested: Callable[[], bool] = lambda: False
    ) -> str:
        """Return the address of the store."""
        del timeout, stop_requested
        return URL

    def running(self) -> bool:
        """Return whether the server lives."""
        return True

    def stop(self, timeout: float = 8) -> None:
        """Leave the store alone."""
        del timeout


class StartWatcher:
    """Begins a `serve` whenever the store loads: it must wait as long as the loading goes on."""

    def __init__(self, crowd: SimulatedPeople) -> None:
        self.crowd = crowd
        self._count = 0

    def watch(self) -> None:
        """Begin a `serve` that waits for the store."""
        self._count += 1
        self.crowd.world.start(f"serve-{self._count}", self._wait)

    def _wait(self) -> None:
        try:
            SimulatedValkey("/nowhere").start()
        except EmbeddedError as error:
            self.crowd.report(f"serve gives up while the store loads: {error}")
