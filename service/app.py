"""Make the app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus

from werkzeug.middleware.proxy_fix import ProxyFix

from cartulary.events.pipeline import Loop
from cartulary.events.store import Store
from cartulary.games.offer import Offer
from cartulary.service.http import compression, cors, refusals, standings
from cartulary.service.http.context import Parts, install, parts
from cartulary.service.http.hints import Hints
from cartulary.service.http.limits import RateLimits
from cartulary.service.http.observe import Observer, choose_id
from cartulary.service.http.problems import write_refusal
from cartulary.service.http.sights import Sights
from cartulary.service.http.streams import StreamGate
from cartulary.service.http.tokens import OpenTokens
from cartulary.service.http.verifications import Verifications
from cartulary.service.process.figures import Figures
from cartulary.service.process.metrics import Metrics
from cartulary.service.process.pulse import Pulse, start_pulse
from cartulary.service.process.settings import Settings
from cartulary.service.shortcuts import LeanFlask
from cartulary.service.views import (
    again,
    analysis,
    blocks,
    boards,
    catalogue,
    client,
    deletion,
    events,
    exporting,
    fair,
    features,
    games,
    hint,
    inbox,
    leaving,
    lessons,
    merging,
    messages,
    meta,
    moves,
    mutes,
    notes,
    pages,
    players,
    presence,
    proposals,
    reports,
    seats,
    sessions,
    standing,
    states,
    stories,
    timekeeping,
    tokens,
    transcripts,
    vacations,
    verification,
    why,
)
from cartulary.service.views.paths import GameId, Whole
from cartulary.service.views.short_way import ShortWay

PREFIX = "/api/v1"
_RESOURCES = (
    *(players, tokens, sessions, merging, exporting, deletion, blocks, vacations, catalogue),
    *(games, seats, timekeeping, leaving),
    *(proposals, fair),
    *(moves, standing, again, events, states),
    *(boards, features, stories, transcripts, verification, why, hint, analysis),
    *(inbox, presence, messages, notes, mutes, reports),
)


class Service(LeanFlask):
    """The app, and what the processes around it ask of it."""

    short_way: ShortWay

    def refuse(
        self, status: HTTPStatus, reason: str, path: str, given_id: str | None
    ) -> tuple[str, bytes]:
        """Return the id of a request that the server could not read, and the whole answer."""
        name = choose_id(given_id)
        return name, write_refusal(status, reason, path, name)

    def answers_at_once(self, method: str, path: str) -> bool:
        """Return whether the event loop may try to answer a request itself."""
        return self.short_way.claims(method, path)

    def join_loop(self, loop: Loop, later: Callable[..., object]) -> None:
        """Answer moves in the event loop of this process; `later` runs a function in a thread."""
        self.short_way.join(loop, later)

    def leave_loop(self) -> None:
        """Answer no more moves in the event loop."""
        self.short_way.leave()

    def start_pulse(self) -> Pulse:
        """Note the heartbeat of this process from now on, until the pulse is stopped."""
        with self.app_context():
            here = parts()
            return start_pulse(here.store, here.metrics)

    def show_connections(self, figures: Figures) -> None:
        """Show the connections and the caches of this process in the metrics."""
        with self.app_context():
            here = parts()
            here.metrics.show_connections(figures)
            here.metrics.show_caches(here.measure_caches())


def create_app(settings: Settings, store: Store, offers: Mapping[str, Offer]) -> Service:
    """Return the service on a ledger; `offers` are the games that the ledger was opened with."""
    app = Service("service", static_folder=None)
    app.url_map.converters["game"] = GameId
    app.url_map.converters["whole"] = Whole
    app.url_map.merge_slashes = False  # Flask would redirect, with a page
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    metrics = Metrics()
    metrics.show_durability(settings.durability)
    store.hub.report = metrics.event_age.observe
    here = Parts(
        settings=settings,
        store=store,
        offers=offers,
        limits=RateLimits(settings.rates, store.registry),
        metrics=metrics,
        streams=StreamGate(settings, metrics),
        open_tokens=OpenTokens(store.players),
        sights=Sights(store.ledger, store.projector),
        verifications=Verifications(store.audit),
        hints=Hints(),
        packed=compression.Packed(compression.CACHED),
    )
    store.hub.each_look = here.end_streams
    install(app, here)
    refusals.register(app, client.show_missing_page)
    for resource in _RESOURCES:
        app.register_blueprint(resource.blueprint, url_prefix=PREFIX)
    app.register_blueprint(meta.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(client.blueprint)
    app.register_blueprint(lessons.blueprint)
    compression.register(app, here.packed)
    standings.register(app)
    app.short_way = ShortWay(app, here, PREFIX, cors.Cors(app, settings.cors_origins))
    app.wsgi_app = app.short_way  # type: ignore[method-assign]
    app.wsgi_app = Observer(  # type: ignore[method-assign]
        app.wsgi_app, metrics, settings.log_requests
    )
    if settings.proxies:
        count = settings.proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=count, x_proto=count, x_host=0
        )
    return app
