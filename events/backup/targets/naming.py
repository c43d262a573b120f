"""What backups and segments are called in a target.

    20261126T030000123Z-4f2a90c1d7be.backup            a proven backup
    20261126T030000123Z-4f2a90c1d7be.backup.age        the same, encrypted
    ….backup.age.unproven                              it was not restored and audited yet
    ….backup.age.failed, ….failed.txt                  its proof has failed, and why
    20261126T030000123Z-4f2a90c1d7be.segments/00000007-1795662007000-1795662009000.segment.age

A name begins with the time at which the reading began and the id of the installation. So the
backups of several installations lie side by side, and none counts or removes those of another.
A segment has its number and two times (ms since the epoch) in its name, so what a point of time
needs is found without opening a file: all that was stored until the first time is in the segment or
before it, and nothing that was stored after the second.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

UNPROVEN = "unproven"
FAILED = "failed"

_BACKUP = re.compile(
    r"(\d{8}T\d{6})(\d{3})Z-([0-9a-f]{12})\.backup(\.age)?(?:\.(unproven|failed))?", re.ASCII
)
_SEGMENT = re.compile(
    r"(\d{8}T\d{9}Z-[0-9a-f]{12})\.segments/(\d{8})-(\d{13})-(\d{13})\.segment(\.age)?", re.ASCII
)


class BackupName(NamedTuple):
    """The name of a backup. `at` is in ms since the epoch; `state` is '' for a proven one."""

    at: int
    installation: str
    is_encrypted: bool = False
    state: str = ""

    @property
    def stem(self) -> str:
        """Return what the names of a backup and of its segments begin with."""
        moment = datetime.fromtimestamp(self.at // 1000, UTC)
        return f"{moment:%Y%m%dT%H%M%S}{self.at % 1000:03d}Z-{self.installation}"

    def __str__(self) -> str:
        """Return the name."""
        encrypted = ".age" if self.is_encrypted else ""
        return f"{self.stem}.backup{encrypted}" + (f".{self.state}" if self.state else "")


class SegmentName(NamedTuple):
    """The name of a segment: that of its backup, its number from 1, and its two times in ms."""

    stem: str
    number: int
    until: int
    at: int
    is_encrypted: bool = False

    def __str__(self) -> str:
        """Return the name."""
        encrypted = ".age" if self.is_encrypted else ""
        span = f"{self.number:08d}-{self.until:013d}-{self.at:013d}"
        return f"{list_prefix(self.stem)}{span}.segment{encrypted}"


def list_prefix(stem: str) -> str:
    """Return what the names of all segments of a backup begin with."""
    return f"{stem}.segments/"


def parse_backup(text: str) -> BackupName | None:
    """Return the name of a backup, None for any other text."""
    match = _BACKUP.fullmatch(text)
    if match is None:
        return None
    second, ms, installation, encrypted, state = match.groups()
    try:
        moment = datetime.strptime(second, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    at = round(moment.timestamp()) * 1000 + int(ms)
    return BackupName(at, installation, encrypted is not None, state or "")


def parse_segment(text: str) -> SegmentName | None:
    """Return the name of a segment, None for any other text."""
    match = _SEGMENT.fullmatch(text)
    if match is None:
        return None
    stem, number, until, at, encrypted = match.groups()
    return SegmentName(stem, int(number), int(until), int(at), encrypted is not None)
