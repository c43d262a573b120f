"""Settings of the ledger, from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cartulary.events.analyses.storage import KEPT_DAYS
from cartulary.events.draws.keyring import parse_keys
from cartulary.events.ledger.projector import CAPACITY
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.failures import InvalidKey
from cartulary.events.people.quotas import QuotaLimits
from cartulary.events.server.servers import is_cluster_url
from cartulary.events.time.outages import OutageLimits as Silence
from cartulary.events.time.vacations import Allowance

ARCHIVE_AFTER_S: Final = 3600
"""Seconds from the end of a game until it is archived, unless set otherwise."""

OFF: Final = "off"
"""The setting with which no game is archived."""

YEAR_S: Final = 366 * 24 * 3600
REPLICATED: Final = "replicated"
"""The durability with which an append counts when a replica has it."""


class SettingsError(LedgerError):
    """A setting that is missing or cannot be read; the message names the variable."""


class StoreSettings(NamedTuple):
    """Where the ledger is and how much of it a process remembers.

    `events_url`: the server of streams, players and projections; `queue_url`: the server of the
    job queues (RQ needs a standalone one); `cache_bytes`: bytes of positions that a process caches;
    `limits`: the quotas of each player; `keys`: those that encrypt the secrets of the draws.
    `silence`: when silence is an outage; `allowance`: the vacations that a player may take;
    `analysis_days`: for so many days an analysis is kept. `archive_url`: the database of the
    archive, '' for none; `archive_after`: so many seconds after its end a game is archived, None
    for never. `replicated`: an append counts when a replica has it.
    """

    events_url: str
    queue_url: str
    cache_bytes: int = CAPACITY
    limits: QuotaLimits = QuotaLimits()
    keys: Sequence[bytes] = ()
    silence: Silence = Silence()
    allowance: Allowance = Allowance()
    analysis_days: int = KEPT_DAYS
    archive_url: str = ""
    archive_after: int | None = ARCHIVE_AFTER_S
    replicated: bool = False

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> StoreSettings:
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
        refuse_unfit(events_url, queue_url)
        return cls(
            events_url,
            queue_url,
            int(cached),
            _read_limits(env),
            _read_keys(env),
            _read_silence(env),
            _read_allowance(env),
            _read_number(env, "ANALYSIS_DAYS", KEPT_DAYS, range(1, 3651)),
            env.get("CARTULARY_ARCHIVE_URL", ""),
            read_archive_after(env),
            env.get("CARTULARY_DURABILITY") == REPLICATED,
        )


def read_archive_after(env: Mapping[str, str]) -> int | None:
    """Return after how many seconds a finished game is archived, None for `off`.

    Raises `SettingsError`.
    """
    if env.get("CARTULARY_ARCHIVE_AFTER") == OFF:
        return None
    try:
        return _read_number(env, "ARCHIVE_AFTER", ARCHIVE_AFTER_S, range(10 * YEAR_S))
    except SettingsError as error:
        raise SettingsError(f"{error}; `{OFF}` archives no game") from None


def refuse_unfit(events_url: str, queue_url: str) -> None:
    """Raise `SettingsError` unless the queues have a server of their own next to a cluster."""
    if not is_cluster_url(queue_url):
        return
    where = "" if events_url != queue_url else " next to the cluster of CARTULARY_EVENTS_URL"
    raise SettingsError(
        f"CARTULARY_QUEUE_URL must be a standalone server{where}, for example "
        "redis://localhost:6379/0: queues, players and lists cannot lie in a cluster"
    )


def _read_silence(env: Mapping[str, str]) -> Silence:
    """Return when silence is an outage: always later than two heartbeats."""
    after = _read_number(env, "OUTAGE_AFTER", Silence().gap // 1000, range(12, 3601))
    margin = _read_number(env, "OUTAGE_MARGIN", Silence().margin // 1000, range(86_401))
    return Silence(1000 * after, 1000 * margin)


def _read_allowance(env: Mapping[str, str]) -> Allowance:
    standard = Allowance()
    return standard._replace(
        at_a_time=_read_number(env, "VACATION_AT_A_TIME", standard.at_a_time, range(367)),
        a_year=_read_number(env, "VACATION_A_YEAR", standard.a_year, range(367)),
    )


def _read_number(env: Mapping[str, str], name: str, standard: int, allowed: range) -> int:
    text = env.get(f"CARTULARY_{name}") or str(standard)
    if not (text.isascii() and text.isdecimal()) or int(text) not in allowed:
        raise SettingsError(
            f"CARTULARY_{name} must be a whole number from {allowed[0]} to {allowed[-1]}, "
            f"not {text!r}"
        )
    return int(text)


def _read_limits(env: Mapping[str, str]) -> QuotaLimits:
    """Return the quotas of each player; raises `SettingsError`."""
    found = QuotaLimits()._asdict()
    for name, standard in found.items():
        text = env.get(f"CARTULARY_QUOTA_{name.upper()}") or str(standard)
        if not (text.isascii() and text.isdecimal()):
            raise SettingsError(
                f"CARTULARY_QUOTA_{name.upper()} must be a whole number (0: no limit), not {text!r}"
            )
        found[name] = int(text)
    return QuotaLimits(**found)


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
