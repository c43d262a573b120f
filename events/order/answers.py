"""Answers: an operator closes a report, and the player who has reported reads why.

The context of a report is read when an operator looks: the messages around the one reported, as
the room has them then. The report keeps the copy of the message itself.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cartulary.events.chat.complaints import Complaint, Complaints
from cartulary.events.chat.messages import BEGIN, ChatMessage
from cartulary.events.chat.talk import KEPT, Talk
from cartulary.events.model.errors import Invalid, NotFound
from cartulary.events.order.log import LogEntry, OperatorLog
from cartulary.events.order.telling import Telling

AROUND: Final = 5
"""Messages before and after the one reported."""

LONGEST: Final = 1000
"""Characters of an answer, and of a note."""


class OperatorReply(NamedTuple):
    """What an operator says to a report: to the player who has reported, and to other operators.

    `by` is as in `LogEntry`.
    """

    by: str
    text: str = ""
    note: str = ""
    delete_message: bool = False


class Answers:
    """Reports as operators have them. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self, complaints: Complaints, talk: Talk, log: OperatorLog, telling: Telling
    ) -> None:
        self._complaints, self._talk = complaints, talk
        self._log, self._telling = log, telling

    def find(self, report_id: str) -> Complaint:
        """Return a report; raises `NotFound`."""
        found = self._complaints.find(report_id)
        if found is None:
            raise NotFound(f"there is no report {report_id}")
        return found

    def answer(self, report_id: str, reply: OperatorReply) -> Complaint:
        """Close a report, once more in place of before; the player learns of an answer with words.

        Raises `NotFound`, and `Invalid` when there is no message to delete: nothing changes then.
        """
        report = self.find(report_id)
        message = self._find_message(report) if reply.delete_message else None
        about = report.about or {"id": ""}
        entry = self._log.write(
            LogEntry("", "", reply.by, "answer", about["id"], report.id, reply.text)
        )
        if message is not None:
            self._talk.remove(message)
        closed = self._complaints.close(report, reply.note, reply.text)
        if reply.text:
            more = {} if report.game_id is None else {"game": report.game_id}
            self._telling.tell(report.by["id"], "report_answered", entry, reply.text, **more)
        return closed

    def _find_message(self, report: Complaint) -> ChatMessage:
        if report.kind != "message":
            detail = f"this report is about a {report.kind}, not about a message"
            raise Invalid([("/delete_message", detail)])
        found = self._talk.find(report.subject["game"], report.subject["id"])
        if found is None:
            raise Invalid([("/delete_message", "the room does not keep the message any more")])
        return found

    def read_around(self, report: Complaint) -> list[ChatMessage]:
        """Return the messages around the one reported, in its room; none for other reports."""
        if report.kind != "message":
            return []
        subject = report.subject
        entries = self._talk.read(subject["game"], BEGIN, 2 * KEPT, [subject["room"]])
        room = [entry.message for entry in entries]
        at = next((n for n, one in enumerate(room) if one.id == subject["id"]), None)
        return [] if at is None else room[max(0, at - AROUND) : at + AROUND + 1]
