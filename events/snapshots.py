"""Snapshots: tables as JSON, so that reading one does not begin at the first event.

Snapshots may be deleted: a snapshot that is missing, damaged, of another format or of other rules
is ignored.
"""

from __future__ import annotations

import logging
from typing import Any

import orjson
from redis import Redis

from cartulary.engine.core import Game, find_game
from cartulary.engine.errors import EngineError
from cartulary.events import keys
from cartulary.events.hashing import view_and_hash
from cartulary.events.offers import Rules
from cartulary.events.status import Status
from cartulary.events.table import Ending, Fair, Life, Play, Seat, Table, Terms
from cartulary.events.types import Json

EVERY = 25
"""Versions from one snapshot to the next."""

FORMAT = 1
"""Raised whenever the form of a snapshot changes, the games' own dumps included."""

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

    def discard(self, game_id: str, version: int) -> None:
        """Remove the snapshot of one version."""
        self._redis.hdel(keys.snapshots(game_id), str(version))

    def drop(self, game_id: str) -> None:
        """Remove all snapshots of a game."""
        self._redis.delete(keys.snapshots(game_id))


def freeze(table: Table) -> bytes:
    """Return a table that has a state as JSON."""
    assert table.play is not None
    return orjson.dumps(
        {
            "format": FORMAT,
            "id": table.id,
            **table.terms._asdict(),
            "seats": [list(seat) for seat in table.seats],
            **table.life._asdict(),
            "state": table.play.state.dump(),
            "setup": table.play.setup,
            "rules_version": table.play.rules_version,
            "result": table.result,
            "fair": None if table.fair is None else list(table.fair),
        }
    )


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
        frozen.setdefault("head", "")  # an earlier release has written it without
        frozen.setdefault("shuffle_seats", False)  # a release before fair draws
        play = Play(game.load(frozen["state"]), frozen["setup"], frozen["rules_version"], [])
        intact = view_and_hash(play.state)[1] == frozen["state_hash"]
        return _table(frozen, game, play) if intact else None
    except (EngineError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


def _table(frozen: Json, game: Game, play: Play) -> Table:
    life = Life(**{name: frozen[name] for name in Life._fields})
    life = life._replace(status=Status(life.status))
    return Table(
        frozen["id"],
        game,
        Terms(**{name: frozen[name] for name in Terms._fields}),
        tuple(Seat(*seat) for seat in frozen["seats"]),
        life,
        play,
        None if frozen["result"] is None else Ending(frozen["result"]),
        _fair(frozen.get("fair")),
    )


def _fair(frozen: list[Any] | None) -> Fair | None:
    """Return the fair draws of a snapshot; a release before fair draws has written none."""
    if frozen is None:
        return None
    commitment, number, entropies = frozen
    return Fair(commitment, number, tuple(entropies))


def _position(frozen: Json) -> int:
    """Return the position of a snapshot that an earlier release has written without it.

    At that time only the last event of a started game could leave the position alone.
    """
    version: int = frozen["version"]
    return version - Status(frozen["status"]).finished
