"""Rated games: what a request may ask for, and who may sit at the table.

The rules are in `docs/ratings.md`, "Rated games".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from redis import Redis

from cartulary.events.commands.table.opening import NewGame
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.errors import AccountNeeded, RatedGame
from cartulary.events.model.offers import Offers, find_strength
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import is_person
from cartulary.events.model.types import LADDER_LEFT, Json
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.server import keys
from cartulary.events.server.format import find_schema

_TOO_EARLY: Final = "no game is rated until an upgrade of the service is complete"


def rated_faults(request: NewGame, who: Player) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a request for a rated game, as (pointer, sentence)."""
    if not request.rated:
        return
    if request.pace is None:
        yield "/pace", "a rated game has a pace: choose how much time there is"
    if request.takebacks == "consent":
        yield "/takebacks", "a rated game takes moves back only where that is free: none or undo"
    if request.on_timeout == "stand_in":
        yield "/on_timeout", "in a rated game no bot plays for a person: forfeit or claim"
    yield from _seats_faults(request, who)


def _seats_faults(request: NewGame, who: Player) -> Iterator[tuple[str, str]]:
    kinds = [seat.kind for seat in request.seats]
    own = [number for number, kind in enumerate(kinds) if kind == "me"]
    for number in own[1:]:
        yield f"/seats/{number}/kind", "a rated game has one seat for each player"
    if own and not who.is_bot:
        for number, kind in enumerate(kinds):
            if kind == "bot":
                yield f"/seats/{number}/kind", "a rated game of persons has no bots"
    elif kinds.count("bot") > len(kinds) - 1:
        yield "/seats", "a rated game has players: bots of the service alone have no rating"
    if not who.is_bot and own and len(kinds) - kinds.count("bot") < 2:
        yield "/seats", "a rated game has at least two persons"


class RatedTables:
    """Judges who may sit at rated tables. Thread-safe. Raises `RedisError`.

    `read_level` returns the format of the store.
    """

    def __init__(
        self,
        registry: Redis,
        players: PlayerRegistry,
        offers: Offers,
        read_level: Callable[[], int],
    ) -> None:
        self._registry, self._players, self._offers = registry, players, offers
        self._read_level = read_level

    def check_seeker(self, player: Player) -> None:
        """Judge a person who seeks a rated game. Raises `RatedGame`, `AccountNeeded`."""
        if not find_schema(LADDER_LEFT, 1, self._read_level()):
            raise RatedGame(_TOO_EARLY)
        self._must_have_accounts([player.id])

    def check(self, draft: Draft) -> None:
        """Judge the table of a draft as it is after a change of its seats; a casual one is fine.

        Raises `RatedGame`, and `AccountNeeded` where a guest sits.
        """
        table = draft.table
        if not table.terms.rated:
            return
        if not draft.find_schema(LADDER_LEFT):
            raise RatedGame(_TOO_EARLY)
        seated = [seat.player for seat in table.seats if seat.player is not None]
        offered = [seat.offer.player for seat in table.seats if seat.offer is not None]
        _must_be_of_one_kind(table, [*seated, *offered])
        self._must_be_measured(table)
        if len({player["id"] for player in seated}) < len(seated):
            raise RatedGame("a rated game has one seat for each player")
        owners = [player["owner"] for player in seated if not is_person(player)]
        if len(set(owners)) < len(owners):
            raise RatedGame("a rated game has one bot of each owner")
        persons = [player["id"] for player in seated if is_person(player)]
        self._must_have_accounts(persons)
        if not self.are_apart(persons):
            raise RatedGame("two accounts of one person cannot play a rated game")

    def _must_be_measured(self, table: Table) -> None:
        bots = self._offers[table.game].bots
        for seat in table.seats:
            if seat.bot is not None and find_strength(bots, seat.bot) is None:
                raise RatedGame(f"the league has not measured how strong {seat.bot} is")

    def _must_have_accounts(self, persons: Collection[str]) -> None:
        guests = [one for one in persons if self._players.claimed_at(one) is None]
        if guests:
            raise AccountNeeded("rated games are for players with recovery codes")

    def are_apart(self, persons: Sequence[str]) -> bool:
        """Return whether no two accounts are one person: one has merged into the other."""
        pipe = self._registry.pipeline(transaction=False)
        for person in persons:
            pipe.smembers(keys.guests_of(person))
        found: list[Any] = pipe.execute() if persons else []
        known = [
            {person, *(guest.decode() for guest in guests)}
            for person, guests in zip(persons, found, strict=True)
        ]
        return not any(one & other for one, other in combinations(known, 2))


def _must_be_of_one_kind(table: Table, players: Sequence[Json]) -> None:
    """Raise `RatedGame` where persons and bots are to play with each other."""
    persons = any(is_person(player) for player in players)
    bots = any(not is_person(player) for player in players)
    if persons and (bots or any(seat.bot is not None for seat in table.seats)):
        raise RatedGame("a rated game is for persons only, or for bots only")
