"""Complaints: what players report to the operators.

A report of a message keeps a copy of the message, so that its author cannot delete the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis
from ulid import ULID

from cartulary.events.chat.messages import game_of_message
from cartulary.events.chat.talk import Talk
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import NotFound
from cartulary.events.model.names import fault_of_line
from cartulary.events.model.types import Json, format_time
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.server import keys

KINDS: Final = ("message", "player", "game")
"""What may be reported."""

LONGEST_REASON: Final = 64
LONGEST_TEXT: Final = 2000
"""Characters of the reason, and of the explanation."""


class Complaint(NamedTuple):
    """A report of a player.

    `subject` is a copy of the message, the player by id and name, or the id of the game.
    `closed_at` is None while the report is open; `note` is what the operator has written who has
    closed it.
    """

    id: str
    at: str
    by: Mapping[str, str]
    kind: str
    subject: Any
    reason: str
    text: str = ""
    closed_at: str | None = None
    note: str = ""


def fault_of_reason(text: str) -> str | None:
    """Return what is wrong with a reason, None when nothing is wrong."""
    return fault_of_line(text, LONGEST_REASON)


class Complaints:
    """The reports of all players. Thread-safe."""

    def __init__(
        self, redis: Redis, projector: Projector, players: PlayerRegistry, talk: Talk, clock: Clock
    ) -> None:
        self._redis, self._projector, self._clock = redis, projector, clock
        self._players, self._talk = players, talk

    def report(self, player: Player, kind: str, subject: str, reason: str, text: str) -> Complaint:
        """Keep a report about the message, player or game with the id `subject`.

        Raises `NotFound` for what does not exist, or what the player may not see.
        """
        made = Complaint(
            str(ULID()),
            format_time(self._clock.now_ms()),
            {"id": player.id, "name": player.name},
            kind,
            self._copy(player, kind, subject),
            reason,
            text,
        )
        self._keep(made)
        return made

    def _copy(self, player: Player, kind: str, subject: str) -> Any:
        if kind == "message":
            return self._copy_message(player, subject)
        if kind == "player":
            found = self._players.by_id(subject)
            if found is None:
                raise NotFound("there is no such player")
            return {"id": found.id, "name": found.name}
        return self._projector.visible(subject, player.id).id

    def _copy_message(self, player: Player, message_id: str) -> Json:
        game_id = game_of_message(message_id)
        if not game_id:
            raise NotFound("there is no such message")
        self._projector.visible(game_id, player.id)
        message = self._talk.find(game_id, message_id)
        if message is None:
            raise NotFound("there is no such message")
        return {**message.describe(), "game": game_id}

    def _keep(self, complaint: Complaint) -> None:
        stored: Any = orjson.dumps(complaint._asdict())
        self._redis.hset(keys.complaints(), complaint.id, stored)

    # -- for operators ----------------------------------------------------------------------------

    def all(self) -> list[Complaint]:
        """Return all reports, the oldest first."""
        found: Any = self._redis.hgetall(keys.complaints())
        return sorted(Complaint(**orjson.loads(stored)) for stored in found.values())

    def find(self, complaint_id: str) -> Complaint | None:
        """Return a report by its id, or None."""
        stored: Any = self._redis.hget(keys.complaints(), complaint_id)
        return None if stored is None else Complaint(**orjson.loads(stored))

    def close(self, complaint: Complaint, note: str = "") -> Complaint:
        """Close a report, with what the operator has to say about it."""
        closed = complaint._replace(closed_at=format_time(self._clock.now_ms()), note=note)
        self._keep(closed)
        return closed
