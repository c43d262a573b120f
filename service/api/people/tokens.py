"""The tokens of the caller: one for each device or program, each listed and revocable."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.accounts.sessions import OpenedSession
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.people.rows import ACCOUNT, ID_LENGTH, SCOPES, limit_scopes
from cartulary.events.people.tokens import Token, Wish
from cartulary.service.api.people.tokens_schema import (
    NewTokenAnswer,
    TokenListAnswer,
    TokenRequest,
)
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.callers import hash_caller_token, must_reach, scopes_of
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.http.write_outcome import attempt, mark_stored

blueprint = Blueprint("tokens", __name__)

SECRET = {"Cache-Control": "no-store"}
"""The headers of an answer that holds a secret, or says where its reader has devices."""


@blueprint.get("/players/me/tokens")
@operation(
    "players", "List one's tokens", {200: AnswerOf("The tokens.", TokenListAnswer)}, scope="account"
)
def list_tokens(services: Services, who: Player) -> Response:
    """One for each device or program that the player uses; `current` is that of the request."""
    mine = hash_caller_token(request.environ)
    found = [describe_token(one, mine) for one in services.store.tokens.list_of(who.id)]
    return answer_json({"tokens": found}, headers=SECRET)


@blueprint.post("/players/me/tokens")
@operation(
    "players",
    "Issue a token",
    {201: AnswerOf("The token, shown this once.", NewTokenAnswer, headers=STANDING)},
    body=TokenRequest,
    limit="accounts",
    refusals=("quota_exceeded",),
)
def issue_token(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """For a program, or a device with less rights.

    A token gives no more than it has: a scope that the token of the request lacks is refused with
    403 `scope_missing`, and the new token ends no later.
    """
    mine = hash_caller_token(request.environ)
    issued = services.store.tokens.issue(who.id, _read_wish(services, body), mine)
    mark_stored(request.environ)
    opened = OpenedSession(who, issued, "token")
    attempt(services, "inbox", lambda: services.store.accounts.sessions.note(opened), None)
    told = {**describe_token(issued.token, mine), "token": issued.secret}
    return answer_json(told, 201, SECRET)


@blueprint.delete("/players/me/tokens/<token_id>")
@operation(
    "players",
    "Revoke a token",
    {204: AnswerOf("Revoked: for requests and streams within 5 s.")},
    limit="accounts",
    refusals=("not_found", "scope_missing"),
    scope="read",
)
def revoke_token(services: Services, who: Player, token_id: str) -> Response:
    """Every token may revoke itself: to sign out. To revoke another one needs `account`."""
    mine = hash_caller_token(request.environ)
    if mine is None or token_id != mine[:ID_LENGTH]:
        must_reach(request.environ, ACCOUNT)
    services.store.tokens.revoke(who.id, token_id)
    return answer_stored()


@blueprint.delete("/players/me/tokens")
@operation(
    "players",
    "Revoke all other tokens",
    {204: AnswerOf("Revoked: for requests and streams within 5 s.")},
    limit="accounts",
    while_suspended=True,
)
def revoke_other_tokens(services: Services, who: Player) -> Response:
    """For a player who has lost a device: only the token of the request stays valid."""
    services.store.tokens.revoke_others(who.id, hash_caller_token(request.environ))
    return answer_stored()


def describe_token(token: Token, mine: str | None) -> Json:
    """Return a token as its player sees it; `mine` is the hash of the token of the request."""
    return {**token.describe(), "current": token.row.hash == mine}


def _read_wish(services: Services, body: dict[str, Any]) -> Wish:
    """Return what the new token is to be: at most what the token of the request is."""
    own = scopes_of(request.environ)
    scopes: Collection[str] = SCOPES if own is None else own
    if body["scopes"] is not None:
        scopes = body["scopes"]
    for scope in scopes:
        if own is not None and scope not in own:
            detail = f"the token of the request lacks the scope `{scope}`"
            raise Problem("scope_missing", detail, scope=scope)
    most = _find_end(services)
    expires_at = most
    if body["expires_in"] is not None:
        expires_at = services.store.clock.now_ms() + body["expires_in"] * 1000
        if most and expires_at > most:
            raise invalid("/expires_in", "the token of the request ends before that")
    return Wish(body["label"].strip(" "), limit_scopes(scopes), expires_at)


def _find_end(services: Services) -> int:
    """Return when the token of the request expires, in ms since the epoch; 0: never."""
    mine = hash_caller_token(request.environ)
    return 0 if mine is None else services.store.tokens.end_of(mine)
