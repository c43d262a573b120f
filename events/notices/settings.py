"""What a player has chosen about notices, and when the player wants quiet. Pure."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

from cartulary.events.lists.inbox import Type
from cartulary.events.notices.kinds import (
    CHANNELS,
    EMAIL_DELAYS_S,
    EMAIL_DIGEST,
    MOST_DELAY_S,
    PUSH_DELAYS_S,
    TYPES,
    Channel,
)

REMINDER: Final = 0.8
"""The share of the time for a turn after which the player is reminded."""

_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)

_TIMEZONE: Final = "must be a name like Europe/Zagreb"

Delays = Mapping[Type, Mapping[Channel, int | None]]
"""Type and channel lead to a delay in seconds, or to None: not told."""


class InvalidSettings(ValueError):
    """A setting cannot be what was sent; `pointer` says which (RFC 6901)."""

    def __init__(self, pointer: str, text: str) -> None:
        super().__init__(text)
        self.pointer = pointer


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From when until when, local time, a player is notified nothing; it may span midnight."""

    begin: datetime.time
    end: datetime.time

    def find_end(self, local: datetime.datetime) -> datetime.datetime | None:
        """Return when the quiet hours that hold at a local time end, None outside of them."""
        now = local.time()
        if self.begin <= self.end:
            inside, days = self.begin <= now < self.end, 0
        else:
            inside, days = now >= self.begin or now < self.end, int(now >= self.begin)
        if not inside:
            return None
        day = local.date() + datetime.timedelta(days=days)
        return datetime.datetime.combine(day, self.end, local.tzinfo)


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    """The settings of one player; `digest` is the local time of one message a day in their place.

    `delays` has what the player has changed; for all else the defaults hold. `reminder` is the
    share of the time for a turn after which the player is reminded, None: never.
    """

    delays: Delays = field(default_factory=dict)
    reminder: float | None = REMINDER
    digest: datetime.time | None = None
    quiet: QuietHours | None = None
    timezone: str = "UTC"

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Self:
        """Read settings as HTTP and the store have them. Raises `InvalidSettings`."""
        known = {*TYPES, "reminder", "digest", "quiet", "timezone"}
        for name in body:
            if name not in known:
                raise InvalidSettings(f"/{name}", "is no type of notice and no setting")
        return cls(
            {kind: _read_delays(kind, body[kind]) for kind in TYPES if kind in body},
            _read_reminder(body.get("reminder", REMINDER)),
            _read_time("/digest", body.get("digest")),
            _read_quiet(body.get("quiet")),
            _read_timezone(body.get("timezone", "UTC")),
        )

    def describe(self) -> dict[str, Any]:
        """Return all settings, the defaults filled in, as `read` reads them."""
        found: dict[str, Any] = {
            kind: {
                channel: None if delay is None else {"delay": delay}
                for channel in CHANNELS
                for delay in [self.find_delay(kind, channel)]
            }
            for kind in TYPES
        }
        quiet = self.quiet
        return found | {
            "reminder": self.reminder,
            "digest": None if self.digest is None else f"{self.digest:%H:%M}",
            "quiet": quiet and {"from": f"{quiet.begin:%H:%M}", "until": f"{quiet.end:%H:%M}"},
            "timezone": self.timezone,
        }

    def find_delay(self, kind: Type, channel: Channel) -> int | None:
        """Return after how many seconds a type is notified through a channel, None: never.

        A webhook names its types itself, so by default it is notified of all of them at once.
        """
        chosen = self.delays.get(kind, {})
        if channel in chosen:
            return chosen[channel]
        if channel == "webhook":
            return 0
        return (EMAIL_DELAYS_S if channel == "email" else PUSH_DELAYS_S).get(kind)

    def find_quiet_end(self, now_ms: int) -> int | None:
        """Return when the quiet hours that hold now end (ms since the epoch), None outside."""
        if self.quiet is None:
            return None
        end = self.quiet.find_end(self._localise(now_ms))
        return None if end is None else int(end.timestamp() * 1000)

    def find_digest(self, now_ms: int, channel: Channel) -> int | None:
        """Return when the next message of the day is due (ms since the epoch), None without.

        E-mail knows no single messages.
        """
        at = self.digest or (EMAIL_DIGEST if channel == "email" else None)
        if at is None:
            return None
        local = self._localise(now_ms)
        due = datetime.datetime.combine(local.date(), at, local.tzinfo)
        if due <= local:
            day = local.date() + datetime.timedelta(days=1)
            due = datetime.datetime.combine(day, at, local.tzinfo)
        return int(due.timestamp() * 1000)

    def _localise(self, now_ms: int) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(now_ms / 1000, ZoneInfo(self.timezone))


def _read_delays(kind: Type, found: Any) -> dict[Channel, int | None]:
    if not isinstance(found, Mapping):
        raise InvalidSettings(f"/{kind}", "must be an object with the channels")
    for name in found:
        if name not in CHANNELS:
            raise InvalidSettings(f"/{kind}/{name}", f"is no channel; {', '.join(CHANNELS)} are")
    return {
        channel: _read_delay(f"/{kind}/{channel}", found[channel])
        for channel in CHANNELS
        if channel in found
    }


def _read_delay(pointer: str, found: Any) -> int | None:
    if found is None:
        return None
    delay = found.get("delay", 0) if isinstance(found, Mapping) else found
    if isinstance(delay, bool) or not isinstance(delay, int) or not 0 <= delay <= MOST_DELAY_S:
        raise InvalidSettings(f"{pointer}/delay", f"must be seconds, 0 to {MOST_DELAY_S}, or null")
    return delay


def _read_reminder(found: Any) -> float | None:
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0.1 <= found <= 0.95:
        raise InvalidSettings("/reminder", "must be a share of the time, 0.1 to 0.95, or null")
    return float(found)


def _read_time(pointer: str, found: Any) -> datetime.time | None:
    if found is None:
        return None
    if not isinstance(found, str) or not (parts := _TIME.fullmatch(found)):
        raise InvalidSettings(pointer, "must be a time, 00:00 to 23:59")
    return datetime.time(int(parts[1]), int(parts[2]))


def _read_quiet(found: Any) -> QuietHours | None:
    if found is None:
        return None
    if not isinstance(found, Mapping) or set(found) != {"from", "until"}:
        raise InvalidSettings("/quiet", 'must have "from" and "until", or be null')
    begin, end = (_read_time(f"/quiet/{name}", found[name]) for name in ("from", "until"))
    if begin is None or end is None or begin == end:
        raise InvalidSettings("/quiet", '"from" and "until" must be two different times')
    return QuietHours(begin, end)


def _read_timezone(found: Any) -> str:
    try:
        if isinstance(found, str):
            return ZoneInfo(found).key
    except (KeyError, ValueError, OSError) as error:
        raise InvalidSettings("/timezone", _TIMEZONE) from error
    raise InvalidSettings("/timezone", _TIMEZONE)
