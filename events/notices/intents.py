"""An intent: that a player will be notified of an item through a channel. Pure."""

from __future__ import annotations

from typing import NamedTuple, Self, cast

import orjson

from cartulary.events.lists.inbox import Type
from cartulary.events.model.types import Json
from cartulary.events.notices.kinds import Channel
from cartulary.events.notices.waiting import WaitingEntry


def name_intent(player: str, channel: Channel, subject: str, kind: Type) -> str:
    """Return the name under which an intent waits; `add_items.lua` makes the same."""
    return f"{player} {channel} {subject} {kind}"


class NoticeIntent(NamedTuple):
    """A player is to be notified of the `item` (JSON of the inbox) through a channel."""

    player: str
    channel: Channel
    subject: str
    type: Type
    item: Json

    @classmethod
    def read(cls, entry: WaitingEntry) -> Self:
        """Return the intent that an entry is; the script `add_items.lua` has written it."""
        player, channel, subject, kind = entry.name.split(" ")
        item = orjson.loads(entry.text)
        return cls(player, cast(Channel, channel), subject, cast(Type, kind), item)

    @property
    def game(self) -> str | None:
        """The game that the item is about, None for an item about something else."""
        found = self.item["data"].get("game")
        return None if found is None else str(found)

    @property
    def version(self) -> int:
        """The version of the game at which the item arose, 0 for an item of no game."""
        return int(self.item["data"].get("version", 0))
