"""What an upgrade writes that an earlier release cannot read: from there on nothing goes back."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from cartulary.events.model.types import Json
from cartulary.events.server.format import FORMAT, LEVELS, MEANINGS

_MIGRATIONS = "cartulary.events.archive.migrations.versions"


def list_levels(stored: int) -> list[Json]:
    """Return what each format level above the stored one brings: `level`, `means`, `events`.

    `events` are the types of events with the schema that is written from that level on.
    """
    return [
        {
            "level": level,
            "means": MEANINGS[level],
            "events": [
                {"type": type_, "schema": schema} for type_, schema in LEVELS.get(level, {}).items()
            ],
        }
        for level in range(stored + 1, FORMAT + 1)
    ]


def list_migrations(stored: str | None, is_file: bool) -> Iterator[Json]:
    """Yield what each migration of the archive's tables does that is still to come.

    `is_file`: the archive is one of SQLite. `at_once` is false for what waits until no process of
    an earlier release runs.
    """
    if stored is None:
        return
    from cartulary.events.archive.tables import NEWEST, VERSIONS

    for version in VERSIONS:
        if stored < version and (version <= NEWEST or not is_file):
            module = import_module(f"{_MIGRATIONS}.version_{version}")
            yield {
                "tables": version,
                "means": str(module.__doc__).splitlines()[0].rstrip("."),
                "at_once": version <= NEWEST,
            }
