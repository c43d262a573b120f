"""The webhooks of the caller: Standard Webhooks, the forms of Discord, Slack, relays and bots."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.model.types import Json
from cartulary.events.notices.payloads import TEST
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import MOVE, SIGNED, StoredSecret, StoredWebhook
from cartulary.events.people.players import Player
from cartulary.service.api.notices.addresses import check_address
from cartulary.service.api.notices.trying import send_now, send_test
from cartulary.service.api.notices.webhooks_schema import (
    DeliveryListAnswer,
    NewWebhookAnswer,
    WebhookAnswer,
    WebhookChangeRequest,
    WebhookListAnswer,
    WebhookQuery,
    WebhookRequest,
    WebhookSecretAnswer,
    WebhookSecretRequest,
    describe_webhook,
)
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.callers import hash_caller_token
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("webhooks", __name__)


@blueprint.get("/players/me/webhooks")
@operation(
    "players",
    "List one's webhooks",
    {200: AnswerOf("The webhooks.", WebhookListAnswer)},
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("not_found",),
)
def list_webhooks(services: Services, who: Player, query: dict[str, Any]) -> Response:
    """Their secrets are not shown again; the public keys are.

    The owner of a bot says `bot`, here and in the other calls, for the webhooks of that bot.
    """
    whose = _find_subject(services, who, query)
    now = services.store.clock.now_ms()
    found = services.store.notices.list_webhooks(whose.id)
    shown = [describe_webhook(webhook, now) for webhook in found]
    return answer_json({"webhooks": shown}, headers=SECRET)


@blueprint.post("/players/me/webhooks")
@operation(
    "players",
    "Register a webhook",
    {201: AnswerOf("The webhook, with its secret or its public key.", NewWebhookAnswer)},
    body=WebhookRequest,
    limit="accounts",
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("quota_exceeded", "not_found"),
)
def add_webhook(
    services: Services, who: Player, query: dict[str, Any], body: dict[str, Any], lang: str
) -> Response:
    """Messages of the types in `types` are sent to an https address, port 443 or 8443.

    Messages of `standard` and `relay` are signed: with `v1a` (ed25519) by default, whose public key
    every answer shows, or with `v1` (HMAC), whose secret is shown this once. Texts of the other
    formats have the language of `Accept-Language`.

    With the format `move` the bot of the token, or of `bot`, is asked for each of its moves and
    answers with it; such a webhook is signed as well, has no `types`, and a bot has one at most.
    """
    whose = _find_subject(services, who, query)
    if body["format"] not in SIGNED and body["signature"] is not None:
        raise invalid("/signature", "messages of this format are not signed")
    if body["format"] == MOVE:
        _must_ask_a_bot(services, whose, body["types"])
    elif not body["types"]:
        raise invalid("/types", "missing: name the types of items that are to be sent")
    check_address(services, "/url", body["url"])
    id_ = make_endpoint_id()
    secrets, shown = _make_secrets(services, id_, body["format"], body["signature"])
    webhook = StoredWebhook(
        id_,
        body["url"],
        tuple(dict.fromkeys(body["types"])),
        body["format"],
        secrets,
        services.store.clock.now_ms(),
        lang,
    )
    # A token that is being revoked registers nothing: what a stranger has set would stay.
    may_be_added = services.store.tokens.guard(hash_caller_token(request.environ))
    services.store.notices.add_webhook(whose.id, webhook, may_be_added)
    mark_stored(request.environ)
    _begin_to_ask(services, whose, webhook)
    now = services.store.clock.now_ms()
    return answer_json({**describe_webhook(webhook, now), "secret": shown}, 201, SECRET)


def _find_subject(services: Services, who: Player, query: dict[str, Any]) -> Player:
    """Return whose webhooks a request is about: the caller, or a bot of the caller.

    Raises `NotFound`.
    """
    bot = query["bot"]
    return who if bot is None else services.store.own_bots.find(who.id, bot).player


def _must_ask_a_bot(services: Services, who: Player, types: list[str]) -> None:
    """Raise a 422 unless a player is a bot that no webhook asks yet."""
    if not who.is_bot:
        detail = "only a bot is asked for moves: send the token of the bot, or its id as `bot`"
        raise invalid("/format", detail)
    if types:
        raise invalid("/types", "a webhook that asks for moves has no types")
    if any(one.format == MOVE for one in services.store.notices.list_webhooks(who.id)):
        raise invalid("/format", "another webhook asks this bot for its moves already")


def _begin_to_ask(services: Services, who: Player, webhook: StoredWebhook) -> None:
    """Let a bot be asked what waits for it, or no more when its webhook is off."""
    if webhook.format == MOVE:
        questions = services.store.bot_questions
        (questions.end if webhook.off else questions.begin)(who.id)


def _make_secrets(
    services: Services, webhook_id: str, form: str, scheme: str | None
) -> tuple[tuple[StoredSecret, ...], str | None]:
    """Return the secrets of a new webhook, and the one that its player has to know."""
    if form not in SIGNED:
        return (), None
    secret, shown = _make_secret(services, webhook_id, scheme or "v1a")
    return (secret,), shown


def _make_secret(
    services: Services, webhook_id: str, scheme: str
) -> tuple[StoredSecret, str | None]:
    from cartulary.notices.signatures import SigningKey

    key = SigningKey.make("v1" if scheme == "v1" else "v1a")
    encrypted = services.store.vault.encrypt(webhook_id, key.text.encode()).decode()
    return StoredSecret(encrypted, key.public_text), key.text if scheme == "v1" else None


@blueprint.patch("/players/me/webhooks/<webhook_id>")
@operation(
    "players",
    "Change a webhook",
    {200: AnswerOf("The webhook as it is now.", WebhookAnswer)},
    body=WebhookChangeRequest,
    limit="accounts",
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("not_found",),
)
def change_webhook(
    services: Services, who: Player, webhook_id: str, query: dict[str, Any], body: dict[str, Any]
) -> Response:
    """`{"on": true}` switches a webhook on again that was switched off because it failed."""
    whose = _find_subject(services, who, query)
    webhook = services.store.notices.find_webhook(whose.id, webhook_id)
    if webhook.format == MOVE and "types" in body:
        raise invalid("/types", "a webhook that asks for moves has no types")
    if "url" in body and body["url"] != webhook.url:
        check_address(services, "/url", body["url"])
    changed = services.store.notices.change_webhook(
        whose.id, webhook_id, lambda found: _apply(found, body)
    )
    mark_stored(request.environ)
    if "on" in body:
        _begin_to_ask(services, whose, changed)
    return answer_json(describe_webhook(changed, services.store.clock.now_ms()), headers=SECRET)


def _apply(webhook: StoredWebhook, body: dict[str, Any]) -> StoredWebhook:
    """Return a webhook with what a request says of it."""
    types = tuple(dict.fromkeys(body.get("types", webhook.types)))
    changed = replace(webhook, url=body.get("url", webhook.url), types=types)
    if changed.url != webhook.url and not webhook.off:
        changed = replace(changed, failing_since=0)  # the new address has failed at nothing yet
    if "on" not in body:
        return changed
    return replace(changed, off="" if body["on"] else "player", failing_since=0)


@blueprint.delete("/players/me/webhooks/<webhook_id>")
@operation(
    "players",
    "Remove a webhook",
    {204: AnswerOf("Removed.")},
    limit="accounts",
    while_suspended=True,
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("not_found",),
)
def remove_webhook(
    services: Services, who: Player, webhook_id: str, query: dict[str, Any]
) -> Response:
    """What waits for it is dropped."""
    whose = _find_subject(services, who, query)
    webhook = services.store.notices.find_webhook(whose.id, webhook_id)
    services.store.notices.remove_webhook(whose.id, webhook_id)
    _begin_to_ask(services, whose, replace(webhook, off="player"))
    return answer_stored()


@blueprint.post("/players/me/webhooks/<webhook_id>/secret")
@operation(
    "players",
    "Make a new secret for a webhook",
    {201: AnswerOf("The new secret or public key.", WebhookSecretAnswer)},
    body=WebhookSecretRequest,
    body_optional=True,
    limit="accounts",
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("not_found",),
)
def rotate_webhook_secret(
    services: Services, who: Player, webhook_id: str, query: dict[str, Any], body: dict[str, Any]
) -> Response:
    """Messages carry the signatures of both secrets for 24 hours."""
    whose = _find_subject(services, who, query)
    webhook = services.store.notices.find_webhook(whose.id, webhook_id)
    if webhook.format not in SIGNED:
        raise invalid("", "messages of this webhook are not signed")
    before = "v1" if webhook.secrets and webhook.secrets[0].public is None else "v1a"
    secret, shown = _make_secret(services, webhook_id, body["signature"] or before)
    now = services.store.clock.now_ms()
    services.store.notices.change_webhook(
        whose.id, webhook_id, lambda found: found.rotate(secret, now)
    )
    mark_stored(request.environ)
    return answer_json({"secret": shown, "public_key": secret.public}, 201, SECRET)


@blueprint.post("/players/me/webhooks/<webhook_id>/test")
@operation(
    "players",
    "Send a test to a webhook",
    {202: AnswerOf("It is on its way.")},
    limit="accounts",
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("not_found",),
)
def test_webhook(
    services: Services, who: Player, webhook_id: str, query: dict[str, Any]
) -> Response:
    """What becomes of it stands in the list of deliveries."""
    whose = _find_subject(services, who, query)
    services.store.notices.find_webhook(whose.id, webhook_id)
    return send_test(services, whose.id, "webhook", webhook_id)


@blueprint.get("/players/me/webhooks/<webhook_id>/deliveries")
@operation(
    "players",
    "List what was sent to a webhook",
    {200: AnswerOf("The last attempts.", DeliveryListAnswer)},
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("not_found",),
)
def list_deliveries(
    services: Services, who: Player, webhook_id: str, query: dict[str, Any]
) -> Response:
    """One line for each attempt, at most 50, the newest first."""
    whose = _find_subject(services, who, query)
    services.store.notices.find_webhook(whose.id, webhook_id)
    found: list[Json] = [line.describe() for line in services.store.notice_log.read(webhook_id)]
    return answer_json({"deliveries": found}, headers=SECRET)


@blueprint.post("/players/me/webhooks/<webhook_id>/deliveries/<delivery_id>/retry")
@operation(
    "players",
    "Send a message once more",
    {202: AnswerOf("It is on its way.")},
    limit="accounts",
    scope="account_or_bot",
    query=WebhookQuery,
    refusals=("not_found",),
)
def retry_delivery(
    services: Services, who: Player, webhook_id: str, delivery_id: str, query: dict[str, Any]
) -> Response:
    """With the id of before, so a receiver knows a message that it has.

    A bot is asked again only while the game still waits for the move.
    """
    whose = _find_subject(services, who, query)
    webhook = services.store.notices.find_webhook(whose.id, webhook_id)
    for line in services.store.notice_log.read(webhook_id):
        if line.id != delivery_id:
            continue
        if webhook.format != MOVE or line.item["type"] == TEST:
            return send_now(services, whose.id, "webhook", webhook_id, line.item, line.id)
        services.store.bot_questions.ask_in(line.item["data"]["game"])
        mark_stored(request.environ)
        return Response(status=202)
    raise not_found("this delivery")
