"""What the operators tell players: items of the inbox, of the type `security`.

They are for the inbox alone. Push messages, webhooks and e-mails of this type speak of a sign-in.
"""

from __future__ import annotations

from typing import Any, Literal

from redis import Redis

from cartulary.events.lists.inbox import Inbox, make_item
from cartulary.events.order.log import LogEntry
from cartulary.events.server import keys

What = Literal[
    "muted",
    "unmuted",
    "suspended",
    "unsuspended",
    "renamed",
    "report_answered",
    "study_hidden",
    "study_shown",
]
"""`by` of such an item is `operators`, `what` is one of these."""


class Telling:
    """Puts the decisions of operators into inboxes. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis, inbox: Inbox) -> None:
        self._redis, self._inbox = redis, inbox

    def tell(self, player_id: str, what: What, entry: LogEntry, text: str, **more: Any) -> None:
        """Tell a player of a decision, which has its line in the log; `text` is for the player.

        A guest who has merged meanwhile reads it in the account; a deleted account reads nothing.
        """
        found: Any = self._redis.hmget(keys.player(player_id), "name", "merged_into")
        name, merged_into = found
        if merged_into is not None:
            self.tell(merged_into.decode(), what, entry, text, **more)
        if name is None or merged_into is not None:
            return
        data = {"by": "operators", "what": what, "text": text, **more}
        item = make_item(f"order-{entry.id}", "security", player_id, entry.at, data)
        self._inbox.add(player_id, [item], outside=False)
