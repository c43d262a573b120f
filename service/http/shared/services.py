"""The parts of the service that every request uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flask import Flask, current_app

if TYPE_CHECKING:
    from cartulary.events.live.live import Hub
    from cartulary.events.store import Store
    from cartulary.games.offer import Offer
    from cartulary.service.http.shared.assets import Asset
    from cartulary.service.http.shared.board_pictures import BoardPictures
    from cartulary.service.http.shared.hints import Hints
    from cartulary.service.http.shared.packed_answers import Packed
    from cartulary.service.http.shared.rate_limits import RateLimits
    from cartulary.service.http.shared.stream_endings import StreamEndings
    from cartulary.service.http.shared.stream_gate import StreamGate
    from cartulary.service.http.shared.stream_tokens import StreamTokens
    from cartulary.service.http.shared.stream_visibility import StreamVisibility
    from cartulary.service.http.shared.tournament_results import TournamentResults
    from cartulary.service.http.shared.verifications import Verifications
    from cartulary.service.process.metrics import Metrics
    from cartulary.service.process.settings import WebSettings

_EXTENSION = "cartulary"


@dataclass(slots=True)
class Services:
    """The parts of one process of the service.

    `files` are the files of the client that the service makes itself, by name; `words` are the
    words of the client by language, empty until a caller asks for them.
    """

    settings: WebSettings
    store: Store
    offers: Mapping[str, Offer]
    limits: RateLimits
    metrics: Metrics
    streams: StreamGate
    open_tokens: StreamTokens
    stream_visibility: StreamVisibility
    stream_endings: StreamEndings
    hub: Hub
    verifications: Verifications
    tournament_results: TournamentResults
    hints: Hints
    board_pictures: BoardPictures
    packed: Packed
    files: dict[str, Asset] = field(default_factory=dict)
    words: Mapping[str, bytes] = field(default_factory=dict)

    def measure_caches(self) -> dict[str, int]:
        """Return the bytes of each cache of this process, by the name of the cache."""
        return {
            "tables": self.store.projector.cached_bytes,
            "tokens": self.store.players.cached_bytes,
            "verifications": self.verifications.cached_bytes,
            "tournaments": self.tournament_results.cached_bytes,
            "hints": self.hints.cached_bytes,
            "pictures": self.board_pictures.cached_bytes,
            "compressed": self.packed.cached_bytes,
        }


def install(app: Flask, made: Services) -> None:
    """Give the app its parts."""
    app.extensions[_EXTENSION] = made


def current_services() -> Services:
    """Return the parts of the app that answers this request."""
    found: Services = current_app.extensions[_EXTENSION]
    return found
