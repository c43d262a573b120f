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
from cartulary.events.model.errors import Invalid, NotFound, QuotaExceeded
from cartulary.events.model.names import fault_of_line
from cartulary.events.model.types import Json, format_time
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.server import keys

KINDS: Final = ("message", "player", "game")
"""What may be reported."""

LONGEST_REASON: Final = 64
LONGEST_TEXT: Final = 2000
"""Characters of the reason, and of the explanation."""

MOST_OPEN: Final = 20
"""So many reports of one player may wait for an answer."""


class Complaint(NamedTuple):
    """A report of a player.

    `subject` is a copy of the message, the player by id and name, or the id of the game.
    `closed_at` is None while the report is open. An operator closes it with an `answer`, which the
    player reads who has reported, and a `note`, which only operators read.
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
    answer: str = ""

    @property
    def about(self) -> Mapping[str, str] | None:
        """Return the player whom the report is about, by id and name; None for a game."""
        if self.kind == "message":
            author: Mapping[str, str] | None = self.subject["player"]
            return author
        return self.subject if self.kind == "player" else None

    @property
    def game_id(self) -> str | None:
        """Return the game that the report is about, or in which the message was written."""
        if self.kind == "game":
            return str(self.subject)
        return str(self.subject["game"]) if self.kind == "message" else None


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

        What the player has reported already, and no operator has answered, is reported once: the
        report of before is returned. Raises `NotFound` for what does not exist, or what the player
        may not see; `Invalid` for a report of oneself; `QuotaExceeded`.
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
        if made.about is not None and made.about["id"] == player.id:
            raise Invalid([(f"/{kind}", "is you, or of you: report what others do")])
        known = self._enter(made)
        if known is None:
            self._keep(made)
        return known or made

    def _enter(self, made: Complaint) -> Complaint | None:
        """Note an open report of its player, or return the one of before; raises `QuotaExceeded`.

        One whose process was killed before it was kept is replaced.
        """
        key, field = keys.open_complaints(made.by["id"]), _name_subject(made)
        pipe = self._redis.pipeline(transaction=True)
        pipe.hsetnx(key, field, made.id)
        pipe.hget(key, field)
        pipe.hlen(key)
        added, report_id, used = pipe.execute()
        if added and used > MOST_OPEN:
            self._redis.hdel(key, field)
            raise QuotaExceeded("reports", MOST_OPEN, MOST_OPEN, 0, None)
        known = None if added else self.find(report_id.decode())
        if not added and known is None:
            self._redis.hset(key, field, made.id)
        return known

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

    def close(self, complaint: Complaint, note: str = "", answer: str = "") -> Complaint:
        """Close a report, with what the operator has to say about it; again: in its place."""
        at = format_time(self._clock.now_ms())
        closed = complaint._replace(closed_at=at, note=note, answer=answer)
        self._keep(closed)
        self._redis.hdel(keys.open_complaints(complaint.by["id"]), _name_subject(complaint))
        return closed


def _name_subject(complaint: Complaint) -> str:
    """Return the field of `open_complaints` for what a report is about."""
    subject = complaint.subject
    return f"{complaint.kind} {subject if complaint.kind == 'game' else subject['id']}"
