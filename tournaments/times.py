"""Common times: when all entrants of a table could play, over their time zones.

An availability is a week of half hours in the time zone of an entrant:
`{"timezone": "Europe/Zagreb", "days": {"mon": [["18:00", "22:30"]], …}}`. A day that is missing has
no time; a span may end at `24:00`. Others never see it: they see common times alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from cartulary.events.model.types import Json

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SLOTS: Final = 48
"""Half hours of a day."""

HALF_HOUR_MS: Final = 1_800_000
MOST_SPANS: Final = 8
MOST_TIMES: Final = 20
FARTHEST_MS: Final = 28 * 48 * HALF_HOUR_MS
"""So far ahead common times are looked for."""


class Availability(NamedTuple):
    """When an entrant could play: the half hours of a week, Monday 00:00 being the first."""

    zone: ZoneInfo
    slots: frozenset[int]

    def covers(self, at: datetime) -> bool:
        """Return whether the entrant could play in the half hour that begins at a time.

        It is looked at twice, because some zones are a quarter of an hour apart from the others.
        """
        quarter = timedelta(minutes=15)
        return self._has(at) and self._has(at + quarter)

    def _has(self, at: datetime) -> bool:
        local = at.astimezone(self.zone)
        slot = local.weekday() * SLOTS + local.hour * 2 + local.minute // 30
        return slot in self.slots


class CommonTime(NamedTuple):
    """A time, in ms since the epoch, from which all could play for so many half hours in a row."""

    at: int
    half_hours: int


def find_common_times(
    availabilities: Sequence[Availability], since: int, until: int, needed: int = 2
) -> list[CommonTime]:
    """Return when all could play for at least so many half hours, the earliest first.

    The times are the half hours of UTC from `since`, and the last ends by `until` (ms since the
    epoch); at most `MOST_TIMES`, none farther ahead than `FARTHEST_MS`.
    """
    begin = -(-since // HALF_HOUR_MS) * HALF_HOUR_MS
    end = min(until, since + FARTHEST_MS)
    starts = range(begin, end - HALF_HOUR_MS + 1, HALF_HOUR_MS)
    run, found = 0, list[CommonTime]()
    for at in reversed(starts):
        moment = datetime.fromtimestamp(at // 1000, UTC)
        run = run + 1 if all(one.covers(moment) for one in availabilities) else 0
        if run >= needed:
            found.append(CommonTime(at, run))
    return found[: -MOST_TIMES - 1 : -1]


def read_availability(value: Mapping[str, Any]) -> Availability:
    """Return an availability without faults."""
    slots = {
        day * SLOTS + slot
        for day, name in enumerate(DAYS)
        for start, end in value["days"].get(name, [])
        for slot in range(_read_slot(start), _read_slot(end))
    }
    return Availability(ZoneInfo(value["timezone"]), frozenset(slots))


def find_faults_of_availability(value: Any) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with an availability: a JSON pointer and a sentence each."""
    if not isinstance(value, Mapping) or value.keys() != {"timezone", "days"}:
        yield "", "an availability has `timezone` and `days`"
        return
    if not _is_zone(value["timezone"]):
        yield "/timezone", "a name of the IANA time zone database, such as Europe/Zagreb"
    if not isinstance(value["days"], Mapping):
        yield "/days", "an object"
        return
    for name, spans in value["days"].items():
        if name not in DAYS:
            yield f"/days/{name}", f"one of {', '.join(DAYS)}"
        elif type(spans) is not list or len(spans) > MOST_SPANS or not all(map(_is_span, spans)):
            yield f"/days/{name}", f"at most {MOST_SPANS} pairs of half hours, as 18:00 and 22:30"


def write_common_times(times: Sequence[CommonTime]) -> list[Json]:
    """Return common times as `GET …/tables/{table}/times` shows them."""
    return [
        {
            "time": datetime.fromtimestamp(one.at // 1000, UTC).isoformat()[:-6] + ".000Z",
            "minutes": 30 * one.half_hours,
        }
        for one in times
    ]


def _is_zone(name: Any) -> bool:
    try:
        ZoneInfo(name)
    except (TypeError, ValueError, OSError, LookupError):
        return False
    return True


def _is_span(span: Any) -> bool:
    if type(span) is not list or len(span) != 2 or not all(map(_is_half_hour, span)):
        return False
    return _read_slot(span[0]) < _read_slot(span[1])


def _is_half_hour(text: Any) -> bool:
    return text == "24:00" or text in _HALF_HOURS


def _read_slot(text: str) -> int:
    return int(text[:2]) * 2 + int(text[3:]) // 30


_HALF_HOURS: Final = [f"{hour:02d}:{minute:02d}" for hour in range(24) for minute in (0, 30)]
