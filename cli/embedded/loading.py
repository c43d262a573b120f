"""How far a Valkey is that starts: a server with much data loads for minutes before it answers."""

from __future__ import annotations

from time import monotonic
from typing import NamedTuple

from redis import Redis
from redis.exceptions import BusyLoadingError, RedisError

MIB = 1024 * 1024


class LoadingProgress(NamedTuple):
    """What a server says about its start; sizes in bytes, `eta_s` in seconds.

    `loaded` is -1 while the server does not answer at all.
    """

    ready: bool = False
    loaded: int = -1
    total: int = 0
    eta_s: int = 0

    def describe(self) -> str:
        """Return a line for the operator."""
        return f"{self.loaded // MIB} of {self.total // MIB} MiB loaded, about {self.eta_s} s to go"


def read_progress(client: Redis) -> LoadingProgress:
    """Return how far the server is; `client` must give up soon and must not retry."""
    try:
        client.ping()
    except BusyLoadingError:
        return _read_loading(client)
    except RedisError:
        return LoadingProgress()
    return LoadingProgress(ready=True)


def _read_loading(client: Redis) -> LoadingProgress:
    try:
        said = client.info("persistence")
    except RedisError:
        return LoadingProgress()
    return LoadingProgress(
        loaded=int(said.get("loading_loaded_bytes", 0)),
        total=int(said.get("loading_total_bytes", 0)),
        eta_s=int(said.get("loading_eta_seconds", 0)),
    )


class ProgressWatch:
    """Measures for how long a server that starts has made no progress; times in seconds."""

    def __init__(self) -> None:
        self._loaded = -1
        self.since = monotonic()
        """The moment (of `time.monotonic`) of the last progress."""

    def note(self, progress: LoadingProgress) -> None:
        """Begin the measurement again when the server has loaded more than before."""
        if progress.ready or progress.loaded > self._loaded:
            self._loaded = progress.loaded
            self.since = monotonic()

    @property
    def stuck_for(self) -> float:
        """Return the seconds since the last progress."""
        return monotonic() - self.since
