"""Settings from the environment, with defaults for one machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from cartulary.notices.mail.settings import MailSettings
from cartulary.service.process.bounds import choose_most_streams
from cartulary.settings.environment import Environment
from cartulary.settings.table import RATES

EGRESS: Final = "CARTULARY_EGRESS_"


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of one web process; sizes in bytes, times in seconds.

    Rates are written as for the package `limits` (`600/minute`); an empty rate switches its limit
    off. `streams` is the number of requests of one process that may wait for events at the same
    time, by default as many as the descriptors of the process allow; `streams_per_player` and
    `streams_per_address` (without a token) bound how many of them one client may have.
    `public_url` is the address of the service in links, relative links without it. `metrics_token`
    opens `/metrics`; without it there is no such page.
    `certificate` and `key` are files in PEM; without them the service speaks no TLS.
    `client` says what browsers get: `built`, the files that `script/bundle` makes; `current`, the
    same files while the sources are as they were then, else the sources.
    `push_key` is the file with the key that push services know the service by; without it there are
    no push messages. `egress` holds what may be sent to beyond the public internet, as
    `notices.egress` reads it. `emails` says whether the service sends e-mail, as `notices.mail`
    reads it.
    `dumps` is the folder of the open data that is published, empty where nothing is.
    `durability` is what `serve` has chosen for its store, empty for a store that it did not start.
    """

    cors_origins: tuple[str, ...] = ("*",)
    max_body: int = 256 * 1024
    max_import: int = 1024 * 1024
    threads: int = 4
    streams: int = field(default_factory=choose_most_streams)
    streams_per_player: int = 50
    streams_per_address: int = 300
    heartbeat: float = 15.0
    max_wait: float = 30.0
    client_timeout: int = 20
    proxies: int = 0
    public_url: str = ""
    metrics_token: str = field(default="", repr=False)
    certificate: str = ""
    key: str = ""
    durability: str = ""
    push_key: str = ""
    egress: Mapping[str, str] = field(default_factory=dict)
    emails: bool = False
    client: str = "built"
    dumps: str = ""
    log_level: str = "INFO"
    log_requests: bool = True
    rates: Mapping[str, str] = field(
        default_factory=lambda: {name: rate for name, (rate, _) in RATES.items()}
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings of a web process; raises `SettingsError` naming the variable."""
        values = os.environ if environment is None else environment
        env = Environment(values)
        return cls(
            cors_origins=tuple(env.text("CORS_ORIGINS").replace(",", " ").split()),
            max_body=env.number("MAX_BODY"),
            max_import=env.number("MAX_IMPORT"),
            threads=env.number("THREADS"),
            streams=_choose_streams(env),
            streams_per_player=env.number("STREAMS_PER_PLAYER"),
            streams_per_address=env.number("STREAMS_PER_ADDRESS"),
            heartbeat=env.number("HEARTBEAT"),
            max_wait=env.number("MAX_WAIT"),
            client_timeout=env.number("CLIENT_TIMEOUT"),
            proxies=env.number("PROXIES"),
            public_url=env.web_address("PUBLIC_URL"),
            metrics_token=env.text("METRICS_TOKEN"),
            certificate=env.text("CERTIFICATE"),
            key=env.text("KEY"),
            durability=env.text("DURABILITY"),
            push_key=env.text("PUSH_KEY"),
            egress=_find_egress(env),
            emails=MailSettings.from_environment(values) is not None,
            client=env.choice("CLIENT"),
            dumps=env.text("DUMPS"),
            log_level=env.choice("LOG_LEVEL"),
            log_requests=env.flag("LOG_REQUESTS"),
            rates={name: env.text(f"RATE_{name.upper()}") for name in RATES},
        )


def _choose_streams(env: Environment) -> int:
    given = env.number_if_set("STREAMS")
    return choose_most_streams() if given is None else given


def _find_egress(env: Environment) -> dict[str, str]:
    """Return the variables that say where messages may go, under their whole names."""
    return {name: text for name, text in env.resolve().items() if name.startswith(EGRESS)}
