"""What follows from the answer of an endpoint. Pure."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Final, Literal, NamedTuple

from cartulary.events.notices.deliveries import find_pause_ms
from cartulary.events.notices.kinds import Channel
from cartulary.notices.egress import Reply
from cartulary.notices.mail.server import MailReply

MOST_PAUSE_MS: Final = 24 * 3600 * 1000

Course = Literal["sent", "again", "failed", "gone"]


class NextStep(NamedTuple):
    """What becomes of a delivery; `pause_ms` until the next attempt of one that goes on."""

    course: Course
    pause_ms: int = 0


def follow(
    channel: Channel, attempt: int, reply: Reply | None, now_ms: int, share: float
) -> NextStep:
    """Return what follows from an answer; None: there was none. `share` chooses the jitter."""
    if reply is not None:
        if reply.accepted:
            return NextStep("sent")
        if reply.status == 410 or (channel == "push" and reply.status == 404):
            return NextStep("gone")
        if channel == "push" and 400 <= reply.status < 500 and reply.status != 429:
            return NextStep("failed")
    pause = find_pause_ms(channel, attempt, share)
    if pause is None:
        return NextStep("failed")
    asked = None if reply is None else read_retry_after(reply.headers.get("retry-after"), now_ms)
    return NextStep("again", max(pause, asked or 0))


def follow_mail(attempt: int, reply: MailReply | None, share: float) -> NextStep:
    """Return what follows from the answer of the mail server, as `follow` does."""
    if reply is not None:
        if reply.accepted:
            return NextStep("sent")
        if reply.is_address_dead:
            return NextStep("gone")
        if reply.code >= 500:
            return NextStep("failed")
    pause = find_pause_ms("email", attempt, share)
    return NextStep("failed") if pause is None else NextStep("again", pause)


def read_retry_after(text: str | None, now_ms: int) -> int | None:
    """Return the pause in ms that a target asks for (RFC 9110, section 10.2.3), None without."""
    if not text:
        return None
    if text.isdecimal():
        return min(int(text[:9]) * 1000, MOST_PAUSE_MS)
    try:
        at = parsedate_to_datetime(text).timestamp() * 1000
    except (ValueError, OverflowError):
        return None
    return min(max(0, int(at) - now_ms), MOST_PAUSE_MS)
