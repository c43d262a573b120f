"""Snapshots: tables as JSON, so that reading one does not begin at the first event.

Disposable: one that is missing, damaged, of another format or of other rules is passed over.
"""

from __future__ import annotations

import logging
from typing import Any

import orjson
from redis import Redis

from cartulary.engine.core import find_game
from cartulary.engine.errors import EngineError
from cartulary.events import keys
from cartulary.events.hashing import view_and_hash
from cartulary.events.offers import Rules
from cartulary.events.table import Seat, Table
from cartulary.events.types import Json

EVERY = 25
"""Versions from one snapshot to the next."""

FORMAT = 1
"""Raised whenever the form of a snapshot changes, the games' own dumps included."""

PLAIN = (
    *("id", "game", "options", "visibility", "created_by", "status", "version", "position"),
    *("setup", "rules_version", "result", "state_hash", "created_at", "updated_at"),
    *("names", "extra"),
)

log = logging.getLogger(__name__)


class Snapshots:
    """The snapshots of all games."""

    def __init__(self, redis: Redis, rules: Rules) -> None:
        self._redis = redis
        self._rules = rules

    def save(self, table: Table) -> None:
        """Store a table that has a state."""
        self._redis.hset(keys.snapshots(table.id), str(table.version), freeze(table))

    def best(self, game_id: str, version: int) -> Table | None:
        """Return the newest usable snapshot at or below `version`, or None."""
        names: Any = self._redis.hkeys(keys.snapshots(game_id))
        for found in sorted((int(n) for n in names if n.isdigit()), reverse=True):
            if found <= version and (table := self.load(game_id, found)) is not None:
                return table
        return None

    def load(self, game_id: str, version: int) -> Table | None:
        """Return one snapshot, or None when it is missing or not to be used."""
        stored: Any = self._redis.hget(keys.snapshots(game_id), str(version))
        if stored is None:
            return None
        table = thaw(self._rules, stored)
        if table is None or (table.id, table.version) != (game_id, version):
            log.warning("snapshot %s of game %s is passed over", version, game_id)
            return None
        return table

    def drop(self, game_id: str) -> None:
        """Remove all snapshots of a game."""
        self._redis.delete(keys.snapshots(game_id))


def freeze(table: Table) -> bytes:
    """Return a table as JSON."""
    frozen: Json = {name: getattr(table, name) for name in PLAIN}
    frozen["format"] = FORMAT
    frozen["seats"] = [list(seat) for seat in table.seats]
    frozen["state"] = None if table.state is None else table.state.dump()
    return orjson.dumps(frozen)


def thaw(rules: Rules, stored: bytes) -> Table | None:
    """Return the table of a snapshot; None when it cannot be what was written.

    The state must have the hash that was recorded with it, by the rules of today.
    """
    try:
        frozen = orjson.loads(stored)
        game = find_game(rules, frozen["game"])
        if (frozen["format"], frozen["rules_version"]) != (FORMAT, game.rules_version):
            return None
        frozen.setdefault("position", _position(frozen))
        table = Table()
        table.rules = game
        for name in PLAIN:
            setattr(table, name, frozen[name])
        table.seats = tuple(Seat(*seat) for seat in frozen["seats"])
        table.state = game.load(frozen["state"])
        return table if view_and_hash(table.state)[1] == table.state_hash else None
    except (EngineError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


def _position(frozen: Json) -> int:
    """Return the position of a snapshot that has been written without it.

    At that time only the last event of a game that had started could leave the position alone.
    """
    version: int = frozen["version"]
    return version - (frozen["status"] in ("over", "aborted"))
