"""The app factory."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from bots.base import Entry
from events.store import Store
from service import cors, observe, problems, refusals
from service.context import Parts, install
from service.limits import RateLimits
from service.metrics import Metrics
from service.settings import Settings
from service.streams import StreamGate
from service.views import (
    boards,
    catalogue,
    client,
    events,
    games,
    meta,
    moves,
    pages,
    players,
    seats,
    states,
    stories,
    transcripts,
    verification,
)
from service.views.paths import GameId

PREFIX = "/api/v1"
_RESOURCES = (
    *(players, catalogue, games, seats, moves, events, states, boards, stories),
    *(transcripts, verification),
)


def create_app(
    settings: Settings, store: Store, bots: Mapping[str, Mapping[str, Entry]] | None = None
) -> Flask:
    """Return the service on a ledger; `bots` are those that the catalogue shows."""
    app = Flask("service", static_folder=None)
    app.url_map.converters["game"] = GameId
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    metrics = Metrics()
    install(
        app,
        Parts(
            settings=settings,
            store=store,
            bots={game: dict(entries) for game, entries in (bots or {}).items()},
            limits=RateLimits(settings.rates),
            metrics=metrics,
            streams=StreamGate(settings.streams, metrics),
        ),
    )
    observe.register(app, metrics, settings.log_requests)
    problems.register(app)
    refusals.register(app)
    for resource in _RESOURCES:
        app.register_blueprint(resource.blueprint, url_prefix=PREFIX)
    app.register_blueprint(meta.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(client.blueprint)
    cors.register(app, settings.cors_origins)
    if settings.proxies:
        count = settings.proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=count, x_proto=count, x_host=count, x_prefix=count
        )
    return app
