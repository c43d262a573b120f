"""A calendar as calendar programs read it (RFC 5545). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

WIDTH: Final = 75
"""Octets of a line, at most; a longer one is folded (RFC 5545, 3.1)."""

_ESCAPED: Final = {"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": ""}


class CalendarEntry(NamedTuple):
    """An entry; times are in ms since the epoch, `changed` is when it was last another one."""

    uid: str
    begin: int
    end: int
    changed: int
    summary: str
    url: str


def write_calendar(name: str, entries: Iterable[CalendarEntry]) -> bytes:
    """Return a calendar with a name and some entries."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Cartulary//Tournaments//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_escape(name)}",
        *(line for entry in entries for line in _write_entry(entry)),
        "END:VCALENDAR",
    ]
    return b"".join(_fold(line) for line in lines)


def _write_entry(entry: CalendarEntry) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_escape(entry.uid)}"
    yield f"DTSTAMP:{_write_time(entry.changed)}"
    yield f"DTSTART:{_write_time(entry.begin)}"
    yield f"DTEND:{_write_time(entry.end)}"
    yield f"SUMMARY:{_escape(entry.summary)}"
    if entry.url:
        yield f"URL:{entry.url}"
    yield "END:VEVENT"


def _write_time(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape(text: str) -> str:
    return "".join(_ESCAPED.get(letter, letter) for letter in text)


def _fold(line: str) -> bytes:
    """Return a line with its end; it is cut between characters, never inside one."""
    parts, part, room = [], b"", WIDTH
    for letter in line:
        octets = letter.encode()
        if len(part) + len(octets) > room:
            parts.append(part)
            part, room = b"", WIDTH - 1
        part += octets
    return b"\r\n ".join([*parts, part]) + b"\r\n"
