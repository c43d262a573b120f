"""A delivery: a message to one endpoint, tried until it arrives, is out of date, or is given up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Self

import orjson

from cartulary.events.lists.inbox import Type
from cartulary.events.model.types import Json
from cartulary.events.notices.kinds import Channel
from cartulary.events.notices.waiting import NewEntry, WaitingEntry

WEBHOOK_PAUSES_S: Final[Sequence[int]] = (
    *(5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600),
)
"""The schedule of Standard Webhooks: the pauses after the first attempt."""

PUSH_PAUSES_S: Final[Sequence[int]] = (5, 60, 10 * 60, 60 * 60)
"""A push service that takes a message keeps it itself, so a few attempts are enough."""

EMAIL_PAUSES_S: Final[Sequence[int]] = (60, 10 * 60, 60 * 60, 4 * 3600, 12 * 3600)
"""Within a day: after that the next mail of the day says what still holds."""

PAUSES_S: Final[Mapping[Channel, Sequence[int]]] = {
    "webhook": WEBHOOK_PAUSES_S,
    "push": PUSH_PAUSES_S,
    "email": EMAIL_PAUSES_S,
}

JITTER: Final = 0.2
"""Pauses vary by this share, so that a target that comes back is not met by all at once."""


class Delivery(NamedTuple):
    """A message to one endpoint of a player.

    `items`: those of the inbox that it is about; several when one message tells of several games.
    `attempt` counts from 0; `created_at` in ms since the epoch. `forced`: the player has asked for
    it just now, so it is sent whatever has become of the turn.
    """

    id: str
    player: str
    channel: Channel
    endpoint: str
    items: list[Json]
    created_at: int
    attempt: int = 0
    forced: bool = False

    @classmethod
    def read(cls, entry: WaitingEntry) -> Self:
        """Return the delivery that waits as an entry."""
        return cls(*orjson.loads(entry.text))

    def text(self) -> bytes:
        """Return what the store keeps."""
        return orjson.dumps(list(self))

    @property
    def type(self) -> Type:
        """The type of what it tells; of the first item when there are several."""
        found: Type = self.items[0]["type"]
        return found

    def start(self, due: int) -> NewEntry:
        """Return the delivery as it begins to wait."""
        return NewEntry(self.id, due, self.text())


def find_pause_ms(channel: Channel, attempt: int, share: float) -> int | None:
    """Return the pause in ms after an attempt that failed, None: it was the last one.

    `share` (0 to 1) chooses within the jitter.
    """
    pauses = PAUSES_S[channel]
    if attempt >= len(pauses):
        return None
    return int(pauses[attempt] * 1000 * (1 - JITTER + 2 * JITTER * share))
