"""What all views of tournaments need: the tournament a caller may see, its tag, its answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, request
from werkzeug.datastructures import ETags

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.tournaments.stream.describing import describe, is_visible
from cartulary.events.tournaments.stream.streams import KnownTournament
from cartulary.events.tournaments.stream.writer import TournamentWritten
from cartulary.service.http.answers import (
    answer_changed,
    answer_json,
    locate,
    revalidate,
    set_tag,
)
from cartulary.service.http.callers import is_operator
from cartulary.service.http.conditions import Versions, is_known, tag_version
from cartulary.service.http.shared.costly_results import WaitingRequest, take_turn
from cartulary.service.http.shared.services import Services
from cartulary.service.http.shared.tournament_results import TournamentResultKey
from cartulary.service.http.shared.verifications import LIMIT
from cartulary.service.http.wire.observer import HELD
from cartulary.service.http.wire.problems import Problem, not_found
from cartulary.service.http.write_outcome import mark_stored
from cartulary.tournaments.state import Tournament


def find_tournament(services: Services, tournament_id: str, who: Player | None) -> KnownTournament:
    """Return a tournament that a caller may see; raises `Problem` 404 for any other.

    Operators, with the token of their scope, see private ones as well: they decide about them.
    Raises `BrokenHistory` for one that is damaged.
    """
    streams, caller = services.store.tournaments.streams, None if who is None else who.id
    sees_all = is_operator(request.environ)
    with streams.hiding_damage(tournament_id, caller, sees_all):
        found = streams.find(tournament_id)
    if found is None or not (sees_all or is_visible(found.tournament, caller)):
        raise not_found("a tournament with this id")
    return found


def tag_tournament(services: Services, tournament: Tournament) -> str:
    """Return the entity tag of what is shown of a tournament."""
    masks = services.store.masks
    masks.look()
    shown = [str(one.player["id"]) for one in tournament.entrants]
    masked = len(masks.deleted.intersection([str(tournament.host["id"]), *shown]))
    return tag_version(tournament.version, masked)


def show_tournament(services: Services, tournament_id: str, tournament: Tournament) -> Json:
    """Return a tournament as a resource; a deleted name is masked."""
    found = describe(tournament_id, tournament)
    return {**found, "host": services.store.masks.mask_player(found["host"])}


def answer_part(services: Services, known: ETags, found: KnownTournament, make: Any) -> Response:
    """Return a part of a tournament that is a function of its stream, with its tag."""
    tag = tag_tournament(services, found.tournament)
    return answer_changed(known, make, tag, revalidate(found.tournament.terms.visibility))


def answer_costly(
    services: Services,
    known: ETags,
    found: KnownTournament,
    who: Player | None,
    key: TournamentResultKey,
    compute: Callable[[], Json],
) -> Response:
    """Return a part that costs much to compute, once for its key; one at a time in a process.

    Raises `Problem` 429 for a caller who asks too often for what is not remembered.
    """
    tag = tag_tournament(services, found.tournament)
    caching = revalidate(found.tournament.terms.visibility)
    if is_known(known, tag):
        return set_tag(Response(status=304), tag, caching)
    results = services.tournament_results
    text = results.find(key)
    if text is None:
        if not take_turn(services.limits, results, LIMIT, who and who.id):
            request.environ[HELD] = True
            return Response(WaitingRequest(results, key), direct_passthrough=True)
        text = results.make(key, lambda: (key, orjson.dumps(compute())))
    return set_tag(answer_json(text), tag, caching)


def set_expected(
    services: Services, tournament_id: str, if_match: Versions | None, intent: Intent
) -> Intent:
    """Return an intent for the version that `If-Match` names; raises `Problem` 404, 412.

    A tournament that the caller may not see is 404 before its version is looked at.
    """
    if if_match is None:
        return intent
    current = find_tournament(services, tournament_id, intent.who).version
    if current not in if_match and intent.key is None:
        detail = f"If-Match does not hold: the tournament is at version {current}"
        headers = {"ETag": tag_version(current)}
        raise Problem("stale_version", detail, status=412, headers=headers, current_version=current)
    return intent._replace(expected=current if current in if_match else max(if_match))


def answer_tournament_written(
    services: Services, tournament_id: str, done: TournamentWritten, status: int = 201
) -> Response:
    """Return what a command did; with 200 where nothing had to be done."""
    mark_stored(request.environ)
    value = {
        "version": done.tournament.version,
        "events": done.events,
        "tournament": show_tournament(services, tournament_id, done.tournament),
    }
    headers = {"ETag": tag_tournament(services, done.tournament)}
    answer = answer_json(value, status if done.events else 200, headers)
    if done.replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer


def answer_created(services: Services, tournament_id: str, done: TournamentWritten) -> Response:
    """Return a new tournament, and where it is."""
    mark_stored(request.environ)
    headers = {
        "ETag": tag_tournament(services, done.tournament),
        "Location": locate(services, f"/api/v1/tournaments/{tournament_id}"),
    }
    value = show_tournament(services, tournament_id, done.tournament)
    answer = answer_json(value, 201, headers)
    if done.replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer
