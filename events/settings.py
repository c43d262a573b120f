"""Settings of the ledger, from the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cartulary.events.analyses.storage import KEPT_DAYS
from cartulary.events.draws.keyring import parse_keys
from cartulary.events.ledger.projector import CAPACITY
from cartulary.events.model.failures import InvalidKey
from cartulary.events.people.quotas import QuotaLimits
from cartulary.events.server.servers import is_cluster_url
from cartulary.events.time.outages import OutageLimits as Silence
from cartulary.events.time.vacations import Allowance
from cartulary.settings.environment import Environment
from cartulary.settings.settings import SettingsError
from cartulary.settings.table import QUOTAS

ARCHIVE_AFTER_S: Final = 3600
"""Seconds from the end of a game until it is archived, unless set otherwise."""

REPLICATED: Final = "replicated"
"""The durability with which an append counts when a replica has it."""


class StoreSettings(NamedTuple):
    """Where the ledger is and how much of it a process remembers.

    `events_url`: the server of streams, players and projections; `queue_url`: the server of the
    job queues (RQ needs a standalone one); `cache_bytes`: bytes of positions that a process caches;
    `limits`: the quotas of each player; `keys`: those that encrypt the secrets of the draws.
    `silence`: when silence is an outage; `allowance`: the vacations that a player may take;
    `analysis_days`: for so many days an analysis is kept. `archive_url`: the database of the
    archive, '' for none; `archive_after`: so many seconds after its end a game is archived, None
    for never. `replicated`: an append counts when a replica has it. `explorer_url`: the
    database of the explorer, '' for none. `mining_seconds`: so much CPU the workers may use on a
    day to mine archived games, 0 for none.
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
    explorer_url: str = ""
    mining_seconds: int = 0

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> StoreSettings:
        """Read the settings of the store, of the archive, of quotas and of time.

        The queue is on the events server unless set otherwise. Raises `SettingsError`.
        """
        env = Environment.of_process() if environ is None else Environment(environ)
        events_url = env.text("EVENTS_URL")
        if not events_url:
            raise SettingsError(
                "CARTULARY_EVENTS_URL is not set, for example redis://localhost:6379/0"
            )
        cached = env.number("CACHE_BYTES")
        queue_url = env.text("QUEUE_URL") or events_url
        refuse_unfit(events_url, queue_url)
        return cls(
            events_url,
            queue_url,
            cached,
            QuotaLimits(**{name: env.number(f"QUOTA_{name.upper()}") for name in QUOTAS}),
            _read_keys(env),
            Silence(1000 * env.number("OUTAGE_AFTER"), 1000 * env.number("OUTAGE_MARGIN")),
            Allowance(env.number("VACATION_AT_A_TIME"), env.number("VACATION_A_YEAR")),
            env.number("ANALYSIS_DAYS"),
            env.text("ARCHIVE_URL"),
            read_archive_after(env),
            env.text("DURABILITY") == REPLICATED,
            env.text("EXPLORER_URL"),
            env.number("MINING_SECONDS"),
        )


def read_archive_after(env: Environment) -> int | None:
    """Return after how many seconds a finished game is archived, None for `off`.

    Raises `SettingsError`.
    """
    return env.number_unless("ARCHIVE_AFTER")


def refuse_unfit(events_url: str, queue_url: str) -> None:
    """Raise `SettingsError` unless the queues have a server of their own next to a cluster."""
    if not is_cluster_url(queue_url):
        return
    where = "" if events_url != queue_url else " next to the cluster of CARTULARY_EVENTS_URL"
    raise SettingsError(
        f"CARTULARY_QUEUE_URL must be a standalone server{where}, for example "
        "redis://localhost:6379/0: queues, players and lists cannot lie in a cluster"
    )


def _read_keys(env: Environment) -> list[bytes]:
    text = env.text("SECRET")
    if not text:
        raise SettingsError(
            "CARTULARY_SECRET is not set: 64 hexadecimal digits, the same on every machine, for "
            "example from `openssl rand -hex 32`; `cartulary serve` makes them by itself"
        )
    try:
        return parse_keys(text)
    except InvalidKey as error:
        raise SettingsError(f"CARTULARY_SECRET: {error}") from None
