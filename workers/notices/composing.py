"""From a delivery to a request: address, headers, body. Pure but for keys and the clock."""

from __future__ import annotations

from typing import Final, NamedTuple

from cartulary.events.draws.keyring import Keyring
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.rows import SIGNED, StoredSubscription, StoredWebhook
from cartulary.notices.egress import EgressPolicy, Target, read_target
from cartulary.notices.signatures import SigningKey, sign_message
from cartulary.notices.web_push import PushMessage, PushServerKey, PushSubscription
from cartulary.workers.notices.formats import write_webhook
from cartulary.workers.notices.texts import write_body, write_title

UNTIMED_TTL_S: Final = 3 * 24 * 3600


class OutgoingRequest(NamedTuple):
    """What is sent where; `url` is the address as it was registered."""

    url: str
    target: Target
    headers: dict[str, str]
    body: bytes


def compose_webhook(
    delivery: Delivery,
    webhook: StoredWebhook,
    policy: EgressPolicy,
    keyring: Keyring,
    address: str,
    now_ms: int,
) -> OutgoingRequest:
    """Return the request of a webhook. Raises `TargetRefused`, `WrongKey`."""
    body = write_webhook(webhook.format, delivery.items, webhook.language, address)
    return address_webhook(webhook, name_message(delivery), body, policy, keyring, now_ms)


def address_webhook(
    webhook: StoredWebhook,
    message: str,
    body: bytes,
    policy: EgressPolicy,
    keyring: Keyring,
    now_ms: int,
) -> OutgoingRequest:
    """Return the request with a body, signed where the format is; `message` is its id.

    Raises `TargetRefused`, `WrongKey`.
    """
    headers = {"Content-Type": "application/json", "User-Agent": "Cartulary"}
    if webhook.format in SIGNED:
        keys = [
            SigningKey.read(keyring.decrypt(one.encrypted.encode(), webhook.id).decode())
            for one in webhook.list_signing(now_ms)
        ]
        headers |= sign_message(message, now_ms // 1000, body, keys)
    return OutgoingRequest(webhook.url, read_target(webhook.url, policy), headers, body)


def compose_push(
    delivery: Delivery,
    browser: StoredSubscription,
    policy: EgressPolicy,
    key: PushServerKey,
    address: str,
    deadline_ms: int | None,
    badge: int,
    now_ms: int,
) -> OutgoingRequest:
    """Return the request to a push service. Raises `TargetRefused`, `ValueError`."""
    target = read_target(browser.endpoint, policy)
    item = delivery.items[0]
    left = UNTIMED_TTL_S if deadline_ms is None else max(0, (deadline_ms - now_ms) // 1000)
    several = len(delivery.items) > 1
    message = PushMessage(
        subject="several" if several else str(item["data"].get("game") or item["type"]),
        title=write_title(delivery.items, browser.language),
        body=write_body(delivery.items, browser.language),
        navigate=f"{address}{'/' if several else item['data'].get('url') or '/'}",
        language=browser.language,
        ttl=left,
        urgency="high" if deadline_ms is not None and left < 3600 else "normal",
        badge=badge,
        data={
            "type": item["type"],
            "game": item["data"].get("game"),
            "version": item["data"].get("version"),
        },
    )
    stored = PushSubscription.read(browser.endpoint, browser.p256dh, browser.auth)
    headers = {**message.headers(), "Authorization": key.authorize(target, now_ms // 1000)}
    return OutgoingRequest(browser.endpoint, target, headers, stored.encrypt(message.to_json()))


def name_message(delivery: Delivery) -> str:
    """Return the id that a receiver recognises a repeated message by."""
    return f"msg_{delivery.id.replace(':', '_')}"
