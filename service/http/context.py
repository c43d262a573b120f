"""The parts of the service that every request uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flask import Flask, current_app

if TYPE_CHECKING:
    from cartulary.events.store import Store
    from cartulary.games.offer import Offer
    from cartulary.service.http.assets import Asset
    from cartulary.service.http.compression import Packed
    from cartulary.service.http.hints import Hints
    from cartulary.service.http.limits import RateLimits
    from cartulary.service.http.sights import Sights
    from cartulary.service.http.streams import StreamGate
    from cartulary.service.http.tokens import OpenTokens
    from cartulary.service.http.verifications import Verifications
    from cartulary.service.process.metrics import Metrics
    from cartulary.service.process.settings import Settings

_EXTENSION = "cartulary"


@dataclass(slots=True)
class Parts:
    """The parts of one process of the service.

    `files` are the files of the client that the service makes itself, by name; `words` are the
    words of the client by language, empty until somebody asks for them.
    """

    settings: Settings
    store: Store
    offers: Mapping[str, Offer]
    limits: RateLimits
    metrics: Metrics
    streams: StreamGate
    open_tokens: OpenTokens
    sights: Sights
    verifications: Verifications
    hints: Hints
    packed: Packed
    files: dict[str, Asset] = field(default_factory=dict)
    words: Mapping[str, bytes] = field(default_factory=dict)

    def end_streams(self) -> None:
        """End the streams whose token is invalid or whose reader may no longer see the game.

        What is sent from now on goes by the accounts that are deleted now.

        Raises `RedisError`.
        """
        self.store.masks.look()
        self.open_tokens.look()
        self.sights.look()

    def measure_caches(self) -> dict[str, int]:
        """Return the bytes of each cache of this process, by the name of the cache."""
        return {
            "tables": self.store.projector.cached_bytes,
            "tokens": self.store.players.cached_bytes,
            "verifications": self.verifications.cached_bytes,
            "hints": self.hints.cached_bytes,
            "compressed": self.packed.cached_bytes,
        }


def install(app: Flask, made: Parts) -> None:
    """Give the app its parts."""
    app.extensions[_EXTENSION] = made


def parts() -> Parts:
    """Return the parts of the app that answers this request."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    found: Parts = app.extensions[_EXTENSION]
    return found
