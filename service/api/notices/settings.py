"""What the caller is notified of, through which channel, when not; and what became of it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.notices.kinds import CHANNELS, MOST_DELAY_S, TYPES
from cartulary.events.notices.log import OUTCOMES
from cartulary.events.notices.settings import InvalidSettings, NoticeSettings
from cartulary.events.people.players import Player
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, nullable, text, time, whole

blueprint = Blueprint("notices", __name__)

_DELAY = "After how many seconds; 0: at once."
_CHANNEL = "null: not told through this channel."
_EMAIL = "As part of the e-mail of the day. null: not told through this channel."
_TIME = "A time of the day, 00:00 to 23:59, in the time zone of the player."


class NoticeDelayRequest(Request):
    """That a player is notified, after a delay."""

    delay = whole(0, MOST_DELAY_S, load_default=0, description=_DELAY)


class NoticeDelayAnswer(Answer):
    """That a player is notified, after a delay."""

    delay = whole(0, MOST_DELAY_S, required=True, description=_DELAY)


class NoticeChannelsRequest(Request):
    """Through which channels a player is notified; a channel that is missing keeps its default."""

    push = fields.Nested(NoticeDelayRequest, allow_none=True, description=_CHANNEL)
    webhook = fields.Nested(NoticeDelayRequest, allow_none=True, description=_CHANNEL)
    email = fields.Nested(NoticeDelayRequest, allow_none=True, description=_EMAIL)


class NoticeChannelsAnswer(Answer):
    """Through which channels a player is notified."""

    push = nullable(NoticeDelayAnswer, _CHANNEL)
    webhook = nullable(NoticeDelayAnswer, _CHANNEL)
    email = nullable(NoticeDelayAnswer, _EMAIL)


class QuietHoursRequest(Request):
    """Hours in which a player is notified nothing; they may span midnight."""

    begin = fields.String(required=True, data_key="from", description=_TIME)
    until = fields.String(required=True, description=_TIME)


class QuietHoursAnswer(Answer):
    """Hours in which a player is notified nothing."""

    begin = text(_TIME, data_key="from")
    until = text(_TIME)


_REMINDER = "The share of the time for a turn after which the player is reminded, null: never."
_DIGEST = (
    f"{_TIME} One message a day in place of single ones, null: single ones. E-mail comes once a "
    "day in any case, at 08:00 unless this says another time."
)
_ZONE = "A name of the IANA time zone database."
_QUIET = "null: no quiet hours."


class _Types:
    """One field for each type of notice."""

    @staticmethod
    def make(schema: type[Request] | type[Answer], **kwargs: Any) -> dict[str, Any]:
        return {
            kind: fields.Nested(schema, description=f"Notices of the type `{kind}`.", **kwargs)
            for kind in TYPES
        }


class NotificationsRequest(Request.from_dict(_Types.make(NoticeChannelsRequest))):  # type: ignore[misc]
    """What the caller wants to be notified of; what is missing takes its default."""

    reminder = fields.Float(allow_none=True, description=_REMINDER)
    digest = fields.String(allow_none=True, description=_DIGEST)
    quiet = fields.Nested(QuietHoursRequest, allow_none=True, description=_QUIET)
    timezone = fields.String(description=_ZONE)


class NotificationsAnswer(Answer.from_dict(_Types.make(NoticeChannelsAnswer, required=True))):  # type: ignore[misc]
    """What the caller is notified of, the defaults filled in."""

    reminder = fields.Float(required=True, allow_none=True, description=_REMINDER)
    digest = text(_DIGEST, allow_none=True)
    quiet = nullable(QuietHoursAnswer, _QUIET)
    timezone = text(_ZONE)


class NoticeLineAnswer(Answer):
    """What became of one notice."""

    id = text("The id of the delivery, or of the item of the inbox that led to none.")
    at = time()
    outcome = fields.String(
        required=True,
        validate=validate.OneOf(OUTCOMES),
        description="`sent`; `retrying`, `failed`, `gone`, `refused`: what the endpoint did; "
        "`taken`, `looking`, `quiet`, `digest`, `joined`: why it was not sent at that moment.",
    )
    channel = fields.String(
        required=True, validate=validate.OneOf(CHANNELS), description="Push, webhook or e-mail."
    )
    type = text("The type of the item, `test`, or `email_confirmation`.")
    data = fields.Raw(required=True, metadata={"type": "object", "description": "As in the inbox."})
    status = whole(
        100,
        599,
        required=True,
        allow_none=True,
        description="The answer in HTTP or SMTP, null: none.",
    )
    attempt = whole(0, required=True, description="Attempts before this one.")
    next_at = text(
        "When it is tried or judged again, null: not again.",
        allow_none=True,
        metadata={"format": "date-time"},
    )
    error = text("Why it was not sent, null without a reason.", allow_none=True)


class NoticeLogAnswer(Answer):
    """What became of the last notices, at most 50, the newest first."""

    notices = list_of(NoticeLineAnswer)


@blueprint.get("/players/me/notifications")
@operation(
    "players",
    "What one is notified of",
    {200: AnswerOf("The settings.", NotificationsAnswer)},
    scope="account",
)
def show_notifications(services: Services, who: Player) -> Response:
    """All types and channels, the defaults filled in."""
    return answer_json(services.store.notices.read_settings(who.id).describe(), headers=SECRET)


@blueprint.put("/players/me/notifications")
@operation(
    "players",
    "Choose what one is notified of",
    {200: AnswerOf("The settings as they are now.", NotificationsAnswer)},
    body=NotificationsRequest,
    limit="accounts",
)
def change_notifications(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """For a player who is not looking: after `delay` seconds the service looks again.

    A turn that was taken, a game that the player has open, and quiet hours mean: no message.
    """
    try:
        chosen = NoticeSettings.read(_rename(body))
    except InvalidSettings as error:
        raise invalid(error.pointer, str(error)) from error
    services.store.notices.write_settings(who.id, chosen)
    mark_stored(request.environ)
    return answer_json(chosen.describe(), headers=SECRET)


def _rename(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body with the names of HTTP: `from` is no name in Python."""
    if body.get("quiet") is None:
        return body
    return {**body, "quiet": {"from": body["quiet"]["begin"], "until": body["quiet"]["until"]}}


@blueprint.get("/players/me/notices")
@operation(
    "players",
    "What became of one's notices",
    {200: AnswerOf("The last notices.", NoticeLogAnswer)},
    scope="account",
)
def list_notices(services: Services, who: Player) -> Response:
    """What was sent, and why something was not."""
    found = [line.describe() for line in services.store.notice_log.read(who.id)]
    return answer_json({"notices": found}, headers=SECRET)
