"""My account on another device: link codes, recovery codes, and what they are good for."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import segno
from flask import Blueprint, Response

from cartulary.events.accounts.rows import SCOPES
from cartulary.events.players import Player
from cartulary.events.types import format_time
from cartulary.service.description.schemas.accounts import (
    EmptyRequest,
    LinkCodeAnswer,
    RecoveryCodesAnswer,
    SessionAnswer,
    SessionRequest,
)
from cartulary.service.http.answers import answer_json, attempt
from cartulary.service.http.callers import hash_caller_token, scopes_of
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.http.problems import Problem
from cartulary.service.shortcuts import environ
from cartulary.service.views.players import describe_player
from cartulary.service.views.tokens import SECRET

blueprint = Blueprint("sessions", __name__)

_SCALE = 6
"""Units of the picture for one square of a QR code."""


@blueprint.post("/players/me/link_codes")
@operation(
    "players",
    "Ask for a code for another device",
    {201: AnswerOf("The code, shown this once.", LinkCodeAnswer, headers=STANDING)},
    body=EmptyRequest,
    body_optional=True,
    limit="accounts",
    token="required",
)
def create_link_code(here: Parts, who: Player) -> Response:
    """The other device sends the code to `POST /sessions` within ten minutes.

    It gets a token with the scopes and the end of the token of this request. The code ends when
    that token is revoked.
    """
    made = here.store.links.issue(who.id, must_have_token())
    mark_stored(environ())
    address = here.settings.public_url
    url = f"{address}/settings#code={made.code}" if address else None
    told = {
        "code": made.code,
        "expires_at": format_time(made.expires_at),
        "url": url,
        "svg": _draw_code(url or made.code),
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
    token="required",
)
def create_recovery_codes(here: Parts, who: Player) -> Response:
    """To be kept on paper: each gives a token when every device is lost. Earlier codes are void.

    From here on the account is `claimed`. Only a token with all scopes and without an end may ask:
    a code gives a token like that.
    """
    must_be_whole(here)
    codes = here.store.recovery.issue(who.id, must_have_token())
    mark_stored(environ())
    return answer_json({"codes": codes}, 201, SECRET)


@blueprint.post("/sessions")
@operation(
    "players",
    "Get a token by a code",
    {201: AnswerOf("The token, shown this once.", SessionAnswer, headers=STANDING)},
    body=SessionRequest,
    limit="sessions",
    refusals=("code_unknown", "quota_exceeded"),
)
def open_session(here: Parts, body: dict[str, Any]) -> Response:
    """An unknown, a used, an expired and a malformed code get the same answer.

    An address has 5 tries a minute and 20 an hour. After a recovery code all other tokens of the
    player are void.
    """
    sessions, label = here.store.sessions, body["label"].strip(" ")
    if "link_code" in body:
        opened = sessions.open_by_link(body["link_code"], label)
    else:
        opened = sessions.open_by_recovery(body["recovery_code"], label)
    mark_stored(environ())
    attempt(here, "inbox", lambda: sessions.note(opened), None)
    player, issued, _ = opened
    return answer_json({"player": describe_player(player), "token": issued.secret}, 201, SECRET)


def must_have_token() -> str:
    """Return the hash of the token of a request that needs a token."""
    found = hash_caller_token(environ())
    assert found is not None
    return found


def must_be_whole(here: Parts) -> None:
    """Raise `Problem` 403 unless the token of the request has all scopes and no end.

    What lasts longer than a token, or gives more than some scopes, only such a token may do.
    """
    scopes = scopes_of(environ())
    if scopes is not None:
        lacking = next(one for one in SCOPES if one not in scopes)
        raise Problem("scope_missing", f"the token lacks the scope `{lacking}`", scope=lacking)
    if here.store.tokens.end_of(must_have_token()):
        raise Problem("scope_missing", "a token that expires may not do this", scope="account")


def _draw_code(text: str) -> str:
    """Return a QR code as an SVG document."""
    picture = BytesIO()
    code = segno.make_qr(text, error="m")
    code.save(picture, kind="svg", scale=_SCALE, light="#fff", xmldecl=False, nl=False)
    return picture.getvalue().decode()
