"""Order: bodies of requests, and answers."""

from __future__ import annotations

from typing import Any, get_args

from marshmallow import ValidationError, validate

from cartulary.events.chat.complaint_lists import OPEN, STATES
from cartulary.events.chat.complaints import KINDS
from cartulary.events.model import names
from cartulary.events.order.answers import LONGEST
from cartulary.events.order.orders import LONGEST_REASON, MOST_DAYS, Command
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Flag,
    Request,
    count,
    list_of,
    nullable,
    text,
    time,
    version,
    whole,
)
from cartulary.service.schemas.players import PlayerAnswer, PlayerName

UNTIL_TEXT = "Until when; null: for good."
CURSOR_TEXT = "`next_cursor` of the page before."


def _is_for_people(value: str) -> None:
    if any(not one.isprintable() and one not in "\n\t" for one in value):
        raise ValidationError("must not hold control characters")


def words(most: int, description: str, **kwargs: Any) -> fields.String:
    """Return a field for what an operator writes, of several lines perhaps."""
    return fields.String(
        validate=[validate.Length(max=most), _is_for_people], description=description, **kwargs
    )


class ReportQuery(Request):
    """Which reports."""

    status = fields.String(load_default=OPEN, validate=validate.OneOf(STATES))
    cursor = fields.String(load_default="", description=CURSOR_TEXT)


class LogQuery(Request):
    """Which lines of the log."""

    cursor = fields.String(load_default="", description=CURSOR_TEXT)


class OperatorPlayerQuery(Request):
    """Which players."""

    name = fields.String(
        load_default="",
        description="The id of a player, or how the name begins. Case and marks do not count.",
        metadata={"maxLength": names.LONGEST},
    )


class ReportReplyRequest(Request):
    """The answer to a report, which it closes."""

    answer = words(
        LONGEST, "What the player who has reported reads; empty: nothing.", load_default=""
    )
    note = words(LONGEST, "What the operators remember.", load_default="")
    delete_message = Flag(
        load_default=False,
        description="Whether the reported message is deleted; its stub stays.",
    )


class OrderRequest(Request):
    """A decision about a player."""

    command = fields.String(
        required=True,
        validate=validate.OneOf(get_args(Command)),
        description="`mute`: writes no messages; `suspend`: reads only, and leaves all games; "
        "`unmute`, `unsuspend`; `rename`; `close`: deletes the account for good.",
    )
    reason = words(
        LONGEST_REASON,
        "For the log; the player reads it in the inbox, unless the account is closed.",
        required=True,
    )
    days = whole(
        1,
        MOST_DAYS,
        load_default=None,
        description="With `mute` and `suspend`; missing: for good.",
    )
    name = fields.String(
        load_default=None, description="With `rename`; missing: a name that says nothing."
    )
    report = fields.String(load_default="", description="The report that has led to it.")


class LogLineAnswer(Answer):
    """A line of the log of the operators."""

    id = text()
    at = time()
    by = text("The name of the operator; `cli:<user>` for a command in a terminal.")
    command = text("What was ordered; `answer` for an answer to a report.")
    player = nullable(PlayerName, "The player whom it concerns; null: gone, or no player.")
    report = text("Id of the report that it is about; empty without a report.")
    tournament = text("Id of the tournament that it is about; empty without one.")
    study = text("Id of the study that it is about; empty without one.")
    reason = text("Why; of an answer its text.")
    until = text(UNTIL_TEXT, allow_none=True)
    names = fields.List(
        fields.String(), required=True, description="Of `rename`: the name before, the name since."
    )


class LogLineListAnswer(Answer):
    """A page of the log, the newest line first."""

    entries = list_of(LogLineAnswer, "The lines.")
    next_cursor = text(
        "The value of `cursor` for the next page; null: the last one.", allow_none=True
    )


class SentenceAnswer(Answer):
    """A decision about a player that is in force."""

    until = text(UNTIL_TEXT, allow_none=True, metadata={"format": "date-time"})
    reason = text("Why.")


class PlayerStandingAnswer(PlayerAnswer):
    """A player as operators see one."""

    claimed_at = text(
        "Since when the player has recovery codes; null: a guest.",
        allow_none=True,
        metadata={"format": "date-time"},
    )
    muted = nullable(SentenceAnswer, "Null: the player may write messages.")
    suspended = nullable(SentenceAnswer, "Null: the player may play.")
    operator = fields.Boolean(required=True, description="Whether the player is an operator.")
    reports = count("So many reports are about the player.", required=True)
    log = list_of(LogLineAnswer, "The newest lines of the log about the player.")


class PlayerStandingListAnswer(Answer):
    """The players that a search has found."""

    players = list_of(PlayerStandingAnswer, "The players, twenty at most.")


class OrderDoneAnswer(Answer):
    """What was ordered."""

    entry = fields.Nested(LogLineAnswer, required=True, description="The line of the log.")
    player = nullable(PlayerStandingAnswer, "The player since; null: the account is closed.")


class ReportedStudyAnswer(Answer):
    """A study as it was when it was reported."""

    id = text()
    title = text()
    version = version(required=True)
    player = fields.Nested(PlayerName, required=True, description="Its owner.")
    text = text("The beginning of its words: titles of chapters, texts, questions.")


class ReportSummaryAnswer(Answer):
    """A report of a player."""

    id = text()
    at = time()
    by = fields.Nested(PlayerName, required=True, description="Who has reported.")
    kind = text("What was reported.", validate=validate.OneOf(KINDS))
    about = nullable(PlayerName, "The player whom it is about; null: a game, or gone.")
    game = text("Id of the game; null: the report is about none.", allow_none=True)
    study = nullable(ReportedStudyAnswer, "The study; null: the report is about none.")
    message = text("The words of the message when it was reported, else null.", allow_none=True)
    reason = text("In a word, as the player has chosen it.")
    closed_at = text(
        "When an operator has closed it; null: it is open.",
        allow_none=True,
        metadata={"format": "date-time"},
    )
    answer = text("What the player who has reported reads; empty: nothing.")
    note = text("What the operators remember.")
    text = text("What the player has written.")


class ReportSummaryListAnswer(Answer):
    """A page of reports, the oldest first."""

    reports = list_of(ReportSummaryAnswer, "The reports.")
    next_cursor = text(
        "The value of `cursor` for the next page; null: the last one.", allow_none=True
    )


class ContextLineAnswer(Answer):
    """A message near the one reported."""

    id = text()
    at = time()
    player = nullable(PlayerName, "The author; null when the account is deleted.")
    message = text("The words, or the name of a phrase; null when it is deleted.", allow_none=True)


class ReportDetailsAnswer(ReportSummaryAnswer):
    """A report with what an operator needs for a decision."""

    context = list_of(ContextLineAnswer, "The messages around the one reported, in its room.")
    standing = nullable(PlayerStandingAnswer, "How the player stands whom it is about.")
