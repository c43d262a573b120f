"""Which names a player may choose here: those of `events.naming`, and no name of an operator."""

from __future__ import annotations

import secrets
from typing import Any, Final

from redis import Redis

from cartulary.events.naming.lookalikes import make_skeleton
from cartulary.events.naming.naming import BadName, prepare_name
from cartulary.events.order.operators import Operators
from cartulary.events.people.players import PlayerRegistry
from cartulary.events.server import keys

_TAKEN_AWAY: Final = "taken_away"
"""The field of a player with the skeletons of names that operators have taken away."""


class NameRules:
    """The rules for new names. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, players: PlayerRegistry, operators: Operators) -> None:
        self._redis, self._players, self._operators = redis, players, operators

    def prepare(self, text: str, player_id: str = "") -> str:
        """Return a name as it is stored, for a new player or for the player with this id.

        A name that the player has now stays allowed, whatever the rules are. Raises `BadName`.
        """
        if player_id and text.strip(" ") in self._players.name_all([player_id]):
            return text.strip(" ")
        name = prepare_name(text)
        skeleton = make_skeleton(name)
        if skeleton in self._list_skeletons(player_id):
            raise BadName("name_operator", "looks like the name of an operator")
        if player_id and skeleton in self._read_taken_away(player_id):
            raise BadName("name_taken_away", "the operators have taken this name away")
        return name

    def _list_skeletons(self, player_id: str) -> set[str]:
        """Return what the names of operators look like, but for one of the player's own."""
        names = self._operators.list_all()
        return {make_skeleton(name) for one, name in names.items() if one != player_id} - {""}

    def take_away(self, player_id: str, name: str) -> None:
        """Let a player never choose this name again, nor one that looks like it."""
        skeletons = {*self._read_taken_away(player_id), make_skeleton(name)} - {""}
        self._redis.hset(keys.player(player_id), _TAKEN_AWAY, "\n".join(sorted(skeletons)))

    def _read_taken_away(self, player_id: str) -> list[str]:
        stored: Any = self._redis.hget(keys.player(player_id), _TAKEN_AWAY)
        return stored.decode().split("\n") if stored else []


def make_neutral_name() -> str:
    """Return a name that says nothing: a player renamed without a name of the operator's choice."""
    return f"Player {secrets.randbelow(9000) + 1000}"
