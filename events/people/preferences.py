"""What players prefer: a part of the registry, so no stream and no table knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from redis import Redis
from redis.client import Pipeline

from cartulary.events.server import keys

TAKEBACKS: Final = ("ask", "always", "misclick", "never")
"""What a player may want when another player asks for a takeback: to be asked each time, to agree
at once, to agree at once to the very last move within a few seconds, or not to be asked."""

COLOURS: Final = ("usual", "blue", "orange", "yellow", "pink", "black")
"""The colour in which a player wants to see the own pieces; `usual`: that of the seat. Events and
shapes know nothing of it: each client shows its own player the colours that this player wants."""

PUBLIC, HIDDEN = VISIBILITIES = ("public", "hidden")
"""Whether others find the player by name, in lists and statistics, and see when the player is here.
Who shares a table with a hidden player sees that player there like any other."""

NO, YES = OPEN_DATA = ("no", "yes")
"""Whether games of the player may be in the open data of the operator, with all other people of
these games."""

PREFERENCES: Final[Mapping[str, Sequence[str]]] = {
    "takebacks": TAKEBACKS,
    "colour": COLOURS,
    "visibility": VISIBILITIES,
    "open_data": OPEN_DATA,
}
"""The preferences with their values, the default first."""

_FIELD: Final = "prefs"
_ANSWERED: Final = "open_data_answered"
"""Stored with the preferences, of a player who has answered: a `no` may also be the default."""


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

    def find_hidden(self, player_ids: Sequence[str]) -> set[str]:
        """Return those of some players who hide, in one round trip."""
        found = zip(player_ids, self.of_many(player_ids), strict=True)
        return {player_id for player_id, chosen in found if chosen["visibility"] == HIDDEN}

    def has_answered(self, player_id: str) -> bool:
        """Return whether a player has ever said yes or no to open data."""
        known: Any = self._redis.hget(keys.player(player_id), _FIELD)
        return _has_answered(known)

    def change(self, player_id: str, chosen: Mapping[str, str]) -> None:
        """Set some preferences of a player; the others stay, also those that change meanwhile."""
        key = keys.player(player_id)

        def write(pipe: Pipeline) -> None:
            known: Any = pipe.hget(key, _FIELD)
            answered = "open_data" in chosen or _has_answered(known)
            said = {_ANSWERED: True} if answered else {}
            stored: Any = orjson.dumps({**_complete(known), **chosen, **said})
            pipe.multi()
            pipe.hset(key, _FIELD, stored)

        self._redis.transaction(write, key)


def is_hidden(stored: bytes | str | None) -> bool:
    """Return whether a player with these stored preferences hides."""
    return _complete(stored)["visibility"] == HIDDEN


def _has_answered(stored: bytes | str | None) -> bool:
    chosen = orjson.loads(stored) if stored else {}
    return _ANSWERED in chosen or chosen.get("open_data") == YES


def _complete(stored: bytes | str | None) -> dict[str, str]:
    chosen = orjson.loads(stored) if stored else {}
    return {name: chosen.get(name, values[0]) for name, values in PREFERENCES.items()}
