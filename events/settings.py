"""Settings of the ledger, from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cartulary.events.errors import InvalidKey, LedgerError
from cartulary.events.keyring import parse_keys
from cartulary.events.projector import CAPACITY
from cartulary.events.quotas import Limits


class SettingsError(LedgerError):
    """A setting that is missing or cannot be read; the message names the variable."""


class Settings(NamedTuple):
    """Where the ledger is and how much of it a process remembers.

    `events_url`: the server of streams, players and projections; `queue_url`: the server of the
    job queues (RQ needs a standalone one); `cache_bytes`: bytes of positions that a process caches;
    `limits`: the quotas of each player; `keys`: those that encrypt the secrets of the draws.
    """

    events_url: str
    queue_url: str
    cache_bytes: int = CAPACITY
    limits: Limits = Limits()
    keys: Sequence[bytes] = ()

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read `CARTULARY_EVENTS_URL`, `…_QUEUE_URL`, `…_CACHE_BYTES`, `…_QUOTA_…`, `…_SECRET`.

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
        queue_url = env.get("CARTULARY_QUEUE_URL") or events_url
        return cls(events_url, queue_url, int(cached), _read_limits(env), _read_keys(env))


def _read_limits(env: Mapping[str, str]) -> Limits:
    """Return the quotas of each player; raises `SettingsError`."""
    found = Limits()._asdict()
    for name, standard in found.items():
        text = env.get(f"CARTULARY_QUOTA_{name.upper()}") or str(standard)
        if not (text.isascii() and text.isdecimal()):
            raise SettingsError(
                f"CARTULARY_QUOTA_{name.upper()} must be a whole number (0: no limit), not {text!r}"
            )
        found[name] = int(text)
    return Limits(**found)


def _read_keys(env: Mapping[str, str]) -> list[bytes]:
    text = env.get("CARTULARY_SECRET", "")
    if not text:
        raise SettingsError(
            "CARTULARY_SECRET is not set: 64 hexadecimal digits, the same on every machine, for "
            "example from `openssl rand -hex 32`; `cartulary serve` makes them by itself"
        )
    try:
        return parse_keys(text)
    except InvalidKey as error:
        raise SettingsError(str(error)) from None
