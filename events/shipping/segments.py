"""The file of a segment: the container of a backup, with changes in place of values.

    {"segment":"cartulary","format":1,"of":"20261126T…Z-…","number":7,"before":"<SHA-256>",…}
    {"add":{"key":"{01K…}:events","type":"stream","value":[["8-0","event","{…}"]],"last":"8-0"}}
    {"gone":"{01K…}:secret"}
    {"end":{"changes":2}}

`before` is the checksum in the head of the file before: of the backup for the first segment, else
of the segment before. So a segment that is missing, exchanged, or of another backup is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Any, BinaryIO, Final, NamedTuple

from cartulary.events.backup.container import BackupWriter, check_whole, read_digest, read_records
from cartulary.events.backup.errors import DamagedBackup, NewerBackup
from cartulary.events.backup.records import (
    BackupRecord,
    Flaw,
    read_record,
    read_text,
    split,
    write_record,
    write_text,
)
from cartulary.events.model.types import Json
from cartulary.events.shipping.marks import HALF, Change, make_gone

FORMAT: Final = 1
"""The format of segments; the container has one of its own."""


class SegmentHead(NamedTuple):
    """Where a segment belongs: to which backup, its number from 1, and the file before it."""

    of: str
    number: int
    before: str


def write_segment(file: BinaryIO, head: SegmentHead, changes: Iterable[Change]) -> str:
    """Write a segment to a file that can be read and sought; return its checksum."""
    writer, count = BackupWriter(file), 0
    software = version("cartulary-games")
    writer.write({"segment": "cartulary", "format": FORMAT, "software": software, **head._asdict()})
    for change in changes:
        count += 1
        for line in _write_change(change):
            writer.write(line)
    writer.write({"end": {"changes": count}})
    writer.finish()
    return read_digest(file)


def _write_change(change: Change) -> Iterator[Json]:
    if change.kind == "gone":
        yield {"gone": write_text(change.record.key)}
    elif change.kind == "whole":
        for part in split(change.record):
            yield {"whole": write_record(part)}
    else:
        line: Json = {"add": write_record(change.record)}
        if change.without:
            line["without"] = [name.hex() for name in change.without]
        yield line


def read_segment(file: BinaryIO, expected: SegmentHead) -> Iterator[Change]:
    """Yield the changes of a segment, checked, in constant memory but for one value.

    Raises `DamagedBackup`, also for a segment that does not belong here, and `NewerBackup`.
    """
    check_whole(file)
    lines = read_records(file)
    _check_head(next(lines, (1, {}))[1], expected)
    count, parts = 0, list[BackupRecord]()
    for number, line in lines:
        try:
            if "end" in line:
                _check_end(line, count, parts)
                return
            change = _read_change(line)
        except (Flaw, KeyError, ValueError, TypeError) as error:
            raise DamagedBackup(f"segment {expected.number}: {error}", number) from error
        parts.append(change.record)
        if not change.record.more:
            count += 1
            yield change._replace(record=join(parts))
            parts = []
    raise DamagedBackup(f"segment {expected.number}: its end is missing")


def _check_end(line: Json, count: int, parts: list[BackupRecord]) -> None:
    if parts or line != {"end": {"changes": count}}:
        raise Flaw("the segment does not contain what its end says")


def join(parts: list[BackupRecord]) -> BackupRecord:
    """Return the record of a whole value, of its parts in order."""
    return parts[-1]._replace(items=[item for part in parts for item in part.items])


def _read_change(line: Json) -> Change:
    if line.keys() == {"gone"}:
        return make_gone(read_text(line["gone"]))
    if line.keys() == {"whole"}:
        return Change("whole", read_record(line["whole"]))
    if "add" not in line or not line.keys() <= {"add", "without"}:
        raise Flaw("the line is no change")
    without = tuple(bytes.fromhex(name) for name in line.get("without", ()))
    if any(len(name) != HALF for name in without):
        raise Flaw("`without` is invalid")
    return Change("add", read_record(line["add"]), without)


def _check_head(head: Any, expected: SegmentHead) -> None:
    number = expected.number
    if head.get("segment") != "cartulary":
        raise DamagedBackup(f"segment {number} is no segment of a backup")
    if head.get("format") != FORMAT:
        raise NewerBackup(f"a newer release has written segment {number}: upgrade first")
    if head.get("of") != expected.of or head.get("before") != expected.before:
        raise DamagedBackup(f"segment {number} belongs to another backup, or not at this place")
    if head.get("number") != number:
        raise DamagedBackup(f"segment {number} says that it is segment {head.get('number')}")
