"""Settings from the environment, with defaults for one machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one web process; sizes in bytes, times in seconds.

    Rates are written as for the package `limits` (`600/minute`); an empty rate switches its limit
    off. `streams` is the number of requests of one process that may wait for events at the same
    time: it must stay below the number of threads, or watching would stop the playing.
    """

    cors_origins: tuple[str, ...] = ("*",)
    max_body: int = 256 * 1024
    max_import: int = 1024 * 1024
    threads: int = 64
    streams: int = 48
    heartbeat: float = 15.0
    max_wait: float = 30.0
    client_timeout: int = 20
    proxies: int = 0
    log_level: str = "INFO"
    log_requests: bool = True
    rates: Mapping[str, str] = field(
        default_factory=lambda: {"players": "600/minute", "writes": "30000/minute"}
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read `CARTULARY_*`; raises `ValueError` naming an unreadable variable."""
        env = _Environment(os.environ if environment is None else environment)
        standard = cls()
        threads = env.number("THREADS", standard.threads)
        return cls(
            cors_origins=tuple(env.text("CORS_ORIGINS", "*").replace(",", " ").split()),
            max_body=env.number("MAX_BODY", standard.max_body),
            max_import=env.number("MAX_IMPORT", standard.max_import),
            threads=threads,
            streams=env.number("STREAMS", max(1, threads - max(4, threads // 4))),
            heartbeat=env.number("HEARTBEAT", int(standard.heartbeat)),
            max_wait=env.number("MAX_WAIT", int(standard.max_wait)),
            client_timeout=env.number("CLIENT_TIMEOUT", standard.client_timeout, range(3601)),
            proxies=env.number("PROXIES", standard.proxies),
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
