"""Masks: the names of players whose accounts are deleted, hidden wherever a name is read.

Events are never changed, so a name that was deleted stays in the stream, under its hash. What the
service shows of it says `NAME` instead, and an event that is shown so says `masked`. The ids stay:
they say nothing about a person.

A process caches the ids of all deleted players and asks the store once in `FRESH` seconds whether
there are more. As long as no player has deleted an account, masking costs a comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from time import monotonic
from typing import Any, Final

from redis import Redis

from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Seat, SeatOffer, Tenure
from cartulary.events.model.types import Json
from cartulary.events.server import keys

NAME: Final = "(deleted)"
"""What is shown in place of the name of a deleted player."""

FRESH: Final = 1.0
"""Seconds for which a process goes by the deletions that it knows."""

_WHO: Final = ("player", "was", "from")
"""Fields of events that are a player, or that have one as `player`."""

_NAMED: Final = frozenset(
    type_
    for type_, kind in KINDS.items()
    if type_ == "game_created" or any(field.name in _WHO for field in kind.fields)
)
"""The types of events that name players."""


class Masks:
    """The deleted players, as far as this process knows. Thread-safe."""

    def __init__(self, redis: Redis, pulse: Callable[[], float] = monotonic) -> None:
        self._redis, self._pulse = redis, pulse
        self.deleted: frozenset[str] = frozenset()
        """The ids of the deleted players."""
        self.games: frozenset[str] = frozenset()
        """The ids of the games that they have left behind, whose names stand in inboxes."""
        self._due = 0.0

    def look(self) -> None:
        """Ask the store for deletions by other processes, when it is time. Raises `RedisError`."""
        now = self._pulse()
        if now < self._due:
            return
        known: Any = self._redis.zcard(keys.deleted())
        if known != len(self.deleted):
            pipe = self._redis.pipeline(transaction=True)
            pipe.zrange(keys.deleted(), 0, -1)
            pipe.smembers(keys.games_of_deleted())
            players, games = pipe.execute()
            self.games = frozenset(one.decode() for one in games)
            self.deleted = frozenset(one.decode() for one in players)
        self._due = now + FRESH

    def add(self, player_id: str, at: int, games: Collection[str] = ()) -> None:
        """Note that an account is deleted since `at` (ms since the epoch): its name is masked.

        `games` are those in which the player was.
        """
        pipe = self._redis.pipeline(transaction=True)
        if games:
            pipe.sadd(keys.games_of_deleted(), *games)
        pipe.zadd(keys.deleted(), {player_id: at}, nx=True)
        pipe.execute()
        self._due = 0.0
        self.look()

    # -- tables -----------------------------------------------------------------------------------

    def mask_table(self, table: Table) -> Table:
        """Return a table as it is shown: only for reading, never for a command."""
        if not self.deleted or not self.count(table):
            return table
        seats = tuple(self._mask_seat(seat) for seat in table.seats)
        tenures = tuple(self._mask_tenure(one) for one in table.course.tenures)
        return table._replace(seats=seats, course=table.course._replace(tenures=tenures))

    def count(self, table: Table) -> int:
        """Return how many deleted players a table shows: `n` of the tag `v17.n`."""
        if not self.deleted:
            return 0
        return len(self.deleted.intersection(_list_shown(table)))

    def _mask_seat(self, seat: Seat) -> Seat:
        offer = seat.offer
        return seat._replace(
            player=None if seat.player is None else self.mask_player(seat.player),
            offer=None if offer is None else self._mask_offer(offer),
        )

    def _mask_offer(self, offer: SeatOffer) -> SeatOffer:
        return offer._replace(player=self.mask_player(offer.player))

    def _mask_tenure(self, tenure: Tenure) -> Tenure:
        return tenure._replace(player=self.mask_player(tenure.player))

    def mask_player(self, player: Json) -> Json:
        """Return a player (`{"id", "name"}`) as it is shown."""
        return {**player, "name": NAME} if player["id"] in self.deleted else player

    def mask_summary(self, summary: Json) -> Json:
        """Return a game as in the HTTP contract as it is shown; changes nothing."""
        if not self.deleted:
            return summary
        return {**summary, "seats": [self._mask_shown(seat) for seat in summary["seats"]]}

    def _mask_shown(self, seat: Json) -> Json:
        masked = {**seat, "player": seat["player"] and self.mask_player(seat["player"])}
        if "offer" in seat:
            offer = seat["offer"]
            masked["offer"] = {**offer, "player": self.mask_player(offer["player"])}
        return masked

    # -- events -----------------------------------------------------------------------------------

    def mask_events(self, events: list[Json]) -> list[Json]:
        """Return events as they are delivered."""
        return [self.mask_event(event) for event in events] if self.deleted else events

    def mask_event(self, event: Json) -> Json:
        """Return an event as it is delivered: `masked`, with its own hash, if a name is deleted."""
        if not self.deleted or event.get("type") not in _NAMED:
            return event
        changed: Json = {key: self._mask_value(event[key]) for key in _WHO if key in event}
        if event["type"] == "game_created":
            changed["seats"] = [self._mask_value(seat) for seat in event["seats"]]
        if all(event[key] == value for key, value in changed.items()):
            return event
        return {**event, **changed, "masked": True}

    def _mask_value(self, value: Any) -> Any:
        """Return a player, or what has a player, as it is shown."""
        if not isinstance(value, dict):
            return value
        if "player" in value:
            return {**value, "player": self._mask_value(value["player"])}
        return self.mask_player(value) if "id" in value else value


def has_names(events: Iterable[Json]) -> bool:
    """Return whether an event names a player, whose account may be deleted one day."""
    return any(event["type"] in _NAMED for event in events)


def _list_shown(table: Table) -> Collection[str]:
    """Return the ids of the players whose names a table shows."""
    shown = [seat.player for seat in table.seats if seat.player is not None]
    shown += [seat.offer.player for seat in table.seats if seat.offer is not None]
    shown += [tenure.player for tenure in table.course.tenures]
    return [player["id"] for player in shown]
