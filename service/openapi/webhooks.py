"""The `webhooks` of the description: what the service sends to programs, and what they answer.

The bodies are the schemas by which the notifier writes them (`events.notices.payloads`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from apispec import APISpec
from marshmallow import Schema

from cartulary.events.notices.payloads import (
    AnsweredMove,
    DiscordMessage,
    NoticeMessage,
    RelayMessage,
    SlackMessage,
    WantedMove,
)
from cartulary.events.notices.rows import FORMATS, SIGNED, WebhookFormat
from cartulary.service.openapi import webhook_examples
from cartulary.service.openapi.forms.schema_walk import reference

Json = dict[str, Any]

_HEADERS: Final = {
    "webhook-id": "The id of the message. A repeated message has the id of before.",
    "webhook-timestamp": "When it was sent, in seconds since 1970: refuse what is old.",
    "webhook-signature": "Signatures of `id.timestamp.body`, with blanks between them: `v1a,` and "
    "ed25519, or `v1,` and HMAC with SHA-256, in base64. One of them has to fit.",
}
_TAKEN: Final = "The message was taken. The body of the answer is not read."
_GONE: Final = "The webhook is switched off."


class _Sent(NamedTuple):
    """What is sent to the webhooks of a format."""

    name: str
    body: type[Schema]
    summary: str
    description: str


_SENT: Final[dict[WebhookFormat, _Sent]] = {
    "standard": _Sent(
        "take_notice",
        NoticeMessage,
        "A notice",
        "To webhooks of the format `standard`, as Standard Webhooks says. Answer 2xx within 15 s; "
        "else the message comes again.",
    ),
    "relay": _Sent(
        "take_relayed_notice",
        RelayMessage,
        "A notice for a relay to FCM or APNs",
        "To webhooks of the format `relay`. Answer 2xx within 15 s; else the message comes again.",
    ),
    "discord": _Sent(
        "take_discord_message",
        DiscordMessage,
        "A notice for Discord",
        "To webhooks of the format `discord`; it is not signed.",
    ),
    "slack": _Sent(
        "take_slack_message",
        SlackMessage,
        "A notice for Slack",
        "To webhooks of the format `slack`; it is not signed.",
    ),
    "move": _Sent(
        "answer_move",
        WantedMove,
        "A bot is asked for its move",
        "To the webhook of a bot of the format `move`, for each decision. Answer within 10 s with "
        "a move: it is made with `webhook-id` as its key, and with the `version` that was sent. "
        "Without an answer, or with a move that is not legal, the question comes again after 5 s "
        "and after another 15 s; then a stand-in plays (`bot_failed`). `POST …/test` sends a "
        "`NoticeMessage` of type `test` to such a webhook.",
    ),
}


def describe_webhooks(spec: APISpec) -> Json:
    """Add the bodies of webhooks to the components; return the webhooks by format."""
    schemas: list[type[Schema]] = [*(sent.body for sent in _SENT.values()), AnsweredMove]
    for schema in schemas:
        if schema.__name__ not in spec.components.schemas:
            spec.components.schema(schema.__name__, schema=schema)
    return {form: {"post": _describe(form, _SENT[form])} for form in FORMATS}


def _describe(form: WebhookFormat, sent: _Sent) -> Json:
    return {
        "operationId": sent.name,
        "tags": ["bots" if form == "move" else "players"],
        "summary": sent.summary,
        "description": sent.description,
        "parameters": [*_list_headers()] if form in SIGNED else [],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": reference(sent.body.__name__),
                    "examples": webhook_examples.SENT[form],
                }
            },
        },
        "responses": _ANSWERS_TO_MOVES if form == "move" else _ANSWERS,
        "security": [],
    }


def _list_headers() -> list[Json]:
    return [
        {
            "in": "header",
            "name": name,
            "required": True,
            "description": text,
            "schema": {"type": "string"},
        }
        for name, text in _HEADERS.items()
    ]


_ANSWERS: Final[Json] = {"2XX": {"description": _TAKEN}, "410": {"description": _GONE}}
_ANSWERS_TO_MOVES: Final[Json] = {
    "200": {
        "description": "The move of the bot.",
        "content": {
            "application/json": {
                "schema": reference(AnsweredMove.__name__),
                "examples": webhook_examples.ANSWERED,
            }
        },
    },
    "202": {
        "description": "The bot makes its move with its token, `POST /api/v1/games/{game_id}/moves`"
        ", best with `webhook-id` as its key. The usual times hold."
    },
    "410": {"description": f"{_GONE} A stand-in plays."},
}
