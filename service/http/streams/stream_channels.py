"""Named events next to the events of a game: who may hear which channels."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from cartulary.events.chat.messages import CHANNEL
from cartulary.events.live.signals import Name
from cartulary.events.live.subscriptions import Wanted
from cartulary.events.model.clock import format_time
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.service.http.callers import require_player
from cartulary.service.http.shared.services import Services

_SIGNALS: dict[str, Name] = {"presence": "presence", "clock": "clock"}


def split_included(text: str) -> tuple[str, ...]:
    """Return the words of the parameter `include`, each once."""
    return tuple(dict.fromkeys(word for word in text.split(",") if word))


def choose_channels(table: Table, who: Player | None, included: Sequence[str]) -> Wanted:
    """Return the channels that a stream of a game listens to, and the names that it sends on.

    Raises `Problem` 401 `token_missing` when the inbox is asked for without a token.
    """
    if not included:
        return {}
    names = {_SIGNALS[word] for word in included if word in _SIGNALS}
    wanted: dict[str, frozenset[str]] = {}
    if names:
        wanted[keys.signals(table.id)] = frozenset(names)
    if "messages" in included:
        wanted[keys.signals(table.id, CHANNEL)] = frozenset({"message"})
    if "inbox" in included:
        wanted[keys.inbox_live(require_player(who).id)] = frozenset({"inbox"})
    return wanted


def take_snapshot(services: Services, player_id: str) -> tuple[str, bytes]:
    """Return what waits for a player, as an item of type `snapshot`, and the cursor after it.

    The cursor comes first: an item that is added in between is in the snapshot and comes again
    after it.
    """
    place = services.store.inbox.find_last(player_id)
    item = {
        "id": place,
        "type": "snapshot",
        "timestamp": format_time(services.store.clock.now_ms()),
        "data": services.store.turns.take_snapshot(player_id)._asdict(),
    }
    return place, orjson.dumps(item)
