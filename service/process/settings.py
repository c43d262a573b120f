"""Settings from the environment, with defaults for one machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from cartulary.notices.mail.settings import MailSettings
from cartulary.service.process.bounds import choose_most_streams


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
    log_level: str = "INFO"
    log_requests: bool = True
    rates: Mapping[str, str] = field(
        default_factory=lambda: {
            "players": "120/minute; 1200/hour",
            "writes": "30000/minute",
            "previews": "6000/minute",
            "games": "600/minute",
            "imports": "60/minute",
            "reports": "20/hour",
            "tickets": "600/minute",
            "verifications": "60/minute",
            "hints": "120/minute",
            "films": "10/minute; 60/hour",
            "accounts": "60/minute",
            "sessions": "5/minute; 20/hour",
            "searches": "60/minute",
            "emails": "10/hour; 30/day",
        }
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read `CARTULARY_*`; raises `ValueError` naming an unreadable variable."""
        values = os.environ if environment is None else environment
        env = _Environment(values)
        standard = cls()
        return cls(
            cors_origins=tuple(env.text("CORS_ORIGINS", "*").replace(",", " ").split()),
            max_body=env.number("MAX_BODY", standard.max_body),
            max_import=env.number("MAX_IMPORT", standard.max_import),
            threads=env.number("THREADS", standard.threads, range(1, 1001)),
            streams=env.number("STREAMS", standard.streams),
            streams_per_player=env.number("STREAMS_PER_PLAYER", standard.streams_per_player),
            streams_per_address=env.number("STREAMS_PER_ADDRESS", standard.streams_per_address),
            heartbeat=env.number("HEARTBEAT", int(standard.heartbeat)),
            max_wait=env.number("MAX_WAIT", int(standard.max_wait)),
            client_timeout=env.number("CLIENT_TIMEOUT", standard.client_timeout, range(3601)),
            proxies=env.number("PROXIES", standard.proxies),
            public_url=env.address("PUBLIC_URL"),
            metrics_token=env.text("METRICS_TOKEN", ""),
            certificate=env.text("CERTIFICATE", standard.certificate),
            key=env.text("KEY", standard.key),
            durability=env.text("DURABILITY", standard.durability),
            push_key=env.text("PUSH_KEY", standard.push_key),
            egress=env.starting_with("EGRESS_"),
            emails=MailSettings.from_environment(values) is not None,
            client=env.choice("CLIENT", (standard.client, "current")),
            log_level=env.text("LOG_LEVEL", standard.log_level).upper(),
            log_requests=env.text("LOG_REQUESTS", "1") not in ("0", "false", "no", "off"),
            rates={
                name: env.text(f"RATE_{name.upper()}", rate)
                for name, rate in standard.rates.items()
            },
        )


class _Environment:
    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def text(self, name: str, default: str) -> str:
        return self._values.get(f"CARTULARY_{name}", default)

    def starting_with(self, begin: str) -> dict[str, str]:
        """Return the variables of a group, under their whole names."""
        start = f"CARTULARY_{begin}"
        return {name: text for name, text in self._values.items() if name.startswith(start)}

    def number(self, name: str, default: int, allowed: range | None = None) -> int:
        text = self.text(name, str(default))
        try:
            value = int(text)
        except ValueError:
            raise ValueError(f"CARTULARY_{name} must be a whole number, not {text!r}") from None
        if allowed is not None and value not in allowed:
            most = allowed[-1]
            raise ValueError(f"CARTULARY_{name} must be {allowed[0]} to {most}, not {text!r}")
        return value

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        """Return one of the allowed texts, the first without the variable."""
        text = self.text(name, allowed[0])
        if text not in allowed:
            raise ValueError(f"CARTULARY_{name} must be {' or '.join(allowed)}, not {text!r}")
        return text

    def address(self, name: str) -> str:
        url = self.text(name, "").rstrip("/")
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query):
            raise ValueError(f"CARTULARY_{name} must be https://HOST or http://HOST, not {url!r}")
        return url
