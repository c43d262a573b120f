"""Snapshots: tables as JSON, so that reading one does not begin at the first event.

Snapshots may be deleted: a snapshot that is missing, damaged, of another format or of other rules
is ignored.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import orjson
from redis import Redis

from cartulary.engine.core import Game, find_game
from cartulary.engine.errors import EngineError
from cartulary.events.model.chain import view_and_hash
from cartulary.events.model.offers import Rules
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import (
    Clocks,
    Decline,
    Fair,
    FreeTakeback,
    GameEnding,
    GameSettings,
    Lifecycle,
    Play,
    Progress,
    Proposal,
    Replaced,
    Seat,
    SeatOffer,
    Tenure,
)
from cartulary.events.model.types import Json
from cartulary.events.server import keys

T = TypeVar("T")

EVERY = 25
"""Versions from one snapshot to the next."""

FORMAT = 3
"""Raised whenever the form of a snapshot changes, the games' own dumps included.

Format 2 had no clocks: its games are untimed, so it is read as well. Format 1 had no course. A
snapshot of that format cannot say who has answered, so the game is made from its events again, and
its next snapshot is of this format.
"""

_UNTIMED = {"format": FORMAT, "pace": None, "clocks": None}
"""What format 2 lacks."""

_SINCE = {"hints": False}
"""What snapshots of this format lack that an earlier release has made: today's optional keys."""

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
            "seats": [_freeze_seat(seat) for seat in table.seats],
            **table.life._asdict(),
            "run": None if table.life.run is None else list(table.life.run),
            "course": _freeze_course(table.course),
            "state": table.play.state.dump(),
            "setup": table.play.setup,
            "rules_version": table.play.rules_version,
            "ending": None if table.ending is None else list(table.ending),
            "fair": None if table.fair is None else list(table.fair),
            "clocks": None if table.clocks is None else list(table.clocks),
        }
    )


def _freeze_seat(seat: Seat) -> list[Any]:
    offer = None if seat.offer is None else list(seat.offer)
    return list(seat._replace(offer=offer))  # type: ignore[arg-type]


def _freeze_course(course: Progress) -> Json:
    return {
        **course._asdict(),
        "tenures": [list(tenure) for tenure in course.tenures],
        "replaced": [list(replaced) for replaced in course.replaced],
        "proposal": None if course.proposal is None else list(course.proposal),
        "declines": [list(decline) for decline in course.declines],
    }


def thaw(rules: Rules, stored: bytes) -> Table | None:
    """Return the table of a snapshot; None when it cannot be what was written.

    The state must have the hash that was recorded with it, by the rules of today.
    """
    try:
        frozen = _SINCE | orjson.loads(stored)
        if frozen["format"] == 2:
            frozen.update(_UNTIMED)
        game = find_game(rules, frozen["game"])
        if (frozen["format"], frozen["rules_version"]) != (FORMAT, game.rules_version):
            return None
        play = Play(game.load(frozen["state"]), frozen["setup"], frozen["rules_version"], [])
        intact = view_and_hash(play.state)[1] == frozen["state_hash"]
        return _table(frozen, game, play) if intact else None
    except (EngineError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


def _table(frozen: Json, game: Game, play: Play) -> Table:
    life = Lifecycle(**{name: frozen[name] for name in Lifecycle._fields})
    return Table(
        frozen["id"],
        game,
        # A snapshot of an earlier release has no terms that came later: no event has them either.
        GameSettings(**{name: frozen[name] for name in GameSettings._fields if name in frozen}),
        tuple(_seat(*seat) for seat in frozen["seats"]),
        life._replace(status=Status(life.status), run=_thaw(FreeTakeback, frozen["run"])),
        _read_course(frozen["course"]),
        play,
        _thaw(GameEnding, frozen["ending"]),
        _fair(frozen["fair"]),
        _thaw(_read_clocks, frozen["clocks"]),
    )


def _thaw(part: Callable[..., T], frozen: list[Any] | None) -> T | None:
    return None if frozen is None else part(*frozen)


def _seat(*frozen: Any) -> Seat:
    seat = Seat(*frozen)
    return seat if seat.offer is None else seat._replace(offer=SeatOffer(*seat.offer))


def _read_course(frozen: Json) -> Progress:
    """Return the course of a snapshot: JSON has lists where the course has tuples."""
    parts: Json = {
        name: tuple(part) if isinstance(part, list) else part for name, part in frozen.items()
    }
    return Progress(**parts)._replace(
        tenures=tuple(Tenure(*tenure) for tenure in frozen["tenures"]),
        replaced=tuple(Replaced(*replaced) for replaced in frozen.get("replaced", ())),
        proposal=_thaw(_proposal, frozen["proposal"]),
        declines=tuple(Decline(*decline) for decline in frozen["declines"]),
        taken_back=tuple((to, at) for to, at in frozen["taken_back"]),
    )


def _proposal(*frozen: Any) -> Proposal:
    proposal = Proposal(*frozen)
    return proposal._replace(
        needs=tuple(proposal.needs),
        moves=tuple(proposal.moves),
        answers=tuple((seat, answer) for seat, answer in proposal.answers),
    )


def _read_clocks(*frozen: Any) -> Clocks:
    clocks = Clocks(*frozen)
    return clocks._replace(
        banks=tuple(clocks.banks),
        turned=tuple(clocks.turned),
        stops=tuple((since, until) for since, until in clocks.stops),
        paused=None if clocks.paused is None else (clocks.paused[0], clocks.paused[1]),
        given=tuple((seat, ms) for seat, ms in clocks.given),
    )


def _fair(frozen: list[Any] | None) -> Fair | None:
    if frozen is None:
        return None
    commitment, number, entropies, *later = frozen
    return Fair(commitment, number, tuple(entropies), *later)
