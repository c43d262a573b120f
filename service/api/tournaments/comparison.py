"""The comparison of a duplicate round: the same tiles, and what each made of them."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.engine.errors import EngineError
from cartulary.events.model.errors import RoundOpen
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.service.api.tournaments.comparison_schema import (
    ComparisonQuery,
    RoundComparisonAnswer,
)
from cartulary.service.api.tournaments.reading import answer_costly, find_tournament
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.shared.tournament_results import TournamentResultKey
from cartulary.service.http.wire.problems import not_found
from cartulary.tournaments.comparison import compare_round
from cartulary.tournaments.replaying import TableGame, read_played
from cartulary.tournaments.state import Tournament, TournamentRound

blueprint = Blueprint("comparison", __name__)


@blueprint.get("/tournaments/<tournament_id>/rounds/<whole:round_number>/comparison")
@operation(
    "tournaments",
    "What each table made of the same draws",
    {
        200: AnswerOf("The comparison.", RoundComparisonAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=ComparisonQuery,
    refusals=("not_found", "rate_limited", "round_open"),
)
def compare_tables(
    services: Services,
    tournament_id: str,
    round_number: int,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
) -> Response:
    """Of a closed round of a duplicate: where the tables parted, and what came of it.

    `partings` are the decisions at which tables that had been alike went different ways; `shifts`
    say where a tile that was set aside has moved later tiles to other seats; `seats` has for each
    seat its turns, table next to table. In an open round 409 `round_open`. A process computes one
    at a time, and remembers it: a closed round stays as it is, but for what an operator decides.
    """
    found = find_tournament(services, tournament_id, who)
    rounds = found.tournament.rounds
    if not found.tournament.terms.duplicate or not 1 <= round_number <= len(rounds):
        raise not_found("a duplicate round with this number")
    round_ = rounds[round_number - 1]
    if not round_.closed:
        raise RoundOpen("the tables are compared when all of them have ended")
    seat = query["seat"]
    if seat is not None and seat >= found.tournament.terms.table[0]:
        raise not_found("a seat with this number")
    key = _find_key(tournament_id, found.tournament, round_)
    answer = answer_costly(
        services, known, found, who, key, lambda: _compare(services, found.tournament, round_)
    )
    return answer if seat is None else _leave_out_others(answer, seat)


def _find_key(
    tournament_id: str, tournament: Tournament, round_: TournamentRound
) -> TournamentResultKey:
    tables = [tournament.tables[number] for number in round_.tables]
    source = tuple((one.status, one.ranks, one.scores, one.outcomes) for one in tables)
    return TournamentResultKey(tournament_id, round_.number, source)


def _leave_out_others(answer: Response, seat: int) -> Response:
    """Leave the turns of all other seats out of an answer that has a comparison."""
    if answer.status_code == 200 and not answer.direct_passthrough:
        shown = orjson.loads(answer.get_data())
        shown["seats"] = [one for one in shown["seats"] if one["seat"] == seat]
        answer.set_data(orjson.dumps(shown))
    return answer


def _compare(services: Services, tournament: Tournament, round_: TournamentRound) -> Json:
    rules = services.store.rules[tournament.terms.game]
    played = _read_all(services, tournament, round_)
    try:
        return compare_round(tournament, round_, rules, played)
    except EngineError as error:
        # The audit says which game it is: a stored game that breaks the rules is damaged.
        game = tournament.tables[round_.tables[0]].game
        raise BrokenHistory(game, 0, "illegal", str(error)) from error


def _read_all(
    services: Services, tournament: Tournament, round_: TournamentRound
) -> list[TableGame]:
    tables = [tournament.tables[number] for number in round_.tables]
    games = ((one.number, services.store.ledger.events(one.game)) for one in tables)
    found = (read_played(number, events) for number, events in games)
    return [one for one in found if one is not None]
