"""Make the app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from cartulary.events.server.pipeline import PipelineLoop
from cartulary.events.store import Store
from cartulary.games.offer import Offer
from cartulary.service.api.bots import directory, own_bots
from cartulary.service.api.company import company, follows, lobby, seeks
from cartulary.service.api.docs import manual, pages
from cartulary.service.api.fast_moves.usual_move import UsualMoves
from cartulary.service.api.game import (
    board_pngs,
    boards,
    events,
    features,
    games,
    moves,
    positions,
    states,
    table_words,
    transcripts,
)
from cartulary.service.api.notices import email, push, webhooks
from cartulary.service.api.notices import settings as notices
from cartulary.service.api.order import operator_players, operator_reports
from cartulary.service.api.people import (
    blocks,
    deletion,
    exporting,
    inbox,
    local_games,
    merging,
    passkeys,
    players,
    search,
    sessions,
    tokens,
    vacations,
)
from cartulary.service.api.profiles import statistics
from cartulary.service.api.puzzles import attempts, packing, puzzles
from cartulary.service.api.ratings import ratings
from cartulary.service.api.site import (
    catalogue,
    client,
    descriptions,
    email_links,
    embeds,
    health,
    house_lessons,
    lessons,
    llms,
    oembed,
)
from cartulary.service.api.streams import many_games
from cartulary.service.api.studies import authors as study_authors
from cartulary.service.api.studies import nodes as study_nodes
from cartulary.service.api.studies import orders as study_orders
from cartulary.service.api.studies import studies, study_events
from cartulary.service.api.study import (
    analysis,
    draw_commitments,
    dumps,
    explorer,
    films,
    hints,
    learning,
    moments,
    stories,
    verification,
    why,
)
from cartulary.service.api.table import (
    continuations,
    leaving,
    presence,
    proposals,
    seats,
    standing_answers,
    timekeeping,
)
from cartulary.service.api.talk import messages, mutes, notes, reports
from cartulary.service.api.tournaments import (
    calendars,
    comparison,
    entries,
    orders,
    times,
    tournament_events,
    tournaments,
)
from cartulary.service.http import compression, refusals
from cartulary.service.http.shared.board_pictures import BoardPictures
from cartulary.service.http.shared.hints import Hints
from cartulary.service.http.shared.live_hub import make_hub
from cartulary.service.http.shared.packed_answers import CACHED, Packed
from cartulary.service.http.shared.rate_limits import RateLimits
from cartulary.service.http.shared.services import Services, current_services, install
from cartulary.service.http.shared.stream_endings import StreamEndings
from cartulary.service.http.shared.stream_gate import StreamGate
from cartulary.service.http.shared.stream_tokens import StreamTokens
from cartulary.service.http.shared.stream_visibility import StreamVisibility
from cartulary.service.http.shared.tournament_results import TournamentResults
from cartulary.service.http.shared.verifications import Verifications
from cartulary.service.http.wire import cors, rate_limit_headers
from cartulary.service.http.wire.observer import Observer, choose_id
from cartulary.service.http.wire.problems import write_refusal
from cartulary.service.http.wire.route import Route
from cartulary.service.http.wire.server_marks import Claims
from cartulary.service.path_converters import (
    GameId,
    MessageId,
    PasskeyId,
    PuzzleId,
    SeekId,
    WholeNumberConverter,
)
from cartulary.service.process.metrics import Metrics
from cartulary.service.process.pulse import Pulse, start_pulse
from cartulary.service.process.server_stats import ServerStats
from cartulary.service.process.settings import WebSettings

PREFIX = "/api/v1"
_RESOURCES = (
    *(players, search, tokens, sessions, passkeys, merging, exporting, deletion, blocks, vacations),
    *(own_bots, directory, ratings, statistics),
    *(follows, company, seeks, lobby),
    *(tournaments, entries, orders, tournament_events, comparison, times, calendars),
    *(studies, study_authors, study_events, study_nodes, study_orders),
    *(local_games, catalogue),
    *(games, seats, timekeeping, leaving),
    *(proposals, draw_commitments),
    *(moves, standing_answers, continuations, events, states, positions),
    *(
        boards,
        board_pngs,
        features,
        table_words,
        stories,
        transcripts,
        verification,
        why,
        hints,
        analysis,
        moments,
        learning,
        films,
        explorer,
        dumps,
    ),
    *(puzzles, attempts, packing),
    *(inbox, presence, messages, notes, mutes, reports, many_games),
    *(notices, push, webhooks, email),
    *(operator_reports, operator_players),
)
_PAGES = (
    *(health, descriptions, manual, pages, llms, client, lessons, house_lessons, embeds, oembed),
    email_links,
)
"""What is not below the prefix of the API."""


class ServiceApp(Flask):
    """The app, and what the processes around it ask of it."""

    url_rule_class = Route
    usual_moves: UsualMoves

    def refuse(
        self, status: HTTPStatus, reason: str, path: str, given_id: str | None
    ) -> tuple[str, bytes]:
        """Return the id of a request that the server could not read, and the whole answer."""
        name = choose_id(given_id)
        return name, write_refusal(status, reason, path, name)

    def join_loop(self, loop: PipelineLoop, later: Callable[..., object]) -> Claims:
        """Answer moves in the event loop of this process; `later` runs a function in a thread.

        Returns what tells which requests the loop may try to answer.
        """
        return self.usual_moves.join(loop, later)

    def leave_loop(self) -> None:
        """Answer no more moves in the event loop."""
        self.usual_moves.leave()

    def start_pulse(self) -> Pulse:
        """Note the heartbeat of this process from now on, until the pulse is stopped."""
        with self.app_context():
            services = current_services()
            return start_pulse(
                services.store, services.hub, services.metrics, services.settings.durability
            )

    def show_connections(self, figures: ServerStats) -> None:
        """Show the connections and the caches of this process in the metrics."""
        with self.app_context():
            services = current_services()
            services.metrics.show_connections(figures)
            services.metrics.show_caches(services.measure_caches())


def create_app(settings: WebSettings, store: Store, offers: Mapping[str, Offer]) -> ServiceApp:
    """Return the service on a ledger; `offers` are the games that the ledger was opened with."""
    app = ServiceApp("service", static_folder=None)
    app.url_map.converters["game"] = GameId
    app.url_map.converters["message"] = MessageId
    app.url_map.converters["passkey"] = PasskeyId
    app.url_map.converters["puzzle"] = PuzzleId
    app.url_map.converters["seek"] = SeekId
    app.url_map.converters["whole"] = WholeNumberConverter
    app.url_map.merge_slashes = False  # Flask would redirect, with a page
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    metrics = Metrics()
    metrics.show_durability(settings.durability)
    open_tokens = StreamTokens(store.players)
    stream_visibility = StreamVisibility(store.ledger, store.projector)
    stream_endings = StreamEndings()
    services = Services(
        settings=settings,
        store=store,
        offers=offers,
        limits=RateLimits(settings.rates, store.registry),
        metrics=metrics,
        streams=StreamGate(settings, metrics),
        open_tokens=open_tokens,
        stream_visibility=stream_visibility,
        stream_endings=stream_endings,
        hub=make_hub(store, metrics, open_tokens, stream_visibility, stream_endings),
        verifications=Verifications(store.audit),
        tournament_results=TournamentResults(),
        hints=Hints(),
        board_pictures=BoardPictures(),
        packed=Packed(CACHED),
    )
    install(app, services)
    refusals.register(app, client.show_missing_page)
    for resource in _RESOURCES:
        app.register_blueprint(resource.blueprint, url_prefix=PREFIX)
    for site in _PAGES:
        app.register_blueprint(site.blueprint)
    compression.register(app, services.packed)
    rate_limit_headers.register(app)
    app.usual_moves = UsualMoves(
        app.wsgi_app, services, PREFIX, cors.Cors(app, settings.cors_origins)
    )
    app.wsgi_app = app.usual_moves  # type: ignore[method-assign]
    app.wsgi_app = Observer(  # type: ignore[method-assign]
        app.wsgi_app, metrics, settings.log_requests
    )
    if settings.proxies:
        count = settings.proxies
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=count, x_proto=count, x_host=0
        )
    return app
