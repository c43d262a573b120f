"""Passkeys: a player signs in with a device that keeps a key, and needs neither name nor code."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.people.ceremonies import Ceremony
from cartulary.events.people.passkeys import Passkey
from cartulary.events.people.players import Player
from cartulary.service.api.people.passkeys_schema import (
    PasskeyAnswer,
    PasskeyListAnswer,
    PasskeyOptionsAnswer,
    PasskeyRequest,
    read_made,
)
from cartulary.service.api.people.places import find_place, must_have_library
from cartulary.service.api.people.sessions import EmptyRequest, must_be_whole, must_have_token
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import attempt, mark_stored

blueprint = Blueprint("passkeys", __name__)


@blueprint.post("/players/me/passkeys/options")
@operation(
    "players",
    "Begin to add a passkey",
    {200: AnswerOf("For the browser.", PasskeyOptionsAnswer, headers=STANDING)},
    body=EmptyRequest,
    body_optional=True,
    limit="accounts",
    refusals=("not_installed", "quota_exceeded"),
)
def begin_passkey(services: Services, who: Player) -> Response:
    """The browser makes a passkey with `public_key`; what it answers goes to `…/passkeys`.

    Only a token with all scopes and without an end may ask: a passkey gives tokens like that. The
    passkey is for the host of `CARTULARY_PUBLIC_URL`, else for the host of the request.
    """
    must_be_whole(services)
    return _answer_begun(services.store.ceremonies.begin_adding(who, find_place(services)))


@blueprint.post("/players/me/passkeys")
@operation(
    "players",
    "Add a passkey",
    {201: AnswerOf("Added.", PasskeyAnswer, headers=STANDING)},
    body=PasskeyRequest,
    limit="accounts",
    refusals=("not_installed", "quota_exceeded"),
)
def add_passkey(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """From now on the device signs in with `POST /sessions`. A player has at most ten passkeys.

    A challenge that is unknown, used, expired or of another player, another origin and another
    host are 422 `invalid` at `/passkey`. The passkey stands in the inbox as `security`.
    """
    must_be_whole(services)
    must_have_library()
    store, made = services.store, read_made(body["passkey"])
    label = body["label"].strip(" ")
    added = store.ceremonies.finish_adding(who, made, label, must_have_token())
    mark_stored(request.environ)
    attempt(services, "inbox", lambda: store.accounts.sessions.note_passkey(who, added), None)
    return answer_json(_describe(added), 201, SECRET)


@blueprint.get("/players/me/passkeys")
@operation(
    "players",
    "List one's passkeys",
    {200: AnswerOf("The passkeys.", PasskeyListAnswer)},
    refusals=("not_installed",),
    scope="account",
)
def list_passkeys(services: Services, who: Player) -> Response:
    """A service without the extra `passkeys` answers 404 `not_installed`."""
    must_have_library()
    found = [_describe(one) for one in services.store.passkeys.list_of(who.id)]
    return answer_json({"passkeys": found}, headers=SECRET)


@blueprint.delete("/players/me/passkeys/<passkey:passkey_id>")
@operation(
    "players",
    "Remove a passkey",
    {204: AnswerOf("Removed: it signs in no more.")},
    limit="accounts",
    refusals=("not_found",),
)
def remove_passkey(services: Services, who: Player, passkey_id: str) -> Response:
    """The tokens that the passkey has given stay valid: revoke them with the tokens."""
    services.store.passkeys.remove(who.id, passkey_id)
    return answer_stored()


@blueprint.post("/sessions/options")
@operation(
    "players",
    "Begin to sign in with a passkey",
    {200: AnswerOf("For the browser.", PasskeyOptionsAnswer, headers=STANDING)},
    body=EmptyRequest,
    body_optional=True,
    limit="tickets",
    refusals=("not_installed",),
)
def begin_session(services: Services) -> Response:
    """The browser asks the person for a passkey; what it answers goes to `POST /sessions`."""
    return _answer_begun(services.store.ceremonies.begin_signing_in(find_place(services)))


def _answer_begun(begun: Ceremony) -> Response:
    mark_stored(request.environ)
    told = {"public_key": begun.options, "expires_at": format_time(begun.expires_at)}
    return answer_json(told, headers=SECRET)


def _describe(passkey: Passkey) -> Json:
    return {
        "id": passkey.id,
        "label": passkey.label,
        "created_at": passkey.created_at,
        "last_used_at": passkey.last_used_at,
    }
