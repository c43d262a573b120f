"""Webhooks: bodies of requests, and answers."""

from __future__ import annotations

from typing import Any

from marshmallow import validate

from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.kinds import TYPES
from cartulary.events.notices.rows import FORMATS, StoredWebhook
from cartulary.service.api.notices.settings import NoticeLineAnswer
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Flag, Request, list_of, text, time

_URL = "An https address with port 443 or 8443, without a name and password."
_TYPES = "The types of the items that are sent; none with the format `move`."
_FORMAT = (
    "`standard`: Standard Webhooks; `discord`, `slack`: a line for a chat; `relay`: what a relay "
    "to FCM or APNs needs, with a collapse id; `move`: asks a bot for its moves."
)
_SIGNATURE = "`v1a`: ed25519, `v1`: HMAC with SHA-256."
SCHEMES = ("v1a", "v1")


def _types(**kwargs: Any) -> fields.List:
    return fields.List(
        fields.String(validate=validate.OneOf(TYPES)),
        validate=validate.Length(min=1),
        description=_TYPES,
        **kwargs,
    )


def _signature() -> fields.String:
    return fields.String(
        load_default=None,
        validate=validate.OneOf(SCHEMES),
        description=f"{_SIGNATURE} Missing: `v1a`, or that of before.",
    )


class WebhookQuery(Request):
    """Whose webhooks it is about."""

    bot = fields.String(
        load_default=None,
        description="The id of a bot of the caller: it is about the webhooks of that bot. Missing: "
        "about those of the player of the token.",
    )


class WebhookRequest(Request):
    """A new webhook."""

    url = fields.String(required=True, description=_URL)
    types = _types(load_default=list)
    format = fields.String(
        load_default="standard", validate=validate.OneOf(FORMATS), description=_FORMAT
    )
    signature = _signature()


class WebhookChangeRequest(Request):
    """What is to be changed; what is missing stays."""

    url = fields.String(description=_URL)
    types = _types()
    on = Flag(description="Whether messages are sent.")


class WebhookSecretRequest(Request):
    """A new secret."""

    signature = _signature()


class WebhookSecretAnswer(Answer):
    """A new secret or key pair."""

    secret = text("`whsec_…`, shown this once; null with `v1a`.", allow_none=True)
    public_key = text("`whpk_…`; null with `v1`.", allow_none=True)


class WebhookAnswer(Answer):
    """A webhook of the player."""

    id = text()
    url = text(_URL)
    types = fields.List(fields.String(), required=True, description=_TYPES)
    format = fields.String(required=True, validate=validate.OneOf(FORMATS), description=_FORMAT)
    public_keys = fields.List(
        fields.String(),
        required=True,
        description="The keys `whpk_…` with which messages are signed now, the newest first.",
    )
    off = text(
        "null while it is on; `failing`: nothing was taken for five days; `gone`: the target said "
        "so (410); `player`: switched off by its player.",
        allow_none=True,
    )
    failing_since = text(
        "Since when nothing was taken, null: the last message was.",
        allow_none=True,
        metadata={"format": "date-time"},
    )
    created_at = time()


class NewWebhookAnswer(WebhookAnswer):
    """A new webhook."""

    secret = text("`whsec_…`, shown this once; null unless it signs with `v1`.", allow_none=True)


class WebhookListAnswer(Answer):
    """The webhooks of the player, the oldest first."""

    webhooks = list_of(WebhookAnswer)


class DeliveryListAnswer(Answer):
    """The last attempts to send to a webhook, the newest first."""

    deliveries = list_of(NoticeLineAnswer)


def describe_webhook(webhook: StoredWebhook, now_ms: int) -> Json:
    """Return a webhook as its player sees it."""
    return {
        "id": webhook.id,
        "url": webhook.url,
        "types": list(webhook.types),
        "format": webhook.format,
        "public_keys": [one.public for one in webhook.list_signing(now_ms) if one.public],
        "off": webhook.off or None,
        "failing_since": format_time(webhook.failing_since) if webhook.failing_since else None,
        "created_at": format_time(webhook.created_at),
    }
