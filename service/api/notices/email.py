"""The address at which the caller gets the e-mail of the day, confirmed by its reader."""

from __future__ import annotations

import os
from typing import Any, get_args

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import NotFound
from cartulary.events.model.types import Json
from cartulary.events.notices.kinds import CONFIRMATION
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import AddressState, StoredAddress
from cartulary.events.people.players import Player
from cartulary.notices.mail.addresses import InvalidAddress, read_address
from cartulary.notices.mail.tokens import SECRET_BYTES
from cartulary.service.api.notices.trying import send_now, send_test
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.callers import limit_address
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Flag, Request, text

blueprint = Blueprint("email", __name__)

NO_ADDRESS = "none"


class EmailRequest(Request):
    """An address of e-mail."""

    address = fields.String(required=True, description="One plain address: `ada@example.org`.")


class EmailAnswer(Answer):
    """The address of the player, and whether notices are sent to it."""

    offered = Flag(required=True, description="Whether this service sends e-mail.")
    state = fields.String(
        required=True,
        validate=validate.OneOf((NO_ADDRESS, *get_args(AddressState))),
        description="`unconfirmed`: its reader has to follow the link in the one mail that was "
        "sent there, within a day.",
    )
    address = text("null without one.", allow_none=True)
    off = text(
        "null while it is on; `unsubscribed`: by the link in a mail; `refused`: the mail server "
        "takes nothing for this address.",
        allow_none=True,
    )
    created_at = text(
        "When the player has written it, null without an address.",
        allow_none=True,
        metadata={"format": "date-time"},
    )


@blueprint.get("/players/me/email")
@operation(
    "players",
    "One's address for e-mail",
    {200: AnswerOf("The address.", EmailAnswer)},
    scope="account",
)
def show_email(services: Services, who: Player) -> Response:
    """Where the e-mail of the day goes."""
    found = services.store.notices.emails.find(who.id)
    return answer_json(describe_email(services, found), headers=SECRET)


@blueprint.put("/players/me/email")
@operation(
    "players",
    "Get notices by e-mail",
    {
        200: AnswerOf("Nothing to do: the address is confirmed already.", EmailAnswer),
        202: AnswerOf("A mail is on its way to the address.", EmailAnswer),
    },
    body=EmailRequest,
    limit="accounts",
    refusals=("not_installed", "quota_exceeded"),
)
def change_email(services: Services, who: Player, body: dict[str, Any], lang: str) -> Response:
    """The mail asks the reader of the address to confirm it; nothing else is sent there before.

    It takes the place of any other address of the player. Mails have the language of
    `Accept-Language`. An address is asked three times a day at most, by all players together.
    404: this service sends no e-mail.
    """
    must_send_emails(services)
    try:
        wanted = read_address(body["address"])
    except InvalidAddress as error:
        raise invalid("/address", str(error)) from error
    emails = services.store.notices.emails
    known = emails.find(who.id)
    if known is not None and known.address == wanted and known.is_told:
        return answer_json(describe_email(services, known), headers=SECRET)
    limit_address("emails", request.environ, services)
    id_, now = make_endpoint_id(), services.store.clock.now_ms()
    secret = services.store.vault.encrypt(id_, os.urandom(SECRET_BYTES)).decode()
    address = StoredAddress(id_, wanted, lang, secret, now)
    emails.ask(who.id, address)
    name = f"{CONFIRMATION}:{id_}"
    item = {
        "id": f"{name}:{who.id}",
        "type": CONFIRMATION,
        "timestamp": format_time(now),
        "data": {"url": "/settings?notices"},
    }
    send_now(services, who.id, "email", id_, item, name)
    return answer_json(describe_email(services, address), 202, SECRET)


@blueprint.delete("/players/me/email")
@operation(
    "players",
    "Get no more e-mail",
    {204: AnswerOf("The address is forgotten.")},
    limit="accounts",
    while_suspended=True,
    refusals=("not_found",),
)
def remove_email(services: Services, who: Player) -> Response:
    """What waits for it is dropped, and the links in its mails end."""
    services.store.notices.emails.remove(who.id)
    return answer_stored()


@blueprint.post("/players/me/email/test")
@operation(
    "players",
    "Send a test by e-mail",
    {202: AnswerOf("It is on its way.")},
    limit="accounts",
    refusals=("not_found", "not_installed"),
)
def test_email(services: Services, who: Player) -> Response:
    """To a confirmed address only. What becomes of it stands in the list of notices."""
    must_send_emails(services)
    found = services.store.notices.emails.find(who.id)
    if found is None or not found.is_told:
        raise NotFound("you have no confirmed e-mail address here")
    limit_address("emails", request.environ, services)
    return send_test(services, who.id, "email", found.id)


def must_send_emails(services: Services) -> None:
    """Raise `Problem` 404 unless the service sends e-mail."""
    if not services.settings.emails:
        raise Problem("not_installed", "this service sends no e-mail")


def describe_email(services: Services, address: StoredAddress | None) -> Json:
    """Return an address as its player sees it."""
    offered = services.settings.emails
    if address is None:
        nothing = dict.fromkeys(("address", "off", "created_at"))
        return {"offered": offered, "state": NO_ADDRESS, **nothing}
    return {
        "offered": offered,
        "state": address.state,
        "address": address.address,
        "off": address.off or None,
        "created_at": format_time(address.created_at),
    }
