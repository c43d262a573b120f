"""The examples of notices acted out: settings, a browser, webhooks, and what became of a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cartulary.events.model.clock import format_time
from cartulary.events.notices.log import LoggedNotice
from cartulary.events.store import Store
from cartulary.notices.web_push import PushServerKey
from tests.service.support.caller import Caller

PATHS = {
    "change_notifications": ("PUT", "notifications", 200),
    "add_push_subscription": ("POST", "push_subscriptions", 201),
    "change_email": ("PUT", "email", 202),
    "add_webhook": ("POST", "webhooks", 201),
    "change_webhook": ("PATCH", "webhooks/{webhook}", 200),
    "rotate_webhook_secret": ("POST", "webhooks/{webhook}/secret", 201),
}
WEBHOOK = {"url": "https://93.184.216.34/cartulary", "types": ["your_turn"]}


def write_push_key(folder: Path) -> str:
    """Write a key of push messages; returns the name of its file."""
    file = folder / "push.key"
    file.write_bytes(PushServerKey.make("mailto:operator@example.org").pem)
    return str(file)


def ask(operation: str, body: dict[str, Any], caller: Caller) -> Any:
    """Send a request of an operation, about a new webhook where it changes one."""
    method, path, _ = PATHS[operation]
    if "{webhook}" in path:
        path = path.format(webhook=caller.post("/players/me/webhooks", WEBHOOK).json["id"])
    return caller.send(method, f"/players/me/{path}", json=body)


def keep_notices(ada: Caller, store: Store, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    """Yield what each operation of notices answers to the examples."""
    for operation in PATHS:
        found = []
        for body in asked[operation]:
            found.append(ask(operation, body, ada).json)
            for webhook in ada.get("/players/me/webhooks").json["webhooks"][1:]:
                ada.delete(f"/players/me/webhooks/{webhook['id']}")
        yield operation, found
    yield "show_notifications", [ada.get("/players/me/notifications").json]
    yield "show_email", [ada.get("/players/me/email").json]
    yield "show_push_key", [ada.get("/push_key").json]
    yield "list_push_subscriptions", [ada.get("/players/me/push_subscriptions").json]
    webhooks = ada.get("/players/me/webhooks").json
    yield "list_webhooks", [webhooks]
    webhook = webhooks["webhooks"][0]["id"]
    now = store.clock.now_ms()
    item = {"type": "test", "timestamp": format_time(now), "data": {"url": "/", "title": ""}}
    line = LoggedNotice("test:1", now, "retrying", "webhook", item, 503, 0, now + 5000)
    store.notice_log.write((ada.id, webhook), line)
    yield "list_notices", [ada.get("/players/me/notices").json]
    yield "list_deliveries", [ada.get(f"/players/me/webhooks/{webhook}/deliveries").json]
