"""The browsers in which the caller gets notices: Web Push (RFC 8030)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import StoredSubscription
from cartulary.events.people.players import Player
from cartulary.service.api.notices.addresses import check_address
from cartulary.service.api.notices.trying import send_test
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.api.people.tokens_schema import LABEL_TEXT, label
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text, time

blueprint = Blueprint("push", __name__)

_P256DH = "The public key of the browser: 65 bytes in base64url."
_AUTH = "The shared secret of the browser: 16 bytes in base64url."


class PushKeyAnswer(Answer):
    """The key that a browser subscribes with."""

    key = text("`applicationServerKey`: 65 bytes in base64url (RFC 8292).")


class PushKeysRequest(Request):
    """The keys of a subscription."""

    p256dh = fields.String(required=True, description=_P256DH)
    auth = fields.String(required=True, description=_AUTH)


class PushSubscriptionRequest(Request):
    """A subscription as `PushSubscription.toJSON()` writes it, with a label."""

    endpoint = fields.String(
        required=True, description="The address that the browser has from its push service."
    )
    keys = fields.Nested(PushKeysRequest, required=True)
    expirationTime = fields.Raw(  # noqa: N815 (the name of the Push API)
        load_default=None, allow_none=True, metadata={"description": "Ignored."}
    )
    label = label()


class PushSubscriptionAnswer(Answer):
    """A browser in which the player gets notices."""

    id = text()
    label = text(LABEL_TEXT)
    origin = text("The push service, without what only the browser knows.")
    created_at = time()


class PushSubscriptionListAnswer(Answer):
    """The browsers in which the player gets notices, the oldest first."""

    push_subscriptions = list_of(PushSubscriptionAnswer)


@cache
def read_public_key(file: str) -> str:
    """Return the public key of a file in PEM."""
    from cartulary.notices.web_push import PushServerKey

    return PushServerKey(Path(file).read_bytes(), "").public_text


@blueprint.get("/push_key")
@operation(
    "players",
    "The key of push messages",
    {200: AnswerOf("The key.", PushKeyAnswer)},
    refusals=("not_found",),
)
def show_push_key(services: Services) -> Response:
    """A browser subscribes with it. 404: this service sends no push messages."""
    if not services.settings.push_key:
        raise not_found("the key of push messages")
    key = read_public_key(services.settings.push_key)
    return answer_json({"key": key}, headers={"Cache-Control": "public, max-age=3600"})


@blueprint.get("/players/me/push_subscriptions")
@operation(
    "players",
    "List the browsers with notices",
    {200: AnswerOf("The browsers.", PushSubscriptionListAnswer)},
    scope="account",
)
def list_push_subscriptions(services: Services, who: Player) -> Response:
    """The addresses themselves are not shown: a holder of one could send to the browser."""
    found = services.store.notices.list_browsers(who.id)
    shown = [describe_browser(browser) for browser in found]
    return answer_json({"push_subscriptions": shown}, headers=SECRET)


@blueprint.post("/players/me/push_subscriptions")
@operation(
    "players",
    "Get notices in a browser",
    {
        200: AnswerOf("Renewed: the browser was known.", PushSubscriptionAnswer),
        201: AnswerOf("The browser gets notices.", PushSubscriptionAnswer),
    },
    body=PushSubscriptionRequest,
    limit="accounts",
    refusals=("quota_exceeded", "not_found"),
)
def add_push_subscription(
    services: Services, who: Player, body: dict[str, Any], lang: str
) -> Response:
    """One endpoint is one browser, of the player who has subscribed with it last.

    Pages subscribe again at each visit. Notices have the language of `Accept-Language`. 404: this
    service sends no push messages.
    """
    if not services.settings.push_key:
        raise not_found("the key of push messages")
    keys = body["keys"]
    _check_keys(body["endpoint"], keys["p256dh"], keys["auth"])
    known = {one.endpoint for one in services.store.notices.list_browsers(who.id)}
    if body["endpoint"] not in known:
        check_address(services, "/endpoint", body["endpoint"])
    browser = StoredSubscription(
        make_endpoint_id(),
        body["endpoint"],
        keys["p256dh"],
        keys["auth"],
        body["label"],
        lang,
        services.store.clock.now_ms(),
    )
    stored = services.store.notices.add_browser(who.id, browser)
    mark_stored(request.environ)
    status = 200 if body["endpoint"] in known else 201
    return answer_json(describe_browser(stored), status, SECRET)


def _check_keys(endpoint: str, p256dh: str, auth: str) -> None:
    from cartulary.notices.web_push import PushSubscription

    try:
        PushSubscription.read(endpoint, p256dh, auth)
    except ValueError as error:
        raise invalid("/keys", str(error)) from error


@blueprint.delete("/players/me/push_subscriptions/<subscription_id>")
@operation(
    "players",
    "Get no more notices in a browser",
    {204: AnswerOf("The browser gets no more notices.")},
    limit="accounts",
    while_suspended=True,
    refusals=("not_found",),
)
def remove_push_subscription(services: Services, who: Player, subscription_id: str) -> Response:
    """What waits for the browser is dropped."""
    services.store.notices.remove_browser(who.id, subscription_id)
    return answer_stored()


@blueprint.post("/players/me/push_subscriptions/<subscription_id>/test")
@operation(
    "players",
    "Send a test to a browser",
    {202: AnswerOf("It is on its way.")},
    limit="accounts",
    refusals=("not_found",),
)
def test_push_subscription(services: Services, who: Player, subscription_id: str) -> Response:
    """What becomes of it stands in the list of notices."""
    services.store.notices.find_browser(who.id, subscription_id)
    return send_test(services, who.id, "push", subscription_id)


def describe_browser(browser: StoredSubscription) -> Json:
    """Return a browser as its player sees it."""
    return {
        "id": browser.id,
        "label": browser.label,
        "origin": browser.origin,
        "created_at": format_time(browser.created_at),
    }
