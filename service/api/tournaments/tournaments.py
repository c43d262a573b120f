"""Tournaments: announced, listed, shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.tournaments.stream.describing import (
    describe_entrant,
    describe_round,
    describe_table,
)
from cartulary.service.api.tournaments.reading import (
    answer_costly,
    answer_created,
    answer_part,
    find_tournament,
    show_tournament,
    tag_tournament,
)
from cartulary.service.api.tournaments.tournament_answers import (
    EntrantListAnswer,
    StandingListAnswer,
    TableListAnswer,
    TournamentAnswer,
    TournamentPage,
    TournamentRoundAnswer,
    TournamentVerificationAnswer,
)
from cartulary.service.api.tournaments.tournament_requests import (
    TournamentGamesQuery,
    TournamentListQuery,
    TournamentRequest,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.callers import require_player
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.shared.tournament_results import VERIFIED, TournamentResultKey
from cartulary.service.http.wire.problems import not_found
from cartulary.tournaments.verification import report_broken, verify_tournament

blueprint = Blueprint("tournaments", __name__)

FRESH = {"Cache-Control": "no-store"}
TAGGED = ("ETag",)
SAME = AnswerOf("It is what the client has.")


@blueprint.post("/tournaments")
@operation(
    "tournaments",
    "Announce a tournament",
    {
        201: AnswerOf(
            "Announced.",
            TournamentAnswer,
            headers=("ETag", "Location", "Idempotency-Replayed", *STANDING),
        )
    },
    body=TournamentRequest,
    limit="games",
    refusals=("not_for_bots", "quota_exceeded", "round_open"),
)
def announce_tournament(
    services: Services, who: Player, body: dict[str, Any], key: str | None
) -> Response:
    """The caller is its host, and enters like any other player. All games are made by the service.

    `swiss` has tables of two to five, `round_robin` and `arena` tables of two. The terms stay as
    they are.
    """
    intent = Intent(who, key=key, body=body)
    tournament_id, done = services.store.tournaments.commands.create(intent, body)
    return answer_created(services, tournament_id, done)


@blueprint.get("/tournaments")
@operation(
    "tournaments",
    "Tournaments",
    {200: AnswerOf("A page.", TournamentPage)},
    query=TournamentListQuery,
    refusals=("token_missing",),
)
def list_tournaments(services: Services, who: Player | None, query: dict[str, Any]) -> Response:
    """Public ones and those of the caller, the newest first."""
    caller = None if who is None else who.id
    player = query.pop("player")
    if player == "me":
        player = require_player(who).id
    is_other = player not in (None, caller)
    if is_other and services.store.preferences.find_hidden([player]):
        return answer_json({"tournaments": [], "next_cursor": None}, headers=FRESH)
    page = services.store.tournaments.lists.read_page(caller, player=player, **query)
    return answer_json(page._asdict(), headers=FRESH)


@blueprint.get("/tournaments/<tournament_id>")
@operation(
    "tournaments",
    "A tournament",
    {200: AnswerOf("The tournament.", TournamentAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def show_tournament_now(
    services: Services, tournament_id: str, who: Player | None, known: ETags
) -> Response:
    """Its terms, and where it is now."""
    found = find_tournament(services, tournament_id, who)
    return answer_part(
        services,
        known,
        found,
        lambda: show_tournament(services, tournament_id, found.tournament),
    )


@blueprint.get("/tournaments/<tournament_id>/entrants")
@operation(
    "tournaments",
    "Who plays in a tournament",
    {200: AnswerOf("The entrants.", EntrantListAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def list_entrants(
    services: Services, tournament_id: str, who: Player | None, known: ETags
) -> Response:
    """All entries in their order; those who left before the start stand here as well."""
    found = find_tournament(services, tournament_id, who)

    def make() -> Json:
        entrants = [describe_entrant(one, found.tournament) for one in found.tournament.entrants]
        return {"version": found.version, "entrants": _mask(services, entrants)}

    return answer_part(services, known, found, make)


@blueprint.get("/tournaments/<tournament_id>/standings")
@operation(
    "tournaments",
    "Who is where in a tournament",
    {200: AnswerOf("The standings.", StandingListAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def show_standings(
    services: Services, tournament_id: str, who: Player | None, known: ETags
) -> Response:
    """A function of the stream: the same events give the same standings.

    Points of a table: entrants beaten and half of the tied, of all others at the table.
    """
    found = find_tournament(services, tournament_id, who)

    def make() -> Json:
        rows = services.store.tournaments.ranking.describe(found)
        return {
            "version": found.version,
            "status": found.tournament.status,
            "standings": _mask(services, rows),
        }

    return answer_part(services, known, found, make)


def _mask(services: Services, rows: Iterable[Json]) -> list[Json]:
    mask = services.store.masks.mask_player
    return [{**row, "player": mask(row["player"])} for row in rows]


@blueprint.get("/tournaments/<tournament_id>/rounds/<whole:round_number>")
@operation(
    "tournaments",
    "A round of a tournament",
    {200: AnswerOf("The round.", TournamentRoundAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found",),
)
def show_round(
    services: Services, tournament_id: str, round_number: int, who: Player | None, known: ETags
) -> Response:
    """Its tables and byes. In an open round of a duplicate no table shows how it stands."""
    found = find_tournament(services, tournament_id, who)
    rounds = found.tournament.rounds
    if not 1 <= round_number <= len(rounds):
        raise not_found("a round with this number")
    return answer_part(
        services,
        known,
        found,
        lambda: describe_round(rounds[round_number - 1], found.tournament),
    )


@blueprint.get("/tournaments/<tournament_id>/verification")
@operation(
    "tournaments",
    "Is a tournament what its events make of it?",
    {200: AnswerOf("What was found.", TournamentVerificationAnswer, headers=TAGGED), 304: SAME},
    refusals=("not_found", "rate_limited"),
)
def verify_tournament_now(
    services: Services, tournament_id: str, who: Player | None, known: ETags
) -> Response:
    """The chain, the order of the events, secrets against commitments; after the end each pairing.

    The draws of a duplicate prove its games: `GET /api/v1/games/{game_id}/verification`. A process
    computes one at a time, and remembers what it has found by the last event.
    """
    try:
        found = find_tournament(services, tournament_id, who)
    except BrokenHistory as broken:  # why is what the caller asks
        return answer_json(report_broken(broken).to_json(), headers=FRESH)
    tag = tag_tournament(services, found.tournament)  # deleted names are among what it counts
    key = TournamentResultKey(tournament_id, VERIFIED, (found.head, tag))

    def make() -> Json:
        events = services.store.tournaments.streams.deliver(tournament_id, 0, found.version)
        return verify_tournament(events).to_json()

    return answer_costly(services, known, found, who, key, make)


@blueprint.get("/tournaments/<tournament_id>/games")
@operation(
    "tournaments",
    "The tables of a tournament",
    {200: AnswerOf("The tables.", TableListAnswer, headers=TAGGED), 304: SAME},
    query=TournamentGamesQuery,
    refusals=("not_found",),
)
def list_tables(
    services: Services,
    tournament_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
) -> Response:
    """All tables with the ids of their games, or those of a round."""
    found = find_tournament(services, tournament_id, who)
    tables = found.tournament.tables.values()
    wanted = [one for one in tables if query["round"] in (None, one.round)]
    return answer_part(
        services,
        known,
        found,
        lambda: {"version": found.version, "games": [describe_table(one) for one in wanted]},
    )
