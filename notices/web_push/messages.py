"""A notice for a browser: the declarative form, and the headers of its delivery.

iOS 18.4 and later show the declarative form even when the page's worker does not run; with
`mutable` a worker that runs gets the message first. https://webkit.org/blog/16535/
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Literal

from cartulary.notices.web_push.subscriptions import encode_url

PushUrgency = Literal["very-low", "low", "normal", "high"]

DECLARATIVE: Final = 8030
"""The number that marks the declarative form: that of the RFC of Web Push."""

TOPIC_LETTERS: Final = 32
"""RFC 8030, section 5.4."""


@dataclass(frozen=True, slots=True)
class PushMessage:
    """What a notice says and where a touch leads.

    `subject`: what it is about, for example the game; a later message about the same replaces one
    that was not delivered. `ttl` in seconds. `badge`: the number on the icon. `data`: for the
    worker of our own page.
    """

    subject: str
    title: str
    body: str
    navigate: str
    language: str
    ttl: int
    urgency: PushUrgency = "normal"
    badge: int | None = None
    silent: bool = False
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        """Return the topic: letters that say nothing about the subject to the push service."""
        return encode_url(sha256(self.subject.encode()).digest())[:TOPIC_LETTERS]

    def to_json(self) -> bytes:
        """Return the payload, which is encrypted afterwards."""
        notification: dict[str, Any] = {
            "title": self.title,
            "body": self.body,
            "navigate": self.navigate,
            "lang": self.language,
            "dir": "auto",
            "tag": self.topic,
            "silent": self.silent,
            "data": self.data,
        }
        payload: dict[str, Any] = {
            "web_push": DECLARATIVE,
            "mutable": True,
            "notification": notification,
        }
        if self.badge is not None:
            # The draft of the specification has a number here, Safari 18.4 a text in the notice.
            payload["app_badge"] = self.badge
            notification["app_badge"] = str(self.badge)
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()

    def headers(self) -> dict[str, str]:
        """Return the headers of the delivery but for `Authorization`."""
        return {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(self.ttl),
            "Topic": self.topic,
            "Urgency": self.urgency,
        }
