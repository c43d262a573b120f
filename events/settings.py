"""Settings of the ledger, from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from cartulary.events.errors import LedgerError
from cartulary.events.projector import CAPACITY


class SettingsError(LedgerError):
    """A setting that is missing or cannot be read; the message names the variable."""


class Settings(NamedTuple):
    """Where the ledger is and how much of it a process remembers.

    `events_url`: the server of streams, players and projections; `queue_url`: the server of the
    job queues (RQ needs a standalone one); `cache_bytes`: bytes of positions that a process caches.
    """

    events_url: str
    queue_url: str
    cache_bytes: int = CAPACITY

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read `CARTULARY_EVENTS_URL`, `CARTULARY_QUEUE_URL` and `CARTULARY_CACHE_BYTES`.

        The queue is on the events server unless set otherwise. Raises `SettingsError`.
        """
        env = os.environ if environ is None else environ
        events_url = env.get("CARTULARY_EVENTS_URL", "")
        if not events_url:
            raise SettingsError(
                "CARTULARY_EVENTS_URL is not set, for example redis://localhost:6379/0"
            )
        cached = env.get("CARTULARY_CACHE_BYTES", str(CAPACITY))
        if not cached.isdecimal() or int(cached) < 1:
            raise SettingsError(f"CARTULARY_CACHE_BYTES must be a positive number, not {cached!r}")
        return cls(events_url, env.get("CARTULARY_QUEUE_URL") or events_url, int(cached))
