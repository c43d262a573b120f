"""The examples of `openapi.yaml` for notices, by operation; `examples` holds all others."""

from __future__ import annotations

from typing import Any

_DELAYS: dict[str, tuple[int | None, int, int | None]] = {
    "your_turn": (60, 0, 0),
    "turn_reminder": (0, 0, None),
    "timed_out": (0, 0, None),
    "game_started": (30, 0, None),
    "game_over": (60, 0, None),
    "game_aborted": (60, 0, None),
    "seat_offered": (0, 0, 0),
    "seat_requested": (0, 0, None),
    "seat_vacant": (None, 0, None),
    "proposal_made": (15, 0, None),
    "proposal_closed": (None, 0, None),
    "moves_taken_back": (None, 0, None),
    "rematch_opened": (0, 0, None),
    "message_mention": (30, 0, None),
    "seek_matched": (0, 0, None),
    "tournament_starts": (0, 0, None),
    "table_ready": (0, 0, None),
    "round_closed": (60, 0, None),
    "tournament_over": (60, 0, None),
    "times_proposed": (60, 0, None),
    "study_invited": (60, 0, None),
    "mistake_returned": (None, 0, None),
    "bot_failed": (None, 0, None),
    "webhook_disabled": (None, 0, None),
    "email_disabled": (None, 0, None),
    "security": (0, 0, None),
}
"""After how many seconds a player is notified by push, webhook and e-mail, None: not."""

_CHANGED = {
    "your_turn": {"push": {"delay": 120}, "webhook": {"delay": 0}, "email": {"delay": 0}},
    "game_over": {"push": None, "webhook": {"delay": 0}, "email": {"delay": 0}},
    "quiet": {"from": "22:00", "until": "07:00"},
    "timezone": "Europe/Zagreb",
}
_SETTINGS = {
    **{
        kind: {
            "push": None if push is None else {"delay": push},
            "webhook": {"delay": webhook},
            "email": None if email is None else {"delay": email},
        }
        for kind, (push, webhook, email) in _DELAYS.items()
    },
    "reminder": 0.8,
    "digest": None,
    "quiet": {"from": "22:00", "until": "07:00"},
    "timezone": "Europe/Zagreb",
}
_P256DH = "BJova_iDgxiCpMrzIBk6TclYrfip17jNxojrzgRuW6TRdLugyWyweJ2Tk44hyR67W98ER17u3ZCGD34k7Z5racM"
_BROWSER = {
    "id": "0d6c5b1e94f2a738",
    "label": "Phone",
    "origin": "https://93.184.216.34",
    "created_at": "2026-11-20T10:00:00.000Z",
}
_PUBLIC = "whpk_4V2PhDvQL19lhU/y8tHjp9YMUU8qSRNQZ6qbDfWr9zY="
_SECRET = "whsec_LBAkTfpjSktOMlUzdruwzAnNNkyr09LYKuKo1qztw0U="
# An address in digits, so that registering the example needs no name server.
_URL = "https://93.184.216.34:8443/cartulary"
_WEBHOOK = {
    "id": "7be2019c4d5f6a83",
    "url": _URL,
    "types": ["your_turn", "game_over"],
    "format": "standard",
    "public_keys": [_PUBLIC],
    "off": None,
    "failing_since": None,
    "created_at": "2026-11-20T10:00:00.000Z",
}
_WITH_HMAC = {**_WEBHOOK, "public_keys": []}
_LINE = {
    "id": "test:5f0c2b7d91ae4468",
    "at": "2026-11-20T10:05:00.000Z",
    "outcome": "retrying",
    "channel": "webhook",
    "type": "test",
    "data": {"url": "/", "title": ""},
    "status": 503,
    "attempt": 0,
    "next_at": "2026-11-20T10:05:05.000Z",
    "error": None,
}

_ADDRESS = {
    "offered": True,
    "state": "unconfirmed",
    "address": "ada@example.org",
    "off": None,
    "created_at": "2026-11-20T10:00:00.000Z",
}

REQUESTS: dict[str, dict[str, Any]] = {
    "change_notifications": {"some": _CHANGED},
    "add_push_subscription": {
        "phone": {
            "endpoint": "https://93.184.216.34/push/dGhpcyBicm93c2Vy",
            "keys": {"p256dh": _P256DH, "auth": "xhi9nir_OYhD0zmyu7CEnA"},
            "expirationTime": None,
            "label": "Phone",
        }
    },
    "change_email": {"one": {"address": "ada@example.org"}},
    "add_webhook": {
        "standard": {"url": _URL, "types": ["your_turn", "game_over"]},
        "hmac": {"url": _URL, "types": ["your_turn", "game_over"], "signature": "v1"},
        "discord": {"url": _URL, "types": ["game_over"], "format": "discord"},
    },
    "change_webhook": {"types": {"types": ["your_turn"]}, "on": {"on": True}},
    "rotate_webhook_secret": {"as_before": {}, "hmac": {"signature": "v1"}},
}

ANSWERS: dict[str, dict[str, Any]] = {
    "show_notifications": {"night": _SETTINGS},
    "change_notifications": {"night": _SETTINGS},
    "list_notices": {"one": {"notices": [_LINE]}},
    "show_push_key": {"key": {"key": _P256DH}},
    "list_push_subscriptions": {"one": {"push_subscriptions": [_BROWSER]}},
    "add_push_subscription": {"phone": _BROWSER},
    "show_email": {"unconfirmed": _ADDRESS},
    "change_email": {"asked": _ADDRESS},
    "list_webhooks": {"two": {"webhooks": [_WEBHOOK, _WITH_HMAC]}},
    "add_webhook": {
        "standard": {**_WEBHOOK, "secret": None},
        "hmac": {**_WITH_HMAC, "secret": _SECRET},
    },
    "change_webhook": {"on": _WEBHOOK},
    "rotate_webhook_secret": {
        "key": {"secret": None, "public_key": _PUBLIC},
        "hmac": {"secret": _SECRET, "public_key": None},
    },
    "list_deliveries": {"one": {"deliveries": [_LINE]}},
}
