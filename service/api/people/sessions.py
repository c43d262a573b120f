"""My account on another device: link codes, recovery codes, and how a device signs in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import ValidationError, validate, validates_schema

from cartulary.events.model.clock import format_time
from cartulary.events.people.players import Player
from cartulary.events.people.rows import SCOPES
from cartulary.service.api.people.passkeys_schema import PasskeyProof, read_proof
from cartulary.service.api.people.places import must_have_library
from cartulary.service.api.people.players import describe_player
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.api.people.tokens_schema import label
from cartulary.service.http.answers import answer_json
from cartulary.service.http.callers import hash_caller_token, scopes_of
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.qr_codes import ORIGIN, draw_qr_code
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.write_outcome import attempt, mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, text, time
from cartulary.service.schemas.players import PlayerAnswer

blueprint = Blueprint("sessions", __name__)


class EmptyRequest(Request):
    """An object without fields."""


class LinkCodeRequest(Request):
    """Where the web client is, for a client that knows it better than the service."""

    origin = fields.String(
        validate=validate.Regexp(rf"{ORIGIN}\Z", error="must be an origin: https://play.example"),
        metadata={"pattern": f"^{ORIGIN}$"},
        description="Of the page that asks: `url` begins with it. By default the address that the "
        "service has for itself.",
    )


class LinkCodeAnswer(Answer):
    """A code that gives another device a token of the caller, once."""

    code = text("Eight letters and a hyphen. Valid for ten minutes and for one use.")
    expires_at = time()
    url = text(
        "The settings of the web client with the code behind `#`, which no "
        "server is sent; null when neither the request nor the service has an address.",
        allow_none=True,
    )
    svg = text("A QR code of `url`, or of `code` without an `url`: an SVG document.")


class RecoveryCodesAnswer(Answer):
    """Ten codes, each for one use."""

    codes = fields.List(
        fields.String(),
        required=True,
        description="Shown in this answer only. Earlier codes are void.",
    )


class SessionRequest(Request):
    """One of the two codes or a passkey, and a label for the new token."""

    link_code = fields.String(description="Of `POST /players/me/link_codes`, from another device.")
    recovery_code = fields.String(
        description="Of `POST /players/me/recovery_codes`. All other tokens become void, and "
        "all passkeys."
    )
    passkey = fields.Nested(
        PasskeyProof, description="What the browser answers to `POST /sessions/options`."
    )
    label = label()

    @validates_schema
    def check_one(self, data: dict[str, Any], **_: Any) -> None:
        """Raise unless there is one code, or a passkey."""
        if sum(name in data for name in ("link_code", "recovery_code", "passkey")) != 1:
            raise ValidationError("one of link_code, recovery_code and passkey is needed")


class SessionAnswer(Answer):
    """The player of the code or passkey, and a new token."""

    player = fields.Nested(PlayerAnswer, required=True)
    token = text("Shown in this answer only. Send the token as `Authorization: Bearer …`.")


@blueprint.post("/players/me/link_codes")
@operation(
    "players",
    "Ask for a code for another device",
    {201: AnswerOf("The code, shown this once.", LinkCodeAnswer, headers=STANDING)},
    body=LinkCodeRequest,
    body_optional=True,
    limit="accounts",
)
def create_link_code(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """The other device sends the code to `POST /sessions` within ten minutes.

    It gets a token with the scopes and the end of the token of this request. The code ends when
    that token is revoked.
    """
    made = services.store.links.issue(who.id, must_have_token())
    mark_stored(request.environ)
    address = body.get("origin", services.settings.public_url)
    url = f"{address}/settings#code={made.code}" if address else None
    told = {
        "code": made.code,
        "expires_at": format_time(made.expires_at),
        "url": url,
        "svg": draw_qr_code(url or made.code),
    }
    return answer_json(told, 201, SECRET)


@blueprint.post("/players/me/recovery_codes")
@operation(
    "players",
    "Ask for recovery codes",
    {201: AnswerOf("Ten codes, shown this once.", RecoveryCodesAnswer, headers=STANDING)},
    body=EmptyRequest,
    body_optional=True,
    limit="accounts",
)
def create_recovery_codes(services: Services, who: Player) -> Response:
    """To be kept on paper: each gives a token when every device is lost. Earlier codes are void.

    From here on the account is `claimed`. Only a token with all scopes and without an end may ask:
    a code gives a token like that.
    """
    must_be_whole(services)
    codes = services.store.recovery.issue(who.id, must_have_token())
    mark_stored(request.environ)
    return answer_json({"codes": codes}, 201, SECRET)


@blueprint.post("/sessions")
@operation(
    "players",
    "Get a token by a code or a passkey",
    {201: AnswerOf("The token, shown this once.", SessionAnswer, headers=STANDING)},
    body=SessionRequest,
    limit="sessions",
    refusals=("code_unknown", "quota_exceeded", "not_installed"),
)
def open_session(services: Services, body: dict[str, Any]) -> Response:
    """An unknown, a used, an expired and a malformed code get the same answer.

    So do a passkey that was removed and one that answers a foreign challenge. An address has 5
    tries a minute and 20 an hour. After a recovery code all other tokens and all passkeys of the
    player are void. A passkey gives a token with all scopes.
    """
    sessions, label = services.store.accounts.sessions, body["label"].strip(" ")
    if "passkey" in body:
        must_have_library()
        opened = sessions.open_by_passkey(read_proof(body["passkey"]), label)
    elif "link_code" in body:
        opened = sessions.open_by_link(body["link_code"], label)
    else:
        opened = sessions.open_by_recovery(body["recovery_code"], label)
    mark_stored(request.environ)
    attempt(services, "inbox", lambda: sessions.note(opened), None)
    player, issued, _ = opened
    return answer_json({"player": describe_player(player), "token": issued.secret}, 201, SECRET)


def must_have_token() -> str:
    """Return the hash of the token of a request that needs a token."""
    found = hash_caller_token(request.environ)
    assert found is not None
    return found


def must_be_whole(services: Services) -> None:
    """Raise `Problem` 403 unless the token of the request has all scopes and no end.

    What lasts longer than a token, or gives more than some scopes, only such a token may do.
    """
    scopes = scopes_of(request.environ)
    if scopes is not None:
        lacking = next(one for one in SCOPES if one not in scopes)
        raise Problem("scope_missing", f"the token lacks the scope `{lacking}`", scope=lacking)
    if services.store.tokens.end_of(must_have_token()):
        raise Problem("scope_missing", "a token that expires may not do this", scope="account")
