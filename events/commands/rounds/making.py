"""The games of a round: made by the service, which is their host, once for each table.

A game is known by its tournament, round and table. The process that makes the games of a round may
be killed, come twice, or go on with a restored store: a table that has its game keeps it.

The rules are in `docs/tournaments.md`, "What goes on by itself".
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.commands.rounds.starting import RoundStarts
from cartulary.events.commands.table.creating import Creator
from cartulary.events.commands.table.opening import fair_json, pace_terms, seat_json
from cartulary.events.commands.table.rated import RatedTables
from cartulary.events.draws.draws import NewSecret
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.errors import AccountNeeded, NotFound, RatedGame, RoundOpen
from cartulary.events.model.offers import Offers
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import SERVICE
from cartulary.events.model.types import GAME_CREATED, SEAT_READIED, Json
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.format import WITH_TOURNAMENTS

HOST: Final = Player(SERVICE, SERVICE)
"""The service as the opener of a game."""

log = logging.getLogger(__name__)


class RoundPlace(NamedTuple):
    """Where a game is played: the id of the tournament, the number of the round, of the table."""

    tournament: str
    round: int
    table: int

    def to_json(self) -> Json:
        """Return `tournament` of `game_created`."""
        return {"id": self.tournament, "round": self.round, "table": self.table}


class RoundDraws(NamedTuple):
    """What the draws of a duplicate round follow from: its secret, the tournament's entropy."""

    secret: bytes
    entropy: str


class RoundMaker:
    """Makes the games of rounds. Thread-safe. Raises `RedisError`.

    `read_format` returns the format of the store; `is_there` says whether a player of kind bot
    would answer.
    """

    def __init__(
        self,
        registry: Redis,
        projector: Projector,
        creator: Creator,
        starts: RoundStarts,
        rated: RatedTables,
        offers: Offers,
        read_format: Callable[[], int],
        is_there: Callable[[str], bool],
    ) -> None:
        self._registry, self._projector, self._creator = registry, projector, creator
        self._starts, self._rated, self._offers = starts, rated, offers
        self._read_format, self._is_there = read_format, is_there

    @property
    def may_make(self) -> bool:
        """Whether every process that runs can work with games of tournaments."""
        return self._read_format() >= WITH_TOURNAMENTS

    def find(self, place: RoundPlace) -> Table | None:
        """Return the game of a table, None before it is made."""
        stored: Any = self._registry.hget(*_name_field(place))
        return None if stored is None else self._read(stored.decode(), place)

    def note(self, table: Table) -> None:
        """Note at which table a game is played: a restored store may have lost the note."""
        made_for = table.terms.tournament
        if made_for is not None:
            place = RoundPlace(made_for["id"], made_for["round"], made_for["table"])
            self._reserve(place, table.id)

    def reserve(self, place: RoundPlace, game_id: str, players: Sequence[str]) -> str:
        """Return the id that the game of a table is to have: `game_id`, or the one it has already.

        A restored store may have a game that its round does not name yet: with the same players (by
        id, in the order of the seats) it is adopted, else the table gets another game.
        """
        first = self._reserve(place, game_id)
        found = None if first == game_id else self.find(place)
        if found is None or [one.player and one.player["id"] for one in found.seats] == [*players]:
            return first
        key, field = _name_field(place)
        self._registry.hset(key, field, game_id)
        return game_id

    def make(
        self,
        place: RoundPlace,
        *,
        game_id: str,
        game: str,
        options: Mapping[str, Any],
        players: Sequence[Player],
        pace: Mapping[str, Any],
        rated: bool = False,
        visibility: str = "public",
        duplicate: RoundDraws | None = None,
    ) -> Table:
        """Make the game of a table, with the players on the seats in this order; repeated: find it.

        `game_id` is the id that the round has given to it; a game that has been made for this table
        under another id is adopted. A live game waits for its players, any other starts at once.
        A rated game whose players no rating compares is casual. `options` and `pace` are without
        faults. Raises `RoundOpen` while a process of an earlier release runs, `InvalidSeats`,
        `DrawsUnavailable`.
        """
        if (found := self.find(place)) is not None:
            return found
        if not self.may_make:
            raise RoundOpen("no round is played until an upgrade of the service is complete")
        whole = self._offers[game].rules.check(len(players), dict(options))

        def create(counts: bool) -> Table:
            def decide(draft: Draft, secret: NewSecret) -> None:
                draft.add(
                    GAME_CREATED,
                    game=game,
                    options=whole,
                    seats=[seat_json(n, one, None) for n, one in enumerate(players)],
                    visibility=visibility,
                    created_by=SERVICE,
                    shuffle_seats=False,
                    fair={**fair_json(secret.commit(), 0), **_describe_round(place, duplicate)},
                    **_list_terms(pace, len(players), counts),
                    tournament=place.to_json(),
                )
                self._rated.check(draft)
                self._begin(draft, players)

            given = None if duplicate is None else duplicate.secret
            reserved = self._reserve(place, game_id)
            return self._creator.create(HOST, None, decide, game_id=reserved, given=given).table

        try:
            return self._create_or_find(place, create, rated)
        except (AccountNeeded, RatedGame) as refused:
            log.warning("table %d of %s is casual: %s", place.table, place.tournament, refused)
            return self._create_or_find(place, create, counts=False)

    def _create_or_find(
        self, place: RoundPlace, create: Callable[[bool], Table], counts: bool
    ) -> Table:
        """Make a game, or return that of another process that was faster."""
        try:
            return create(counts)
        except VersionConflict:
            found = self.find(place)
            assert found is not None, "a version conflict comes from the game of this table"
            return found

    def _begin(self, draft: Draft, players: Sequence[Player]) -> None:
        """Let bots that are connected be ready; start a game for which no player has to be."""
        for number, player in enumerate(players):
            if draft.table.live and player.is_bot and self._is_there(player.id):
                draft.add(SEAT_READIED, seat=number, ready=True)
        self._starts.begin_if_ready(draft)

    def _reserve(self, place: RoundPlace, game_id: str) -> str:
        """Give a table its game; return the id of the one that it had first."""
        key, field = _name_field(place)
        self._registry.hsetnx(key, field, game_id)
        first: Any = self._registry.hget(key, field)
        return game_id if first is None else first.decode()

    def _read(self, game_id: str, place: RoundPlace) -> Table | None:
        """Return a game that was made for a table, None where the store does not have it."""
        try:
            table = self._projector.table(game_id)
        except NotFound:
            return None
        if table.terms.tournament != place.to_json():
            raise RoundOpen(f"game {game_id} was not made for table {place.table} of this round")
        return table


def _name_field(place: RoundPlace) -> tuple[str, str]:
    return keys.round_games(place.tournament), f"{place.round}/{place.table}"


def _describe_round(place: RoundPlace, duplicate: RoundDraws | None) -> Json:
    """Return what `fair` of a duplicate says besides the commitment."""
    if duplicate is None:
        return {}
    return {"round": f"{place.tournament}/{place.round}", "entropy": duplicate.entropy}


def _list_terms(pace: Mapping[str, Any], players: int, counts: bool) -> Json:
    """Return the terms of every game of a round: its players arrange nothing."""
    timed = pace_terms(pace, "forfeit", players)
    rated = {"rated": True} if counts else {}
    return {"takebacks": "none", "start": "host", **rated, **timed}
