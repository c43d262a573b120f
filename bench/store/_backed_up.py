"""What a restored backup must have: everything that was acknowledged in time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

from bench.faults.journal import Journal
from cartulary.events.backup.load import CheckedRecords
from cartulary.events.backup.targets.folder import BackupFolder
from cartulary.events.shipping.chains import Chain, find_newest, find_way, put_together


class Held(NamedTuple):
    """What of the acknowledged events a backup has.

    `late_s` is for how long the oldest missing one had been acknowledged at the moment of the
    backup, 0 without any; `early` counts the events that came after the moment and are there.
    """

    late_s: float = 0.0
    early: int = 0


def read_versions(target: BackupFolder, moment: int | None, work: Path) -> dict[str, int]:
    """Return the number of events of each game that a target leads to, archived ones included."""
    way = find_newest(target) if moment is None else find_way(target, moment)
    found: dict[str, int] = {}
    with put_together(target, way, moment, (), work).open("rb") as file:
        for record in CheckedRecords(file):
            if record.name.endswith("}:events"):
                game = record.name[1:].partition("}")[0]
                found[game] = found.get(game, 0) + len(record.items)
            elif record.name.startswith("archive:game:") and not record.more:
                row = orjson.loads(record.items[0]) if record.items[0][:1] == b"{" else None
                if row is not None:
                    found[record.name.rpartition(":")[2]] = row["columns"]["version"]
    return found


def compare(journal: Journal, versions: Mapping[str, int], moment: float) -> Held:
    """Compare what was acknowledged until a moment of `time.monotonic` with what is stored."""
    late, early = 0.0, 0
    for game in list(journal.games.values()):
        version = versions.get(game.game, 0)
        for event in list(game.events):
            if event.version > version and event.came < moment:
                late = max(late, moment - event.came)
            early += event.version <= version and event.sent > moment
    return Held(late, early)


def to_wall(moment: float) -> int:
    """Return a moment of `time.monotonic` in ms since the epoch."""
    return round(1000 * (time.time() - time.monotonic() + moment))


def choose_reach(chains: list[Chain]) -> list[tuple[int, int]]:
    """Return the spans of the proven chains of a target."""
    return [chain.reach for chain in chains if chain.reach is not None and not chain.backup.state]
