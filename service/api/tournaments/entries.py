"""What hosts, entrants and operators do to a tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.order.tournament_decisions import TableResult
from cartulary.events.people.players import Player
from cartulary.events.tournaments.stream.writer import TournamentWritten
from cartulary.service.api.tournaments.reading import answer_tournament_written, set_expected
from cartulary.service.api.tournaments.tournament_answers import TournamentWrittenAnswer
from cartulary.service.api.tournaments.tournament_requests import EntryRequest, TableResultRequest
from cartulary.service.http.conditions import Versions
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services

blueprint = Blueprint("entries", __name__)

_HEADERS = ("ETag", "Idempotency-Replayed", *STANDING)
_DONE = AnswerOf("Done.", TournamentWrittenAnswer, headers=_HEADERS)
_SAME = AnswerOf("It is so already.", TournamentWrittenAnswer, headers=_HEADERS)

_OF_HOST = ("not_found", "not_host", "stale_version", "tournament_started")


def _write(
    services: Services,
    tournament_id: str,
    intent: Intent,
    if_match: Versions | None,
    write: Callable[[Intent], TournamentWritten],
    status: int = 201,
) -> Response:
    done = write(set_expected(services, tournament_id, if_match, intent))
    return answer_tournament_written(services, tournament_id, done, status)


@blueprint.post("/tournaments/<tournament_id>/entry")
@operation(
    "tournaments",
    "Enter a tournament",
    {200: _SAME, 201: _DONE},
    body=EntryRequest,
    body_optional=True,
    limit="writes",
    refusals=(
        *("not_found", "stale_version", "tournament_started", "tournament_full", "removed"),
        *("not_invited", "rating_outside", "account_needed", "not_for_bots", "seat_taken"),
    ),
)
def enter_tournament(
    services: Services,
    tournament_id: str,
    who: Player,
    body: dict[str, Any],
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """Until the start. A player who has entered is answered with 200.

    A player who has left may enter again; one whom the host has removed may not.
    """
    entropy = body.get("entropy")
    intent = Intent(who, key=key, body=body)
    return _write(
        services,
        tournament_id,
        intent,
        if_match,
        lambda chosen: services.store.tournaments.commands.enter(chosen, tournament_id, entropy),
    )


@blueprint.delete("/tournaments/<tournament_id>/entry")
@operation(
    "tournaments",
    "Leave a tournament",
    {200: _DONE},
    limit="writes",
    while_suspended=True,
    refusals=("not_found", "not_entered", "stale_version", "tournament_started"),
)
def leave_tournament(
    services: Services,
    tournament_id: str,
    who: Player,
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """After the start the caller forfeits running tables, and keeps the points so far."""
    return _write(
        services,
        tournament_id,
        Intent(who, key=key),
        if_match,
        lambda chosen: services.store.tournaments.commands.withdraw(chosen, tournament_id),
        200,
    )


@blueprint.post("/tournaments/<tournament_id>/start")
@operation(
    "tournaments",
    "Start a tournament",
    {201: _DONE},
    limit="writes",
    refusals=(*_OF_HOST, "seats_open"),
)
def start_tournament(
    services: Services,
    tournament_id: str,
    who: Player,
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """The host may start it whenever enough have entered; the first round follows at once."""
    return _write(
        services,
        tournament_id,
        Intent(who, key=key),
        if_match,
        lambda chosen: services.store.tournaments.commands.start(chosen, tournament_id),
    )


@blueprint.post("/tournaments/<tournament_id>/cancel")
@operation(
    "tournaments",
    "Call a tournament off",
    {201: _DONE},
    limit="writes",
    refusals=_OF_HOST,
)
def cancel_tournament(
    services: Services,
    tournament_id: str,
    who: Player,
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """Games that run end without a result; results that have counted for ratings stay."""
    return _write(
        services,
        tournament_id,
        Intent(who, key=key),
        if_match,
        lambda chosen: services.store.tournaments.commands.cancel(chosen, tournament_id),
    )


@blueprint.delete("/tournaments/<tournament_id>/entrants/<player_id>")
@operation(
    "tournaments",
    "Remove an entrant",
    {200: _DONE},
    limit="writes",
    refusals=(*_OF_HOST, "not_entered"),
)
def remove_entrant(
    services: Services,
    tournament_id: str,
    player_id: str,
    who: Player,
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """Before the start, by the host. The player cannot enter again."""
    return _write(
        services,
        tournament_id,
        Intent(who, key=key),
        if_match,
        lambda chosen: services.store.tournaments.commands.remove(chosen, tournament_id, player_id),
        200,
    )


@blueprint.put("/tournaments/<tournament_id>/tables/<whole:table_number>/result")
@operation(
    "tournaments",
    "Decide a table",
    {200: _DONE},
    body=TableResultRequest,
    limit="writes",
    scope="operator",
    refusals=("not_found", "round_open", "stale_version"),
)
def decide_table(
    services: Services,
    tournament_id: str,
    table_number: int,
    who: Player,
    body: dict[str, Any],
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """For operators: replaces the result of a table that has ended, while the tournament runs.

    Null `ranks` void the table; `reason` is then `explanation` in the event.

    The standings follow; ratings stay (`cartulary ratings --void` takes a game out of them).
    """
    result = TableResult(body["reason"], body["ranks"], body.get("scores"))
    return _write(
        services,
        tournament_id,
        Intent(who, key=key, body=body),
        if_match,
        lambda chosen: services.store.office.tournaments.decide_table(
            chosen, tournament_id, table_number, result
        ),
        200,
    )
