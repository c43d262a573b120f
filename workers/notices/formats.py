"""The bodies of webhooks, by format; that of a push message stands in `composing`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

from cartulary.events.model.types import Json
from cartulary.events.notices.rows import WebhookFormat
from cartulary.workers.notices.texts import clean, write_body, write_title

MOST_BYTES: Final = 20_000
"""Standard Webhooks: a body has at most 20 kB."""

_DISCORD_SIGNS: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~`|>#[]()<:"})
_SLACK_SIGNS: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

Write = Callable[[Sequence[Json], str, str], Any]
"""Items, language, and the address of the service lead to a body."""


def _write_standard(items: Sequence[Json], _language: str, address: str) -> Any:
    item = items[0]
    data = {**item["data"], "url": f"{address}{item['data'].get('url') or '/'}"}
    if isinstance(data.get("title"), str):
        data["title"] = clean(data["title"])
    return {"type": item["type"], "timestamp": item["timestamp"], "data": data}


def _write_relay(items: Sequence[Json], language: str, address: str) -> Any:
    """Write what a relay to FCM or APNs needs; a newer message of a collapse id replaces it."""
    body = _write_standard(items, language, address)
    return {
        **body,
        "title": write_title(items, language),
        "body": write_body(items, language),
        "collapse_id": f"{items[0]['data'].get('game') or 'account'}",
    }


def _write_discord(items: Sequence[Json], language: str, address: str) -> Any:
    lines = _write_lines(items, language, address, _DISCORD_SIGNS)
    return {"content": lines[:2000], "allowed_mentions": {"parse": []}}


def _write_slack(items: Sequence[Json], language: str, address: str) -> Any:
    return {"text": _write_lines(items, language, address, _SLACK_SIGNS)[:3000]}


def _write_lines(
    items: Sequence[Json], language: str, address: str, signs: Mapping[int, str]
) -> str:
    title, body = (
        write(items, language).translate(dict(signs)) for write in (write_title, write_body)
    )
    url = f"{address}{items[0]['data'].get('url') or '/'}"
    return f"{title}: {body}\n{url}" if body else f"{title}\n{url}"


_WRITERS: Final[Mapping[WebhookFormat, Write]] = {
    "standard": _write_standard,
    "relay": _write_relay,
    "discord": _write_discord,
    "slack": _write_slack,
}


def write_webhook(form: WebhookFormat, items: Sequence[Json], language: str, address: str) -> bytes:
    """Return the body of a webhook, at most 20 kB."""
    body = orjson.dumps(_WRITERS[form](items, language, address))
    if len(body) > MOST_BYTES:
        raise ValueError(f"a webhook has at most {MOST_BYTES} bytes, this one {len(body)}")
    return body
