"""The app factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.middleware.proxy_fix import ProxyFix

from cartulary.events.store import Store
from cartulary.games.offer import Offer
from cartulary.service.http import cors, problems, queries, refusals
from cartulary.service.http.context import Parts, install
from cartulary.service.http.limits import RateLimits
from cartulary.service.http.observe import Observer
from cartulary.service.http.streams import StreamGate
from cartulary.service.process.metrics import Metrics
from cartulary.service.process.settings import Settings
from cartulary.service.views import (
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
from cartulary.service.views.paths import GameId

PREFIX = "/api/v1"
_RESOURCES = (
    *(players, catalogue, games, seats, moves, events, states, boards, stories),
    *(transcripts, verification),
)


class NoSessions(SessionInterface):
    """No cookies: who calls is told by the token of each request."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Return the session that cannot be written to."""
        return self._none


class Service(Flask):
    """Flask without what this service has no use for, and would pay for with every request."""

    session_interface = NoSessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: there are no asynchronous views here to be looked for."""
        return func


def create_app(settings: Settings, store: Store, offers: Mapping[str, Offer]) -> Flask:
    """Return the service on a ledger; `offers` are the games that the ledger was opened with."""
    app = Service("service", static_folder=None)
    app.url_map.converters["game"] = GameId
    app.url_map.merge_slashes = False  # it would redirect, with a page
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    metrics = Metrics()
    install(
        app,
        Parts(
            settings=settings,
            store=store,
            offers=offers,
            limits=RateLimits(settings.rates),
            metrics=metrics,
            streams=StreamGate(settings.streams, metrics),
        ),
    )
    problems.register(app)
    refusals.register(app)
    for resource in _RESOURCES:
        app.register_blueprint(resource.blueprint, url_prefix=PREFIX)
    queries.register(app)  # not for what follows: probes and scrapers add parameters of their own
    app.register_blueprint(meta.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(client.blueprint)
    cors.register(app, settings.cors_origins)
    app.wsgi_app = Observer(  # type: ignore[method-assign]
        app.wsgi_app, metrics, settings.log_requests
    )
    if settings.proxies:
        count = settings.proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=count, x_proto=count, x_host=count, x_prefix=count
        )
    return app
