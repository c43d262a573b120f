"""What players prefer: a part of the registry, so no stream and no table knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from redis import Redis

from cartulary.events.server import keys

TAKEBACKS: Final = ("ask", "always", "misclick", "never")
"""What a player may want when another player asks for a takeback: to be asked each time, to agree
at once, to agree at once to the very last move within a few seconds, or not to be asked."""

COLOURS: Final = ("usual", "blue", "orange", "yellow", "pink", "black")
"""The colour in which a player wants to see the own pieces; `usual`: that of the seat. Events and
shapes know nothing of it: each client shows its own player the colours that this player wants."""

PREFERENCES: Final[Mapping[str, Sequence[str]]] = {"takebacks": TAKEBACKS, "colour": COLOURS}
"""The preferences with their values, the default first."""

_FIELD: Final = "prefs"


class Preferences:
    """The preferences of all players. Thread-safe."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def of(self, player_id: str) -> dict[str, str]:
        """Return all preferences of a player, with the default where the player has set none."""
        return self.of_many([player_id])[0]

    def of_many(self, player_ids: Sequence[str]) -> list[dict[str, str]]:
        """Return all preferences of several players, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for player_id in player_ids:
            pipe.hget(keys.player(player_id), _FIELD)
        return [_complete(stored) for stored in pipe.execute()]

    def change(self, player_id: str, chosen: Mapping[str, str]) -> None:
        """Set some preferences of a player; the others stay."""
        stored: Any = orjson.dumps({**self.of(player_id), **chosen})
        self._redis.hset(keys.player(player_id), _FIELD, stored)


def _complete(stored: bytes | None) -> dict[str, str]:
    chosen = orjson.loads(stored) if stored else {}
    return {name: chosen.get(name, values[0]) for name, values in PREFERENCES.items()}
