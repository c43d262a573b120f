"""What is counted for a player, in words: the table behind `quota_exceeded`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OF_QUOTAS: Final[Mapping[str, str]] = {
    "open": "games that wait for players",
    "running": "games that run",
    "bots": "running games of bots only",
    "imports": "imports in an hour",
    "seats": "running games in which a player holds a seat",
    "analyses": "analyses in a day",
    "blocks": "blocked players",
    "follows": "followed players",
    "seeks": "open seeks",
    "reports": "open reports",
    "tokens": "tokens",
    "passkeys": "passkeys",
    "own_bots": "bots",
    "tournaments": "tournaments that have not ended",
    "studies": "studies",
    "local_games": "local games",
    "push_subscriptions": "browsers that get notices",
    "webhooks": "webhooks",
    "emails": "e-mails that ask an address in a day",
}
"""The name of a quota leads to what it counts, in the plural."""
