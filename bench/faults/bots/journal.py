"""What bots meant to do and what the service answered, on disk: it outlives a kill."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cartulary.engine.canonical import canonical_json


class Entry(NamedTuple):
    """A move for a version of a game (`meant`), or the version at which it is stored."""

    game: str
    version: int
    move: str


class BotJournal:
    """Appends lines to a file, each in one write."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(self, kind: str, game: str, version: int, move: Mapping[str, Any]) -> None:
        """Write what is `meant` or `stored`."""
        line = json.dumps([kind, game, version, canonical_json(move)])
        os.write(self._handle, line.encode() + b"\n")


def read_journals(paths: Iterable[Path]) -> tuple[set[Entry], set[Entry]]:
    """Return what was meant and what was stored. The end of a line that a kill cut is left out."""
    found: dict[str, set[Entry]] = {"meant": set(), "stored": set()}
    for path in paths:
        for line in path.read_bytes().rpartition(b"\n")[0].splitlines():
            kind, *entry = json.loads(line)
            found[kind].add(Entry(*entry))
    return found["meant"], found["stored"]
