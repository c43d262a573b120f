"""Complaints: what players report to the operators.

A report of a message keeps a copy of the message, so that its author cannot delete the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis
from redis.client import Pipeline
from ulid import ULID

from cartulary.events.chat.complaint_lists import ALL, ComplaintLists, ListedComplaint
from cartulary.events.chat.messages import game_of_message
from cartulary.events.chat.talk import Talk
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import Invalid, NotFound, QuotaExceeded
from cartulary.events.model.names import fault_of_line
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.server import keys

KINDS: Final = ("message", "player", "game", "study")
"""What may be reported."""

LONGEST_REASON: Final = 64
LONGEST_TEXT: Final = 2000
"""Characters of the reason, and of the explanation."""

MOST_OPEN: Final = 20
"""The most reports of one player that may wait for an answer."""

PAGE: Final = 50
_AT_ONCE: Final = 500
_CURSOR: Final = re.compile(r"([0-9A-HJKMNP-TV-Z]{26})?", re.ASCII)


class Complaint(NamedTuple):
    """A report of a player.

    `subject` is a copy of the message, the player by id and name, the id of the game, or the study
    with its owner and the beginning of its words (`events.studies.evidence`).
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
        if self.kind in ("message", "study"):
            author: Mapping[str, str] | None = self.subject["player"]
            return author
        return self.subject if self.kind == "player" else None

    @property
    def listed(self) -> ListedComplaint:
        """What the lists of reports need of it."""
        about = "" if self.about is None else self.about["id"]
        return ListedComplaint(self.id, about, self.closed_at is None)

    @property
    def game_id(self) -> str | None:
        """Return the game that the report is about, or in which the message was written."""
        if self.kind == "game":
            return str(self.subject)
        return str(self.subject["game"]) if self.kind == "message" else None

    @property
    def study(self) -> Json | None:
        """Return what is kept of the study that the report is about."""
        return dict(self.subject) if self.kind == "study" else None


class ComplaintPage(NamedTuple):
    """Reports, the oldest first; `next_cursor` is None at the end."""

    complaints: list[Complaint]
    next_cursor: str | None


def fault_of_reason(text: str) -> str | None:
    """Return what is wrong with a reason, None when nothing is wrong."""
    return fault_of_line(text, LONGEST_REASON)


class Complaints:
    """The reports of all players. Thread-safe."""

    def __init__(
        self,
        redis: Redis,
        projector: Projector,
        players: PlayerRegistry,
        talk: Talk,
        copy_study: Callable[[str, str], Json],
        clock: Clock,
    ) -> None:
        """`copy_study` returns what is kept of a study that a player may read, by both ids."""
        self._redis, self._projector, self._clock = redis, projector, clock
        self._players, self._talk, self._copy_study = players, talk, copy_study
        self._lists = ComplaintLists(redis, lambda stored: _read(stored).listed)

    def report(self, player: Player, kind: str, subject: str, reason: str, text: str) -> Complaint:
        """Keep a report about what has the id `subject`.

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
        return self._enter(made)

    def _enter(self, made: Complaint) -> Complaint:
        """Keep a report, or return the open one of before; raises `QuotaExceeded`.

        In the place of a report that is missing or closed there may be a new one: a process of an
        older release was killed before it had kept the report, or after it had closed it.
        """
        key, field = keys.open_complaints(made.by["id"]), _name_subject(made)
        kept: list[Complaint] = []

        def enter(pipe: Pipeline) -> None:
            named: Any = pipe.hget(key, field)
            before = None if named is None else self.find(named.decode())
            if before is not None and before.closed_at is None:
                kept[:] = [before]
                pipe.multi()
                return
            used: Any = pipe.hlen(key)
            if named is None and used >= MOST_OPEN:
                raise QuotaExceeded("reports", MOST_OPEN, MOST_OPEN, 0, None)
            kept[:] = [made]
            pipe.multi()
            pipe.hset(key, field, made.id)
            self._keep(pipe, made)

        self._redis.transaction(enter, key)
        return kept[0]

    def _copy(self, player: Player, kind: str, subject: str) -> Any:
        if kind == "message":
            return self._copy_message(player, subject)
        if kind == "study":
            return self._copy_study(subject, player.id)
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

    def _keep(self, pipe: Pipeline, complaint: Complaint) -> None:
        stored: Any = orjson.dumps(complaint._asdict())
        pipe.hset(keys.complaints(), complaint.id, stored)
        self._lists.enter(pipe, complaint.listed)

    # -- for operators ----------------------------------------------------------------------------

    @staticmethod
    def is_cursor(text: str) -> bool:
        """Return whether a text is a cursor of a list: the id of a report, or ""."""
        return _CURSOR.fullmatch(text) is not None

    def read_page(self, state: str = ALL, cursor: str = "", limit: int = PAGE) -> ComplaintPage:
        """Return reports in a state of `STATES` after a cursor; without it the oldest.

        A report that another operator closes meanwhile is in no page of those that are open.
        """
        ids = self._lists.read(state, cursor, limit + 1)
        shown = ids[:limit]
        found: Any = self._redis.hmget(keys.complaints(), shown) if shown else []
        read = [_read(stored) for stored in found if stored is not None]
        return ComplaintPage(read, shown[-1] if len(ids) > limit else None)

    def walk(self, state: str = ALL) -> Iterator[Complaint]:
        """Yield all reports in a state of `STATES`, the oldest first."""
        cursor: str | None = ""
        while cursor is not None:
            page = self.read_page(state, cursor, _AT_ONCE)
            yield from page.complaints
            cursor = page.next_cursor

    def count_about(self, player_id: str) -> int:
        """Return how many reports there are about a player, open or not."""
        return self._lists.count_about(player_id)

    def find(self, complaint_id: str) -> Complaint | None:
        """Return a report by its id, or None."""
        stored: Any = self._redis.hget(keys.complaints(), complaint_id)
        return None if stored is None else _read(stored)

    def close(self, complaint: Complaint, note: str = "", answer: str = "") -> Complaint:
        """Close a report, with what the operator has to say about it; again: in its place."""
        at = format_time(self._clock.now_ms())
        closed = complaint._replace(closed_at=at, note=note, answer=answer)
        key, field = keys.open_complaints(complaint.by["id"]), _name_subject(complaint)

        def close(pipe: Pipeline) -> None:
            named: Any = pipe.hget(key, field)
            pipe.multi()
            self._keep(pipe, closed)
            if named == complaint.id.encode():  # else a later report of the same is open
                pipe.hdel(key, field)

        self._redis.transaction(close, key)
        return closed


def _read(stored: bytes) -> Complaint:
    return Complaint(**orjson.loads(stored))


def _name_subject(complaint: Complaint) -> str:
    """Return the field of `open_complaints` for what a report is about."""
    subject = complaint.subject
    return f"{complaint.kind} {subject if complaint.kind == 'game' else subject['id']}"
