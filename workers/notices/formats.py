"""The bodies of webhooks, by format; that of a push message stands in `composing`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import orjson
from marshmallow import Schema

from cartulary.events.model.types import Json
from cartulary.events.notices.payloads import (
    DiscordMessage,
    NoticeMessage,
    RelayMessage,
    SlackMessage,
)
from cartulary.events.notices.rows import WebhookFormat
from cartulary.workers.notices.texts import clean, write_body, write_title

MOST_BYTES: Final = 20_000
"""Standard Webhooks: a body has at most 20 kB."""

_DISCORD_SIGNS: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~`|>#[]()<:"})
_SLACK_SIGNS: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

Write = Callable[[Sequence[Json], str, str], Json]
"""Items, language, and the address of the service lead to the members of a body."""


class _Form(NamedTuple):
    """How a body is written, and the schema that describes it."""

    write: Write
    schema: Schema


def _write_standard(items: Sequence[Json], _language: str, address: str) -> Json:
    item = items[0]
    data = {**item["data"], "url": f"{address}{item['data'].get('url') or '/'}"}
    if isinstance(data.get("title"), str):
        data["title"] = clean(data["title"])
    return {"type": item["type"], "timestamp": item["timestamp"], "data": data}


def _write_relay(items: Sequence[Json], language: str, address: str) -> Json:
    """Write what a relay to FCM or APNs needs; a newer message of a collapse id replaces it."""
    return {
        **_write_standard(items, language, address),
        "title": write_title(items, language),
        "body": write_body(items, language),
        "collapse_id": f"{items[0]['data'].get('game') or 'account'}",
    }


def _write_discord(items: Sequence[Json], language: str, address: str) -> Json:
    lines = _write_lines(items, language, address, _DISCORD_SIGNS)
    return {"content": lines[:2000], "allowed_mentions": {"parse": []}}


def _write_slack(items: Sequence[Json], language: str, address: str) -> Json:
    return {"text": _write_lines(items, language, address, _SLACK_SIGNS)[:3000]}


def _write_lines(
    items: Sequence[Json], language: str, address: str, signs: Mapping[int, str]
) -> str:
    title, body = (
        write(items, language).translate(dict(signs)) for write in (write_title, write_body)
    )
    url = f"{address}{items[0]['data'].get('url') or '/'}"
    return f"{title}: {body}\n{url}" if body else f"{title}\n{url}"


_FORMS: Final[Mapping[WebhookFormat, _Form]] = {
    "standard": _Form(_write_standard, NoticeMessage()),
    "relay": _Form(_write_relay, RelayMessage()),
    "discord": _Form(_write_discord, DiscordMessage()),
    "slack": _Form(_write_slack, SlackMessage()),
    # What a bot is asked is written by `bot_requests`; only a test comes as a message.
    "move": _Form(_write_standard, NoticeMessage()),
}


def write_webhook(form: WebhookFormat, items: Sequence[Json], language: str, address: str) -> bytes:
    """Return the body of a webhook, at most 20 kB."""
    write, schema = _FORMS[form]
    body = orjson.dumps(schema.dump(write(items, language, address)))
    if len(body) > MOST_BYTES:
        raise ValueError(f"a webhook has at most {MOST_BYTES} bytes, this one {len(body)}")
    return body
